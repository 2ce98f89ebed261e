"""Random words cut into results, several rounds in one number: their pattern.

Whether a digit is beyond a kind of result is seen from the fraction itself, before it
is multiplied: so a digit is never known as such, and needs no table.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.simulator.cpu_philox import (
    LANES,
    Words,
    compiled_inside,
    compiled_loop,
)
from croupier.simulator.plan import Plan

_FOUR = 4
"""So many digits share a word of the games' wheels."""
FOURS = (_FOUR, 2 * _FOUR)
"""How many results a pattern of `cut_four` may have."""


class Cutting(NamedTuple):
    """How words become patterns, for words of 32 bits or of 64."""

    bounds: Words
    """The first word beyond each kind of result but the last."""
    lasts: Words
    """The word before it, for three kinds at most; empty where `cut_four` can't cut."""
    sides: Words
    rejecting: Words
    """What a word is multiplied by, and below what it is rejected then."""


def cutting(plan: Plan, width: int) -> Cutting:
    """For words of `width` bits; of no use where the plan has others."""
    dice, kind = plan.dice, np.uint32 if width == 32 else np.uint64
    bounds: list[int] = []
    power, below = 1, 0
    one = 1 << width
    if dice.bits == width:
        bounds = [-(-end * one // dice.sides) for end in plan.ends[:-1]]
        power, below = dice.sides**dice.per_word % one, dice.rejected_below
    lasts = [bound - 1 for bound in bounds] + [one - 1] * (3 - len(bounds))
    quick = width == 32 and dice.per_word == _FOUR and len(lasts) == 3
    return Cutting(
        np.array(bounds, kind),
        np.array(lasts if quick and min(lasts) >= 0 else [], kind),
        np.array([dice.sides % one], kind),
        np.array([power, below], kind),
    )


@compiled_loop
def cut(words: Words, cutting: Cutting, group: int, patterns: Words) -> None:
    """Cut the words of each lane into results, `group` of them to a pattern.

    The first result of a pattern weighs most in it.
    """
    kinds = np.uint32(len(cutting.bounds) + 1)
    sides = cutting.sides[0]
    per_word = patterns.shape[0] * group // words.shape[0]
    for step in range(patterns.shape[0]):
        for lane in range(LANES):
            patterns[step, lane] = np.uint32(0)
    for place in range(words.shape[0]):
        for digit in range(per_word):
            step = (place * per_word + digit) // group
            for lane in range(LANES):
                patterns[step, lane] = np.uint32(patterns[step, lane] * kinds)
            for bound in cutting.bounds:
                for lane in range(LANES):
                    beyond = np.uint32(words[place, lane] >= bound)
                    patterns[step, lane] = np.uint32(patterns[step, lane] + beyond)
            for lane in range(LANES):
                words[place, lane] = words[place, lane] * sides


@compiled_loop
def cut_four(words: Words, cutting: Cutting, group: int, patterns: Words) -> None:
    """As `cut`, for four digits a word, four kinds at most, and whole words a step."""
    kinds, sides, lasts = len(cutting.bounds) + 1, cutting.sides[0], cutting.lasts
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
    """The pattern of a word's four results, of four kinds at most."""
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
    """As `_four`, for two kinds: what most wagers have, and quicker."""
    pattern = np.uint32(0)
    for _ in range(_FOUR):
        pattern = np.uint32(np.uint32(pattern << np.uint32(1)) | np.uint32(word > last))
        word = np.uint32(word * sides)
    return pattern
