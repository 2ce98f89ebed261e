"""Signed notes and checkpoints, as C2SP describes them: text, lines of signatures.

Laws of this file:
- the text of a note ends with a line break, and a signature is over all of it;
- a key has a name, a type and an id of four bytes that depends on all of it, so that a
  signature of one kind never passes for another;
- text that is not in canonical form is refused: `BadNote`.
"""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256
from typing import ClassVar, Self

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import (
    Ed25519PrivateKey,
    Ed25519PublicKey,
)

from croupier.errors import CroupierError
from croupier.journal.log.tree import HASH_BYTES

ED25519, COSIGNATURE = 1, 4
"""The types of keys: of a log, and of a witness."""
_KEY_ID_BYTES, _TIME_BYTES = 4, 8
_MARK = "— "
_LONGEST_SIZE = 19
"""Digits of the largest tree."""
_LONGEST_NOTE = 100_000
_LONGEST_PATH = 63
_NOTE = re.compile(r"(?:(?!— )[^\n]+\n)+\n(?:— [^\n]+\n)+")


class BadNote(CroupierError):
    """The text is no signed note, checkpoint or key in canonical form."""


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """The public half of a key that signs notes."""

    name: str
    type: int
    public: bytes

    @property
    def id(self) -> bytes:
        named = self.name.encode() + b"\n" + bytes([self.type]) + self.public
        return sha256(named).digest()[:_KEY_ID_BYTES]

    @property
    def text(self) -> str:
        """The key in one line: `name+id+base64`."""
        key = b64encode(bytes([self.type]) + self.public).decode()
        return f"{self.name}+{self.id.hex()}+{key}"

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a key of one line; raises `BadNote`."""
        name, _, rest = text.strip().partition("+")
        key_id, _, encoded = rest.partition("+")
        key = _decoded(encoded)
        if not is_key_name(name) or len(key) != HASH_BYTES + 1:
            raise BadNote("this is no key of a note: name+id+base64 is wanted")
        found = cls(name, key[0], key[1:])
        if found.type not in {ED25519, COSIGNATURE} or found.id.hex() != key_id:
            raise BadNote("the key's id is not that of its name and type")
        return found

    def has_signed(self, note: Note) -> bool:
        return self.signed_at(note) is not None

    def signed_at(self, note: Note) -> int | None:
        """Return the time of signing in seconds; 0 for a log, None if unsigned."""
        for each in note.signatures:
            if each.name != self.name or each.key_id != self.id:
                continue
            signature, at_s = each.signature, 0
            signed = note.text.encode()
            if self.type == COSIGNATURE:
                at_s = int.from_bytes(signature[:_TIME_BYTES], "big")
                signature = signature[_TIME_BYTES:]
                signed = _cosigned(note.text, at_s)
            try:
                key = Ed25519PublicKey.from_public_bytes(self.public)
                key.verify(signature, signed)
            except (InvalidSignature, ValueError):
                continue
            return at_s
        return None


@dataclass(frozen=True, slots=True)
class NoteSignature:
    """One line of a note: a key's name and id, and its signature."""

    name: str
    key_id: bytes
    signature: bytes

    @property
    def line(self) -> str:
        return f"{_MARK}{self.name} {b64encode(self.key_id + self.signature).decode()}"

    @classmethod
    def read(cls, line: str) -> Self:
        """Read a line; raises `BadNote`."""
        name, _, encoded = line.removeprefix(_MARK).partition(" ")
        signed = _decoded(encoded)
        if (
            not line.startswith(_MARK)
            or not is_key_name(name)
            or len(signed) <= _KEY_ID_BYTES
        ):
            raise BadNote("a line is no signature of a note")
        return cls(name, signed[:_KEY_ID_BYTES], signed[_KEY_ID_BYTES:])


@dataclass(frozen=True, slots=True)
class Note:
    """A text and the signatures under it."""

    text: str
    signatures: tuple[NoteSignature, ...]

    @property
    def whole(self) -> str:
        lines = "".join(f"{each.line}\n" for each in self.signatures)
        return f"{self.text}\n{lines}"

    @classmethod
    def read(cls, whole: str) -> Self:
        """Read a note; raises `BadNote`."""
        text, parting, rest = whole.rpartition("\n\n")
        if not parting or not rest.endswith("\n") or len(whole) > _LONGEST_NOTE:
            raise BadNote("this is no signed note")
        lines = rest.removesuffix("\n").split("\n")
        return cls(f"{text}\n", tuple(map(NoteSignature.read, lines)))

    @property
    def checkpoint(self) -> Checkpoint:
        """The text, read as a checkpoint; raises `BadNote`."""
        return Checkpoint.read(self.text)

    def with_signatures(self, more: Iterable[NoteSignature]) -> Note:
        """Return the note with further signatures, each once."""
        return Note(self.text, tuple(dict.fromkeys((*self.signatures, *more))))


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The size and the root of a log's tree, under the log's name."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        return f"{self.origin}\n{self.size}\n{b64encode(self.root).decode()}\n"

    @property
    def incarnation(self) -> str:
        """The house's incarnation, which is part of the log's name after a restore."""
        return self.origin.partition("/")[2]

    @classmethod
    def read(cls, text: str) -> Self:
        """Read the text of a note; raises `BadNote`."""
        lines = text.split("\n")
        if len(lines) != 4 or lines[3]:
            raise BadNote("a checkpoint has three lines: name, size and root")
        origin, size, root = lines[0], lines[1], _decoded(lines[2])
        if not origin or not _is_size(size):
            raise BadNote("a checkpoint's size is no number in decimal")
        if len(root) != HASH_BYTES:
            raise BadNote("a checkpoint's root is no hash")
        return cls(origin, int(size), root)


@dataclass(frozen=True, slots=True)
class ProvenNote:
    """A proof in C2SP's form: a word, a number, the hashes of a path, and a note."""

    WORD: ClassVar[str]
    number: int
    path: tuple[bytes, ...]
    note: Note

    @property
    def text(self) -> str:
        lines = "".join(f"{b64encode(each).decode()}\n" for each in self.path)
        return f"{self.WORD}{self.number}\n{lines}\n{self.note.whole}"

    @classmethod
    def read(cls, text: str) -> Self:
        """Read the form; raises `BadNote`."""
        head, _, note = text.partition("\n\n")
        number, *path = head.removeprefix(cls.WORD).split("\n")
        is_proof = text.startswith(cls.WORD) and _is_size(number)
        if not is_proof or len(path) > _LONGEST_PATH:
            raise BadNote(f"this is no proof: {cls.WORD.split()[-1]!r} and a number")
        return cls(int(number), tuple(map(_decoded, path)), Note.read(note))


def is_key_name(name: str) -> bool:
    return bool(name) and "+" not in name and not any(map(str.isspace, name))


def _is_size(text: str) -> bool:
    """Return whether the text is a canonical decimal number, and not too long."""
    is_number = text.isascii() and text.isdigit() and len(text) <= _LONGEST_SIZE
    return is_number and str(int(text)) == text


def log_key(name: str, key: Ed25519PublicKey | str) -> VerifierKey:
    """Return the key that verifies a log's checkpoints; `key` may be a fingerprint."""
    public = bytes.fromhex(key) if isinstance(key, str) else key.public_bytes_raw()
    return VerifierKey(name, ED25519, public)


def witness_key(name: str, key: Ed25519PublicKey) -> VerifierKey:
    return VerifierKey(name, COSIGNATURE, key.public_bytes_raw())


def sign_note(text: str, name: str, key: Ed25519PrivateKey) -> NoteSignature:
    verifier = log_key(name, key.public_key())
    return NoteSignature(name, verifier.id, key.sign(text.encode()))


def cosign(text: str, name: str, key: Ed25519PrivateKey, at_s: int) -> NoteSignature:
    """Sign a checkpoint as a witness that saw it at that second."""
    verifier = witness_key(name, key.public_key())
    signature = key.sign(_cosigned(text, at_s))
    return NoteSignature(
        name, verifier.id, at_s.to_bytes(_TIME_BYTES, "big") + signature
    )


def read_notes(text: str) -> list[Note]:
    """Return the notes of a text, an empty line between two; raises `BadNote`."""
    found, end = [], 0
    for match in _NOTE.finditer(text):
        if text[end : match.start()].strip("\n"):
            break
        found.append(Note.read(match.group()))
        end = match.end()
    if not found or text[end:].strip("\n"):
        raise BadNote("this is no signed note")
    return found


def _cosigned(text: str, at_s: int) -> bytes:
    return f"cosignature/v1\ntime {at_s}\n{text}".encode()


def _decoded(encoded: str) -> bytes:
    """Return the bytes of canonical base64; raises `BadNote`."""
    try:
        found = b64decode(encoded, validate=True)
    except (binascii.Error, ValueError) as error:
        raise BadNote("a base64 does not hold together") from error
    if b64encode(found).decode() != encoded:
        raise BadNote("a base64 is not in its one form")
    return found
