"""The compiled loop that plays sessions by steps of several rounds.

A step is a few rounds in a row; their results are one number, the pattern. For each
state and pattern a table has the joint effect of these rounds, and the bankrolls that
get through them without an end or a cut stake. Any other bankroll is played round by
round. Steps, positions and records all use `next_turn` and `row_after` of this module.
Outcomes are drawn for all lanes at once; sessions are then played lane by lane.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from croupier.lab.simulator.cpu.random_words import (
    LANES,
    LanePatterns,
    PatternCuts,
    Words,
    compiled_bare,
    compiled_inside,
    draw_patterns,
    new_patterns,
)
from croupier.lab.simulator.cpu.session_counts import CountTerms, Share, count
from croupier.lab.simulator.plan import Machine, SimulationPlan
from croupier.lab.simulator.stakes import (
    NO_END,
    NO_TARGET,
    PLAYING,
    StakeRules,
    end_by_bankroll,
    next_stake,
)

Numbers = np.ndarray[Any, np.dtype[np.int64]]

LEAST, SPAN, GAIN, STAKED, NEXT = range(5)
"""Fields of a step: the smallest bankroll that it is right for, the number of such
bankrolls, its net result, its units staked, and the place of the next state."""
FIELDS = 5
_MOST_PLACES = 1 << 12
"""States × patterns: a larger table does not fit the near caches."""
MOST_PATTERNS = 1 << 8

ends, stakes = compiled_inside(end_by_bankroll), compiled_inside(next_stake)


class StepTable(NamedTuple):
    """A machine, by steps and by single rounds."""

    steps: Numbers
    units: Numbers
    after: Numbers
    short: Numbers
    nets: Numbers
    weights: Numbers
    """The weight of each of a step's results in its pattern."""


class PlanTerms(NamedTuple):
    """The other terms of a plan, and the division of a block into steps."""

    rounds: int
    bankroll: int
    rules: StakeRules
    group: int
    steps: int
    width: int
    """The places that a state takes in the table of steps."""


def group_size(plan: SimulationPlan, machine: Machine) -> int:
    """Return the rounds of a step: the most that keep the table small."""
    kinds, states = len(plan.nets), len(machine.units)
    fitting = [
        group
        for group in range(1, plan.dice.per_block + 1)
        if plan.dice.per_block % group == 0
        and kinds**group <= MOST_PATTERNS
        and states * kinds**group <= _MOST_PLACES
    ]
    return max(fitting, default=1)


def step_table(plan: SimulationPlan, machine: Machine, group: int) -> StepTable:
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
        # A step of a state that leaves the table is right for no bankroll.
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
    """Return the state played, the units of the next round, and an end or `NO_END`."""
    end = ends(bankroll, rules)
    if end != NO_END:
        return state, 0, end
    first = units[0] if state else 0
    staked, end, begins = stakes(units[state], first, bankroll, rules)
    return 0 if begins else state, staked, end


@compiled_inside
def row_after(state: int, staked: int, units: Numbers, short: Numbers) -> int:
    if staked < units[state] and short[state] >= 0:
        return int(short[state] + staked - 1)
    return state


BANKROLL, PLACE, _UNITS, LEFT, REACHED, END = range(6)
"""Fields of a lane's session: its bankroll, the place of its state in the table of
steps, the units staked, the rounds left, the steps taken of the block, its end."""
_KEPT = 8
"""The length of a cache line."""
_FIELDS = np.uint64(FIELDS)
_LEAST, _SPAN, _GAIN, _STAKED, _NEXT = (
    np.uint64(each) for each in (LEAST, SPAN, GAIN, STAKED, NEXT)
)
_IDLE = -1
"""The rounds left in a lane without a session."""
_NONE, _ONE = np.uint64(0), np.uint64(1)


@compiled_bare
def _take_steps(
    lanes: Numbers, patterns: Words, steps: Numbers, group: int, resting: Numbers
) -> int:
    """Take a block's steps in every lane; list those at rest, return their count."""
    found = 0
    for lane in range(LANES):
        lanes[lane, REACHED] = 0
        _take_lane_steps(lanes, lane, patterns, steps, group)
        if at_rest(lanes, lane, patterns.shape[0]):
            resting[found] = lane
            found += 1
    return found


@compiled_inside
def _take_lane_steps(
    lanes: Numbers, lane: int, patterns: Words, steps: Numbers, group: int
) -> None:
    """Take steps in one lane, until one has to be played round by round."""
    bankroll, place = lanes[lane, BANKROLL], lanes[lane, PLACE]
    units, left = lanes[lane, _UNITS], lanes[lane, LEFT]
    step, last = lanes[lane, REACHED], patterns.shape[0]
    while step < last and left >= group:
        # An unsigned index saves the check for counting from the end.
        pattern = np.uint64(patterns[np.uint64(step), np.uint64(lane)])
        row = np.uint64(place) + pattern * _FIELDS
        above = np.uint64(bankroll - steps[row + _LEAST])
        if above >= np.uint64(steps[row + _SPAN]):
            break
        bankroll += steps[row + _GAIN]
        units += steps[row + _STAKED]
        place = steps[row + _NEXT]
        left -= group
        step += 1
    lanes[lane, BANKROLL], lanes[lane, PLACE] = bankroll, place
    lanes[lane, _UNITS], lanes[lane, LEFT] = units, left
    lanes[lane, REACHED] = step


@compiled_inside
def at_rest(lanes: Numbers, lane: int, steps: int) -> bool:
    """Return whether a lane has to be played round by round, or has no rounds left."""
    left = lanes[lane, LEFT]
    return bool(left == 0 or (left > 0 and lanes[lane, REACHED] < steps))


@compiled_inside
def _finish_block(
    lanes: Numbers, lane: int, patterns: Words, table: StepTable, terms: PlanTerms
) -> None:
    """Play the rest of a lane's block, or of its session if that is shorter."""
    while at_rest(lanes, lane, terms.steps):
        # After the last round the pattern is not used.
        step = min(lanes[lane, REACHED], terms.steps - 1)
        _play_step(lanes, lane, int(patterns[step, lane]), table, terms)
        if lanes[lane, END] != NO_END:
            return
        lanes[lane, REACHED] += 1
        _take_lane_steps(lanes, lane, patterns, table.steps, terms.group)


@compiled_inside
def _play_step(
    lanes: Numbers, lane: int, pattern: int, table: StepTable, terms: PlanTerms
) -> None:
    """Play the rounds of one step one by one."""
    bankroll, left = lanes[lane, BANKROLL], lanes[lane, LEFT]
    state = lanes[lane, PLACE] // terms.width
    end = NO_END
    for weight in table.weights:
        state, units, end = next_turn(bankroll, state, table.units, terms.rules)
        if end == NO_END and left == 0:
            end = PLAYING
        if end != NO_END:
            break
        result = pattern // weight
        pattern -= result * weight
        bankroll += units * table.nets[result]
        lanes[lane, _UNITS] += units
        left -= 1
        row = row_after(state, units, table.units, table.short)
        state = table.after[row, result]
    lanes[lane, BANKROLL], lanes[lane, PLACE] = bankroll, state * terms.width
    lanes[lane, LEFT], lanes[lane, END] = left, end


class CompiledPlan(NamedTuple):
    """A plan as arguments of the loop."""

    table: StepTable
    terms: PlanTerms
    cuts: PatternCuts
    counted_by: CountTerms


class _Lanes(NamedTuple):
    """The lanes of a thread, each with a session."""

    drawn: LanePatterns
    kept: Numbers
    resting: Numbers


def new_lanes(steps: int) -> _Lanes:
    return _Lanes(
        drawn=new_patterns(steps),
        kept=np.zeros((LANES, _KEPT), np.int64),
        resting=np.zeros(LANES + 1, np.int64),
    )


@compiled_bare
def play(rules: CompiledPlan, lanes: _Lanes, share: Share) -> None:
    """Play the sessions of a share: a lane whose session ends takes the next one."""
    kept, drawn, terms = lanes.kept, lanes.drawn, rules.terms
    begun = ended = 0
    for lane in range(LANES):
        begun += begin(lanes, lane, begun, terms, share)
    while ended < share.sessions:
        draw_patterns(drawn, rules.cuts, share.seed)
        found = _take_steps(
            kept, drawn.patterns, rules.table.steps, terms.group, lanes.resting
        )
        for lane in range(LANES):
            drawn.blocks[lane] += _ONE
        for place in range(found):
            lane = lanes.resting[place]
            _finish_block(kept, lane, drawn.patterns, rules.table, terms)
            if kept[lane, END] != NO_END:
                rounds = terms.rounds - kept[lane, LEFT]
                staked, bankroll = kept[lane, _UNITS], kept[lane, BANKROLL]
                end = kept[lane, END]
                count(end, rounds, staked, bankroll, rules.counted_by, share)
                ended += 1
                begun += begin(lanes, lane, begun, terms, share)


@compiled_inside
def begin(lanes: _Lanes, lane: int, begun: int, terms: PlanTerms, share: Share) -> int:
    """Begin the next session in a lane; return 1, or 0 if there is none."""
    kept = lanes.kept
    kept[lane, BANKROLL], kept[lane, PLACE] = terms.bankroll, 0
    kept[lane, _UNITS], kept[lane, END] = 0, NO_END
    if begun == share.sessions:
        kept[lane, LEFT] = _IDLE
        return 0
    kept[lane, LEFT] = terms.rounds
    lanes.drawn.sessions[lane] = np.uint64(share.first + begun)
    lanes.drawn.blocks[lane] = _NONE
    return 1
