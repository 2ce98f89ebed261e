"""Sessions by a table, compiled: drawn side by side, then walked lane by lane."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.simulator.cpu_cutting import FOURS, Cutting, cut, cut_four
from croupier.simulator.cpu_philox import (
    LANES,
    Words,
    compiled_inside,
    compiled_loop,
    draw,
    pair,
    redraw,
)
from croupier.simulator.cpu_tables import Numbers, Table, Terms
from croupier.simulator.cpu_tally import NO_END, Counting, Share, count
from croupier.simulator.cpu_walking import (
    BANKROLL,
    END,
    IDLE,
    KEPT,
    LEFT,
    PLACE,
    UNITS,
    finish_block,
    stride,
)

_NONE, _ONE = np.uint64(0), np.uint64(1)


class Rules(NamedTuple):
    """All of a plan, as the loop takes it."""

    table: Table
    terms: Terms
    narrow: Cutting
    """For words of 32 bits."""
    wide: Cutting
    """For words of 64."""
    counting: Counting


class Lanes(NamedTuple):
    """Where sessions are played side by side: one set for each thread."""

    blocks: Words
    sessions: Words
    kept: Numbers
    resting: Numbers
    words: Words
    pairs: Words
    patterns: Words


def new_lanes(steps: int) -> Lanes:
    return Lanes(
        blocks=np.zeros(LANES, np.uint64),
        sessions=np.zeros(LANES, np.uint64),
        kept=np.zeros((LANES, KEPT), np.int64),
        resting=np.zeros(LANES + 1, np.int64),
        words=np.zeros((4, LANES), np.uint32),
        pairs=np.zeros((2, LANES), np.uint64),
        patterns=np.zeros((steps, LANES), np.uint32),
    )


@compiled_loop
def play(rules: Rules, lanes: Lanes, share: Share) -> None:
    """Play the sessions of a share: a lane whose session ends takes the next one."""
    kept, patterns, terms = lanes.kept, lanes.patterns, rules.terms
    begun = ended = 0
    for lane in range(LANES):
        begun += begin(lanes, lane, begun, terms, share)
    while ended < share.sessions:
        draw_patterns(rules, lanes, share.seed)
        found = stride(kept, patterns, rules.table.steps, terms.group, lanes.resting)
        for lane in range(LANES):
            lanes.blocks[lane] += _ONE
        for place in range(found):
            lane = lanes.resting[place]
            finish_block(kept, lane, patterns, rules.table, terms)
            if kept[lane, END] != NO_END:
                rounds = terms.rounds - kept[lane, LEFT]
                staked, bankroll = kept[lane, UNITS], kept[lane, BANKROLL]
                end = kept[lane, END]
                count(end, rounds, staked, bankroll, rules.counting, share)
                ended += 1
                begun += begin(lanes, lane, begun, terms, share)


@compiled_inside
def begin(lanes: Lanes, lane: int, begun: int, terms: Terms, share: Share) -> int:
    """Begin the next session in a lane, if there is one; how many were begun."""
    kept = lanes.kept
    kept[lane, BANKROLL], kept[lane, PLACE] = terms.bankroll, 0
    kept[lane, UNITS], kept[lane, END] = 0, NO_END
    if begun == share.sessions:
        kept[lane, LEFT] = IDLE
        return 0
    kept[lane, LEFT] = terms.rounds
    lanes.sessions[lane] = np.uint64(share.first + begun)
    lanes.blocks[lane] = _NONE
    return 1


@compiled_loop
def draw_patterns(rules: Rules, lanes: Lanes, seed: np.uint64) -> None:
    """The next block of every lane, drawn and cut."""
    blocks, sessions, words = lanes.blocks, lanes.sessions, lanes.words
    group = rules.terms.group
    draw(blocks, sessions, seed, words)
    if rules.terms.wide:
        pair(words, lanes.pairs)
        redraw(lanes.pairs, blocks, sessions, seed, rules.wide.rejecting)
        cut(lanes.pairs, rules.wide, group, lanes.patterns)
        return
    redraw(words, blocks, sessions, seed, rules.narrow.rejecting)
    if len(rules.narrow.lasts) > 0 and group in FOURS:
        cut_four(words, rules.narrow, group, lanes.patterns)
    else:
        cut(words, rules.narrow, group, lanes.patterns)
