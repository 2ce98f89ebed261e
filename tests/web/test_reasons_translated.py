"""The pages say in every language whatever the house may say to a person.

A code of the house without a text fails here, and so does a text that is never said.
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
from croupier.house.people.authority import HouseAct
from croupier.house.records import significant_events
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
LANGUAGES = sorted(each.stem for each in CATALOGUES.glob("*.json"))
TRANSLATED = [each for each in LANGUAGES if each != "en"]
_PLACE = re.compile(r"\{(\w+)\}")


@cache
def catalogue(language: str) -> dict[str, Any]:
    text = (CATALOGUES / f"{language}.json").read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


@cache
def reasons() -> dict[str, str]:
    """Return the English template of each code that a person may be told.

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
    known = catalogue(language)["reasons"]

    assert sorted(reasons().keys() ^ known.keys()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_reason_has_the_places_of_the_house(language: str) -> None:
    known = catalogue(language)["reasons"]

    other = [code for code in known if places(known[code]) != places(reasons()[code])]

    assert other == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_player_is_told_no_more_than_the_house_says(language: str) -> None:
    known = catalogue(language)["reasons_to_player"]

    more = [code for code in known if places(known[code]) - places(reasons()[code])]

    assert more == []


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_text_has_other_words_in_another_language(language: str) -> None:
    known = catalogue(language)["reasons"]

    same = {
        code
        for code, text in known.items()
        if text == reasons()[code] and re.search("[a-z]", _PLACE.sub("", text))
    }
    unread = {
        text for text, said in catalogue(language)["rulebook"].items() if text == said
    }

    assert same == set()
    assert unread == set()


@pytest.mark.parametrize("language", TRANSLATED)
def test_clauses_and_readings_are_translated_and_nothing_else(language: str) -> None:
    texts = {
        *(row.says for game in all_games() for row in game.clauses),
        *(text for each in READINGS for text in (each.question, each.answer)),
    }

    assert sorted(texts ^ catalogue(language)["rulebook"].keys()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_act_that_the_house_may_refuse_has_its_words(language: str) -> None:
    wanted = {
        f"logon.act_{re.sub('[^a-z]+', '_', each.value.lower())}" for each in HouseAct
    }

    assert sorted(wanted - catalogue(language).keys()) == []


def logged() -> dict[str, set[str]]:
    """Return the significant events, each with the fields that its sentence may tell.

    A plan inside an event is told by its own fields.
    """
    plans = {"house": HouseSettings, "member": StaffPlan, "table": TablePlan}
    kinds = [each for many in significant_events._KINDS.values() for each in many]
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

    wanted = {f"inspector.event_{each}" for each in acts | logged().keys()}

    assert sorted(wanted - catalogue(language).keys()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_field_of_the_log_has_its_name(language: str) -> None:
    told = {each for some in logged().values() for each in some} - {"reason"}

    wanted = {f"inspector.field_{each}" for each in told}

    assert sorted(wanted - catalogue(language).keys()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_whatever_is_asked_without_authority_has_its_name_and_nothing_else(
    language: str,
) -> None:
    operations = {each.name for each in whole_api().endpoints if each.auth}
    messages = {each.__name__ for each in get_args(ToHouse)} - {"Hello", "Ping"}
    summed = {each.value for each in (*SensitiveAct, *ThresholdAct)}

    named = {each for each in catalogue(language) if each.startswith("inspector.act_")}

    wanted = {f"inspector.act_{each}" for each in operations | messages | summed}
    assert sorted(wanted ^ named) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_to_ask_without_authority_has_its_name(language: str) -> None:
    wanted = {f"inspector.asked_by_{each.value}" for each in AskedBy}

    assert sorted(wanted - catalogue(language).keys()) == []
