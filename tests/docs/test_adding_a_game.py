"""The page's game in a package of its own: found, listed, played, drawn."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.running import Ran, run
from tests.golden_tables import GAMES
from tools.docs.pages import DOCS, statements

PAGE = DOCS / "adding-a-game.md"
NAME = "harbour-double-zero"
TRANSCRIPT = f"""\
game {NAME}
round
Dealer: place your bets
Anna: lay 0/00/1/2/3 10 as w1
Ben: lay both_zeros 5 as w2
Dealer: spin
Dealer: no more bets
Dealer: outcome 00
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder as an installer leaves it: the module, and its entry point."""
    definition, _, _ = statements(PAGE).partition("len(HARBOUR")
    (tmp_path / "harbour_roulette.py").write_text(definition, "utf-8")
    info = tmp_path / "harbour_roulette-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: harbour-roulette\n")
    _, _, points = PAGE.read_text("utf-8").partition("[project.entry-points.")
    point = points.partition("\n")[2].partition("\n")[0].replace('"', "")
    (info / "entry_points.txt").write_text(f"[croupier.games]\n{point}\n")
    return tmp_path


def _run(package: Path, *args: str, stdin: bytes = b"") -> Ran:
    return run(*args, stdin=stdin, environment={"PYTHONPATH": str(package)})


def test_the_game_is_listed_behind_ours(package: Path) -> None:
    games = _run(package, "games", "--json").json()["games"]

    assert [game["game"] for game in games] == [*GAMES, NAME]
    assert games[-1]["document"] == "Double Zero (Harbour)"
    assert (games[-1]["compartments"], games[-1]["areas"]) == (38, 161)


def test_the_game_is_played(package: Path) -> None:
    played = _run(package, "transcript", "-", "--json", stdin=TRANSCRIPT.encode())

    [state] = played.json()["rounds"]
    assert state["status"] == "settled"
    assert [(w["wager"], w["paid_cents"]) for w in state["wagers"]] == [
        ("top_line", 6000),
        ("both_zeros", 17500),
    ]


def test_the_game_is_drawn_and_its_clauses_are_listed(package: Path) -> None:
    drawn = _run(package, "layout", NAME, "both_zeros", "--svg")
    rules = _run(package, "rules", NAME, "5.1", "--json").json()

    assert drawn.stdout.startswith("<svg")
    assert 'data-area="straight_up:00"' in drawn.stdout
    [clause] = rules["clauses"]
    assert clause["asks"].startswith("The round is void if a foreign")
    assert (clause["tests"], clause["pairs"]) == ([], []), "ours are not its tests"


def test_a_mistyped_name_finds_it_too(package: Path) -> None:
    ran = _run(package, "layout", "harbor-double-zero")

    assert ran.code == 2
    assert "did you mean harbour-double-zero?" in ran.stderr


def test_a_package_that_is_broken_is_named_without_a_traceback(package: Path) -> None:
    (package / "harbour_roulette.py").write_text("raise ImportError('no sails')\n")

    ran = _run(package, "games")

    assert "Traceback" not in ran.stderr
    assert "harbour" in ran.stderr
