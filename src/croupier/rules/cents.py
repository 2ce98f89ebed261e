"""Money as whole cents: the limits of a sum, and its text."""

from __future__ import annotations

MAXIMUM_CENTS = 10**15
"""No sum of money on input is larger: ten million millions of units."""


def is_amount(cents: object) -> bool:
    """Return whether the value can be staked: whole cents, above 0, within bounds."""
    return type(cents) is int and 0 < cents <= MAXIMUM_CENTS


def write_cents(cents: int) -> str:
    """Write cents as currency units with two decimals: `2.50`."""
    sign, size = ("-", -cents) if cents < 0 else ("", cents)
    return f"{sign}{size // 100}.{size % 100:02}"
