"""What a competent user would write in numpy: many sessions at once, round by round.

Single-zero roulette, one unit on red. A batch of sessions is small enough to stay near
the core; those that have ended leave the arrays. The martingale doubles after a loss,
starts again over the maximum, and stakes what is left over the bankroll.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

BATCH = 1 << 14


@dataclass(frozen=True, slots=True)
class Played:
    """Sums over all sessions, in units of the wager."""

    sessions: int
    rounds: int
    ruined: int
    reached: int


def flat(bankroll: int, target: int, rounds: int, sessions: int) -> Played:
    rng = np.random.Generator(np.random.SFC64())
    played = ruined = reached = 0
    for start in range(0, sessions, BATCH):
        now = np.full(min(BATCH, sessions - start), bankroll, np.int32)
        for _ in range(rounds):
            played += now.size
            red = rng.integers(0, 37, now.size, np.uint8) < 18
            now += np.where(red, np.int32(1), np.int32(-1))
            if now.size and (now.min() <= 0 or now.max() >= target):
                ruined += np.count_nonzero(now <= 0)
                reached += np.count_nonzero(now >= target)
                now = now[(now > 0) & (now < target)]
    return Played(sessions, played, int(ruined), int(reached))


def martingale(
    bankroll: int, target: int, rounds: int, sessions: int, maximum: int = 64
) -> Played:
    rng = np.random.Generator(np.random.SFC64())
    played = ruined = reached = 0
    for start in range(0, sessions, BATCH):
        now = np.full(min(BATCH, sessions - start), bankroll, np.int32)
        asked = np.ones_like(now)
        for _ in range(rounds):
            played += now.size
            red = rng.integers(0, 37, now.size, np.uint8) < 18
            stake = np.minimum(asked, now)
            now += np.where(red, stake, -stake)
            asked = np.where(red | (asked == maximum), np.int32(1), 2 * asked)
            if now.size and (now.min() <= 0 or now.max() >= target):
                ruined += np.count_nonzero(now <= 0)
                reached += np.count_nonzero(now >= target)
                going_on = (now > 0) & (now < target)
                now, asked = now[going_on], asked[going_on]
    return Played(sessions, played, int(ruined), int(reached))


def counts_at_once(rounds: int, sessions: int) -> int:
    """Flat, without an end: how often red comes up in each session, drawn as one."""
    rng = np.random.Generator(np.random.SFC64())
    wins = rng.binomial(rounds, 18 / 37, sessions)
    return int((2 * wins - rounds).sum())
