"""The engine against the golden tables of each game."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from croupier.games import find_game
from croupier.rules.bonus import Outcome, winning_areas
from croupier.rules.clause import Refusal
from croupier.rules.decisions import decide_act
from croupier.rules.game import Settings, Status
from croupier.rules.notation import read_wager
from croupier.rules.pieces import Placement, find_placement
from croupier.rules.series import Series, apply_recorded, begin_round
from croupier.rules.wheel import numbers
from croupier.transcript import PracticeTable, read_line
from tests.golden_tables import GAMES, golden_rows

ROLES = {
    "P": "Anna",
    "D": "Dealer",
    "PS": "Pit Supervisor",
    "PM": "Pit Manager",
    "GSM": "Gaming Shift Manager",
    "TGSM": "Table Games Shift Manager",
    "sys": "system",
    "RNG": "RNG",
}


every_game = pytest.mark.parametrize("name", GAMES)


@every_game
def test_a_wager_is_settled_as_the_document_says(name: str) -> None:
    rows = golden_rows(f"{name}.settle")

    differ = {row: had for row in rows if (had := _settled_otherwise(name, row))}

    assert len(rows) > 70
    assert differ == {}


def _settled_otherwise(name: str, row: str) -> tuple[object, ...]:
    """Return the clause and the cents of a settlement that is not the row's."""
    clause, area, number, stake, paid, collected, *bonus = row.split()
    returned = int(stake) - int(collected)
    table = PracticeTable(name)
    table.place_your_bets()
    table.act(f"Anna: place {area} {int(stake) / 100:.2f} as w1")
    table.spin()
    table.no_more_bets()
    if bonus:
        table.act(f"RNG: bonus numbers {bonus[0].replace(',', ' ')}")
    table.outcome(number)

    [settled] = table.settle()
    [piece] = settled.pieces
    cents = piece.paid_cents, piece.collected_cents, piece.returned_cents
    had = piece.clause, *cents
    return () if had == (clause, int(paid), int(collected), returned) else had


@every_game
def test_a_layout_has_the_areas_that_were_counted(name: str) -> None:
    game = find_game(name)
    rows = [row.split() for row in golden_rows(f"{name}.areas")]

    counted = Counter(area.wager_type.value for area in game.areas)

    assert counted == {kind: int(count) for kind, count, _ in rows}


@every_game
def test_a_wager_type_pays_as_the_pay_table_says(name: str) -> None:
    table = {each.value: pays for each, pays in find_game(name).pay_table.items()}

    for row in golden_rows(f"{name}.areas"):
        kind, _, pays = row.split()
        listed = table[kind]
        found = [listed] if isinstance(listed, int) else list(listed.values())
        assert found == [int(word) for word in pays.split("/")], row


@pytest.mark.parametrize("name", ["mbs-complete-bet-v2", "rws-triple-zero"])
def test_a_multiple_piece_wager_has_its_pieces(name: str) -> None:
    game = find_game(name)

    for row in golden_rows(f"{name}.pieces"):
        wager, *pieces = row.split()
        placement = find_placement(game, Settings(), read_wager(wager))
        assert isinstance(placement, Placement)
        areas = [area.name for area in placement.areas]
        assert areas == pieces or [str(len(areas))] == pieces, row


def test_the_highest_status_pays_alone() -> None:
    game = find_game("mbs-fast-action-v2")
    area = game.area_by_name["straight_up:6"]
    drawn = frozenset(numbers("5 6 7 8 0 1 9 13 17 21"))

    pays = [
        winning_areas(game, Outcome(area_number, lit))[area.name]
        for area_number, lit in (
            (numbers("6")[0], frozenset(numbers("1 2 3 5 9 13 17 21 25 29"))),
            (numbers("6")[0], frozenset(numbers("6 2 3 5 9 13 17 21 25 29"))),
            (numbers("6")[0], drawn),
        )
    ]

    table = game.pay_table[area.wager_type]
    assert not isinstance(table, int)
    assert pays == [table[status] for status in Status] == [35, 40, 80]


_OPENED = ("Dealer: place your bets", "Anna: place straight_up:17 10 as w1")
_CLOSED = (*_OPENED, "Dealer: spin", "Dealer: no more bets", "draw")
_STATES: dict[str, tuple[str, ...]] = {
    "awaiting": (),
    "betting": _OPENED,
    "spun": (*_OPENED, "Dealer: spin"),
    "closed": _CLOSED,
    "decided": (*_CLOSED, "Dealer: outcome 17"),
    "void": (*_CLOSED, "Dealer: irregularity foreign_object"),
    "held": (*_CLOSED, "Dealer: irregularity unlisted"),
    "ended": (*_CLOSED, "Dealer: outcome 17", "Dealer: settle"),
}
_DRAW = "RNG: bonus numbers 1 2 5 9 13 17 21 25 29 33"


@cache
def _series_in(name: str, state: str) -> Series:
    game = find_game(name)
    series = Series(game)
    for record in begin_round(series):
        series = apply_recorded(series, record)
    for line in _STATES[state]:
        if line == "draw" and name != "mbs-fast-action-v2":
            continue
        act = read_line(game, _DRAW if line == "draw" else line).act
        answer = decide_act(series, act)
        assert not isinstance(answer, Refusal), line
        for record in answer:
            series = apply_recorded(series, record)
    return series


def _line(role: str, act: str) -> str:
    if act.startswith("for Anna "):
        return f"{ROLES[role]} for Anna: {act.removeprefix('for Anna ')}"
    return f"{ROLES[role]}: {act}"


def _answers(name: str, line: str) -> list[str]:
    """Return `ok` or the refusing clause, for each state of a round."""
    act = read_line(find_game(name), line).act
    answers = [decide_act(_series_in(name, state), act) for state in _STATES]
    return [e.clause.number if isinstance(e, Refusal) else "ok" for e in answers]


@every_game
def test_who_may_do_what_and_when(name: str) -> None:
    for row in golden_rows(f"{name}.acts"):
        act, roles, cells = (part.strip() for part in row.split("|"))
        for role in roles.split(","):
            answers = _answers(name, _line(role, act))
            assert answers == cells.split(), f"{role}: {act}, in {list(_STATES)}"


@every_game
def test_the_table_of_acts_names_every_role_once_for_each_act(name: str) -> None:
    named: Counter[tuple[str, str]] = Counter()
    for row in golden_rows(f"{name}.acts"):
        act, roles, _ = (part.strip() for part in row.split("|"))
        named.update((act, role) for role in roles.split(","))

    acts = {act for act, _ in named}

    wanted = {
        (act, role)
        for act in acts
        for role in ROLES
        if not (act.startswith("for Anna") and role == "P")
    }
    assert named == dict.fromkeys(wanted, 1)
    assert len(acts) >= 30
