"""Stakes for growth: the greatest mean logarithm, every way to share chips tried."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction


def growth(
    chances: Mapping[str, Fraction], stakes: Mapping[str, int], bankroll: int
) -> float:
    """Return the mean logarithm of the bankroll after a round, as a part of it."""
    left = bankroll - sum(stakes.values())
    return math.fsum(
        float(chance) * math.log((left + 36 * stakes.get(number, 0)) / bankroll)
        for number, chance in chances.items()
    )


def greatest_growth(
    chances: Mapping[str, Fraction], bankroll: int, allowed: Sequence[int]
) -> float:
    """Return the greatest growth with whole chips on straight-ups, something kept.

    For each total staked, numbers are taken one by one: `shared[s]` is the most that
    those so far give together with s chips on them.
    """
    best = 0.0
    for staked in range(bankroll):
        worth = {
            stake: math.log((bankroll - staked + 36 * stake) / bankroll)
            for stake in (0, *allowed)
            if stake <= staked
        }
        shared = {0: 0.0}
        for chance in chances.values():
            following: dict[int, float] = {}
            for used, value in shared.items():
                for stake, more in worth.items():
                    total = used + stake
                    found = value + float(chance) * more
                    if total <= staked and found > following.get(total, -math.inf):
                        following[total] = found
            shared = following
        best = max(best, shared.get(staked, -math.inf))
    return best
