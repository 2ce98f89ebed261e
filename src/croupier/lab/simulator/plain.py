"""Sessions played round by round in plain Python: every engine must equal this one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from croupier.lab.simulator.plan import (
    AHEAD,
    MEMORY,
    SUMS,
    WORDS,
    Machine,
    OwnFunction,
    SessionTally,
    SimulationPlan,
)
from croupier.lab.simulator.stakes import (
    NO_END,
    SessionEnd,
    end_by_bankroll,
    next_stake,
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
    stake, rules = _player(plan), plan.rules
    bankroll, units, staked, rounds = plan.bankroll, 0, 0, 0
    won = result = 0
    while True:
        end = end_by_bankroll(bankroll, rules)
        if end == NO_END:
            units, end = stake(rounds, bankroll, won, units, result)
        shown = SessionEnd.PLAYING if end == NO_END else SessionEnd(end)
        yield PlayedSession(shown, rounds, staked, bankroll)
        if end != NO_END or rounds == plan.rounds:
            return
        outcome = plan.dice.outcome(plan.seed, session, rounds)
        result = bisect_right(plan.ends, outcome)
        won = units * plan.nets[result]
        bankroll, staked, rounds = bankroll + won, staked + units, rounds + 1


_Player = Callable[[int, int, int, int, int], tuple[int, int]]
"""From rounds, bankroll, and the last win, units and result: units and an end."""


def _player(plan: SimulationPlan) -> _Player:
    if isinstance(plan.machine, Machine):
        return _by_table(plan, plan.machine)
    return _by_function(plan, plan.machine)


def _by_table(plan: SimulationPlan, machine: Machine) -> _Player:
    state, rules = 0, plan.rules

    def stake(
        round_: int, bankroll: int, _won: int, units: int, result: int
    ) -> tuple[int, int]:
        nonlocal state
        if round_:
            row = state
            if units < machine.units[row] and machine.short[row] >= 0:
                row = machine.short[row] + units - 1
            state = machine.after[row][result]
        first = machine.units[0] if state else 0
        units, end, begins = next_stake(machine.units[state], first, bankroll, rules)
        state = 0 if begins else state
        return units, end

    return stake


def _by_function(plan: SimulationPlan, own: OwnFunction) -> _Player:
    rules, cents = plan.rules, plan.grain_cents
    memory = np.zeros(MEMORY, np.int64)

    def stake(
        round_: int, bankroll: int, won: int, units: int, _result: int
    ) -> tuple[int, int]:
        wanted = own.function(round_, bankroll * cents, won * cents, units, memory)
        units, end, _ = next_stake(wanted, 0, bankroll, rules)
        return units, end

    return stake
