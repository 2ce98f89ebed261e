"""What each game's rows give: identity, ring, settings, multiple-piece wagers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import pytest

from croupier.games import all_games, find_game
from croupier.rules.clause import Refusal
from croupier.rules.game import CompleteDozen, FinaleZero, Game, Settings
from croupier.rules.layout import BettingArea, WagerType
from croupier.rules.notation import read_wager
from croupier.rules.pieces import Placement, find_placement
from croupier.rules.terms import Limit, Limits
from croupier.rules.wheel import Number
from tests.rules import oracle
from tests.rules.tables import Chips, Table

MBS_LADDER = ["Dealer", "Pit Supervisor", "Pit Manager", "Gaming Shift Manager"]
RWS_LADDER = ["Dealer", "Pit Supervisor", "Pit Manager", "Table Games Shift Manager"]
IDENTITIES = {
    # operator, title, document, effective
    "mbs-roulette-v2": ("MBS", "Roulette", "Roulette (MBS) v2", "2012-12-19"),
    "mbs-roulette-v3": ("MBS", "Roulette", "Roulette (MBS) v3", "2019-08-14"),
    "mbs-complete-bet-v2": (
        "MBS",
        "Roulette Complete Bet",
        "Roulette Complete Bet (MBS) v2",
        "2012-12-19",
    ),
    "mbs-fast-action-v2": (
        "MBS",
        "Sands Fast Action Roulette",
        "Sands Fast Action Roulette (MBS) v2",
        "2020-09-17",
    ),
    "rws-triple-zero": (
        "RWS",
        "Roulette Triple Zero",
        "Roulette Triple Zero (RWS)",
        "2023-04-06",
    ),
}
RINGS = {
    **dict.fromkeys(oracle.SINGLE_ZERO_GAMES, oracle.SINGLE_ZERO_RING),
    "mbs-fast-action-v2": ["0", "00", "S", "MBS", *oracle.SINGLE_ZERO_RING[1:]],
    "rws-triple-zero": oracle.TRIPLE_ZERO_RING,
}
_ALL = {"area_maximum", "close_on_drop"}
SETTINGS = {
    "mbs-roulette-v2": _ALL,
    "mbs-roulette-v3": _ALL,
    "mbs-complete-bet-v2": _ALL | {"complete_dozen"},
    "mbs-fast-action-v2": _ALL,
    "rws-triple-zero": _ALL | {"finale_zero", "ring"},
}
RACETRACK_WORDS = {
    "mbs-roulette-v2": set[str](),
    "mbs-roulette-v3": set[str](),
    "mbs-complete-bet-v2": {
        "tiers",
        "orphelins",
        "voisins_du_zero",
        "zero_spiel",
        "neighbours",
        "complete",
        "complete_maximum",
    },
    "mbs-fast-action-v2": set[str](),
    "rws-triple-zero": {
        "tiers",
        "orphelins",
        "zero_spiel",
        "grand_series",
        "finales",
        "neighbours",
    },
}


def placed(game: Game, wager: str, settings: Settings | None = None) -> Placement:
    """What the game makes of a wager that it has."""
    text = read_wager(wager, game.multiples)
    found = find_placement(game, settings or Settings(), text)
    assert not isinstance(found, Refusal), found
    return found


def names(areas: Iterable[BettingArea]) -> list[str]:
    return [area.name for area in areas]


def test_there_are_five_games_in_the_order_of_the_contract() -> None:
    games = all_games()

    assert [game.name for game in games][:5] == list(oracle.FIVE_GAMES)


@pytest.mark.parametrize("name", oracle.FIVE_GAMES)
def test_a_game_names_its_operator_document_and_date(name: str) -> None:
    operator, title, document, effective = IDENTITIES[name]

    game = find_game(name)

    assert (game.name, game.operator.name) == (name, operator)
    assert (game.title, game.document) == (title, document)
    assert game.effective == effective


@pytest.mark.parametrize("name", oracle.FIVE_GAMES)
def test_an_operator_has_its_ladder_of_positions(name: str) -> None:
    operator = find_game(name).operator
    ladder = RWS_LADDER if operator.name == "RWS" else MBS_LADDER

    positions = [role.value for role in operator.ladder]

    assert positions == ladder
    for place, role in enumerate(operator.ladder):
        above = [each for each in operator.ladder if operator.is_above(each, role)]
        assert above == list(operator.ladder[place + 1 :])


@pytest.mark.parametrize("name", oracle.FIVE_GAMES)
def test_the_ring_holds_each_number_once_in_the_order_of_the_readings(
    name: str,
) -> None:
    game = find_game(name)

    assert list(game.ring) == RINGS[name]
    assert sorted(game.ring) == sorted(oracle.NUMBERS[name])
    assert list(game.numbers) == oracle.NUMBERS[name]


@pytest.mark.parametrize("name", oracle.FIVE_GAMES)
def test_only_the_ring_of_fast_action_is_illustrative(name: str) -> None:
    game = find_game(name)

    assert game.illustrative_ring is (name == "mbs-fast-action-v2")


@pytest.mark.parametrize("name", oracle.FIVE_GAMES)
def test_a_game_has_the_settings_that_the_readings_leave_to_its_table(
    name: str,
) -> None:
    game = find_game(name)

    assert set(game.settings) == SETTINGS[name]
    assert len(game.settings) == len(SETTINGS[name])


@pytest.mark.parametrize("name", oracle.FIVE_GAMES)
def test_a_game_has_the_multiple_piece_wagers_of_its_document(name: str) -> None:
    game = find_game(name)

    assert set(game.multiples) == RACETRACK_WORDS[name]


@pytest.mark.parametrize("name", oracle.FIVE_GAMES)
def test_no_clause_is_listed_twice_and_each_says_something(name: str) -> None:
    rows = find_game(name).clauses

    assert [
        n for n, times in Counter(row.number for row in rows).items() if times > 1
    ] == []
    assert [row.number for row in rows if not row.says.strip()] == []


FIXED = {
    "mbs-complete-bet-v2": {
        "tiers": "5/8 10/11 13/16 23/24 27/30 33/36",  # 3.5.1
        "orphelins": "1 6/9 14/17 17/20 31/34",  # 3.5.2
        "voisins_du_zero": (  # 3.5.3, A4
            "0/2/3 0/2/3 4/7 12/15 18/21 19/22 25/26/28/29 25/26/28/29 32/35"
        ),
        "zero_spiel": "0/3 12/15 26 32/35",  # 3.5.4
    },
    "rws-triple-zero": {  # Appendix B
        "tiers": "5/8 10/11 13/16 23/24 27/30 33/36",
        "orphelins": "1 6/9 14/17 17/20 31/34",
        "zero_spiel": "26 0/000 00/3 12/15 32/35",
        "grand_series": (
            "0/000 4/7 12/15 18/21 19/22 32/35 00/2/3 00/2/3 25/26/28/29 25/26/28/29"
        ),
    },
}
PIECES = {
    ("mbs-complete-bet-v2", "tiers"): 6,
    ("mbs-complete-bet-v2", "orphelins"): 5,
    ("mbs-complete-bet-v2", "voisins_du_zero"): 9,
    ("mbs-complete-bet-v2", "zero_spiel"): 4,
    ("rws-triple-zero", "tiers"): 6,
    ("rws-triple-zero", "orphelins"): 5,
    ("rws-triple-zero", "zero_spiel"): 5,
    ("rws-triple-zero", "grand_series"): 10,
}


@pytest.mark.parametrize(("name", "word"), PIECES)
def test_a_racetrack_wager_lies_on_the_pieces_of_the_document(
    name: str, word: str
) -> None:
    game = find_game(name)
    written = FIXED[name][word].split()

    pieces = names(placed(game, word).areas)

    details = [piece.partition(":")[2] for piece in pieces]
    assert Counter(details) == Counter(written)
    assert len(pieces) == PIECES[name, word]


@pytest.mark.parametrize("number", oracle.SINGLE_ZERO)
def test_neighbours_in_complete_bet_are_two_to_either_side(number: str) -> None:
    game = find_game("mbs-complete-bet-v2")
    ring = oracle.SINGLE_ZERO_RING
    at = ring.index(number)
    expected = {f"straight_up:{ring[(at + step) % 37]}" for step in (-2, -1, 0, 1, 2)}

    pieces = names(placed(game, f"neighbours:{number}").areas)

    assert len(pieces) == 5
    assert set(pieces) == expected


@pytest.mark.parametrize("radius", [1, 2, 3])
def test_neighbours_in_triple_zero_are_one_two_or_three_to_either_side(
    radius: int,
) -> None:
    game = find_game("rws-triple-zero")
    ring = oracle.TRIPLE_ZERO_RING * 3

    for number in oracle.TRIPLE_ZERO:
        at = ring.index(number) + 39
        expected = {f"straight_up:{n}" for n in ring[at - radius : at + radius + 1]}
        placement = placed(game, f"neighbours:{number}:{radius}")
        assert len(placement.areas) == len(expected) == 2 * radius + 1
        assert set(names(placement.areas)) == expected
        assert placement.name == f"neighbours:{number}:{radius}"


def test_neighbours_follow_the_ring_that_the_table_has_set() -> None:
    game = find_game("rws-triple-zero")
    turned = tuple(Number(n) for n in oracle.TRIPLE_ZERO)

    pieces = names(placed(game, "neighbours:17:1", Settings(ring=turned)).areas)

    assert pieces == ["straight_up:16", "straight_up:17", "straight_up:18"]


@pytest.mark.parametrize(
    ("wager", "name"),
    [
        ("neighbours:17:0", "rws-triple-zero"),
        ("neighbours:17:4", "rws-triple-zero"),
        ("neighbours:17:1", "mbs-complete-bet-v2"),
        ("neighbours:17:3", "mbs-complete-bet-v2"),
        ("neighbours:00", "mbs-complete-bet-v2"),
        ("neighbours:S", "rws-triple-zero"),
        ("complete:000", "mbs-complete-bet-v2"),
        ("complete:dozen:0", "mbs-complete-bet-v2"),
        ("complete:dozen:4", "mbs-complete-bet-v2"),
        ("complete:17", "rws-triple-zero"),
        ("voisins_du_zero", "rws-triple-zero"),
        ("grand_series", "mbs-complete-bet-v2"),
        ("finales:4", "mbs-complete-bet-v2"),
        ("tiers", "mbs-roulette-v3"),
        ("neighbours:17", "mbs-fast-action-v2"),
    ],
)
def test_a_wager_that_is_not_on_the_list_is_refused(wager: str, name: str) -> None:
    game = find_game(name)

    found = find_placement(game, Settings(), read_wager(wager))

    assert isinstance(found, Refusal)


@pytest.mark.parametrize("digit", "0123456789")
def test_finales_are_the_numbers_that_end_in_the_digit(digit: str) -> None:
    game = find_game("rws-triple-zero")
    expected = [n for n in oracle.TRIPLE_ZERO if n[-1] == digit]

    pieces = names(placed(game, f"finales:{digit}").areas)

    assert pieces == [f"straight_up:{n}" for n in expected]
    assert len(pieces) == (6 if digit == "0" else 4 if digit in "123456" else 3)


def test_finale_zero_may_be_set_to_only_the_single_zero() -> None:
    game = find_game("rws-triple-zero")

    placement = placed(game, "finales:0", Settings(finale_zero=FinaleZero.SINGLE))

    assert names(placement.areas) == [f"straight_up:{n}" for n in (0, 10, 20, 30)]


INSIDE = ["straight_up", "split", "street", "corner", "six_line"]
# Number: pieces by type, pieces, pays; at maxima 1:2:3:4:6 units and pays.
Row = tuple[tuple[int, ...], int, int, int, int]
OUTER: Row = ((1, 3, 1, 2, 2), 9, 123, 30, 294)
MIDDLE: Row = ((1, 4, 1, 4, 2), 12, 156, 40, 392)
COMPLETE: dict[str, Row] = {
    "0": ((1, 3, 2, 1, 0), 7, 116, 17, 235),
    "1": ((1, 3, 2, 2, 1), 9, 129, 27, 297),
    "3": ((1, 3, 2, 2, 1), 9, 129, 27, 297),
    "2": ((1, 4, 3, 3, 1), 12, 165, 36, 396),
    **{str(n): OUTER for n in range(4, 34) if n % 3 != 2},
    **{str(n): MIDDLE for n in range(5, 33, 3)},
    "34": ((1, 2, 1, 1, 1), 6, 93, 18, 198),
    "36": ((1, 2, 1, 1, 1), 6, 93, 18, 198),
    "35": ((1, 3, 1, 2, 1), 8, 118, 24, 264),
}
MAXIMA = Limits(
    by_type={
        WagerType(kind): Limit(0, 1000 * units)
        for kind, units in zip(INSIDE, (1, 2, 3, 4, 6), strict=True)
    }
)


def test_the_table_of_complete_wagers_has_every_number() -> None:
    assert sorted(COMPLETE) == sorted(oracle.SINGLE_ZERO)


@pytest.mark.parametrize("number", oracle.SINGLE_ZERO)
def test_a_complete_wager_has_the_pieces_and_pays_of_the_readings(number: str) -> None:
    by_type, pieces, pays, _, _ = COMPLETE[number]
    table = Table(find_game("mbs-complete-bet-v2"))

    [wager] = table.play([Chips("w1", "Anna", f"complete:{number}", 100)], number)

    counted = Counter(piece.area.partition(":")[0] for piece in wager.pieces)
    assert tuple(counted[kind] for kind in INSIDE) == by_type
    assert len(wager.pieces) == sum(by_type) == pieces
    assert {piece.stake_cents for piece in wager.pieces} == {100}
    assert sum(piece.paid_cents for piece in wager.pieces) == 100 * pays
    assert sum(piece.returned_cents for piece in wager.pieces) == 100 * pieces


@pytest.mark.parametrize("number", oracle.SINGLE_ZERO)
def test_a_complete_maximum_wager_lies_at_each_types_own_maximum(number: str) -> None:
    by_type, _, _, units, pays = COMPLETE[number]
    table = Table(find_game("mbs-complete-bet-v2"), MAXIMA)

    [wager] = table.play(
        [Chips("w1", "Anna", f"complete_maximum:{number}", None)], number
    )

    assert len(wager.pieces) == sum(by_type)
    assert sum(piece.stake_cents for piece in wager.pieces) == 1000 * units
    assert sum(piece.paid_cents for piece in wager.pieces) == 1000 * pays


def test_a_complete_maximum_wager_never_assumes_one_two_three_four_six() -> None:
    odd = Limits(
        by_type={
            WagerType(kind): Limit(0, cents)
            for kind, cents in zip(INSIDE, (700, 900, 1100, 300, 500), strict=True)
        }
    )
    table = Table(find_game("mbs-complete-bet-v2"), odd)

    [wager] = table.play([Chips("w1", "Anna", "complete_maximum:17", None)], "17")

    stake = 1 * 700 + 4 * 900 + 1 * 1100 + 4 * 300 + 2 * 500
    paid = 35 * 700 + 17 * 4 * 900 + 11 * 1100 + 8 * 4 * 300 + 5 * 2 * 500
    assert sum(piece.stake_cents for piece in wager.pieces) == stake
    assert sum(piece.paid_cents for piece in wager.pieces) == paid


@pytest.mark.parametrize(
    ("dozen", "setting", "pieces"),
    [
        (1, CompleteDozen.TOUCHING, 54),
        (2, CompleteDozen.TOUCHING, 54),
        (3, CompleteDozen.TOUCHING, 48),
        (1, CompleteDozen.INSIDE, 42),
        (2, CompleteDozen.INSIDE, 42),
        (3, CompleteDozen.INSIDE, 42),
    ],
)
@pytest.mark.parametrize("word", ["complete", "complete_maximum"])
def test_a_complete_dozen_has_the_areas_that_touch_it_or_lie_inside(
    word: str, dozen: int, setting: CompleteDozen, pieces: int
) -> None:
    game = find_game("mbs-complete-bet-v2")
    numbers = frozenset(str(n) for n in range(12 * dozen - 11, 12 * dozen + 1))
    expected = {
        name
        for name, area in oracle.areas_of(game.name).items()
        if name.partition(":")[0] in INSIDE
        and (
            area.numbers <= numbers
            if setting is CompleteDozen.INSIDE
            else area.numbers & numbers
        )
    }

    placement = placed(game, f"{word}:dozen:{dozen}", Settings(complete_dozen=setting))

    assert len(placement.areas) == pieces
    assert set(names(placement.areas)) == expected


def test_a_complete_dozen_touches_unless_the_table_says_otherwise() -> None:
    game = find_game("mbs-complete-bet-v2")

    assert len(placed(game, "complete:dozen:1").areas) == 54
