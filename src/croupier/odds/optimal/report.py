"""Best play as a table of text, as JSON, and drawn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from croupier.odds.chips import Chips
from croupier.odds.optimal.play import BestPlay, Over
from croupier.odds.sessions.figure_formats import figure_json, fraction_text, percent
from croupier.odds.sessions.report import (
    new_figure,
)
from croupier.rules.cents import write_cents
from croupier.tabular import TextTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure


_SHOWN = 24


def best_play_head(best: BestPlay) -> str:
    return (
        f"{best.model.game.title}: best play from {write_cents(best.bankroll_cents)}"
        f" to {write_cents(best.target_cents)} in chips of"
        f" {write_cents(best.chip_cents)}"
    )


def searched(best: BestPlay) -> str:
    """Return which plays were compared."""
    count = sum(len(kind.areas) for kind in best.kinds)
    if best.over is Over.STRAIGHT_UPS:
        [kind] = best.kinds
        return f"any set of the {count} straight-up wagers, each {_stakes(best, kind)}"
    if count == 1:
        [kind] = best.kinds
        return f"{kind.areas[0]}, {_stakes(best, kind)}"
    return (
        f"one of {count} betting areas a round, with any stake in whole chips that the"
        " limits allow"
    )


def _stakes(best: BestPlay, kind: Any) -> str:
    least = write_cents(kind.least * best.chip_cents)
    if kind.most is None:
        return f"with any stake from {least} up, in whole chips"
    most = write_cents(kind.most * best.chip_cents)
    return f"with any stake from {least} to {most}, in whole chips"


def _wagers(chips: tuple[Chips, ...]) -> str:
    """Return the wager, or how many numbers get how much."""
    if len(chips) == 1:
        return str(chips[0])
    stakes = Counter(each.stake_cents or 0 for each in chips)
    return " + ".join(
        f"{write_cents(cents)} on {count} number{'s' * (count > 1)}"
        for cents, count in stakes.items()
    )


def best_play_notes(best: BestPlay) -> Iterator[str]:
    if not best.model.is_approved:
        yield "No approved game: " + "; ".join(best.model.changes) + "."
    yield f"Searched: {searched(best)}."
    figure = best.probability
    if best.attained is None:
        yield f"Reckoned in float64: within {float(figure.error):.1e}."
    else:
        yield (
            "What the plan attains is exact; nothing that was searched does better by"
            f" more than {float(figure.error):.1e}."
        )


def best_play_table(best: BestPlay) -> TextTable:
    """Return the wager and the probability at each bankroll the plan can come to."""
    rows = [
        (write_cents(cents), _wagers(chips), f"{value * 100:.4f} %")
        for cents, chips, value in best.plan()
        if cents in best.on_the_way and chips
    ]
    return TextTable(
        f"{best_play_head(best)}: {percent(best.probability.value)}",
        (">bankroll", "wager", ">target reached"),
        rows,
        tuple(best_play_notes(best)),
    )


def best_play_text(best: BestPlay) -> str:
    table = best_play_table(best)
    more = len(table.rows) - _SHOWN
    return "\n".join(
        [
            best_play_head(best),
            "",
            f"target reached  {percent(best.probability.value)}",
            "",
            *replace(table, rows=table.rows[:_SHOWN]).lines(),
            *([f"… and {more} more bankrolls"] if more > 0 else []),
            "",
            *table.notes,
        ]
    )


def best_play_json(best: BestPlay) -> dict[str, Any]:
    attained = best.attained
    return {
        **best.model.document(),
        "over": best.over.value,
        "searched": searched(best),
        "bankroll_cents": best.bankroll_cents,
        "target_cents": best.target_cents,
        "chip_cents": best.chip_cents,
        "reached": figure_json(best.probability),
        "attained": None if attained is None else fraction_text(attained),
        "plan": [
            {
                "bankroll_cents": cents,
                "wagers": [
                    {"wager": each.wager, "stake_cents": each.stake_cents}
                    for each in chips
                ],
                "reached": value,
            }
            for cents, chips, value in best.plan()
        ],
    }


def plot_best_play(best: BestPlay) -> Figure:
    """Draw the best probability beside a fair game's; raise without matplotlib."""
    figure = new_figure(9, 5)
    axes = figure.subplots()
    rows = list(best.plan())
    money = [cents / 100 for cents, _, _ in rows]
    axes.step(
        money,
        [100 * value for _, _, value in rows],
        where="post",
        color="#16325c",
        label="best play",
    )
    fair = [min(100.0, 100 * cents / best.target_cents) for cents, _, _ in rows]
    axes.plot(money, fair, color="#9a9a9a", linewidth=0.8, label="a fair game")
    axes.plot(
        [best.bankroll_cents / 100],
        [100 * float(best.probability)],
        "o",
        color="#b3261e",
        label="this bankroll",
    )
    axes.set_xlabel("bankroll")
    axes.set_ylabel("target reached, %")
    axes.legend(loc="upper left", fontsize=8)
    figure.suptitle(best_play_head(best), fontsize=10)
    return figure
