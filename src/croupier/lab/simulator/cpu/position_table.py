"""A plan as positions: where most sessions are short, there are not many of them.

A position is a state of the strategy together with a bankroll. For each position and
each pattern of results the table tells the position after it, the units staked on the
way and the rounds played. A session that has ended stays in its position, so that no
round has to ask whether it has, nor compare the bankroll with anything.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.lab.simulator.cpu.random_words import FOURS, Words, compiled_loop
from croupier.lab.simulator.cpu.step_table import (
    MOST_PATTERNS,
    Numbers,
    PlanTerms,
    StepTable,
    next_turn,
    plan_terms,
    row_after,
    table,
)
from croupier.lab.simulator.plan import Machine, SimulationPlan
from croupier.lab.simulator.stakes import NO_END

MOST_PLACES = 1 << 16
"""Positions × patterns, of eight bytes each: what stays near a core. Tables of more are
slower than steps that look at the bankroll, even where many sessions end early."""
SPINS_A_PLACE = 8
"""A place of the table is not worth its setting up for fewer spins."""
_MOST_PAIRS = 1 << 20
"""Of a state and a bankroll, whether they can come up or not."""

PLACE_BITS, ROUND_BITS = 24, 6
"""What lies where in a step, from below: the place after it, the rounds played. Then
come the units staked. All rounds of a block fit, and a place is below `MOST_PLACES`."""


class PositionTable(NamedTuple):
    """The positions that a plan can come to; those that end a session come last."""

    steps: Words
    """By position and pattern; a place is a position times the number of patterns."""
    after: Numbers
    """By position and result, for rounds one by one."""
    units: Numbers
    ends: Numbers
    bankrolls: Numbers
    patterns: int
    first: int
    """Where a session begins."""
    playing: int
    """How many positions end no session."""
    weights: Numbers
    """Of each of a step's results in its pattern."""


class _Positions(NamedTuple):
    """Positions found by following a plan, in the order of finding."""

    after: Numbers
    units: Numbers
    ends: Numbers
    bankrolls: Numbers


def position_table(
    plan: SimulationPlan, machine: Machine, most_places: int
) -> PositionTable | None:
    """Return the table with the longest steps that it has places for.

    Return None where it has none, or where no session can end before its last round.
    """
    groups = [each for each in FOURS if plan.dice.per_block % each == 0]
    kinds = len(plan.nets)
    least = min((kinds**each for each in groups), default=MOST_PATTERNS + 1)
    pairs = len(machine.units) * (plan.highest + 1)
    if least > MOST_PATTERNS or pairs > _MOST_PAIRS:
        return None
    single, rules = table(plan, machine, 1), plan_terms(plan, 1)
    found = _followed(single, rules, plan.highest, most_places // least)
    if found is None or (found.ends == NO_END).all():
        return None
    group = max(
        each
        for each in groups
        if kinds**each <= MOST_PATTERNS
        and (each == groups[0] or kinds**each * len(found.ends) <= most_places)
    )
    return _compiled(found, group)


def _followed(
    table: StepTable, terms: PlanTerms, highest: int, most: int
) -> _Positions | None:
    """Return all positions, or None where there are more than so many."""
    if most < 1:
        return None
    most = min(most, len(table.units) * (highest + 1))
    kept = _Positions(
        after=np.zeros((most, len(table.nets)), np.int64),
        units=np.zeros(most, np.int64),
        ends=np.full(most, NO_END, np.int64),
        bankrolls=np.zeros(most, np.int64),
    )
    states = np.zeros(most, np.int64)
    numbers = np.full((len(table.units), highest + 1), -1, np.int32)
    count = follow(table, terms, states, numbers, kept)
    if count < 0:
        return None
    return _Positions(*(each[:count] for each in kept))


@compiled_loop
def follow(
    table: StepTable,
    terms: PlanTerms,
    states: Numbers,
    numbers: Words,
    kept: _Positions,
) -> int:
    """Find all positions, round after round; how many, or -1 where there is no room.

    `numbers` has for each state and bankroll the number of its position, or -1.
    """
    most, highest = len(states), numbers.shape[1] - 1
    if not 0 <= terms.bankroll <= highest:
        return -1
    kept.bankrolls[0] = terms.bankroll
    numbers[0, terms.bankroll] = 0
    count, begin = 1, 0
    for left in range(terms.rounds, -1, -1):
        end = count
        for place in range(begin, end):
            bankroll = kept.bankrolls[place]
            state, units, kept.ends[place] = next_turn(
                bankroll, states[place], table.units, terms.rules
            )
            # Ended sessions stay where they are, and so do those after all rounds.
            kept.after[place, :] = place
            if kept.ends[place] != NO_END or left == 0:
                continue
            kept.units[place] = units
            row = row_after(state, units, table.units, table.short)
            for result in range(len(table.nets)):
                then = table.after[row, result]
                has = bankroll + units * table.nets[result]
                # One outside is left to the tally, which tells of it.
                if not 0 <= has <= highest:
                    return -1
                if numbers[then, has] < 0:
                    if count == most:
                        return -1
                    numbers[then, has] = count
                    states[count], kept.bankrolls[count] = then, has
                    count += 1
                kept.after[place, result] = numbers[then, has]
        if end == count:
            break
        begin = end
    return count


def _compiled(found: _Positions, group: int) -> PositionTable:
    """Return the table of steps, with the positions in their new order."""
    order = np.argsort(found.ends != NO_END, kind="stable")
    numbers = np.empty(len(order), np.int64)
    numbers[order] = np.arange(len(order))
    after, units = numbers[found.after[order]], found.units[order]
    ends = found.ends[order]
    count, kinds = after.shape
    playing = ends == NO_END
    at = np.arange(count)[:, None]
    rounds, staked = np.zeros_like(at), np.zeros_like(at)
    for _ in range(group):
        rounds, staked = (
            np.repeat(each, kinds, axis=1)
            for each in (rounds + playing[at], staked + units[at])
        )
        at = after[at].reshape(count, -1)
    patterns = kinds**group
    steps = at * patterns | rounds << PLACE_BITS | staked << PLACE_BITS + ROUND_BITS
    return PositionTable(
        steps=steps.astype(np.uint64).ravel(),
        after=after,
        units=units,
        ends=ends,
        bankrolls=found.bankrolls[order],
        patterns=patterns,
        first=int(numbers[0]),
        playing=int(playing.sum()),
        weights=kinds ** np.arange(group - 1, -1, -1, dtype=np.int64),
    )
