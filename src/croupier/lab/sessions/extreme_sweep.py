"""Peak and drawdown in float64: one sweep through the session for many amounts.

A place is a position; for a drawdown, a position with its depth below the peak. Its
label is the points above the start, or that depth. An amount is attained by the first
step to a label of at least the amount. Only the places that the rounds can reach are
kept, in the order in which they are met, so the first rounds are short. Nothing is
subtracted, so `relative_bound` holds. A session until its end is one linear system for
each amount.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import Any

import numpy as np
from scipy.sparse import csr_array  # type: ignore[import-untyped]

from croupier.lab.sessions.chain import Chain, ChainEnd
from croupier.lab.sessions.result import UNDERFLOW, relative_bound, rounded_off
from croupier.lab.sessions.solvers.float_solver import (
    Floats,
    Indices,
    points_of,
    steps_of,
)
from croupier.lab.sessions.solvers.linear_solver import LinearSystem
from croupier.lab.sessions.strategy import SessionError, too_large
from croupier.numeric.figure import Figure

MOST_STEPS = 600_000_000
"""Single steps for one amount, and for all amounts besides the quantiles."""
_MAXIMUM_SIZE = 10_000_000
"""Single steps in one round."""
_FEW = MOST_STEPS // _MAXIMUM_SIZE
_MAXIMUM_PLACES = 200_000_000
"""Pairs of a position and a depth, met or not."""
_AT_ONCE = 8
"""Amounts in one sweep."""
_A_SYSTEM = 1_000
"""The cost of a linear system, in rounds."""


@dataclass(frozen=True, slots=True)
class _Places:
    """Places in the order of meeting; depths of a drawdown are below `lanes`."""

    lanes: int
    labels: Indices
    met: list[int]
    """The number of places met after 0, 1, 2 … rounds; the last one stays the same."""
    matrix: Any
    """One round as a sparse matrix: a column leads to rows."""
    ways: int
    """The greatest number of steps that lead to one place."""
    leaving: tuple[Indices, Indices, Floats]
    """The steps that leave the places: source, label and chance."""

    def attaining(self, amount: int) -> Floats:
        """Return, by place, the chance that the next step attains the amount."""
        matrix, size = self.matrix, self.met[-1]
        is_high = np.repeat(self.labels >= amount, np.diff(matrix.indptr))
        sources, labels, chances = self.leaving
        high = labels >= amount
        within = np.bincount(matrix.indices[is_high], matrix.data[is_high], size)
        leaving = np.bincount(sources[high], chances[high], size)
        return np.asarray(within + leaving, np.float64)

    def first_rows(self, done: int) -> Any:
        """Return the rows that are met in these rounds, as a view."""
        matrix, rows = self.matrix, self.met[min(done, len(self.met) - 1)]
        stop = matrix.indptr[rows]
        kept = matrix.data[:stop], matrix.indices[:stop], matrix.indptr[: rows + 1]
        return csr_array(kept, shape=(rows, matrix.shape[1]))


class ExtremeSweep:
    """The chances of attaining amounts, many at a time.

    Raises `SessionError` if that takes too long. `rounds` is None for a session until
    its end, which takes at most `longest` expected rounds.
    """

    def __init__(
        self, chain: Chain, rounds: int | None, longest: Fraction, *, of_depths: bool
    ) -> None:
        if chain.edges > _MAXIMUM_SIZE:
            raise extreme_too_long("drawdown" if of_depths else "peak")
        self._chain, self._rounds, self._longest = chain, rounds, longest
        self._of_depths = of_depths
        steps = steps_of(chain)
        order = np.argsort(steps.sources, kind="stable")
        self._targets, self._chances = steps.targets[order], steps.chances[order]
        self._shifts = steps.shifts[order]
        every = np.arange(chain.live_size + 1)
        self._starts = np.searchsorted(steps.sources[order], every)
        self._heights = points_of(chain.rows) - chain.start[1]
        self._known: _Places | None = None

    @property
    def most(self) -> int:
        """A bound on the depth of any drawdown, in points."""
        highest = max(row.high for row in self._chain.rows[: ChainEnd.RUINED])
        loss = -min(move.shift for move in self._chain.moves)
        if self._rounds is None:
            return highest
        return max(min(highest, self._rounds * loss), 0)

    def _rounds_left(self, done: int) -> int:
        """Return the remaining rounds, or the cost of a linear system in rounds."""
        return _A_SYSTEM if self._rounds is None else max(self._rounds - done, _FEW)

    def cost(self, amount: int) -> int:
        """Return the approximate number of single steps for one amount."""
        known = self._known or self._places(amount)
        if self._rounds is None:
            cost = known.matrix.nnz * _A_SYSTEM
        else:
            rest = known.met[-1] * max(self._rounds - len(known.met), 0)
            cost = (known.matrix.nnz // known.met[-1] + 1) * (sum(known.met) + rest)
        wider = max(amount, known.lanes) if self._of_depths else known.lanes
        return max(int(cost) * wider // known.lanes, 1)

    def at_least(self, amounts: Sequence[int]) -> list[Figure]:
        """Return the chance of attaining each amount."""
        found = []
        for first in range(0, len(amounts), _AT_ONCE):
            some = amounts[first : first + _AT_ONCE]
            places = self._places(max(some))
            if self._rounds is None:
                found += [self._until_the_end(places, amount) for amount in some]
            else:
                found += self._within(places, some, self._rounds)
        return found

    def _within(
        self, places: _Places, amounts: Sequence[int], rounds: int
    ) -> list[Figure]:
        size = places.met[-1]
        below = (places.labels[:, None] < np.array(amounts)).astype(np.float64)
        visits = np.zeros((size, len(amounts)))
        now = np.zeros((size, len(amounts)))
        now[0] = 1.0
        matrix = places.matrix
        for done in range(rounds):
            here = places.met[min(done, len(places.met) - 1)]
            visits[:here] += now[:here]
            if done < len(places.met):
                matrix = places.first_rows(done + 1)
            after = matrix @ now
            now[: len(after)] = after * below[: len(after)]
        outcomes = len(self._chain.numerators)
        roundings = rounds * (places.ways + 2) + outcomes + 3
        lost = UNDERFLOW * places.matrix.nnz * rounds
        found = []
        for place, amount in enumerate(amounts):
            terms = places.attaining(amount) * visits[:, place]
            value = Fraction(fsum(terms))
            found.append(Figure(value, rounded_off(value, roundings) + lost))
        return found

    def _until_the_end(self, places: _Places, amount: int) -> Figure:
        """Return the chance; its residual counts once for each expected round."""
        is_below = places.labels < amount
        onward = places.matrix[is_below][:, is_below].T.tocsr()
        found, left = LinearSystem(onward).expected(places.attaining(amount)[is_below])
        off = left + relative_bound(len(self._chain.numerators) + 2)
        return Figure(Fraction(float(found[0])), off * self._longest)

    def _places(self, amount: int) -> _Places:
        """Return places that include all depths below the amount."""
        lanes = amount if self._of_depths else 1
        if self._known is None or self._known.lanes < lanes:
            self._known = self._follow(lanes)
        return self._known

    def _follow(self, lanes: int) -> _Places:
        live = self._chain.live_size
        if live * lanes > _MAXIMUM_PLACES:
            raise extreme_too_long("drawdown")
        # Places are numbered from 1; 0 has not been met yet.
        numbers = np.zeros(live * lanes, np.int32)
        fresh = np.array([self._chain.start_position * lanes], np.intp)
        numbers[fresh] = 1
        met, every, size = [1], [fresh], 0
        found: list[tuple[Any, ...]] = []
        while len(fresh) and (self._rounds is None or len(found) < self._rounds):
            whose, steps = self._steps(fresh // lanes)
            targets, labels = self._targets[steps], self._heights[self._targets[steps]]
            lane: Any = 0
            if self._of_depths:
                depths = (fresh % lanes)[whose]
                lane = labels = np.maximum(0, depths - self._shifts[steps])
            stays = (targets < live) & (lane < lanes)
            keys = np.where(stays, targets * lanes + lane, 0)
            sources = numbers[fresh[whose]] - 1
            distinct = np.unique(keys[stays])
            fresh = distinct[numbers[distinct] == 0]
            numbers[fresh] = np.arange(met[-1], met[-1] + len(fresh)) + 1
            places = np.where(stays, numbers[keys] - 1, -1)
            found.append((sources, places, labels, self._chances[steps]))
            size += len(steps)
            if self._of_depths and size * self._rounds_left(len(found)) > MOST_STEPS:
                raise extreme_too_long("drawdown")
            met.append(met[-1] + len(fresh))
            every.append(fresh)
        keys = np.concatenate(every)
        labels = keys % lanes if self._of_depths else self._heights[keys]
        return _placed(lanes, labels, met, found)

    def _steps(self, positions: Indices) -> tuple[Indices, Indices]:
        """Return every step of the positions: the position's index, and its place."""
        counts = self._starts[positions + 1] - self._starts[positions]
        whose = np.repeat(np.arange(len(positions)), counts)
        along = np.arange(len(whose)) - np.repeat(np.cumsum(counts) - counts, counts)
        return whose, self._starts[positions][whose] + along


def _placed(
    lanes: int, labels: Indices, met: list[int], found: list[tuple[Any, ...]]
) -> _Places:
    """Build the places from steps: sources, targets or -1, labels, chances."""
    sources, targets, reached, chances = (
        np.concatenate(each) for each in zip(*found, strict=True)
    )
    stays = targets >= 0
    places = targets[stays], sources[stays]
    return _Places(
        lanes,
        labels,
        met,
        csr_array((chances[stays], places), shape=(met[-1], met[-1])),
        int(np.bincount(places[0]).max(initial=0)),
        (sources[~stays], reached[~stays], chances[~stays]),
    )


def extreme_too_long(name: str) -> SessionError:
    return too_large(f"the {name} of this session takes too long to calculate")
