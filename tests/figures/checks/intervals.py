"""Intervals of what a simulation tells, and how often they hold."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tests.figures.command import croupier
from tests.figures.oracle.carried import rounds_played, staked
from tests.figures.oracle.intervals import furthest, lower_end, upper_end
from tests.figures.oracle.moments import moment
from tests.figures.oracle.sessions import first_position, next_round, play
from tests.figures.oracle.statistics import at_least
from tests.figures.plans import Asked, some_plan

ONE_IN = 1e-6
"""Intervals that hold as often as they say miss more often less often than that."""


MEANS = ("net_cents", "rounds_played", "staked_cents", "return")


ENDS = ("low", "high")


Values = Mapping[int, Fraction]


def simulated(asked: Asked, *words: str) -> dict[str, Any] | None:
    """Simulate a plan; return None if it ends before its first round."""
    if isinstance(next_round(asked.plan, first_position(asked.plan)), str):
        return None
    told = croupier("simulate", *asked.words, *words, "--engine", "plain", "--json")
    assert isinstance(told.json, dict)
    return told.json


def check_ends(
    told: dict[str, Any], values: Values, sessions: int, tail: float
) -> None:
    """Hold the ends of a mean against those made from what a session can come to.

    What is left out as too rare to happen is rarer than one in a thousand million. The
    plan may allow for more than can be come to, so an end may be further out.
    """
    mean, deviation = told["value"], told["standard_deviation"]
    variance = deviation**2 * (sessions - 1) / sessions
    least, greatest = furthest(values, Fraction(1, 10**9 * sessions))
    low = lower_end(mean, variance, min(least, mean), sessions, tail)
    high = upper_end(mean, variance, max(greatest, mean), sessions, tail)
    slack = 1e-7 * (high - low) + 1e-7
    assert told["low"] <= low + slack
    assert told["high"] >= high - slack


def check_intervals(seed: int, sessions: int = 60) -> bool:
    """Check the intervals of a plan at random; say whether there was one."""
    asked = some_plan(seed, most_rounds=6, most_results=3)
    told = simulated(asked, "--sessions", str(sessions), "--seed", str(seed))
    if told is None:
        return False
    plan, start = asked.plan, asked.plan.bankroll
    nets = {cents - start: p for cents, p in play(plan).bankrolls.items()}
    for key, values in (
        ("net_cents", nets),
        ("rounds_played", rounds_played(plan)),
        ("staked_cents", staked(plan)),
    ):
        check_ends(told[key], values, sessions, 0.005)
    check_return(told, staked(plan))
    return True


def check_return(told: dict[str, Any], stakes: Values) -> None:
    """Hold the return against what is won and staked: the ratio of their ends."""
    net, laid, rate = told["net_cents"], told["staked_cents"], told["return"]
    assert -1 <= rate["low"] <= rate["value"] <= rate["high"]
    if len(stakes) == 1:
        [stake] = stakes
        assert rate["high"] >= net["high"] / stake - 1e-9
        assert rate["low"] <= max(-1, net["low"] / stake) + 1e-9
    # Winnings and stakes may go together in the worst way, and hardly any worse.
    ratios = [net[end] / laid[other] for end in ENDS for other in ENDS]
    assert rate["high"] <= max(ratios) + 0.6 * abs(max(ratios)) + 0.1
    assert rate["low"] >= min(ratios) - 0.6 * abs(min(ratios)) - 0.1


def misses(first: int, many: int, sessions: int) -> tuple[Counter[str], int]:
    """Count how often the exact mean is outside an interval at 90 %."""
    missed: Counter[str] = Counter()
    asked_for = 0
    for seed in range(first, first + many):
        asked = some_plan(seed, most_rounds=6, most_results=3)
        told = simulated(
            *(asked, "--sessions", str(sessions), "--seed", str(seed)),
            *("--level", "0.9"),
        )
        if told is None:
            continue
        asked_for += 1
        mine = play(asked.plan)
        net = moment(mine.bankrolls, 1) - asked.plan.bankroll
        right = (net, mine.rounds_played, mine.staked_cents, net / mine.staked_cents)
        for key, value in zip(MEANS, right, strict=True):
            off = 1e-9 * abs(float(value))
            is_in = told[key]["low"] - off <= value <= told[key]["high"] + off
            missed[key] += not is_in
    return missed, asked_for


def check_coverage(first: int, many: int, sessions: int) -> None:
    missed, asked_for = misses(first, many, sessions)
    for key in MEANS:
        assert at_least(asked_for, 0.1, missed[key]) > ONE_IN, (key, missed, asked_for)
