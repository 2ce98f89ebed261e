"""Signed heads: what a journal ended with, in a text that only the key can make.

Laws of this file:
- the private key is never in the database: it lives in a file of its own;
- a head names the end of every stream, one hash over them all, and the published head
  before it, so that published heads form a chain of their own;
- the text has one form: a head that was changed in any byte is no head.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

import msgspec
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization as pem
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from croupier.journal.chain import digest, house_head
from croupier.journal.store import JournalError, Store
from croupier.journal.tables import GENESIS, PUBLISHED_HEADS, STREAMS, HeadRow

_VERSION = 1
_READ_BY_OWNER = 0o600
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
    """Sign the ends of all streams, keep the head in the journal, and return it."""
    with store.all_or_nothing():
        previous = GENESIS
        for _, published in store.rows_of(PUBLISHED_HEADS):
            previous = digest(published)
        heads = [HeadRow(stream, *end) for stream, _, *end in store.rows_of(STREAMS)]
        text = sign(key, heads, previous=previous, at_ms=at_ms)
        store.load(PUBLISHED_HEADS, [(text,)])
    return text


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
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _READ_BY_OWNER)
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
