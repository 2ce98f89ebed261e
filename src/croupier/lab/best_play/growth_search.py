"""The stakes that make a bankroll grow fastest, on areas that never win together.

The best stakes maximise the mean logarithm of the bankroll (Kelly). With k chips kept
and x on an area that returns r chips for one with chance p, the area adds
p·log(k + r·x). So for a given total, Kelly's stakes are p/λ - k/r in fractional chips.
Each area's term is concave, so the best whole stakes are those that no move of one chip
improves.

In fractional chips the best growth is concave in the total, and the multiplier λ bounds
it from above. The search tries totals outwards from the highest bound until the bound
is no better than the stakes found. If the minima forbid these stakes, the areas must be
alike, and the search stakes on the likeliest ones: none of them, one, two, …
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, inf, log, log1p

from croupier.lab.sessions.strategy import SessionError

ROUNDING = 1e-12
"""Bound on all rounding errors of a growth together."""
_BISECTIONS = 60
_NEWTON_STEPS = 40


@dataclass(frozen=True)
class StakeChoice:
    """An area to stake on: its returns, their chances, and its limits in chips."""

    name: str
    returns: tuple[int, ...]
    """For each way of winning, the chips returned for one, including itself."""
    chances: tuple[Fraction, ...]
    least: int
    most: int

    @property
    def edge(self) -> Fraction:
        """The Player's expected win from a chip on the area."""
        pairs = zip(self.returns, self.chances, strict=True)
        return sum((gives * chance for gives, chance in pairs), Fraction(0)) - 1

    @cached_property
    def _ways(self) -> tuple[tuple[int, float], ...]:
        return tuple(zip(self.returns, map(float, self.chances), strict=True))

    def worth(self, kept: float, chips: float) -> float:
        return sum(p * log(kept + r * chips) for r, p in self._ways)

    def step(self, kept: float, chips: int) -> float:
        return sum(p * log1p(r / (kept + r * chips)) for r, p in self._ways)

    def slope(self, kept: float, chips: float) -> float:
        return sum(p * r / (kept + r * chips) for r, p in self._ways)

    def chips_at(self, kept: float, slope: float) -> float:
        """Return the fractional chips, at least 0, at which the slope has this value.

        With one way of winning this is Kelly's formula, with more it is Newton's
        method: the slope is decreasing and convex, so the method approaches the place
        from the left and never passes it.
        """
        if len(self._ways) == 1:
            [(r, p)] = self._ways
            return max(0.0, p / slope - kept / r)
        chips = 0.0
        for _ in range(_NEWTON_STEPS):
            now = self.slope(kept, chips)
            if now <= slope:
                break
            bend = sum(p * (r / (kept + r * chips)) ** 2 for r, p in self._ways)
            step = (now - slope) / bend
            chips += step
            if step <= 1e-15 * (1 + chips):
                break
        return chips


@dataclass(frozen=True, slots=True)
class FastestGrowth:
    """The best stakes and their growth, to within `ROUNDING`."""

    stakes: tuple[int, ...]
    growth: float


def fastest_growth(choices: Sequence[StakeChoice], bankroll: Fraction) -> FastestGrowth:
    """Return the best stakes for a bankroll in chips; they always leave some of it.

    Raises `SessionError` if the minima forbid Kelly's stakes and the areas differ.
    """
    most = ceil(bankroll) - 1
    bounded = [replace(each, most=min(each.most, most)) for each in choices]
    free = _GrowthSearch([replace(each, least=0) for each in bounded], bankroll).run()
    pairs = list(zip(free.stakes, choices, strict=True))
    if all(chips == 0 or chips >= each.least for chips, each in pairs):
        return free
    _check_alike(choices)
    order = sorted(range(len(choices)), key=lambda at: -sum(choices[at].chances))
    best = FastestGrowth((0,) * len(choices), 0.0)
    for count in range(1, 1 + min(len(order), most // choices[0].least)):
        used = order[:count]
        found = _GrowthSearch([bounded[at] for at in used], bankroll).run()
        if found.growth > best.growth:
            chips = dict(zip(used, found.stakes, strict=True))
            stakes = tuple(chips.get(at, 0) for at in range(len(choices)))
            best = FastestGrowth(stakes, found.growth)
    return best


def _check_alike(choices: Sequence[StakeChoice]) -> None:
    if len({(each.returns, each.least, each.most) for each in choices}) > 1:
        raise SessionError(
            "areas that pay or are limited differently are searched in chips of at"
            " least their minimum: choose a larger chip unit, or name areas of one kind"
        )


class _GrowthSearch:
    """The search for one bankroll, with `least` to `most` chips on each area."""

    def __init__(self, choices: Sequence[StakeChoice], bankroll: Fraction) -> None:
        self._bankroll, self._choices = float(bankroll), choices
        self._fewest = sum(each.least for each in choices)
        self._most = min(sum(each.most for each in choices), ceil(bankroll) - 1)
        won = (chance for each in choices for chance in each.chances)
        self._nothing_wins = float(1 - sum(won, Fraction(0)))

    def run(self) -> FastestGrowth:
        """Return the best whole stakes, from the highest bound outwards."""
        middle = self._highest()
        best = self._best_of(middle)
        above = range(middle + 1, self._most + 1)
        below = range(middle - 1, self._fewest - 1, -1)
        for totals in (above, below):
            for total in totals:
                if self._bound(total) <= best.growth:
                    break
                best = max(best, self._best_of(total), key=lambda found: found.growth)
        return best

    def _highest(self) -> int:
        """Return the total with the highest bound by bisection: it is concave."""

        def falls(total: int) -> bool:
            return self._bound(total + 1) <= self._bound(total)

        totals = range(self._fewest, self._most)
        return self._fewest + bisect_left(totals, True, key=falls)

    def _best_of(self, total: int) -> FastestGrowth:
        stakes = self._spread(total)
        kept = self._bankroll - total
        growth = self._nothing_wins * log(kept) - log(self._bankroll)
        for each, chips in zip(self._choices, stakes, strict=True):
            growth += each.worth(kept, chips)
        return FastestGrowth(stakes, growth)

    def _in_parts(self, kept: float, slope: float) -> list[float]:
        """Return the fractional stakes at which each area has this slope."""
        return [
            min(max(each.chips_at(kept, slope), each.least), each.most)
            for each in self._choices
        ]

    def _slope(self, total: int) -> float:
        """Return the slope at which the fractional stakes add up to the total."""
        kept = self._bankroll - total
        low, high = 0.0, max(each.slope(kept, 0.0) for each in self._choices)
        for _ in range(_BISECTIONS):
            middle = (low + high) / 2
            # The total falls as the slope rises.
            if sum(self._in_parts(kept, middle)) > total:
                low = middle
            else:
                high = middle
        return high

    def _bound(self, total: int) -> float:
        """Bound the growth of all stakes with this total, by tangents of the terms."""
        kept = self._bankroll - total
        slope = self._slope(total)
        bound = slope * total - log(self._bankroll) + self._nothing_wins * log(kept)
        stakes = self._in_parts(kept, slope)
        for each, at in zip(self._choices, stakes, strict=True):
            rest = each.slope(kept, at) - slope
            bound += each.worth(kept, at) - slope * at
            bound += max(0.0, rest * (each.most - at), rest * (each.least - at))
        return bound

    def _spread(self, total: int) -> tuple[int, ...]:
        """Return the best whole stakes of this total: no move of a chip helps."""
        kept = self._bankroll - total
        stakes = [int(chips) for chips in self._in_parts(kept, self._slope(total))]

        def gain(at: int) -> float:
            each = self._choices[at]
            return -inf if stakes[at] >= each.most else each.step(kept, stakes[at])

        def loss(at: int) -> float:
            each = self._choices[at]
            return inf if stakes[at] <= each.least else each.step(kept, stakes[at] - 1)

        places = range(len(stakes))
        while (staked := sum(stakes)) != total:
            if staked < total:
                stakes[max(places, key=gain)] += 1
            else:
                stakes[min(places, key=loss)] -= 1
        while True:
            to, from_ = max(places, key=gain), min(places, key=loss)
            if to == from_ or gain(to) <= loss(from_) + 1e-17:
                return tuple(stakes)
            stakes[to] += 1
            stakes[from_] -= 1
