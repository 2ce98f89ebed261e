"""The sampler by enumeration: every outcome equally often, not merely about so."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product

import pytest

from croupier.chance import (
    ChanceFailed,
    draw_bonus_numbers,
    draw_distinct,
    draw_distinct_rounds,
    draw_number,
    draw_number_rounds,
    spin_virtual_wheel,
)
from croupier.chance.draws import FRUITLESS_READS_MAX, accepted
from croupier.games import all_games, find_game
from croupier.rules.bonus import draw_size
from croupier.rules.wheel import numbers
from tests.chance.entropies import Computed, Scripted, stuck

FIVE = numbers("1 2 3 4 5")
FAST_ACTION = find_game("mbs-fast-action-v2")


def test_all_bytes_are_shared_out_equally_among_the_places() -> None:
    for size in range(1, 257):
        counts = Counter(accepted(bytes(range(256)), size))

        assert counts == dict.fromkeys(range(size), 256 // size)


@pytest.mark.parametrize("count", [1, 2, 3, 5, 6, 7, 37])
def test_all_pairs_of_bytes_give_each_number_equally_often(count: int) -> None:
    some = numbers(" ".join(str(n) for n in range(count)))
    outcomes: Counter[str] = Counter()
    undecided = 0

    for script in product(range(256), repeat=2):
        if len(accepted(bytes(script), count)):
            outcomes[draw_number(some, Scripted(bytes(script)))] += 1
        else:
            undecided += 1

    assert undecided == (256 % count) ** 2
    assert outcomes == dict.fromkeys(some, (256**2 - undecided) // count)


def test_all_ordered_draws_of_three_of_five_are_equally_likely() -> None:
    # Sixty bytes that no step rejects: each step's places share them equally.
    alphabet = range(195, 255)

    drawn = Counter(
        draw_distinct(FIVE, 3, Scripted(bytes(script)))
        for script in product(alphabet, repeat=3)
    )

    assert drawn == dict.fromkeys(permutations(FIVE, 3), 60**3 // 60)


def test_a_rejected_byte_is_thrown_away_at_every_step() -> None:
    # 255 is rejected with five and with three left, and is place 3 with four left.
    script = Scripted(bytes([255, 255, 0, 255, 255, 2, 99]))

    drawn = draw_distinct(FIVE, 3, script)

    assert drawn == ("1", "5", "4")
    assert script.rest == bytes([99])


def test_many_draws_are_the_draws_that_single_ones_would_be() -> None:
    some = numbers(" ".join(str(n) for n in range(37)))
    script = bytes(range(200, 256)) + bytes(range(200))
    single = Scripted(script)

    many = draw_number_rounds(some, 222, Scripted(script))

    assert many == [draw_number(some, single) for _ in range(222)]


def test_many_draws_of_different_numbers_read_step_by_step() -> None:
    steps = (bytes([0, 4]), bytes([1, 3]), bytes([2, 0]))

    drawn = draw_distinct_rounds(FIVE, 3, 2, Scripted(b"".join(steps)))

    singles = [bytes(step[n] for step in steps) for n in range(2)]
    assert drawn == [draw_distinct(FIVE, 3, Scripted(each)) for each in singles]


def test_all_numbers_may_be_drawn() -> None:
    assert draw_distinct(FIVE, 5, stuck(0)) == FIVE
    assert draw_distinct(FIVE, 5, stuck(59)) == FIVE[::-1]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_wheel_has_the_compartments_of_its_game(game: object) -> None:
    assert isinstance(game, type(FAST_ACTION))
    script = Scripted(bytes(range(len(game.numbers))))

    spun = [spin_virtual_wheel(game, script) for _ in game.numbers]

    assert tuple(spun) == game.numbers
    assert len(spun) in {37, 39, 40}


def test_the_row_gives_the_count_of_bonus_numbers() -> None:
    drawn = draw_bonus_numbers(FAST_ACTION, stuck(0))

    assert drawn == FAST_ACTION.numbers[:10]
    assert draw_size(FAST_ACTION) == 10
    assert draw_size(FAST_ACTION.without("1.1.1")) == 0


@pytest.mark.parametrize("entropy", [stuck(255), Computed(lambda _: b"")])
def test_a_draw_that_never_ends_fails_instead(entropy: Computed) -> None:
    with pytest.raises(ChanceFailed, match=f"{FRUITLESS_READS_MAX} reads in a row"):
        draw_number(FIVE, entropy)


def test_an_impossible_draw_is_a_mistake_of_ours() -> None:
    for some, count in ((FIVE, 0), (FIVE, 6), (FIVE + FIVE, 3), ((), 1)):
        with pytest.raises(AssertionError):
            draw_distinct(some, count, stuck(0))
    with pytest.raises(AssertionError):
        draw_number(numbers(" ".join(str(n) for n in range(257))), stuck(0))
    with pytest.raises(AssertionError):
        draw_number(FIVE, Computed(lambda count: bytes(count + 1)))
