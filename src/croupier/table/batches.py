"""Batches: the journal rows of the commands that one commit writes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import cast

from croupier.journal.events import table as hap
from croupier.journal.events.codec import SCHEMA, JournalEvent, encode
from croupier.journal.heads import balances_digest, digest, event_hash
from croupier.journal.store import Store
from croupier.journal.tables import (
    EntryRow,
    EventRow,
    HeadRow,
    SnapshotRow,
    StreamBatch,
    VoucherRow,
    VoucherState,
)
from croupier.ledger import money
from croupier.ledger.accounts import PLAYERS, Account, Entry
from croupier.ledger.posting import CreditOf, entries_of, staked
from croupier.rules import events as ev
from croupier.rules.clause import Refusal
from croupier.table.cashier import refuse
from croupier.table.commands import OWN_IDS, Submission
from croupier.table.judgements import TableRecord
from croupier.table.reasons import TableReason
from croupier.table.state import TableState, advance, write_snapshot

Entries = tuple[Entry, ...]
_new_row = tuple.__new__
"""Makes a row of a tuple, as `_make` does, for half the time."""


def post(
    state: TableState, events: tuple[TableRecord, ...], day: str
) -> tuple[TableState, list[TableRecord]] | Refusal:
    """Return the state after the events, or refuse what a seat's credit can't cover."""
    posted: list[TableRecord] = []
    for number, event, _ in events:
        entries: Entries = ()
        if type(event) not in hap.OPERATION_EVENTS:
            moves = cast(ev.Event | money.MoneyEvent, event)
            before = state.round_before(number)
            entries = entries_of(moves, before, state.balance, state)
            short = _short_of_credit(state, entries)
            if short is not None:
                return short
        state = advance(state, number, event, entries, day)
        posted.append(TableRecord(number, event, entries))
    return state, posted


def post_placing(state: TableState, event: ev.WagerPlaced) -> Entries | Refusal:
    """Return the entries of a placing in a run, or refuse it as `post` does."""
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
    """Refuse to take more from a Player's account than there is."""
    credit = state.balance(account)
    if credit + cents >= 0 or not account.startswith(PLAYERS):
        return None
    name = account.partition(":")[2]
    return refuse(state, TableReason.CREDIT_TOO_SMALL(seat=name, credit_cents=credit))


def time_on_record(store: Store, head: HeadRow) -> int:
    """Return the time of a stream's last event, or 0 where it has none."""
    rows = store.few_events(head.stream, head.sequence, head.sequence)
    return rows[0].at_ms if rows else 0


@dataclass(slots=True)
class BatchBuilder:
    """Gathers what one stream writes in one commit."""

    stream: str
    epoch: int
    head: HeadRow
    document: str
    terms: str
    at_ms: int
    """The time on record: the clock's, or a later one that is on record already."""
    clock_ms: int
    day: str
    events: list[EventRow] = field(default_factory=list)
    entries: list[EntryRow] = field(default_factory=list)
    answers: list[tuple[str, str, int, int]] = field(default_factory=list)
    touched: set[Account] = field(default_factory=set)
    vouchers: list[VoucherRow] = field(default_factory=list)
    snapshot: SnapshotRow | None = None
    sequence: int = field(init=False)
    hash: str = field(init=False)
    """Of the last event so far, as the sequence is."""

    def __post_init__(self) -> None:
        _, self.sequence, self.hash = self.head

    def add(
        self, command_id: str, posted: Sequence[TableRecord], sent: str = ""
    ) -> int:
        """Add the rows of one command; return the sequence of its first event."""
        first, marked = self.sequence + 1, _marked(command_id, sent)
        for number, event, entries in posted:
            self._add_event(marked, number, event, entries)
        self.answers.append((self.stream, command_id, first, self.sequence))
        return first

    def _add_event(
        self, command_id: str, number: int, event: JournalEvent, entries: Entries
    ) -> None:
        self._add_row(command_id, number, type(event).__name__, encode(event), entries)
        if type(event) in _VOUCHER_EVENTS:
            self.vouchers.append(_voucher_row(self.stream, event))

    def add_placing(
        self, submission: Submission, number: int, body: str, entries: Entries
    ) -> int:
        """Add the rows of a placing, as `add` does, its event being encoded."""
        command_id = submission.command_id
        marked = _marked(command_id, submission.sent)
        self._add_row(marked, number, ev.WagerPlaced.__name__, body, entries)
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
        """Keep what the clock showed, where the time on record is another."""
        if self.clock_ms != self.at_ms:
            behind = hap.ClockBehind(self.clock_ms)
            command_id = f"{OWN_IDS}clock:{self.sequence + 1}"
            self.add(command_id, (TableRecord(round_number, behind),))

    def take_snapshot(self, state: TableState) -> None:
        """Store a table's state, and its digest in the chain."""
        balances = dict(state.balances.items())
        self.keep_snapshot(write_snapshot(state), balances, state.series.last)

    def keep_snapshot(
        self, body: str, balances: Mapping[Account, int], round_number: int
    ) -> None:
        """Store a snapshot under the last command so far, its digest in the chain.

        So is that of the balances, which stand in a table of their own.
        """
        self.snapshot = SnapshotRow(self.stream, self.sequence, body, digest(body))
        taken = hap.SnapshotTaken(
            self.sequence, self.snapshot.digest, balances_digest(balances)
        )
        last_command = self.events[-1].command_id
        self._add_event(last_command, round_number, taken, ())

    def build(self, balance: CreditOf) -> StreamBatch:
        """Return all that was gathered; `balance` knows each account after it."""
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
        )


def _marked(command_id: str, sent: str) -> str:
    """Return the id for a command's events, which `answered_id` reads."""
    return f"{command_id}#{sent}" if sent else command_id


_VOUCHER_EVENTS = frozenset(
    {
        money.VoucherIssued,
        money.VoucherRedeemed,
        money.VoucherPaid,
        money.VoucherExpired,
        money.VoucherReportedLost,
    }
)


def _voucher_row(stream: str, event: JournalEvent) -> VoucherRow:
    match event:
        case money.VoucherIssued(code=code, cents=cents, expires=expires):
            state = VoucherState.OUTSTANDING
            return VoucherRow(code, cents, state, expires, stream, "")
        case (
            money.VoucherRedeemed(code=code, cents=cents)
            | money.VoucherPaid(code=code, cents=cents)
        ):
            return VoucherRow(code, cents, VoucherState.REDEEMED, "", "", stream)
        case money.VoucherExpired(code=code, cents=cents):
            return VoucherRow(code, cents, VoucherState.EXPIRED, "", "", stream)
        case money.VoucherReportedLost(code=code):
            return VoucherRow(code, 1, VoucherState.LOST, "", "", stream)
    raise AssertionError(event)
