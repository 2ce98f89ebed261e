"""The stakes that make a bankroll grow fastest, on areas that never win together.

The logarithm of the bankroll grows (Kelly). With k chips kept and x on an area that
returns r chips for one with the chance p, the area adds p·log(k + r·x), whatever lies
elsewhere. So for a given total Kelly's stakes are p/λ - k/r in parts of chips, and the
best whole stakes are found by moving single chips until no move helps: each area's
share is concave.

In parts of chips the best growth is concave in the total, and the multiplier λ bounds
it from above. Totals are tried outwards from the highest bound until the bound is no
better than the stakes found. If the minima forbid these stakes, areas must be alike,
and those with the greatest chances are staked on: none of them, one, two, …
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, inf, log, log1p

from croupier.lab.sessions.strategy import SessionError

ROUNDING = 1e-12
"""More than all roundings of a growth together."""
_BISECTIONS = 60
_NEWTON_STEPS = 40


@dataclass(frozen=True)
class StakeChoice:
    """An area to stake on: what it returns for a chip, how likely, and its limits."""

    name: str
    returns: tuple[int, ...]
    """The chip itself included; for each way of winning."""
    chances: tuple[Fraction, ...]
    least: int
    most: int

    @cached_property
    def _ways(self) -> tuple[tuple[int, float], ...]:
        return tuple(zip(self.returns, map(float, self.chances), strict=True))

    def worth(self, kept: float, chips: float) -> float:
        """Return what the area adds to the mean logarithm."""
        return sum(p * log(kept + r * chips) for r, p in self._ways)

    def step(self, kept: float, chips: int) -> float:
        """Return what one chip more adds."""
        return sum(p * log1p(r / (kept + r * chips)) for r, p in self._ways)

    def slope(self, kept: float, chips: float) -> float:
        """Return what a little more on the area adds, for each chip of it."""
        return sum(p * r / (kept + r * chips) for r, p in self._ways)

    def chips_at(self, kept: float, slope: float) -> float:
        """Return the chips in parts, from 0 up, beyond which more adds less than this.

        With one way of winning this is Kelly's formula. With more it is Newton's
        method: the slope falls, and ever more slowly, so that the method comes from
        the left and never passes the place.
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
    """Return the best stakes for a bankroll in chips, of which some part is kept.

    Raises `SessionError` if the minima matter and the areas differ.
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
    """The search for one bankroll, in chips, from `least` to `most` on each area."""

    def __init__(self, choices: Sequence[StakeChoice], bankroll: Fraction) -> None:
        self._bankroll, self._choices = float(bankroll), choices
        self._fewest = sum(each.least for each in choices)
        self._most = min(sum(each.most for each in choices), ceil(bankroll) - 1)
        won = (chance for each in choices for chance in each.chances)
        self._nothing_wins = float(1 - sum(won, Fraction(0)))

    def run(self) -> FastestGrowth:
        """Return the best whole stakes, by totals outwards from the highest bound."""
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
        """Return the total with the highest bound, by halving: it is concave."""
        low, high = self._fewest, self._most
        while low < high:
            middle = (low + high) // 2
            if self._bound(middle + 1) > self._bound(middle):
                low = middle + 1
            else:
                high = middle
        return low

    def _best_of(self, total: int) -> FastestGrowth:
        stakes = self._spread(total)
        kept = self._bankroll - total
        growth = self._nothing_wins * log(kept) - log(self._bankroll)
        for each, chips in zip(self._choices, stakes, strict=True):
            growth += each.worth(kept, chips)
        return FastestGrowth(stakes, growth)

    def _in_parts(self, kept: float, slope: float) -> list[float]:
        """Return the stakes in parts of chips at which a little more adds the slope."""
        return [
            min(max(each.chips_at(kept, slope), each.least), each.most)
            for each in self._choices
        ]

    def _slope(self, total: int) -> float:
        """Return the slope at which the stakes in parts of chips come to the total.

        By false position (Illinois): the total falls as the slope rises.
        """
        kept = self._bankroll - total

        def over(slope: float) -> float:
            return sum(self._in_parts(kept, slope)) - total

        high = max(each.slope(kept, 0.0) for each in self._choices)
        low = high
        above = below = over(high)
        while below <= 0.0:
            if low < high * 1e-30:
                return low
            low /= 2
            below = over(low)
        for _ in range(_BISECTIONS):
            if high - low <= 1e-16 * high or above == 0.0:
                break
            middle = high - above * (high - low) / (above - below)
            found = over(middle)
            if found > 0.0:
                low, below, above = middle, found, above / 2
            else:
                high, above, below = middle, found, below / 2
        return high

    def _bound(self, total: int) -> float:
        """Return what no stakes of this total grow by more than.

        Each share lies below its tangent, wherever that touches it.
        """
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
        """Return the best whole stakes of this total, exactly: no move helps."""
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
