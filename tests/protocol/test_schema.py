"""The published schema describes all messages of both directions."""

from __future__ import annotations

from typing import Any, get_args

import pytest
from jsonschema_rs import Draft202012Validator
from jsonschema_rs import meta as metaschemas
from msgspec import Struct

from croupier.protocol import answers, messages
from croupier.protocol.schema import PROTOCOL_VERSION, protocol_schema
from tests.protocol.samples import ANSWERS, MESSAGES, as_json

SCHEMA = protocol_schema()
VALIDATOR = Draft202012Validator(SCHEMA)
EVERY: tuple[Any, ...] = (*MESSAGES, *ANSWERS)


def _direction(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})


def _kind(message: Any) -> str:
    return f"{type(message).__name__} {getattr(message, 'id', '')}".strip()


def test_it_is_a_schema_with_a_title_and_a_version() -> None:
    assert metaschemas.is_valid(SCHEMA)
    assert SCHEMA["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert SCHEMA["title"]
    assert SCHEMA["version"] == PROTOCOL_VERSION


@pytest.mark.parametrize("module", [messages, answers], ids=lambda m: m.__name__)
def test_every_struct_of_the_protocol_is_in_it(module: Any) -> None:
    structs = {
        name
        for name, each in vars(module).items()
        if isinstance(each, type) and issubclass(each, Struct) and each is not Struct
    }

    missing = {name for name in structs if name[0] != "_"} - set(SCHEMA["$defs"])

    assert missing == set()


def test_there_is_a_sample_of_every_message() -> None:
    assert {type(each) for each in MESSAGES} == set(get_args(messages.ToHouse))
    assert {type(each) for each in ANSWERS} == set(get_args(answers.FromHouse))


@pytest.mark.parametrize("message", EVERY, ids=_kind)
def test_a_message_matches_the_schema(message: Any) -> None:
    own, other = (
        ("ToHouse", "FromHouse")
        if message in MESSAGES
        else (
            "FromHouse",
            "ToHouse",
        )
    )

    written = as_json(message)

    assert VALIDATOR.is_valid(written)
    assert _direction(own).is_valid(written)
    assert not _direction(other).is_valid(written)


@pytest.mark.parametrize("message", EVERY, ids=_kind)
def test_a_message_with_a_missing_or_wrong_type_does_not_match(message: Any) -> None:
    written = as_json(message)

    assert not VALIDATOR.is_valid({**written, "type": "nothing"})
    del written["type"]
    assert not VALIDATOR.is_valid(written)


@pytest.mark.parametrize(
    "hostile",
    [
        {"type": "hello", "device": "t" * 101},
        {"type": "hello", "since": 7},
        {"type": "act", "id": "", "act": "spin"},
        {"type": "act", "id": "1", "act": "spin", "more": 1},
        {"type": "wagers", "id": "1", "place": [{"id": "w 1", "wager": "17"}]},
        {"type": "collect", "id": "1", "cents": 0},
        [],
        None,
    ],
    ids=str,
)
def test_the_schema_refuses_messages_that_the_house_can_not_read(
    hostile: object,
) -> None:
    assert not VALIDATOR.is_valid(hostile)
