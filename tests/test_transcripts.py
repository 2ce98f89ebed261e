"""Every clause has its transcript, every transcript comes true, every row matters."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from croupier.games import all_games, find_game
from croupier.rulebook.evidence import PAIRS, code_of, evidence_for
from croupier.rules.clause import Rule
from croupier.rules.game import Game
from tests.expectations import TRANSCRIPTS, all_transcripts, read_expected, unmet
from tools.clause_sources import transcript_name

ALL = all_transcripts()
ROWS = [(game, row) for game in all_games() for row in game.clauses if row.rules]


def _name(value: Game | Path) -> str:
    if isinstance(value, Path):
        root = PAIRS.parent if PAIRS in value.parents else TRANSCRIPTS
        return value.relative_to(root).as_posix()
    return value.name


@pytest.mark.parametrize("path", ALL, ids=_name)
def test_a_transcript_comes_out_as_the_document_says(path: Path) -> None:
    assert unmet(path) == []


@pytest.mark.parametrize("game", all_games(), ids=_name)
def test_a_clause_switched_off_makes_its_transcript_fail(game: Game) -> None:
    rows = [row for row in game.clauses if row.rules]

    idle = [
        row.number
        for row in rows
        if not unmet(
            TRANSCRIPTS / game.name / transcript_name(row), game.without(row.number)
        )
    ]

    assert len(rows) > 40
    assert idle == [], "their transcripts come true without them"


def test_a_drawing_is_traced_to_the_code_and_the_tests_of_what_it_draws() -> None:
    drawings = [
        (game, row) for game in all_games() for row in game.clauses if row.draws
    ]

    for game, row in drawings:
        drawn = [each for each in game.clauses if each.number in row.draws]
        assert len(drawn) == len(row.draws), row.number
        assert all(each.rules for each in drawn), row.number
        assert set(code_of(game, row)) == {
            place for each in drawn for place in code_of(game, each)
        }
        own = [f"{game.name}/{transcript_name(each)}" for each in drawn]
        shown = evidence_for(game, row)["tests"]
        assert shown == [f"tests/transcripts/{each}" for each in own]
    assert {game.name for game, _ in drawings} == {
        game.name for game in all_games() if "MBS" in game.document
    }


@pytest.mark.parametrize("clause", ["3.5.5", "Diagram_B"])
def test_two_numbers_exchanged_on_the_ring_are_noticed(clause: str) -> None:
    game = find_game("mbs-complete-bet-v2")
    path = TRANSCRIPTS / game.name / f"{clause}.txt"

    for place in range(len(game.ring)):
        ring = list(game.ring)
        ring[place - 1], ring[place] = ring[place], ring[place - 1]
        assert unmet(path, replace(game, ring=tuple(ring))), ring


def test_no_transcript_stands_for_a_clause_that_is_not_there() -> None:
    expected = {f"{game.name}/{transcript_name(row)}" for game, row in ROWS}

    found = {_name(path) for path in TRANSCRIPTS.glob("*/*.txt")}

    assert found == expected


def test_the_sides_of_a_condition_are_named_after_a_clause_of_their_game() -> None:
    clauses = {(game.name, row.number) for game in all_games() for row in game.clauses}

    for game_and_clause, paths in _sides().items():
        assert game_and_clause in clauses
        assert all(path.stem.rpartition("-")[2].isalpha() for path in paths)


def test_a_condition_is_shown_on_two_sides_at_least() -> None:
    one_sided = [clause for clause, paths in _sides().items() if len(paths) < 2]

    assert one_sided == []
    assert {game for game, _ in _sides()} == {game.name for game in all_games()}


def test_the_sides_of_a_condition_come_out_differently() -> None:
    for game_and_clause, paths in _sides().items():
        expected = [read_expected(path.read_text(encoding="utf-8")) for path in paths]
        answers = {
            (tuple(each.refusals.values()), each.statements) for each in expected
        }
        assert len(answers) > 1, game_and_clause


def _sides() -> dict[tuple[str, str], list[Path]]:
    """Return the transcripts of each condition, by its game and clause."""
    sides: defaultdict[tuple[str, str], list[Path]] = defaultdict(list)
    for path in PAIRS.rglob("*.txt"):
        sides[path.parent.name, path.stem.rpartition("-")[0]].append(path)
    return sides


def test_every_rule_is_provided_by_some_game() -> None:
    provided = {rule for _, row in ROWS for rule in row.rules}

    assert provided == set(Rule)
