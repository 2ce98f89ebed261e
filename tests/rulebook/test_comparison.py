"""Two documents are compared by meaning; rounds that part are found by playing."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from croupier.games import all_games, find_game
from croupier.odds.model import model_of
from croupier.rulebook.comparison import (
    Change,
    ClauseChange,
    DocumentComparison,
    compare_documents,
    odds_table,
)
from croupier.rulebook.endings import ABSENT, observe
from croupier.rulebook.page import comparison_page
from croupier.rules.clause import Rule
from croupier.rules.game import Game
from croupier.rules.layout import WagerType

V2, V3 = "mbs-roulette-v2", "mbs-roulette-v3"

# What a person finds by laying the two documents side by side.
MOVED = {
    "3.5": "3.6",
    "3.6": "3.7",
    "3.7": "3.8",
    "5.11": "5.13",
    "5.12": "5.14",
    "Diagram A": "Appendix A",
    "Diagram B": "Appendix B",
}
NEW = {"3.3.1", "3.5", "3.9", "4.2", "4.3", "5.11", "5.11.1", "5.11.2", "5.12"}
NEW |= {"5.15", "5.16", "5.17", "6.1", "6.2", "6.3", "6.4"}
REWORDED = {"1.1.1", "1.1.4", "1.1.5", "2.1", "3.4.4", "3.4.5", "3.4.6", "3.4.7"}
REWORDED |= {"3.4.12", "3.4.13", "3.8", "5.13", "5.14"}
UNCHANGED = {f"5.{place}" for place in range(1, 11)} | {"3.1", "3.2", "1.1.2", "1.1.3"}


@cache
def compared(one: str, two: str, *, with_stories: bool = True) -> DocumentComparison:
    games = model_of(one), model_of(two)
    return compare_documents(*games, with_stories=with_stories)


def with_kind(both: DocumentComparison, kind: Change) -> set[str]:
    return {each.after or each.before for each in both.changes if kind in each.kinds}


def change(both: DocumentComparison, number: str) -> ClauseChange:
    [found] = [each for each in both.changes if each.after == number]
    return found


def test_nothing_that_a_person_finds_is_missing() -> None:
    both = compared(V2, V3)

    moved = {
        each.before: each.after for each in both.changes if Change.MOVED in each.kinds
    }
    assert moved == MOVED
    assert with_kind(both, Change.NEW) == NEW
    assert with_kind(both, Change.GONE) == set()
    assert with_kind(both, Change.REWORDED) >= REWORDED
    assert with_kind(both, Change.UNCHANGED) >= UNCHANGED


def test_the_same_number_with_another_meaning_is_no_match() -> None:
    both = compared(V2, V3)

    for number, was in (
        ("3.5", "Staff may"),
        ("5.11", "A power"),
        ("5.12", "“No spin”"),
    ):
        assert change(both, number).before == ""
        assert change(both, number).says_after.startswith(was)


def test_in_reverse_order_a_new_clause_is_gone() -> None:
    both = compared(V3, V2, with_stories=False)

    assert with_kind(both, Change.GONE) == NEW
    [gone] = [each for each in both.changes if each.before == "5.12"]
    assert gone.effect.dealer == (
        "No more: May stop a doubtful round at once, as may the pit.",
    )


def test_a_change_of_meaning_names_the_people_it_affects() -> None:
    both = compared(V2, V3)

    assert change(both, "5.11.2").effect.player == ("The round is concluded and paid.",)
    assert "by our reading A12" in change(both, "6.2").effect.player[0]
    assert change(both, "5.14").effect.is_none


@pytest.mark.parametrize("number", ["3.5", "3.9", "5.11.2", "5.12", "5.15", "5.16"])
def test_a_round_is_found_that_ends_differently(number: str) -> None:
    story = change(compared(V2, V3), number).story

    assert story is not None
    before, after = (observe(find_game(game), story.lines) for game in (V2, V3))
    without = observe(find_game(V3).without(number), story.lines)
    assert (before, after) == (story.before, story.after)
    assert before.seen != after.seen != without.seen


def test_a_clause_beside_which_another_voids_too_has_a_round_that_it_ends() -> None:
    story = change(compared(V2, V3), "5.11.1").story

    assert story is not None
    assert (story.before.rounds, story.after.rounds) == (
        ("held A12",),
        ("void 5.11.1",),
    )


def test_a_wager_that_only_one_game_has_is_placed_in_a_round() -> None:
    both = compared("mbs-complete-bet-v2", V3)

    for number, wager in (
        ("3.5.5", "neighbours:17 10"),
        ("3.6.1", "complete:17 10"),
        ("3.6.2", "complete_maximum:17"),
    ):
        [gone] = [each for each in both.changes if each.before == number]
        assert gone.story is not None
        assert f"Ben: lay {wager} as w2" in gone.story.lines


def test_a_clause_that_the_other_document_joins_or_splits_is_not_gone() -> None:
    there = compared(V2, "rws-triple-zero", with_stories=False)
    back = compared("rws-triple-zero", V2, with_stories=False)

    named = {each.before: each.after for each in there.changes}
    assert named["3.4.8"] == named["3.4.9"] == "Appendix A: High or Low"
    assert {each.after for each in there.changes if each.before == "4.1"} == {
        "3.1",
        "3.9",
        "4.1",
    }
    assert {each.before for each in back.changes if each.after == "4.1"} == {
        "3.1",
        "3.9",
        "4.1",
    }
    for both in (there, back):
        paid = [each for each in both.changes if "nothing" in str(each.effect.odds)]
        assert {each.after or each.before for each in paid} == {"4.1"}


def test_the_power_failure_holds_in_one_and_pays_in_the_other() -> None:
    story = change(compared(V2, V3), "5.11.2").story

    assert story is not None
    assert "system: power failure" in story.lines
    assert story.before.rounds == ("held A12",)
    assert story.after.rounds == ("settled 17",)
    assert story.after.money == ("paid 350.00, returned 10.00",)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_a_game_is_the_same_as_itself(game: Game) -> None:
    both = compared(game.name, game.name, with_stories=False)

    assert with_kind(both, Change.UNCHANGED) == {
        each.number
        for each in game.clauses
        if game.cite(each.number).document == game.document
    }
    assert {row.differences[1] for row in both.odds.rows} == {Fraction(0)}


def test_a_planted_pay_changes_the_odds_and_nothing_else() -> None:
    v3 = find_game(V3)
    broken = replace(
        v3,
        name="broken",
        clauses=tuple(
            replace(each, pays={**each.pays, WagerType.STRAIGHT_UP: 36})
            if each.number == "4.1"
            else each
            for each in v3.clauses
        ),
    )

    both = compare_documents(model_of(v3), model_of(broken), with_stories=False)

    changed = [each for each in both.changes if not each.is_unchanged]
    assert [each.after for each in changed] == ["4.1"]
    assert changed[0].effect.odds == ("Straight Up pays 36 to 1; before: 35 to 1.",)
    [first] = [each for each in both.odds.rows if "straight_up:0" in each.wagers]
    assert first.differences[1] == Fraction(-1, 37)
    assert first.variance_differences[1] == Fraction(37**2 - 36**2, 37) - Fraction(
        37**2 - 36**2, 37**2
    )


def test_a_planted_missing_clause_is_gone() -> None:
    v3 = find_game(V3)
    broken = v3.without("5.7")

    both = compare_documents(model_of(v3), model_of(broken), with_stories=False)

    assert with_kind(both, Change.GONE) == {"5.7"}


def test_an_act_that_a_game_lacks_is_no_act_there() -> None:
    lines = ("round", "Dealer: place your bets", "Dealer: dance")

    assert observe(find_game(V3), lines).answers[2] == ABSENT


def test_a_rule_in_another_clause_is_no_change_for_anyone() -> None:
    v3 = find_game(V3)
    rows = tuple(
        replace(each, rules=(*each.rules, Rule.LATE_WITHDRAWAL))
        if each.number == "3.2"
        else each
        for each in v3.clauses
        if each.number != "5.14"
    )
    merged = replace(v3, clauses=rows)

    both = compare_documents(model_of(v3), model_of(merged), with_stories=False)

    [moved] = [each for each in both.changes if each.before == "5.14"]
    assert (moved.after, Change.MOVED in moved.kinds) == ("3.2", True)
    assert moved.effect.is_none


def test_the_page_and_the_table_say_both() -> None:
    both = compared(V2, V3)

    html = comparison_page(both).html
    assert "The same round, two endings" in html
    assert "was 5.11" in html
    assert "1/37" in str(odds_table(both))
