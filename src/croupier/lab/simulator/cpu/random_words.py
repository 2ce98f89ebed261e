"""Compiled loops that draw random words and cut them into patterns of results.

The compiler turns the loops over the lanes into vector code: numbers of 32 bits lie in
words of 64, whose upper halves are ignored. A result comes from comparing the word
itself with the bounds of the results, so no digit and no table is needed.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from croupier.batch.kernels import Loop, machine_code
from croupier.lab.simulator import stream
from croupier.lab.simulator.plan import SessionPlan

LANES = 128
"""Sessions that a thread plays side by side."""

Words = np.ndarray[Any, np.dtype[Any]]

_MASK = np.uint64(stream.MASK)
_HALF = np.uint64(32)
_FIRST, _SECOND = (np.uint64(each) for each in stream.MULTIPLIERS)
_LOW_STEP, _HIGH_STEP = (np.uint64(each) for each in stream.WEYL)
_STIRS = stream.ROUNDS
_NONE, _ONE = np.uint64(0), np.uint64(1)
_PLAIN: dict[str, Any] = {"error_model": "numpy", "_nrt": False}
"""These loops raise no errors and allocate nothing. Counting the references to arrays
would take longer than the play."""

_FOUR = 4
"""The digits in a word of the games' own wheels."""
FOURS = (_FOUR, 2 * _FOUR)
"""The results in a pattern of `_cut_four`."""


def compiled_bare(function: Loop) -> Loop:
    """Compile a loop without numba's runtime; it may not allocate or raise."""
    return machine_code(function, **_PLAIN)


def compiled_inside(function: Loop) -> Loop:
    return machine_code(function, forceinline=True, **_PLAIN)


@compiled_inside
def philox(
    block: np.uint64, session: np.uint64, attempt: np.uint64, seed: np.uint64
) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return four words; their upper 32 bits are to be ignored."""
    zero, one, two, three = block, session & _MASK, session >> _HALF, attempt
    low, high = seed & _MASK, seed >> _HALF
    for _ in range(_STIRS):
        first, second = (zero & _MASK) * _FIRST, (two & _MASK) * _SECOND
        zero, one = second >> _HALF ^ one ^ low, second
        two, three = first >> _HALF ^ three ^ high, first
        low, high = low + _LOW_STEP & _MASK, high + _HIGH_STEP & _MASK
    return zero, one, two, three


@compiled_bare
def draw(blocks: Words, sessions: Words, seed: np.uint64, words: Words) -> None:
    """Draw the next block of each lane: a row of lanes for each word of a block."""
    for lane in range(LANES):
        zero, one, two, three = philox(blocks[lane], sessions[lane], _NONE, seed)
        words[0, lane] = np.uint32(zero)
        words[1, lane] = np.uint32(one)
        words[2, lane] = np.uint32(two)
        words[3, lane] = np.uint32(three)


@compiled_bare
def pair(words: Words, pairs: Words) -> None:
    """Join two words of 32 bits into one of 64, the lower half first."""
    for place in range(pairs.shape[0]):
        for lane in range(LANES):
            upper = np.uint64(words[2 * place + 1, lane]) << _HALF
            pairs[place, lane] = np.uint64(words[2 * place, lane]) | upper


@compiled_bare
def _redraw(
    words: Words, blocks: Words, sessions: Words, seed: np.uint64, rejecting: Words
) -> None:
    """Draw rejected words again, at the next attempt, until none is rejected.

    `rejecting` has the factor of a word, and the bound below which the product rejects
    it; both are as wide as the words: 32 bits, or 64 in pairs.
    """
    kind, power, below = words.dtype.type, rejecting[0], rejecting[1]
    rejected = 0
    for place in range(words.shape[0]):
        for lane in range(LANES):
            rejected += kind(words[place, lane] * power) < below
    if rejected == 0:
        return
    for place in range(words.shape[0]):
        for lane in range(LANES):
            attempt = _NONE
            while kind(words[place, lane] * power) < below:
                attempt += _ONE
                found = philox(blocks[lane], sessions[lane], attempt, seed)
                words[place, lane] = kind(word_of(found, place, words.shape[0]))


@compiled_bare
def word_of(
    found: tuple[np.uint64, np.uint64, np.uint64, np.uint64], place: int, words: int
) -> np.uint64:
    if words == 2:
        return found[2 * place] & _MASK | found[2 * place + 1] << _HALF
    return found[place] & _MASK


class _WordCuts(NamedTuple):
    """The numbers that cut words of one width into patterns."""

    bounds: Words
    """The first word beyond each kind of result but the last."""
    lasts: Words
    """The words before the bounds, filled up to three; empty without `_cut_four`."""
    sides: Words
    rejecting: Words
    """The factor of a word, and the bound below which the product rejects it."""


def word_cuts(plan: SessionPlan, width: int) -> _WordCuts:
    """Return the cuts of words of `width` bits; a plan uses those of its own width."""
    dice, kind = plan.dice, np.uint32 if width == 32 else np.uint64
    bounds: list[int] = []
    power, below = 1, 0
    one = 1 << width
    if dice.bits == width:
        bounds = [-(-end * one // dice.sides) for end in plan.ends[:-1]]
        power, below = dice.sides**dice.per_word % one, dice.rejected_below
    lasts = [bound - 1 for bound in bounds] + [one - 1] * (3 - len(bounds))
    quick = width == 32 and dice.per_word == _FOUR and len(lasts) == 3
    return _WordCuts(
        np.array(bounds, kind),
        np.array(lasts if quick and min(lasts) >= 0 else [], kind),
        np.array([dice.sides % one], kind),
        np.array([power, below], kind),
    )


@compiled_bare
def cut(words: Words, cuts: _WordCuts, group: int, patterns: Words) -> None:
    """Cut the words of each lane into results, `group` of them to a pattern.

    The first result of a pattern weighs most in it.
    """
    kinds = np.uint32(len(cuts.bounds) + 1)
    sides = cuts.sides[0]
    per_word = patterns.shape[0] * group // words.shape[0]
    for step in range(patterns.shape[0]):
        for lane in range(LANES):
            patterns[step, lane] = np.uint32(0)
    for place in range(words.shape[0]):
        for digit in range(per_word):
            step = (place * per_word + digit) // group
            for lane in range(LANES):
                patterns[step, lane] = np.uint32(patterns[step, lane] * kinds)
            for bound in cuts.bounds:
                for lane in range(LANES):
                    beyond = np.uint32(words[place, lane] >= bound)
                    patterns[step, lane] = np.uint32(patterns[step, lane] + beyond)
            for lane in range(LANES):
                words[place, lane] = words[place, lane] * sides


@compiled_bare
def _cut_four(words: Words, cuts: _WordCuts, group: int, patterns: Words) -> None:
    """Cut as `cut` does, if words have four digits and there are at most four kinds."""
    kinds, sides, lasts = len(cuts.bounds) + 1, cuts.sides[0], cuts.lasts
    first, second, third = lasts[0], lasts[1], lasts[2]
    for place in range(4):
        if kinds == 2:
            for lane in range(LANES):
                words[place, lane] = _four_of_two(words[place, lane], first, sides)
            continue
        for lane in range(LANES):
            words[place, lane] = _four(
                words[place, lane], (first, second, third), np.uint32(kinds), sides
            )
    more = np.uint32(kinds**_FOUR)
    for step in range(patterns.shape[0]):
        if group == _FOUR:
            for lane in range(LANES):
                patterns[step, lane] = words[step, lane]
            continue
        for lane in range(LANES):
            before = np.uint32(words[2 * step, lane] * more)
            patterns[step, lane] = before + words[2 * step + 1, lane]


@compiled_inside
def _four(
    word: np.uint32,
    lasts: tuple[np.uint32, np.uint32, np.uint32],
    kinds: np.uint32,
    sides: np.uint32,
) -> np.uint32:
    """Return the pattern of a word's four results, of at most four kinds."""
    first, second, third = lasts
    pattern = np.uint32(0)
    for _ in range(_FOUR):
        beyond = np.uint32(word > first) + np.uint32(word > second)
        beyond = np.uint32(beyond + np.uint32(word > third))
        pattern = np.uint32(np.uint32(pattern * kinds) + beyond)
        word = np.uint32(word * sides)
    return pattern


@compiled_inside
def _four_of_two(word: np.uint32, last: np.uint32, sides: np.uint32) -> np.uint32:
    """Return the pattern as `_four` does, for two kinds, the most common case."""
    pattern = np.uint32(0)
    for _ in range(_FOUR):
        pattern = np.uint32(np.uint32(pattern << np.uint32(1)) | np.uint32(word > last))
        word = np.uint32(word * sides)
    return pattern


class PatternCuts(NamedTuple):
    """The cuts of a plan's words into patterns of `group` results."""

    narrow: _WordCuts
    """For words of 32 bits."""
    wide: _WordCuts
    """For words of 64 bits."""
    is_wide: bool
    group: int


class LanePatterns(NamedTuple):
    """The next block of each lane's session, drawn and cut."""

    blocks: Words
    sessions: Words
    words: Words
    pairs: Words
    patterns: Words


def pattern_cuts(plan: SessionPlan, group: int) -> PatternCuts:
    wide = plan.dice.bits == 64
    return PatternCuts(word_cuts(plan, 32), word_cuts(plan, 64), wide, group)


def new_patterns(steps: int) -> LanePatterns:
    return LanePatterns(
        blocks=np.zeros(LANES, np.uint64),
        sessions=np.zeros(LANES, np.uint64),
        words=np.zeros((4, LANES), np.uint32),
        pairs=np.zeros((2, LANES), np.uint64),
        patterns=np.zeros((steps, LANES), np.uint32),
    )


@compiled_bare
def draw_patterns(lanes: LanePatterns, by: PatternCuts, seed: np.uint64) -> None:
    """Draw and cut the next block of every lane."""
    blocks, sessions, words = lanes.blocks, lanes.sessions, lanes.words
    draw(blocks, sessions, seed, words)
    if by.is_wide:
        pair(words, lanes.pairs)
        _redraw(lanes.pairs, blocks, sessions, seed, by.wide.rejecting)
        cut(lanes.pairs, by.wide, by.group, lanes.patterns)
        return
    _redraw(words, blocks, sessions, seed, by.narrow.rejecting)
    if len(by.narrow.lasts) > 0 and by.group in FOURS:
        _cut_four(words, by.narrow, by.group, lanes.patterns)
    else:
        cut(words, by.narrow, by.group, lanes.patterns)
