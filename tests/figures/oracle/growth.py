"""Stakes for growth: the greatest mean logarithm, every way to share chips tried."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import product


def growth(
    chances: Mapping[str, Fraction], stakes: Mapping[str, int], bankroll: int
) -> float:
    """Return the mean logarithm of the bankroll after a round, as a part of it."""
    left = bankroll - sum(stakes.values())
    return math.fsum(
        float(chance) * math.log((left + 36 * stakes.get(number, 0)) / bankroll)
        for number, chance in chances.items()
    )


def exact_growth(
    chances: Mapping[str, Fraction], stakes: Mapping[str, int], bankroll: int
) -> Decimal:
    """Return the same in fifty digits."""
    left = bankroll - sum(stakes.values())
    with localcontext() as context:
        context.prec = 50
        found = Decimal(0)
        for number, chance in chances.items():
            then = Decimal(left + 36 * stakes.get(number, 0)) / bankroll
            found += then.ln() * chance.numerator / chance.denominator
        return +found


def growth_in_parts(chances: Iterable[Fraction]) -> float:
    """Return the greatest growth if stakes may be any parts of the bankroll.

    Numbers are taken in, the likeliest first, as long as each brings back more than
    is kept; with them the kept part is known (Smoczynski and Tomkins).
    """
    kept, rest, found = Fraction(1), Fraction(1), 0.0
    for many, chance in enumerate(sorted(chances, reverse=True)):
        if 36 * chance <= kept:
            break
        rest -= chance
        found += float(chance) * math.log(36 * chance)
        kept = rest / (1 - Fraction(many + 1, 36))
    return found + float(rest) * math.log(kept)


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


def growth_on_areas(
    areas: Sequence[tuple[Fraction, int]], bankroll: int, most: int
) -> float:
    """Return the greatest growth on areas that never win together, all stakes tried.

    Each area is how likely it wins, and what it pays to one.
    """
    nothing = 1 - sum((chance for chance, _ in areas), Fraction(0))
    best = 0.0
    for stakes in product(range(min(most, bankroll) + 1), repeat=len(areas)):
        left = bankroll - sum(stakes)
        if left <= 0:
            continue
        found = float(nothing) * math.log(left / bankroll)
        for stake, (chance, pays) in zip(stakes, areas, strict=True):
            then = (left + stake * (pays + 1)) / bankroll
            found += float(chance) * math.log(then)
        best = max(best, found)
    return best
