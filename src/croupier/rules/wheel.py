"""Numbers, their colours, and the ring of compartments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum, unique
from typing import NewType

Number = NewType("Number", str)
"""A compartment's mark: `0`, `00`, `000`, `1` to `36`, `S`, `MBS`. Never an int."""


def numbers(text: str) -> tuple[Number, ...]:
    return tuple(Number(word) for word in text.split())


NUMERALS = tuple(Number(str(n)) for n in range(1, 37))
ZEROS = numbers("0 00 000")
_SYMBOLS = numbers("S MBS")
LAYOUT_ORDER: tuple[Number, ...] = (*ZEROS, *NUMERALS, *_SYMBOLS)
_RANK = {number: rank for rank, number in enumerate(LAYOUT_ORDER)}

RED = frozenset(numbers("1 3 5 7 9 12 14 16 18 19 21 23 25 27 30 32 34 36"))  # A3
_NUMERAL_SET = frozenset(NUMERALS)


@unique
class Colour(Enum):
    """The colour of a number (readings A3)."""

    RED = "red"
    BLACK = "black"
    GREEN = "green"


def colour_of(number: Number) -> Colour:
    """Return red or black for 1 to 36, green for zeros and symbols."""
    if number in RED:
        return Colour.RED
    return Colour.BLACK if number in _NUMERAL_SET else Colour.GREEN


def layout_rank(number: Number) -> int:
    """Return the number's place in the layout order; an unknown number comes last."""
    return _RANK.get(number, len(_RANK))


def in_layout_order(some: Iterable[Number]) -> tuple[Number, ...]:
    return tuple(sorted(some, key=lambda number: (layout_rank(number), number)))


def list_numbers(some: Iterable[Number]) -> str:
    """Write the numbers in order, with a run of numerals shortened: `0 1 … 36`."""
    rows: list[list[Number]] = []
    for number in in_layout_order(some):
        last = rows[-1][-1] if rows else None
        if last in _NUMERAL_SET and number == str(int(last or 0) + 1):
            rows[-1].append(number)
        else:
            rows.append([number])
    return " ".join(
        f"{row[0]} … {row[-1]}" if len(row) > 2 else " ".join(row) for row in rows
    )


def neighbours(ring: Sequence[Number], centre: Number, radius: int) -> list[Number]:
    middle = ring.index(centre)
    return [ring[(middle + step) % len(ring)] for step in range(-radius, radius + 1)]
