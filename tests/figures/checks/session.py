"""`session`: every figure of plans at random, by a second dynamic program."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from tests.figures.command import croupier
from tests.figures.oracle.durations import (
    Durations,
    of_some_rounds,
    until_it_ends,
)
from tests.figures.oracle.elimination import play_until_it_ends
from tests.figures.oracle.moments import moment, quantile
from tests.figures.oracle.sessions import (
    REACHED,
    RUINED,
    STOPPED,
    Session,
    first_position,
    next_round,
    play,
)
from tests.figures.plans import Asked, some_plan
from tests.figures.told import check_figure, check_question, ends_told

LEVELS = [
    Fraction(5, 100),
    Fraction(1, 4),
    Fraction(1, 2),
    Fraction(3, 4),
    Fraction(95, 100),
]


def check_root(
    told: dict[str, Any], square: Fraction, slack: Fraction = Fraction(0)
) -> None:
    """Hold a deviation against its square: within the error that it tells."""
    value, error = Fraction(told["value"]), Fraction(told["error"])
    assert max(value - error, Fraction(0)) ** 2 <= square + slack
    assert (value + error) ** 2 >= square - slack
    if "fraction" in told:
        assert Fraction(told["fraction"]) ** 2 == square


def check_durations(told: dict[str, Any], mine: Durations, mean: Fraction) -> None:
    """Hold how long it takes against how likely it is to have ended."""
    variance = mine.mean_of_square() - mean**2
    slack = Fraction(0) if "fraction" in told["variance"] else variance / 10**11
    off = abs(Fraction(told["variance"]["value"]) - variance)
    if "fraction" in told["variance"]:
        assert Fraction(told["variance"]["fraction"]) == variance
    else:
        assert off <= Fraction(told["variance"]["error"]) + slack
    check_root(told["deviation"], variance, slack)
    for row in told["quantiles"]:
        level = Fraction(str(row["level"]))
        assert row["rounds"] <= mine.quantile(level) <= row["at_most_rounds"]
    for row in told["ended"]:
        ended = mine.ended[min(row["rounds"], len(mine.ended) - 1)]
        error = Fraction(row["error"]) + Fraction(1, 10**14)
        assert abs(Fraction(row["value"]) - ended) <= error
        if "fraction" in row:
            # The second one is followed in float64 if it has no number of rounds.
            assert abs(Fraction(row["fraction"]) - ended) <= Fraction(1, 10**14)


def check_session(asked: Asked, mine: Session, told: dict[str, Any]) -> None:
    plan = asked.plan
    check_question(told, asked.question)
    ends = ends_told(mine.ends)
    for end, chance in ends.items():
        check_figure(told[end], chance)
    ahead = sum(
        (chance for cents, chance in mine.bankrolls.items() if cents > plan.bankroll),
        Fraction(0),
    )
    mean = moment(mine.bankrolls, 1)
    check_figure(told["ahead"], ahead)
    check_figure(told["rounds_played"], mine.rounds_played)
    check_figure(told["staked_cents"], mine.staked_cents)
    check_figure(told["net_cents"], mean - plan.bankroll)
    variance = moment(mine.bankrolls, 2, mean)
    check_figure(told["net_variance"], variance)
    check_root(told["net_deviation_cents"], variance)
    error = Fraction(told["error"])
    listed = {row["bankroll_cents"]: row["probability"] for row in told["bankrolls"]}
    assert [row["net_cents"] for row in told["bankrolls"]] == [
        cents - plan.bankroll for cents in listed
    ]
    for cents, chance in mine.bankrolls.items():
        value = Fraction(listed.pop(cents, 0.0))
        assert abs(value - chance) <= error + Fraction(1, 10**15) * chance
    assert not listed
    for row in told.get("course", ()) if mine.course else ():
        then = mine.course[row["round"] - 1]
        ends = ends_told(then.ends)
        for end in (REACHED, RUINED, STOPPED):
            assert row[end] == pytest.approx(float(ends[end]), rel=1e-12, abs=1e-15)
        if told["arithmetic"] == "exact":
            assert row["bankroll_quantiles_cents"] == [
                quantile(then.bankrolls, level) for level in LEVELS
            ]


def check_rounds(seed: int, *, arithmetic: str = "", **size: Any) -> None:
    """Check a session of a number of rounds."""
    asked = some_plan(seed, **size)
    wanted = ("--arithmetic", arithmetic) if arithmetic else ()
    answer = croupier("session", *asked.words, "--durations", *wanted, "--json")
    if isinstance(next_round(asked.plan, first_position(asked.plan)), str):
        assert answer.status == 2
        return
    assert answer.status == 0, (asked.words, answer.err)
    mine = play(asked.plan)
    check_session(asked, mine, answer.json)
    lasts = of_some_rounds(mine)
    check_durations(answer.json["durations"], lasts, mine.rounds_played)


def check_until_it_ends(seed: int, **size: Any) -> bool:
    """Check a session until it ends, unless it has too many positions."""
    asked = some_plan(seed, most_rounds=None, **size)
    mine = play_until_it_ends(asked.plan, most=150)
    if mine is None:
        return False
    answer = croupier("session", *asked.words, "--durations", "--json")
    if isinstance(next_round(asked.plan, first_position(asked.plan)), str):
        assert answer.status == 2
        return False
    assert answer.status == 0, (asked.words, answer.err)
    check_session(asked, mine, answer.json)
    lasts = until_it_ends(asked.plan)
    check_durations(answer.json["durations"], lasts, mine.rounds_played)
    return True
