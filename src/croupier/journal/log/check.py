"""The check of a log: its tree, its checkpoints, those from outside, and their keys.

Laws of this file:
- every checkpoint has the root of the log's entries up to its size, and no two of them
  contradict each other;
- a key is trusted because the caller has named it, or because a checkpoint of a trusted
  key covers the event by which the house took it;
- a checkpoint of a revoked key proves nothing if it covers the revocation, or if an
  earlier checkpoint does;
- a checkpoint from before a restore proves nothing about the time after it: it is
  compared only if it is among the stored ones.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, unique
from typing import TYPE_CHECKING

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from croupier.journal.events.codec import UnreadableEvent, decode
from croupier.journal.events.house import (
    HouseRestored,
    SigningKeyRevoked,
    SigningKeySet,
)
from croupier.journal.findings import (
    CheckpointSource,
    Finding,
    FindingKind,
    Findings,
    VerificationProblem,
)
from croupier.journal.log.entries import NO_STREAM, StreamEnds, read_ends
from croupier.journal.log.notes import BadNote, Checkpoint, Note, log_key, read_notes
from croupier.journal.log.tree import Frontier, leaf_hash
from croupier.journal.signing_keys import fingerprint, key_id
from croupier.journal.store import HOUSE_STREAM, JournalError, ServerAway, Store
from croupier.journal.tables import GENESIS, EventRow, HeadRow, LogRow, Row
from croupier.rules.reasons import Reason

if TYPE_CHECKING:
    from croupier.journal.stream_check import RowCursor

KEY_KINDS = ("SigningKeySet", "SigningKeyRevoked", "HouseRestored")
"""The kinds of events that a history of keys is read from."""


@unique
class KeyState(Enum):
    """The state of a key by the house's own events."""

    IN_USE = "in use"
    REPLACED = "replaced"
    REVOKED = "revoked"
    UNRECORDED = "not recorded"
    """The key signed before the house recorded its keys, or by hand."""


@dataclass(frozen=True, slots=True)
class KeyUse:
    """A key that has signed checkpoints."""

    id: str
    public_key: str
    state: KeyState
    checkpoints: int


class BadCheckpoint(JournalError):
    """The text from outside is no set of checkpoints that the house signed."""


def read_checkpoints(text: str) -> list[Note]:
    """Return the checkpoints of a text, in order; raises `BadCheckpoint`."""
    try:
        return [_of_checkpoint(note) for note in read_notes(text)]
    except BadNote as error:
        raise BadCheckpoint(f"this is no checkpoint of a log: {error}") from error


def _of_checkpoint(note: Note) -> Note:
    """Return a note; raises `BadNote` if its text is no checkpoint."""
    Checkpoint.read(note.text)
    return note


@dataclass(frozen=True, slots=True)
class ProvenEnds:
    """The latest checkpoint from outside that holds, and the ends that it covers."""

    size: int
    key: str
    """The id of the key that signed it."""
    ends: StreamEnds | None


class HouseKeys:
    """The keys of a house, and the trust in them while checkpoints are judged.

    Checkpoints are judged in the order of their sizes.
    """

    def __init__(
        self, rows: Iterable[Row], public_keys: Collection[Ed25519PublicKey]
    ) -> None:
        """Read rows of the house's events of the kinds in `KEY_KINDS`."""
        self.former: frozenset[str] = frozenset()
        """The incarnations before the last restore."""
        self._taken: dict[str, int] = {}
        """The event by which the house first took each public key."""
        self._revoked: dict[str, int] = {}
        """The event by which each key was revoked, by the key's id."""
        self._current: str | None = None
        self._named = list(map(fingerprint, public_keys))
        self._trusted = set(self._named) or None
        """None: the caller has named no key, and every key is trusted."""
        self._covered = 0
        """The last event of the house's stream that a checkpoint so far covers."""
        for values in rows:
            with suppress(UnreadableEvent):  # the stream's check finds it
                self._note(EventRow._make(values))

    def _note(self, row: EventRow) -> None:
        event = decode(row.schema, row.kind, row.body)
        if isinstance(event, SigningKeySet):
            self._taken.setdefault(event.public_key, row.sequence)
            self._current = event.public_key
        elif isinstance(event, SigningKeyRevoked):
            self._revoked.setdefault(event.key, row.sequence)
        elif isinstance(event, HouseRestored):
            self.former = frozenset(event.former)

    def state_of(self, public_key: str) -> KeyState:
        if key_id(public_key) in self._revoked:
            return KeyState.REVOKED
        if public_key == self._current:
            return KeyState.IN_USE
        is_taken = public_key in self._taken
        return KeyState.REPLACED if is_taken else KeyState.UNRECORDED

    def signer_of(self, signed: Note, last: StreamEnds | None) -> str | None:
        """Return the known public key that signed; None if no known key did."""
        for public_key in self._known(last):
            with suppress(ValueError):
                if log_key(signed.checkpoint.origin, public_key).has_signed(signed):
                    return public_key
        return None

    def _known(self, last: StreamEnds | None) -> Collection[str]:
        """Return every public key that is known, each once."""
        ends = [] if last is None else [last.key]
        return dict.fromkeys((*ends, *self._named, *self._taken))

    def problem_of(self, signer: str | None, last: StreamEnds | None) -> Reason | None:
        """Return why a checkpoint proves nothing, or None."""
        if signer is None:  # a house that has recorded no key may sign with any
            unknown = VerificationProblem.CHECKPOINT_UNKNOWN_KEY()
            return unknown if self._known(last) else None
        covered = max(self._covered, 0 if last is None else _house_end(last))
        revoked = self._revoked.get(key_id(signer))
        if revoked is not None and revoked <= covered:
            return VerificationProblem.CHECKPOINT_KEY_REVOKED(key=key_id(signer))
        if not self.takes(signer):
            return VerificationProblem.CHECKPOINT_OTHER_KEY(key=key_id(signer))
        self._covered = covered
        if self._trusted is not None:
            self._trusted |= {k for k, at in self._taken.items() if at <= covered}
        return None

    def takes(self, signer: str | None) -> bool:
        """Return whether the signer is trusted, or the caller has named no key."""
        return self._trusted is None or signer in self._trusted


def _house_end(ends: StreamEnds) -> int:
    found = [end.sequence for end in ends.streams if end.stream == HOUSE_STREAM]
    return max(found, default=0)


class LogCheck:
    """Reads the log in its order, and compares each checkpoint with its tree."""

    def __init__(
        self, store: Store, findings: Findings, outside: Iterable[Note]
    ) -> None:
        self.ends: dict[str, HeadRow] = {}
        """The end of each stream that the log named last."""
        self.proven: ProvenEnds | None = None
        self.keys: tuple[KeyUse, ...] = ()
        """The keys that signed the checkpoints."""
        self.superseded = 0
        """The count of checkpoints from outside that a restore has made void."""
        self.ends_entries = 0
        self._store, self._findings = store, findings
        self._outside = sorted(outside, key=lambda each: each.checkpoint.size)
        self._frontier = Frontier()
        self._last: StreamEnds | None = None
        self._last_size = 0
        """The size of the largest stored checkpoint so far."""
        self._signed: Counter[str] = Counter()
        self._proofs: dict[str, bool] = {}
        """True for each stored checkpoint that is a proof, by its text."""
        self._late: list[tuple[Note, StreamEnds | None, bool]] = []
        """Checkpoints from outside, the ends there, and whether the root matches."""

    def read(
        self,
        entries: Iterable[LogRow],
        stored: RowCursor,
        keys: HouseKeys,
    ) -> None:
        """Read the log; raises `BadCheckpoint` if one has another key."""
        self._judge_up_to(0, stored, keys)
        for row in entries:
            self._add(row)
            self._judge_up_to(self._frontier.size, stored, keys)
            if row.stream == NO_STREAM and not (self._last and self._last.more):
                self._expect_signed(row.leaf)
        self._judge_rest(stored)
        self._late += [(each, None, False) for each in self._outside]
        for each, ends, holds in self._late:
            is_former = each.checkpoint.incarnation in keys.former
            if is_former and each.text not in self._proofs:
                self.superseded += 1
            else:
                self._judge_outside(each, ends, keys, holds=holds)
        self.keys = tuple(
            KeyUse(key_id(key), key, keys.state_of(key), count)
            for key, count in self._signed.items()
        )

    def _add(self, row: LogRow) -> None:
        size = self._frontier.size
        if row.leaf != size:
            problem = VerificationProblem.LOG_PLACE(leaf=row.leaf, expected=size)
            self._found_entry(problem, row.sequence, row.stream)
        self._frontier.append(leaf_hash(row.entry.encode()))
        if row.stream != NO_STREAM:
            return
        self.ends_entries += 1
        ends = read_ends(row.entry)
        if ends is None or row.sequence != row.leaf or row.salt:
            self._found_entry(VerificationProblem.LOG_ENDS_UNREADABLE(), row.leaf)
            return
        new = [end for end in ends.streams if end != self.ends.get(end.stream)]
        compare_ends(self._store, row.leaf, new, self._findings)
        self.ends.update((end.stream, end) for end in new)
        self._last = ends

    def _judge_up_to(self, size: int, stored: RowCursor, keys: HouseKeys) -> None:
        """Judge the checkpoints of that size: stored ones, then those from outside."""
        while stored.next is not None:
            number, text = stored.next
            signed = self._parsed(number, text)
            if signed is not None and signed.checkpoint.size > size:
                break
            stored.take()
            if signed is not None:
                self._judge_stored(number, signed, keys)
        while self._outside and self._outside[0].checkpoint.size <= size:
            each = self._outside.pop(0)
            holds = each.checkpoint.root == self._frontier.root
            self._late.append((each, self._last, holds))

    def _expect_signed(self, leaf: int) -> None:
        """Report an entry of ends if no stored checkpoint was signed right after it."""
        if self._last_size != self._frontier.size:
            self._found_entry(VerificationProblem.LOG_ENDS_UNSIGNED(), leaf)

    def _judge_rest(self, stored: RowCursor) -> None:
        """Report the remaining checkpoints, which name more entries than there are."""
        for number, text in stored.rest():
            signed = self._parsed(number, text)
            if signed is not None:
                self._found(self._beyond(CheckpointSource.STORED(), signed), number)

    def _beyond(self, source: Reason, signed: Note) -> Reason:
        size, count = signed.checkpoint.size, self._frontier.size
        return VerificationProblem.CHECKPOINT_BEYOND(
            source=source, size=size, count=count
        )

    def _parsed(self, number: int, text: str) -> Note | None:
        try:
            return _of_checkpoint(Note.read(text))
        except BadNote as error:
            self._found(VerificationProblem.ROW_UNREADABLE(text=str(error)), number)
            return None

    def _judge_stored(self, number: int, signed: Note, keys: HouseKeys) -> None:
        checkpoint = signed.checkpoint
        signer = keys.signer_of(signed, self._last)
        if signer is not None:
            self._signed[signer] += 1
        problem = keys.problem_of(signer, self._last)
        if problem is not None:
            self._found(problem, number)
        if checkpoint.size <= self._last_size:
            self._found(VerificationProblem.CHECKPOINT_OUT_OF_ORDER(), number)
        here = self._frontier.size, self._frontier.root
        holds = (checkpoint.size, checkpoint.root) == here
        if not holds:
            source = CheckpointSource.STORED()
            other = VerificationProblem.CHECKPOINT_OTHER_ROOT
            self._found(other(source=source, size=checkpoint.size), number)
        self._last_size = max(checkpoint.size, self._last_size)
        self._proofs[signed.text] = holds and problem is None

    def _judge_outside(
        self, signed: Note, ends: StreamEnds | None, keys: HouseKeys, *, holds: bool
    ) -> None:
        """Take a checkpoint from outside as a proof, if it is one."""
        size = signed.checkpoint.size
        signer = keys.signer_of(signed, ends or self._last)
        if not keys.takes(signer):
            name = signed.signatures[0]
            raise BadCheckpoint(
                f"the checkpoint was signed with another key: {name.name}"
                f"+{name.key_id.hex()}"
            )
        source = CheckpointSource.FROM_OUTSIDE()
        if size > self._frontier.size:
            self._found(self._beyond(source, signed))
        elif not holds:
            other = VerificationProblem.CHECKPOINT_OTHER_ROOT(source=source, size=size)
            self._found(other)
        is_proof = self._proofs.get(signed.text)
        if is_proof is None:
            self._found(VerificationProblem.CHECKPOINT_NOT_STORED(source=source))
            against = keys.problem_of(signer, ends)
            is_proof = holds and signer is not None and against is None
        is_latest = self.proven is None or size >= self.proven.size
        if signer is not None and is_proof and is_latest:
            self.proven = ProvenEnds(size, key_id(signer), ends)

    def _found(self, problem: Reason, number: int | None = None) -> None:
        kind = FindingKind.JOURNAL_CHECKPOINTS
        self._findings.add(Finding(kind, "", number, problem))

    def _found_entry(self, problem: Reason, number: int, stream: str = "") -> None:
        kind = FindingKind.JOURNAL_LOG_ENTRIES
        self._findings.add(Finding(kind, stream, number, problem))


def compare_ends(
    store: Store, leaf: int, ends: Sequence[HeadRow], findings: Findings
) -> None:
    """Compare the ends that an entry of the log names with the events there."""
    kind = FindingKind.JOURNAL_EVENTS
    try:
        found = store.hashes_at(ends)
    except ServerAway:
        raise
    except JournalError as error:
        problem = VerificationProblem.ROW_UNREADABLE(text=str(error))
        findings.add(Finding(kind, "", None, problem))
        return
    for stream, number, known in ends:
        there = found.get((stream, number)) if number else GENESIS
        if there is None:
            problem = VerificationProblem.LOG_EVENT_MISSING(leaf=leaf)
        elif there != known:
            problem = VerificationProblem.LOG_OTHER_HASH(leaf=leaf)
        else:
            continue
        findings.add(Finding(kind, stream, number, problem))
