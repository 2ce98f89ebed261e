"""A clause points at the functions that carry it out, and at both sides of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import croupier
from croupier.games import all_games, find_game
from croupier.rulebook.evidence import (
    PAIRS,
    code_of,
    evidence_for,
    leading_function,
    transcripts_of_reading,
)
from croupier.rules.game import ClauseRow, Game
from tests.cli.running import run
from tools.clause_sources import TABLE, table_text, transcript_name

ROOT = Path(croupier.__file__).parent.parent.parent
ROWS = [(game, row) for game in all_games() for row in game.clauses if row.rules]
ASKED_OF_THE_TERMINAL = ("1.6", "1.9", "3.2", "3.3", "3.5", "5.8")


def row_of(name: str, number: str) -> tuple[Game, ClauseRow]:
    game = find_game(name)
    return game, next(row for row in game.clauses if row.number == number)


def functions_of(game: Game, row: ClauseRow) -> set[str]:
    return {re.split("[ .]", place)[-1] for place in code_of(game, row)}


def functions_at(name: str, number: str) -> set[str]:
    return functions_of(*row_of(name, number))


def test_the_table_is_that_of_the_tree() -> None:
    assert TABLE.read_text("utf-8") == table_text(), "run `make generated`"


def test_a_clause_points_at_what_carries_it_out_and_at_no_table() -> None:
    tables = {name for name, each in vars(Game).items() if hasattr(each, "attrname")}
    assert tables > {"voiding", "multiples", "areas", "pay_table"}

    for game, row in ROWS:
        named = functions_of(game, row)
        assert named, (game.name, row.number)
        assert not named & tables, (game.name, row.number)


def test_void_rounds_and_complete_wagers_point_at_their_functions() -> None:
    for number in range(1, 11):
        found = functions_at("mbs-complete-bet-v2", f"5.{number}")
        assert found >= {"void_or_held", "report_irregularity"}, number
    assert "_is_disputed" in functions_at("mbs-roulette-v3", "5.4")
    assert "_is_disputed" not in functions_at("mbs-roulette-v3", "5.7")
    assert "spin" in functions_at("mbs-roulette-v3", "5.1")
    assert "_complete" in functions_at("mbs-complete-bet-v2", "3.6.1")
    assert "_maximum_cents" in functions_at("mbs-complete-bet-v2", "3.6.2")
    assert "_neighbours" in functions_at("rws-triple-zero", "Appendix B: Neighbours")
    assert "_finale" in functions_at("rws-triple-zero", "Appendix B: Finales")
    assert "_on_lines" in functions_at("mbs-roulette-v3", "3.4.2")


def test_every_pair_is_shown_with_its_side_at_its_clause() -> None:
    expected = {path.relative_to(ROOT).as_posix() for path in PAIRS.rglob("*.txt")}

    shown = {
        pair["test"]: (row, pair["side"])
        for game, row in ROWS
        for pair in evidence_for(game, row)["pairs"]
    }

    assert shown.keys() == expected
    for test, (row, side) in shown.items():
        stem = transcript_name(row).removesuffix(".txt")
        assert test.endswith(f"/{stem}-{side}.txt")


def test_a_clause_with_a_pair_has_two_sides() -> None:
    for game, row in ROWS:
        sides = [pair["side"] for pair in evidence_for(game, row)["pairs"]]
        assert len(sides) != 1, (game.name, row.number)
        assert len(sides) == len(set(sides))


@pytest.mark.parametrize("number", ASKED_OF_THE_TERMINAL)
def test_what_a_terminal_must_show_is_shown_in_a_browser(number: str) -> None:
    shown = evidence_for(*row_of("rws-triple-zero", number))["tests"]

    assert [test for test in shown if test.startswith("tests/e2e/test_terminal.py ")]


def test_the_command_prints_code_tests_and_pairs() -> None:
    told = run("rules", "mbs-roulette-v3", "5.4").stdout
    [clause] = run("rules", "mbs-roulette-v3", "5.4", "--json").json()["clauses"]

    assert "  code        croupier/rules/irregularities.py " in told
    assert "  test        tests/transcripts/mbs-roulette-v3/5.4.txt\n" in told
    assert "pairs/mbs-roulette-v3/5.4-after.txt\n" in told
    assert "  side        held 6.2: Dealer: irregularity foreign_object, after" in told
    assert [each["side"] for each in clause["pairs"]] == ["after", "before"]


def test_both_sides_of_a_condition_differ_in_an_act_and_in_their_end() -> None:
    for game, row in ROWS:
        pairs = evidence_for(game, row)["pairs"]
        assert all(pair["differs"] for pair in pairs), (game.name, row.number)
        assert len({pair["ends"] for pair in pairs}) > 1 or not pairs


def test_a_reading_without_a_row_has_the_transcripts_named_after_it() -> None:
    shown = transcripts_of_reading(find_game("mbs-roulette-v3"), "A32")

    names = [Path(place).stem for place in shown]
    assert "a32-reports-before-the-spin" in names


def test_each_clause_that_asks_of_software_names_one_function_to_read_first() -> None:
    for game, row in ROWS:
        place, _, name = leading_function(game, row).partition(" ")
        text = (ROOT / "src" / place).read_text("utf-8")
        assert f"def {name.rpartition('.')[2]}(" in text, (game.name, row.number)
