"""What a competent user would write in numba: one session after another, compiled.

The same sessions as the numpy program, on one thread, with numba's own generator (its
fractions are twice as quick here as its whole numbers); and
the bare loop that every simulator on Philox has inside: four random words, an outcome
from each by multiplication, rejected where it would not be fair, and added up.
"""

from __future__ import annotations

import numba
import numpy as np

MASK, HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
FIRST, SECOND = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
LOW_STEP, HIGH_STEP = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)


@numba.njit(nogil=True)
def flat(
    bankroll: int, target: int, rounds: int, sessions: int
) -> tuple[int, int, int]:
    played = ruined = reached = 0
    for _ in range(sessions):
        now = bankroll
        for _ in range(rounds):
            played += 1
            if int(37 * np.random.random()) < 18:
                now += 1
            else:
                now -= 1
            if now <= 0:
                ruined += 1
                break
            if now >= target:
                reached += 1
                break
    return played, ruined, reached


@numba.njit(nogil=True)
def martingale(
    bankroll: int, target: int, rounds: int, sessions: int, maximum: int
) -> tuple[int, int, int]:
    played = ruined = reached = 0
    for _ in range(sessions):
        now, asked = bankroll, 1
        for _ in range(rounds):
            played += 1
            stake = min(asked, now)
            if int(37 * np.random.random()) < 18:
                now += stake
                asked = 1
            else:
                now -= stake
                asked = 1 if asked == maximum else 2 * asked
            if now <= 0:
                ruined += 1
                break
            if now >= target:
                reached += 1
                break
    return played, ruined, reached


@numba.njit(nogil=True)
def bare_philox(first: int, blocks: int, seed: int, sides: int) -> tuple[int, int]:
    """Four outcomes from each block; how many were not rejected, and their sum."""
    below, faces = np.uint64(2**32 % sides), np.uint64(sides)
    drawn, total = np.uint64(0), np.uint64(0)
    for block in range(first, first + blocks):
        zero, one, two, three = (
            np.uint64(block),
            np.uint64(0),
            np.uint64(0),
            np.uint64(0),
        )
        low, high = np.uint64(seed) & MASK, np.uint64(seed) >> HALF
        for _ in range(10):
            left, right = (zero & MASK) * FIRST, (two & MASK) * SECOND
            zero, one = right >> HALF ^ one ^ low, right & MASK
            two, three = left >> HALF ^ three ^ high, left & MASK
            low, high = low + LOW_STEP & MASK, high + HIGH_STEP & MASK
        for word in (zero, one, two, three):
            product = word * faces
            fair = (product & MASK) >= below
            drawn += np.uint64(fair)
            total += (product >> HALF) * np.uint64(fair)
    return drawn, total
