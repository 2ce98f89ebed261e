"""Batches: the journal rows of the commands that one commit writes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any, cast

from croupier.journal.chain import balances_digest, digest, event_hash
from croupier.journal.events.codec import SCHEMA, JournalEvent, encode
from croupier.journal.events.table import OPERATION_EVENTS, ClockBehind, SnapshotTaken
from croupier.journal.log.entries import LOGGED, needs_salt
from croupier.journal.store import Store
from croupier.journal.tables import (
    EntryRow,
    EventRow,
    HeadRow,
    LogRow,
    SnapshotRow,
    StreamBatch,
    VoucherRow,
    VoucherState,
)
from croupier.ledger import money
from croupier.ledger.accounts import PLAYERS, Account, Entry
from croupier.ledger.posting import CreditOf, entries_of, staked
from croupier.rules.clause import Refusal
from croupier.rules.events import Event, WagerPlaced
from croupier.table.answers import Answer
from croupier.table.cashier import refuse
from croupier.table.commands import OWN_IDS, Submission
from croupier.table.judgements import TableRecord
from croupier.table.reasons import TableReason
from croupier.table.state import TableState, advance, write_snapshot

Entries = tuple[Entry, ...]
_new_row = tuple.__new__
"""Makes a row of a tuple, like `_make`, in half the time."""


def post(
    state: TableState, events: tuple[TableRecord, ...], day: str
) -> tuple[TableState, list[TableRecord]] | Refusal:
    """Return the state after the events, or refuse them if a credit is too small."""
    posted: list[TableRecord] = []
    for number, event, _ in events:
        entries: Entries = ()
        if type(event) not in OPERATION_EVENTS:
            moves = cast(Event | money.MoneyEvent, event)
            before = state.series.find(number)
            entries = entries_of(moves, before, state.balance, state)
            short = _short_of_credit(state, entries)
            if short is not None:
                return short
        state = advance(state, number, event, entries, day)
        posted.append(TableRecord(number, event, entries))
    return state, posted


def post_placing(state: TableState, event: WagerPlaced) -> Entries | Refusal:
    """Return the entries of a placing, or refuse it as `post` does."""
    entries = staked(event)
    short = _overdrawn(state, *entries[0]) if entries else None
    return short or entries


def _short_of_credit(state: TableState, entries: Entries) -> Refusal | None:
    net: dict[Account, int] = {}
    for account, cents in entries:
        net[account] = net.get(account, 0) + cents
    found = (_overdrawn(state, account, cents) for account, cents in net.items())
    return next(filter(None, found), None)


def _overdrawn(state: TableState, account: Account, cents: int) -> Refusal | None:
    """Refuse to take more from a Player's account than it has."""
    credit = state.balance(account)
    if credit + cents >= 0 or not account.startswith(PLAYERS):
        return None
    name = account.partition(":")[2]
    return refuse(state, TableReason.CREDIT_TOO_SMALL(seat=name, credit_cents=credit))


def time_on_record(store: Store, head: HeadRow) -> int:
    rows = store.few_events(head.stream, head.sequence, head.sequence)
    return rows[0].at_ms if rows else 0


@dataclass(slots=True)
class BatchBuilder:
    """Gathers the rows of one stream in one commit."""

    stream: str
    epoch: int
    head: HeadRow
    document: str
    terms: str
    at_ms: int
    """The clock's time, or the time of the last event if that is later."""
    clock_ms: int
    day: str
    salt: Callable[[], str] = str
    """Draws the salt of a round's log entry; the house's stream needs none."""
    events: list[EventRow] = field(default_factory=list)
    entries: list[EntryRow] = field(default_factory=list)
    answers: list[tuple[str, str, int, int]] = field(default_factory=list)
    touched: set[Account] = field(default_factory=set)
    vouchers: list[VoucherRow] = field(default_factory=list)
    log: list[LogRow] = field(default_factory=list)
    snapshot: SnapshotRow | None = None
    sequence: int = field(init=False)
    hash: str = field(init=False)
    """Hash of the last event so far; `sequence` is its number."""

    def __post_init__(self) -> None:
        _, self.sequence, self.hash = self.head

    def add(
        self, command_id: str, posted: Sequence[TableRecord], sent: str = ""
    ) -> int:
        """Add the rows of one command; return the sequence of its first event."""
        first = self.sequence + 1
        marked = f"{command_id}#{sent}" if sent else command_id  # see `answered_id`
        for number, event, entries in posted:
            self._add_event(marked, number, event, entries)
        self.answers.append((self.stream, command_id, first, self.sequence))
        return first

    def _add_event(
        self, command_id: str, number: int, event: JournalEvent, entries: Entries
    ) -> None:
        self._add_row(command_id, number, type(event).__name__, encode(event), entries)
        if type(event).__name__ in LOGGED:
            salt = self.salt() if needs_salt(event) else ""
            self.log.append(LogRow(self.stream, self.sequence, salt, -1, ""))
        if type(event) in _VOUCHER_EVENTS:
            self.vouchers.append(_voucher_row(self.stream, event))

    def add_placing(
        self, submission: Submission, number: int, body: str, entries: Entries
    ) -> int:
        """Add the rows of a placing like `add`; `body` is its encoded event."""
        command_id, sent = submission.command_id, submission.sent
        marked = f"{command_id}#{sent}" if sent else command_id
        self._add_row(marked, number, WagerPlaced.__name__, body, entries)
        sequence = self.sequence
        self.answers.append((self.stream, command_id, sequence, sequence))
        return sequence

    def _add_row(
        self, command_id: str, number: int, kind: str, body: str, entries: Entries
    ) -> None:
        stream = self.stream
        self.sequence = sequence = self.sequence + 1
        columns = (
            stream,
            sequence,
            number,
            command_id,
            self.at_ms,
            SCHEMA,
            self.document,
            self.terms,
            kind,
            body,
        )
        self.hash = hashed = event_hash(self.hash, columns, entries)
        self.events.append(_new_row(EventRow, (*columns, hashed)))
        for line, (account, cents) in enumerate(entries):
            self.entries.append((stream, sequence, line, account, cents))
            self.touched.add(account)

    def keep_clock(self, round_number: int) -> None:
        """Record the clock's time if it is behind the time on record."""
        if self.clock_ms != self.at_ms:
            behind = ClockBehind(self.clock_ms)
            command_id = f"{OWN_IDS}clock:{self.sequence + 1}"
            self.add(command_id, (TableRecord(round_number, behind),))

    def take_snapshot(self, state: TableState) -> None:
        balances = dict(state.balances.items())
        self.keep_snapshot(write_snapshot(state), balances, state.series.last)

    def keep_snapshot(
        self, body: str, balances: Mapping[Account, int], round_number: int
    ) -> None:
        """Store a snapshot; record its digest and that of the balances."""
        self.snapshot = SnapshotRow(self.stream, self.sequence, body, digest(body))
        taken = SnapshotTaken(
            self.sequence, self.snapshot.digest, balances_digest(balances)
        )
        last_command = self.events[-1].command_id
        self._add_event(last_command, round_number, taken, ())

    def build(self, balance: CreditOf) -> StreamBatch:
        """Return the batch; `balance` returns the new balance of each account."""
        return StreamBatch(
            stream=self.stream,
            epoch=self.epoch,
            after=self.head.sequence,
            events=self.events,
            entries=self.entries,
            answers=self.answers,
            balances=[
                Entry(account, balance(account)) for account in sorted(self.touched)
            ],
            vouchers=tuple(self.vouchers),
            snapshot=self.snapshot,
            log=self.log,
        )


@dataclass(frozen=True, slots=True)
class JudgedCommands:
    """Judged commands: their answers and batch, and the state after its commit."""

    submissions: Sequence[Submission]
    answers: list[Answer]
    batch: StreamBatch | None
    """None if every command was answered before."""
    state: TableState
    since_snapshot: int
    payment_turn: ExitStack
    """Keeps the payment turn of the house if a payment was judged."""
    are_looked_up: bool = True
    """True if earlier answers to them were looked up."""

    @property
    def head(self) -> HeadRow:
        assert self.batch is not None
        last = self.batch.events[-1]
        return HeadRow(last.stream, last.sequence, last.hash)


_VOUCHER_EVENTS: Mapping[type[JournalEvent], VoucherState] = {
    money.VoucherIssued: VoucherState.OUTSTANDING,
    money.VoucherRedeemed: VoucherState.REDEEMED,
    money.VoucherPaid: VoucherState.REDEEMED,
    money.VoucherExpired: VoucherState.EXPIRED,
    money.VoucherReportedLost: VoucherState.LOST,
}


def _voucher_row(stream: str, event: Any) -> VoucherRow:
    code, state = event.code, _VOUCHER_EVENTS[type(event)]
    if isinstance(event, money.VoucherIssued):
        return VoucherRow(code, event.cents, state, event.expires, stream, "")
    cents = 1 if isinstance(event, money.VoucherReportedLost) else event.cents
    return VoucherRow(code, cents, state, "", "", stream)
