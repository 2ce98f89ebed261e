"""A table as an actor: many senders, one queue, answers in the order of the queue.

“No more bets” passes the same queue as the wagers: what listeners hear of it leaves
only after the answers to all earlier commands.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Thread

from croupier.table.answers import Accepted, Answer
from croupier.table.commands import Submission, check_submission
from croupier.table.table import Table

_log = logging.getLogger(__name__)

Listener = Callable[[Accepted], None]
_MOST_AT_ONCE = 500


class TableActor:
    """Drains its queue into one commit, answers, then tells the listeners."""

    def __init__(self, table: Table, *listeners: Listener) -> None:
        self._table = table
        self._listeners = listeners
        self._waiting: SimpleQueue[tuple[Submission, Future[Answer]] | None] = (
            SimpleQueue()
        )
        name = f"table {table.stream}"
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, submission: Submission) -> Future[Answer]:
        """Queued now; the answer comes when it is on disk.

        Raises `JournalError` for an id that is none.
        """
        check_submission(submission)
        promised: Future[Answer] = Future()
        self._waiting.put((submission, promised))
        return promised

    def close(self) -> None:
        """Finish what waits, then stop."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        stops = False
        while not stops:
            first = self._waiting.get()
            if first is None:
                return
            together = [first]
            while len(together) < _MOST_AT_ONCE and not stops:
                try:
                    more = self._waiting.get_nowait()
                except Empty:
                    break
                if more is None:
                    stops = True
                else:
                    together.append(more)
            self._handle(together)

    def _handle(self, together: list[tuple[Submission, Future[Answer]]]) -> None:
        try:
            answers = self._table.handle([submission for submission, _ in together])
        except Exception as error:  # noqa: BLE001 - whatever it is, nobody waits for ever
            for _, promised in together:
                promised.set_exception(error)
            return
        for (_, promised), answer in zip(together, answers, strict=True):
            if promised.set_running_or_notify_cancel():
                promised.set_result(answer)
        for answer in answers:
            if isinstance(answer, Accepted):
                self._tell(answer)

    def _tell(self, answer: Accepted) -> None:
        """A listener that fails is its own affair: the others, and the table, go on."""
        for listener in self._listeners:
            try:
                listener(answer)
            except Exception:  # noqa: BLE001 - it is not ours to know
                _log.exception("a listener of %s failed", self._table.stream)
