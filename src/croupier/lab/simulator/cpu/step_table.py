"""A plan as arrays for the compiled loop, with several rounds in one step.

The results of a few rounds in a row are one number, their pattern. For each state and
each pattern the table tells what all these rounds do together, and which bankrolls
come through them with no end and no cut stake; others are played round by round. Every
way of playing asks here what is staked next, whether the session has ended instead, and
from which row of the table the next state is taken.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from croupier.lab.simulator.cpu.random_words import compiled_inside
from croupier.lab.simulator.plan import Machine, SimulationPlan
from croupier.lab.simulator.stakes import (
    NO_END,
    NO_TARGET,
    StakeRules,
    end_by_bankroll,
    next_stake,
)

Numbers = np.ndarray[Any, np.dtype[np.int64]]

LEAST, SPAN, GAIN, STAKED, NEXT = range(5)
"""Of a step: the least bankroll it is right for, how many it is right for from there
on, what it wins, the units it stakes, and the place of the state after it."""
FIELDS = 5
_MOST_PLACES = 1 << 12
"""Tables of more states × patterns would not stay near a core."""
MOST_PATTERNS = 1 << 8

ends, stakes = compiled_inside(end_by_bankroll), compiled_inside(next_stake)


class StepTable(NamedTuple):
    """A machine: its steps, and its rounds one by one."""

    steps: Numbers
    units: Numbers
    after: Numbers
    short: Numbers
    nets: Numbers
    weights: Numbers
    """Of each of a step's results in its pattern."""


class PlanTerms(NamedTuple):
    """The rest of a plan, and how a block is divided into steps."""

    rounds: int
    bankroll: int
    rules: StakeRules
    group: int
    steps: int
    width: int
    """Of a state, in the table of steps."""


def group_size(plan: SimulationPlan, machine: Machine) -> int:
    """Return how many rounds one step has: as many as keep the table small."""
    kinds, states = len(plan.nets), len(machine.units)
    fitting = [
        group
        for group in range(1, plan.dice.per_block + 1)
        if plan.dice.per_block % group == 0
        and kinds**group <= MOST_PATTERNS
        and states * kinds**group <= _MOST_PLACES
    ]
    return max(fitting, default=1)


def table(plan: SimulationPlan, machine: Machine, group: int) -> StepTable:
    units = np.array(machine.units, np.int64)
    after = np.array(machine.after, np.int64)
    nets = np.array(plan.nets, np.int64)
    return StepTable(
        steps=_steps(plan, units, after[: len(units)], group),
        units=units,
        after=after,
        short=np.array(machine.short, np.int64),
        nets=nets,
        weights=len(nets) ** np.arange(group - 1, -1, -1, dtype=np.int64),
    )


def plan_terms(plan: SimulationPlan, group: int) -> PlanTerms:
    return PlanTerms(
        rounds=plan.rounds,
        bankroll=plan.bankroll,
        rules=plan.rules,
        group=group,
        steps=plan.dice.per_block // group,
        width=len(plan.nets) ** group * FIELDS,
    )


def _steps(plan: SimulationPlan, units: Numbers, after: Numbers, group: int) -> Numbers:
    """Return the steps by state and pattern; a pattern's first result weighs most."""
    nets = np.array(plan.nets, np.int64)
    states, kinds = len(units), len(nets)
    unit, target, floor = plan.rules[:3]
    state = np.arange(states)[:, None]
    gain, staked = np.zeros_like(state), np.zeros_like(state)
    least, beyond = np.zeros_like(state), np.full_like(state, NO_TARGET)
    for _ in range(group):
        asked = units[state]
        needed = np.maximum(asked * unit, max(unit, floor + 1))
        # A state that leaves the table is right for no bankroll.
        needed = np.where(asked == 0, NO_TARGET, needed)
        least, beyond = (
            np.maximum(least, needed - gain),
            np.minimum(beyond, target - gain),
        )
        every = (states, -1)
        gain = (gain[:, :, None] + asked[:, :, None] * nets).reshape(every)
        staked, least, beyond = (
            np.repeat(each, kinds, axis=1) for each in (staked + asked, least, beyond)
        )
        state = after[state].reshape(every)
    span = np.maximum(beyond - least, 0)
    patterns = kinds**group
    fields = (least, span, gain, staked, state * patterns * FIELDS)
    return np.stack(fields, axis=-1).ravel()


@compiled_inside
def next_turn(
    bankroll: int, state: int, units: Numbers, rules: StakeRules
) -> tuple[int, int, int]:
    """Return the state played in, the units of the next round, and an end if any."""
    end = ends(bankroll, rules)
    if end != NO_END:
        return state, 0, end
    first = units[0] if state else 0
    staked, end, begins = stakes(units[state], first, bankroll, rules)
    return 0 if begins else state, staked, end


@compiled_inside
def row_after(state: int, staked: int, units: Numbers, short: Numbers) -> int:
    """Return the row of the states after a round with so many units."""
    if staked < units[state] and short[state] >= 0:
        return int(short[state] + staked - 1)
    return state
