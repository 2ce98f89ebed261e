"""Rounds of several Players at several tables at random, with their settlement."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from tests.figures.choices import some_wager
from tests.figures.oracle.chance import drawn_case
from tests.figures.oracle.games import Table
from tests.figures.oracle.settlement import (
    Chips,
    Limits,
    Piece,
    Refused,
    is_under_minimum,
    lay,
    settle,
)

PLAYERS = ("Anna", "Ben", "Cara")


@dataclass(frozen=True)
class Row:
    """A wager of a file with its result; `paid` is None if it is refused."""

    place: str
    """The table's name."""

    round: int
    player: str
    chips: Chips
    outcome: str
    lit: tuple[str, ...]
    void: bool
    stake: int
    at_risk: int
    paid: int | None
    collected: int
    pieces: tuple[Piece, ...] = ()

    @property
    def returned(self) -> int:
        return self.stake - self.collected


def some_rounds(
    chance: Random, table: Table, limits: Limits, *, tables: int = 2, rounds: int = 12
) -> Iterator[Row]:
    """Yield the rows of rounds at random, in order of table and round."""
    for place in ("A", "B")[:tables]:
        warned: set[str] = set()
        for number in range(1, rounds + 1):
            outcome = chance.choice(table.numbers)
            lit = tuple(chance.sample(table.numbers, table.bonus_numbers))
            void = chance.random() < 0.1
            for player in PLAYERS[: chance.randint(1, 3)]:
                chips = _chips(chance, table)
                yield from _settled(
                    (place, number, player),
                    (table, chips, limits),
                    (outcome, lit, void),
                    warned,
                )


def _chips(chance: Random, table: Table) -> list[Chips]:
    wagers = [some_wager(chance, table) for _ in range(chance.randint(1, 3))]
    if not table.lies_outside_limits:
        wagers = wagers[:1]
    elif chance.random() < 0.3:
        wagers.append(wagers[0])
    return [Chips(wager, 50 * chance.randint(1, 40)) for wager in wagers]


def _settled(
    who: tuple[str, int, str],
    laid_by: tuple[Table, list[Chips], Limits],
    came_up: tuple[str, tuple[str, ...], bool],
    warned: set[str],
) -> Iterator[Row]:
    """Settle one Player's wagers; remember whose under-minimum wagers have stood."""
    table, chips, limits = laid_by
    outcome, lit, void = came_up
    player = who[2]
    try:
        laid = lay(table, chips, limits, warned=player in warned)
    except Refused:
        for one in chips:
            stake = (one.piece_cents or 0) * len(table.places_of(one.wager))
            yield Row(*who, one, *came_up, stake, 0, None, 0)
        return
    if is_under_minimum(table, laid, limits) and not void:
        warned.add(player)
    case = drawn_case(table, outcome, lit)
    for one, wager in zip(chips, laid, strict=True):
        rows = settle(table, wager, case)
        yield Row(
            *who,
            one,
            outcome,
            lit,
            void,
            stake=sum(piece.stake for piece in wager),
            at_risk=sum(piece.at_risk for piece in wager),
            paid=0 if void else sum(row.paid for row in rows),
            collected=0 if void else sum(row.collected for row in rows),
            pieces=tuple(wager),
        )
