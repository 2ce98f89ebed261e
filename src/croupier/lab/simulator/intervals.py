"""Intervals of means that hold for any distribution, also for rare large wins.

An interval is computed from the mean, the variance, and bounds that no session passes.
The upper end assumes the worst: that all variance comes from sessions at the upper
bound, and that all others are equal. Then the mean is a proportion between two values,
and Clopper and Pearson's interval gives its end; likewise below. Even without variance
there is an interval, because chance may have missed a session at the bound. With many
sessions it approaches the interval of the normal distribution.

A plan's own bounds come from following its states round by round, each with the most
staked, lost or won on the way to it. A stake that the bankroll cuts counts as a whole
one, so the bounds may be too wide but never too narrow.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import exp, log
from typing import Any, NamedTuple

import numpy as np

from croupier.lab.sessions import Shortfall
from croupier.lab.simulator.plan import Machine, SimulationPlan
from croupier.numeric.probability import Interval, least_proportion

_RARE = 1e-9
"""Bankrolls are ignored up to this part of the interval's own error probability."""
_HALVINGS = 45
_LEAST_RATE, _MOST_RATE = 1e-9, 1e4
"""The range of the tilt of Chernoff's bound."""

_MOST_STEPS = 2_000_000
"""The most steps that follow states; later rounds count with the greatest stake."""
_NEVER = -(2**62)

Numbers = np.ndarray[Any, np.dtype[np.int64]]


class Moments(NamedTuple):
    """Mean and deviation over some sessions, and bounds that no session passes."""

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
    """Return the distance from the mean to the interval's end, at most `room`."""
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

    A ratio is inside if the mean of `above` less the ratio times `below` can be zero
    under the worst dependence. `below` has no value under zero.
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
    """Return bounds, in grains, of all bankrolls but a negligible part.

    No round wins or loses more than the greatest stake, so Chernoff's bound holds for
    the sum over the rounds. The ignored part changes no shown digit of the mean.
    """
    rare = (1 - level) * _RARE / trials
    greatest, start = plan.machine.greatest, plan.bankroll
    up, down = (greatest * _sum_bound(plan, sign, -log(rare)) for sign in (1, -1))
    return max(float(reach.lowest), start - down), min(float(reach.highest), start + up)


def _sum_bound(plan: SimulationPlan, sign: int, nats: float) -> float:
    """Bound a unit's net result over all rounds, but for a chance of exp(-nats)."""
    before = (0, *plan.ends[:-1])
    chances = [
        (end - begin) / plan.dice.sides
        for begin, end in zip(before, plan.ends, strict=True)
    ]
    nets = [sign * net / plan.unit for net in plan.nets]
    most = max(*nets, 0.0)

    def reach(rate: float) -> float:
        # `most` is taken out of the sum, so that nothing overflows.
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


@dataclass(frozen=True, slots=True)
class PlanReach:
    """Bounds that no session passes."""

    most_staked: int
    """In units."""
    lowest: int
    """The bankroll, in grains."""
    highest: int


def reach_of(plan: SimulationPlan) -> PlanReach:
    """Return the bounds of a plan; its own if it has no table of states."""
    largest = plan.most_staked * max(map(abs, plan.nets))
    if not isinstance(plan.machine, Machine) or largest >= -_NEVER:
        return PlanReach(plan.most_staked, plan.lowest, plan.highest)
    steps = _Steps(plan.machine, len(plan.nets))
    nets = np.array(plan.nets, np.int64)
    staked = steps.most(np.ones_like(nets), plan.rounds)
    lost = steps.most(np.maximum(-nets, 0), plan.rounds)
    won = steps.most(np.maximum(nets, 0), plan.rounds)
    return PlanReach(
        staked,
        max(plan.lowest, plan.bankroll - lost),
        min(plan.highest, plan.bankroll + won),
    )


class _Steps:
    """The states that can follow each state, after whole or cut stakes."""

    def __init__(self, machine: Machine, kinds: int) -> None:
        units = np.array(machine.units, np.int64)
        after = np.array(machine.after, np.int64).reshape(-1, kinds)
        cut = [
            (state, row)
            for state, row in enumerate(machine.short)
            if row >= 0 and machine.over_bankroll is Shortfall.STAKE_ALLOWED
        ]
        lengths = [min(int(units[state]) - 1, len(after) - row) for state, row in cut]
        rows = [row + np.arange(n) for (_, row), n in zip(cut, lengths, strict=True)]
        whose = [np.full(n, s) for (s, _), n in zip(cut, lengths, strict=True)]
        states = np.arange(len(units))
        self._sources = np.concatenate([states, *whose]).astype(np.int64)
        self._after = after[np.concatenate([states, *rows]).astype(np.int64)]
        self._units = units
        self._starts_again = machine.over_bankroll is Shortfall.START_AGAIN

    def most(self, each: Numbers, rounds: int) -> int:
        """Return the greatest sum over a session, if a unit adds `each` by result."""
        most = np.full(len(self._units), _NEVER, np.int64)
        most[0] = 0
        greatest = int(self._units.max()) * int(each.max(initial=0))
        followed = min(rounds, _MOST_STEPS // self._after.size + 1)
        gained = self._units[self._sources][:, None] * each
        found = 0
        for _ in range(followed):
            there = (most[self._sources][:, None] + gained).ravel()
            most = np.full(len(most), _NEVER, np.int64)
            np.maximum.at(most, self._after.ravel(), there)
            # Impossible values have grown a little, but stay far below all others.
            found = max(found, int(most.max()))
            if self._starts_again:
                most[0] = max(most[0], found)
        return found + (rounds - followed) * greatest
