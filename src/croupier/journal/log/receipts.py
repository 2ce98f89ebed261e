"""Receipts: one seat's wagers in one round, with the proof of their result.

A receipt has everything that a check needs, and no other seat's data: the entry of the
round in the log, the seat's record with its salt, the path of its commitment to the
root that the entry names, and the path of the entry to a signed checkpoint.
"""

from __future__ import annotations

from base64 import b64decode, b64encode
from typing import Any

import msgspec

from croupier.journal.events.codec import decode
from croupier.journal.log.entries import (
    seat_commitment,
    seat_records,
    seat_salt,
)
from croupier.journal.log.notes import Note, ProvenNote
from croupier.journal.log.publishing import cosigned
from croupier.journal.log.stored_log import StoredLog
from croupier.journal.log.tree import (
    inclusion_path,
    leaf_hash,
    tree_root,
)
from croupier.journal.store import JournalError, Store
from croupier.journal.tables import EventRow, LogRow
from croupier.rules.events import RoundSettled
from croupier.rules.notation import shown

_VERSION = 1


class NoReceipt(JournalError):
    """The house has no receipt of that seat and round, or not yet."""


class BadReceipt(JournalError):
    """The text is no receipt."""


class LogProof(ProvenNote):
    """An entry's index in the tree, its path and the checkpoint (C2SP tlog-proof)."""

    WORD = "c2sp.org/tlog-proof@v1\nindex "


class LoggedEntry(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the log, byte by byte, with its proof."""

    entry: str
    proof: str


class Receipt(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The receipt of one seat in one round, as its file has it."""

    croupier_receipt: int
    """The version of this form."""
    entry: str
    proof: str
    seat: dict[str, Any]
    salt: str
    place: int
    """The seat's index among those of the round."""
    path: tuple[str, ...]
    """From the seat's commitment to the root that the entry names, in base64."""
    corrects: tuple[LoggedEntry, ...] = ()
    """The earlier entries of a round that was settled again."""

    @property
    def text(self) -> str:
        return msgspec.json.format(msgspec.json.encode(self), indent=1).decode() + "\n"

    @property
    def round(self) -> dict[str, Any]:
        """The entry of the round, as data; raises `BadReceipt`."""
        try:
            return msgspec.json.decode(self.entry, type=dict[str, Any])
        except msgspec.MsgspecError as error:
            raise BadReceipt(f"its entry can't be read: {error}") from error


_decoder = msgspec.json.Decoder(Receipt)


def read_receipt(text: str) -> Receipt:
    """Read a receipt's file; raises `BadReceipt`."""
    try:
        receipt = _decoder.decode(text)
    except msgspec.MsgspecError as error:
        raise BadReceipt(f"this is no receipt: {error}") from error
    if receipt.croupier_receipt != _VERSION:
        raise BadReceipt(f"this receipt has version {receipt.croupier_receipt}")
    return receipt


def make_receipt(store: Store, table: str, round_number: int, seat: str) -> Receipt:
    """Return the receipt of a seat in its last settlement; raises `NoReceipt`."""
    rows = list(
        store.events(table, round_number=round_number, kinds=(RoundSettled.__name__,))
    )
    if not rows:
        raise NoReceipt(f"{shown(table)} has not settled a round {round_number}")
    note = cosigned(store)
    logged = [_logged(store, row, note) for row in rows]
    last, entry = rows[-1], logged[-1]
    settled = decode(last.schema, last.kind, last.body)
    assert isinstance(settled, RoundSettled)
    records = seat_records(last, settled)
    if seat not in records:
        raise NoReceipt(f"{shown(seat)} had no wager in round {round_number}")
    place = list(records).index(seat)
    leaves = [
        leaf_hash(seat_commitment(seat_salt(entry.salt, name), record))
        for name, record in records.items()
    ]
    path = inclusion_path(
        place,
        len(leaves),
        lambda level, n: tree_root(leaves[n << level : n + 1 << level]),
    )
    proven = _proven(store, entry, note)
    return Receipt(
        croupier_receipt=_VERSION,
        entry=proven.entry,
        proof=proven.proof,
        seat=records[seat],
        salt=seat_salt(entry.salt, seat).hex(),
        place=place,
        path=tuple(b64encode(each).decode() for each in path),
        corrects=tuple(_proven(store, each, note) for each in logged[:-1]),
    )


def _logged(store: Store, row: EventRow, note: Note | None) -> LogRow:
    """Return the log's entry of a settlement that the checkpoint covers."""
    found = store.log_entry_of(row.stream, row.sequence)
    size = 0 if note is None else note.checkpoint.size
    if found is None or not 0 <= found.leaf < size:
        raise NoReceipt(f"round {row.round_number} is not in the signed log yet")
    return found


def _proven(store: Store, row: LogRow, note: Note | None) -> LoggedEntry:
    assert note is not None
    size = note.checkpoint.size
    path = tuple(StoredLog(store).inclusion(row.leaf, size))
    return LoggedEntry(entry=row.entry, proof=LogProof(row.leaf, path, note).text)


def seats_path(receipt: Receipt) -> list[bytes]:
    """Return the path of the seat's commitment; raises `BadReceipt`."""
    try:
        return [b64decode(each, validate=True) for each in receipt.path]
    except ValueError as error:
        raise BadReceipt("the path of its seat is no base64") from error


def commitment_of(receipt: Receipt) -> bytes:
    """Return the commitment that the seat's record and salt make."""
    try:
        salt = bytes.fromhex(receipt.salt)
    except ValueError as error:
        raise BadReceipt("its salt is no number of bytes") from error
    return seat_commitment(salt, receipt.seat)
