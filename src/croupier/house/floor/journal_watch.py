"""The watch over a house's journal: failures, their duration, and losses.

A thread looks once a second. It tells two kinds of failure apart:
- trouble: the journal can't be written just now. The staff see the reason and the
  duration, and the tables go on by themselves once it is over;
- loss: another process writes the journal, it was replaced, or the thread of a table
  has ended. This process can't mend that, and ends.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Event, Lock, Thread
from time import monotonic

from croupier.house.reasons import HouseReason
from croupier.journal.sharing import Lease, LeaseHeld
from croupier.journal.store import (
    HOUSE_STREAM,
    DiskFull,
    JournalError,
    JournalReplaced,
    ServerAway,
    ServerReplaced,
    Store,
    WriterConflict,
)
from croupier.rules.reasons import Reason

_log = logging.getLogger(__name__)
_LOOK_EVERY_S = 1.0
_TELL_EVERY_S = 15.0
_SILENT_S = 3.0
_ASKED_S = 10.0
_PROBE = "whether this journal can be written"


class TableEnded(JournalError):
    """The thread of a table has ended: a mistake of ours."""


@dataclass(frozen=True, slots=True)
class StreamWriter:
    """The writer of a stream in this process."""

    epoch: int
    failure: JournalError | None = None
    """The reason if it takes nothing just now."""
    is_alive: bool = True


@dataclass(frozen=True, slots=True)
class JournalTrouble:
    """The error that keeps the journal from being written, and its first time."""

    error: JournalError
    since: float

    @property
    def seconds(self) -> int:
        return round(monotonic() - self.since)

    @property
    def why(self) -> Reason:
        """The trouble, with a remedy."""
        kinds = {
            DiskFull: HouseReason.JOURNAL_DISK_FULL,
            ServerReplaced: HouseReason.JOURNAL_SERVER_REPLACED,
            ServerAway: HouseReason.JOURNAL_SERVER_AWAY,
        }
        found = (why for kind, why in kinds.items() if isinstance(self.error, kind))
        return next(found, HouseReason.JOURNAL_FAILING)()


class JournalWatch:
    """Watches one journal until it is closed."""

    def __init__(
        self,
        store: Store,
        lease: Lease | None,
        writers: Callable[[], Mapping[str, StreamWriter]],
        lost: Callable[[JournalError], None],
        drop: Callable[[str], None] | None = None,
    ) -> None:
        """Watch the streams of `writers`; call `lost` once, on the watch's thread.

        Without a lease another process may take the journal. With several nodes, `drop`
        is called with each table that another node has now.
        """
        self._store, self._lease = store, lease
        self._writers, self._lost, self._drop = writers, lost, drop
        self.trouble: JournalTrouble | None = None
        """The result of the last look."""
        self._written = float("-inf")
        self._told = float("-inf")
        self._asked, self._looked = float("-inf"), monotonic()
        """Times of the last request for the trouble and of the last look's end."""
        self._noting = Lock()
        self._ends = Event()
        self._thread = Thread(target=self._run, name="journal watch", daemon=True)
        self._thread.start()

    def last_look(self) -> JournalTrouble | None:
        """Return the result of the last look, without waiting for the journal.

        A look that does not end is trouble too. For the next ten seconds, each look
        also tries to write.
        """
        self._asked = now = monotonic()
        if now - self._looked > _SILENT_S:
            self.note(ServerAway("the database does not answer"))
        return self.trouble

    def look(self, *, writes: bool = True) -> JournalTrouble | None:
        """Look now and return the trouble; write at most once a second.

        Raises `JournalError` if the house is lost.
        """
        try:
            self._check(writes=writes or self.trouble is not None)
        except (LeaseHeld, WriterConflict, JournalReplaced, TableEnded):
            raise
        except JournalError as error:
            self.note(error)
        else:
            self._recover()
        self._looked = monotonic()
        return self.trouble

    def note(self, error: JournalError) -> None:
        """Record an error as trouble; on any thread."""
        with self._noting:
            now = monotonic()
            self._written = float("-inf")  # only a new write can end the trouble
            before = self.trouble
            self.trouble = JournalTrouble(
                error, now if before is None else before.since
            )
            if before is None:
                _log.warning("the journal is in trouble: %s", error)
                self._told = now
            elif now - self._told >= _TELL_EVERY_S:
                _log.error("in trouble for %d s: %s", self.trouble.seconds, error)
                self._told = now

    def close(self) -> None:
        self._ends.set()

    def _run(self) -> None:
        while not self._ends.wait(_LOOK_EVERY_S):
            try:
                self.look(writes=monotonic() - self._asked < _ASKED_S)
            except JournalError as error:
                if not self._ends.is_set():
                    self._lost(error)
                return
            except Exception:  # noqa: BLE001 - a watch must not end silently
                _log.exception("the journal could not be looked at")

    def _check(self, *, writes: bool) -> None:
        self._store.check_identity()
        if self._lease is not None:
            self._lease.renew()
        writers = dict(self._writers())
        epochs = self._store.epochs()
        for stream, writer in tuple(writers.items()):
            is_conflict = isinstance(writer.failure, WriterConflict)
            if is_conflict or epochs.get(stream) != writer.epoch:
                if self._drop is None or stream == HOUSE_STREAM:
                    raise WriterConflict(stream)
                self._drop(stream)
                del writers[stream]
                continue
            if not writer.is_alive:
                raise TableEnded(f"{stream} has ended")
        for writer in writers.values():
            if writer.failure is not None:
                raise writer.failure
        if writes and monotonic() - self._written >= _LOOK_EVERY_S:
            self._store.drop_secret(self._store.keep_secret(_PROBE))
            self._written = monotonic()

    def _recover(self) -> None:
        with self._noting:
            before, self.trouble = self.trouble, None
        if before is not None:
            _log.warning("the journal is well again, after %d s", before.seconds)
