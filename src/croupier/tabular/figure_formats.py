"""Figures with errors as text and JSON: no digit is shown that the error puts in doubt.

The error is written only if it reaches the shown digits. If the error is a large part
of the figure, the bounds are written instead.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, Context, Decimal, localcontext
from fractions import Fraction
from math import inf, nextafter
from sys import float_info
from typing import Any

from croupier.numeric.figure import Figure
from croupier.rules.cents import write_cents

_MAXIMUM_DIGITS = 4_000
_SMALL = 1000
"""A figure's error is small if the figure is at least this many times as large."""
_BITS = 256
_HALF = Fraction(1, 2)
_EXACTLY = Context(prec=40, Emin=MIN_EMIN, Emax=MAX_EMAX)


def figure_percent(figure: Figure | Fraction | float) -> str:
    """Return a probability in percent, with the digits that its error allows."""
    if not isinstance(figure, Figure):
        return f"{_percent_digits(Fraction(figure))} %"
    value, error = figure.value * 100, figure.error * 100
    if value < 0 or error * _SMALL > value:
        return _percent_bounds(figure)
    digits = _percent_digits(value / 100)
    place = Fraction(Decimal((0, (1,), int(Decimal(digits).as_tuple().exponent))))
    if value < 100 and digits == "100.0000":
        return "above 99.9999 %" if figure.greatest < 1 else f"{digits} %"
    return f"{digits}{_off_by(error, place)} %"


def _percent_digits(value: Fraction) -> str:
    shown = value * 100
    if shown == 0:
        return "0"
    return f"{float(shown):.4f}" if shown >= Fraction(1, 1000) else scientific(shown)


def _percent_bounds(figure: Figure) -> str:
    """Return the bounds of a probability."""
    least, greatest = max(figure.least, Fraction(0)), figure.greatest
    if greatest == 0:
        return "0 %"
    if 2 * least < greatest:
        return f"below {scientific(greatest * 100, 2, rounding=ROUND_CEILING)} %"
    return f"{_percent_digits(least)} to {_percent_digits(greatest)} %"


def figure_count(figure: Figure, decimals: int = 2) -> str:
    """Return an expected number, such as that of rounds."""
    place = Fraction(1, 10**decimals)
    if _is_unknown(figure, place):
        bounds = figure.least, figure.greatest
        return " to ".join(f"{float(bound):.{decimals}f}" for bound in bounds)
    return f"{float(figure.value):.{decimals}f}{_off_by(figure.error, place)}"


def figure_money(figure: Figure) -> str:
    """Return an expected sum, given in cents."""
    if _is_unknown(figure, Fraction(1)):
        bounds = (
            write_cents(round(cents)) for cents in (figure.least, figure.greatest)
        )
        return " to ".join(bounds)
    shown = write_cents(round(figure.value))
    return f"{shown}{_off_by(figure.error / 100, Fraction(1, 100))}"


def _is_unknown(figure: Figure, place: Fraction) -> bool:
    return figure.error > place * _HALF and figure.error * _SMALL > abs(figure.value)


def _off_by(error: Fraction, place: Fraction) -> str:
    """Return ` ± error` if the error puts the last digit in doubt, else nothing."""
    return f" ± {rounded_up(error)}" if error > place * _HALF else ""


def rounded_up(bound: Fraction) -> str:
    """Return a bound with two digits, rounded up."""
    return scientific(bound, 2, rounding=ROUND_CEILING) if bound else "0"


def scientific(value: Fraction, digits: int = 4, rounding: str | None = None) -> str:
    """Return a positive number as `1.234e-470`, however small or large it is."""
    with localcontext(_EXACTLY) as context:
        number = _decimal(value)
        context.rounding = rounding or context.rounding
        mantissa, _, exponent = f"{number:.{digits - 1}e}".partition("e")
    return f"{mantissa}e{int(exponent):+03d}"


def _decimal(value: Fraction) -> Decimal:
    """Return forty digits of a fraction; a long one is shortened to `_BITS` first."""
    top, bottom = value.numerator, value.denominator
    high, low = (max(0, each.bit_length() - _BITS) for each in (top, bottom))
    return Decimal(top >> high) / Decimal(bottom >> low) * Decimal(2) ** (high - low)


def figure_json(figure: Figure) -> dict[str, Any]:
    """Return the number and its error, and the fraction if it is exact.

    A number too small for float64 also has its `log10`.
    """
    value = _float(figure.value)
    document: dict[str, Any] = {"value": value, "error": 0.0}
    if figure.is_exact:
        document["fraction"] = fraction_text(figure.value)
    else:
        rounded = abs(Fraction(value) - figure.value)
        error = _float(figure.error + rounded)
        is_below = error < figure.error + rounded
        document["error"] = nextafter(error, inf) if is_below else error
    if 0 < figure.value < Fraction(float_info.min):
        document["log10"] = log10(figure.value)
    return document


def log10(value: Fraction) -> float:
    with localcontext(_EXACTLY):
        return float(_decimal(value).log10())


def _float(value: Fraction) -> float:
    """Return the nearest float64; the greatest one instead of infinity."""
    try:
        return float(value)
    except OverflowError:
        return float_info.max if value > 0 else -float_info.max


def fraction_text(value: Fraction) -> str | None:
    """Return `a/b`; None if it has more than about 4,000 digits."""
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    return (
        None if bits > 3 * _MAXIMUM_DIGITS else f"{value.numerator}/{value.denominator}"
    )
