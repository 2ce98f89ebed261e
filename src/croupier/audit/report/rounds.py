"""Rounds as columns, and the meters of tables.

Laws of this file:
- a round is whole in one block, and void rounds are in none;
- at risk is what could be lost: not the excess over a maximum (A10), nor a wager that
  was returned whatever came up (A9, a ruling, a wager never registered);
- a settlement counts in the meters on the day it was made, and a correction adds, on
  its own day, what it changed;
- the drop is what Players changed into chips or credit at the table: cash, vouchers and
  colour chips.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache

import numpy as np

from croupier.batch.compiled import CompiledGame, Integers, compile_game
from croupier.odds.model import cases_of, model_of, total_weight
from croupier.rules.game import Game

AMOUNTS = ("stake", "at_risk", "paid", "collected", "returned")
STAKE, AT_RISK, PAID, COLLECTED, RETURNED = range(len(AMOUNTS))
ROUNDS_AT_ONCE = 4_096


@dataclass(frozen=True, eq=False)
class GameTable:
    """The pay of each area in each case of a round, and how likely the case is."""

    compiled: CompiledGame
    pays: Integers
    """By area, then by case: to one, or -1 where it loses."""
    weights: tuple[int, ...]
    types: tuple[str, ...]
    """The wager types of the game."""
    type_of: Integers
    """By area, the place of its type."""

    @property
    def game(self) -> Game:
        return self.compiled.game

    @property
    def total(self) -> int:
        return sum(self.weights)


@lru_cache(maxsize=16)
def game_table(game: Game) -> GameTable:
    """Return the cases of `odds` with their exact weights, by the tables of `batch`."""
    compiled, model = compile_game(game), model_of(game)
    cases = cases_of(model)
    rows = [compiled.outcome_index(case.outcome) for case in cases]
    weights = tuple(case.weight for case in cases)
    assert sum(weights) == total_weight(model)
    types = tuple(dict.fromkeys(area.wager_type.value for area in game.areas))
    type_of = [types.index(area.wager_type.value) for area in game.areas]
    pays = compiled.pays[rows].T.astype(np.int64)
    return GameTable(compiled, pays, weights, types, np.array(type_of, np.int64))


@dataclass(frozen=True, eq=False)
class Block:
    """Some whole rounds of one game that reached an outcome."""

    table: GameTable
    tables: Sequence[str]
    """By round."""
    days: Sequence[str | None]
    dealers: Sequence[str]
    """Who dealt it; empty where the source does not tell."""
    wagers: Integers
    """By round, how many there were."""
    round_of: Integers
    """By piece, the place of its round."""
    area: Integers
    amounts: Integers
    """By piece, then as in `AMOUNTS`, in cents."""

    @property
    def rounds(self) -> int:
        return len(self.tables)


@dataclass(slots=True)
class BlockBuilder:
    """Gathers the pieces of rounds one after the other."""

    table: GameTable
    _tables: list[str] = field(default_factory=list)
    _days: list[str | None] = field(default_factory=list)
    _dealers: list[str] = field(default_factory=list)
    _wagers: list[int] = field(default_factory=list)
    _pieces: list[tuple[int, ...]] = field(default_factory=list)

    @property
    def is_full(self) -> bool:
        return len(self._tables) >= ROUNDS_AT_ONCE

    def begin(self, table: str, day: str | None, dealer: str, wagers: int) -> None:
        self._tables.append(table)
        self._days.append(day)
        self._dealers.append(dealer)
        self._wagers.append(wagers)

    def add(self, area: int, amounts: tuple[int, int, int, int, int]) -> None:
        """Add a piece of the round that was begun last; amounts as in `AMOUNTS`."""
        self._pieces.append((len(self._tables) - 1, area, *amounts))

    def build(self) -> Block:
        columns = np.array(self._pieces, np.int64).reshape(-1, 2 + len(AMOUNTS))
        return Block(
            self.table,
            self._tables,
            self._days,
            self._dealers,
            np.array(self._wagers, np.int64),
            columns[:, 0],
            columns[:, 1],
            columns[:, 2:],
        )


Place = tuple[str, str | None]
"""A table and a gaming day; None where the source tells no day."""


@dataclass(slots=True)
class Meter:
    """One table on one gaming day, in counts and cents."""

    rounds: int = 0
    voids: int = 0
    corrections: int | None = None
    """None where the source does not tell."""
    handle_cents: int = 0
    paid_cents: int = 0
    win_cents: int = 0
    """The House's win: collected, less what was paid."""
    drop_cents: int | None = None
    """Buy-ins at the table; None where the source does not tell."""

    @property
    def hold(self) -> Fraction | None:
        """The part of the handle that the House kept."""
        return (
            Fraction(self.win_cents, self.handle_cents) if self.handle_cents else None
        )

    @property
    def hold_of_drop(self) -> Fraction | None:
        """The part of the drop that the House kept."""
        return Fraction(self.win_cents, self.drop_cents) if self.drop_cents else None

    def add(self, other: Meter, times: int = 1) -> None:
        """Add what another counted, or, with -1, take it away."""
        self.rounds += times * other.rounds
        self.voids += times * other.voids
        self.handle_cents += times * other.handle_cents
        self.paid_cents += times * other.paid_cents
        self.win_cents += times * other.win_cents
        if other.corrections is not None:
            self.corrections = (self.corrections or 0) + other.corrections
        if other.drop_cents is not None:
            self.drop_cents = (self.drop_cents or 0) + other.drop_cents


class Meters(dict[Place, Meter]):
    """By table and day."""

    def at(self, place: Place) -> Meter:
        return self.setdefault(place, Meter())

    @property
    def whole(self) -> Meter:
        every = Meter()
        for meter in self.values():
            every.add(meter)
        return every
