"""Exact figures as text: a whole number alone, another with its digits."""

from __future__ import annotations

from fractions import Fraction

from croupier.tabular.figures import exact, percent, rounded


def test_a_fraction_is_written_with_its_digits() -> None:
    assert exact(Fraction(36, 37)) == "0.972973 (36/37)"
    assert rounded(Fraction(1, 3)) == "0.333333"
    assert rounded(Fraction(1, 3), ".2f") == "0.33"
    assert percent(Fraction(1, 37)) == "2.7027 %"
    assert percent(Fraction(1, 37), 2) == "2.70 %"


def test_a_whole_number_is_written_alone() -> None:
    assert (exact(Fraction(6, 2)), rounded(-35)) == ("3", "-35")
