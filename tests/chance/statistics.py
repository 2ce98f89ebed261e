"""Tests of draws: each gives the probability that sound draws look so bad or worse.

Most are bounds (Chernoff, Hoeffding), times the number of things looked at; those
by chi-square are approximate, good within a factor of a hundred this far out where
each cell expects 70 or more, as here. A test asserts that the probability is above
`FALSE_ALARM`: so sound draws fail it less than once in 10⁹ runs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb, exp, lgamma, log

FALSE_ALARM = 1e-12


def uniform(drawn: Iterable[object], cells: int) -> float:
    """Chi-square: does each of the cells come equally often?"""
    counts = Counter(drawn)
    share = Fraction(1, cells)
    missing = cells - len(counts)
    assert missing >= 0
    return fitting([*counts.values(), *[0] * missing], [share] * cells)


def fitting(counts: Sequence[int], shares: Sequence[Fraction]) -> float:
    """Chi-square: does each cell come as often as its share says?"""
    assert sum(shares) == 1
    total = sum(counts)
    terms = zip(counts, shares, strict=True)
    statistic = sum((n - total * share) ** 2 / (total * share) for n, share in terms)
    return chi_square_tail(float(statistic), len(shares) - 1)


def chi_square_tail(statistic: float, freedom: int) -> float:
    """Return the tail of chi-square; an odd freedom counts as one more."""
    if statistic <= 0:
        return 1.0
    half = statistic / 2
    terms = range((freedom + 1) // 2)
    return min(1.0, sum(exp(i * log(half) - lgamma(i + 1) - half) for i in terms))


def serial(drawn: Sequence[object], cells: int) -> float:
    """Chi-square of pairs: does each number follow each equally often?"""
    pairs = zip(drawn[::2], drawn[1::2], strict=True)
    return uniform(pairs, cells**2)


def runs(drawn: Sequence[int], cells: int) -> float:
    """Hoeffding: does a run of low or of high numbers end half the time?"""
    assert cells % 2 == 0
    halves = [place < cells // 2 for place in drawn]
    ends = sum(before != after for before, after in pairwise(halves))
    chances = len(drawn) - 1
    return min(1.0, 2 * exp(-2 * (ends - chances / 2) ** 2 / chances))


def repeats(drawn: Sequence[object], cells: int) -> float:
    """Chernoff: does the number before come again as often as it should?"""
    again = sum(before == after for before, after in pairwise(drawn))
    return frequency(again, len(drawn) - 1, 1 / cells)


def frequency(seen: int, chances: int, share: float) -> float:
    """Chernoff: bound a count at least as far from its share, on either side."""
    part = seen / chances
    divergence = _weighed(part, share) + _weighed(1 - part, 1 - share)
    return min(1.0, 2 * exp(-chances * divergence))


def _weighed(part: float, share: float) -> float:
    return part * log(part / share) if part else 0.0


def together(draws: Sequence[tuple[str, ...]], numbers: Sequence[str]) -> float:
    """Chernoff: does each pair of numbers come together as often as any other?"""
    drawn = len(draws[0])
    share = drawn * (drawn - 1) / (len(numbers) * (len(numbers) - 1))
    counts = Counter(
        frozenset(pair) for draw in draws for pair in combinations(draw, 2)
    )
    pairs = [frozenset(pair) for pair in combinations(numbers, 2)]
    worst = min(frequency(counts[pair], len(draws), share) for pair in pairs)
    return min(1.0, worst * len(pairs))


def links_touched(
    draws: Sequence[tuple[str, ...]], links: Sequence[Sequence[str]]
) -> float:
    """Chi-square: do the numbers lie in as many links as they should?"""
    link_of = {number: place for place, link in enumerate(links) for number in link}
    counts = Counter(len({link_of[number] for number in draw}) for draw in draws)
    shares = touched_shares(len(links), len(links[0]), len(draws[0]))
    few = [touched for touched in shares if touched <= 5]
    cells = [few, *([touched] for touched in shares if touched > 5)]
    return fitting(
        [sum(counts[touched] for touched in cell) for cell in cells],
        [sum((shares[touched] for touched in cell), Fraction(0)) for cell in cells],
    )


def links_lit_whole(
    draws: Sequence[tuple[str, ...]], links: Sequence[Sequence[str]]
) -> float:
    """Chernoff: does a link light up whole as often as it should?"""
    whole = sum(any(set(link) <= set(draw) for link in links) for draw in draws)
    share = 1 - no_link_whole(len(links), len(links[0]), len(draws[0]))
    return frequency(whole, len(draws), float(share))


def touched_shares(links: int, size: int, drawn: int) -> Mapping[int, Fraction]:
    """Return the exact probability of each number of touched links."""
    total = comb(links * size, drawn)
    ways = {
        touched: comb(links, touched)
        * _coefficient(
            [0, *(comb(size, k) for k in range(1, size + 1))], touched, drawn
        )
        for touched in range(1, links + 1)
    }
    return {touched: Fraction(n, total) for touched, n in ways.items() if n}


def no_link_whole(links: int, size: int, drawn: int) -> Fraction:
    """Return the exact probability that no link is lit whole."""
    ways = _coefficient([comb(size, k) for k in range(size)], links, drawn)
    return Fraction(ways, comb(links * size, drawn))


def _coefficient(polynomial: Sequence[int], power: int, degree: int) -> int:
    """Return the coefficient of x to the degree in a power of the polynomial."""
    result = [1, *[0] * degree]
    for _ in range(power):
        result = [
            sum(result[n - k] * c for k, c in enumerate(polynomial) if k <= n)
            for n in range(degree + 1)
        ]
    return result[degree]
