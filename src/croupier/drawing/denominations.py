"""The denominations of cash chips, and the colours of colour chips."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Denomination:
    """A chip's value, its colour, and the marks around its edge."""

    cents: int
    colour: str
    marks: int
    dashes: tuple[float, ...]
    """Mark and gap by turns, as parts of one mark's share of the edge."""
    dots: bool = False


_DENOMINATIONS = (
    Denomination(100_000, "#a8690f", 16, (0.36, 0.64)),
    Denomination(50_000, "#5f46a8", 3, (0.62, 0.38)),
    Denomination(10_000, "#22262c", 4, (0.11, 0.17, 0.11, 0.61)),
    Denomination(2_500, "#1f7a50", 6, (0.3, 0.7)),
    Denomination(500, "#b83a35", 4, (0.38, 0.62)),
    Denomination(100, "#8d8a80", 4, (0, 1), dots=True),
)
_COLOURS = {
    "red": "#b83a35",
    "orange": "#c2571a",
    "amber": "#a8690f",
    "yellow": "#c79a16",
    "lime": "#6f9a1f",
    "green": "#1f7a50",
    "teal": "#157a80",
    "cyan": "#1583a5",
    "blue": "#2a5fb0",
    "navy": "#24386f",
    "violet": "#5f46a8",
    "purple": "#7a3fa0",
    "lavender": "#8f7cc0",
    "pink": "#c2508a",
    "brown": "#74492a",
    "black": "#22262c",
    "grey": "#75726a",
    "gray": "#75726a",
    "white": "#b9b3a2",
}
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


def largest_denomination(cents: int) -> Denomination:
    """The largest chip that the amount holds; the smallest there is, below that."""
    for each in _DENOMINATIONS:
        if cents >= each.cents:
            return each
    return _DENOMINATIONS[-1]


def chip_colour(named: str) -> str:
    """A colour we know or six hex digits; nothing else may reach an attribute."""
    if _HEX.fullmatch(named):
        return named.lower()
    return _COLOURS.get(named.strip().lower(), _COLOURS["grey"])
