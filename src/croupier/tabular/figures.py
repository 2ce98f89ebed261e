"""Figures as text for people: exact ones, counts, money, percentages, p-values."""

from __future__ import annotations

from fractions import Fraction

_LEAST_P = 1e-300
"""Below this, float64 loses digits."""


def exact(value: int | Fraction) -> str:
    """Return a figure with its fraction, `0.972973 (36/37)`; an integer as it is."""
    if value.denominator == 1:
        return str(value)
    return f"{float(value):.6g} ({value})"


def rounded(value: int | Fraction, form: str = ".6g") -> str:
    """Return a whole number as it is, any other in the format."""
    return str(value) if value.denominator == 1 else f"{float(value):{form}}"


def counted(count: int, noun: str) -> str:
    """Return `1 row`, `1,052 rows`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def money(cents: int) -> str:
    """Return cents as currency units with thousands separators: `-1,234.50`."""
    units, hundredths = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{units:,}.{hundredths:02}"


def percent(value: float | Fraction | None, decimals: int = 4) -> str:
    """Return a probability or a return, `2.7027 %`; an empty text for None."""
    return "" if value is None else f"{float(value) * 100:.{decimals}f} %"


def signed_percent(value: float) -> str:
    """Return a gain or a loss: `+33.6 %`."""
    return f"{value * 100:+.1f} %"


def p_text(p_value: float, least: float = 0.0001) -> str:
    """Return a p-value: `0.0126`, or `4.2e-05` if it is below `least`."""
    if p_value < _LEAST_P:
        return f"<{_LEAST_P:.0e}" if p_value else "0"
    return f"{p_value:.4f}" if p_value >= least else f"{p_value:.1e}"
