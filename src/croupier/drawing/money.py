"""Cents as people read them, exact and without a float."""

from __future__ import annotations

FACE_LENGTH = 5
"""The longest text that fits the round face of a chip."""
_SHORT = ((100_000_000, "m"), (100_000, "k"))


def amount(cents: int) -> str:
    """`2.50`, `1,000`: the cents only where there are some."""
    whole, rest = divmod(cents, 100)
    return f"{whole:,}.{rest:02d}" if rest else f"{whole:,}"


def in_full(cents: int) -> str:
    """`1,000.00`: for sentences."""
    return f"{cents // 100:,}.{cents % 100:02d}"


def on_face(cents: int) -> str:
    """The amount, as `12.5k` where that is shorter and still exact."""
    text = amount(cents)
    if len(text) <= FACE_LENGTH:
        return text
    for unit, letter in _SHORT:
        whole, rest = divmod(cents, unit)
        thousandths, lost = divmod(rest * 1000, unit)
        short = f"{whole}.{thousandths:03d}".rstrip("0").rstrip(".") + letter
        if whole and not lost and len(short) <= FACE_LENGTH:
            return short
    return text
