"""Events read back: every event that a transcript makes, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from croupier.rules.events import Event
from croupier.rules.record import (
    EVENT_TYPES,
    RecordError,
    event_from_json,
    event_to_json,
)
from croupier.transcript import play, read_transcript
from tests.expectations import TRANSCRIPTS

ALL = sorted(TRANSCRIPTS.rglob("*.txt"))


@pytest.mark.parametrize("game", sorted({path.parts[-2] for path in ALL} - {"more"}))
def test_every_event_of_a_games_transcripts_reads_back(game: str) -> None:
    for path in sorted((TRANSCRIPTS / game).rglob("*.txt")):
        for record in play(read_transcript(_lines(path))).records:
            text = json.dumps(event_to_json(record.event))

            assert event_from_json(json.loads(text)) == record.event, path


def test_the_transcripts_make_every_kind_of_event() -> None:
    made = {
        type(record.event).__name__
        for path in ALL
        for record in play(read_transcript(_lines(path))).records
    }

    assert made == {kind.__name__ for kind in get_args(Event)} == set(EVENT_TYPES)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


GOOD = {
    "event": "BallAtRest",
    "by": {"name": "Dealer", "role": "Dealer", "acting": False},
    "number": "17",
}


@pytest.mark.parametrize(
    "change",
    [
        {"event": "BallLost"},
        {"event": None},
        {"number": 17},
        {"number": None},
        {"number": True},
        {"extra": 1},
        {"by": "Dealer"},
        {"by": {"name": "Dealer", "role": "Emperor", "acting": False}},
        {"by": {"name": "Dealer", "role": "Dealer"}},
        {"by": {"name": "Dealer", "role": "Dealer", "acting": 0}},
    ],
)
def test_what_does_not_fit_is_no_record(change: dict[str, object]) -> None:
    assert event_to_json(event_from_json(GOOD)) == GOOD

    with pytest.raises(RecordError):
        event_from_json({**GOOD, **change})


@pytest.mark.parametrize("record", [None, 1, "BallAtRest", [GOOD], {}])
def test_what_is_not_an_object_is_no_record(record: object) -> None:
    with pytest.raises(RecordError):
        event_from_json(record)


def test_a_list_is_read_as_a_list_only() -> None:
    drawn = {"event": "BonusNumbersDrawn", "numbers": "17"}

    with pytest.raises(RecordError):
        event_from_json(drawn)
