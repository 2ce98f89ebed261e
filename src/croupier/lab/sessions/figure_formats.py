"""A figure as text and as JSON: no digit is shown that its error does not allow.

A figure whose error can't be seen in the digits is written alone, one whose error can
with that error, and one whose error is no small part of it as the bounds it lies in.
"""

from __future__ import annotations

from decimal import MAX_EMAX, MIN_EMIN, ROUND_CEILING, Context, Decimal, localcontext
from fractions import Fraction
from math import inf, nextafter
from sys import float_info
from typing import Any

from croupier.lab.sessions.result import Figure
from croupier.rules.cents import write_cents

_MAXIMUM_DIGITS = 4_000
_SMALL = 1000
"""An error is small beside a figure that is so many times as large."""
_BITS = 256
_HALF = Fraction(1, 2)
_EXACTLY = Context(prec=40, Emin=MIN_EMIN, Emax=MAX_EMAX)


def percent(figure: Figure | Fraction | float) -> str:
    """Return a probability in percent, with as many digits as tell something."""
    if not isinstance(figure, Figure):
        return f"{_percent_digits(Fraction(figure))} %"
    value, error = figure.value * 100, figure.error * 100
    if value < 0 or error * _SMALL > value:
        return _percent_bounds(figure)
    digits = _percent_digits(value / 100)
    if value < 100 and digits == "100.0000":
        return "above 99.9999 %" if figure.greatest < 1 else f"{digits} %"
    return f"{digits}{_off_by(error, _last_place(digits))} %"


def _percent_digits(value: Fraction) -> str:
    shown = value * 100
    if shown == 0:
        return "0"
    return f"{float(shown):.4f}" if shown >= Fraction(1, 1000) else scientific(shown)


def _percent_bounds(figure: Figure) -> str:
    """Return where a probability lies that is not known better."""
    least, greatest = max(figure.least, Fraction(0)), figure.greatest
    if greatest == 0:
        return "0 %"
    if 2 * least < greatest:
        return f"below {scientific(greatest * 100, 2, rounding=ROUND_CEILING)} %"
    return f"{_percent_digits(least)} to {_percent_digits(greatest)} %"


def count(figure: Figure, decimals: int = 2) -> str:
    """Return an expected number, such as that of rounds."""
    place = Fraction(1, 10**decimals)
    if _is_unknown(figure, place):
        bounds = figure.least, figure.greatest
        return " to ".join(f"{float(bound):.{decimals}f}" for bound in bounds)
    return f"{float(figure.value):.{decimals}f}{_off_by(figure.error, place)}"


def money(figure: Figure) -> str:
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


def _last_place(digits: str) -> Fraction:
    """Return what one is worth in the last of the digits."""
    return Fraction(Decimal((0, (1,), int(Decimal(digits).as_tuple().exponent))))


def _off_by(error: Fraction, place: Fraction) -> str:
    """Return the error where the last of the digits is in doubt."""
    return f" ± {at_most(error)}" if error > place * _HALF else ""


def at_most(bound: Fraction) -> str:
    """Return a bound in two digits, never smaller than it is."""
    return scientific(bound, 2, rounding=ROUND_CEILING) if bound else "0"


def scientific(value: Fraction, digits: int = 4, rounding: str | None = None) -> str:
    """Return a positive number as `1.234e-470`, however small or large it is."""
    with localcontext(_EXACTLY) as context:
        number = _decimal(value)
        context.rounding = rounding or context.rounding
        mantissa, _, exponent = f"{number:.{digits - 1}e}".partition("e")
    return f"{mantissa}e{int(exponent):+03d}"


def _decimal(value: Fraction) -> Decimal:
    """Return forty digits of a fraction; of a long one the rest is cut off before."""
    top, bottom = value.numerator, value.denominator
    high, low = (max(0, each.bit_length() - _BITS) for each in (top, bottom))
    return Decimal(top >> high) / Decimal(bottom >> low) * Decimal(2) ** (high - low)


def figure_json(figure: Figure) -> dict[str, Any]:
    """Return the number, what it may be off by, and itself where it is a fraction.

    `log10` is told of a number that no float64 comes near.
    """
    value = _float(figure.value)
    told: dict[str, Any] = {"value": value, "error": 0.0}
    if figure.is_exact:
        told["fraction"] = fraction_text(figure.value)
    else:
        rounded = abs(Fraction(value) - figure.value)
        told["error"] = _float_above(figure.error + rounded)
    if 0 < figure.value < Fraction(float_info.min):
        told["log10"] = log10(figure.value)
    return told


def log10(value: Fraction) -> float:
    """Return the logarithm of a number of any size."""
    with localcontext(_EXACTLY):
        return float(_decimal(value).log10())


def _float(value: Fraction) -> float:
    """Return the nearest float64; the greatest there is beyond them all."""
    try:
        return float(value)
    except OverflowError:
        return float_info.max if value > 0 else -float_info.max


def _float_above(value: Fraction) -> float:
    nearest = _float(value)
    return nearest if nearest >= value else nextafter(nearest, inf)


def fraction_text(value: Fraction) -> str | None:
    """Return `a/b`; None where it would fill pages."""
    bits = max(value.numerator.bit_length(), value.denominator.bit_length())
    return (
        None if bits > 3 * _MAXIMUM_DIGITS else f"{value.numerator}/{value.denominator}"
    )
