"""The pages say in every language whatever the house may say to a person.

The sentences are read from the source, so that a new one without a translation fails
here; and no catalogue keeps a sentence that the house says no more.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any, get_args

import pytest

from croupier.audit.journal.problems import AuditProblem, ProblemPlace
from croupier.games import all_games
from croupier.games.readings import READINGS
from croupier.house.people.authority import HouseAct
from croupier.house.records import significant_events
from croupier.journal.findings import VerificationProblem
from croupier.rules import events as ev
from croupier.rules.clause import Refusal, Rule
from croupier.rules.game import Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import PlainReason, all_reasons
from croupier.table.commands import AnyCommand
from croupier.transcript import play, read_transcript
from croupier.web.reasons import WebReason
from tests.expectations import TRANSCRIPTS
from tests.web.reasons_in_source import PLACE, Sentences

ROOT = Path(__file__).parents[2]
CATALOGUES = ROOT / "pages/src/i18n"
SAY_TO_PEOPLE = ("table", "house")
SAID_BY_PAGES = {"withdrawn", "declined", "place your bets", "no more bets"}
"""How a page ends a proposal, and what it showed: the house keeps it, and tells it."""
NEVER_ALONE = {
    "there is no game {}",
    "{} is not a Player's name",
    "{} is not a wager",
    "{} is not an irregularity",
}
FORMS = {
    "write: colour blue to Anna 5 marker stand",
    "write: correct round 1 to 32",
    "write: return, amount 3, or an area",
    "write: void rounds 2 3 ball_broke",
}
"""What the catalogues have whole, and the transcript says as “write: {form}”."""
LANGUAGES = sorted(each.stem for each in CATALOGUES.glob("*.json"))
TRANSLATED = [each for each in LANGUAGES if each != "en"]
_ANY_PLACE = re.compile(r"\{\w+\}")
_SENTENCE_ENDS = re.compile(r"(?<=[.?]) (?=[A-Z0-9“])")


@cache
def catalogue(language: str) -> dict[str, Any]:
    text = (CATALOGUES / f"{language}.json").read_text(encoding="utf-8")
    read: dict[str, Any] = json.loads(text)
    return read


@cache
def sentences() -> Sentences:
    return Sentences(ROOT / "src/croupier", SAY_TO_PEOPLE)


def reasons() -> set[str]:
    """The sentences of reasons that are data; findings are shown in English."""
    assert WebReason.NOTHING_HERE.code in all_reasons()
    left_out = (*PlainReason, *VerificationProblem, *AuditProblem, *ProblemPlace)
    codes = all_reasons().keys() - {each.code for each in left_out}
    return set(without_names(all_reasons()[code] for code in codes))


def hinted() -> set[str]:
    """With what was probably meant, as a sentence of its own."""
    return {f"{each}; did you mean {PLACE}?" for each in reasons()}


def words_in_sentences() -> set[str]:
    """What stands in sentences as words of the house: what happened, acts, people."""
    acting = str(Person(PLACE, Role.DEALER, acting=True))
    return {
        *(str(each.reason) for each in Irregularity),
        *(each.value for each in HouseAct),
        acting.replace(Role.DEALER.value, PLACE),
    }


def without_names(templates: Iterable[str]) -> list[str]:
    return [_ANY_PLACE.sub(PLACE, each) for each in templates]


def matches(language: str, sentence: str) -> bool:
    """Whether some template has the words of the sentence, and has words at all."""
    worded = (
        _ANY_PLACE.split(each)
        for each in catalogue(language)["reasons"]
        if re.search(r"\w", _ANY_PLACE.sub("", each))
    )
    patterns = (".+".join(map(re.escape, parts)) for parts in worded)
    return any(re.fullmatch(each, sentence, re.DOTALL) for each in patterns)


PLANTED = """
class Refusal:
    clause: str
    reason: str

class NotDone(Exception): ...
class Denied(NotDone): ...

def refuse(clause, reason):
    return Refusal(clause, reason)

def judged(clause, person, close, error):
    hint = f"; did you mean {close}?" if close else ""
    late = "it is late"
    if person:
        return refuse(clause, late)
    if close:
        return refuse(clause, f"{person.name} is early{hint}")
    if error:
        return Refusal(clause, str(error))
    raise Denied(_why(person))

def _why(person):
    return f"{person} may not"

def unreadable(clause, person):
    return refuse(clause, person.name.upper())
"""


def test_a_sentence_is_found_however_it_is_said(tmp_path: Path) -> None:
    (tmp_path / "rules").mkdir()
    (tmp_path / "rules/planted.py").write_text(PLANTED, encoding="utf-8")

    found = Sentences(tmp_path, ("rules",))

    assert found.templates == {
        "it is late",
        "{} is early",
        "{} is early; did you mean {}?",
        "{} may not",
    }
    assert found.unread == {"rules.planted: person.name.upper()"}


def test_there_are_languages_to_translate_into() -> None:
    assert "zh-Hans" in TRANSLATED


def test_every_sentence_can_be_read_from_the_source() -> None:
    assert sentences().unread == set()


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_sentence_of_the_house_is_translated(language: str) -> None:
    known = set(without_names(catalogue(language)["reasons"]))

    missing = (sentences().templates | reasons() | words_in_sentences()) - known

    assert sorted(missing - NEVER_ALONE) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", ["reasons", "reasons_to_player"])
def test_no_catalogue_keeps_what_is_said_no_more(language: str, part: str) -> None:
    known = without_names(catalogue(language)[part])

    said = sentences().templates | words_in_sentences() | SAID_BY_PAGES
    said |= reasons() | hinted() | FORMS

    assert sorted(set(known) - said) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", ["reasons", "reasons_to_player"])
def test_no_sentence_is_translated_twice(language: str, part: str) -> None:
    known = without_names(catalogue(language)[part])

    assert len(known) == len(set(known))


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("part", ["reasons", "reasons_to_player", "rulebook"])
def test_a_sentence_has_other_words_in_another_language(
    language: str, part: str
) -> None:
    known = catalogue(language)[part]

    assert [each for each, said in known.items() if each == said] == []


def rulebook() -> set[str]:
    """What clauses ask and readings answer, sentence by sentence."""
    texts = [
        *(rule.value for rule in Rule),
        *(row.says for game in all_games() for row in game.clauses),
        *(text for each in READINGS for text in (each.question, each.answer)),
    ]
    found = {each for text in texts for each in _SENTENCE_ENDS.split(text)}
    voids = {f"The round is void if {each.reason}." for each in Irregularity}
    return found - voids | {f"The round is void if {PLACE}."}


@pytest.mark.parametrize("language", TRANSLATED)
def test_clauses_and_readings_are_translated_and_nothing_else(language: str) -> None:
    known = without_names(catalogue(language)["rulebook"])

    assert sorted(rulebook() ^ set(known)) == []


def told_in_transcripts() -> Iterator[str]:
    for path in sorted(TRANSCRIPTS.rglob("*.txt")):
        played = play(read_transcript(path.read_text(encoding="utf-8").splitlines()))
        for lines in played.lines:
            for line in lines:
                if isinstance(line.answer, Refusal):
                    yield str(line.answer.reason)
        for record in played.records:
            if isinstance(record.event, ev.RoundVoided | ev.RoundHeld):
                yield str(record.event.reason)


@pytest.mark.parametrize("language", TRANSLATED)
def test_every_refusal_void_and_hold_of_the_transcripts_is_known(language: str) -> None:
    told = set(told_in_transcripts())

    unknown = [each for each in sorted(told) if not matches(language, each)]

    assert len(told) > 100
    assert unknown == []


def logged() -> dict[str, set[str]]:
    """The significant events, each with the fields that its sentence may tell."""
    kinds = (each for many in significant_events._KINDS.values() for each in many)
    return {
        each.__name__: {field.name for field in fields(each)}
        - significant_events._UNSAID
        for each in kinds
    }


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
