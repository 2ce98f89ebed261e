"""Signed heads leave the house: to files, addresses and the standard output.

The chain of a journal has no key: whoever can write the whole database can write a
journal that verifies. A head that somebody else keeps proves what stood before it.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import structlog

from croupier.journal.heads import (
    BadHead,
    SignedHead,
    house_head,
    publish,
    read_head,
)
from croupier.journal.private_files import OWNER_ONLY
from croupier.journal.store import JournalError, JournalFailed

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    from croupier.house.floor.floor import Floor

_log = structlog.get_logger("croupier.heads")
_URL_WITHIN_S = 10
_LOOK_S = 1.0
"""How often it looks whether a head is due."""
_AGAIN_S = 5.0
"""So long after the journal failed it tries again."""
_WEB = ("http://", "https://")
_LATEST_BYTES, _LATEST_HEADS = 8_000_000, 1_000
"""A start reads no more than this of the heads in a file."""


class Undelivered(JournalError):
    """A head could not be handed out; the sentence names where to."""


@dataclass(frozen=True, slots=True)
class HeadPlace:
    """A place for heads: `-`, an address that takes a POST, or a file to append to."""

    place: str

    def put(self, heads: Sequence[str]) -> None:
        """Hand out the heads, one a line; raises `Undelivered`."""
        text = "".join(f"{head}\n" for head in heads)
        try:
            if self.place == "-":
                sys.stdout.write(text)
                sys.stdout.flush()
            elif self.place.startswith(_WEB):
                _post(self.place, text)
            else:
                _append(Path(self.place), text)
        except OSError as error:  # what urllib raises is one, too
            raise Undelivered(f"{self.place}: {error}") from error

    @property
    def file(self) -> Path | None:
        is_other = self.place == "-" or self.place.startswith(_WEB)
        return None if is_other else Path(self.place)


def read_latest_heads(path: Path) -> list[SignedHead]:
    """Return the latest heads of a file, in order; an unfinished last line is none.

    Raises `BadHead` for any other line that is none.
    """
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _LATEST_BYTES))
            lines = file.read().split(b"\n")[:-1]
    except FileNotFoundError:
        return []
    except OSError as error:
        raise BadHead(f"{path}: {error.strerror}") from error
    whole = lines[1:] if size > _LATEST_BYTES else lines
    try:
        return [read_head(line.decode()) for line in whole[-_LATEST_HEADS:]]
    except (BadHead, UnicodeDecodeError) as error:
        raise BadHead(f"{path}: {error}") from error


def _post(url: str, text: str) -> None:
    from urllib.request import Request, urlopen  # dear to load, and seldom needed

    request = Request(  # noqa: S310 - the scheme is one of `_WEB`
        url,
        data=text.encode(),
        headers={"Content-Type": "application/jsonl"},
        method="POST",
    )
    with urlopen(request, timeout=_URL_WITHIN_S):  # noqa: S310
        pass


def _append(path: Path, text: str) -> None:
    """Append to the file, for its owner alone to read, and wait for the disk.

    A last line that was left unfinished is taken away: its head was not handed out.
    """
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, OWNER_ONLY)
    with open(handle, "r+b") as file:  # noqa: PTH123
        flock(handle, LOCK_EX)  # another node may be writing its own
        _drop_unfinished(file)
        file.write(text.encode())
        file.flush()
        os.fsync(handle)


def _drop_unfinished(file: BinaryIO) -> None:
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - 1))
    if file.read() not in {b"", b"\n"}:
        start = file.seek(max(0, size - _LATEST_BYTES))
        file.truncate(start + file.read().rfind(b"\n") + 1)


class HeadDelivery:
    """Signs the heads of a house while it is open, and hands each of them out."""

    def __init__(
        self,
        floor: Floor,
        key: Ed25519PrivateKey,
        places: Sequence[HeadPlace],
        seconds: float,
        undelivered: Callable[[int], None],
    ) -> None:
        self._floor = floor
        self._key = key
        self._places = places
        self._seconds = seconds
        self._undelivered = undelivered
        self._signed: tuple[str, int] | None = None
        """The house head that was signed last, and on which timeline."""
        self._handed_out = dict.fromkeys(places, self._last_number())

    def _last_number(self) -> int:
        store = self._floor.store
        with store.at_one_moment():
            last = store.last_head()
        return 0 if last is None else last[0]

    async def run(self) -> None:
        """Sign and hand out, at once, every so often, and at once after some acts.

        Those are the close of a day and the promotion of a standby.
        """
        clock = asyncio.get_running_loop().time
        while True:
            turn, began = self._turn, clock()
            is_signed = await self.once()
            until = began + (self._seconds if is_signed else _AGAIN_S)
            while turn == self._turn and clock() < until:
                await asyncio.sleep(min(_LOOK_S, self._seconds))

    @property
    def _turn(self) -> tuple[str | None, int]:
        """What a head is signed after, without waiting."""
        return self._floor.record.state.closed_day, self._floor.store.timeline

    async def once(self) -> bool:
        """Sign the head if it has moved; hand out what each place has not got yet.

        Returns False if the journal failed.
        """
        try:
            heads = await self._floor.in_house(self._sign)
        except JournalFailed as error:
            _log.error("heads can't be signed", why=str(error))
            return False
        await asyncio.to_thread(self._hand_out, heads)
        return True

    def last(self) -> None:
        """Sign and hand out once more, when the house is closed."""
        try:
            self._hand_out(self._sign())
        except JournalError as error:
            _log.error("heads can't be signed", why=str(error))

    def _hand_out(self, heads: list[tuple[int, str]]) -> None:
        waiting = 0
        for place in self._places:
            new = [each for each in heads if each[0] > self._handed_out[place]]
            try:
                if new:
                    place.put([text for _, text in new])
                    self._handed_out[place] = new[-1][0]
            except Undelivered as error:
                waiting += len(new)
                _log.error("heads are not handed out", why=str(error), count=len(new))
        self._undelivered(waiting)

    def _sign(self) -> list[tuple[int, str]]:
        store = self._floor.store
        now = house_head(store.heads()), store.timeline
        if now != self._signed:
            state = self._floor.record.state
            publish(store, self._key, self._floor.clock(), state.incarnation)
            self._signed = now
        with store.at_one_moment():
            return list(store.heads_after(min(self._handed_out.values())))
