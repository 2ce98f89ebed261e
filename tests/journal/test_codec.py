"""Events of every kind are written as text and read back."""

from __future__ import annotations

from random import Random
from types import ModuleType
from typing import Any, get_args, get_type_hints

import pytest

from croupier.journal.events import house, table
from croupier.journal.events.codec import KINDS, SCHEMA, UnreadableEvent, decode, encode
from croupier.ledger import money
from croupier.rules import events
from croupier.transcript import play, read_transcript
from tests.expectations import all_transcripts
from tests.journal.examples import _has_fields, example

MODULES = (events, money, table, house)
CLOSED = '{"by":{"name":"Sam","role":"Dealer","acting":false}}'


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_kind_of_event_is_read_back_as_it_was_written(kind: type[Any]) -> None:
    random = Random(kind.__name__)

    for _ in range(50):
        event = example(kind, random)

        assert decode(SCHEMA, kind.__name__, encode(event)) == event


def test_every_event_of_a_transcript_reads_back() -> None:
    made = set()
    for path in all_transcripts():
        lines = path.read_text(encoding="utf-8").splitlines()
        for record in play(read_transcript(lines)).records:
            name = type(record.event).__name__
            made.add(name)

            assert decode(SCHEMA, name, encode(record.event)) == record.event, path

    assert made == {kind.__name__ for kind in get_args(events.Event)}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_a_new_kind_of_event_can_be_written(module: ModuleType) -> None:
    """Each class with fields must be an event or part of one."""
    own = {
        name: each
        for name, each in vars(module).items()
        if isinstance(each, type)
        and _has_fields(each)
        and each.__module__ == module.__name__
    }

    parts = {part.__name__ for each in own.values() for part in _parts(each)}

    assert own.keys() - parts <= KINDS.keys()


def _parts(kind: type[Any]) -> set[type[Any]]:
    """Return the classes of a class's fields."""
    found = set()
    waiting = list(get_type_hints(kind).values())
    while waiting:
        hint = waiting.pop()
        waiting += get_args(hint)
        if isinstance(hint, type) and _has_fields(hint):
            found.add(hint)
    return found


@pytest.mark.parametrize(
    ("schema", "kind", "body"),
    [
        (SCHEMA + 1, "TableClosed", CLOSED),
        (SCHEMA - 1, "TableClosed", CLOSED),
        (SCHEMA, "TableClosing", CLOSED),
        (SCHEMA, "RoundBegun", '{"round_number":7}'),
        (SCHEMA, "RoundBegun", "[7]"),
        (SCHEMA, "RoundBegun", "7"),
        (SCHEMA, "TableClosed", "{"),
        (SCHEMA, "TableClosed", ""),
        (SCHEMA, "TableClosed", CLOSED.replace("Sam", "\ud800")),
        (SCHEMA, "BoughtIn", '{"by":null,"seat":"Anna","cents":5}'),
    ],
)
def test_text_that_is_no_event_of_this_version_is_refused(
    schema: int, kind: str, body: str
) -> None:
    assert isinstance(decode(SCHEMA, "TableClosed", CLOSED), table.TableClosed)
    with pytest.raises(UnreadableEvent):
        decode(schema, kind, body)
