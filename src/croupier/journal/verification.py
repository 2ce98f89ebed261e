"""Verification: everything that a journal stores, checked against its events and heads.

Laws of this file:
- every row of every table is read, in order, in constant memory, as of one moment;
- all findings are reported, not only the first;
- what can't be proven from what was given is said.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import unique
from types import MappingProxyType
from typing import Protocol

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.journal.events.codec import JournalEvent, UnreadableEvent
from croupier.journal.findings import (
    MOST_KEPT,
    Finding,
    FindingKind,
    Findings,
    VerificationProblem,
)
from croupier.journal.heads import SignedHead, house_head, read_heads
from croupier.journal.known_heads import KeyHistory, KeyUse, KnownHeads
from croupier.journal.store import HOUSE_STREAM, JournalError, ServerAway, Store
from croupier.journal.stream_check import OF_STREAMS, RowCursor, StreamCheck
from croupier.journal.tables import (
    EVENTS,
    PUBLISHED_HEADS,
    TABLES,
    VOUCHERS,
    EventRow,
    HeadRow,
    StoredTable,
)
from croupier.journal.vouchers import VoucherFact, VoucherFacts, compare_vouchers
from croupier.rules.reasons import Reason, ReasonCode

_PAUSE_EVERY = 64
"""Events: about a millisecond."""


@unique
class Unproven(ReasonCode):
    """Claims that a verification can't prove from what it was given."""

    NO_HEAD_FROM_OUTSIDE = (
        "Without a head from outside: that no stream was cut short, and that the whole"
        " journal was not written anew."
    )
    AFTER_HEAD_FROM_OUTSIDE = (
        "What the streams held after the head from outside, if it was cut off."
    )
    BEFORE_RESTORE = (
        "What {count} head(s) from outside say: they are from before the house was"
        " restored, and of what it lost then."
    )
    WHO_SIGNED_HEADS = "Without the house's public key: who signed the heads."
    CLAIMED_VOUCHERS = (
        "Whether the tables that claimed {count} voucher(s) still want to redeem them:"
        " a claim is no event."
    )


class StreamFold(Protocol):
    """Folds a stream as whoever opens it does."""

    def note(
        self, row: EventRow, event: JournalEvent, snapshot: str | None
    ) -> Reason | None:
        """Fold one more event; return what is wrong with it, or None.

        `snapshot` is the stored body where the event is that one was taken.
        """


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """The result of a verification."""

    findings: tuple[Finding, ...]
    more_findings: int
    """How many there are beyond those that are listed."""
    checked: Mapping[str, int]
    """How many rows of each table were read."""
    house_head: str
    unproven: tuple[Reason, ...]
    """Claims that can't be proven from what was given."""
    proven: SignedHead | None = None
    """The latest head from outside: a clean journal is proven up to it."""
    keys: tuple[KeyUse, ...] = ()
    """Those that have signed the heads."""

    @property
    def is_clean(self) -> bool:
        return not self.findings


def verify(
    store: Store,
    *,
    outside_head: str | None = None,
    public_keys: Collection[Ed25519PublicKey] = (),
    folds: Mapping[str, StreamFold] = MappingProxyType({}),
    pause: Callable[[], None] | None = None,
) -> VerificationReport:
    """Verify a journal; raises `BadHead` where the outside head is none.

    The heads from outside are a text of one or more, one a line.
    With public keys, each head must be signed by one of them, or by one that the house
    took while such a head vouched for it: keys change over time.
    `folds` has, by stream, what must be able to fold its events. `pause` is called
    after every few events; what it raises ends the verification.
    """
    findings = Findings()
    check = JournalCheck(store, findings, outside_head, public_keys)
    ends = []
    with store.at_one_moment():
        check.begin()
        for stream in check.streams():
            part = StreamCheck(store, stream, check.heads, findings)
            fold = folds.get(stream)
            for row, event, _, snapshot in part.events():
                if row.kind.startswith("Voucher"):
                    check.vouchers.note(row, event)
                if fold is not None and not isinstance(event, UnreadableEvent):
                    _fold(fold, row, event, snapshot, findings)
                if pause is not None and row.sequence % _PAUSE_EVERY == 0:
                    pause()
            ends.append(HeadRow(stream, part.sequence, part.hash))
            check.rows.update(part.counts)
        check.end({end.stream for end in ends})
    kept = findings.kept[:MOST_KEPT]
    return VerificationReport(
        findings=tuple(kept),
        more_findings=findings.total - len(kept),
        checked={name: check.rows[name] for name in TABLES},
        house_head=house_head(ends),
        unproven=tuple(check.unproven()),
        proven=check.heads.proven,
        keys=check.heads.keys,
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


class JournalCheck:
    """The check of the journal as a whole: its pages, signed heads and vouchers.

    Between `begin` and `end`, both in one moment of the store, the streams are checked.
    """

    def __init__(
        self,
        store: Store,
        findings: Findings,
        outside_heads: str | None,
        public_keys: Collection[Ed25519PublicKey],
        heads: KnownHeads | None = None,
    ) -> None:
        """Raise `BadHead` where what is given as heads from outside is none."""
        self.heads = heads or KnownHeads()
        self.vouchers = VoucherFacts()
        self.rows: Counter[str] = Counter()
        """How many rows of each table were read."""
        self._store = store
        self._findings = findings
        self._outside: list[SignedHead] = []
        if outside_heads is not None:
            self._outside = read_heads(outside_heads)
        self._public_keys = public_keys
        self._claims = 0

    def begin(self) -> None:
        """Look for damage, and read the signed heads."""
        for line in self._store.damage():
            problem = VerificationProblem.DATABASE_DAMAGED(text=line)
            self._findings.add(Finding(FindingKind.JOURNAL_STREAMS, "", None, problem))
        published = self._cursor(PUBLISHED_HEADS)
        self.heads.read(
            published.rest(),
            self._public_keys,
            self._outside,
            self._key_history(),
            self._findings,
        )
        self.rows[PUBLISHED_HEADS.name] = published.count

    def _key_history(self) -> KeyHistory:
        """Read the house's keys; rows that can't be read are found with the others."""
        rows = self._store.rows_of(EVENTS, HOUSE_STREAM)
        return KeyHistory(RowCursor(EVENTS, rows, Findings()).rest())

    def streams(self) -> list[str]:
        """Return every stream that any table or head names."""
        found = set(self.heads.streams())
        for table in OF_STREAMS:
            try:
                found.update(self._store.streams_of(table))
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
        """Compare the vouchers, of which the streams' events have been noted."""
        stored = self._cursor(VOUCHERS)
        self._claims = compare_vouchers(
            self.vouchers, stored, streams, self._findings, judge
        )
        self.rows[VOUCHERS.name] = stored.count

    def _cursor(self, table: StoredTable) -> RowCursor:
        return RowCursor(table, self._store.rows_of(table), self._findings)

    def unproven(self) -> Iterator[Reason]:
        """Yield what can't be proven from what was given."""
        if len(self._outside) == self.heads.superseded:
            yield Unproven.NO_HEAD_FROM_OUTSIDE()
        else:
            yield Unproven.AFTER_HEAD_FROM_OUTSIDE()
        if self.heads.superseded:
            yield Unproven.BEFORE_RESTORE(count=self.heads.superseded)
        if self.heads.last is not None and not self._public_keys:
            yield Unproven.WHO_SIGNED_HEADS()
        if self._claims:
            yield Unproven.CLAIMED_VOUCHERS(count=self._claims)
