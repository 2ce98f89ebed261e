"""Signed notes on the software: a release, an approval or an install.

A note begins with its word, so that an install record never passes for an approval. It
has a line `DIGEST VERSION TIME` for each version. It is signed as checkpoints are.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from enum import Enum, unique
from pathlib import Path
from typing import TYPE_CHECKING

import croupier
from croupier.house.records.fingerprint import code_digest
from croupier.journal.log.notes import (
    BadNote,
    Note,
    VerifierKey,
    is_key_name,
    read_notes,
    sign_note,
)
from croupier.journal.store import JournalError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_HEAD = "croupier software "
_LINE = re.compile(r"([0-9a-f]{64}) [!-~]+ [!-~]+")


@unique
class SoftwareWord(Enum):
    """The statement of a note about a version."""

    RELEASED = "released"
    APPROVED = "approved"
    INSTALLED = "installed"


class NotSigned(JournalError):
    """No signed note says this about the running program."""


def sign_software(
    word: SoftwareWord, name: str, key: Ed25519PrivateKey, at_ms: int
) -> str:
    """Return a signed note with this word about the running program."""
    if not is_key_name(name):
        raise NotSigned(f"{name}: a name has no spaces and no +")
    at = datetime.fromtimestamp(at_ms / 1_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    text = f"{_HEAD}{word.value}\n{code_digest()} {croupier.__version__} {at}\n"
    return Note(text, (sign_note(text, name, key),)).whole


def expect_software(word: SoftwareWord, path: Path, key: VerifierKey) -> None:
    """Raise `NotSigned` unless a note of the file says this of the running program.

    The key must have signed every note of the file.
    """
    try:
        notes = read_notes(path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, BadNote) as error:
        raise NotSigned(f"{path} holds no signed note") from error
    if not all(map(key.has_signed, notes)):
        raise NotSigned(f"{path} is not as {key.name} signed it")
    if not any(code_digest() in _digests(word, note) for note in notes):
        raise NotSigned(
            f"version {croupier.__version__} with the digest {code_digest()[:16]}…"
            f" is not {word.value} in {path}"
        )


def _digests(word: SoftwareWord, note: Note) -> list[str]:
    head, *lines = note.text.splitlines()
    if head != f"{_HEAD}{word.value}":
        return []
    return [match[1] for line in lines if (match := _LINE.fullmatch(line))]
