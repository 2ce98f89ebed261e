"""How far a session of a plan can come: what it stakes, loses and wins at most.

The states are followed round by round, each with the most that has been staked, lost or
won on the way to it. A stake that the bankroll cuts is taken for a whole one, and what
may follow it for what does: so the bounds may be too wide, but never too narrow.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from croupier.lab.sessions import Shortfall
from croupier.lab.simulator.plan import Machine, SimulationPlan

_MOST_STEPS = 2_000_000
"""So many are followed; after them every round stakes the most that is ever staked."""
_NEVER = -(2**62)

Numbers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, slots=True)
class PlanReach:
    """Bounds that no session passes."""

    most_staked: int
    """In units."""
    lowest: int
    """The bankroll, in grains."""
    highest: int


def reach_of(plan: SimulationPlan) -> PlanReach:
    """Return the bounds of a plan: its own, where there is no table of states."""
    largest = plan.most_staked * max(map(abs, plan.nets))
    if not isinstance(plan.machine, Machine) or largest >= -_NEVER:
        return PlanReach(plan.most_staked, plan.lowest, plan.highest)
    steps = _Steps(plan.machine, len(plan.nets))
    nets = np.array(plan.nets, np.int64)
    staked = steps.most(np.ones_like(nets), plan.rounds)
    lost = steps.most(np.maximum(-nets, 0), plan.rounds)
    won = steps.most(np.maximum(nets, 0), plan.rounds)
    return PlanReach(
        staked,
        max(plan.lowest, plan.bankroll - lost),
        min(plan.highest, plan.bankroll + won),
    )


class _Steps:
    """The states that can follow each one, by whole stakes and cut ones alike."""

    def __init__(self, machine: Machine, kinds: int) -> None:
        units = np.array(machine.units, np.int64)
        after = np.array(machine.after, np.int64).reshape(-1, kinds)
        cut = [
            (state, row)
            for state, row in enumerate(machine.short)
            if row >= 0 and machine.over_bankroll is Shortfall.STAKE_ALLOWED
        ]
        lengths = [min(int(units[state]) - 1, len(after) - row) for state, row in cut]
        rows = [row + np.arange(n) for (_, row), n in zip(cut, lengths, strict=True)]
        whose = [np.full(n, s) for (s, _), n in zip(cut, lengths, strict=True)]
        states = np.arange(len(units))
        self._sources = np.concatenate([states, *whose]).astype(np.int64)
        self._after = after[np.concatenate([states, *rows]).astype(np.int64)]
        self._units = units
        self._starts_again = machine.over_bankroll is Shortfall.START_AGAIN

    def most(self, each: Numbers, rounds: int) -> int:
        """Return the most that a session has of what a unit has by kind of result."""
        most = np.full(len(self._units), _NEVER, np.int64)
        most[0] = 0
        greatest = int(self._units.max()) * int(each.max(initial=0))
        followed = min(rounds, _MOST_STEPS // self._after.size + 1)
        gained = self._units[self._sources][:, None] * each
        found = 0
        for _ in range(followed):
            there = (most[self._sources][:, None] + gained).ravel()
            most = np.full(len(most), _NEVER, np.int64)
            np.maximum.at(most, self._after.ravel(), there)
            # What is impossible has become a little more, but is far below all else.
            found = max(found, int(most.max()))
            if self._starts_again:
                most[0] = max(most[0], found)
        return found + (rounds - followed) * greatest
