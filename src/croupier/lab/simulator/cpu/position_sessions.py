"""Sessions by positions, compiled: all lanes take a step, then all take the next.

No lane's step waits for that of another, and none asks whether its session has ended.
That is looked at once a block, for all lanes together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.lab.simulator.cpu.position_table import (
    PLACE_BITS,
    ROUND_BITS,
    PositionTable,
)
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
from croupier.lab.simulator.cpu.step_table import Numbers
from croupier.lab.simulator.stakes import NO_END, PLAYING

_PLACE = np.uint64((1 << PLACE_BITS) - 1)
_ROUNDS = np.uint64((1 << ROUND_BITS) - 1)
_PLACE_BITS, _ROUND_BITS = np.uint64(PLACE_BITS), np.uint64(ROUND_BITS)
_NONE, _ONE = np.uint64(0), np.uint64(1)


class PositionPlan(NamedTuple):
    """All of a plan, as the loop takes it."""

    table: PositionTable
    cuts: PatternCuts
    counted_by: CountTerms
    rounds: int
    per_block: int


class _PositionLanes(NamedTuple):
    """Where sessions are played side by side: one set for each thread."""

    drawn: LanePatterns
    places: Words
    before: Words
    """The place at the beginning of the block."""
    played: Words
    """The rounds and units of the block, as in a step."""
    staked: Words
    resting: Numbers


def new_position_lanes(steps: int) -> _PositionLanes:
    return _PositionLanes(
        drawn=new_patterns(steps),
        places=np.zeros(LANES, np.uint64),
        before=np.zeros(LANES, np.uint64),
        played=np.zeros(LANES, np.uint64),
        staked=np.zeros(LANES, np.uint64),
        resting=np.zeros(LANES + 1, np.int64),
    )


@compiled_loop
def play_positions(plan: PositionPlan, lanes: _PositionLanes, share: Share) -> None:
    """Play the sessions of a share: a lane whose session ends takes the next one.

    At the end some lanes play sessions beyond the share, which are not counted.
    """
    first = np.uint64(share.first)
    beyond = first + np.uint64(share.sessions)
    blocks = np.uint64(-(-plan.rounds // plan.per_block))
    ended, following = 0, first
    for lane in range(LANES):
        begin(plan.table, lanes, lane, following)
        following += _ONE
    while ended < share.sessions:
        draw_patterns(lanes.drawn, plan.cuts, share.seed)
        found = _take_block(plan.table, lanes, blocks)
        for at in range(found):
            lane = lanes.resting[at]
            if lanes.drawn.sessions[lane] < beyond:
                _count_session(plan, lanes, lane, share)
                ended += 1
            begin(plan.table, lanes, lane, following)
            following += _ONE


@compiled_inside
def begin(
    table: PositionTable, lanes: _PositionLanes, lane: int, session: np.uint64
) -> None:
    """Begin a session in a lane."""
    lanes.drawn.sessions[lane], lanes.drawn.blocks[lane] = session, _NONE
    lanes.places[lane] = np.uint64(table.first * table.patterns)
    lanes.staked[lane] = _NONE


@compiled_loop
def _take_block(table: PositionTable, lanes: _PositionLanes, blocks: np.uint64) -> int:
    """Take a block's steps in every lane; how many sessions are at rest then.

    Those are the ended ones, and the ones that have had all their blocks.
    """
    places, before, played = lanes.places, lanes.before, lanes.played
    patterns, steps = lanes.drawn.patterns, table.steps
    for lane in range(LANES):
        before[lane], played[lane] = places[lane], _NONE
    for step in range(patterns.shape[0]):
        for lane in range(LANES):
            taken = steps[places[lane] + np.uint64(patterns[step, lane])]
            places[lane] = taken & _PLACE
            played[lane] += taken >> _PLACE_BITS
    ending = np.uint64(table.playing * table.patterns)
    found = 0
    for lane in range(LANES):
        lanes.staked[lane] += played[lane] >> _ROUND_BITS
        lanes.drawn.blocks[lane] += _ONE
        lanes.resting[found] = lane
        is_last = lanes.drawn.blocks[lane] >= blocks
        found += int((places[lane] >= ending) | is_last)
    return found


@compiled_inside
def _count_session(
    plan: PositionPlan, lanes: _PositionLanes, lane: int, share: Share
) -> None:
    """Count a session that is at rest; play its last block again if it went too far."""
    table = plan.table
    blocks_before = int(lanes.drawn.blocks[lane]) - 1
    rounds_before = blocks_before * plan.per_block
    rounds = int(lanes.played[lane] & _ROUNDS)
    staked = int(lanes.staked[lane])
    position = int(lanes.places[lane]) // table.patterns
    left = plan.rounds - rounds_before
    if left < plan.per_block:
        staked -= int(lanes.played[lane] >> _ROUND_BITS)
        position, rounds, units = _play_rounds(table, lanes, lane, left)
        staked += units
    end = table.ends[position]
    if end == NO_END:
        end = PLAYING
    bankroll = table.bankrolls[position]
    count(end, rounds_before + rounds, staked, bankroll, plan.counted_by, share)


@compiled_inside
def _play_rounds(
    table: PositionTable, lanes: _PositionLanes, lane: int, most: int
) -> tuple[int, int, int]:
    """Play a lane's block round by round; the position, rounds and units at the end."""
    position = int(lanes.before[lane]) // table.patterns
    group = len(table.weights)
    rounds = units = 0
    while rounds < most and table.ends[position] == NO_END:
        weight = table.weights[rounds % group]
        pattern = int(lanes.drawn.patterns[rounds // group, lane])
        result = pattern // weight % table.after.shape[1]
        units += table.units[position]
        position = table.after[position, result]
        rounds += 1
    return position, rounds, units
