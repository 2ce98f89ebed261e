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
NO_BIN = -1


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
def bin_of(bankroll: int, by: CountTerms) -> int:
    """Return the bin of a final bankroll; one outside fails the tally's check."""
    return bankroll >> by.bin_shift if 0 <= bankroll <= by.highest else NO_BIN


@compiled_inside
def count_figures(  # noqa: PLR0917 - a loop is given its columns one by one
    end: int, rounds: int, staked: int, bankroll: int, by: CountTerms, words: Words
) -> None:
    """Count the end of a session, and add its figures to the sums."""
    words[end] += _ONE
    words[AHEAD] += np.uint64(bankroll > by.bankroll)
    _add(words, ROUNDS, rounds, by.rounds_shift)
    _add(words, STAKED, staked, by.staked_shift)
    _add(words, BANKROLL, bankroll, by.bankroll_shift)


@compiled_inside
def count(  # noqa: PLR0917 - a loop is given its columns one by one
    end: int, rounds: int, staked: int, bankroll: int, by: CountTerms, share: Share
) -> None:
    """Count an ended session, with its bin."""
    count_figures(end, rounds, staked, bankroll, by, share.words)
    place = bin_of(bankroll, by)
    if place != NO_BIN:
        share.bins[place] += _ONE


@compiled_inside
def _add(words: Words, what: int, value: int, shift: int) -> None:
    """Add a value to its sum, and its square to the sum of the squares."""
    place, whole = SUMS + 2 * what, np.uint64(value)
    square = (whole >> np.uint64(shift)) * (whole >> np.uint64(shift))
    words[place] += whole & _LOWER
    words[place + 1] += whole >> _HALF
    words[place + _SQUARES] += square & _LOWER
    words[place + _SQUARES + 1] += square >> _HALF
