"""Money as whole cents: what can be staked, and how a sum is written."""

from __future__ import annotations

MAXIMUM_CENTS = 10**15
"""No sum of money on input is larger: ten million millions of units."""


def is_amount(cents: object) -> bool:
    """Say whether it is a sum of money that can be staked: whole cents, in bounds."""
    return type(cents) is int and 0 < cents <= MAXIMUM_CENTS


def write_cents(cents: int) -> str:
    """Write cents as currency units with two decimals: `2.50`."""
    sign, size = ("-", -cents) if cents < 0 else ("", cents)
    return f"{sign}{size // 100}.{size % 100:02}"
