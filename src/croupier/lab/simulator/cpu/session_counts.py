"""Ended sessions counted into a tally, compiled."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from croupier.lab.simulator.cpu.random_words import Words, compiled_inside
from croupier.lab.simulator.plan import (
    AHEAD,
    BANKROLL,
    ROUNDS,
    STAKED,
    SUMS,
    SimulationPlan,
)

_LOWER = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)
_ONE = np.uint64(1)
_SQUARES = 2 * 3
"""The words between a sum and the sum of its squares."""


class Share(NamedTuple):
    """The sessions to play, their seed, and the arrays that count them."""

    seed: np.uint64
    first: int
    sessions: int
    words: Words
    bins: Words


class CountTerms(NamedTuple):
    """The bankrolls a session is compared with, and the shifts of its figures."""

    bankroll: int
    highest: int
    bin_shift: int
    rounds_shift: int
    staked_shift: int
    bankroll_shift: int


def count_terms(plan: SimulationPlan) -> CountTerms:
    return CountTerms(plan.bankroll, plan.highest, plan.bin_shift, *plan.shifts)


@compiled_inside
def count(  # noqa: PLR0917 - a loop is given its columns one by one
    end: int, rounds: int, staked: int, bankroll: int, by: CountTerms, share: Share
) -> None:
    """Count an ended session; a bankroll without a bin fails the tally's check."""
    words = share.words
    words[end] += _ONE
    words[AHEAD] += np.uint64(bankroll > by.bankroll)
    _add(words, ROUNDS, rounds, by.rounds_shift)
    _add(words, STAKED, staked, by.staked_shift)
    _add(words, BANKROLL, bankroll, by.bankroll_shift)
    if 0 <= bankroll <= by.highest:
        share.bins[bankroll >> by.bin_shift] += _ONE


@compiled_inside
def _add(words: Words, what: int, value: int, shift: int) -> None:
    """Add a value to its sum, and its square to the sum of the squares."""
    place, whole = SUMS + 2 * what, np.uint64(value)
    square = (whole >> np.uint64(shift)) * (whole >> np.uint64(shift))
    words[place] += whole & _LOWER
    words[place + 1] += whole >> _HALF
    words[place + _SQUARES] += square & _LOWER
    words[place + _SQUARES + 1] += square >> _HALF
