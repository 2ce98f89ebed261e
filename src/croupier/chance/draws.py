"""Draws of one number or several, every possible draw equally likely.

Laws of this file:
- a byte that would make one number likelier than another is thrown away;
- one draw and a million run the same code, so that a laboratory tests the code that
  plays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from croupier.chance.entropy import ChanceFailed, Entropy
from croupier.rules.bonus import draw_size
from croupier.rules.game import Game
from croupier.rules.wheel import Number

BYTE_VALUES = 256
FRUITLESS_READS_MAX = 128
"""Reads in a row without a usable byte: by chance less than once in 2¹²⁸."""


def spin_virtual_wheel(game: Game, entropy: Entropy) -> Number:
    """Draw the compartment in which the ball comes to rest (A24)."""
    return draw_number(game.numbers, entropy)


def draw_bonus_numbers(game: Game, entropy: Entropy) -> tuple[Number, ...]:
    """Draw the round's Bonus Numbers, all different, in the order drawn."""
    return draw_distinct(game.numbers, draw_size(game), entropy)


def draw_number(numbers: Sequence[Number], entropy: Entropy) -> Number:
    return draw_number_rounds(numbers, 1, entropy)[0]


def draw_number_rounds(
    numbers: Sequence[Number], rounds: int, entropy: Entropy
) -> list[Number]:
    """Draw one of the numbers for each round, independently."""
    assert len(set(numbers)) == len(numbers) > 0, numbers
    return [numbers[place] for place in places(len(numbers), rounds, entropy)]


def draw_distinct(
    numbers: Sequence[Number], count: int, entropy: Entropy
) -> tuple[Number, ...]:
    """Draw different numbers, in the order drawn."""
    return draw_distinct_rounds(numbers, count, 1, entropy)[0]


def draw_distinct_rounds(
    numbers: Sequence[Number], count: int, rounds: int, entropy: Entropy
) -> list[tuple[Number, ...]]:
    """Draw different numbers for each round."""
    assert len(set(numbers)) == len(numbers) >= count > 0, (numbers, count)
    left = range(len(numbers), len(numbers) - count, -1)
    steps = [places(size, rounds, entropy) for size in left]
    return [_taken(numbers, round_places) for round_places in zip(*steps, strict=True)]


def _taken(numbers: Sequence[Number], at: tuple[int, ...]) -> tuple[Number, ...]:
    """Return the numbers at these places; each place counts only the numbers left."""
    untaken = list(numbers)
    return tuple(map(untaken.pop, at))


def places(size: int, count: int, entropy: Entropy) -> bytes:
    """Draw `count` places from 0 to `size` - 1, independent and equally likely."""
    found = bytearray()
    fruitless = 0
    while len(found) < count:
        kept = accepted(entropy.read(count - len(found)), size)
        found += kept
        fruitless = 0 if kept else fruitless + 1
        if fruitless == FRUITLESS_READS_MAX:
            raise ChanceFailed(f"{fruitless} reads in a row had no usable byte")
    assert len(found) == count, "the entropy gave more than it was asked for"
    return bytes(found)


def accepted(raw: bytes, size: int) -> bytes:
    """Return the places below `size` that the bytes give; drop rejected bytes."""
    return raw.translate(*_translation(size))


@cache
def _translation(size: int) -> tuple[bytes, bytes]:
    """Return each byte's place, and the rejected bytes: a last, incomplete `size`."""
    assert 0 < size <= BYTE_VALUES, size
    table = bytes([value % size for value in range(BYTE_VALUES)])
    first_rejected = BYTE_VALUES - BYTE_VALUES % size
    return table, bytes(range(first_rejected, BYTE_VALUES))
