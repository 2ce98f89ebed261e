"""Figures as text: exact ones, counts, money, percentages, p-values."""

from __future__ import annotations

from fractions import Fraction

from croupier.tabular.figures import (
    counted,
    exact,
    money,
    p_text,
    percent,
    rounded,
    signed_percent,
)


def test_a_fraction_is_written_with_its_digits() -> None:
    assert exact(Fraction(36, 37)) == "0.972973 (36/37)"
    assert rounded(Fraction(1, 3)) == "0.333333"
    assert rounded(Fraction(1, 3), ".2f") == "0.33"
    assert percent(Fraction(1, 37)) == "2.7027 %"
    assert percent(Fraction(1, 37), 2) == "2.70 %"


def test_a_whole_number_is_written_alone() -> None:
    assert (exact(Fraction(6, 2)), rounded(-35)) == ("3", "-35")


def test_counts_and_money_have_their_thousands_apart() -> None:
    assert counted(1, "row") == "1 row"
    assert counted(1_052, "row") == "1,052 rows"
    assert [money(cents) for cents in (0, 5, 123_450, -5, -123_456_789)] == [
        "0.00",
        "0.05",
        "1,234.50",
        "-0.05",
        "-1,234,567.89",
    ]


def test_a_gain_has_its_sign_and_none_is_empty() -> None:
    assert (signed_percent(0.3362), signed_percent(-0.024)) == ("+33.6 %", "-2.4 %")
    assert percent(None) == ""


def test_a_small_p_value_has_an_exponent() -> None:
    values = (1.0, 0.0126, 0.0001, 0.00009, 1e-310, 0.0)
    assert [p_text(each) for each in values] == [
        "1.0000",
        "0.0126",
        "0.0001",
        "9.0e-05",
        "<1e-300",
        "0",
    ]
