"""A session as a Markov chain on points: a row of bankrolls for each state.

Bankrolls lie on a lattice, whose points are counted from the smallest that can be
reached. A row has the points at which its state goes on playing; the last three rows
hold the points at which a session ends. Whatever happens to a whole interval of points
alike is one move, so that a chain is small however long its rows are.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property
from itertools import accumulate
from typing import Any


class ChainEnd(IntEnum):
    """How a session ends; the place of its row, counted from the end."""

    RUINED = -3
    """The bankroll can't pay the next wager."""
    REACHED = -2
    """The target has been reached, or passed."""
    STOPPED = -1
    """The strategy has left the table, with a unit or more."""


@dataclass(frozen=True, slots=True)
class Lattice:
    """Bankrolls `base + step × point`, in cents."""

    base_cents: int
    step_cents: int

    def cents(self, point: int) -> int:
        return self.base_cents + self.step_cents * point

    def first_at(self, cents: int) -> int:
        """The first point with at least so many cents."""
        return -((self.base_cents - cents) // self.step_cents)


@dataclass(frozen=True, slots=True)
class Row:
    """The points `low ≤ point < high` of one state, or of one end."""

    state: Any
    low: int
    high: int

    @property
    def length(self) -> int:
        return self.high - self.low


@dataclass(frozen=True, slots=True)
class Run:
    """Points of a row at which so many units are staked."""

    row: int
    low: int
    high: int
    units: int


@dataclass(frozen=True, slots=True)
class Move:
    """Where one outcome takes an interval of points: `point + shift` of the target."""

    source: int
    low: int
    high: int
    outcome: int
    target: int
    shift: int


@dataclass(frozen=True)
class Chain:
    """Rows and moves; `numerators` over `denominator` are the outcomes' chances."""

    lattice: Lattice
    numerators: tuple[int, ...]
    denominator: int
    rows: tuple[Row, ...]
    runs: tuple[Run, ...]
    moves: tuple[Move, ...]
    start: tuple[int, int]
    """The first row, and the point in it."""

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        """For each row what is added to a point to number it among all positions."""
        starts = accumulate((row.length for row in self.rows), initial=0)
        return tuple(s - row.low for s, row in zip(starts, self.rows, strict=False))

    @cached_property
    def size(self) -> int:
        """How many positions there are, live and ended."""
        return sum(row.length for row in self.rows)

    @cached_property
    def live_size(self) -> int:
        return sum(row.length for row in self.rows[: ChainEnd.RUINED])

    @cached_property
    def edges(self) -> int:
        """How many single steps the moves are made of."""
        return sum(move.high - move.low for move in self.moves)

    @property
    def start_position(self) -> int:
        row, point = self.start
        return self.offsets[row] + point

    def place(self, position: int) -> tuple[int, int]:
        """The row and the point of a position."""
        row = bisect_right(self._starts, position) - 1
        return row, position - self.offsets[row]

    @cached_property
    def _starts(self) -> tuple[int, ...]:
        pairs = zip(self.offsets, self.rows, strict=True)
        return tuple(offset + row.low for offset, row in pairs)

    def steps(self, position: int) -> tuple[tuple[int, int], ...]:
        """What follows a live position: numerators, and the positions they lead to."""
        row, point = self.place(position)
        bounds, cells = self._cells[row]
        together = cells[bisect_right(bounds, point) - 1]
        return tuple(
            (
                self.numerators[move.outcome],
                self.offsets[move.target] + point + move.shift,
            )
            for move in together
        )

    def units(self, position: int) -> int:
        """What is staked at a live position."""
        row, point = self.place(position)
        bounds, runs = self._runs[row]
        return runs[bisect_right(bounds, point) - 1].units

    @cached_property
    def _runs(self) -> list[tuple[list[int], list[Run]]]:
        """By row: its runs in order, after the points at which they begin."""
        by_row: list[list[Run]] = [[] for _ in self.rows]
        for run in sorted(self.runs, key=lambda run: run.low):
            by_row[run.row].append(run)
        return [([run.low for run in runs], runs) for runs in by_row]

    @cached_property
    def _cells(self) -> list[tuple[list[int], list[list[Move]]]]:
        """By row: intervals of points that take the same moves."""
        by_row: list[list[Move]] = [[] for _ in self.rows]
        for move in self.moves:
            by_row[move.source].append(move)
        return [_cut(moves) for moves in by_row]


def _cut(moves: list[Move]) -> tuple[list[int], list[list[Move]]]:
    bounds = sorted({bound for move in moves for bound in (move.low, move.high)})
    cells: list[list[Move]] = [[] for _ in bounds]
    places = {bound: place for place, bound in enumerate(bounds)}
    for move in moves:
        for place in range(places[move.low], places[move.high]):
            cells[place].append(move)
    return bounds, cells


def most_shared(intervals: list[tuple[int, int]]) -> int:
    """The greatest number of intervals that have a point in common."""
    bounds = sorted(
        bound for low, high in intervals for bound in ((low, 1), (high, -1))
    )
    return max(accumulate(change for _, change in bounds), default=0)
