"""The compiled loop that plays sessions by positions.

A position is a pair of a state and a bankroll; short sessions have few. For each
position and pattern of results a table has the next position, the units staked and the
rounds played. An ended session stays in its position, so no round compares bankrolls.
All lanes take one step, then the next; once a block, the ended sessions are collected.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.lab.simulator.cpu.random_words import (
    FOURS,
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
from croupier.lab.simulator.cpu.steps import (
    MOST_PATTERNS,
    Numbers,
    PlanTerms,
    StepTable,
    next_turn,
    plan_terms,
    row_after,
    step_table,
)
from croupier.lab.simulator.plan import Machine, SimulationPlan
from croupier.lab.simulator.stakes import NO_END, PLAYING

MOST_PLACES = 1 << 16
"""Positions × patterns, of eight bytes each. A larger table leaves the near caches and
is slower than steps that look at the bankroll, even if many sessions end early."""
SPINS_A_PLACE = 8
"""Fewer spins do not repay the building of a place."""
_MOST_PAIRS = 1 << 20
"""The most pairs of a state and a bankroll, possible or not."""

_PLACE_BITS, _ROUND_BITS = np.uint64(24), np.uint64(6)
"""The bits of a step, from the lowest: the next place, the rounds played; above them
the units staked. All rounds of a block fit, and a place is below `MOST_PLACES`."""
_NONE, _ONE = np.uint64(0), np.uint64(1)
_PLACE, _ROUNDS = (_ONE << _PLACE_BITS) - _ONE, (_ONE << _ROUND_BITS) - _ONE


class PositionTable(NamedTuple):
    """The positions of a plan; those that end a session come last."""

    steps: Words
    """By position and pattern; a place is a position times the number of patterns."""
    after: Numbers
    """By position and result, for single rounds."""
    units: Numbers
    ends: Numbers
    bankrolls: Numbers
    patterns: int
    first: int
    """The position in which a session begins."""
    playing: int
    """The count of positions that end no session."""
    weights: Numbers
    """The weight of each of a step's results in its pattern."""


class _Positions(NamedTuple):
    """The positions of a plan, in the order in which they were found."""

    after: Numbers
    units: Numbers
    ends: Numbers
    bankrolls: Numbers


def position_table(
    plan: SimulationPlan, machine: Machine, most_places: int
) -> PositionTable | None:
    """Return the table with the longest steps that fit the places.

    Return None if none fits, or if no session can end before its last round.
    """
    groups = [each for each in FOURS if plan.dice.per_block % each == 0]
    kinds = len(plan.nets)
    least = min((kinds**each for each in groups), default=MOST_PATTERNS + 1)
    pairs = len(machine.units) * (plan.highest + 1)
    if least > MOST_PATTERNS or pairs > _MOST_PAIRS:
        return None
    single, rules = step_table(plan, machine, 1), plan_terms(plan, 1)
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
    """Return all positions, or None if there are more than `most`."""
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


@compiled_bare
def follow(
    table: StepTable,
    terms: PlanTerms,
    states: Numbers,
    numbers: Words,
    kept: _Positions,
) -> int:
    """Find all positions, round by round; return their count, or -1 if they don't fit.

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
                # The tally reports a bankroll outside these bounds.
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
    """Return the table of steps, with positions that end a session last."""
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
    place, played, units_of = (
        each.astype(np.uint64) for each in (at * patterns, rounds, staked)
    )
    played |= units_of << _ROUND_BITS
    return PositionTable(
        steps=(place | played << _PLACE_BITS).ravel(),
        after=after,
        units=units,
        ends=ends,
        bankrolls=found.bankrolls[order],
        patterns=patterns,
        first=int(numbers[0]),
        playing=int(playing.sum()),
        weights=kinds ** np.arange(group - 1, -1, -1, dtype=np.int64),
    )


class PositionPlan(NamedTuple):
    """A plan as arguments of the loop."""

    table: PositionTable
    cuts: PatternCuts
    counted_by: CountTerms
    rounds: int
    per_block: int


class _PositionLanes(NamedTuple):
    """The lanes of a thread, each with a session."""

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


@compiled_bare
def play_positions(plan: PositionPlan, lanes: _PositionLanes, share: Share) -> None:
    """Play the sessions of a share: a lane whose session ends takes the next one.

    At the end some lanes play sessions beyond the share; they are not counted.
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
    lanes.drawn.sessions[lane], lanes.drawn.blocks[lane] = session, _NONE
    lanes.places[lane] = np.uint64(table.first * table.patterns)
    lanes.staked[lane] = _NONE


@compiled_bare
def _take_block(table: PositionTable, lanes: _PositionLanes, blocks: np.uint64) -> int:
    """Take a block's steps in every lane; return the number of sessions at rest.

    A session rests if it has ended, or if it has had all its blocks.
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
    """Count a session at rest; replay a last block that is longer than the session."""
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
    """Play a lane's block round by round; return position, rounds and units."""
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
