"""One stream audited: its events and entries read side by side, once.

The balances of the stream and the round in play are held in memory, and what gathers to
be settled again; nothing grows with the length of the stream.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from croupier.audit.journal.findings import Finding, FindingKind, Findings
from croupier.audit.journal.replay import Replay
from croupier.audit.journal.snapshots import judge_snapshot
from croupier.audit.journal.vouchers import VoucherSpool
from croupier.journal.events.codec import JournalEvent, UnreadableEvent, decode
from croupier.journal.events.table import SnapshotTaken
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.journal.tables import EventRow, HeadRow, SnapshotRow
from croupier.ledger.accounts import Account, Entry, is_seat


@dataclass(slots=True)
class StreamResult:
    """What was looked at in a stream, what was found, and its ledger rebuilt."""

    stream: str
    findings: Findings
    events: int = 0
    wagers: int = 0
    meters: Counter[str] = field(default_factory=Counter)
    balances: dict[Account, int] = field(default_factory=dict)


class StreamAudit:
    """Reads a stream up to its head, and says all that is wrong with it."""

    def __init__(
        self, store: Store, head: HeadRow, spool: VoucherSpool, findings: Findings
    ) -> None:
        self._store = store
        self._head = head
        self._spool = spool
        self._findings = findings
        self._fold = Replay(head.stream, findings.add, self._recall)
        self._is_house = head.stream == HOUSE_STREAM
        self._document: str | None = None
        self._terms_seen: set[str] = set()
        self._snapshots = store.snapshots(head.stream)
        self._snapshot: SnapshotRow | None = next(self._snapshots, None)
        self._events = 0

    def run(self) -> StreamResult:
        fold, stream = self._fold, self._head.stream
        entries = EntryGroups(self._store, stream)
        note, spool = fold.note, self._spool
        for row in self._store.events(stream):
            if row.sequence > self._head.sequence:
                break
            self._events += 1
            try:
                event = decode(row.schema, row.kind, row.body)
            except UnreadableEvent as error:
                self._add(FindingKind.UNREADABLE, row, str(error))
                self._post(row, None, entries.of(row.sequence))
                continue
            expected = note(row, event)
            self._post(row, expected, entries.of(row.sequence))
            if row.kind.startswith("Voucher"):
                spool.note(row, event)
            elif isinstance(event, SnapshotTaken):
                self._judge_snapshot(event)
            if not self._is_house:
                self._judge_terms(row)
            if fold.resettling.is_full:
                fold.resettling.compare()
        fold.end()
        return self._result()

    def _result(self) -> StreamResult:
        """The ledger as it should stand: settlements that differ are put right."""
        fold = self._fold
        balances: Counter[Account] = Counter(fold.credit)
        for account, cents in fold.resettling.differences().items():
            balances[account] += cents
        return StreamResult(
            self._head.stream,
            self._findings,
            self._events,
            fold.wagers,
            fold.resettling.meters,
            dict(balances),
        )

    def _post(
        self, row: EventRow, expected: list[Entry] | None, stored: list[Entry]
    ) -> None:
        """Hold the stored entries against those expected, and post the latter."""
        if expected is None:  # the event can't be read: its entries are all there is
            expected = stored
        elif stored != expected and sorted(stored) != sorted(expected):
            self._tell_entries(row, expected, stored)
        if not expected:
            return
        credit = self._fold.credit
        for account, cents in expected:
            credit[account] = credit.get(account, 0) + cents
        for account, _ in expected:
            if credit[account] < 0 and is_seat(account):
                problem = f"{account} is at {credit[account]} cents after it"
                self._add(
                    FindingKind.CREDIT_BELOW_ZERO, row, problem, (0, credit[account])
                )

    def _tell_entries(
        self, row: EventRow, expected: list[Entry], stored: list[Entry]
    ) -> None:
        total = sum(cents for _, cents in stored)
        if total:
            self._add(
                FindingKind.ENTRIES_NOT_ZERO, row, f"they sum to {total}", (0, total)
            )
        should, was = _by_account(expected), _by_account(stored)
        for account in sorted(should.keys() | was.keys()):
            if should[account] != was[account]:
                problem = f"{account} gets {was[account]} cents, not {should[account]}"
                self._add(
                    FindingKind.ENTRIES, row, problem, (should[account], was[account])
                )
        if should == was:
            problem = "they come to the same, but not line by line"
            self._add(FindingKind.ENTRIES, row, problem)

    def _judge_terms(self, row: EventRow) -> None:
        """The document and the digest of the terms that stand beside each event."""
        fold = self._fold
        document, current = fold.document, fold.current
        if document is None:
            return
        if row.document != document:
            self._add(
                FindingKind.TERMS, row, f"it names the document {row.document[:60]!r}"
            )
        if current is not None:
            if row.terms != current.terms.digest:
                self._add(
                    FindingKind.TERMS, row, "its digest is not of the round's terms"
                )
            return
        assert fold.in_force is not None
        self._terms_seen.add(fold.in_force.digest)
        if row.terms not in self._terms_seen:
            self._add(FindingKind.TERMS, row, "its digest is not of the terms in force")

    def _judge_snapshot(self, taken: SnapshotTaken) -> None:
        """The body stored for this event; whether it is there, verification says."""
        while (
            self._snapshot is not None and self._snapshot.sequence < taken.at_sequence
        ):
            self._snapshot = next(self._snapshots, None)
        if self._snapshot is not None and self._snapshot.sequence == taken.at_sequence:
            judge_snapshot(self._fold, self._snapshot.body)

    def _recall(
        self, number: int, before: int
    ) -> Iterator[tuple[EventRow, JournalEvent]]:
        for row in self._store.events(self._head.stream, round_number=number):
            if row.sequence >= before:
                return
            try:
                yield row, decode(row.schema, row.kind, row.body)
            except UnreadableEvent:
                continue

    def _add(
        self,
        kind: FindingKind,
        row: EventRow,
        problem: str,
        sums: tuple[int, int] | tuple[None, None] = (None, None),
    ) -> None:
        number = row.round_number or None
        place = (row.stream, row.sequence, problem, number, None)
        self._findings.add(Finding(kind, *place, *sums))


def _by_account(entries: list[Entry]) -> Counter[Account]:
    sums: Counter[Account] = Counter()
    for account, cents in entries:
        sums[account] += cents
    return sums


_NO_ENTRIES: list[Entry] = []


class EntryGroups:
    """Read in order, as the events are."""

    def __init__(self, store: Store, stream: str) -> None:
        self._rows = store.entries(stream)
        self._next = next(self._rows, None)

    def of(self, sequence: int) -> list[Entry]:
        """Those of an event; of events that are not there, verification tells."""
        following = self._next
        if following is None or following[0] > sequence:
            return _NO_ENTRIES
        found: list[Entry] = []
        while following is not None and following[0] <= sequence:
            if following[0] == sequence:
                found.append(following[2])
            following = next(self._rows, None)
        self._next = following
        return found
