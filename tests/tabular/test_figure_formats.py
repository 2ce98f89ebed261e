"""Figures as text: digits that are right, errors where they show, bounds otherwise."""

from __future__ import annotations

from fractions import Fraction
from math import log10 as float_log10

import pytest

from croupier.lab.sessions import Figure, session
from croupier.tabular.figure_formats import (
    figure_count,
    figure_json,
    figure_money,
    figure_percent,
    rounded_up,
    scientific,
)

V3 = "mbs-roulette-v3"
TINY = Fraction(1, 3 * 10**470)


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        ("0.401460", "0", "40.1460 %"),
        ("0.401460", "1e-9", "40.1460 %"),
        ("0.401460", "2e-6", "40.1460 ± 2.0e-04 %"),
        ("0.4", "0.01", "39.0000 to 41.0000 %"),
        ("0.00001", "0", "0.0010 %"),
        ("0.000001", "0", "1.000e-04 %"),
        ("1e-30", "0", "1.000e-28 %"),
        ("1e-30", "7e-12", "below 7.1e-10 %"),
        ("0", "7.01e-12", "below 7.1e-10 %"),
        ("0", "0", "0 %"),
        ("1", "0", "100.0000 %"),
        ("1", "1e-12", "100.0000 %"),
        ("0.9999999999", "0", "above 99.9999 %"),
        ("0.9999999999", "1e-9", "100.0000 %"),
        ("0.9999", "0", "99.9900 %"),
    ],
)
def test_a_probability_in_percent(value: str, error: str, text: str) -> None:
    assert figure_percent(Figure(Fraction(value), Fraction(error))) == text


def test_a_probability_far_below_the_floats() -> None:
    assert figure_percent(Figure(TINY)) == "3.333e-469 %"
    assert figure_percent(Figure(TINY, TINY / 5000)) == "3.333e-469 ± 6.7e-473 %"
    assert figure_percent(Figure(TINY, TINY / 10**6)) == "3.333e-469 %"
    assert float(TINY) == 0


def test_a_simulated_probability_is_a_float() -> None:
    assert [figure_percent(each) for each in (0.0, 0.25, 2e-7, 1.0)] == [
        "0 %",
        "25.0000 %",
        "2.000e-05 %",
        "100.0000 %",
    ]


@pytest.mark.parametrize(
    ("value", "error", "text"),
    [
        ("173.2249", "0", "173.22"),
        ("173.2249", "0.001", "173.22"),
        ("173.2249", "0.05", "173.22 ± 5.0e-02"),
        ("173.2249", "9", "164.22 to 182.22"),
        ("0", "1e-9", "0.00"),
    ],
)
def test_an_expectation_with_its_error(value: str, error: str, text: str) -> None:
    figure = Figure(Fraction(value), Fraction(error))

    assert figure_count(figure) == text
    assert figure_money(figure.times(100)) == text


def test_bounds_are_never_rounded_down() -> None:
    assert rounded_up(Fraction("7.01e-12")) == "7.1e-12"
    assert rounded_up(Fraction("7e-12")) == "7.0e-12"
    assert rounded_up(Fraction("9.91e-400")) == "1.0e-399"
    assert rounded_up(Fraction(0)) == "0"


@pytest.mark.parametrize("exponent", [-400, -309, -20, -1, 0, 1, 20, 400])
def test_numbers_of_any_size(exponent: int) -> None:
    number = Fraction(12345, 10**4) * Fraction(10) ** exponent

    assert scientific(number, 5) == f"1.2345e{exponent:+03d}"


def test_json_has_the_logarithm_of_numbers_below_the_floats() -> None:
    found = figure_json(Figure(TINY))

    assert found["value"] == 0.0
    assert found["log10"] == pytest.approx(-470 - float_log10(3))
    assert found["fraction"] == f"1/{3 * 10**470}"
    assert "log10" not in figure_json(Figure(Fraction(1, 3)))


def test_the_error_in_json_is_no_smaller_than_it_is() -> None:
    for error in (Fraction(1, 3), Fraction(1, 10), TINY):
        found = figure_json(Figure(Fraction(1, 2), error))

        assert Fraction(found["error"]) >= error
        assert "fraction" not in found


def test_the_error_in_json_covers_the_rounding_of_the_value() -> None:
    figure = Figure(Fraction(10**15 + 1, 3), Fraction(1, 10**12))

    found = figure_json(figure)

    off = Fraction(found["error"])
    assert abs(Fraction(found["value"]) - figure.value) <= off - figure.error


def test_a_session_that_is_almost_never_won() -> None:
    result = session(V3, "17@1", bankroll=1, target=10**6, strategy=AllIn())

    # Four wins in a row, each of which leaves 36 times the stake.
    assert result.reached.value == Fraction(1, 37**4)
    assert "target reached" in str(result)
    assert figure_percent(result.reached) in str(result)
    assert figure_percent(result.reached) == "5.336e-05 %"


class AllIn:
    """Stake the whole bankroll."""

    start = 1

    def stake(self, state: int) -> int:
        return state

    def after(self, state: int, net: Fraction) -> int:
        return state + int(net) if net > 0 else 1


def test_float64_prints_the_errors_of_expectations() -> None:
    result = session(
        V3, "red@1", bankroll=50, target=100, rounds=100, arithmetic="float64"
    )

    text = str(result)

    for error in (
        result.error,
        result.rounds_played.error,
        result.staked_cents.error / 100,
        result.net_cents.error / 100,
    ):
        assert error > 0
        assert rounded_up(error) in text
