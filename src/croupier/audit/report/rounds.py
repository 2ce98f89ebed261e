"""Rounds as columns, and the meters of tables.

Laws of this file:
- a round is whole in one block, and void rounds are in none;
- at risk is the stake that can be lost: not the excess over a maximum (A10), nor a
  wager that any outcome returns (A9, a ruling, a wager never registered);
- a settlement counts in the meters on its own day, and a correction adds its difference
  on the day of the correction;
- the drop is the cash, vouchers and colour chips that Players changed into chips or
  credit at the table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, unique
from fractions import Fraction
from functools import cached_property, lru_cache

import numpy as np

from croupier.batch.compiled import CompiledGame, Flags, Integers, compile_game
from croupier.odds.model import cases_of, model_of, total_weight
from croupier.rules.game import Game

AMOUNTS = ("stake", "at_risk", "paid", "collected", "returned")
STAKE, AT_RISK, PAID, COLLECTED, RETURNED = range(len(AMOUNTS))
ROUNDS_AT_ONCE = 4_096


@dataclass(frozen=True, eq=False)
class GameTable:
    """The pay of each area in each case of a round, and the weight of the case."""

    compiled: CompiledGame
    pays: Integers
    """By area, then by case: the pay to one, or -1 if the area loses."""
    weights: tuple[int, ...]
    types: tuple[str, ...]
    """The wager types of the game."""
    type_of: Integers
    """The place of each area's type."""

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


@unique
class Dimension(Enum):
    """A property of rounds that a report can group them by."""

    TABLE = "table"
    DAY = "day"
    TYPE = "type"
    DEALER = "dealer"


@dataclass(frozen=True, eq=False)
class Block:
    """Some whole rounds of one game that reached an outcome."""

    table: GameTable
    tables: Sequence[str]
    """The table of each round."""
    days: Sequence[str | None]
    dealers: Sequence[str]
    """The Dealer of each round; empty if the source has none."""
    wagers: Integers
    """The number of wagers in each round."""
    round_of: Integers
    """The place of each piece's round."""
    area: Integers
    amounts: Integers
    """The `AMOUNTS` of each piece, in cents."""

    @property
    def rounds(self) -> int:
        return len(self.tables)

    @cached_property
    def columns(self) -> dict[Dimension, tuple[list[str], Integers]]:
        """The distinct names of each dimension, and the place of each round's name."""
        columns = {
            Dimension.TABLE: self.tables,
            Dimension.DAY: [day or "" for day in self.days],
            Dimension.DEALER: self.dealers,
        }
        return {each: _distinct(names) for each, names in columns.items()}

    @cached_property
    def type_amounts(self) -> Integers:
        return self._by_type(self.round_of, self.area, self.amounts)

    @cached_property
    def pieces(self) -> Integers:
        return self._by_type(
            self.round_of, self.area, np.ones(len(self.area), np.int64)
        )

    @cached_property
    def hits(self) -> Integers:
        rounds, areas, _ = self._chips
        return self._by_type(rounds, areas, self._paid.astype(np.int64))

    def _by_type(self, rounds: Integers, areas: Integers, added: Integers) -> Integers:
        sums: Integers = np.zeros(
            (self.rounds, len(self.table.types), *added.shape[1:]), np.int64
        )
        np.add.at(sums, (rounds, self.table.type_of[areas]), added)
        return sums

    @cached_property
    def _places(self) -> tuple[Integers, Integers]:
        """Each round's areas with chips, as numbers; the index of each piece's own."""
        areas = len(self.table.type_of)
        return np.unique(self.round_of * areas + self.area, return_inverse=True)

    @cached_property
    def _chips(self) -> tuple[Integers, Integers, Integers]:
        """Rounds in ascending order, their areas, and the amount at risk there."""
        place, at = self._places
        at_risk: Integers = np.zeros(len(place), np.int64)
        np.add.at(at_risk, at, self.amounts[:, AT_RISK])
        rounds, areas = np.divmod(place, len(self.table.type_of))
        return rounds, areas, at_risk

    @property
    def _paid(self) -> Flags:
        place, at = self._places
        paid = np.zeros(len(place), np.bool_)
        paid[at[self.amounts[:, PAID] > 0]] = True
        return paid

    def values(self, kind: int | None) -> tuple[Integers, Integers]:
        """Return the House's win and the hits by round and case, of one type or all."""
        rounds, areas, at_risk = self._chips
        if kind is not None:
            some = np.flatnonzero(self.table.type_of[areas] == kind)
            rounds, areas, at_risk = rounds[some], areas[some], at_risk[some]
        pays, risked = self.table.pays[areas], at_risk[:, np.newaxis]
        won = self._by_round(rounds, -risked * pays)
        hits = self._by_round(rounds, ((risked > 0) & (pays >= 0)).astype(np.int64))
        return won, hits

    def _by_round(self, rounds: Integers, values: Integers) -> Integers:
        """Return the sums over the areas of each round, by case."""
        sums: Integers = np.zeros((self.rounds, values.shape[1]), np.int64)
        begins = np.flatnonzero(np.diff(rounds, prepend=-1))
        if len(begins):
            sums[rounds[begins]] = np.add.reduceat(values, begins)
        return sums


def _distinct(names: Sequence[str]) -> tuple[list[str], Integers]:
    found: dict[str, int] = {}
    codes = [found.setdefault(name, len(found)) for name in names]
    return list(found), np.array(codes, np.int64)


Place = tuple[str, str | None]
"""A table and a gaming day; None if the source has no days."""


@dataclass(slots=True)
class Meter:
    """One table on one gaming day, in counts and cents."""

    rounds: int = 0
    voids: int = 0
    corrections: int | None = None
    """None if the source does not have it."""
    handle_cents: int = 0
    paid_cents: int = 0
    win_cents: int = 0
    """The House's win: collected less paid."""
    drop_cents: int | None = None
    """Buy-ins at the table; None if the source does not have them."""

    @property
    def hold(self) -> Fraction | None:
        return (
            Fraction(self.win_cents, self.handle_cents) if self.handle_cents else None
        )

    @property
    def hold_of_drop(self) -> Fraction | None:
        return Fraction(self.win_cents, self.drop_cents) if self.drop_cents else None

    def add(self, other: Meter, times: int = 1) -> None:
        """Add another meter `times` times; -1 subtracts it."""
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
    """The meters by table and day."""

    def at(self, place: Place) -> Meter:
        return self.setdefault(place, Meter())

    @property
    def whole(self) -> Meter:
        every = Meter()
        for meter in self.values():
            every.add(meter)
        return every
