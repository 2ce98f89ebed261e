"""Heads that were signed, compared with the streams that they name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import apsw
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.journal.chain import digest
from croupier.journal.findings import (
    Finding,
    FindingKind,
    Findings,
    VerificationProblem,
)
from croupier.journal.signed_heads import BadHead, SignedHead, read_head
from croupier.journal.tables import GENESIS, Row

OUTSIDE = "the head from outside"


class KnownHeads:
    """The ends of streams that signed heads vouch for, on disk, in order."""

    def __init__(self, path: str = "") -> None:
        """Open the file, which several processes may read; by default a temporary."""
        self.last: SignedHead | None = None
        """The latest head of all."""
        self._ends = apsw.Connection(path)
        self._ends.execute(
            "CREATE TABLE IF NOT EXISTS ends (stream, sequence, hash, source)"
        )

    def read(
        self,
        published: Iterable[Row],
        public_keys: Collection[Ed25519PublicKey],
        outside: SignedHead | None,
        findings: Findings,
    ) -> None:
        """Read the published heads and the one from outside.

        Each published one must be whole and follow the one before it, and the outside
        one must be among them.
        """
        with self._ends:
            if outside is not None:
                self._add(outside, OUTSIDE)
            self._read_published(published, public_keys, outside, findings)
            self._ends.execute("CREATE INDEX by_stream ON ends (stream, sequence)")

    def _read_published(
        self,
        published: Iterable[Row],
        public_keys: Collection[Ed25519PublicKey],
        outside: SignedHead | None,
        findings: Findings,
    ) -> None:
        kind = FindingKind.JOURNAL_PUBLISHED_HEADS
        before, is_there = GENESIS, outside is None
        for number, text in published:
            try:
                head = read_head(text, public_keys)
            except BadHead as error:
                problem = VerificationProblem.ROW_UNREADABLE(text=str(error))
                findings.add(Finding(kind, "", number, problem))
            else:
                if head.previous != before:
                    problem = VerificationProblem.HEAD_OUT_OF_ORDER()
                    findings.add(Finding(kind, "", number, problem))
                self._add(head, f"published head {number}")
            before = digest(text)
            is_there = is_there or (outside is not None and outside.text == text)
        if not is_there:
            problem = VerificationProblem.HEAD_NOT_PUBLISHED(source=OUTSIDE)
            findings.add(Finding(kind, "", None, problem))

    def _add(self, head: SignedHead, source: str) -> None:
        ends = ((*end, source) for end in head.streams)
        self._ends.executemany("INSERT INTO ends VALUES (?,?,?,?)", ends)
        if self.last is None or head.at_ms >= self.last.at_ms:
            self.last = head

    def streams(self) -> Iterator[str]:
        """Return every stream that a head names."""
        rows = self._ends.execute("SELECT DISTINCT stream FROM ends")
        return (stream for (stream,) in rows)

    def ends_of(self, stream: str) -> Iterator[Row]:
        """Return stream, sequence, hash and source of each known end, in order."""
        sql = "SELECT * FROM ends WHERE stream = ? ORDER BY sequence, rowid"
        return iter(self._ends.execute(sql, (stream,)))


def compare_ends(
    ends: Iterator[Row], sequence: int, hash_there: str | None, findings: Findings
) -> None:
    """Compare known ends up to an event with it; None: the stream ends before."""
    for stream, number, known, source in ends:
        there = GENESIS if number == 0 else hash_there if number == sequence else None
        if there is None:
            problem = VerificationProblem.HEAD_EVENT_MISSING(source=source)
        elif there != known:
            problem = VerificationProblem.HEAD_OTHER_HASH(source=source)
        else:
            continue
        findings.add(Finding(FindingKind.JOURNAL_EVENTS, stream, number, problem))
