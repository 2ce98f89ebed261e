"""Peak and drawdown in float64: one sweep over the session for many amounts.

A place is a position; for a drawdown, it is a position and its depth below the peak.
Its label is the points above the start, or that depth. An amount is attained by the
first step to a label that is not less. Only the places that the rounds can come to are
kept, in the order in which they are met: so the first rounds are short. Nothing is
subtracted on the way, so that `relative_bound` holds. A session until its end is one
linear system for each amount.
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
from croupier.lab.sessions.result import UNDERFLOW, Figure, relative_bound
from croupier.lab.sessions.solvers.float_solver import (
    Floats,
    Indices,
    points_of,
    steps_of,
)
from croupier.lab.sessions.solvers.linear_solver import Expectations
from croupier.lab.sessions.strategy import SessionError

_MAXIMUM_SIZE = 10_000_000
"""Single steps of one round, with every depth."""
_MAXIMUM_PLACES = 200_000_000
"""Of a position and a depth, whether they are met or not."""
_A_SYSTEM = 1_000
"""A linear system costs about so many rounds."""


@dataclass(frozen=True, slots=True)
class _Places:
    """Places as they are met; those of a drawdown are less deep than `lanes`."""

    lanes: int
    labels: Indices
    met: list[int]
    """How many places are met after 0, 1, 2 … rounds; after more, no others."""
    matrix: Any
    """A round between the places, sparse: from each column to the rows."""
    ways: int
    """The greatest number of steps that lead to one place."""
    leaving: tuple[Indices, Indices, Floats]
    """The other steps: from which place, to which label, how likely."""

    def attaining(self, amount: int) -> Floats:
        """Return for each place how likely the next step attains the amount."""
        matrix, size = self.matrix, self.met[-1]
        is_high = np.repeat(self.labels >= amount, np.diff(matrix.indptr))
        sources, labels, chances = self.leaving
        high = labels >= amount
        within = np.bincount(matrix.indices[is_high], matrix.data[is_high], size)
        leaving = np.bincount(sources[high], chances[high], size)
        return np.asarray(within + leaving, np.float64)

    def first_rows(self, done: int) -> Any:
        """Return the rows that are met in so many rounds, without a copy."""
        matrix, rows = self.matrix, self.met[min(done, len(self.met) - 1)]
        stop = matrix.indptr[rows]
        kept = matrix.data[:stop], matrix.indices[:stop], matrix.indptr[: rows + 1]
        return csr_array(kept, shape=(rows, matrix.shape[1]))


class Sweep:
    """Answers for many amounts in points at a time; raise `SessionError` for too many.

    `rounds` are None for a session until it ends; it takes no more than `longest`,
    expected.
    """

    def __init__(
        self, chain: Chain, rounds: int | None, longest: Fraction, *, of_depths: bool
    ) -> None:
        if chain.edges > _MAXIMUM_SIZE:
            raise too_long("drawdown" if of_depths else "peak")
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
        """A depth that no session passes, in points."""
        highest = max(row.high for row in self._chain.rows[: ChainEnd.RUINED])
        loss = -min(move.shift for move in self._chain.moves)
        if self._rounds is None:
            return highest
        return max(min(highest, self._rounds * loss), 0)

    def cost(self, amount: int) -> int:
        """Return about how many single steps one amount takes."""
        known = self._known or self._places(amount)
        if self._rounds is None:
            cost = known.matrix.nnz * _A_SYSTEM
        else:
            rest = known.met[-1] * max(self._rounds - len(known.met), 0)
            cost = (known.matrix.nnz // known.met[-1] + 1) * (sum(known.met) + rest)
        wider = max(amount, known.lanes) if self._of_depths else known.lanes
        return int(cost) * wider // known.lanes

    def at_least(self, amounts: Sequence[int]) -> list[Figure]:
        """Return how likely each amount is attained, or passed."""
        places = self._places(max(amounts))
        if self._rounds is None:
            return [self._until_the_end(places, amount) for amount in amounts]
        return self._within(places, amounts, self._rounds)

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
        relative = relative_bound(rounds * (places.ways + 2) + outcomes + 3)
        lost = UNDERFLOW * places.matrix.nnz * rounds
        found = []
        for place, amount in enumerate(amounts):
            terms = places.attaining(amount) * visits[:, place]
            value = Fraction(fsum(terms))
            found.append(Figure(value, value * relative / (1 - relative) + lost))
        return found

    def _until_the_end(self, places: _Places, amount: int) -> Figure:
        """Return the chance; what it leaves counts once for each round expected."""
        is_below = places.labels < amount
        onward = places.matrix[is_below][:, is_below].T.tocsr()
        found, left = Expectations(onward).of(places.attaining(amount)[is_below])
        off = left + relative_bound(len(self._chain.numerators) + 2)
        return Figure(Fraction(float(found[0])), off * self._longest)

    def _places(self, amount: int) -> _Places:
        """Return places with all that is less deep."""
        lanes = amount if self._of_depths else 1
        if self._known is None or self._known.lanes < lanes:
            self._known = self._follow(lanes)
        return self._known

    def _follow(self, lanes: int) -> _Places:
        live = self._chain.live_size
        if live * lanes > _MAXIMUM_PLACES:
            raise too_long("drawdown")
        # Numbers of the places, counted from 1; 0 is one that has not been met.
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
            if size > _MAXIMUM_SIZE:
                raise too_long("drawdown" if self._of_depths else "peak")
            met.append(met[-1] + len(fresh))
            every.append(fresh)
        keys = np.concatenate(every)
        labels = keys % lanes if self._of_depths else self._heights[keys]
        return _placed(lanes, labels, met, found)

    def _steps(self, positions: Indices) -> tuple[Indices, Indices]:
        """Return every step of the positions: whose it is, and its place."""
        counts = self._starts[positions + 1] - self._starts[positions]
        whose = np.repeat(np.arange(len(positions)), counts)
        along = np.arange(len(whose)) - np.repeat(np.cumsum(counts) - counts, counts)
        return whose, self._starts[positions][whose] + along


def _placed(
    lanes: int, labels: Indices, met: list[int], found: list[tuple[Any, ...]]
) -> _Places:
    """Return the places with their steps: sources, targets or -1, labels, chances."""
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


def too_long(name: str) -> SessionError:
    """Return the refusal of a peak or a drawdown."""
    return SessionError(
        f"the {name} of this session takes too long to calculate: set a nearer target,"
        " stake a larger unit, or give it fewer rounds"
    )
