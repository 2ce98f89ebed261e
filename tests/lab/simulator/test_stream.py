"""The stream of outcomes: known words, no favourite, one place one outcome."""

from collections import Counter
from itertools import islice, product

import pytest

from croupier.lab.simulator.stream import Dice, philox

ONES = 0xFFFFFFFF
KNOWN = [
    # The published test vectors of Philox4x32-10: counter, key, words.
    ((0, 0, 0, 0), 0, (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
    ((ONES,) * 4, 2**64 - 1, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
    (
        (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
        0x299F31D0A4093822,
        (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
    ),
]


@pytest.mark.parametrize(("counter", "seed", "words"), KNOWN)
def test_the_generator_gives_the_published_words(
    counter: tuple[int, int, int, int], seed: int, words: tuple[int, ...]
) -> None:
    assert philox(counter, seed) == words


@pytest.mark.parametrize("sides", [2, 37, 39, 40, 1_462_240, 2**22, 2**40])
def test_a_word_holds_as_many_outcomes_as_leave_few_rejected(sides: int) -> None:
    dice = Dice(sides)

    assert dice.per_block == dice.words * dice.per_word
    assert dice.rejected_below * 2**10 < 2**dice.bits
    assert 1 <= dice.per_word <= 8


def test_every_row_of_digits_comes_from_equally_many_words() -> None:
    """The same cut, with words of 8 bits, counted out in full."""
    sides, per_word, one = 3, 2, 2**8
    rejected_below = one % sides**per_word
    found: Counter[tuple[int, ...]] = Counter()
    for word in range(one):
        digits, left = [], word
        for _ in range(per_word):
            digit, left = divmod(left * sides, one)
            digits.append(digit)
        if left >= rejected_below:
            found[tuple(digits)] += 1

    assert set(found) == set(product(range(sides), repeat=per_word))
    assert len(set(found.values())) == 1


@pytest.mark.parametrize("sides", [37, 2**40])
def test_outcomes_of_all_sizes_are_within_bounds_and_spread(sides: int) -> None:
    dice = Dice(sides)
    tenths = Counter(
        10 * outcome // sides
        for session in range(50)
        for outcome in islice(dice.outcomes(5, session), 100)
    )

    assert set(tenths) == set(range(10))
    assert all(350 < count < 650 for count in tenths.values())


def test_another_seed_session_or_round_gives_another_outcome() -> None:
    dice = Dice(2**40)
    sessions = [(1, 1), (2, 1), (1, 2), (1, 2**32 + 1)]

    found = {out for each in sessions for out in islice(dice.outcomes(*each), 3)}

    assert len(found) == 3 * len(sessions)
