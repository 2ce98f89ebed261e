"""Group commit: the batches of many tables that wait at one moment share one commit."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Thread

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
        return waiting.done.result()

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
                waiting.done.set_exception(error)
            return
        for waiting in together:
            count = len(waiting.batches)
            waiting.done.set_result(problems[:count])
            problems = problems[count:]


class _Waiting:
    """Somebody's batches, and the promise of an answer."""

    def __init__(self, batches: tuple[StreamBatch, ...]) -> None:
        self.batches = batches
        self.done: Future[Problems] = Future()
