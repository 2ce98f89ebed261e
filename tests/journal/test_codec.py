"""Events as text and back: every kind."""

from __future__ import annotations

from dataclasses import is_dataclass
from enum import Enum
from random import Random
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, NewType, Union, get_args, get_origin, get_type_hints

import msgspec
import pytest

from croupier.journal.events import house, table
from croupier.journal.events.codec import KINDS, SCHEMA, UnreadableEvent, decode, encode
from croupier.ledger import money
from croupier.rules import events
from croupier.rules.reasons import Reason
from croupier.transcript import play, read_transcript
from tests.expectations import TRANSCRIPTS

MODULES = (events, money, table, house)
TEXTS = ("", "17", "Zoë “the\tcroupier”\n\\", "\u2028", "x" * 300)
CLOSED = '{"by":{"name":"Sam","role":"Dealer","acting":false}}'
NUMBERS = (0, 1, -1, 2**63 - 1, -(2**63))


def example(hint: Any, random: Random) -> Any:
    """A value of the type, odd ones among them."""
    if get_origin(hint) is Annotated:
        return _within_bounds(hint, random)
    if get_origin(hint) in {Union, UnionType}:
        return example(random.choice(get_args(hint)), random)
    if isinstance(hint, NewType):
        return example(hint.__supertype__, random)
    if get_origin(hint) is tuple:
        kinds = get_args(hint)
        if kinds[-1] is Ellipsis:
            kinds = kinds[:1] * random.randrange(3)
        return tuple(example(each, random) for each in kinds)
    if get_origin(hint) is dict:
        values = [each for each in get_args(get_args(hint)[1]) if each is not Reason]
        return {text: example(random.choice(values), random) for text in TEXTS[:2]}
    if _has_fields(hint):
        fields = get_type_hints(hint, include_extras=True)
        return hint(**{name: example(each, random) for name, each in fields.items()})
    if issubclass(hint, Enum):
        return random.choice(list(hint))
    plain = {NoneType: (None,), bool: (True, False), int: NUMBERS, str: TEXTS}
    return random.choice(plain[hint])


def _within_bounds(hint: Any, random: Random) -> Any:
    while True:
        value = example(get_args(hint)[0], random)
        try:
            return msgspec.convert(value, hint)
        except msgspec.ValidationError:
            continue


def _has_fields(kind: Any) -> bool:
    named = ("_fields", "__struct_fields__")
    return is_dataclass(kind) or any(getattr(kind, name, ()) for name in named)


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_every_kind_of_event_is_read_back_as_it_was_written(kind: type[Any]) -> None:
    random = Random(kind.__name__)

    for _ in range(50):
        event = example(kind, random)

        assert decode(SCHEMA, kind.__name__, encode(event)) == event


def test_every_event_of_a_transcript_reads_back() -> None:
    made = set()
    for path in sorted(TRANSCRIPTS.rglob("*.txt")):
        lines = path.read_text(encoding="utf-8").splitlines()
        for record in play(read_transcript(lines)).records:
            name = type(record.event).__name__
            made.add(name)

            assert decode(SCHEMA, name, encode(record.event)) == record.event, path

    assert made == {kind.__name__ for kind in get_args(events.Event)}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_a_new_kind_of_event_can_be_written(module: ModuleType) -> None:
    """A class with fields is an event, or part of one, or fails here."""
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
    """The classes that a class's fields are made of."""
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
