"""The readings: the whole list, and every reading that code and games cite."""

from __future__ import annotations

import re
from pathlib import Path

import croupier
from croupier.games import all_games
from croupier.games.readings import READINGS

IDS = [
    *(f"A{n}" for n in range(1, 54)),
    *("W1", "W2", "S1", "N1"),
]
_CITED = re.compile(r"\bA(?:[1-9]|[1-9][0-9])\b")


def test_every_reading_is_listed_once_and_in_order() -> None:
    assert [each.id for each in READINGS] == IDS


def test_a_reading_asks_and_answers_in_sentences() -> None:
    unasked = [each.id for each in READINGS if not each.question.endswith("?")]
    unanswered = [each.id for each in READINGS if not each.answer.endswith(".")]
    said_twice = len(READINGS) - len({each.answer for each in READINGS})

    assert (unasked, unanswered, said_twice) == ([], [], 0)


def test_readings_that_games_and_code_cite_are_on_the_list() -> None:
    package = Path(croupier.__file__).parent
    code = "".join(path.read_text("utf-8") for path in package.rglob("*.py"))
    rows = {row.number for game in all_games() for row in game.clauses}

    cited = {*_CITED.findall(code), *(number for number in rows if number in IDS)}

    assert cited > {"A12", "A28", "A31", "A42"}
    assert sorted(cited - {*IDS}) == []
