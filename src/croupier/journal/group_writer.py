"""Group commit: the batches of many tables that wait at one moment share one commit."""

from __future__ import annotations

from collections.abc import Sequence
from queue import Empty, SimpleQueue
from threading import Lock, Thread

from croupier.journal.store import JournalError, Store
from croupier.journal.tables import StreamBatch

Problems = list[JournalError | None]
_MOST_AT_ONCE = 1_000


class GroupWriter:
    """One thread that writes for all: `append` returns when the commit is on disk."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="journal writer", daemon=True)
        self._thread.start()

    def append(self, batches: Sequence[StreamBatch]) -> Problems:
        """Append as a store does, in a commit that others may share."""
        waiting = _Waiting(tuple(batches))
        self._waiting.put(waiting)
        return waiting.result()

    def close(self) -> None:
        """Finish what waits, then stop."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while True:
            first = self._waiting.get()
            if first is None:
                return
            together, stops = self._drain(first)
            self._write(together)
            if stops:
                return

    def _drain(self, first: _Waiting) -> tuple[list[_Waiting], bool]:
        """Return everything that waits now, and whether the end was among it."""
        together = [first]
        while len(together) < _MOST_AT_ONCE:
            try:
                more = self._waiting.get_nowait()
            except Empty:
                break
            if more is None:
                return together, True
            together.append(more)
        return together, False

    def _write(self, together: list[_Waiting]) -> None:
        batches = [batch for waiting in together for batch in waiting.batches]
        try:
            problems = self._store.append(batches)
        except Exception as error:  # noqa: BLE001 - whatever it is, nobody waits for ever
            for waiting in together:
                waiting.settle(error)
            return
        for waiting in together:
            count = len(waiting.batches)
            waiting.settle(problems[:count])
            problems = problems[count:]


class _Waiting:
    """Somebody's batches, and the promise of an answer.

    A plain lock is the signal: a `Future` of the standard library costs each commit as
    much as a wager does.
    """

    __slots__ = ("_is_open", "_outcome", "batches")

    def __init__(self, batches: tuple[StreamBatch, ...]) -> None:
        self.batches = batches
        self._outcome: Problems | Exception = []
        self._is_open = Lock()
        self._is_open.acquire()

    def settle(self, outcome: Problems | Exception) -> None:
        """Let whoever waits go on with the outcome, once."""
        self._outcome = outcome
        self._is_open.release()

    def result(self) -> Problems:
        """Wait for the outcome; return it, or raise it."""
        with self._is_open:
            outcome = self._outcome
        if isinstance(outcome, Exception):
            raise outcome
        return outcome
