"""Exact figures as text for people."""

from __future__ import annotations

from fractions import Fraction


def exact(value: int | Fraction) -> str:
    """Write a figure with its fraction: `0.972973 (36/37)`; a whole number alone."""
    if value.denominator == 1:
        return str(value)
    return f"{float(value):.6g} ({value})"


def percent(value: int | Fraction, decimals: int = 4) -> str:
    """Write a probability or a return: `2.7027 %`."""
    return f"{float(value) * 100:.{decimals}f} %"


def rounded(value: int | Fraction, form: str = ".6g") -> str:
    """Write a whole number as it is, and another in the form."""
    return str(value) if value.denominator == 1 else f"{float(value):{form}}"
