"""Signs the log of an open house, and hands its checkpoints out.

The chain of a journal has no key: a person with access to the whole database can write
a journal that verifies. A checkpoint that another party keeps proves the original.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from fcntl import LOCK_EX, flock
from http import HTTPStatus
from http.client import HTTPException
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import structlog

from croupier.house.measurements import Measurements
from croupier.journal.chain import house_head
from croupier.journal.log.check import (
    BadCheckpoint,
    read_checkpoints,
)
from croupier.journal.log.notes import (
    BadNote,
    Note,
    NoteSignature,
    VerifierKey,
)
from croupier.journal.log.publishing import cosigned, publish, publish_new
from croupier.journal.log.stored_log import StoredLog
from croupier.journal.log.witness import CosignatureRequest
from croupier.journal.private_files import OWNER_ONLY
from croupier.journal.store import JournalError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from croupier.house.floor.floor import Floor
    from croupier.journal.store import Store

_log = structlog.get_logger("croupier.log")
_WITHIN_S = 10
_EVERY_S = 3.0
"""The interval at which new entries are numbered and signed."""
_LATEST_BYTES, _LATEST = 1_000_000, 1_000
"""The most that a start reads of a file of checkpoints."""
_TRIES = 2


@dataclass(frozen=True, slots=True)
class WitnessPlace:
    """A witness of the log: its key and its address."""

    key: VerifierKey
    url: str


@dataclass(frozen=True, slots=True)
class SigningOptions:
    """Options of signing the log: interval, files and witnesses."""

    files: tuple[Path, ...] = ()
    """Each gets the checkpoints that cover the ends of all streams."""
    ends_every_s: float = 600
    witnesses: tuple[WitnessPlace, ...] = ()
    quorum: int = 0
    """The number of witnesses that should sign each checkpoint."""


def read_latest_checkpoints(path: Path) -> list[Note]:
    """Return the latest checkpoints of a file, in order, without an unfinished one.

    Raises `BadCheckpoint` if the file can't be read or holds anything else.
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _LATEST_BYTES))
            text = file.read().decode()
    except FileNotFoundError:
        return []
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not text"
        raise BadCheckpoint(f"{path}: {reason}") from error
    ends = [match.end() for match in _END.finditer(text)]
    starts = [0, *ends]
    if size > _LATEST_BYTES:  # the first checkpoint is cut
        starts = starts[1:]
    whole = [text[start:end] for start, end in pairwise(starts)]
    try:
        return [each for one in whole[-_LATEST:] for each in read_checkpoints(one)]
    except BadCheckpoint as error:
        raise BadCheckpoint(f"{path}: {error}") from error


_END = re.compile(r"\n— [^\n]+\n(?:\n|\Z)")
"""The end of a checkpoint: without a whole last line it is unfinished."""


def append_checkpoint(path: Path, whole: str) -> None:
    """Append to the file, readable by its owner only, and wait for the disk.

    An unfinished checkpoint at the end is removed first.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, OWNER_ONLY)
    with open(handle, "r+b") as file:  # noqa: PTH123
        flock(handle, LOCK_EX)  # another node may be writing its own
        _drop_unfinished(file)
        file.write(f"{whole}\n".encode())
        file.flush()
        os.fsync(handle)


def _drop_unfinished(file: BinaryIO) -> None:
    size = file.seek(0, os.SEEK_END)
    start = file.seek(max(0, size - _LATEST_BYTES))
    text = file.read().decode(errors="replace")
    ends = [match.end() for match in _END.finditer(text)]
    file.truncate(start + len(text[: max(ends, default=0)].encode()))


class LogSigning:
    """Numbers and signs the log of a house while it is open, and asks its witnesses."""

    def __init__(
        self,
        floor: Floor,
        key: Ed25519PrivateKey,
        options: SigningOptions,
        measurements: Measurements,
        signs: Callable[[], bool] = lambda: True,
    ) -> None:
        """`signs` returns whether this process signs; only one node does."""
        self._floor, self._key, self._options = floor, key, options
        self._measured, self._signs = measurements, signs
        self._waiting: dict[Path, list[str]] = {path: [] for path in options.files}
        self._last_ends: tuple[str, int] | None = None
        """The house head in the last list of ends, and its timeline."""
        self._sizes: dict[WitnessPlace, int] = dict.fromkeys(options.witnesses, 0)
        """The size of the last tree that each witness has signed."""

    async def run(self) -> None:
        """Sign new entries every few seconds, and list all ends every `ends_every_s`.

        The ends are listed at once after a day is closed or a standby promoted.
        """
        clock = asyncio.get_running_loop().time
        turn, due = self._turn, clock()
        while True:
            is_due = self._turn != turn or clock() >= due
            if self._signs() and await self.once(with_ends=is_due) and is_due:
                turn, due = self._turn, clock() + self._options.ends_every_s
            await asyncio.sleep(min(_EVERY_S, self._options.ends_every_s))

    @property
    def _turn(self) -> tuple[str | None, int]:
        return self._floor.record.state.closed_day, self._floor.store.timeline

    async def once(self, *, with_ends: bool) -> bool:
        """Sign new entries; return False if the journal failed."""
        try:
            whole = await self._floor.in_house(lambda: self._sign(with_ends=with_ends))
            await asyncio.to_thread(self._hand_out, whole, with_ends)
        except JournalError as error:
            _log.error("the log can't be signed", why=str(error))
            return False
        return True

    def last(self) -> None:
        """Sign once more when the house is closed."""
        if not self._signs():
            return
        try:
            self._hand_out(self._sign(with_ends=True), True)
        except JournalError as error:
            _log.error("the log can't be signed", why=str(error))

    def _sign(self, *, with_ends: bool) -> str | None:
        store = self._floor.store
        incarnation = self._floor.record.state.incarnation
        now = house_head(store.heads()), store.timeline
        if not with_ends or now == self._last_ends:
            return publish_new(store, self._key, incarnation)
        whole = publish(store, self._key, self._floor.clock(), incarnation)
        self._last_ends = now
        return whole

    def _hand_out(self, whole: str | None, with_ends: bool) -> None:
        if self._options.witnesses:
            self._ask_witnesses()
        for path, waiting in self._waiting.items():
            if whole is not None and with_ends:
                waiting.append(whole)
            try:
                while waiting:
                    append_checkpoint(path, waiting[0])
                    waiting.pop(0)
            except OSError as error:
                why = f"{path}: {error.strerror}"
                _log.error("checkpoints are not kept", why=why, count=len(waiting))
        waiting_count = sum(map(len, self._waiting.values()))
        self._measured.set("checkpoints_waiting", waiting_count)

    def _ask_witnesses(self) -> None:
        """Ask each witness that has not signed the last checkpoint yet."""
        store = self._floor.store
        signed, last = cosigned(store), store.last_checkpoint()
        if signed is None or last is None:
            return
        number, _ = last
        for place in self._options.witnesses:
            if place.key.has_signed(signed):
                continue
            try:
                asked = ask_witness(store, place, signed, self._sizes[place])
                line, self._sizes[place] = asked
            except (OSError, HTTPException, BadNote, WitnessRefused) as error:
                name, why = place.key.name, str(error)
                _log.error("a witness did not sign", name=name, why=why)
            else:
                store.add_cosignature(number, line.name, line.line)
                signed = signed.with_signatures([line])
        count = sum(each.key.has_signed(signed) for each in self._options.witnesses)
        missing = max(0, self._options.quorum - count)
        if missing:
            _log.error("too few witnesses have signed the log", missing=missing)
        self._floor.witnesses_missing = missing
        self._measured.set("witnesses_missing", missing)


class WitnessRefused(JournalError):
    """A witness did not sign; the message is its answer."""


def ask_witness(
    store: Store, place: WitnessPlace, note: Note, old: int
) -> tuple[NoteSignature, int]:
    """Return a witness's signature, and the size of the tree that it signed.

    Raises `OSError` if it does not answer, and `WitnessRefused` if it does not sign.
    """
    size = note.checkpoint.size
    for _ in range(_TRIES):
        proof = tuple(StoredLog(store).consistency(old, size))
        request = CosignatureRequest(old, proof, note)
        status, text = _post(f"{place.url}/add-checkpoint", request.text)
        if status == HTTPStatus.OK:
            line = NoteSignature.read(text.strip())
            if not place.key.has_signed(note.with_signatures([line])):
                raise WitnessRefused("its signature does not hold")
            return line, size
        known = text.strip()
        if status != HTTPStatus.CONFLICT or not known.isdecimal():
            raise WitnessRefused(f"{status}: {known[:200]}")
        old = int(known)
        if old > size:
            raise WitnessRefused(
                f"it has signed {old} entries of this log, and here it has {size}:"
                " another copy of the house signs too"
            )
    raise WitnessRefused(f"it has signed another log of {old} entries under this name")


def _post(url: str, text: str) -> tuple[int, str]:
    from urllib.error import HTTPError
    from urllib.request import Request, urlopen  # slow to import, and rarely needed

    request = Request(  # noqa: S310 - the option takes only http and https
        url, data=text.encode(), headers={"Content-Type": "text/plain"}, method="POST"
    )
    try:
        with urlopen(request, timeout=_WITHIN_S) as answer:  # noqa: S310
            return int(answer.status), answer.read(10_000).decode(errors="replace")
    except HTTPError as error:
        return error.code, error.read(10_000).decode(errors="replace")
