"""The sixth game of the samples: its golden tables, transcripts and rows."""

from __future__ import annotations

import sys
from collections import Counter
from fractions import Fraction
from importlib import import_module
from pathlib import Path

import pytest

from croupier.games.validation import game_faults
from croupier.learn import Drill, GivenAnswer, assessment, drills_of, mark_round
from croupier.odds.sheet import par_sheet
from croupier.rulebook.endings import Observed, observe
from croupier.rulebook.lint import lint
from croupier.rules.game import Game
from croupier.transcript import settle
from tests.cli.running import ROOT, run

PACKAGE = ROOT / "samples" / "south_dakota"
TRANSCRIPTS = sorted((PACKAGE / "transcripts").glob("*.txt"))
NAME = "south-dakota-roulette"
NOT_SHOWN = {"S103", "34:03(2)"}
"""No refusal or payment depends on them alone in the plain rounds of the sample."""


@pytest.fixture(scope="module")
def game() -> Game:
    sys.path.insert(0, str(PACKAGE))
    try:
        found = import_module("south_dakota_roulette").SOUTH_DAKOTA_ROULETTE
    finally:
        sys.path.remove(str(PACKAGE))
    assert isinstance(found, Game)
    return found


def rows_of(table: str) -> list[list[str]]:
    text = (PACKAGE / "golden" / table).read_text("utf-8")
    lines = (line.partition("#")[0].split() for line in text.splitlines())
    return [line for line in lines if line]


def played(game: Game, path: Path) -> tuple[Observed, list[str], str]:
    """Play a transcript; return what came of it, its expected refusals and its end."""
    raw = path.read_text("utf-8").splitlines()
    acts = [line for line in raw if line.partition("#")[0].strip()]
    refused = [line.partition("#!")[2].strip() for line in acts]
    [end] = [line[2:].strip() for line in raw if line.startswith("#=")]
    lines = [line.partition("#")[0].strip() for line in acts]
    return observe(game, lines), refused, end


def is_as_expected(game: Game, path: Path) -> bool:
    seen, refused, end = played(game, path)
    told = [answer.removeprefix("refused ") for answer in seen.answers]
    return (told, seen.ending) == (refused, end)


def test_the_areas_are_those_that_a_person_counts(game: Game) -> None:
    counted = Counter(area.wager_type.value for area in game.areas)

    for kind, areas, pays in rows_of("areas.txt"):
        assert counted.pop(kind) == int(areas), kind
        assert {k.value: v for k, v in game.pay_table.items()}[kind] == int(pays)
    assert not counted


def test_wagers_are_settled_as_a_person_reads_it(game: Game) -> None:
    for area, number, stake, paid, collected in rows_of("settle.txt"):
        settled = settle(game, number, f"{area}@{int(stake) // 100}")

        assert settled.paid_cents == int(paid), (area, number)
        assert settled.collected_cents == int(collected), (area, number)


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_round_ends_as_its_transcript_says(game: Game, path: Path) -> None:
    assert is_as_expected(game, path)


def test_no_row_is_there_for_show(game: Game) -> None:
    own = [
        row.number
        for row in game.clauses
        if row.rules and not row.number.startswith("A") and row.number not in NOT_SHOWN
    ]

    for number in own:
        without = game.without(number)
        assert not all(is_as_expected(without, path) for path in TRANSCRIPTS), number


def test_the_edges_are_those_of_the_american_wheel(game: Game) -> None:
    edges = {odds.name: odds.house_edge for odds in par_sheet(game).wagers}

    assert edges.pop("top_line") == Fraction(3, 38)
    assert set(edges.values()) == {Fraction(1, 19)}


def test_the_check_finds_no_fault_and_every_question_answered(game: Game) -> None:
    assert game_faults(game) == []
    assert [str(each) for each in lint(game) if not each.is_answered] == []


def test_it_is_a_game_once_it_is_installed(tmp_path: Path) -> None:
    code = PACKAGE / "south_dakota_roulette.py"
    (tmp_path / code.name).write_bytes(code.read_bytes())
    info = tmp_path / "south_dakota_roulette-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {NAME}\n")
    project = (PACKAGE / "pyproject.toml").read_text("utf-8")
    point = project.partition('[project.entry-points."croupier.games"]\n')[2]
    point = point.partition("\n")[0].replace('"', "")
    (info / "entry_points.txt").write_text(f"[croupier.games]\n{point}\n")

    ran = run("games", "--json", environment={"PYTHONPATH": str(tmp_path)})

    assert ran.json()["games"][-1]["game"] == NAME
    assert ran.json()["games"][-1]["approved"] is False


def test_it_has_drills_and_an_assessed_round(game: Game) -> None:
    moments = assessment(game, 1, 20)
    given = [GivenAnswer(each.task.due, 900) for each in moments]

    assert {Drill.PAYOUTS, Drill.LIMITS, Drill.PROCEDURE} <= set(drills_of(game))
    assert mark_round(game, 1, 20, given).percent == 100
