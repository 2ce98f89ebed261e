"""The stakes that make a bankroll grow fastest, on areas that never win together.

What grows is the logarithm of the bankroll (Kelly). With k chips kept and x on an area
that returns r chips for one with the chance p, the area adds p·log(k + r·x), whatever
lies elsewhere. So for a total that is staked the best whole stakes are found by moving
single chips until no move helps: each area's share is concave.

Totals are tried outwards from where the best stakes in parts of chips lie. That optimum
is concave in the total, and a multiplier bounds it from above; where the bound is no
better than what was found, no total further out is. A least stake that is more than one
chip splits the search in two: nothing on the area, or at least that much.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from math import ceil, inf, log, log1p

ROUNDING = 1e-12
"""More than all roundings of a growth together."""
_BISECTIONS = 60
_ROUGH_BISECTIONS = 20
_NEWTON_STEPS = 40
_MOST_PARTS = 2_000
"""Parts of the search, after which what is left of it is a bound."""


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

    def given_up(self, kept: float, chips: float) -> float:
        """Return what a little less to keep takes from it, for each chip of that."""
        return sum(p / (kept + r * chips) for r, p in self._ways)

    def chips_at(self, kept: float, slope: float) -> float:
        """Return the chips in parts, from 0 up, beyond which more adds less than this.

        By Newton's method: the slope falls, and ever more slowly, so that it comes
        from the left and never passes the place.
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
class _Part:
    """A part of the search: the least and the most chips on each area."""

    lows: tuple[int, ...]
    highs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class FastestGrowth:
    """The best stakes, what they grow by, and what they may fall short by."""

    stakes: tuple[int, ...]
    growth: float
    excess: float
    in_parts: tuple[float, ...]
    """The best stakes in parts of chips, with no least stake."""


class GrowthSearch:
    """The search for one bankroll, in chips; some part of it is always kept."""

    def __init__(self, choices: Sequence[StakeChoice], bankroll: Fraction) -> None:
        self._bankroll = float(bankroll)
        self._most_staked = ceil(bankroll) - 1
        self._choices = list(choices)
        won = (chance for each in choices for chance in each.chances)
        self._nothing_wins = float(1 - sum(won, Fraction(0)))

    def in_parts(self) -> tuple[float, ...]:
        """Return the best stakes in parts of chips, with no least stake."""
        return tuple(self._in_parts(self._up_to(inf), _BISECTIONS))

    def _up_to(self, chips: float) -> _Part:
        """Return all stakes with no more than so many chips on an area."""
        highs = tuple(int(min(each.most, chips)) for each in self._choices)
        return _Part((0,) * len(highs), highs)

    def run(self) -> FastestGrowth:
        """Return the best stakes of all; branch where a least stake is undercut."""
        open_ = [self._up_to(self._most_staked)]
        best = open_[0].lows
        growth = self.growth(best)
        done, missed = 0, -inf
        while open_:
            part = open_.pop()
            stakes, bound = self._best_of(part)
            if bound <= growth:
                continue
            done += 1
            if done > _MOST_PARTS:
                missed = max(missed, bound)
                continue
            undercut = self._undercut(stakes)
            if undercut is None:
                best, growth = stakes, bound
            else:
                open_ += self._split(part, stakes, undercut)
        excess = max(0.0, missed - growth) + ROUNDING
        return FastestGrowth(best, growth, excess, self.in_parts())

    def growth(self, stakes: Sequence[float]) -> float:
        """Return the mean logarithm of what the bankroll is multiplied by."""
        kept = self._bankroll - sum(stakes)
        nothing = self._nothing_wins
        return (
            (nothing * log(kept) if nothing else 0.0)
            + sum(
                each.worth(kept, chips)
                for each, chips in zip(self._choices, stakes, strict=True)
            )
            - log(self._bankroll)
        )

    def _undercut(self, stakes: Sequence[int]) -> int | None:
        """Return an area with less on it than may lie there."""
        for place, chips in enumerate(stakes):
            if 0 < chips < self._choices[place].least:
                return place
        return None

    def _split(self, part: _Part, stakes: Sequence[int], at: int) -> list[_Part]:
        """Return both ways out, the likelier last.

        Of areas that are alike the first ones get no less than the others.
        """
        mine = replace(self._choices[at], name="")
        alike = [
            place
            for place, each in enumerate(self._choices)
            if replace(each, name="") == mine
        ]
        lows, highs = list(part.lows), list(part.highs)
        for place in alike:
            if place <= at:
                lows[place] = max(lows[place], mine.least)
            if place >= at:
                highs[place] = 0
        parts = []
        if all(low <= high for low, high in zip(part.lows, highs, strict=True)):
            parts.append(_Part(part.lows, tuple(highs)))
        if all(low <= high for low, high in zip(lows, part.highs, strict=True)):
            parts.append(_Part(tuple(lows), part.highs))
        return parts if 2 * stakes[at] >= mine.least else parts[::-1]

    def _best_of(self, part: _Part) -> tuple[tuple[int, ...], float]:
        """Return the best whole stakes of a part, and their growth."""
        least, most = sum(part.lows), min(sum(part.highs), self._most_staked)
        if least > most:
            return part.lows, -inf
        middle = min(
            max(round(sum(self._in_parts(part, _ROUGH_BISECTIONS))), least), most
        )
        best = self._spread(part, middle)
        growth = self.growth(best)
        for totals in (range(middle + 1, most + 1), range(middle - 1, least - 1, -1)):
            for total in totals:
                if self._bound(part, total) <= growth:
                    break
                stakes = self._spread(part, total)
                if (found := self.growth(stakes)) > growth:
                    best, growth = stakes, found
        return best, growth

    def _clipped(self, part: _Part, kept: float, slope: float) -> list[float]:
        """Return the stakes in parts of chips at which a little more adds the slope."""
        return [
            min(max(each.chips_at(kept, slope), low), high)
            for each, low, high in zip(
                self._choices, part.lows, part.highs, strict=True
            )
        ]

    def _slope(self, part: _Part, total: float) -> float:
        """Return the slope at which the stakes in parts of chips come to the total.

        By false position (Illinois): what is staked falls as the slope rises.
        """
        kept = self._bankroll - total

        def over(slope: float) -> float:
            return sum(self._clipped(part, kept, slope)) - total

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

    def _in_parts(self, part: _Part, bisections: int) -> list[float]:
        """Return the best stakes in parts of chips, as near as so many steps come."""
        low = float(sum(part.lows))
        high = min(float(sum(part.highs)), self._bankroll * (1 - 1e-9))
        if low >= high or not self._rises(part, low):
            return [float(chips) for chips in part.lows]
        for _ in range(bisections):
            middle = (low + high) / 2
            if self._rises(part, middle):
                low = middle
            else:
                high = middle
        kept = self._bankroll - low
        return self._clipped(part, kept, self._slope(part, low))

    def _rises(self, part: _Part, total: float) -> bool:
        """Return whether it is better to stake a little more than the total."""
        kept = self._bankroll - total
        slope = self._slope(part, total)
        stakes = self._clipped(part, kept, slope)
        given_up = self._nothing_wins / kept + sum(
            each.given_up(kept, chips)
            for each, chips in zip(self._choices, stakes, strict=True)
        )
        return slope > given_up

    def _bound(self, part: _Part, total: int) -> float:
        """Return what no stakes of this total grow by more than.

        Each share lies below its tangent, wherever that touches it.
        """
        kept = self._bankroll - total
        slope = self._slope(part, total)
        bound = slope * total - log(self._bankroll)
        if self._nothing_wins:
            bound += self._nothing_wins * log(kept)
        stakes = self._clipped(part, kept, slope)
        for each, at, low, high in zip(
            self._choices, stakes, part.lows, part.highs, strict=True
        ):
            rest = each.slope(kept, at) - slope
            bound += each.worth(kept, at) - slope * at
            bound += max(0.0, rest * (high - at), rest * (low - at))
        return bound

    def _spread(self, part: _Part, total: int) -> tuple[int, ...]:
        """Return the best whole stakes of this total, exactly: no move helps."""
        kept = self._bankroll - total
        parts = self._clipped(part, kept, self._slope(part, total))
        stakes = [
            min(max(int(chips), low), high)
            for chips, low, high in zip(parts, part.lows, part.highs, strict=True)
        ]

        def gain(at: int) -> float:
            if stakes[at] >= part.highs[at]:
                return -inf
            return self._choices[at].step(kept, stakes[at])

        def loss(at: int) -> float:
            if stakes[at] <= part.lows[at]:
                return inf
            return self._choices[at].step(kept, stakes[at] - 1)

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
