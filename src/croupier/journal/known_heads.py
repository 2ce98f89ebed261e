"""Heads that were signed, held against the streams that they name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

import apsw
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.journal.chain import digest
from croupier.journal.findings import Findings, RowCursor
from croupier.journal.signed_heads import BadHead, SignedHead, read_head
from croupier.journal.tables import EVENTS, GENESIS, PUBLISHED_HEADS, Row

OUTSIDE = "the head from outside"


class KnownHeads:
    """The ends of streams that signed heads vouch for, on disk, in order."""

    def __init__(self, findings: Findings) -> None:
        self.last: SignedHead | None = None
        """The latest head of all."""
        self._findings = findings
        self._ends = apsw.Connection("")
        self._ends.execute("CREATE TABLE ends (stream, sequence, hash, source)")
        self._ends.execute("BEGIN")

    def read_published(
        self,
        rows: Iterable[Row],
        public_keys: Collection[Ed25519PublicKey],
        outside: SignedHead | None,
    ) -> None:
        """Each must be whole and follow the one before it; the outside one is there."""
        before, is_there = GENESIS, outside is None
        for number, text in rows:
            try:
                head = read_head(text, public_keys)
            except BadHead as error:
                self._findings.add(PUBLISHED_HEADS, "", number, str(error))
            else:
                if head.previous != before:
                    problem = "it does not follow the published head before it"
                    self._findings.add(PUBLISHED_HEADS, "", number, problem)
                self.add(head, f"published head {number}")
            before = digest(text)
            is_there = is_there or (outside is not None and outside.text == text)
        if not is_there:
            problem = f"{OUTSIDE} is not among the published ones"
            self._findings.add(PUBLISHED_HEADS, "", None, problem)

    def add(self, head: SignedHead, source: str) -> None:
        ends = ((*end, source) for end in head.streams)
        self._ends.executemany("INSERT INTO ends VALUES (?,?,?,?)", ends)
        if self.last is None or head.at_ms >= self.last.at_ms:
            self.last = head

    def ends(self) -> RowCursor:
        """Stream, sequence, hash and source of every known end."""
        sql = "SELECT * FROM ends ORDER BY stream, sequence"
        return RowCursor(EVENTS, iter(self._ends.execute(sql)), self._findings)


def compare_ends(
    ends: Iterator[Row], sequence: int, hash_there: str | None, findings: Findings
) -> None:
    """Known ends up to an event, against the event; None: the stream ends before."""
    for stream, number, known, source in ends:
        there = GENESIS if number == 0 else hash_there if number == sequence else None
        if there is None:
            problem = f"{source} names this event, and it is not there"
            findings.add(EVENTS, stream, number, problem)
        elif there != known:
            problem = f"{source} knows it with another hash"
            findings.add(EVENTS, stream, number, problem)
