"""A session as a table of text, as JSON, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from croupier.lab.sessions.request import SessionRequest
from croupier.lab.sessions.result import SessionResult
from croupier.lab.sessions.strategy import (
    AnyStrategy,
    SessionError,
    Shortfall,
)
from croupier.numeric.figure import Figure
from croupier.odds.model import Model
from croupier.rules.cents import write_cents
from croupier.tabular import Plot, TextTable
from croupier.tabular.figure_formats import (
    figure_count,
    figure_json,
    figure_money,
    figure_percent,
    rounded_up,
)
from croupier.tabular.plots import (
    BLUE,
    GREEN,
    GREY,
    NAVY,
    RED,
    legend_above,
    new_figure,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

    from croupier.lab.sessions.durations import SessionDurations
    from croupier.lab.sessions.extremes import ExtremeDistribution

    _Detail: TypeAlias = SessionDurations | ExtremeDistribution

_ENDS = ("reached", "ruined", "stopped", "playing", "ahead")
FIGURES = (*_ENDS, "rounds_played", "staked_cents", "net_cents")
"""The figures of a session, calculated or simulated."""
_DONE = {
    Shortfall.STAKE_ALLOWED: "it stakes what is allowed",
    Shortfall.START_AGAIN: "it starts again",
    Shortfall.STOP: "it leaves the table",
}


def request_head(request: SessionRequest) -> str:
    """Describe the request in one line."""
    target, rounds = request.target_cents, request.rounds
    goal = "" if target is None else f" to {write_cents(target)}"
    length = "until it ends" if rounds is None else f"{rounds} rounds"
    lost = request.stop_loss_cents
    bound = "" if lost is None else f", a stop-loss of {write_cents(lost)}"
    return (
        f"{request.model.game.title}: {request.strategy.name} with"
        f" {request.wager.text}, from {write_cents(request.bankroll_cents)}{goal},"
        f" {length}{bound}"
    )


def _session_rows(result: SessionResult) -> Iterator[tuple[str, str]]:
    if result.request.target_cents is not None:
        yield "target reached", figure_percent(result.reached)
    yield "ruined", figure_percent(result.ruined)
    if result.stopped.value:
        yield "left the table", figure_percent(result.stopped)
    if result.request.stop_loss_cents is not None:
        yield "left by the stop-loss", figure_percent(result.stopped_by_loss)
    if result.request.rounds is not None:
        yield "still playing", figure_percent(result.playing)
    yield "ahead at the end", figure_percent(result.ahead)
    yield "rounds played, expected", figure_count(result.rounds_played)
    yield "staked, expected", figure_money(result.staked_cents)
    yield "net result, expected", figure_money(result.net_cents)
    yield "net result, standard deviation", figure_money(result.net_deviation_cents)
    for level, bounds in result.quantile_bounds.items():
        name = f"bankroll at the end, {float(level):.0%} quantile"
        yield name, from_to(bounds, write_cents)


def from_to(bounds: tuple[int, int], write: Callable[[int], str]) -> str:
    """Return a quantile, or its bounds if it is in doubt."""
    return " to ".join(write(bound) for bound in sorted({*bounds}))


def _session_notes(result: SessionResult) -> Iterator[str]:
    yield from model_notes(result.model)
    yield arithmetic_note(result)
    yield from rules_notes(result.request.strategy)


def model_notes(model: Model) -> Iterator[str]:
    if not model.is_approved:
        yield "No approved game: " + "; ".join(model.why_not_approved) + "."


def arithmetic_note(result: SessionResult) -> str:
    if result.is_exact:
        return "Exact: calculated in fractions."
    staked, net = result.staked_cents.error / 100, result.net_cents.error / 100
    return (
        f"Calculated in {result.arithmetic.value}: no probability is off by more than"
        f" {rounded_up(result.error)}, the expected rounds by"
        f" {rounded_up(result.rounds_played.error)}, what is staked by"
        f" {rounded_up(staked)} and the net result by {rounded_up(net)}."
    )


def rules_notes(strategy: AnyStrategy) -> Iterator[str]:
    yield _rules(strategy)
    yield "Ruined: the bankroll can't pay the next wager."


def _rules(strategy: AnyStrategy) -> str:
    over_maximum = _DONE[strategy.over_maximum]
    over_bankroll = _DONE[strategy.over_bankroll]
    if over_maximum == over_bankroll:
        return f"Over the table's maximum or the bankroll {over_maximum}."
    return (
        f"Over the table's maximum {over_maximum}, over the bankroll {over_bankroll}."
    )


def session_table(
    result: SessionResult, *headings: str, details: Sequence[_Detail] = ()
) -> TextTable:
    """Return the whole session as a table; `headings` are two or none."""
    rows, notes = list(_session_rows(result)), list(_session_notes(result))
    for detail in details:
        rows.extend(detail.rows())
        notes.extend(detail.notes())
    return TextTable(
        request_head(result.request), headings or ("", ""), rows, tuple(notes)
    )


def request_json(request: SessionRequest) -> dict[str, Any]:
    strategy = request.strategy
    return {
        **request.model.document(),
        "wager": request.wager.text,
        "unit_cents": request.wager.stake_cents,
        "maximum_units": request.wager.maximum_units,
        "strategy": strategy.name,
        "over_maximum": strategy.over_maximum.value,
        "over_bankroll": strategy.over_bankroll.value,
        "bankroll_cents": request.bankroll_cents,
        "target_cents": request.target_cents,
        "rounds": request.rounds,
        "stop_loss_cents": request.stop_loss_cents,
    }


def session_json(
    result: SessionResult, details: Sequence[_Detail] = ()
) -> dict[str, Any]:
    """Return the JSON document of a session with these details."""
    return {
        **request_json(result.request),
        "arithmetic": result.arithmetic.value,
        "error": float(result.error),
        **{name: figure_json(getattr(result, name)) for name in FIGURES},
        "stopped_by_loss": figure_json(result.stopped_by_loss),
        "net_variance": figure_json(result.net_variance),
        "net_deviation_cents": figure_json(result.net_deviation_cents),
        "bankrolls": [
            {
                "bankroll_cents": cents,
                "net_cents": cents - result.request.bankroll_cents,
                "probability": float(chance),
            }
            for cents, chance in result.bankrolls.items()
        ],
        "course": _course_json(result),
        **{each.name: each.json() for each in details},
    }


def _course_json(result: SessionResult) -> list[dict[str, Any]]:
    """Return the course of the session; empty if it would take too long.

    The session itself is solved, so this is no error.
    """
    try:
        snapshots = result.snapshots
    except SessionError:
        return []
    return [
        {
            "round": snapshot.round,
            "reached": float(snapshot.reached),
            "ruined": float(snapshot.ruined),
            "stopped": float(snapshot.stopped),
            "bankroll_quantiles_cents": [
                result.lattice.cents(point) for point in snapshot.points
            ],
        }
        for snapshot in snapshots
    ]


_BANDS = ((0, 4, 0.25, "5 – 95 %"), (1, 3, 0.45, "25 – 75 %"))
_MEDIAN = 2
_AMOUNT_COLOURS = {"bankroll at the end": NAVY, "peak": GREEN, "drawdown": RED}
_CURVES = {
    "ruined": ("ruined", RED),
    "reached": ("target reached", GREEN),
    "stopped": ("left", GREY),
}


def plot_session(
    result: SessionResult, extremes: Sequence[ExtremeDistribution] = ()
) -> Drawing:
    """Draw three pictures; raise `MissingExtra` without matplotlib."""
    figure = new_figure(9, 10)
    fan = figure.add_subplot(3, 1, 1)
    curves = figure.add_subplot(3, 1, 2, sharex=fan)
    draw_fan(fan, result)
    _draw_curves(curves, result)
    _draw_amounts(figure.add_subplot(3, 1, 3), result, extremes)
    figure.suptitle(request_head(result.request), fontsize=10)
    return figure


def plot_chances(
    what: str, label: str, chances: Mapping[int, Figure] | Mapping[float, Figure]
) -> Plot:
    """Draw one curve of probabilities."""
    figure = new_figure(8, 4)
    axes = figure.add_subplot()
    curve = [100 * float(chance) for chance in chances.values()]
    axes.step([*chances], curve, where="post", color=_AMOUNT_COLOURS.get(label))
    axes.set_xlabel(label)
    axes.set_ylabel(f"probability of {what}, %")
    axes.set_ylim(0, 105)
    return Plot(figure)


def _draw_amounts(
    axes: Axes, result: SessionResult, extremes: Sequence[ExtremeDistribution]
) -> None:
    """Draw the probability of at least each amount, at the end and of the extremes."""
    left = Fraction(1)
    ends = []
    for cents, chance in result.bankrolls.items():
        ends.append((cents, left))
        left -= chance
    lines = {"bankroll at the end": ends}
    for extreme in extremes:
        lines[extreme.name] = [(c, each.value) for c, each in extreme.at_least.items()]
    for name, line in lines.items():
        most = line[-1][0] / 100
        axes.step(
            [*(cents / 100 for cents, _ in line), most],
            [*(100 * float(chance) for _, chance in line), 0.0],
            where="pre",
            color=_AMOUNT_COLOURS[name],
            label=name,
        )
    axes.set_xlabel("money")
    axes.set_ylabel("probability of at least so much, %")
    axes.set_ylim(0, 105)
    legend_above(axes)


def draw_fan(axes: Axes, result: SessionResult) -> None:
    """Draw bands of the bankroll over the rounds."""
    start = result.request.bankroll_cents / 100
    rounds = [0, *(snapshot.round for snapshot in result.snapshots)]
    lines = [
        [start, *(result.lattice.cents(s.points[k]) / 100 for s in result.snapshots)]
        for k in range(5)
    ]
    for low, high, alpha, label in _BANDS:
        axes.fill_between(
            rounds,
            lines[low],
            lines[high],
            color=BLUE,
            alpha=alpha,
            linewidth=0,
            step="post",
            label=label,
        )
    axes.step(rounds, lines[_MEDIAN], where="post", color=NAVY, label="median")
    draw_bounds(axes, result.request.target_cents, result.request.floor_cents)
    axes.set_ylabel("bankroll")
    legend_above(axes)


def draw_bounds(axes: Axes, target: int | None, floor: int) -> None:
    """Draw lines at the target and at the stop-loss, in cents, if there are any."""
    if target is not None:
        axes.axhline(target / 100, color=GREEN, linewidth=0.8, label="target")
    if floor >= 0:
        axes.axhline(floor / 100, color=GREY, linewidth=0.8, label="stop-loss")


def _draw_curves(axes: Axes, result: SessionResult) -> None:
    rounds = [0, *(snapshot.round for snapshot in result.snapshots)]
    for name, (label, colour) in _CURVES.items():
        curve = [getattr(snapshot, name) for snapshot in result.snapshots]
        if any(curve):
            values = [0.0, *(100 * float(chance) for chance in curve)]
            axes.plot(rounds, values, color=colour, label=label)
    axes.set_xlabel("rounds")
    axes.set_ylabel("probability by then, %")
    axes.set_ylim(bottom=0)
    if axes.get_legend_handles_labels()[0]:
        legend_above(axes)
