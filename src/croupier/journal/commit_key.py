"""The commit key: each commit seals the end of its stream with it.

A chain of hashes has no key: a well-chained event that was appended by hand would
verify until the next checkpoint. The key is in a file outside the database. An
environment variable names it, as for PostgreSQL's password file, so that every command
that writes the journal also seals it.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Mapping
from pathlib import Path
from secrets import token_bytes

from croupier.journal.private_files import BadKey, read_key, write_key

VARIABLE = "CROUPIER_COMMIT_KEY"
_BYTES = 32


def mac_of(key: bytes, stream: str, sequence: int, hash_there: str) -> str:
    """Return the seal of a stream's end, an HMAC in hexadecimal."""
    text = f"{stream}\n{sequence}\n{hash_there}".encode()
    return hmac.digest(key, text, "sha256").hex()


def make_commit_key(path: Path) -> None:
    write_key(path, token_bytes(_BYTES).hex().encode() + b"\n")


def read_commit_key(path: Path) -> bytes:
    """Read the key of a file; raises `BadKey`."""
    try:
        secret = bytes.fromhex(read_key(path).decode("ascii"))
    except ValueError:
        secret = b""
    if len(secret) != _BYTES:
        raise BadKey(f"{path} holds no commit key")
    return secret


def commit_key_of(environment: Mapping[str, str] = os.environ) -> bytes | None:
    """Return the key named by `CROUPIER_COMMIT_KEY`; None if that is not set."""
    path = environment.get(VARIABLE)
    return read_commit_key(Path(path)) if path else None
