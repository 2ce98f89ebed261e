"""`simulate`: the exact answers beside it, its sums, its intervals, and its draws."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import pytest

from tests.figures.command import croupier
from tests.figures.oracle.carried import rounds_played, staked
from tests.figures.oracle.moments import moment, quantile
from tests.figures.oracle.sessions import (
    PLAYING,
    REACHED,
    RUINED,
    STOPPED,
    Session,
    first_position,
    next_round,
    play,
)
from tests.figures.oracle.statistics import (
    at_most,
    clopper_pearson,
    twice_the_smaller_tail,
)
from tests.figures.plans import Asked, some_plan
from tests.figures.told import check_question, ends_told

ENDS = (REACHED, RUINED, STOPPED, PLAYING)


ONE_IN = 1e-7
"""Fair draws are further from what is likely less often than that."""


Values = Mapping[int, Fraction]


def is_inside(told: dict[str, Any]) -> bool:
    return bool(told["low"] <= told["exact"] <= told["high"])


def check_proportion(told: dict[str, Any], mine: Fraction, sessions: int) -> None:
    """Hold a proportion against Clopper and Pearson, and against its probability."""
    count = round(told["value"] * sessions)
    low, high = clopper_pearson(sessions, count, 0.99)
    assert told["value"] == count / sessions
    assert told["low"] == pytest.approx(low, rel=1e-6, abs=1e-9)
    assert told["high"] == pytest.approx(high, rel=1e-6, abs=1e-9)
    assert told["exact"] == pytest.approx(float(mine), rel=1e-12, abs=1e-15)
    assert told["inside"] == is_inside(told)
    if mine in {0, 1}:
        assert count == mine * sessions
    else:
        assert twice_the_smaller_tail(sessions, float(mine), count) > ONE_IN


def check_mean(told: dict[str, Any], values: Values, sessions: int) -> None:
    """Hold a mean and its deviation against the right ones: only chance is between."""
    mine = moment(values, 1)
    squares = {value: (value - mine) ** 2 for value in values}
    variance = sum((values[v] * square for v, square in squares.items()), Fraction(0))
    fourth = sum((values[v] * square**2 for v, square in squares.items()), Fraction(0))
    deviation = math.sqrt(variance)
    spread = math.sqrt(fourth - variance**2)
    # Bernstein's bound of the error of a mean of squares, for this number of sessions.
    off = 6 * spread / math.sqrt(sessions) + 6 * max(squares.values()) / sessions
    assert abs(told["standard_deviation"] ** 2 - float(variance)) <= off * 1.01 + 1e-9
    assert told["low"] <= told["value"] <= told["high"]
    assert told["exact"] == pytest.approx(float(mine), rel=1e-9, abs=1e-9)
    assert told["inside"] == is_inside(told)
    error = deviation / math.sqrt(sessions)
    assert abs(told["value"] - float(mine)) <= 7 * error + 1e-9


def check_histogram(asked: Asked, told: dict[str, Any], mine: Session) -> None:
    """Hold means, quantiles and ends against the bankrolls that are listed."""
    sessions = told["sessions"]
    counts = {row["bankroll_cents"]: row["sessions"] for row in told["bankrolls"]}
    assert told["bin_width_cents"] == 0
    assert sum(counts.values()) == sessions
    assert set(counts) <= set(mine.bankrolls), "a bankroll that can't be reached"
    drawn = {cents: Fraction(count, sessions) for cents, count in counts.items()}
    mean = moment(drawn, 1)
    start = asked.plan.bankroll
    ahead = sum((p for cents, p in drawn.items() if cents > start), Fraction(0))
    variance = moment(drawn, 2, mean) * sessions / (sessions - 1)
    assert told["net_cents"]["value"] == pytest.approx(float(mean - start), abs=1e-9)
    assert told["net_cents"]["standard_deviation"] == pytest.approx(
        math.sqrt(variance), rel=1e-3
    )
    assert told["ahead"]["value"] == pytest.approx(float(ahead), abs=1e-12)
    if asked.plan.target is not None:
        there = sum(n for cents, n in counts.items() if cents >= asked.plan.target)
        assert told["reached"]["value"] == pytest.approx(there / sessions, abs=1e-12)
    for row in told["quantiles"]:
        level = Fraction(str(row["level"]))
        assert row["bankroll_cents"] == quantile(drawn, level)
        assert row["exact_cents"] == quantile(mine.bankrolls, level)
        assert row["low_cents"] <= row["bankroll_cents"] <= row["high_cents"]
        assert row["inside"] == (
            row["low_cents"] <= row["exact_cents"] <= row["high_cents"]
        )
        check_ranks(row, counts, sessions)


def check_ranks(row: dict[str, Any], counts: dict[int, int], sessions: int) -> None:
    """Check that the ends of a quantile leave out no more than half a percent each.

    Were the quantile below the lower end, more sessions would lie below that end than
    chance lets; were it above the upper end, too few would lie at or below it.
    """
    below = sum(count for cents, count in counts.items() if cents < row["low_cents"])
    up_to = sum(count for cents, count in counts.items() if cents <= row["high_cents"])
    level = row["level"]
    assert below == 0 or at_most(sessions, level, below - 1) <= 0.005 + 1e-6
    assert up_to == sessions or at_most(sessions, level, up_to - 1) >= 0.995 - 1e-6


def check_simulation(
    seed: int, *, engine: str = "plain", sessions: int = 2000, most_rounds: int = 9
) -> None:
    """Simulate a random plan; compare every figure with the second computation."""
    asked = some_plan(seed, most_rounds=most_rounds)
    answer = croupier(
        *("simulate", *asked.words, "--sessions", str(sessions)),
        *("--seed", str(seed), "--engine", engine, "--json"),
    )
    if isinstance(next_round(asked.plan, first_position(asked.plan)), str):
        assert answer.status == 2
        return
    told, mine = answer.json, play(asked.plan)
    check_question(
        told, {**asked.question, "sessions": sessions, "seed": seed, "level": 0.99}
    )
    assert told["exact"] == {"arithmetic": "exact", "error": 0.0}
    assert told["why_not_exact"] is None
    ends = ends_told(mine.ends)
    start = asked.plan.bankroll
    for end in ENDS:
        check_proportion(told[end], ends[end], sessions)
    assert sum(told[end]["value"] for end in ENDS) == pytest.approx(1)
    nets = {cents - start: p for cents, p in mine.bankrolls.items()}
    ahead = sum((p for net, p in nets.items() if net > 0), Fraction(0))
    check_proportion(told["ahead"], ahead, sessions)
    check_mean(told["net_cents"], nets, sessions)
    check_mean(told["rounds_played"], rounds_played(asked.plan), sessions)
    check_mean(told["staked_cents"], staked(asked.plan), sessions)
    assert told["spins"] == round(told["rounds_played"]["value"] * sessions)
    edge = moment(nets, 1) / mine.staked_cents
    assert told["return"]["inside"] == is_inside(told["return"])
    assert told["return"]["exact"] == pytest.approx(float(edge), rel=1e-12)
    assert told["return"]["value"] == pytest.approx(
        told["net_cents"]["value"] / told["staked_cents"]["value"], rel=1e-9, abs=1e-12
    )
    check_histogram(asked, told, mine)


def check_beside_session(
    seed: int, *, engine: str = "plain", sessions: int = 60, most_rounds: int = 60
) -> bool:
    """Check that what `session` answers is simulated, and lies in the intervals.

    Their level is such that fair draws leave it out less often than is ever tried.
    """
    asked = some_plan(seed, most_rounds=most_rounds, units=(10, 400), most_results=6)
    exact = croupier("session", *asked.words, "--json")
    drawn = croupier(
        *("simulate", *asked.words, "--sessions", str(sessions), "--seed", str(seed)),
        *("--level", "0.999999", "--engine", engine, "--json"),
    )
    if exact.status != 0:
        return False
    assert drawn.status == 0, (asked.words, drawn.err)
    told, calculated = drawn.json, exact.json
    for name in (*ENDS, "ahead", "rounds_played", "staked_cents", "net_cents"):
        value, error = calculated[name]["value"], calculated[name]["error"]
        slack = error + 1e-9 * max(1.0, abs(value))
        assert told[name]["low"] - slack <= value <= told[name]["high"] + slack, (
            name,
            asked.words,
        )
    return True


def check_engines(seed: int) -> None:
    """Check that the compiled engine prints what the plain one prints."""
    asked = some_plan(seed, most_rounds=9)
    words = ("simulate", *asked.words, "--sessions", "200", "--seed", "5")
    fast, plain = (
        croupier(*words, "--engine", engine, "--json") for engine in ("cpu", "plain")
    )
    assert fast.out == plain.out
