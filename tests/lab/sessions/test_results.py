"""What a result says of itself: figures, tables, pictures; and what is refused."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest

from croupier.lab.sessions import (
    Arithmetic,
    Figure,
    SessionError,
    session,
    solver,
)
from croupier.lab.sessions.result import checkpoints, quantile_points
from croupier.lab.sessions.solvers import float_solver
from croupier.rules.clause import WagerRefused
from croupier.rules.notation import NotationError

V3 = "mbs-roulette-v3"


def test_a_figure_knows_its_bounds() -> None:
    figure = Figure(Fraction(1, 3), Fraction(1, 100))

    assert figure.least < Fraction(1, 3) < figure.greatest
    assert not figure.is_exact
    assert Figure(Fraction(1, 2)).is_exact
    assert figure.times(-2) == Figure(Fraction(-2, 3), Fraction(1, 50))
    assert (str(figure), float(figure)) == ("0.333333", 1 / 3)


def test_money_may_be_written_as_text() -> None:
    as_text = session(V3, "red@2.50", bankroll="25.00", target="30", chip="0.50")
    as_numbers = session(V3, ["red@2.50"], bankroll=25, target=30, chip="0.50")

    assert as_text.json() == as_numbers.json()
    assert as_text.request.wager.stake_cents == 250


def test_it_is_exact_if_that_is_quick() -> None:
    short = session(V3, "red@1", bankroll=50, target=100, rounds=100)
    long = session(V3, "red@1", bankroll=500, target=1000, rounds=20_000)
    asked = session(
        V3, "red@1", bankroll=50, target=100, rounds=100, arithmetic="float64"
    )

    assert short.arithmetic is Arithmetic.EXACT
    assert short.error == 0
    assert long.arithmetic is Arithmetic.FLOAT64
    assert 0 < long.error < Fraction(1, 10**9)
    assert asked.arithmetic is Arithmetic.FLOAT64


def test_quantiles_are_the_least_that_are_not_exceeded() -> None:
    result = session(V3, "red@1", bankroll=20, rounds=1)

    assert quantile_points([(5, 1), (7, 18), (9, 1)], 20) == (5, 7, 7, 7, 7)
    assert list(result.quantiles.values()) == [1900, 1900, 1900, 2100, 2100]


def test_checkpoints_are_evenly_spread() -> None:
    assert checkpoints(3) == [1, 2, 3]
    assert checkpoints(1000, 4) == [250, 500, 750, 1000]
    assert len(checkpoints(12_345)) == 100


@pytest.mark.parametrize("rounds", [40, None])
def test_the_course_goes_to_the_end(rounds: int | None) -> None:
    result = session(V3, "red@1", bankroll=5, target=10, rounds=rounds)

    course = result.snapshots

    assert course[0].round == 1
    assert all(one.round < two.round for one, two in zip(course, course[1:]))  # noqa: B905, RUF007
    assert all(len(each.points) == 5 for each in course)
    if rounds:
        assert course[-1].ruined == result.ruined.value
    else:
        assert 0.9 < float(course[-1].ruined + course[-1].reached) < 1


def test_it_shows_itself_in_a_notebook() -> None:
    result = session(V3, "red@1", bankroll=5, target=10, strategy="paroli")

    html = result._repr_html_()

    assert html.count("<table>") == 1
    assert "paroli with red@1, from 5.00 to 10.00" in html
    assert "Exact: calculated in fractions." in html
    assert str(result).splitlines()[0].startswith("Roulette: paroli")


def test_it_draws_itself() -> None:
    result = session(V3, "red@1", bankroll=5, target=10, rounds=30)

    fan, curves, amounts = result.plot().figure.axes

    assert fan.get_ylabel() == "bankroll"
    assert [line.get_label() for line in curves.lines] == ["ruined", "target reached"]
    [ruined, *_] = curves.lines
    assert [line.get_label() for line in amounts.lines] == ["bankroll at the end"]
    assert ruined.get_ydata()[-1] == pytest.approx(100 * float(result.ruined))  # type: ignore[index]


class Bad:
    """A strategy with one thing wrong."""

    def __init__(self, start: Any = 0, stake: Any = 1) -> None:
        self.start = start
        self._stake = stake

    def stake(self, state: Any) -> Any:
        return self._stake

    def after(self, state: Any, net: Fraction) -> Any:
        return [state]


@pytest.mark.parametrize(
    ("strategy", "said"),
    [
        (Bad(), "has a state that is not hashable"),
        (Bad(stake=0), "stakes nothing at the start"),
        (Bad(stake=1.5), "must stake whole units, 0 or more, not 1.5"),
        (Bad(stake=-1), "must stake whole units, 0 or more, not -1"),
        (Bad(stake=100), "the bankroll does not pay for the first wager"),
        ("martingal", "did you mean martingale"),
    ],
)
def test_a_bad_strategy_is_refused_in_a_sentence(strategy: Any, said: str) -> None:
    with pytest.raises(SessionError, match=said):
        session(
            V3,
            "red@1",
            bankroll=5,
            target=10,
            strategy=strategy,
            over_bankroll="stop",
        )


@pytest.mark.parametrize("rounds", ["5", 1.5, True, 0, -1, 10**7])
def test_rounds_are_a_whole_number(rounds: Any) -> None:
    with pytest.raises(SessionError, match="a session has 1 to 1,000,000 rounds"):
        session(V3, "red@1", bankroll=5, rounds=rounds)


def test_values_that_are_no_wagers_are_refused() -> None:
    with pytest.raises(NotationError):
        session(V3, "red@", bankroll=5, target=9)
    with pytest.raises(WagerRefused):
        session(V3, "tiers@1", bankroll=5, target=9)
    with pytest.raises(SessionError, match="name a wager"):
        session(V3, [], bankroll=5, target=9)


def test_a_wager_that_can_neither_win_nor_lose() -> None:
    from croupier.odds import read_what_if

    model = read_what_if(V3, "[chances]\n0 = 0\n")

    with pytest.raises(SessionError, match="neither wins nor loses"):
        session(model, "red@1 + black@1", bankroll=5, target=9)


def test_the_cap_on_an_area_bounds_the_units() -> None:
    """A8: the setting counts beside the limits, and the lower one decides."""
    capped = session(
        V3,
        "red@10",
        bankroll=100,
        rounds=1,
        limits=["* 10 100"],
        settings=["area_maximum red 50"],
    )

    assert capped.request.wager.maximum_units == 5


@pytest.mark.parametrize("target", [None, 2 * 10**11])
def test_a_vast_bankroll_has_as_many_ends_as_rounds(target: int | None) -> None:
    result = session(V3, "red@1", bankroll=10**11, target=target, rounds=100)

    won = Fraction(18, 37)
    assert result.is_exact
    assert result.bankrolls == {
        100 * (10**11 + 2 * wins - 100): comb(100, wins)
        * won**wins
        * (1 - won) ** (100 - wins)
        for wins in range(101)
    }


@pytest.mark.parametrize("strategy", ["d-alembert", "labouchere", "oscars-grind"])
def test_a_vast_bankroll_is_followed_as_far_as_the_rounds(strategy: str) -> None:
    vast, large = (
        session(V3, "red@1", bankroll=bankroll, strategy=strategy, rounds=8)
        for bankroll in (10**11, 10**4)
    )

    more = 100 * (10**11 - 10**4)
    assert vast.bankrolls == {at + more: p for at, p in large.bankrolls.items()}
    assert vast.staked_cents == large.staked_cents


def test_json_has_no_course_if_that_takes_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    result = session(V3, "red@1", bankroll=9, target=12, strategy="martingale")
    with_course = result.json()
    monkeypatch.setattr(solver, "_EXACT_STEPS", 0)
    monkeypatch.setattr(float_solver, "_MOST_STEPS", 0)

    again = session(V3, "red@1", bankroll=9, target=12, strategy="martingale")

    assert with_course["course"]
    assert again.json() == {**with_course, "course": []}
    with pytest.raises(SessionError, match="too long to follow"):
        _ = again.snapshots


def test_no_probability_is_above_one() -> None:
    result = session(V3, "17@1", bankroll=40, rounds=2, arithmetic="float64")

    assert sum(result.solved.playing.values()) > 1
    assert result.playing.value == 1
    assert result.playing.error > 0
