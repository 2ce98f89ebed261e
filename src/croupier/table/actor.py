"""A table as an actor: many senders, one queue, answers in the order of the queue.

“No more bets” passes the same queue as the wagers: what listeners hear of it leaves
only after the answers to all earlier commands.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic, sleep
from typing import TypeVar

from croupier.journal.store import (
    JournalError,
    JournalFailed,
    JournalReplaced,
    WriterConflict,
)
from croupier.table.answers import Answer
from croupier.table.commands import Submission, check_submission
from croupier.table.state import TableState
from croupier.table.table import Table

_log = logging.getLogger(__name__)

Listener = Callable[[Sequence[Answer]], None]
"""Hears, after each commit, the answers of it in order."""
Reply = Callable[[Answer | Exception], None]
T = TypeVar("T")
_MOST_AT_ONCE = 500
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 1.0


class _Stop:
    """Marks a place in the queue: whatever came before is handled, then it stops."""

    def __init__(self, may: Callable[[TableState], bool] = lambda _: True) -> None:
        self.may = may
        self.has_stopped: Future[bool] = Future()


_Queued = tuple[Submission, Reply]


class TableActor:
    """Drains its queue into one commit, answers, then tells the listeners."""

    def __init__(
        self, table: Table, *listeners: Listener, patience_s: float = 0
    ) -> None:
        """Serve the table; `patience_s`: how long commands wait for a lost journal."""
        self._table = table
        self._patience_s = patience_s
        self._is_closing = False
        self._is_failing = False
        self._listeners = listeners
        self.has_left = False
        """Whether it has stopped because it was asked to."""
        self._waiting: SimpleQueue[_Queued | _Stop] = SimpleQueue()
        name = f"table {table.stream}"
        self._thread = Thread(target=self._run, name=name, daemon=True)
        self._thread.start()

    def submit(self, submission: Submission) -> Future[Answer]:
        """Queue a command; its answer comes when it is on disk.

        Raises `JournalError` for an id that is none.
        """
        promised: Future[Answer] = Future()

        def reply(answer: Answer | Exception) -> None:
            if not promised.set_running_or_notify_cancel():
                return
            if isinstance(answer, Exception):
                promised.set_exception(answer)
            else:
                promised.set_result(answer)

        self.post(submission, reply)
        return promised

    def post(self, submission: Submission, reply: Reply) -> None:
        """Queue as `submit` does, without a promise for each: for those with thousands.

        `reply` is called on the table's thread, before the listeners are.
        """
        check_submission(submission)
        self.queue(submission, reply)

    def queue(self, submission: Submission, reply: Reply) -> None:
        """Do as `post`, for a command that has been checked."""
        self._waiting.put((submission, reply))
        if self.has_left:
            self._turn_away()

    @property
    def waiting(self) -> int:
        """The count of commands that wait in the queue."""
        return self._waiting.qsize()

    @property
    def is_alive(self) -> bool:
        """Whether its thread still takes commands."""
        return self._thread.is_alive()

    def lose_patience(self) -> None:
        """Wait for a lost journal no more: the end is near."""
        self._is_closing = True

    def close(self) -> None:
        """Finish what waits, then stop."""
        self.lose_patience()
        self._waiting.put(_Stop())
        self._thread.join()

    def leave(self, may: Callable[[TableState], bool]) -> Future[bool]:
        """Stop once what waits is done, if `may` says yes to the state by then.

        The future says whether it has stopped. Whatever comes later is answered with
        `WriterConflict` then: it was not done, and another may be asked for it.
        """
        stop = _Stop(lambda state: not self._table.is_unsure and may(state))
        self._waiting.put(stop)
        return stop.has_stopped

    def _turn_away(self) -> None:
        """Answer whatever came after the table was left; on any thread."""
        with suppress(Empty):
            while True:
                queued = self._waiting.get_nowait()
                if isinstance(queued, _Stop):
                    queued.has_stopped.set_result(True)
                else:
                    self._tell(queued[1], WriterConflict(self._table.stream))

    def _run(self) -> None:
        try:
            self._take_turns()
        except Exception:  # noqa: BLE001 - whoever watches sees that it is not alive
            _log.exception("the table %s has ended", self._table.stream)

    def _take_turns(self) -> None:
        while True:
            together: list[_Queued] = []
            queued: _Queued | _Stop = self._next()
            while not isinstance(queued, _Stop):
                together.append(queued)
                if len(together) == _MOST_AT_ONCE:
                    break
                try:
                    queued = self._waiting.get_nowait()
                except Empty:
                    break
            if together:
                self._handle(together)
            if isinstance(queued, _Stop) and self._stops(queued):
                return

    def _stops(self, stop: _Stop) -> bool:
        stops = stop.may(self._table.state)
        self.has_left = stops
        stop.has_stopped.set_result(stops)
        if stops:
            self._turn_away()
        return stops

    def _next(self) -> _Queued | _Stop:
        """Wait for the next command; a table that has failed tries to go on."""
        while self._table.is_unsure:
            try:
                return self._waiting.get(timeout=_LONGEST_PAUSE_S)
            except Empty:
                pass
            with suppress(JournalError):
                self._resume()
                self._note(None)
        return self._waiting.get()

    def _handle(self, together: list[_Queued]) -> None:
        try:
            answers = self._answers([submission for submission, _ in together])
        except Exception as error:  # noqa: BLE001 - whatever it is, nobody waits for ever
            for _, reply in together:
                self._tell(reply, error)
            return
        for (_, reply), answer in zip(together, answers, strict=True):
            self._tell(reply, answer)
        for listener in self._listeners:
            self._tell(listener, answers)

    def _answers(self, submissions: list[Submission]) -> list[Answer]:
        """Let the table handle the commands; after a failure, once more at least.

        What turns out to be on disk is answered as any command that is sent again.
        """
        until, pause = monotonic() + self._patience_s, 0.0
        while True:
            try:
                self._resume()
                answers = self._table.handle(submissions)
            except JournalReplaced:
                raise
            except JournalFailed as error:
                self._note(error)
                if pause and (self._is_closing or monotonic() >= until):
                    raise
            else:
                self._note(None)
                return answers
            sleep(pause)  # not before the first retry: most often one is enough
            pause = min(2 * pause, _LONGEST_PAUSE_S) or _FIRST_PAUSE_S

    def _resume(self) -> None:
        """Let a table that has failed go on, and tell what nobody has heard of it."""
        if not self._table.is_unsure:
            return
        missed = self._table.resume()
        for listener in self._listeners if missed else ():
            self._tell(listener, missed)

    def _note(self, failure: JournalFailed | None) -> None:
        """Log where a spell of failures begins, and where it ends."""
        if failure is not None and not self._is_failing:
            _log.warning("%s could not commit: %s", self._table.stream, failure)
        if failure is None and self._is_failing:
            _log.warning("%s goes on, by what is on disk", self._table.stream)
        self._is_failing = failure is not None

    def _tell(self, whom: Callable[[T], None], what: T) -> None:
        """Call a listener; one that fails harms neither the others nor the table."""
        try:
            whom(what)
        except Exception:  # noqa: BLE001 - it is not ours to know
            _log.exception("somebody who listens to %s failed", self._table.stream)
