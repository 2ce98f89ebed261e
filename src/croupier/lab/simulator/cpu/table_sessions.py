"""Sessions by a table, compiled: drawn side by side, then walked lane by lane.

A session moves through a block by steps of several rounds, or round by round where its
bankroll needs a closer look.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.lab.simulator.cpu.random_words import (
    LANES,
    LanePatterns,
    PatternCuts,
    Words,
    compiled_inside,
    compiled_loop,
    draw_patterns,
    new_patterns,
)
from croupier.lab.simulator.cpu.session_counts import CountTerms, Share, count
from croupier.lab.simulator.cpu.step_table import (
    FIELDS,
    GAIN,
    LEAST,
    NEXT,
    SPAN,
    STAKED,
    Numbers,
    PlanTerms,
    StepTable,
    next_turn,
    row_after,
)
from croupier.lab.simulator.stakes import NO_END, PLAYING

BANKROLL, PLACE, _UNITS, LEFT, REACHED, END = range(6)
"""What is kept of a lane's session: its bankroll, the place of its state in the table
of steps, the units staked, the rounds left, the steps taken of the block, its end."""
_KEPT = 8
"""As long as a line of the cache."""
_FIELDS = np.uint64(FIELDS)
_LEAST, _SPAN, _GAIN, _STAKED, _NEXT = (
    np.uint64(each) for each in (LEAST, SPAN, GAIN, STAKED, NEXT)
)
_IDLE = -1
"""So many rounds are left in a lane without a session."""


_NONE, _ONE = np.uint64(0), np.uint64(1)


@compiled_loop
def _take_steps(
    lanes: Numbers, patterns: Words, steps: Numbers, group: int, resting: Numbers
) -> int:
    """Take a block's steps in every lane; which ones have come to rest, how many."""
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
    """Take steps in one lane, up to one that is to be played round by round."""
    bankroll, place = lanes[lane, BANKROLL], lanes[lane, PLACE]
    units, left = lanes[lane, _UNITS], lanes[lane, LEFT]
    step, last = lanes[lane, REACHED], patterns.shape[0]
    while step < last and left >= group:
        # An index that can't be below 0 needs no looking whether it is.
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
    """Return whether the next rounds of a lane's session need a closer look."""
    left = lanes[lane, LEFT]
    return bool(left == 0 or (left > 0 and lanes[lane, REACHED] < steps))


@compiled_inside
def _finish_block(
    lanes: Numbers, lane: int, patterns: Words, table: StepTable, terms: PlanTerms
) -> None:
    """Play what is left of a lane's block, or as much as the session has of it."""
    while at_rest(lanes, lane, terms.steps):
        # After the last round of all, no pattern is looked at.
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
    """All of a plan, as the loop takes it."""

    table: StepTable
    terms: PlanTerms
    cuts: PatternCuts
    counted_by: CountTerms


class _Lanes(NamedTuple):
    """Where sessions are played side by side: one set for each thread."""

    drawn: LanePatterns
    kept: Numbers
    resting: Numbers


def new_lanes(steps: int) -> _Lanes:
    return _Lanes(
        drawn=new_patterns(steps),
        kept=np.zeros((LANES, _KEPT), np.int64),
        resting=np.zeros(LANES + 1, np.int64),
    )


@compiled_loop
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
    """Begin the next session in a lane, if there is one; how many were begun."""
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
