"""Verification: everything that a journal stores, checked against its events and log.

Laws of this file:
- every row of every table is read, in order, in constant memory, as of one moment;
- all findings are reported, not only the first;
- the report names every claim that can't be proven.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import unique
from types import MappingProxyType
from typing import Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.journal.chain import house_head
from croupier.journal.events.codec import JournalEvent, UnreadableEvent
from croupier.journal.findings import (
    MOST_KEPT,
    Finding,
    FindingKind,
    Findings,
    VerificationProblem,
)
from croupier.journal.log.check import (
    KEY_KINDS,
    HouseKeys,
    KeyUse,
    LogCheck,
    ProvenEnds,
    read_checkpoints,
)
from croupier.journal.log.entries import NO_STREAM
from croupier.journal.store import HOUSE_STREAM, JournalError, ServerAway, Store
from croupier.journal.stream_check import OF_STREAMS, RowCursor, StreamCheck
from croupier.journal.tables import (
    CHECKPOINTS,
    EVENTS,
    LOG_ENTRIES,
    TABLES,
    VOUCHERS,
    EventRow,
    HeadRow,
    LogRow,
    StoredTable,
)
from croupier.journal.vouchers import VoucherFact, compare_vouchers
from croupier.rules.reasons import Reason, ReasonCode

_PAUSE_EVERY = 64
"""Events: about a millisecond."""


@unique
class Unproven(ReasonCode):
    """Claims that a verification can't prove from what it was given."""

    NO_CHECKPOINT_FROM_OUTSIDE = (
        "Without a checkpoint from outside: that no stream was cut short, and that the"
        " whole journal was not written again."
    )
    AFTER_CHECKPOINT_FROM_OUTSIDE = (
        "What the streams held after the checkpoint from outside, if it was cut off."
    )
    BEFORE_RESTORE = (
        "What {count} checkpoint(s) from outside say: they are from before the house"
        " was restored, and of what it lost then."
    )
    WHO_SIGNED = "Without the house's public key: who signed the checkpoints."
    WITHOUT_COMMIT_KEY = (
        "Without the commit key: that nothing was appended by hand since the last"
        " checkpoint."
    )
    CLAIMED_VOUCHERS = (
        "Whether the tables that claimed {count} voucher(s) still want to redeem them:"
        " a claim is no event."
    )


class StreamFold(Protocol):
    """Folds a stream as the process that opens it does."""

    def note(
        self, row: EventRow, event: JournalEvent, snapshot: str | None
    ) -> Reason | None:
        """Fold one more event; return its fault, or None.

        `snapshot` is the stored body if the event is a `SnapshotTaken`.
        """


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """The result of a verification."""

    findings: tuple[Finding, ...]
    more_findings: int
    """The number of findings beyond those that are listed."""
    checked: Mapping[str, int]
    """Rows read, by table."""
    house_head: str
    unproven: tuple[Reason, ...]
    """Claims that this verification can't prove."""
    proven: ProvenEnds | None = None
    """The latest checkpoint from outside: a clean journal is proven up to it."""
    keys: tuple[KeyUse, ...] = ()
    """The keys that signed the checkpoints."""

    @property
    def is_clean(self) -> bool:
        return not self.findings


def verify(
    store: Store,
    *,
    outside: str | None = None,
    public_keys: Collection[Ed25519PublicKey] = (),
    folds: Mapping[str, StreamFold] = MappingProxyType({}),
    pause: Callable[[], None] | None = None,
) -> VerificationReport:
    """Verify a journal; raises `BadCheckpoint` if `outside` is wrong.

    `outside` is a text of one or more checkpoints. If public keys are given, each
    checkpoint must be signed by one of them, or by a key that the house took while such
    a checkpoint vouched for it. Each stream in `folds` must be accepted by its fold.
    `pause` is called after every few events; its exception ends the verification.
    """
    findings = Findings()
    check = JournalCheck(store, findings, outside, public_keys)
    ends = []
    with store.at_one_moment():
        check.begin()
        for stream in check.streams():
            part = StreamCheck(store, stream, findings)
            fold = folds.get(stream)
            for row, event, _, snapshot in part.events():
                if fold is not None and not isinstance(event, UnreadableEvent):
                    _fold(fold, row, event, snapshot, findings)
                if pause is not None and row.sequence % _PAUSE_EVERY == 0:
                    pause()
            ends.append(HeadRow(stream, part.sequence, part.hash))
            check.rows.update(part.counts)
        check.check_seals(ends)
        check.end({end.stream for end in ends})
    kept = findings.kept[:MOST_KEPT]
    return VerificationReport(
        findings=tuple(kept),
        more_findings=findings.total - len(kept),
        checked={name: check.rows[name] for name in TABLES},
        house_head=house_head(ends),
        unproven=tuple(check.unproven()),
        proven=check.log.proven,
        keys=check.log.keys,
    )


def _fold(
    fold: StreamFold,
    row: EventRow,
    event: JournalEvent,
    snapshot: str | None,
    findings: Findings,
) -> None:
    problem = fold.note(row, event, snapshot)
    if problem is not None:
        kind = FindingKind.JOURNAL_EVENTS
        if snapshot is not None:
            kind = FindingKind.JOURNAL_SNAPSHOTS
        findings.add(Finding(kind, row.stream, row.sequence, problem))


def unsealed(store: Store, ends: Iterable[HeadRow]) -> Iterator[Finding]:
    """Yield a finding for each end that the store's commit key has not sealed."""
    if store.commit_key is None:
        return
    macs = store.macs()
    for end in ends:
        if end.sequence and macs.get(end.stream) != store.mac_of(*end):
            problem = VerificationProblem.STREAM_UNSEALED()
            kind = FindingKind.JOURNAL_STREAMS
            yield Finding(kind, end.stream, end.sequence, problem)


class JournalCheck:
    """The check of the journal as a whole: its pages, log and vouchers.

    Between `begin` and `end`, both in one moment of the store, the streams are checked.
    """

    def __init__(
        self,
        store: Store,
        findings: Findings,
        outside: str | None,
        public_keys: Collection[Ed25519PublicKey],
    ) -> None:
        """Raise `BadCheckpoint` if `outside` is no text of checkpoints."""
        self._outside = [] if outside is None else read_checkpoints(outside)
        self.log = LogCheck(store, findings, self._outside)
        self.rows: Counter[str] = Counter()
        """Rows read, by table."""
        self._store = store
        self._findings = findings
        self._public_keys = public_keys
        self._claims = 0

    def begin(self) -> None:
        """Look for damage, and read the log with its checkpoints."""
        for line in self._store.damage():
            problem = VerificationProblem.DATABASE_DAMAGED(text=line)
            self._findings.add(Finding(FindingKind.JOURNAL_STREAMS, "", None, problem))
        # Rows of the house's stream that can't be read are found with the others.
        rows = self._store.events(HOUSE_STREAM, kinds=KEY_KINDS)
        keys = HouseKeys(RowCursor(EVENTS, rows, Findings()).rest(), self._public_keys)
        stored = self._cursor(CHECKPOINTS)
        self.log.read(self._log_rows(), stored, keys)
        self.rows[CHECKPOINTS.name] = stored.count
        self.rows[LOG_ENTRIES.name] += self.log.ends_entries

    def _log_rows(self) -> Iterator[LogRow]:
        """Yield the log in its order, up to the first row that can't be read."""
        ends = self._store.rows_of(LOG_ENTRIES, NO_STREAM)
        for values in RowCursor(LOG_ENTRIES, ends, self._findings).rest():
            if LogRow._make(values).leaf < 0:  # only an event's entry may wait
                problem = VerificationProblem.LOG_ENDS_UNREADABLE()
                kind = FindingKind.JOURNAL_LOG_ENTRIES
                self._findings.add(Finding(kind, "", values[1], problem))
        rows = RowCursor(LOG_ENTRIES, self._store.log_in_order(), self._findings)
        return map(LogRow._make, rows.rest())

    def check_seals(self, ends: Iterable[HeadRow]) -> None:
        for finding in unsealed(self._store, ends):
            self._findings.add(finding)

    def streams(self) -> list[str]:
        """Return every stream that any table or the log names."""
        found = set(self.log.ends)
        for table in OF_STREAMS:
            try:
                named = set(self._store.streams_of(table))
                found |= named - {NO_STREAM} if table is LOG_ENTRIES else named
            except ServerAway:
                raise
            except JournalError as error:
                kind = FindingKind.of_table(table.name)
                problem = VerificationProblem.ROW_UNREADABLE(text=str(error))
                self._findings.add(Finding(kind, "", None, problem))
        return sorted(found)

    def end(
        self,
        streams: set[str],
        judge: Callable[[list[VoucherFact]], None] | None = None,
    ) -> None:
        """Compare the vouchers with their events."""
        stored = self._cursor(VOUCHERS)
        rows = RowCursor(EVENTS, self._store.events_of_vouchers(), self._findings)
        events = map(EventRow._make, rows.rest())
        self._claims = compare_vouchers(events, stored, streams, self._findings, judge)
        self.rows[VOUCHERS.name] = stored.count

    def _cursor(self, table: StoredTable) -> RowCursor:
        return RowCursor(table, self._store.rows_of(table), self._findings)

    def unproven(self) -> Iterator[Reason]:
        """Yield the claims that this check can't prove."""
        if len(self._outside) == self.log.superseded:
            yield Unproven.NO_CHECKPOINT_FROM_OUTSIDE()
        else:
            yield Unproven.AFTER_CHECKPOINT_FROM_OUTSIDE()
        if self.log.superseded:
            yield Unproven.BEFORE_RESTORE(count=self.log.superseded)
        if self.rows[CHECKPOINTS.name] and not self._public_keys:
            yield Unproven.WHO_SIGNED()
        if self._store.commit_key is None:
            yield Unproven.WITHOUT_COMMIT_KEY()
        if self._claims:
            yield Unproven.CLAIMED_VOUCHERS(count=self._claims)
