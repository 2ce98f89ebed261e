"""Events as text and back, with the schema version that old journals need.

An event is a JSON object of its fields. The settled wagers and pieces of a settlement
are named tuples, which msgspec writes as lists, without their fields' names.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, get_args

import msgspec

from croupier.journal.events.house import HouseEvent
from croupier.journal.events.table import OperationEvent
from croupier.ledger.money import MoneyEvent
from croupier.rules.events import Event
from croupier.rules.reasons import all_reasons

JournalEvent = Event | MoneyEvent | OperationEvent | HouseEvent
KINDS: Mapping[str, type[Any]] = {
    kind.__name__: kind
    for union in (Event, MoneyEvent, OperationEvent, HouseEvent)
    for kind in get_args(union)
}
SCHEMA = 3
"""The version that is written; every older one is still read."""

_encoder = msgspec.json.Encoder()
_decoders = {name: msgspec.json.Decoder(kind) for name, kind in KINDS.items()}


class UnreadableEvent(Exception):
    """The text is no event of any version that this program knows."""


def encode(event: JournalEvent) -> str:
    """The event's fields as JSON; its kind stands beside it."""
    return _encoder.encode(event).decode()


def decode(schema: int, kind: str, body: str) -> JournalEvent:
    """The event, brought up to date where an older version wrote it."""
    if kind not in _decoders or not 1 <= schema <= SCHEMA:
        raise UnreadableEvent(f"no {kind[:40]!r} of schema {schema} is known")
    try:
        if schema < SCHEMA:
            body = _brought_up(schema, kind, body)
        event = _decoders[kind].decode(body)
    except msgspec.MsgspecError as error:
        raise UnreadableEvent(f"{kind}: {error}") from error
    assert isinstance(event, KINDS[kind])
    return event  # type: ignore[no-any-return]


def _brought_up(schema: int, kind: str, body: str) -> str:
    fields = msgspec.json.decode(body, type=dict[str, Any])
    for version in range(schema, SCHEMA):
        upcast = _UPCASTERS.get((version, kind))
        if upcast is not None:
            fields = upcast(fields)
    return _encoder.encode(fields).decode()


def _terms_unknown(fields: dict[str, Any]) -> dict[str, Any]:
    """Version 1 did not record what a round was judged by: no limits, no settings."""
    return {"document": "", "limits": [], "settings": [], "warned": [], **fields}


def _reason_as_data(fields: dict[str, Any]) -> dict[str, Any]:
    """Version 2 recorded the English sentence of a reason."""
    text = fields["reason"]
    codes = {each: code for code, each in all_reasons().items() if "{" not in each}
    known = codes.get(text)
    values = {} if known else {"text": text}
    return {**fields, "reason": {"code": known or "recorded", "values": values}}


_UPCASTERS: Mapping[tuple[int, str], Callable[[dict[str, Any]], dict[str, Any]]] = {
    (1, "RoundBegun"): _terms_unknown,
    (2, "RoundVoided"): _reason_as_data,
    (2, "RoundHeld"): _reason_as_data,
    (2, "ActRefused"): _reason_as_data,
}
