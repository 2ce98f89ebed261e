"""The keys that sign checkpoints: their files, and their ids.

The private key is never in the database: it lives in a file of its own.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from croupier.journal.private_files import BadKey, read_key, write_key

_ID_DIGITS = 16


def key_id(public_key: str) -> str:
    """Return 16 digits of the SHA-256 of a key's fingerprint."""
    return sha256(public_key.encode()).hexdigest()[:_ID_DIGITS]


def fingerprint(key: Ed25519PublicKey) -> str:
    """Return the whole public key as 64 hexadecimal digits."""
    return key.public_bytes_raw().hex()


def make_key(path: Path) -> Ed25519PublicKey:
    """Write a new private key that only its owner reads; return its public key."""
    key = Ed25519PrivateKey.generate()
    text = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    write_key(path, text)
    return key.public_key()


def public_pem(key: Ed25519PublicKey) -> str:
    return key.public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    ).decode()


def read_private_key(path: Path) -> Ed25519PrivateKey:
    """Read the key of a file; raises `BadKey`."""
    try:
        key = serialization.load_pem_private_key(read_key(path), password=None)
    except (TypeError, ValueError, UnsupportedAlgorithm) as error:
        raise BadKey(f"{path} holds no private key without a password") from error
    if not isinstance(key, Ed25519PrivateKey):
        raise BadKey(f"{path} holds no Ed25519 key")
    return key


def read_public_key(path: Path) -> Ed25519PublicKey:
    """Read the key of a file; raises `BadKey`."""
    try:
        key = serialization.load_pem_public_key(read_key(path))
    except (ValueError, UnsupportedAlgorithm) as error:
        raise BadKey(f"{path} holds no public key") from error
    if not isinstance(key, Ed25519PublicKey):
        raise BadKey(f"{path} holds no Ed25519 key")
    return key
