"""The keys that sign heads: their files, and their ids.

The private key is never in the database: it lives in a file of its own.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization as pem
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from croupier.journal.private_files import OWNER_ONLY
from croupier.journal.store import JournalError

_LARGEST_KEY = 10_000
_ID_DIGITS = 16


class BadKey(JournalError):
    """The file holds no key of the kind that is needed, or can't be written."""


def key_id(public_key: str) -> str:
    """Return the short name of a public key, which is given as its fingerprint."""
    return sha256(public_key.encode()).hexdigest()[:_ID_DIGITS]


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
