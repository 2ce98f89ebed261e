"""Events as text and back.

An event is a JSON object of its fields. The settled wagers and pieces of a settlement
are named tuples, which msgspec writes as lists, without their fields' names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

import msgspec

from croupier.errors import CroupierError
from croupier.journal.events.house import HouseEvent
from croupier.journal.events.table import OperationEvent
from croupier.ledger.money import MoneyEvent
from croupier.rules.events import Event

JournalEvent = Event | MoneyEvent | OperationEvent | HouseEvent
KINDS: Mapping[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        *get_args(Event),
        *get_args(MoneyEvent),
        *OperationEvent.__subclasses__(),
        *HouseEvent.__subclasses__(),
    )
}
SCHEMA = 1
"""The version that is written and read."""

_encoder = msgspec.json.Encoder()
_decoders = {name: msgspec.json.Decoder(kind) for name, kind in KINDS.items()}


class UnreadableEvent(CroupierError):
    """The text is no event of the version that this program knows."""


def encode(event: JournalEvent) -> str:
    """Return the event's fields as JSON; the kind is stored beside them."""
    return _encoder.encode(event).decode()


def decode(schema: int, kind: str, body: str) -> JournalEvent:
    """Return the event; raises `UnreadableEvent`."""
    if kind not in _decoders or schema != SCHEMA:
        raise UnreadableEvent(f"no {kind[:40]!r} of schema {schema} is known")
    try:
        event = _decoders[kind].decode(body)
    except (msgspec.MsgspecError, ValueError) as error:
        raise UnreadableEvent(f"{kind}: {error}") from error
    assert isinstance(event, KINDS[kind])
    return event  # type: ignore[no-any-return]
