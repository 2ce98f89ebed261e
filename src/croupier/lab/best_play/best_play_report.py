"""Best play as a table of text and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from croupier.lab.best_play.play import BestPlay, Over
from croupier.lab.sessions.figure_formats import (
    at_most,
    count,
    figure_json,
    fraction_text,
    money,
    percent,
)
from croupier.lab.sessions.result import Figure
from croupier.odds.chips import Chips
from croupier.rules.cents import write_cents
from croupier.rules.layout import WagerType
from croupier.tabular import TextTable

_SHOWN = 24
_STRAIGHT_UP = f"{WagerType.STRAIGHT_UP.value}:"


def best_play_head(best: BestPlay) -> str:
    return (
        f"{best.model.game.title}: best play from {write_cents(best.bankroll_cents)}"
        f" to {write_cents(best.target_cents)} in chips of"
        f" {write_cents(best.chip_cents)}"
    )


def searched_plays(best: BestPlay) -> str:
    count = sum(len(kind.areas) for kind in best.kinds)
    if best.over is Over.SEVERAL_AREAS:
        return (
            f"any of {count} betting areas at once of which no two can win together,"
            " each with any stake in whole chips that the limits allow"
        )
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
    """Return the wagers; of straight-ups alone, how many numbers get how much."""
    numbers = [each for each in chips if each.wager.startswith(_STRAIGHT_UP)]
    if len(numbers) == 1:
        return " + ".join(map(str, chips))
    stakes = Counter(each.stake_cents or 0 for each in numbers)
    return " + ".join(
        [
            *(str(each) for each in chips if each not in numbers),
            *(
                f"{write_cents(cents)} on {count} number{'s' * (count > 1)}"
                for cents, count in stakes.items()
            ),
        ]
    )


def _best_play_notes(best: BestPlay) -> Iterator[str]:
    if not best.model.is_approved:
        yield "No approved game: " + "; ".join(best.model.why_not_approved) + "."
    yield f"Searched: {searched_plays(best)}."
    figure, rounds = best.probability, best.rounds_played
    if best.attained is None:
        yield (
            f"Calculated in float64: the probability is within {at_most(figure.error)},"
            f" the expected rounds within {at_most(rounds.error)}."
        )
    else:
        yield (
            "What the plan attains is exact; nothing that was searched does better by"
            f" more than {at_most(figure.error)}."
        )


def _best_play_rows(best: BestPlay) -> list[tuple[str, str]]:
    exact = best.attained
    reached = best.probability if exact is None else Figure(exact)
    return [
        ("target reached", percent(reached)),
        ("rounds played, expected", count(best.rounds_played)),
        ("staked, expected", money(best.staked_cents)),
    ]


def best_play_table(best: BestPlay) -> TextTable:
    """Return the wager and the probability at each bankroll the plan can come to."""
    rows = [
        (write_cents(cents), _wagers(chips), percent(best.value_at(cents)))
        for cents, chips, _ in best.plan()
        if cents in best.on_the_way and chips
    ]
    return TextTable(
        f"{best_play_head(best)}: {percent(best.probability.value)}",
        (">bankroll", "wager", ">target reached"),
        rows,
        tuple(_best_play_notes(best)),
    )


def best_play_text(best: BestPlay) -> str:
    table = best_play_table(best)
    more = len(table.rows) - _SHOWN
    return "\n".join(
        [
            best_play_head(best),
            "",
            *TextTable("", ("", ""), _best_play_rows(best)).lines(),
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
        "searched": searched_plays(best),
        "bankroll_cents": best.bankroll_cents,
        "target_cents": best.target_cents,
        "chip_cents": best.chip_cents,
        "reached": figure_json(best.probability),
        "attained": None if attained is None else fraction_text(attained),
        "rounds_played": figure_json(best.rounds_played),
        "staked_cents": figure_json(best.staked_cents),
        "plan": [
            {
                "bankroll_cents": cents,
                "wagers": [
                    {"wager": each.wager, "stake_cents": each.stake_cents}
                    for each in chips
                ],
                "reached": value,
                "reached_error": float(best.value_at(cents).error),
                "rounds_played": float(rounds),
                "rounds_error": float(rounds.error),
            }
            for (cents, chips, value), rounds in zip(
                best.plan(), best.durations, strict=True
            )
        ],
    }
