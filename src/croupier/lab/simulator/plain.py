"""Plays sessions round by round in plain Python: all engines must agree with it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from croupier.lab.simulator.plan import (
    AHEAD,
    MEMORY,
    SUMS,
    WORDS,
    Machine,
    OwnFunction,
    SessionPlan,
    SessionTally,
    SimulationPlan,
)
from croupier.lab.simulator.session_records import (
    MARKS,
    Integers,
    begin_marks,
    mark_bankroll,
)
from croupier.lab.simulator.stakes import (
    NO_END,
    PLAYING,
    SessionEnd,
    end_by_bankroll,
    next_stake,
)


class PlayedSession(NamedTuple):
    """The state of a session after `rounds`, or at its end."""

    end: SessionEnd
    rounds: int
    staked: int
    """In units, over the whole session."""
    bankroll: int
    """In grains."""


class PlainEngine:
    def run(self, plan: SimulationPlan, first: int, count: int) -> SessionTally:
        """Play the sessions `first`, `first + 1`, … of the plan."""
        words, bins = [0] * WORDS, np.zeros(plan.bins, np.uint64)
        for session in range(first, first + count):
            *_, (end, *values) = _steps(plan, session)
            bankroll = values[-1]
            words[end] += 1
            words[AHEAD] += bankroll > plan.bankroll
            if 0 <= bankroll <= plan.highest:
                bins[bankroll >> plan.bin_shift] += 1
            shifted = [v >> s for v, s in zip(values, plan.shifts, strict=True)]
            for place, value in enumerate((*values, *(v * v for v in shifted))):
                words[SUMS + 2 * place] += value & 0xFFFFFFFF
                words[SUMS + 2 * place + 1] += value >> 32
        return SessionTally(count, np.array(words, np.uint64), bins).checked()

    def record(self, plan: SessionPlan, first: int, into: Integers) -> None:
        """Play the sessions from `first` on, and record each in a column of `into`."""
        for place in range(into.shape[1]):
            marks, steps = [0] * MARKS, _steps(plan, first + place)
            step = next(steps)
            begin_marks(marks, step[-1])
            for step in steps:
                mark_bankroll(marks, step[-1])
            into[:, place] = [*step, *marks[: MARKS - 1]]


def course(plan: SessionPlan, session: int) -> Iterator[PlayedSession]:
    """Yield the session before its first round and after each round."""
    for end, *rest in _steps(plan, session):
        yield PlayedSession(SessionEnd(end), *rest)


def _steps(plan: SessionPlan, session: int) -> Iterator[tuple[int, int, int, int]]:
    (stake, pay), rules, ends = _player(plan), plan.rules, plan.ends
    outcomes = plan.dice.outcomes(plan.seed, session)
    bankroll, units, staked, rounds = plan.bankroll, 0, 0, 0
    won = result = 0
    while True:
        end = end_by_bankroll(bankroll, rules)
        if end == NO_END:
            units, end = stake(rounds, bankroll, won, units, result)
        yield PLAYING if end == NO_END else end, rounds, staked, bankroll
        if end != NO_END or rounds == plan.rounds:
            return
        result = bisect_right(ends, next(outcomes))
        won = pay(units, result)
        bankroll, staked, rounds = bankroll + won, staked + units, rounds + 1


_Stake = Callable[[int, int, int, int, int], tuple[int, int]]
"""(rounds, bankroll, last win, last units, last result) → (units, end)."""
_Pay = Callable[[int, int], int]
"""(units, result) → net result."""


def _player(plan: SessionPlan) -> tuple[_Stake, _Pay]:
    if not isinstance(plan, SimulationPlan):
        from croupier.lab.simulator.own.plan import plain_player

        return plain_player(plan)
    machine, nets = plan.machine, plan.nets
    stake = (
        _by_table(plan, machine)
        if isinstance(machine, Machine)
        else _by_function(plan, machine)
    )
    return stake, lambda units, result: units * nets[result]


def _by_table(plan: SimulationPlan, machine: Machine) -> _Stake:
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


def _by_function(plan: SimulationPlan, own: OwnFunction) -> _Stake:
    rules, cents = plan.rules, plan.grain_cents
    memory = np.zeros(MEMORY, np.int64)

    def stake(
        round_: int, bankroll: int, won: int, units: int, _result: int
    ) -> tuple[int, int]:
        wanted = own.function(round_, bankroll * cents, won * cents, units, memory)
        units, end, _ = next_stake(wanted, 0, bankroll, rules)
        return units, end

    return stake
