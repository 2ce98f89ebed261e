"""Every clause has its transcript, every transcript comes true, every row matters."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.cli.rules_command import code_of, shown_in, transcript_name
from croupier.games import all_games
from croupier.rules.clause import Rule
from croupier.rules.game import ClauseRow, Game
from tests.expectations import TRANSCRIPTS, unmet

ALL = sorted(TRANSCRIPTS.rglob("*.txt"))
ROWS = [(game, row) for game in all_games() for row in game.clauses if row.rules]


def _name(value: Game | ClauseRow | Path) -> str:
    if isinstance(value, Path):
        return value.relative_to(TRANSCRIPTS).as_posix()
    return value.name if isinstance(value, Game) else value.number


@pytest.mark.parametrize("path", ALL, ids=_name)
def test_a_transcript_comes_out_as_the_document_says(path: Path) -> None:
    assert unmet(path) == []


@pytest.mark.parametrize(("game", "row"), ROWS, ids=_name)
def test_a_clause_switched_off_makes_its_transcript_fail(
    game: Game, row: ClauseRow
) -> None:
    path = TRANSCRIPTS / game.name / transcript_name(row)

    without = unmet(path, game.without(row.number))

    assert without, f"{path} comes true without {row.number}"


@pytest.mark.parametrize(("game", "row"), ROWS, ids=_name)
def test_a_clause_is_traced_to_code_and_tests(game: Game, row: ClauseRow) -> None:
    assert code_of(row)
    assert (TRANSCRIPTS / game.name / transcript_name(row)).is_file()
    assert shown_in(game, row)


def test_no_transcript_stands_for_a_clause_that_is_not_there() -> None:
    expected = {f"{game.name}/{transcript_name(row)}" for game, row in ROWS}

    found = {_name(path) for path in ALL if path.parent.name != "more"}

    assert found == expected


def test_every_rule_is_provided_by_some_game() -> None:
    provided = {rule for _, row in ROWS for rule in row.rules}

    assert provided == set(Rule)
