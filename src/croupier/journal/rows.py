"""The rows of a journal: what is read, what is written, what is answered."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import NamedTuple

from croupier.ledger.accounts import Entry

GENESIS = "0" * 64
"""The hash before the first event of a stream."""


class EventRow(NamedTuple):
    """One event of a stream, as it is stored."""

    stream: str
    sequence: int
    round_number: int
    command_id: str
    at_ms: int
    schema: int
    document: str
    terms: str
    """A digest of the limits and settings it was judged by; RoundBegun spells them."""
    kind: str
    body: str
    hash: str


class AnswerRow(NamedTuple):
    """Where the answer to a command stands: its first and last event."""

    command_id: str
    first: int
    last: int


@unique
class VoucherState(Enum):
    OUTSTANDING = "outstanding"
    CLAIMED = "claimed"
    REDEEMED = "redeemed"
    EXPIRED = "expired"
    LOST = "lost"


class VoucherRow(NamedTuple):
    """A voucher; `holder` is the stream that claimed or redeemed it."""

    code: str
    cents: int
    state: VoucherState
    expires: str
    issuer: str
    holder: str


class SnapshotRow(NamedTuple):
    """A table's state after an event."""

    stream: str
    sequence: int
    body: str
    digest: str


class HeadRow(NamedTuple):
    """The end of a stream."""

    stream: str
    sequence: int
    hash: str


@dataclass(frozen=True, slots=True)
class StreamBatch:
    """What one stream writes in one commit; the store adds nothing of its own."""

    stream: str
    epoch: int
    after: int
    """The sequence this batch follows."""
    events: tuple[EventRow, ...]
    entries: tuple[tuple[int, int, Entry], ...]
    """Sequence, line and entry."""
    answers: tuple[AnswerRow, ...]
    balances: tuple[Entry, ...]
    """Each touched account with its new balance."""
    vouchers: tuple[VoucherRow, ...] = ()
    snapshot: SnapshotRow | None = None
