"""Every area of every game settled on every number, against the documents' tables.

The oracle knows the layouts by arithmetic on numerals and the pay tables as typed.
"""

from __future__ import annotations

from collections import Counter

import pytest

from croupier.games import find_game
from croupier.rules import commands as do
from croupier.rules.events import SettledWager
from croupier.rules.game import Game, Irregularity
from tests.rules import oracle
from tests.rules.tables import DEALER, Chips, Table

# The counts of readings.md, “Betting areas”.
SINGLE_ZERO_COUNTS = {
    "straight_up": 37,
    "split": 60,
    "street": 14,
    "corner": 23,
    "six_line": 11,
    "column": 3,
    "dozen": 3,
    "low": 1,
    "high": 1,
    "even": 1,
    "odd": 1,
    "red": 1,
    "black": 1,
}
COUNTS = {
    **dict.fromkeys(oracle.SINGLE_ZERO_GAMES, SINGLE_ZERO_COUNTS),
    "mbs-fast-action-v2": {
        "straight_up": 40,
        "bonus_win": 1,
        "super_bonus_win": 1,
        "scatter_bonus": 1,
    },
    "rws-triple-zero": {
        **SINGLE_ZERO_COUNTS,
        "straight_up": 39,
        "split": 64,
        "street": 16,
        "green": 1,
        "corner": 22,
        "top_line": 1,
    },
}
TOTALS = {
    "mbs-roulette-v2": 157,
    "mbs-roulette-v3": 157,
    "mbs-complete-bet-v2": 157,
    "mbs-fast-action-v2": 43,
    "rws-triple-zero": 166,
}


def one_wager_on_each_area(game: Game) -> list[Chips]:
    """Every area with a stake of its own, so that no two can be mixed up."""
    return [
        Chips(f"w{place}", "Anna", area.name, 101 + 2 * place)
        for place, area in enumerate(game.areas)
    ]


def money(settled: tuple[SettledWager, ...]) -> dict[str, tuple[int, int, int, int]]:
    """By area: stake, paid, collected, returned."""
    pieces = [piece for wager in settled for piece in wager.pieces]
    assert len(pieces) == len({piece.area for piece in pieces})
    return {
        piece.area: (
            piece.stake_cents,
            piece.paid_cents,
            piece.collected_cents,
            piece.returned_cents,
        )
        for piece in pieces
    }


def expected_money(
    wagers: list[Chips], pays: dict[str, int | None]
) -> dict[str, tuple[int, int, int, int]]:
    expected = {}
    for chips in wagers:
        cents, to_one = chips.cents or 0, pays[chips.wager]
        expected[chips.wager] = (
            (cents, 0, cents, 0)
            if to_one is None
            else (cents, cents * to_one, 0, cents)
        )
    return expected


@pytest.mark.parametrize("name", oracle.FIVE_GAMES)
def test_the_areas_are_as_many_of_each_type_as_the_readings_count(name: str) -> None:
    game = find_game(name)

    counts = Counter(area.wager_type.value for area in game.areas)

    assert counts == COUNTS[name]
    assert len(game.areas) == len(game.area_by_name) == TOTALS[name]


@pytest.mark.parametrize("name", oracle.TABLE_GAMES)
def test_each_area_covers_the_numbers_that_arithmetic_gives_it(name: str) -> None:
    expected = {area: each.numbers for area, each in oracle.areas_of(name).items()}

    derived = {area.name: area.numbers for area in find_game(name).areas}

    assert derived == expected


@pytest.mark.parametrize("name", oracle.FIVE_GAMES)
def test_the_areas_are_listed_by_type_and_then_in_layout_order(name: str) -> None:
    types = list(COUNTS["rws-triple-zero"])
    order = [
        "straight_up",
        "split",
        "street",
        "corner",
        "six_line",
        "top_line",
        "green",
    ]
    order += ["column", "dozen", "low", "high", "even", "odd", "red", "black"]
    assert set(order) == set(types)
    order += ["bonus_win", "super_bonus_win", "scatter_bonus"]

    listed = [area.name for area in find_game(name).areas]

    def place(area: str) -> tuple[int, list[int]]:
        kind, _, detail = area.partition(":")
        if kind in {"column", "dozen"}:
            return order.index(kind), [int(detail)]
        return order.index(kind), [
            oracle.ORDER.index(n) for n in detail.split("/") if n
        ]

    assert listed == sorted(listed, key=place)


@pytest.mark.parametrize("name", oracle.TABLE_GAMES)
def test_every_area_is_settled_as_the_document_says(name: str) -> None:
    for number in oracle.NUMBERS[name]:
        table = Table(find_game(name))
        wagers = one_wager_on_each_area(table.game)

        settled = table.play(wagers, number)

        assert money(settled) == expected_money(wagers, oracle.pays_at(name, number))


def draws_for(number: str) -> dict[str, list[str]]:
    """Ten Bonus Numbers for each status that the number can have."""
    own = next(link for link in oracle.LINKS if number in link)
    others = [link for link in oracle.LINKS if link is not own]
    sibling = next(n for n in own if n != number)
    one_of_each = [link[place % 4] for place, link in enumerate(others)]
    return {
        "non-bonus, no scatter": [*others[0][:3], *others[3], *others[8][1:]],
        "non-bonus, no scatter for want of its own link": [
            *one_of_each,
            others[0][1],
        ],
        "non-bonus, scatter": [*one_of_each, sibling],
        "non-bonus, three of its link lit": [
            *(n for n in own if n != number),
            *others[4],
            *others[5][:3],
        ],
        "bonus, no scatter": [number, *one_of_each[:8], others[0][1]],
        "bonus beside a super bonus link": [
            number,
            *others[2],
            *others[7],
            others[1][3],
        ],
        "bonus, scatter": [number, *one_of_each],
        "super bonus": [*own, *one_of_each[:6]],
        "super bonus, two links whole": [*own, *others[1], *others[6][:2]],
    }


SUPPOSED = {
    # straight up on the number, bonus win, super bonus win, scatter bonus
    "non-bonus, no scatter": (35, None, None, None),
    "non-bonus, no scatter for want of its own link": (35, None, None, None),
    "non-bonus, scatter": (35, None, None, 700),
    "non-bonus, three of its link lit": (35, None, None, None),
    "bonus, no scatter": (40, 2, None, None),
    "bonus beside a super bonus link": (40, 2, None, None),
    "bonus, scatter": (40, 2, None, 700),
    "super bonus": (80, 2, 350, None),
    "super bonus, two links whole": (80, 2, 350, None),
}


@pytest.mark.parametrize("status", SUPPOSED)
def test_every_fast_action_area_is_settled_by_the_status(status: str) -> None:
    straight, bonus, super_bonus, scatter = SUPPOSED[status]
    for number in oracle.FAST_ACTION:
        table = Table(find_game("mbs-fast-action-v2"))
        wagers = one_wager_on_each_area(table.game)
        drawn = draws_for(number)[status]
        assert len(set(drawn)) == 10
        pays: dict[str, int | None] = {each.wager: None for each in wagers}
        pays |= {f"straight_up:{number}": straight, "bonus_win": bonus}
        pays |= {"super_bonus_win": super_bonus, "scatter_bonus": scatter}

        settled = table.play(wagers, number, drawn)

        assert money(settled) == expected_money(wagers, pays)


TEN_VOIDS = [each for each in Irregularity if each is not Irregularity.UNLISTED]


@pytest.mark.parametrize("irregularity", TEN_VOIDS, ids=lambda each: each.value)
@pytest.mark.parametrize("name", oracle.FIVE_GAMES)
def test_every_area_is_returned_in_a_void_round(
    name: str, irregularity: Irregularity
) -> None:
    table = Table(find_game(name))
    wagers = one_wager_on_each_area(table.game)
    table.begin()
    table.do(DEALER, do.PlaceYourBets())
    for chips in wagers:
        table.lay(chips)

    table.do(DEALER, do.ReportIrregularity(irregularity))
    table.do(DEALER, do.Settle())

    stakes = {each.wager: each.cents or 0 for each in wagers}
    assert money(table.settled()) == {
        area: (cents, 0, 0, cents) for area, cents in stakes.items()
    }
    assert table.current.settled is not None
    assert table.current.settled.winning_number is None
