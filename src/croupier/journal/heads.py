"""Heads: the hash chain of a stream, one head over all streams, and signed heads.

Laws of this file:
- a head names the end of every stream, one hash over them all, and the published head
  before it, so that published heads form a chain of their own;
- the text has one form: a head that was changed in any byte is no head.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from croupier.journal.signing_keys import fingerprint, key_id
from croupier.journal.store import HOUSE_STREAM, JournalError, Store
from croupier.journal.tables import (
    GENESIS,
    PUBLISHED_HEADS,
    STREAMS,
    EventRow,
    HeadRow,
)
from croupier.ledger.accounts import Account, Entry

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


def balances_digest(balances: Mapping[Account, int]) -> str:
    """Return one hash over the accounts that are not empty, and what each holds."""
    lines = sorted(f"{account} {cents}" for account, cents in balances.items() if cents)
    return digest("\n".join(lines))


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()


_VERSION = 1


class BadHead(JournalError):
    """The text is no signed head, or its signature does not hold."""


class SignedHead(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The fields of a signed head, in the order in which they are written."""

    croupier_head: int
    """The version of this form."""
    at_ms: int
    house_head: str
    streams: tuple[HeadRow, ...]
    incarnation: str
    """Of the house: each restore begins one, and the first has none."""
    timeline: int
    """Of the PostgreSQL server: each promotion begins one; 0 on SQLite."""
    previous: str
    """The digest of the published head before it."""
    key: str
    """The id of the key that signed it."""
    public_key: str
    signature: str

    @property
    def text(self) -> str:
        return msgspec.json.encode(self).decode()

    @property
    def house_end(self) -> int:
        """The last event of the house's own stream that it vouches for."""
        ends = [end.sequence for end in self.streams if end.stream == HOUSE_STREAM]
        return max(ends, default=0)

    @property
    def is_of_known_form(self) -> bool:
        return self.croupier_head == _VERSION and self.key == key_id(self.public_key)


_decoder = msgspec.json.Decoder(SignedHead)


def publish(store: Store, key: Ed25519PrivateKey, at_ms: int, incarnation: str) -> str:
    """Sign the ends of all streams, keep the head in the journal, and return it.

    Its time is the one given, or that of the head before it where a clock went back.
    """
    with store.all_or_nothing():
        previous, last = GENESIS, store.last_head()
        if last is not None:
            previous, at_ms = digest(last[1]), max(at_ms, _time_of(last[1]))
        heads = [HeadRow(stream, *end) for stream, _, *end in store.rows_of(STREAMS)]
        text = sign(
            key,
            heads,
            previous=previous,
            at_ms=at_ms,
            incarnation=incarnation,
            timeline=store.timeline,
        )
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
    key: Ed25519PrivateKey,
    heads: list[HeadRow],
    *,
    previous: str,
    at_ms: int,
    incarnation: str = "",
    timeline: int = 0,
) -> str:
    """Return the signed head's text: one line of JSON."""
    public_key = fingerprint(key.public_key())
    unsigned = SignedHead(
        croupier_head=_VERSION,
        at_ms=at_ms,
        house_head=house_head(heads),
        streams=tuple(sorted(heads)),
        incarnation=incarnation,
        timeline=timeline,
        previous=previous,
        key=key_id(public_key),
        public_key=public_key,
        signature="",
    )
    signature = key.sign(unsigned.text.encode()).hex()
    return msgspec.structs.replace(unsigned, signature=signature).text


def read_head(text: str) -> SignedHead:
    """Return a head that is whole, and signed by the key it names; raises `BadHead`."""
    try:
        head = _decoder.decode(text.rstrip("\n"))
    except msgspec.MsgspecError as error:
        raise BadHead(f"this is no signed head: {error}") from error
    if not head.is_of_known_form or head.text != text.rstrip("\n"):
        raise BadHead("this is no signed head in the form that croupier writes")
    if head.house_head != house_head(head.streams):
        raise BadHead("the head's streams do not give its house head")
    _check_signature(head)
    return head


def read_heads(text: str) -> list[SignedHead]:
    """Return the heads of a text, one a line; raises `BadHead`."""
    heads = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            heads.append(read_head(line))
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
        signature = bytes.fromhex(head.signature)
        key.verify(signature, unsigned.text.encode())
    except (InvalidSignature, ValueError) as error:
        raise BadHead("the head's signature does not hold") from error
    if signature.hex() != head.signature:
        raise BadHead("the head's signature is not written in lower case")
