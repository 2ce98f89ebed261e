"""Quantiles of the result of one wager over many rounds, in plain Python.

The sum is convolved on a circle of its lattice by its waves, the values of its
characteristic function. All but a few dozen waves are negligible; whole runs of them
are skipped at once.

Laws of this file:
- the circle's width is set by Bernstein's inequality: less than `_BEYOND` is outside;
- angles are reduced in whole numbers, and a wave is stored as its distance from 1,
  so that its power over ten million rounds is as exact as over one;
- waves are skipped while the square of their size can't have risen above the threshold:
  its second derivative is at most twice the variance;
- a quantile is one of the sum's own values; if a probability is closer than `DOUBT` to
  the level, there is no quantile.
"""

from __future__ import annotations

from cmath import rect
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache
from math import atan2, ceil, cos, exp, floor, gcd, lcm, log1p, pi, sin, sqrt, tan
from statistics import NormalDist

from msgspec import Struct

from croupier.numeric.probability import DOUBT, bernstein_reach
from croupier.odds.distribution import Distribution

_BEYOND = 1e-12
"""A bound on the probability outside the circle of a sum."""
_NEGLIGIBLE = 1e-13
"""A wave weaker than this is skipped."""
_MOST_TERMS = 30_000
"""Sums of more sines take too long and are not convolved."""


def sum_quantile(net: Distribution, rounds: int, below: Fraction) -> Fraction | None:
    """Return the least sum over rounds not exceeded with probability `below`.

    None if it would take too long or is in doubt.
    """
    circle = _circle(net, rounds)
    place = None if circle is None else circle.quantile(float(below))
    if circle is None or place is None:
        return None
    lattice = circle.lattice
    whole = rounds * lattice.least + (circle.first + place) * lattice.step
    return Fraction(whole, lattice.common)


class _Lattice(Struct, frozen=True):
    """The results of a round, in steps above the least one."""

    common: int
    least: int
    step: int
    """A result is `(least + place × step) / common`."""
    mean: Fraction
    """The mean of the places; the following figures are about the places, too."""
    variance: float
    skewness: float
    furthest: float
    centred: tuple[tuple[int, float, float], ...]
    """By place: distance from the mean × the mean's denominator, distance, chance."""


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
"""A frequency, and its coefficient in the sum of `at_most`."""


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
        total = 0.0
        for frequency, wave in self.waves:
            turn = rect(1.0, -2 * pi * (frequency * length % steps / steps))
            total += (wave * (1 - turn)).real
        return length / steps + 2 / steps * total

    def quantile(self, wanted: float) -> int | None:
        """Return the first place above the probability; None if in doubt."""
        score = NormalDist().inv_cdf(wanted)
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
    """Yield for each step of a search whether it halves; the first follow the slope."""
    yield from (False,) * 8
    while True:
        yield True


@lru_cache(maxsize=64)
def _circle(net: Distribution, rounds: int) -> _Circle | None:
    """Return a circle that is wide enough; None if it would take too long."""
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
    """Return the frequencies that may matter; None if they are too many."""
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

    With φ as the characteristic function of a round about its mean, a wave is φ to the
    power of `rounds`, turned to the start of the circle, over 1 - exp(-it). `mean` is
    the mean of the sum, counted from that start.
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
    """Return the angle as a part of a whole turn, from -1/2 to 1/2."""
    rest = whole % around
    return (rest - around if 2 * rest > around else rest) / around
