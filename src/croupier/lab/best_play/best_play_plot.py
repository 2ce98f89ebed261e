"""Best play drawn: what to stake at each bankroll, and what comes of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from croupier.lab.best_play.best_play_report import best_play_head
from croupier.lab.best_play.play import BestPlay
from croupier.tabular.plots import legend_above, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection
    from matplotlib.figure import Figure


LINE, QUIET, MARK = "#16325c", "#8a948f", "#b3261e"
_SCALE = ("#5ab4ac", "#21748a", "#2a4b8d", "#3b1f6b")
"""From a small chance to a great one."""
_NAMED = 16
"""With no more points than this, each has its wagers beside it."""


def plot_best_play(best: BestPlay) -> Figure:
    """Draw the plan in three pictures; raise `SessionError` without matplotlib."""
    figure = new_figure(9, 10)
    reached, stakes, rounds = figure.subplots(
        3, 1, sharex=True, height_ratios=(2, 4, 2)
    )
    money = [cents / 100 for cents, _, _ in best.plan()]
    _draw_reached(reached, best, money)
    _draw_stakes(stakes, best)
    rounds.step(
        money,
        [float(each) for each in best.durations],
        where="post",
        color=LINE,
    )
    _mark(rounds, best, float(best.rounds_played))
    rounds.set_ylabel("rounds to the end,\nexpected")
    rounds.set_ylim(bottom=0)
    rounds.set_xlabel("bankroll")
    rounds.set_xlim(0, best.target_cents / 100)
    figure.suptitle(best_play_head(best), fontsize=10)
    return figure


def _mark(axes: Axes, best: BestPlay, at: float) -> None:
    """Put a point where this bankroll is."""
    axes.plot(
        [best.bankroll_cents / 100],
        [at],
        "o",
        color=MARK,
        label="this bankroll",
        zorder=5,
    )


def _draw_reached(axes: Axes, best: BestPlay, money: Sequence[float]) -> None:
    """Draw the best probability beside a fair game's."""
    rows = list(best.plan())
    fair = [min(100.0, 100 * cents / best.target_cents) for cents, _, _ in rows]
    axes.plot(money, fair, color=QUIET, linewidth=0.8, label="a fair game")
    axes.step(
        money,
        [100 * value for _, _, value in rows],
        where="post",
        color=LINE,
        label="best play",
    )
    _mark(axes, best, 100 * float(best.probability))
    axes.set_ylabel("target reached, %")
    legend_above(axes)


def _draw_stakes(axes: Axes, best: BestPlay) -> None:
    """Draw each bankroll's stake; the colour says how likely something is to win."""
    placed = [
        (
            cents,
            sum(each.stake_cents or 0 for each in chips) / 100,
            100 * float(best.winning_chance(cents)),
        )
        for cents, chips, _ in best.plan()
        if chips
    ]
    most = max((chance for _, _, chance in placed), default=100.0)
    beside = [row for row in placed if row[0] not in best.on_the_way]
    on_the_way = [row for row in placed if row[0] in best.on_the_way]
    _draw_points(axes, beside, most, label="at other bankrolls", quiet=True)
    points = _draw_points(axes, on_the_way, most, label="where the plan can come to")
    if len(on_the_way) <= _NAMED:
        for cents, staked, _ in on_the_way:
            axes.annotate(
                _named(best, cents),
                (cents / 100, staked),
                xytext=(4, 4),
                textcoords="offset points",
                fontsize=6,
                rotation=40,
            )
    axes.set_ylabel("staked in all")
    axes.set_ylim(bottom=0)
    legend_above(axes)
    figure = axes.get_figure()
    assert figure is not None
    bar = figure.colorbar(points, ax=axes, pad=0.01)
    bar.set_label("something wins, %")


def _draw_points(
    axes: Axes,
    rows: Sequence[tuple[int, float, float]],
    most: float,
    *,
    label: str,
    quiet: bool = False,
) -> PathCollection:
    """Draw stakes in the colours of their chances; those on the way stand out."""
    from matplotlib.colors import LinearSegmentedColormap

    return axes.scatter(
        [cents / 100 for cents, _, _ in rows],
        [staked for _, staked, _ in rows],
        c=[chance for _, _, chance in rows],
        cmap=LinearSegmentedColormap.from_list("chance", _SCALE),
        vmin=0,
        vmax=most,
        s=12.0 if quiet else 26.0,
        alpha=0.6 if quiet else 1.0,
        edgecolors="none" if quiet else "black",
        linewidths=0.5,
        label=label,
    )


def _named(best: BestPlay, cents: int) -> str:
    """Return the types of what is placed, each with how many areas there are."""
    types = Counter(each.wager.partition(":")[0] for each in best.wager(cents))
    return " + ".join(
        name.replace("_", " ") + (f" ×{count}" if count > 1 else "")
        for name, count in types.items()
    )
