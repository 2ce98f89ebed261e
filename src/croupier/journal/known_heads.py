"""Heads that vouch for a journal: published ones, those from outside, and their keys.

Laws of this file:
- a key is trusted because whoever verifies has named it, or because a head of a trusted
  key covers the event by which the house took it;
- a head of a revoked key is no proof once the revocation was covered by a head before
  it, or by itself;
- a head from before a restore proves nothing of what came after: only if it is among
  the published ones is it compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, unique

import apsw
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.journal.events.codec import UnreadableEvent, decode
from croupier.journal.events.house import (
    HouseRestored,
    SigningKeyRevoked,
    SigningKeySet,
)
from croupier.journal.findings import (
    Finding,
    FindingKind,
    Findings,
    HeadSource,
    VerificationProblem,
)
from croupier.journal.heads import BadHead, SignedHead, digest, read_head
from croupier.journal.signing_keys import fingerprint, key_id
from croupier.journal.tables import GENESIS, EventRow, Row
from croupier.rules.reasons import Reason

_NOTED = frozenset(
    each.__name__ for each in (SigningKeySet, SigningKeyRevoked, HouseRestored)
)


@unique
class KeyState(Enum):
    """The state of a key by the house's own events."""

    IN_USE = "in use"
    REPLACED = "replaced"
    REVOKED = "revoked"
    UNRECORDED = "not recorded"
    """It signed before the house recorded its keys, or by hand."""


@dataclass(frozen=True, slots=True)
class KeyUse:
    """A key that has signed heads."""

    id: str
    public_key: str
    state: KeyState
    heads: int


class KeyHistory:
    """The keys that a house has taken and revoked, and its former incarnations."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        """Read the rows of the house's events."""
        self._taken: dict[str, int] = {}
        """By public key, the event by which it was first taken."""
        self._revoked: dict[str, int] = {}
        """By id, the event by which it was revoked."""
        self._current: str | None = None
        self.former: frozenset[str] = frozenset()
        """The incarnations before the last restore."""
        for values in rows:
            row = EventRow._make(values)
            if row.kind in _NOTED:
                with suppress(UnreadableEvent):  # which is a finding of its own
                    self._note(row)

    def _note(self, row: EventRow) -> None:
        event = decode(row.schema, row.kind, row.body)
        if isinstance(event, SigningKeySet):
            self._taken.setdefault(event.public_key, row.sequence)
            self._current = event.public_key
        elif isinstance(event, SigningKeyRevoked):
            self._revoked.setdefault(event.key, row.sequence)
        elif isinstance(event, HouseRestored):
            self.former = frozenset(event.former)

    def taken_until(self, sequence: int) -> set[str]:
        return {key for key, place in self._taken.items() if place <= sequence}

    def is_revoked(self, public_key: str, sequence: int) -> bool:
        """Return whether the key was revoked by that event of the house's stream."""
        revoked = self._revoked.get(key_id(public_key))
        return revoked is not None and revoked <= sequence

    def state_of(self, public_key: str) -> KeyState:
        if key_id(public_key) in self._revoked:
            return KeyState.REVOKED
        if public_key == self._current:
            return KeyState.IN_USE
        is_taken = public_key in self._taken
        return KeyState.REPLACED if is_taken else KeyState.UNRECORDED


class _Trust:
    """Judges who signed, head by head in the order in which they were published."""

    def __init__(
        self, history: KeyHistory, public_keys: Collection[Ed25519PublicKey]
    ) -> None:
        self._history = history
        self._trusted = set(map(fingerprint, public_keys)) or None
        """None: nobody has named a key, and all are taken."""
        self._covered = 0
        """The last event of the house's stream that a head so far vouches for."""

    def problem_of(self, head: SignedHead) -> Reason | None:
        """Return why the head proves nothing, or None."""
        key, covered = head.public_key, max(self._covered, head.house_end)
        if self._history.is_revoked(key, covered):
            return VerificationProblem.HEAD_KEY_REVOKED(key=key_id(key))
        if not self.is_trusted(key):
            return VerificationProblem.HEAD_OTHER_KEY(key=key_id(key))
        self._covered = covered
        if self._trusted is not None:
            self._trusted |= self._history.taken_until(covered)
        return None

    def is_trusted(self, public_key: str) -> bool:
        return self._trusted is None or public_key in self._trusted


class KnownHeads:
    """The ends of streams that signed heads vouch for, on disk, in order."""

    def __init__(self, path: str = "") -> None:
        """Open the file, which several processes may read; by default a temporary."""
        self.last: SignedHead | None = None
        """The latest head of all."""
        self.proven: SignedHead | None = None
        """The latest head from outside: up to it the journal is proven, if clean."""
        self.keys: tuple[KeyUse, ...] = ()
        """Those that have signed the heads."""
        self.superseded = 0
        """How many heads from outside a restore has left without meaning."""
        self._signed: Counter[str] = Counter()
        self._ends = apsw.Connection(path)
        self._ends.execute(
            "CREATE TABLE IF NOT EXISTS ends (stream, sequence, hash, published)"
        )

    def read(
        self,
        published: Iterable[Row],
        public_keys: Collection[Ed25519PublicKey],
        outside: Sequence[SignedHead],
        history: KeyHistory,
        findings: Findings,
    ) -> None:
        """Read the published heads and those from outside.

        Each published one must be whole, signed by a key to be trusted, and follow the
        one before it, and the outside ones must be among them. Raises `BadHead` where
        one from outside was signed with another key.
        """
        trust = _Trust(history, public_keys)
        with self._ends:
            proofs = self._read_published(published, trust, findings)
            compared = [
                head
                for head in outside
                if head.incarnation not in history.former or digest(head.text) in proofs
            ]
            for head in compared:
                self._add(head, None)
            self._ends.execute("CREATE INDEX by_stream ON ends (stream, sequence)")
        self.superseded = len(outside) - len(compared)
        for head in compared:
            self._judge_outside(head, proofs, trust, findings)
        self.keys = tuple(
            KeyUse(key_id(key), key, history.state_of(key), count)
            for key, count in self._signed.items()
        )

    def _read_published(
        self, published: Iterable[Row], trust: _Trust, findings: Findings
    ) -> dict[str, bool]:
        """Return the digest of each that is whole, and whether it is a proof."""
        kind = FindingKind.JOURNAL_PUBLISHED_HEADS
        before, proofs = GENESIS, {}
        for number, text in published:
            itself = digest(text)
            try:
                head = read_head(text)
            except BadHead as error:
                problem = VerificationProblem.ROW_UNREADABLE(text=str(error))
                findings.add(Finding(kind, "", number, problem))
            else:
                self._signed[head.public_key] += 1
                against = trust.problem_of(head)
                if against is not None:
                    findings.add(Finding(kind, "", number, against))
                if head.previous != before:
                    problem = VerificationProblem.HEAD_OUT_OF_ORDER()
                    findings.add(Finding(kind, "", number, problem))
                self._add(head, number)
                proofs[itself] = against is None
            before = itself
        return proofs

    def _judge_outside(
        self,
        head: SignedHead,
        proofs: dict[str, bool],
        trust: _Trust,
        findings: Findings,
    ) -> None:
        """Take a head from outside as a proof, if it is one."""
        is_proof = proofs.get(digest(head.text))
        if is_proof is None:
            source = HeadSource.HEAD_FROM_OUTSIDE()
            problem = VerificationProblem.HEAD_NOT_PUBLISHED(source=source)
            kind = FindingKind.JOURNAL_PUBLISHED_HEADS
            findings.add(Finding(kind, "", None, problem))
            is_proof = trust.problem_of(head) is None
        if not trust.is_trusted(head.public_key):
            raise BadHead(f"the head was signed with another key: {head.public_key}")
        if is_proof and (self.proven is None or head.at_ms >= self.proven.at_ms):
            self.proven = head

    def _add(self, head: SignedHead, published: int | None) -> None:
        ends = ((*end, published) for end in head.streams)
        self._ends.executemany("INSERT INTO ends VALUES (?,?,?,?)", ends)
        if self.last is None or head.at_ms >= self.last.at_ms:
            self.last = head

    def streams(self) -> Iterator[str]:
        """Return every stream that a head names."""
        rows = self._ends.execute("SELECT DISTINCT stream FROM ends")
        return (stream for (stream,) in rows)

    def ends_of(self, stream: str) -> Iterator[Row]:
        """Return stream, sequence, hash and head of each known end, in order.

        A head is the number of a published one, or None for one from outside.
        """
        sql = "SELECT * FROM ends WHERE stream = ? ORDER BY sequence, rowid"
        return iter(self._ends.execute(sql, (stream,)))


def compare_ends(
    ends: Iterator[Row], sequence: int, hash_there: str | None, findings: Findings
) -> None:
    """Compare known ends up to an event with it; None: the stream ends before."""
    for stream, number, known, published in ends:
        there = GENESIS if number == 0 else hash_there if number == sequence else None
        if there is None:
            problem = VerificationProblem.HEAD_EVENT_MISSING(source=_source(published))
        elif there != known:
            problem = VerificationProblem.HEAD_OTHER_HASH(source=_source(published))
        else:
            continue
        findings.add(Finding(FindingKind.JOURNAL_EVENTS, stream, number, problem))


def _source(published: int | None) -> Reason:
    if published is None:
        return HeadSource.HEAD_FROM_OUTSIDE()
    return HeadSource.PUBLISHED_HEAD(number=published)
