"""A witness: it signs the checkpoints of a log that only grows, and never a fork.

Laws of this file (C2SP tlog-witness):
- a checkpoint is signed only if a key of the log signed it, and if its tree begins
  with the last tree that was signed here;
- a signed checkpoint is on disk before its signature leaves, so no restart forgets it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fcntl import LOCK_EX, LOCK_NB, flock
from http import HTTPStatus
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from croupier.journal.errors import JournalError
from croupier.journal.log.notes import (
    BadNote,
    Checkpoint,
    Note,
    ProvenNote,
    VerifierKey,
    cosign,
)
from croupier.journal.log.tree import EMPTY_ROOT, BadProof, check_consistency
from croupier.journal.private_files import OWNER_ONLY

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_SIZE_TYPE = "text/x.tlog.size"
_TEXT_TYPE = "text/plain; charset=utf-8"


class BadWitnessState(JournalError):
    """The file of a witness can't be read or written, or another process has it."""


@dataclass(frozen=True, slots=True)
class WitnessAnswer:
    """The answer to a request, as HTTP has it."""

    status: HTTPStatus
    text: str
    type: str = _TEXT_TYPE


class CosignatureRequest(ProvenNote):
    """A checkpoint to sign, with the proof that it follows from one of an old size."""

    WORD = "old "


class Witness:
    """Signs checkpoints of the logs that it knows; one file keeps the last of each."""

    def __init__(
        self,
        state: Path,
        name: str,
        key: Ed25519PrivateKey,
        logs: Iterable[VerifierKey],
        clock: Callable[[], float],
    ) -> None:
        """Open the file, or begin it; raises `BadWitnessState`."""
        self._path, self._name, self._key, self._clock = state, name, key, clock
        self._logs: dict[str, list[VerifierKey]] = {}
        for log in logs:
            self._logs.setdefault(log.name, []).append(log)
        self._lock = Lock()
        self._held = _held(state.with_name(f"{state.name}.lock"))
        self._last = _read_state(state)

    def close(self) -> None:
        os.close(self._held)

    def last(self, origin: str) -> Note | None:
        return self._last.get(origin)

    def add_checkpoint(self, body: str) -> WitnessAnswer:
        """Answer a request to sign a checkpoint."""
        try:
            request = CosignatureRequest.read(body)
            checkpoint = request.note.checkpoint
        except BadNote as error:
            return WitnessAnswer(HTTPStatus.BAD_REQUEST, f"{error}\n")
        keys = self._logs.get(checkpoint.origin)
        if keys is None:
            return WitnessAnswer(HTTPStatus.NOT_FOUND, "this log is not known here\n")
        if not any(key.has_signed(request.note) for key in keys):
            said = "no key of this log has signed the checkpoint\n"
            return WitnessAnswer(HTTPStatus.FORBIDDEN, said)
        with self._lock:
            return self._judge(request, checkpoint)

    def _judge(
        self, request: CosignatureRequest, checkpoint: Checkpoint
    ) -> WitnessAnswer:
        last = self._last.get(checkpoint.origin)
        known = Checkpoint(checkpoint.origin, 0, EMPTY_ROOT)
        if last is not None:
            known = last.checkpoint
        if request.number > checkpoint.size:
            said = "the old size is above the checkpoint's\n"
            return WitnessAnswer(HTTPStatus.BAD_REQUEST, said)
        is_fork = request.number == checkpoint.size and checkpoint.root != known.root
        if request.number != known.size or is_fork:
            return WitnessAnswer(HTTPStatus.CONFLICT, f"{known.size}\n", _SIZE_TYPE)
        try:
            check_consistency(
                known.size, known.root, checkpoint.size, checkpoint.root, request.path
            )
        except BadProof as error:
            return WitnessAnswer(HTTPStatus.UNPROCESSABLE_ENTITY, f"{error}\n")
        line = cosign(request.note.text, self._name, self._key, int(self._clock()))
        self._keep(checkpoint.origin, request.note.with_signatures([line]))
        return WitnessAnswer(HTTPStatus.OK, f"{line.line}\n")

    def _keep(self, origin: str, note: Note) -> None:
        """Write the new state beside the file, then rename it into place."""
        last = {**self._last, origin: note}
        text = json.dumps({name: each.whole for name, each in last.items()}, indent=1)
        beside = self._path.with_name(f"{self._path.name}.new")
        try:
            handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, OWNER_ONLY)
            with open(handle, "wb") as file:  # noqa: PTH123
                file.write(text.encode())
                file.flush()
                os.fsync(handle)
            beside.replace(self._path)
            folder = os.open(self._path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise BadWitnessState(f"{self._path}: {error.strerror}") from error
        self._last = last


def _held(path: Path) -> int:
    """Return the file, locked; raises `BadWitnessState` if another witness has it."""
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY)
    except OSError as error:
        raise BadWitnessState(f"{path}: {error.strerror}") from error
    try:
        flock(handle, LOCK_EX | LOCK_NB)
    except OSError as error:
        os.close(handle)
        raise BadWitnessState(f"{path} is held by another witness") from error
    return handle


def _read_state(path: Path) -> dict[str, Note]:
    try:
        kept = json.loads(path.read_bytes())
        return {str(name): Note.read(whole) for name, whole in kept.items()}
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadWitnessState(f"{path}: {error.strerror}") from error
    except (ValueError, AttributeError, BadNote) as error:
        raise BadWitnessState(f"{path} is no state of a witness") from error
