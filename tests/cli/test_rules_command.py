"""`croupier rules`: every clause with code and tests that exist."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from tests.cli.running import ROOT, run, run_here
from tests.golden_tables import GAMES

PLACE = re.compile(r"(?P<path>[\w/.-]+)(?: (?:\w+\.)?(?P<function>\w+))?")


@cache
def _clauses(game: str) -> list[dict[str, Any]]:
    listed = run_here("rules", game, "--json").json()
    assert list(listed) == ["game", "document", "clauses"]
    assert listed["game"] == game
    clauses = listed["clauses"]
    assert isinstance(clauses, list)
    return clauses


@cache
def _text(path: str) -> str:
    """A file's text: code is named below `src`, tests below the root."""
    folder = ROOT / "src" if path.startswith("croupier/") else ROOT
    return (folder / path).read_text("utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_each_clause_says_what_it_asks(game: str) -> None:
    clauses = _clauses(game)

    keys = {"clause", "asks", "of_software", "may", "pays", "sentences", "silent"}
    keys |= {"leading", "code", "tests", "pairs"}
    assert all(each.keys() >= keys for each in clauses)
    assert all(each["asks"].endswith((".", ")")) for each in clauses)
    numbers = [each["clause"] for each in clauses]
    assert len(numbers) == len(set(numbers)) > 40


@pytest.mark.parametrize("game", GAMES)
def test_what_a_clause_asks_of_software_has_code_and_tests(game: str) -> None:
    lacking = [
        each["clause"]
        for each in _clauses(game)
        if each["of_software"] is not bool(each["code"] and each["tests"])
    ]

    assert lacking == []


@pytest.mark.parametrize("game", GAMES)
def test_code_and_tests_are_named_by_file_and_function(game: str) -> None:
    places = {
        place for each in _clauses(game) for place in (*each["code"], *each["tests"])
    }

    for place in places:
        found = PLACE.fullmatch(place)
        assert found is not None, place
        text = _text(found["path"])
        assert (found["function"] is None) is found["path"].endswith(".txt"), place
        assert f"def {found['function'] or ''}(" in text or not found["function"], place


@pytest.mark.parametrize("game", GAMES)
def test_people_read_the_same(game: str) -> None:
    told = run_here("rules", game).stdout

    whole = re.sub(r"\n {4}(?=\S)", " ", told)
    heads = re.findall(r"^\n?((?! ).+?)  (.+)$", whole, re.MULTILINE)
    assert heads == [(each["clause"], each["asks"]) for each in _clauses(game)]
    for each in _clauses(game):
        for place in (*each["code"], *each["tests"]):
            assert f"  {place}\n" in re.sub(r"\n {14}", " ", told)


@pytest.mark.parametrize("game", GAMES)
def test_it_fits_a_terminal_of_100_columns(game: str) -> None:
    told = run_here("rules", game).stdout

    assert max(map(len, told.splitlines())) <= 100


def test_one_clause_is_printed_alone() -> None:
    told = run("rules", "mbs-roulette-v3", "5.13")
    listed = run_here("rules", "mbs-roulette-v3", "5.13", "--json").json()

    assert told.code == 0
    assert told.stdout.startswith("Roulette (MBS) v3, from 2019-08-14\n\n5.13  A wager")
    assert "code        croupier/rules/placement.py " in told.stdout
    assert "test        tests/transcripts/mbs-roulette-v3/5.13.txt\n" in told.stdout
    assert [each["clause"] for each in listed["clauses"]] == ["5.13"]


def test_a_clause_that_asks_nothing_of_software_says_so() -> None:
    told = run_here("rules", "mbs-roulette-v3", "1.1").stdout

    assert "  asks        nothing of software by itself\n" in told
    assert "  code" not in told


def test_clauses_of_an_appendix_have_names() -> None:
    told = run_here("rules", "rws-triple-zero", "Appendix A: Top Line").stdout

    assert "\nAppendix A: Top Line  Top Line: " in told
