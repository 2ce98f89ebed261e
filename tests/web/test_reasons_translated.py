"""The pages have, in every language, a text for each message of the house to a person.

A code of the house without a text fails here, and so does a text without a code.
"""

from __future__ import annotations

import importlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

import croupier
from croupier.games import all_games
from croupier.games.readings import READINGS
from croupier.games.validation import GameFault
from croupier.house.history import significant_events
from croupier.house.history.event_actions import EVENT_ACTIONS
from croupier.house.people.authority import HouseAct
from croupier.journal.events.house import AskedBy
from croupier.journal.events.plan import (
    HouseSettings,
    SensitiveAct,
    StaffPlan,
    TablePlan,
    ThresholdAct,
)
from croupier.journal.sources import ExportFault
from croupier.protocol.messages import ToHouse
from croupier.rules.reasons import ReasonCode
from croupier.table.commands import AnyCommand
from croupier.web.api import whole_api

SOURCE = Path(croupier.__file__).parent
SAY_TO_PEOPLE = ("rules", "games", "table", "house", "journal", "transcript", "web")
CATALOGUES = Path(__file__).parents[2] / "pages/src/i18n"
LANGUAGES = sorted(each.name for each in CATALOGUES.iterdir() if each.is_dir())
TRANSLATED = [each for each in LANGUAGES if each != "en"]
_TO = "to_player."
_PLACE = re.compile(r"\{(\w+)\}")


@cache
def catalogue(language: str, part: str) -> dict[str, Any]:
    """Return a file of a language; English leaves some texts to the house."""
    path = CATALOGUES / language / f"{part}.json"
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}


@cache
def named(language: str) -> set[str]:
    return {each.removeprefix("names.") for each in catalogue(language, "names")}


@cache
def said(language: str) -> dict[str, str]:
    """Return the texts of reasons, without those addressed to the Player."""
    known = catalogue(language, "reasons")
    return {code: text for code, text in known.items() if not code.startswith(_TO)}


def said_to_player(language: str) -> dict[str, str]:
    known = catalogue(language, "reasons")
    return {c.removeprefix(_TO): known[c] for c in known if c.startswith(_TO)}


def of_rulebook(language: str) -> list[tuple[str, str]]:
    """Return each clause and reading with its text; several may share a text."""
    known = catalogue(language, "rulebook").items()
    return [(row, text) for rows, text in known for row in rows.split(", ")]


@cache
def reasons() -> dict[str, str]:
    """Return the English template of each code that reaches a person.

    Findings of an audit, faults of an export and of a game's data stay English.
    """
    for package in SAY_TO_PEOPLE:
        for path in (SOURCE / package).rglob("*.py"):
            if "ReasonCode" in path.read_text(encoding="utf-8"):
                module = path.relative_to(SOURCE.parent).with_suffix("")
                importlib.import_module(".".join(module.parts))
    return {
        each.code: each.value
        for kind in ReasonCode.__subclasses__()
        if kind.__module__.split(".")[1] in SAY_TO_PEOPLE
        if kind not in {GameFault, ExportFault}
        for each in kind
    }


def places(text: str) -> set[str]:
    return {*_PLACE.findall(text)}


def test_there_are_languages_to_translate_into() -> None:
    assert {"ms", "ta", "zh-Hans"} <= {*TRANSLATED}
    assert len(reasons()) > 150


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_reason_of_the_house_is_translated_and_nothing_else(
    language: str,
) -> None:
    known = said(language)

    assert sorted(reasons().keys() ^ known.keys()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reason_has_the_places_of_the_house(language: str) -> None:
    known = said(language)

    other = [code for code in known if places(known[code]) != places(reasons()[code])]

    assert other == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_player_is_told_no_more_than_the_house_says(language: str) -> None:
    known = said_to_player(language)

    more = [code for code in known if places(known[code]) - places(reasons()[code])]

    assert more == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_text_has_other_words_in_another_language(language: str) -> None:
    known = said(language)

    same = {
        code
        for code, text in known.items()
        if text == reasons()[code] and re.search("[a-z]", _PLACE.sub("", text))
    }
    assert same == set()


def rows_of_documents() -> dict[str, str]:
    """Return each clause and each reading's two sides with its English."""
    rows = [(game.name, row) for game in all_games() for row in game.clauses]
    clauses = {f"{name} {row.number}": row.says for name, row in rows}
    asked = {f"{each.id} question": each.question for each in READINGS}
    return clauses | asked | {f"{each.id} answer": each.answer for each in READINGS}


@pytest.mark.parametrize("language", TRANSLATED)
def test_clauses_and_readings_are_translated_and_nothing_else(language: str) -> None:
    known, rows = of_rulebook(language), rows_of_documents()

    assert sorted(row for row, _ in known) == sorted(rows)
    assert [row for row, text in known if text == rows[row]] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_act_that_the_house_may_refuse_has_its_words(language: str) -> None:
    wanted = {f"may_{re.sub('[^a-z]+', '_', each.value.lower())}" for each in HouseAct}

    assert sorted(wanted - named(language)) == []


def logged() -> dict[str, set[str]]:
    """Return the significant events, each with the fields that its sentence may name.

    A plan inside an event counts as its own fields.
    """
    plans = {"house": HouseSettings, "member": StaffPlan, "table": TablePlan}
    kinds = [each for act in EVENT_ACTIONS for each in act.events]
    names = {each.__name__: {*each.__match_args__} for each in kinds}
    told = {
        kind: {
            field
            for name in some
            for field in (name, *getattr(plans.get(name), "__match_args__", ()))
        }
        for kind, some in names.items()
    }
    unsaid = significant_events._UNSAID | {"house", "member"}
    return {kind: some - unsaid for kind, some in told.items()}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_act_and_every_event_of_the_log_has_its_name(language: str) -> None:
    acts = {each.__name__ for each in get_args(AnyCommand)}

    wanted = {f"event_{each}" for each in acts | logged().keys()}

    assert sorted(wanted - named(language)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_field_of_the_log_has_its_name(language: str) -> None:
    told = {each for some in logged().values() for each in some} - {"reason"}

    wanted = {f"field_{each}" for each in told - {"acts"}}

    assert sorted(wanted - named(language)) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_exactly_the_refusable_acts_have_translated_names(
    language: str,
) -> None:
    operations = {each.name for each in whole_api().endpoints if each.auth}
    messages = {each.__name__ for each in get_args(ToHouse)} - {"Hello", "Ping"}
    summed = {each.value for each in (*SensitiveAct, *ThresholdAct)}

    # An operation that does an act of a table has that act's name.
    acts = {each.removeprefix("event_") for each in named(language)}
    own = {each.removeprefix("act_") for each in named(language) if each[:4] == "act_"}
    asked = operations | messages | summed
    wanted = {each for each in asked if _camel(each) not in acts}

    assert sorted(wanted - own) == []
    assert sorted(own - asked) == []


def _camel(operation: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in operation.split("_"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_to_ask_without_authority_has_its_name(language: str) -> None:
    wanted = {f"asked_by_{each.value}" for each in AskedBy}

    assert sorted(wanted - named(language)) == []
