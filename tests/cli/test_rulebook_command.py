"""`croupier rulebook`: a page to read, and what in a document has no row."""

from __future__ import annotations

import json
from pathlib import Path

from croupier.games import all_games
from tests.cli.running import run_here

V3 = "mbs-roulette-v3"


def test_it_counts_the_sentences_by_mark() -> None:
    told = run_here("rulebook", V3)

    assert told.code == 0
    assert "not covered" in told.stdout


def test_the_page_needs_nothing_else(tmp_path: Path) -> None:
    page = tmp_path / "page.html"

    told = run_here("rulebook", V3, "--output", str(page))

    text = page.read_text("utf-8")
    assert (told.code, told.stdout) == (0, "")
    assert "<!DOCTYPE html>" in text
    assert "Each number counts sentences." in text
    assert "http" not in text.replace("http://www.w3.org/2000/svg", "")


def test_programs_get_every_sentence() -> None:
    book = run_here("rulebook", V3, "--json").json()

    by_number = {each["clause"]: each for each in book["clauses"]}
    marks = [each["mark"] for each in by_number["3.5"]["sentences"]]
    assert marks == ["software", "person"]
    assert book["sentences"]["not_covered"] == 0
    assert by_number["5.13"]["pairs"][0]["ends"] == "refused 5.13"


def test_a_document_of_another_game_differs(tmp_path: Path) -> None:
    file = tmp_path / "other.txt"
    file.write_text("1.1 Other words.\n9.9 A clause of another game.\n", "utf-8")

    told = run_here("rulebook", V3, "--document", str(file))

    assert told.code == 1
    assert "9.9: the text has this clause, the game has no row" in told.stderr
    assert "1.1: its words are not those that were read" in told.stderr


def test_a_pdf_is_refused_with_what_to_do(tmp_path: Path) -> None:
    file = tmp_path / "rules.pdf"
    file.write_bytes(b"%PDF-1.7\xff")

    told = run_here("rulebook", V3, "--document", str(file))

    assert told.code == 2
    assert "pdftotext" in told.stderr


def test_the_check_of_a_game_answers_every_question_by_a_reading() -> None:
    for game in all_games():
        told = run_here("games", "--check", game.name)

        assert told.code == 0
        assert "0 faults, 0 of " in told.stdout
        assert "A28     May bets be placed until" in told.stdout


def test_the_check_of_a_game_exits_with_1_for_a_fault(tmp_path: Path) -> None:
    file = tmp_path / "other.txt"
    file.write_text("1.1 See rule 8.8.\n", "utf-8")

    told = run_here("games", "--check", V3, "--document", str(file), "--json")

    said = [each["says"] for each in json.loads(told.stdout)["findings"]]
    assert told.code == 1
    assert "it refers to 8.8, which is not there" in said


def test_a_document_needs_a_game_to_be_checked() -> None:
    told = run_here("games", "--document", __file__)

    assert told.code == 2
    assert "--document go with --check GAME" in told.stderr
