"""Quantiles of what one wager comes to over many rounds, in plain Python.

The sum is convolved on a circle of its lattice by its waves, the values of its
characteristic function. All but a few dozen waves are so weak that they add nothing;
those are passed over without being looked at one by one.

Laws of this file:
- the circle's width is set by Bernstein's inequality: less than `_BEYOND` is outside;
- angles are reduced in whole numbers, and a wave is reckoned by how far it is from 1,
  so that its power over ten million rounds is as exact as over one;
- waves are passed over where the square of their size, whose second derivative is at
  most twice the variance, can't have risen to what counts;
- a quantile is one of the sum's own values; where a probability is closer than `DOUBT`
  to what was asked for, there is none.
"""

from __future__ import annotations

from cmath import rect
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import (
    atan2,
    ceil,
    cos,
    exp,
    floor,
    gcd,
    lcm,
    log,
    log1p,
    pi,
    sin,
    sqrt,
    tan,
)

from msgspec import Struct

from croupier.numeric.probability import DOUBT, bernstein_reach
from croupier.odds.distribution import Distribution

_BEYOND = 1e-12
"""So little lies outside the circle on which a sum is convolved."""
_NEGLIGIBLE = 1e-13
"""A wave so weak adds nothing to a sum of waves."""
_AFRESH = 256
"""After so many steps an angle is reckoned afresh, before rounding adds up."""
_MOST_TERMS = 30_000
"""Above so many sines a sum is not convolved: it would take too long."""


def sum_quantile(net: Distribution, rounds: int, below: Fraction) -> Fraction | None:
    """Return the least sum over rounds not exceeded with probability `below`.

    None where it would take too long, or where it is in doubt.
    """
    circle = _circle(net, rounds)
    place = None if circle is None else circle.quantile(float(below))
    if circle is None or place is None:
        return None
    lattice = circle.lattice
    whole = rounds * lattice.least + (circle.first + place) * lattice.step
    return Fraction(whole, lattice.common)


class _Lattice(Struct, frozen=True):
    """The results of a round as steps above the least of them."""

    common: int
    least: int
    step: int
    """A result is `(least + place × step) / common`."""
    mean: Fraction
    """Of the places; so are the figures below."""
    variance: float
    skewness: float
    furthest: float
    centred: tuple[tuple[int, float, float], ...]
    """Each place less the mean: times the mean's denominator, as it is; its chance."""


@lru_cache(maxsize=128)
def _lattice(net: Distribution) -> _Lattice:
    common = lcm(*(value.denominator for value in net.values))
    least = int(net.least * common)
    whole = [int(value * common) - least for value in net.values]
    step = gcd(*whole) or 1
    scale = Fraction(common, step)
    mean = (net.mean - net.least) * scale
    centred = tuple(
        (int(apart * mean.denominator), float(apart), float(chance))
        for place, chance in zip(whole, net.probabilities, strict=True)
        for apart in [Fraction(place, step) - mean]
    )
    furthest = max(abs(apart) for _, apart, _ in centred)
    variance = float(net.variance * scale**2)
    return _Lattice(
        common, least, step, mean, variance, net.skewness, furthest, centred
    )


_Wave = tuple[int, complex]
"""A frequency that counts, and its part in what `at_most` sums up."""


class _Circle(Struct, frozen=True):
    """The sum over some rounds, as steps above `first` on a circle of `steps`."""

    lattice: _Lattice
    rounds: int
    first: int
    mean: float
    """Of the sum, in steps above `first`."""
    steps: int
    waves: tuple[_Wave, ...]

    def at_most(self, place: int) -> float:
        """Return the probability that the sum is at most `first + place` steps."""
        length, steps = place + 1, self.steps
        step = rect(1.0, -2 * pi * (length % steps / steps))
        turn, before, total = step, -1, 0.0
        for frequency, wave in self.waves:
            # Most waves are those next to the one before: one step further.
            if frequency == before + 1 and frequency % _AFRESH:
                turn *= step
            else:
                turn = rect(1.0, -2 * pi * (frequency * length % steps / steps))
            before = frequency
            total += (wave * (1 - turn)).real
        return length / steps + 2 / steps * total

    def quantile(self, wanted: float) -> int | None:
        """Return the first place whose sum exceeds what is wanted, without a doubt."""
        score = _about_score(wanted)
        deviation = sqrt(self.lattice.variance * self.rounds)
        density = exp(-score * score / 2) / sqrt(2 * pi) / deviation
        bent = (
            score + (score * score - 1) * self.lattice.skewness / sqrt(self.rounds) / 6
        )
        low, high, probe = 0, self.steps - 1, floor(self.mean + bent * deviation)
        for halving in _turns():
            if low >= high:
                return low
            probe = (low + high) // 2 if halving else min(max(probe, low), high - 1)
            below = self.at_most(probe)
            if abs(below - wanted) < DOUBT:
                return None
            low, high = (low, probe) if below > wanted else (probe + 1, high)
            probe += round((wanted - below) / density)
        raise AssertionError("each turn leaves fewer places")


def _turns() -> Iterator[bool]:
    """Say at each turn of a search whether to halve: the slope is quicker at first."""
    yield from (False,) * 8
    while True:
        yield True


def _about_score(below: float) -> float:
    """Return the normal quantile to three decimals (Hastings): where to begin."""
    tail = min(below, 1 - below)
    t = sqrt(-2 * log(tail))
    over = 2.515517 + t * (0.802853 + t * 0.010328)
    score = t - over / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
    return score if below > 0.5 else -score


@lru_cache(maxsize=64)
def _circle(net: Distribution, rounds: int) -> _Circle | None:
    """Return a circle that is wide enough; None if that takes too long."""
    lattice = _lattice(net)
    variance = lattice.variance * rounds
    if variance == 0:
        return None
    reach = ceil(bernstein_reach(variance, lattice.furthest, _BEYOND / 2)) + 1
    first = floor(lattice.mean * rounds) - reach
    steps = 2 * reach + 1
    strong = _strong(lattice, rounds, steps)
    if strong is None:
        return None
    mean = lattice.mean * rounds - first
    waves = tuple(_waves(lattice, rounds, mean, steps, strong))
    return _Circle(lattice, rounds, first, float(mean), steps, waves)


def _strong(lattice: _Lattice, rounds: int, steps: int) -> list[int] | None:
    """Return the frequencies whose waves may count; None if they are too many."""
    least = _NEGLIGIBLE ** (2 / rounds)
    variance, angle = lattice.variance, 2 * pi / steps
    weighed = [(apart, chance) for _, apart, chance in lattice.centred]
    strong: list[int] = []
    frequency, looks = 1, 0
    while frequency <= steps // 2:
        looks += len(weighed)
        if looks > _MOST_TERMS:
            return None
        t = frequency * angle
        real = imaginary = real_slope = imaginary_slope = 0.0
        for apart, chance in weighed:
            x, y = chance * cos(apart * t), chance * sin(apart * t)
            real += x
            imaginary += y
            real_slope -= apart * y
            imaginary_slope += apart * x
        square = real * real + imaginary * imaginary
        if square >= least:
            strong.append(frequency)
            frequency += 1
            continue
        slope = 2 * (real * real_slope + imaginary * imaginary_slope)
        ahead = sqrt(slope * slope + 4 * variance * (least - square)) - slope
        frequency += 1 + floor(ahead / (2 * variance) / angle)
    return strong


def _waves(
    lattice: _Lattice, rounds: int, mean: Fraction, steps: int, strong: Iterable[int]
) -> Iterator[_Wave]:
    """Yield the waves of these frequencies over all the rounds.

    With φ the characteristic function of a round about its mean, a wave is φ to the
    power of the rounds, turned to where the circle begins, over 1 - exp(-it). `mean` is
    that of the sum, from there.
    """
    whole = lattice.mean.denominator
    around, offset = steps * whole, int(mean * whole)
    for frequency in strong:
        real = imaginary = 0.0
        for centred, _, chance in lattice.centred:
            y = pi * _part(frequency * centred, around)
            real -= 2 * chance * sin(y) ** 2
            imaginary += chance * sin(2 * y)
        size = exp(rounds * log1p(2 * real + real * real + imaginary * imaginary) / 2)
        angle = rounds * atan2(imaginary, 1 + real)
        angle += 2 * pi * _part(frequency * offset, around)
        # 1 / (1 - exp(-it)) is (1 - i cot(t/2)) / 2.
        cotangent = 1 / tan(pi * frequency / steps)
        yield frequency, rect(size, angle) * complex(0.5, -cotangent / 2)


def _part(whole: int, around: int) -> float:
    """Return which part of a whole turn it is, from -1/2 to 1/2."""
    rest = whole % around
    return (rest - around if 2 * rest > around else rest) / around
