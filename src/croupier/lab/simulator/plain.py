"""Sessions played round by round in plain Python: what the other engines must equal."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from croupier.lab.sessions import Shortfall
from croupier.lab.simulator.plan import (
    AHEAD,
    MEMORY,
    SUMS,
    WORDS,
    Machine,
    OwnFunction,
    SessionEnd,
    SessionTally,
    SimulationPlan,
)


@dataclass(frozen=True, slots=True)
class PlayedSession:
    """A session after its end, or after so many rounds."""

    end: SessionEnd
    rounds: int
    staked: int
    """In units, over the whole session."""
    bankroll: int
    """In grains."""


class PlainEngine:
    """Needs nothing, and takes its time."""

    def run(self, plan: SimulationPlan, first: int, count: int) -> SessionTally:
        """Play the sessions `first`, `first + 1`, … of the plan."""
        words, bins = [0] * WORDS, np.zeros(plan.bins, np.uint64)
        for session in range(first, first + count):
            *_, played = course(plan, session)
            words[played.end] += 1
            words[AHEAD] += played.bankroll > plan.bankroll
            if 0 <= played.bankroll <= plan.highest:
                bins[played.bankroll >> plan.bin_shift] += 1
            values = (played.rounds, played.staked, played.bankroll)
            shifted = [v >> s for v, s in zip(values, plan.shifts, strict=True)]
            for place, value in enumerate((*values, *(v * v for v in shifted))):
                words[SUMS + 2 * place] += value & 0xFFFFFFFF
                words[SUMS + 2 * place + 1] += value >> 32
        return SessionTally(count, np.array(words, np.uint64), bins).checked()


def course(plan: SimulationPlan, session: int) -> Iterator[PlayedSession]:
    """Yield how a session stands before its first round and after each of them."""
    player = _player(plan)
    bankroll, staked, rounds, won = plan.bankroll, 0, 0, 0
    while True:
        units = player.stake(rounds, bankroll, won)
        end = units if isinstance(units, SessionEnd) else SessionEnd.PLAYING
        yield PlayedSession(end, rounds, staked, bankroll)
        if isinstance(units, SessionEnd) or rounds == plan.rounds:
            return
        outcome = plan.dice.outcome(plan.seed, session, rounds)
        result = bisect_right(plan.ends, outcome)
        won = units * plan.nets[result]
        player.after(units, result)
        bankroll, staked, rounds = bankroll + won, staked + units, rounds + 1


def _player(plan: SimulationPlan) -> _ByTable | _ByFunction:
    if isinstance(plan.machine, Machine):
        return _ByTable(plan, plan.machine)
    return _ByFunction(plan, plan.machine)


def _end_by_bankroll(plan: SimulationPlan, bankroll: int) -> SessionEnd | None:
    """Return what a bankroll decides, whatever the strategy."""
    if plan.target is not None and bankroll >= plan.target:
        return SessionEnd.REACHED
    if bankroll < plan.unit:
        return SessionEnd.RUINED
    return SessionEnd.STOPPED if bankroll <= plan.floor else None


class _ByTable:
    """A Player who goes by a table of states."""

    def __init__(self, plan: SimulationPlan, machine: Machine) -> None:
        self._plan, self._machine, self._state = plan, machine, 0

    def stake(self, _round: int, bankroll: int, _won: int) -> int | SessionEnd:
        """Return the units of the next round, or how the session has ended."""
        end = _end_by_bankroll(self._plan, bankroll)
        if end is not None:
            return end
        units = self._machine.units[self._state]
        if units == 0:
            return SessionEnd.STOPPED
        allowed = bankroll // self._plan.unit
        return units if units <= allowed else self._cut(allowed)

    def _cut(self, allowed: int) -> int | SessionEnd:
        match self._machine.over_bankroll:
            case Shortfall.STAKE_ALLOWED:
                return allowed
            case Shortfall.STOP:
                return SessionEnd.STOPPED
        first = self._machine.units[0]
        if self._state == 0 or first > allowed:
            return SessionEnd.RUINED
        self._state = 0
        return first

    def after(self, units: int, result: int) -> None:
        """Go to the state after this result of so many units."""
        row = self._state
        if units < self._machine.units[row] and self._machine.short[row] >= 0:
            row = self._machine.short[row] + units - 1
        self._state = self._machine.after[row][result]


class _ByFunction:
    """A Player who goes by a function of the user's own."""

    def __init__(self, plan: SimulationPlan, own: OwnFunction) -> None:
        self._plan, self._own, self._units = plan, own, 0
        self._memory = np.zeros(MEMORY, np.int64)

    def stake(self, round_: int, bankroll: int, won: int) -> int | SessionEnd:
        end = _end_by_bankroll(self._plan, bankroll)
        if end is not None:
            return end
        own, cents = self._own, self._plan.grain_cents
        units = own.function(
            round_, bankroll * cents, won * cents, self._units, self._memory
        )
        if units <= 0:
            return SessionEnd.STOPPED
        if units > own.greatest:
            if own.over_maximum is Shortfall.STOP:
                return SessionEnd.STOPPED
            units = own.greatest
        allowed = bankroll // self._plan.unit
        if units > allowed:
            if own.over_bankroll is Shortfall.STOP:
                return SessionEnd.STOPPED
            if own.over_bankroll is Shortfall.START_AGAIN:
                return SessionEnd.RUINED
            units = allowed
        return units

    def after(self, units: int, _result: int) -> None:
        self._units = units
