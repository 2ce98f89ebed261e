"""The entries of a house's log, made from the events that they stand for.

Laws of this file:
- an entry is canonical JSON (RFC 8785), so that anyone makes the same bytes of it;
- it follows from the events up to its own and from a salt: it can be made again at any
  time;
- the entry of a round has a commitment to each seat's wagers and none of the wagers: a
  Player can show their own and reveal no other.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterable
from hashlib import sha256
from itertools import groupby
from typing import Any

import msgspec

from croupier.journal.events.codec import JournalEvent, decode
from croupier.journal.events.house import (
    HouseRestored,
    ServerStarted,
    SigningKeyRevoked,
    SigningKeySet,
)
from croupier.journal.events.table import GamingDayClosed
from croupier.journal.log.tree import leaf_hash, tree_root
from croupier.journal.tables import EventRow, HeadRow
from croupier.rules import events

ENDS = "ends"
"""The kind of the entry that names the end of every stream."""
NO_STREAM = ""
"""The stream of such an entry: it stands for no event."""
LOGGED = frozenset(
    kind.__name__
    for kind in (
        events.RoundSettled,
        GamingDayClosed,
        ServerStarted,
        SigningKeySet,
        SigningKeyRevoked,
        HouseRestored,
    )
)
"""The kinds of events that have an entry in the log."""
SALT_BYTES = 32
OF_A_ROUND = tuple(
    kind.__name__
    for kind in (
        events.RoundBegun,
        events.PlaceYourBetsAnnounced,
        events.NoMoreBetsAnnounced,
        events.BonusNumbersDrawn,
        events.BonusNumbersCorrected,
        events.RoundVoided,
        events.OutcomeDecided,
        events.OutcomeCorrected,
        events.RoundSettled,
    )
)
"""The kinds of events that the entry of a round is made from."""


def needs_salt(event: JournalEvent) -> bool:
    """Return whether the entry of an event commits to the wagers of seats."""
    return isinstance(event, events.RoundSettled) and bool(event.wagers)


class StreamEnds(msgspec.Struct, frozen=True, kw_only=True):
    """The ends of all streams at a moment, as an entry of the log names them."""

    kind: str
    at_ms: int
    house_head: str
    streams: tuple[HeadRow, ...]
    incarnation: str
    """The house's incarnation: each restore begins another; the first is empty."""
    timeline: int
    """The PostgreSQL server's timeline: each promotion begins another; 0 on SQLite."""
    key: str
    """The public key that signs the checkpoint over it."""
    more: int
    """The number of entries with further streams that follow this one."""

    @property
    def text(self) -> str:
        return canonical(msgspec.to_builtins(self))


_ends_decoder = msgspec.json.Decoder(StreamEnds)


def read_ends(entry: str) -> StreamEnds | None:
    """Return the ends that an entry names, or None if it is no such entry."""
    try:
        found = _ends_decoder.decode(entry)
    except msgspec.MsgspecError:
        return None
    return found if found.kind == ENDS and found.text == entry else None


def canonical(value: Any) -> str:
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))


def entry_of(row: EventRow, salt: str, round_rows: Iterable[EventRow]) -> str:
    """Return the entry of an event of a kind in `LOGGED`.

    `round_rows` are those of its round, in order, of the kinds in `OF_A_ROUND`. Raises
    `UnreadableEvent`.
    """
    event = decode(row.schema, row.kind, row.body)
    said: dict[str, object]
    match event:
        case events.RoundSettled():
            said = _round(row, event, salt, round_rows)
        case GamingDayClosed():
            said = {"kind": "day", "day": event.gaming_day, "head": event.head}
        case ServerStarted():
            said = {"kind": "software", "version": event.version, "code": event.code}
            if event.approved_by is not None:
                said["approved_by"] = event.approved_by
            if event.installed_by is not None:
                said["installed_by"] = event.installed_by
        case SigningKeySet():
            said = {
                "kind": "key",
                "act": "taken",
                "key": event.key,
                "public_key": event.public_key,
                "replaces": event.replaces,
            }
        case SigningKeyRevoked():
            said = {"kind": "key", "act": "revoked", "key": event.key}
        case HouseRestored():
            said = {
                "kind": "restore",
                "incarnation": event.incarnation,
                "former": event.former,
                "missing": event.missing,
            }
        case _:
            raise AssertionError(row.kind)
    return canonical({**said, "at_ms": row.at_ms, "sequence": row.sequence})


def _round(
    row: EventRow,
    settled: events.RoundSettled,
    salt: str,
    round_rows: Iterable[EventRow],
) -> dict[str, object]:
    seats = seat_records(row, settled)
    commitments = [
        seat_commitment(seat_salt(salt, seat), seats[seat]) for seat in seats
    ]
    said: dict[str, object] = {
        "kind": "round",
        "table": row.stream,
        "round": row.round_number,
        "document": row.document,
        "outcome": settled.winning_number,
        "status": "settled",
        "seat_count": len(seats),
        "seats": tree_root(map(leaf_hash, commitments)).hex(),
    }
    for each in round_rows:
        if each.sequence < row.sequence:
            _note(said, each, decode(each.schema, each.kind, each.body))
    return said


def _note(said: dict[str, object], row: EventRow, event: JournalEvent) -> None:
    """Add the facts of one event to its round's entry."""
    match event:
        case events.RoundBegun():
            said["limits"], said["settings"] = event.limits, event.settings
            said["rules"] = event.rules
        case events.PlaceYourBetsAnnounced():
            said.setdefault("opened_ms", row.at_ms)
        case events.NoMoreBetsAnnounced():
            said["closed_ms"] = row.at_ms
        case events.BonusNumbersDrawn():
            said["bonus"] = event.numbers
        case events.BonusNumbersCorrected():
            said["bonus"] = event.corrected_to
        case events.RoundVoided():
            said["status"], said["clause"] = "void", str(event.clause)
        case events.OutcomeDecided() | events.OutcomeCorrected():
            said["clause"] = str(event.clause)
        case events.RoundSettled():
            said["kind"], said["corrects"] = "correction", row.sequence


def seat_records(
    row: EventRow, settled: events.RoundSettled
) -> dict[str, dict[str, Any]]:
    """Return the settled wagers of each seat, in the order of seats."""
    records = {}
    wagers = sorted(settled.wagers, key=lambda wager: wager.player)
    for seat, own in groupby(wagers, key=lambda wager: wager.player):
        records[seat] = {
            "table": row.stream,
            "round": row.round_number,
            "sequence": row.sequence,
            "seat": seat,
            "wagers": [
                {
                    "id": wager.wager_id,
                    "wager": wager.wager,
                    "pieces": [piece._asdict() for piece in wager.pieces],
                }
                for wager in own
            ],
        }
    return records


def seat_salt(salt: str, seat: str) -> bytes:
    """Return the salt of one seat; it reveals no other seat's salt."""
    return hmac.digest(bytes.fromhex(salt), seat.encode(), "sha256")


def seat_commitment(salt: bytes, record: dict[str, Any]) -> bytes:
    return sha256(salt + canonical(record).encode()).digest()
