"""Heads: the hash chain of a stream, one head over all streams, and signed heads.

Laws of this file:
- the private key is never in the database: it lives in a file of its own;
- a head names the end of every stream, one hash over them all, and the published head
  before it, so that published heads form a chain of their own;
- the text has one form: a head that was changed in any byte is no head.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

import apsw
import msgspec
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization as pem
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from croupier.journal.findings import (
    Finding,
    FindingKind,
    Findings,
    VerificationProblem,
)
from croupier.journal.private_files import OWNER_ONLY
from croupier.journal.store import JournalError, Store
from croupier.journal.tables import (
    GENESIS,
    PUBLISHED_HEADS,
    STREAMS,
    EventRow,
    HeadRow,
    Row,
)
from croupier.ledger.accounts import Entry

_HASHED = EventRow._fields.index("hash")


def event_hash(
    before: str, columns: Sequence[str | int], entries: Sequence[Entry]
) -> str:
    """Hash the hash before it, every column of the event, and its entries.

    `columns` is an `EventRow`, or all of it but the hash.
    """
    # Spelled out, because a table hashes every wager: joining takes twice as long.
    stream, sequence, number, command_id, at, schema, document, terms, kind, body = (
        columns[:_HASHED]
    )
    text = (
        f"{before}\n{stream}\n{sequence}\n{number}\n{command_id}\n{at}"
        f"\n{schema}\n{document}\n{terms}\n{kind}\n{body}"
    )
    for account, cents in entries:
        text += f"\n{account} {cents}"
    return sha256(text.encode()).hexdigest()


def house_head(heads: Iterable[HeadRow]) -> str:
    """Return one hash over the ends of all streams."""
    lines = sorted(f"{head.stream} {head.sequence} {head.hash}" for head in heads)
    return sha256("\n".join(lines).encode()).hexdigest()


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


_VERSION = 1
_LARGEST_KEY = 10_000


class BadKey(JournalError):
    """The file holds no key of the kind that is needed, or can't be written."""


class BadHead(JournalError):
    """The text is no signed head, or its signature does not hold."""


class SignedHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The fields of a signed head, in the order in which they are written."""

    croupier_head: int
    """The version of this form."""
    at_ms: int
    house_head: str
    streams: tuple[HeadRow, ...]
    previous: str
    """The digest of the published head before it."""
    public_key: str
    signature: str

    @property
    def text(self) -> str:
        return msgspec.json.encode(self).decode()


_decoder = msgspec.json.Decoder(SignedHead)


def publish(store: Store, key: Ed25519PrivateKey, at_ms: int) -> str:
    """Sign the ends of all streams, keep the head in the journal, and return it.

    Its time is the one given, or that of the head before it where a clock went back.
    """
    with store.all_or_nothing():
        previous, last = GENESIS, store.last_head()
        if last is not None:
            previous, at_ms = digest(last[1]), max(at_ms, _time_of(last[1]))
        heads = [HeadRow(stream, *end) for stream, _, *end in store.rows_of(STREAMS)]
        text = sign(key, heads, previous=previous, at_ms=at_ms)
        store.load(PUBLISHED_HEADS, [(text,)])
    return text


class _Dated(msgspec.Struct):
    at_ms: int = 0


_dated_decoder = msgspec.json.Decoder(_Dated)


def _time_of(published: str) -> int:
    """Return a head's time; of a text that is no head, whose finding it is, 0."""
    try:
        return _dated_decoder.decode(published).at_ms
    except msgspec.MsgspecError:
        return 0


def sign(
    key: Ed25519PrivateKey, heads: list[HeadRow], *, previous: str, at_ms: int
) -> str:
    """Return the signed head's text: one line of JSON."""
    unsigned = SignedHead(
        croupier_head=_VERSION,
        at_ms=at_ms,
        house_head=house_head(heads),
        streams=tuple(sorted(heads)),
        previous=previous,
        public_key=fingerprint(key.public_key()),
        signature="",
    )
    signature = key.sign(unsigned.text.encode()).hex()
    return msgspec.structs.replace(unsigned, signature=signature).text


def read_head(text: str, public_keys: Collection[Ed25519PublicKey] = ()) -> SignedHead:
    """Return a head that is whole and, with keys, that one of them signed.

    Raises `BadHead`.
    """
    try:
        head = _decoder.decode(text.rstrip("\n"))
    except msgspec.MsgspecError as error:
        raise BadHead(f"this is no signed head: {error}") from error
    if head.croupier_head != _VERSION or head.text != text.rstrip("\n"):
        raise BadHead("this is no signed head in the form that croupier writes")
    if public_keys and head.public_key not in map(fingerprint, public_keys):
        raise BadHead(f"the head was signed with another key: {head.public_key}")
    if head.house_head != house_head(head.streams):
        raise BadHead("the head's streams do not give its house head")
    _check_signature(head)
    return head


def read_heads(
    text: str, public_keys: Collection[Ed25519PublicKey] = ()
) -> list[SignedHead]:
    """Return the heads of a text, one a line; raises `BadHead`."""
    heads = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            heads.append(read_head(line, public_keys))
        except BadHead as error:
            where = f"line {number}: " if len(text.splitlines()) > 1 else ""
            raise BadHead(f"{where}{error}") from error
    if not heads:
        raise BadHead("there is no signed head")
    return heads


def _check_signature(head: SignedHead) -> None:
    try:
        key = Ed25519PublicKey.from_public_bytes(bytes.fromhex(head.public_key))
        unsigned = msgspec.structs.replace(head, signature="")
        key.verify(bytes.fromhex(head.signature), unsigned.text.encode())
    except (InvalidSignature, ValueError) as error:
        raise BadHead("the head's signature does not hold") from error


def fingerprint(key: Ed25519PublicKey) -> str:
    """Return the public key itself, as 64 hexadecimal digits."""
    return key.public_bytes_raw().hex()


def make_key(path: Path) -> Ed25519PublicKey:
    """Write a new private key, readable by its owner alone; return its public key."""
    key = Ed25519PrivateKey.generate()
    text = key.private_bytes(
        pem.Encoding.PEM, pem.PrivateFormat.PKCS8, pem.NoEncryption()
    )
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
        with open(handle, "wb") as file:  # noqa: PTH123
            file.write(text)
    except FileExistsError as error:
        raise BadKey(
            f"{path} is there already, and a key is not overwritten"
        ) from error
    except OSError as error:
        raise BadKey(f"{path}: {error.strerror}") from error
    return key.public_key()


def public_pem(key: Ed25519PublicKey) -> str:
    """Return the public key as a file's text, for whoever checks heads."""
    return key.public_bytes(
        pem.Encoding.PEM, pem.PublicFormat.SubjectPublicKeyInfo
    ).decode()


def read_private_key(path: Path) -> Ed25519PrivateKey:
    """Read the key of a file; raises `BadKey`."""
    try:
        key = pem.load_pem_private_key(_key_text(path), password=None)
    except (TypeError, ValueError, UnsupportedAlgorithm) as error:
        raise BadKey(f"{path} holds no private key without a password") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise BadKey(f"{path} holds no Ed25519 key")
    return key


def read_public_key(path: Path) -> Ed25519PublicKey:
    """Read the key of a file; raises `BadKey`."""
    try:
        key = pem.load_pem_public_key(_key_text(path))
    except (ValueError, UnsupportedAlgorithm) as error:
        raise BadKey(f"{path} holds no public key") from error
    if not isinstance(key, Ed25519PublicKey):
        raise BadKey(f"{path} holds no Ed25519 key")
    return key


def _key_text(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_LARGEST_KEY)
    except OSError as error:
        raise BadKey(f"{path}: {error.strerror}") from error


OUTSIDE = "the head from outside"


class KnownHeads:
    """The ends of streams that signed heads vouch for, on disk, in order."""

    def __init__(self, path: str = "") -> None:
        """Open the file, which several processes may read; by default a temporary."""
        self.last: SignedHead | None = None
        """The latest head of all."""
        self.proven: SignedHead | None = None
        """The latest head from outside: up to it the journal is proven, if clean."""
        self._ends = apsw.Connection(path)
        self._ends.execute(
            "CREATE TABLE IF NOT EXISTS ends (stream, sequence, hash, source)"
        )

    def read(
        self,
        published: Iterable[Row],
        public_keys: Collection[Ed25519PublicKey],
        outside: Sequence[SignedHead],
        findings: Findings,
    ) -> None:
        """Read the published heads and those from outside.

        Each published one must be whole and follow the one before it, and the outside
        ones must be among them.
        """
        with self._ends:
            for head in outside:
                self._add(head, OUTSIDE)
            self.proven = self.last
            self._read_published(published, public_keys, outside, findings)
            self._ends.execute("CREATE INDEX by_stream ON ends (stream, sequence)")

    def _read_published(
        self,
        published: Iterable[Row],
        public_keys: Collection[Ed25519PublicKey],
        outside: Sequence[SignedHead],
        findings: Findings,
    ) -> None:
        kind = FindingKind.JOURNAL_PUBLISHED_HEADS
        before, missing = GENESIS, {head.text for head in outside}
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
            missing.discard(text)
        for _ in missing:
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
