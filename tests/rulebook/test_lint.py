"""The lint finds planted faults, and the questions that the readings had to answer."""

from __future__ import annotations

from dataclasses import replace

import pytest

from croupier.games import all_games, find_game
from croupier.rulebook.document import read_document
from croupier.rulebook.lint import Kind, lint
from croupier.rulebook.sentences import clauses_read
from croupier.rules.clause import Rule
from croupier.rules.game import ClauseRow, Game, Irregularity, row
from croupier.rules.layout import WagerType
from tests.rulebook.invented import GAME, TEXT, WITH_LINKS
from tests.sixth_game import SIXTH_GAME

V3 = find_game("mbs-roulette-v3")
OUR_OWN = {"A49"}
"""A reading about our notation: no document raises it."""


def faults(game: Game, text: str = "") -> list[str]:
    known = [each.number for each in game.clauses]
    document = read_document(text, known) if text else None
    return [str(each) for each in lint(game, document) if each.kind is Kind.FAULT]


def with_row(changed: ClauseRow, *more: ClauseRow) -> Game:
    rows = (changed if e.number == changed.number else e for e in V3.clauses)
    return replace(V3, clauses=(*rows, *more))


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_the_five_games_have_no_fault_and_no_open_question(game: Game) -> None:
    assert [str(each) for each in lint(game) if not each.is_answered] == []


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_most_readings_answer_a_question_that_the_lint_asks(game: Game) -> None:
    clauses = clauses_read(game).values()
    stated = {each for clause in clauses for each in clause.silent}
    stated |= {e.reading for clause in clauses for e in clause.sentences if e.reading}
    asked = {each.reading for each in lint(game)} | OUR_OWN
    text_only = {"A4"}

    assert stated - asked <= text_only


def test_a_game_without_readings_is_asked_for_them() -> None:
    found = lint(SIXTH_GAME)

    asked = {each.reading for each in found if each.kind is Kind.OPEN}
    assert {"A28", "A29", "A16"} <= asked
    assert not any(e.is_answered for e in found if e.reading == "A28")


def test_an_act_that_no_position_may_do_is_found() -> None:
    ruling = replace(V3.row(Rule.RULING), by=())

    assert faults(with_row(ruling)) == [
        "3.9: no position may do this: " + Rule.RULING.value
    ]


def test_an_event_that_two_clauses_claim_is_found() -> None:
    twice = row("5.99", voids=Irregularity.BALL_BROKE)
    wager = row("3.4.99", Rule.BETTING_AREA, says="x.", areas=(WagerType.RED,))

    assert faults(with_row(V3.clauses[0], twice, wager)) == [
        "3.4.99: 3.4.11 claims this too: Red",
        "5.99: 5.7 claims this too: the ball broke",
    ]


def test_a_missing_row_and_a_clause_that_no_act_reaches_are_found() -> None:
    found = faults(V3.without("5.12"))

    assert found == [
        "5.11.1: no act reaches it without: " + Rule.NO_SPIN.value,
        "5.12: it was read, but has no row",
    ]
    assert "5.3: no clause says how many revolutions a spin needs" in faults(
        with_row(replace(V3.row(Rule.SPIN), amount=0))
    )


def test_an_area_without_pay_or_that_favours_the_player_is_found() -> None:
    table = V3.row(Rule.PAY_TABLE)
    less = dict(table.pays)
    del less[WagerType.RED]
    more = {**table.pays, WagerType.STRAIGHT_UP: 37}

    assert "no pay table has red" in faults(with_row(replace(table, pays=less)))[0]
    assert "favours the Player" in faults(with_row(replace(table, pays=more)))[0]


def test_a_reference_to_a_missing_clause_is_found() -> None:
    text = TEXT.replace("for four laps", "for four laps (rules 3.1 and 7.4)")

    assert "2.1: it refers to 7.4, which is not there" in faults(GAME, text)
    assert not any("3.1, which" in each for each in faults(GAME, text))


def test_a_broken_row_is_a_fault_beside_its_document() -> None:
    paid = row("3.1", Rule.PAY_TABLE, pays={WagerType.STRAIGHT_UP: 36})
    rows = [paid if each.number == "3.1" else each for each in GAME.clauses]

    assert any(
        each.startswith("3.1: the text pays One number (Straight Up) 35 to 1")
        for each in faults(replace(GAME, clauses=tuple(rows)), TEXT)
    )
    assert "2.2.1: the text has this clause, the game has no row" in faults(
        GAME.without("2.2.1"), TEXT
    )
    link_a = "\nAppendix “B”\n0	00	S	MBS	a\n1	2	3	5	b\n"
    numbers = row("0", Rule.NUMBERS, numbers=find_game("mbs-fast-action-v2").numbers)
    linked = replace(WITH_LINKS, clauses=(*WITH_LINKS.clauses, numbers))
    assert "links: the text has 1 2 3 5 in link b, the game 1 2 3 4" in faults(
        linked, TEXT + link_a
    )


def test_a_term_that_the_text_uses_but_does_not_define_is_asked_about() -> None:
    more = (
        "\n4.1 The rules of the Casino Operator and the Rapid Terminal apply.\n"
        "4.2 A Straight Up wager is laid at the Rapid Terminal.\n"
        "4.3 “Casino Operator” means the licensee.\n"
    )
    document = read_document(TEXT + more, [each.number for each in V3.clauses])

    found = [each for each in lint(V3, document) if "not defined. What" in each.says]

    says = "Rapid Terminal is used but not defined. What does it mean?"
    assert [(each.clause, each.says, each.answer) for each in found] == [
        ("4.1", says, "read")
    ]


def test_unknown_pieces_and_positions_are_asked_about() -> None:
    text = TEXT + "\n4.1 The Floor Manager or Dealer lays 25/29 and 1/2.\n"
    document = read_document(text, [each.number for each in V3.clauses])

    said = {each.says for each in lint(V3, document)}
    assert "There is no area 25/29." in said
    assert "There is no area 1/2." not in said
    assert "Floor Manager is no position of the operator." in said
    assert "Used but not defined: Dealer. Who holds them?" in said
