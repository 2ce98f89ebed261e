"""A thread that follows what other processes write to the house's stream."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from time import monotonic

from croupier.house.records.house_record import HouseRecord
from croupier.house.records.house_state import HouseState
from croupier.journal.sharing import HouseSharing
from croupier.journal.store import JournalError, NotAJournal

_log = logging.getLogger(__name__)
BEHIND_S = 5.0
"""Who has not read the stream for longer does not know the house as it stands."""
_EVERY_S = 1.0
"""It is read so often even if nobody says that it was written."""


class HouseFollower:
    """Reads the stream as soon as it was written, until it is closed."""

    def __init__(
        self,
        record: HouseRecord,
        sharing: HouseSharing,
        failed: Callable[[JournalError], None],
        lost: Callable[[JournalError], None],
    ) -> None:
        """Follow from now on; `failed` is told what goes wrong, on this thread.

        `lost` is told once where the stream can't be read here, as when a newer
        croupier wrote it; it is followed no more.
        """
        self._record, self._sharing = record, sharing
        self._failed, self._lost = failed, lost
        self._followed = monotonic()
        record.is_current = lambda: not self.is_behind
        self._ends = Event()
        self._thread = Thread(target=self._run, name="house follower", daemon=True)
        self._thread.start()

    @property
    def lag_s(self) -> float:
        """The seconds since the stream was last read to its end."""
        return monotonic() - self._followed

    @property
    def lag_ms(self) -> int:
        return round(self.lag_s * 1000)

    @property
    def is_behind(self) -> bool:
        """Whether others may have recorded what this process should have heard of."""
        return self.lag_s > BEHIND_S

    async def hear_of(self, is_known: Callable[[HouseState], bool]) -> None:
        """Read the stream at once unless something is known here.

        Another node may just have recorded it. While the journal can't be read, it
        stays unknown.
        """
        if not is_known(self._record.state):
            with suppress(JournalError):
                await asyncio.to_thread(self._record.follow)

    def close(self) -> None:
        """Stop, within a second or so."""
        self._ends.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._ends.is_set():
            try:
                self._sharing.wait(_EVERY_S)
                self._record.follow()
                self._followed = monotonic()
            except NotAJournal as error:
                self._lost(error)
                return
            except JournalError as error:
                self._failed(error)
                self._ends.wait(_EVERY_S)
            except Exception:  # noqa: BLE001 - who does not follow decides on old state
                _log.exception("the house could not be followed")
                self._ends.wait(_EVERY_S)
