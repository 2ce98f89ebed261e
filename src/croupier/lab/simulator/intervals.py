"""Intervals of means that hold for rare large wins, whatever the distribution is.

Of what is averaged, the mean and the variance over the sessions are known, and bounds
that no session lies beyond. An upper end takes the worst for granted: that all variance
comes from sessions at the upper bound, and all others were alike. Then the mean is a
proportion between two values, and Clopper and Pearson's interval gives its end; the
same to the other side. So one more session at the bound may always have been missed by
chance: with no variance at all there still is an interval. With many sessions it comes
to that of the normal distribution.
"""

from __future__ import annotations

from collections.abc import Callable
from math import exp, log
from typing import NamedTuple

from croupier.lab.simulator.plan import SimulationPlan
from croupier.lab.simulator.reach import PlanReach
from croupier.numeric.probability import Interval, least_proportion

_SELDOM = 1e-9
"""Of the probability that an interval may miss: bankrolls so rare are left out."""
_HALVINGS = 45
_LEAST_RATE, _MOST_RATE = 1e-9, 1e4
"""Between which the tilt of Chernoff's bound is looked for."""


class Moments(NamedTuple):
    """Mean and deviation over some sessions, and what no session lies beyond."""

    mean: float
    deviation: float
    low: float
    high: float


def mean_interval(moments: Moments, trials: int, level: float) -> Interval:
    """Return an interval of the expectation, inside the bounds."""
    mean, deviation, low, high = moments
    tail = (1 - level) / 2
    above = _reach(high - mean, deviation, trials, tail)
    below = _reach(mean - low, deviation, trials, tail)
    return mean - below, mean + above


def _reach(room: float, deviation: float, trials: int, tail: float) -> float:
    """Return how far the expectation may lie to a side that has so much room."""
    if room <= 0:
        return 0.0
    share = deviation**2 / (room**2 + deviation**2)
    if share >= 1:
        return room
    seen = trials * share
    rest = least_proportion(trials - seen, trials, tail)
    return room * max(0.0, 1 - rest / (1 - share))


def ratio_interval(
    above: Moments, below: Moments, trials: int, level: float, bounds: Interval
) -> Interval:
    """Return an interval of the ratio of two expectations, inside its own bounds.

    It has those ratios for which the mean of the one, less that ratio of the other, may
    be zero. Both may go together in the worst way. `below` has no value under zero.
    """
    rate = above.mean / below.mean

    def is_inside(ratio: float) -> bool:
        taken = ratio * below.low, ratio * below.high
        difference = Moments(
            above.mean - ratio * below.mean,
            above.deviation + abs(ratio) * below.deviation,
            above.low - max(taken),
            above.high - min(taken),
        )
        low, high = mean_interval(difference, trials, level)
        return low <= 0 <= high

    least, greatest = bounds
    return _furthest(is_inside, rate, least), _furthest(is_inside, rate, greatest)


def _furthest(is_inside: Callable[[float], bool], inner: float, outer: float) -> float:
    """Return the last value from the inner to the outer one that is inside."""
    if is_inside(outer):
        return outer
    for _ in range(_HALVINGS):
        middle = (inner + outer) / 2
        inner, outer = (middle, outer) if is_inside(middle) else (inner, middle)
    return inner


def bankroll_bounds(
    plan: SimulationPlan, reach: PlanReach, trials: int, level: float
) -> Interval:
    """Return grains between which the bankrolls lie, but for a negligible part.

    No round wins or loses more than the greatest stake does. So Chernoff's bound holds
    for the sum over the rounds, with the kinds of results as likely as they are. What
    lies beyond adds less to the mean than any interval shows.
    """
    seldom = (1 - level) * _SELDOM / trials
    greatest, start = plan.machine.greatest, plan.bankroll
    up, down = (greatest * _sum_bound(plan, sign, -log(seldom)) for sign in (1, -1))
    return max(float(reach.lowest), start - down), min(float(reach.highest), start + up)


def _sum_bound(plan: SimulationPlan, sign: int, nats: float) -> float:
    """Return what a unit wins, or loses, over all rounds, but for so few nats."""
    before = (0, *plan.ends[:-1])
    chances = [
        (end - begin) / plan.dice.sides
        for begin, end in zip(before, plan.ends, strict=True)
    ]
    nets = [sign * net / plan.unit for net in plan.nets]
    most = max(*nets, 0.0)

    def reach(rate: float) -> float:
        # Taken out of the sum, so that nothing overflows.
        rest = sum(
            chance * exp(rate * (net - most))
            for chance, net in zip(chances, nets, strict=True)
        )
        grown = max(0.0, rate * most + log(rest)) if rest else 0.0
        return (plan.rounds * grown + nats) / rate

    low, high = log(_LEAST_RATE), log(_MOST_RATE)
    for _ in range(_HALVINGS):
        left, right = low + (high - low) / 3, high - (high - low) / 3
        if reach(exp(left)) <= reach(exp(right)):
            high = right
        else:
            low = left
    return plan.unit * min(plan.rounds * most, reach(exp(low)))
