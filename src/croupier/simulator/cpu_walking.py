"""Sessions moved on through a block: by steps of several rounds, or round by round."""

from __future__ import annotations

import numpy as np

from croupier.simulator.cpu_philox import LANES, Words, compiled_inside, compiled_loop
from croupier.simulator.cpu_tables import (
    FIELDS,
    GAIN,
    LEAST,
    NEXT,
    SPAN,
    STAKED,
    Numbers,
    Table,
    Terms,
)
from croupier.simulator.cpu_tally import (
    NO_END,
    PLAYING,
    RUINED,
    STOPPED,
    end_by_bankroll,
)

BANKROLL, PLACE, UNITS, LEFT, REACHED, END = range(6)
"""What is kept of a lane's session: its bankroll, the place of its state in the table
of steps, the units staked, the rounds left, the steps taken of the block, its end."""
KEPT = 8
"""As long as a line of the cache."""
_FIELDS = np.uint64(FIELDS)
_LEAST, _SPAN, _GAIN, _STAKED, _NEXT = (
    np.uint64(each) for each in (LEAST, SPAN, GAIN, STAKED, NEXT)
)
IDLE = -1
"""So many rounds are left in a lane without a session."""


@compiled_loop
def stride(
    lanes: Numbers, patterns: Words, steps: Numbers, group: int, resting: Numbers
) -> int:
    """Take a block's steps in every lane; which ones have come to rest, how many."""
    found = 0
    for lane in range(LANES):
        lanes[lane, REACHED] = 0
        stride_one(lanes, lane, patterns, steps, group)
        if at_rest(lanes, lane, patterns.shape[0]):
            resting[found] = lane
            found += 1
    return found


@compiled_inside
def stride_one(
    lanes: Numbers, lane: int, patterns: Words, steps: Numbers, group: int
) -> None:
    """Take steps in one lane, up to one that is to be played round by round."""
    bankroll, place = lanes[lane, BANKROLL], lanes[lane, PLACE]
    units, left = lanes[lane, UNITS], lanes[lane, LEFT]
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
    lanes[lane, UNITS], lanes[lane, LEFT] = units, left
    lanes[lane, REACHED] = step


@compiled_inside
def at_rest(lanes: Numbers, lane: int, steps: int) -> bool:
    """Whether the next rounds of a lane's session need a closer look."""
    left = lanes[lane, LEFT]
    return bool(left == 0 or (left > 0 and lanes[lane, REACHED] < steps))


@compiled_inside
def finish_block(
    lanes: Numbers, lane: int, patterns: Words, table: Table, terms: Terms
) -> None:
    """Play what is left of a lane's block, or as much as the session has of it."""
    while at_rest(lanes, lane, terms.steps):
        # After the last round of all, no pattern is looked at.
        step = min(lanes[lane, REACHED], terms.steps - 1)
        play_step(lanes, lane, int(patterns[step, lane]), table, terms)
        if lanes[lane, END] != NO_END:
            return
        lanes[lane, REACHED] += 1
        stride_one(lanes, lane, patterns, table.steps, terms.group)


@compiled_inside
def play_step(
    lanes: Numbers, lane: int, pattern: int, table: Table, terms: Terms
) -> None:
    """Play the rounds of one step one by one."""
    bankroll, left = lanes[lane, BANKROLL], lanes[lane, LEFT]
    state = lanes[lane, PLACE] // terms.width
    end = NO_END
    for weight in table.weights:
        state, units, end = _stake(bankroll, state, table, terms)
        if end == NO_END and left == 0:
            end = PLAYING
        if end != NO_END:
            break
        result = pattern // weight
        pattern -= result * weight
        bankroll += units * table.nets[result]
        lanes[lane, UNITS] += units
        left -= 1
        row = state
        if units < table.units[state] and table.short[state] >= 0:
            row = table.short[state] + units - 1
        state = table.after[row, result]
    lanes[lane, BANKROLL], lanes[lane, PLACE] = bankroll, state * terms.width
    lanes[lane, LEFT], lanes[lane, END] = left, end


@compiled_inside
def _stake(
    bankroll: int, state: int, table: Table, terms: Terms
) -> tuple[int, int, int]:
    """The state played in, the units of the next round, and an end if it is one."""
    end = end_by_bankroll(bankroll, terms.bounds)
    if end != NO_END:
        return state, 0, end
    units = table.units[state]
    if units == 0:
        return state, 0, STOPPED
    if units * terms.bounds.unit <= bankroll:
        return state, units, NO_END
    return _cut_stake(state, bankroll // terms.bounds.unit, table, terms)


@compiled_inside
def _cut_stake(
    state: int, allowed: int, table: Table, terms: Terms
) -> tuple[int, int, int]:
    """What becomes of a stake that the bankroll does not allow."""
    if terms.stakes_allowed:
        return state, allowed, NO_END
    if not terms.starts_again:
        return state, 0, STOPPED
    if state == 0 or table.units[0] > allowed:
        return state, 0, RUINED
    return 0, table.units[0], NO_END
