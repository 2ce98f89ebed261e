"""What a competent user would write in numpy: a session by dynamic programming.

Flat wagers go by slices of one array, a martingale by the index of where each position
leads. It knows single-zero roulette, one wager that pays `pays` to 1, and a martingale
that starts again over the maximum and stakes what is left over the bankroll.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Answer:
    """Everything counted in units of the wager."""

    reached: float
    ruined: float
    rounds: float
    staked: float


def flat(bankroll: int, target: int, rounds: int, covers: int, pays: int) -> Answer:
    """One unit a round on an area of so many numbers."""
    p, q = covers / 37, 1 - covers / 37
    now = np.zeros(target + pays)
    now[bankroll] = 1.0
    reached = ruined = played = 0.0
    for _ in range(rounds):
        played += now.sum()
        then = np.zeros_like(now)
        then[1 + pays : target + pays] += p * now[1:target]
        then[: target - 1] += q * now[1:target]
        reached += then[target:].sum()
        ruined += then[0]
        then[target:] = 0.0
        then[0] = 0.0
        now = then
    return Answer(reached, ruined, played, played)


def martingale(
    bankroll: int, target: int, rounds: int, *, maximum: int, covers: int, pays: int
) -> Answer:
    """Doubles after a loss; bankrolls × stakes in one array, moved by index."""
    p, q = covers / 37, 1 - covers / 37
    asked = [2**k for k in range(maximum.bit_length()) if 2**k <= maximum]
    width = target + pays * maximum + 1
    at = np.arange(width)
    stake = np.minimum(np.array(asked)[:, None], at[None, :])
    level = np.arange(len(asked))[:, None]
    after_loss = (level + 1) % len(asked)
    live = (at >= 1) & (at < target)
    win_to = np.where(live, at + pays * stake, at + level * width)
    lose_to = np.where(live, after_loss * width + at - stake, at + level * width)
    win_to, lose_to = win_to.ravel(), lose_to.ravel()
    live = np.broadcast_to(live, stake.shape).ravel()
    stake = stake.ravel()
    now = np.zeros(stake.size)
    now[bankroll] = 1.0
    played = staked = 0.0
    for _ in range(rounds):
        moving = np.where(live, now, 0.0)
        played += moving.sum()
        staked += (moving * stake).sum()
        resting = now - moving
        now = (
            resting
            + np.bincount(win_to, p * moving, now.size)
            + np.bincount(lose_to, q * moving, now.size)
        )
    ended = now.reshape(len(asked), width).sum(axis=0)
    return Answer(float(ended[target:].sum()), float(ended[0]), played, staked)
