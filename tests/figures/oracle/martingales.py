"""A martingale on an even chance until it ends, by a recursion over its series.

A series begins with a stake of 1 and doubles it until a round is won. So it ends one
unit up; or at the table's maximum, where the next one begins with what is left; or with
all that is left on one round, which leads to less than one unit up. Nothing leads
further up than one unit: so what is to be expected with `b + 1` units follows from what
is to be expected with fewer, up to one factor, which the target settles.
"""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import count
from typing import NamedTuple

_DIGITS = 80


class Martingale(NamedTuple):
    """How likely the target is; rounds and units staked, as expected."""

    reached: Decimal
    rounds: Decimal
    staked: Decimal


class _Series(NamedTuple):
    """A series from some bankroll: how many whole stakes, and what follows them."""

    whole: int
    rest: int
    """Return the rest after a number of losses, for the next series or a last round."""
    is_last: bool


def martingale(
    p: Fraction, units: int, target: int, maximum: int | None = None
) -> Martingale:
    """Return the end of a number of units."""
    with localcontext() as context:
        context.prec = _DIGITS
        win = Decimal(p.numerator) / p.denominator
        loss = 1 - win
        series = [_series(b, maximum) for b in range(target)]

        def solve(each: Callable[[_Series], Decimal], first: int) -> list[Decimal]:
            """Return a sum of `each` over the series to come, `first` with one unit."""
            found = [Decimal(0), Decimal(first)]
            for here, one in enumerate(series[1:], 1):
                missed = loss**one.whole
                low = win * found[2 * one.rest] if one.is_last else found[one.rest]
                known = found[here] - each(one) - missed * low
                found.append(known / (1 - missed))
            return found

        def rounds(one: _Series) -> Decimal:
            played = (1 - loss**one.whole) / win
            return played + (loss**one.whole if one.is_last and one.rest else 0)

        def staked(one: _Series) -> Decimal:
            twice = 2 * loss
            whole = (1 - twice**one.whole) / (1 - twice)
            return whole + (loss**one.whole * one.rest if one.is_last else 0)

        free = solve(lambda _: Decimal(0), 1)
        reached = free[units] / free[target]
        expected = [
            some[units] - some[target] * reached
            for some in (solve(rounds, 0), solve(staked, 0))
        ]
        return Martingale(+reached, *expected)


def _series(bankroll: int, maximum: int | None) -> _Series:
    """Return the series that begins with this number of units."""
    rest = bankroll
    for step in count():
        if maximum is not None and 2**step > maximum:
            return _Series(step, rest, is_last=False)
        if 2**step > rest:
            return _Series(step, rest, is_last=True)
        rest -= 2**step
    raise AssertionError
