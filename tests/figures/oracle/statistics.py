"""Tails, quantiles and sums of chance variables, by plain means."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@cache
def binomial(trials: int, chance: float) -> tuple[int, Floats]:
    """Return the first count that matters of a binomial, and its probabilities.

    Built outward from the mode by the ratio of neighbours, until nothing is left that
    a double could show beside it.
    """
    mode = min(trials, int((trials + 1) * chance))
    odds = chance / (1 - chance) if chance < 1 else math.inf
    above, weight = [], 1.0
    for k in range(mode, trials):
        weight *= (trials - k) / (k + 1) * odds
        if weight < 1e-30:
            break
        above.append(weight)
    below, weight = [], 1.0
    for k in range(mode, 0, -1):
        weight *= k / (trials - k + 1) / odds
        if weight < 1e-30:
            break
        below.append(weight)
    weights = np.array([*reversed(below), 1.0, *above])
    return mode - len(below), weights / math.fsum(weights)


def at_most(trials: int, chance: float, count: int) -> float:
    """Return the probability of at most this number of successes."""
    first, weights = binomial(trials, chance)
    return math.fsum(weights[: max(0, count - first + 1)])


def at_least(trials: int, chance: float, count: int) -> float:
    first, weights = binomial(trials, chance)
    return math.fsum(weights[max(0, count - first) :])


def twice_the_smaller_tail(trials: int, chance: float, count: int) -> float:
    tails = at_most(trials, chance, count), at_least(trials, chance, count)
    return min(1.0, 2 * min(tails))


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return how likely a chi-square is to be as great: the closed form, term by term.

    An even number of degrees gives a Poisson sum; an odd one begins with the error
    function and goes on by halves.
    """
    half = statistic / 2
    if half <= 0:
        return 1.0
    log_half = math.log(half)
    total = 0.0 if freedom % 2 == 0 else math.erfc(math.sqrt(half))
    power = 0.0 if freedom % 2 == 0 else 0.5
    while power < freedom / 2:
        total += math.exp(power * log_half - half - math.lgamma(power + 1))
        power += 1
    return total


def holm(values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number, in their own order."""
    order = sorted(range(len(values)), key=values.__getitem__)
    stepped = (
        min(1.0, (len(values) - rank) * values[at]) for rank, at in enumerate(order)
    )
    corrected = dict(zip(order, accumulate(stepped, max), strict=True))
    return [corrected[at] for at in range(len(values))]


def crossing(rises: Callable[[float], float], wanted: float) -> float:
    """Return the argument at which a rising function reaches the wanted value."""
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if rises(middle) < wanted else (low, middle)
    return (low + high) / 2


def clopper_pearson(trials: int, count: int, level: float) -> tuple[float, float]:
    """Return the ends at which the count would just be too many, or too few."""
    tail = (1 - level) / 2
    low = 0.0 if count == 0 else crossing(lambda p: at_least(trials, p, count), tail)
    high = (
        1.0
        if count == trials
        else crossing(lambda p: 1 - at_most(trials, p, count), 1 - tail)
    )
    return low, high


def normal_quantile(level: float) -> float:
    return NormalDist().inv_cdf(level)


def sum_of_rounds(
    values: Mapping[int, Fraction], rounds: int, deviations: float = 14
) -> tuple[int, int, Floats]:
    """Return the sum over some rounds: its first value, step and probabilities.

    One Fourier transform on a circle that is wide enough for all but the last parts:
    what lies further out is wound round it, and is less than float64 can show.
    """
    step = math.gcd(*(value - min(values) for value in values))
    least = min(values)
    mean = float(sum((v * p for v, p in values.items()), Fraction(0)))
    variance = float(sum((v * v * p for v, p in values.items()), Fraction(0))) - mean**2
    spread = math.sqrt(variance * rounds)
    extreme = max(values) - least
    reach = min(rounds * extreme, 2 * deviations * spread + 20 * extreme) / step
    size = 1 << (int(reach) + 2).bit_length()
    one = np.zeros(size)
    for value, chance in values.items():
        one[(value - least) // step % size] += float(chance)
    wound = np.fft.irfft(np.fft.rfft(one) ** rounds, size)
    centre = round((mean - least) * rounds / step)
    first = max(0, centre - size // 2)
    return rounds * least + first * step, step, np.roll(wound, -(first % size))


def check_quantile(
    first: int, step: int, chances: Floats, value: int, level: float
) -> bool:
    """Say whether a value is the quantile, or so near to it that rounding decides."""
    at = (value - first) // step
    below = float(chances[: max(at, 0)].sum())
    up_to = float(chances[: at + 1].sum())
    return (value - first) % step == 0 and below < level + 1e-9 and up_to > level - 1e-9
