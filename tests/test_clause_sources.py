"""A clause points at the functions that carry it out, and at both sides of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import croupier
from croupier.cli.rules_command import code_of, evidence_for
from croupier.games import all_games, find_game
from croupier.rules.game import ClauseRow, Game
from tests.cli.running import run
from tools.clause_sources import TABLE, table_text, transcript_name

ROOT = Path(croupier.__file__).parent.parent.parent
ROWS = [(game, row) for game in all_games() for row in game.clauses if row.rules]
ASKED_OF_THE_TERMINAL = ("1.6", "1.9", "3.2", "3.3", "3.5", "5.8")


def _name(value: Game | ClauseRow) -> str:
    return value.name if isinstance(value, Game) else value.number


def row_of(name: str, number: str) -> tuple[Game, ClauseRow]:
    game = find_game(name)
    return game, next(row for row in game.clauses if row.number == number)


def functions_of(game: Game, row: ClauseRow) -> set[str]:
    return {re.split("[ .]", place)[-1] for place in code_of(game, row)}


def functions_at(name: str, number: str) -> set[str]:
    return functions_of(*row_of(name, number))


def test_the_table_is_that_of_the_tree() -> None:
    assert TABLE.read_text("utf-8") == table_text(), (
        "run .venv/bin/python -m tools.clause_sources"
    )


@pytest.mark.parametrize(("game", "row"), ROWS, ids=_name)
def test_a_clause_points_at_what_carries_it_out_and_at_no_table(
    game: Game, row: ClauseRow
) -> None:
    tables = {name for name, each in vars(Game).items() if hasattr(each, "attrname")}

    named = functions_of(game, row)

    assert tables > {"voiding", "multiples", "areas", "pay_table"}
    assert named
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
    transcripts = ROOT / "tests" / "transcripts"
    expected = {
        path.relative_to(ROOT).as_posix() for path in transcripts.glob("*/pairs/*.txt")
    }

    shown = {
        pair["test"]: (row, pair["side"])
        for game, row in ROWS
        for pair in evidence_for(game, row)["pairs"]
    }

    assert shown.keys() == expected
    for test, (row, side) in shown.items():
        stem = transcript_name(row).removesuffix(".txt")
        assert test.endswith(f"/pairs/{stem}-{side}.txt")


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

    assert "    code  croupier/rules/irregularities.py " in told
    assert "    test  tests/transcripts/mbs-roulette-v3/5.4.txt\n" in told
    assert "pairs/5.4-after.txt after" in told
    assert {"side": "before", "test": clause["pairs"][1]["test"]} == clause["pairs"][1]
