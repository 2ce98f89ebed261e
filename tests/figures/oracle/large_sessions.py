"""Large sessions calculated a second time: positions numbered, then float64 arrays.

The positions are those of `sessions`, from the documentation's words. Rounds are played
by adding up what comes to each position. A session until its end is asked the other way
round: what is to be expected *from* each position, as one sparse system that is
factorised whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csc_matrix, identity  # type: ignore[import-untyped]
from scipy.sparse.linalg import splu  # type: ignore[import-untyped]

from tests.figures.oracle.sessions import (
    PLAYING,
    Plan,
    Position,
    first_position,
    next_round,
    steps,
)
from tests.figures.oracle.statistics import Floats

_LEAST = 1e-290
"""Less than this is left out: processors are slow with numbers near their least."""


@dataclass(frozen=True)
class Expected:
    """The figures of a large session, in float64."""

    ends: Mapping[str, float]
    ahead: float
    rounds_played: float
    staked_cents: float
    net_cents: float


@dataclass
class Positions:
    """Every position that a plan can come to, numbered; the first one is number 0."""

    plan: Plan
    found: list[Position] = field(default_factory=list)
    ends: dict[int, str] = field(default_factory=dict)
    sources: list[int] = field(default_factory=list)
    units: list[int] = field(default_factory=list)
    """For each position that is played on from: its number, and what is staked."""
    leads: list[int] = field(default_factory=list)
    """For each of them, and each net result in turn, the number of the next one."""
    _numbers: dict[tuple[object, int], int] = field(default_factory=dict)

    @classmethod
    def of(cls, plan: Plan, most: int) -> Positions | None:
        """Return the positions of the plan, or None if there are more than `most`."""
        self = cls(plan)
        self._number(first_position(plan))
        for number, position in enumerate(self.found):
            if number >= most:
                return None
            following = next_round(plan, position)
            if isinstance(following, str):
                self.ends[number] = following
                continue
            here, units = following
            self.sources.append(number)
            self.units.append(units)
            self.leads += [self._number(to) for to, _ in steps(plan, here, units)]
        return self

    def _number(self, position: Position) -> int:
        key = position.state, position.cents
        number = self._numbers.setdefault(key, len(self.found))
        if number == len(self.found):
            self.found.append(position)
        return number

    @property
    def chances(self) -> Floats:
        return np.array([w / self.plan.whole for w in self.plan.nets.values()])

    def play(self, rounds: int) -> Expected:
        """Play a number of rounds."""
        size = len(self.found)
        sources, leads = np.array(self.sources), np.array(self.leads)
        units, chances = np.array(self.units, dtype=float), self.chances
        now: Floats = np.zeros(size)
        now[0] = 1.0
        played = staked = 0.0
        for _ in range(rounds):
            moving = now[sources]
            moving[moving < _LEAST] = 0.0
            played += float(moving.sum())
            staked += float(moving @ units)
            now[sources] = 0.0
            now += np.bincount(leads, np.outer(moving, chances).ravel(), size)
        cents = np.array([position.cents for position in self.found])
        ends: dict[str, float] = {PLAYING: float(now[sources].sum())}
        for number, end in self.ends.items():
            ends[end] = ends.get(end, 0.0) + float(now[number])
        return Expected(
            ends,
            float(now[cents > self.plan.bankroll].sum()),
            played,
            staked * self.plan.unit_cents,
            float(now @ (cents - self.plan.bankroll)),
        )

    def until_it_ends(self) -> Expected:
        """Solve for what is to be expected from each position, until the end."""
        size, many = len(self.found), len(self.plan.nets)
        sources = np.repeat(np.array(self.sources), many)
        shares = np.tile(self.chances, len(self.sources))
        places = sources, np.array(self.leads)
        moves = csc_matrix((shares, places), shape=(size, size))
        kinds = sorted(set(self.ends.values()))
        known: Floats = np.zeros((size, len(kinds) + 4))
        for number, end in self.ends.items():
            won = self.found[number].cents - self.plan.bankroll
            known[number, kinds.index(end)] = 1.0
            known[number, -4] = float(won > 0)
            known[number, -3] = won
        known[self.sources, -2] = 1.0
        known[self.sources, -1] = np.array(self.units) * float(self.plan.unit_cents)
        factors = splu((identity(size, format="csc") - moves).tocsc())
        solved = [float(factors.solve(column)[0]) for column in known.T]
        ahead, net, rounds, staked = solved[-4:]
        ends = dict(zip(kinds, solved, strict=False))
        return Expected(ends, ahead, rounds, staked, net)
