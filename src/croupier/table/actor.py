"""A table as an actor: many senders, one queue, answers in the order of the queue.

“No more bets” passes the same queue as the wagers: what listeners hear of it leaves
only after the answers to all earlier commands.

Where tables share their turns, that is for wagers alone. All else may take long, and so
may a journal that fails: then the table takes its turn on a thread of its own.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from queue import Empty, SimpleQueue
from threading import Event, Thread
from time import monotonic, sleep
from typing import NamedTuple, TypeVar

from croupier.journal.store import (
    JournalError,
    JournalFailed,
    JournalReplaced,
    WriterConflict,
)
from croupier.rules.commands import PlaceWager
from croupier.table.answers import Answer
from croupier.table.commands import Submission, Together, check_submission
from croupier.table.shared_turns import SharedTurns, Turn
from croupier.table.state import TableState
from croupier.table.table import Table

_log = logging.getLogger(__name__)

Listener = Callable[[Sequence[Answer]], None]
"""Hears, after each commit, the answers of it in order."""
Reply = Callable[[Answer | Exception], None]
T = TypeVar("T")
_MOST_AT_ONCE = 500
_SHARED = frozenset({PlaceWager, Together})
"""What is judged on the thread of all tables: it comes often, and takes little."""
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 1.0


class _Stop:
    """Marks a place in the queue: whatever came before is handled, then it stops."""

    def __init__(self, may: Callable[[TableState], bool] = lambda _: True) -> None:
        self.may = may
        self.has_stopped: Future[bool] = Future()


_Queued = tuple[Submission, Reply]


class _Taken(NamedTuple):
    """Commands taken from the queue, and who has the table stop after them."""

    together: list[_Queued]
    stop: _Stop | None = None
    has_failed: bool = False
    """Whether a commit of them has failed already."""

    @property
    def is_of_wagers(self) -> bool:
        kinds = {type(submission.command) for submission, _ in self.together}
        return self.stop is None and kinds <= _SHARED


class TableActor:
    """Drains its queue into one commit, answers, then tells the listeners."""

    def __init__(
        self,
        table: Table,
        *listeners: Listener,
        patience_s: float = 0,
        turns: SharedTurns | None = None,
    ) -> None:
        """Serve the table, on a thread of its own unless it shares its turns.

        `patience_s`: how long commands wait for a lost journal.
        """
        self._table = table
        self._turns = turns
        self._patience_s = patience_s
        self._is_closing = False
        self._is_failing = False
        self._listeners = listeners
        self.has_left = False
        """Whether it has stopped because it was asked to."""
        self._waiting: SimpleQueue[_Queued | _Stop] = SimpleQueue()
        self._has_ended = Event()
        self._is_due = False
        """Whether the thread of all tables has been woken for it."""
        self._is_taken = False
        """Whether a turn is being taken, on either thread: there is one at a time."""
        if turns is None:
            self._go_alone(_Taken([]))

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

        `reply` is called on the thread of the table's turn, before the listeners are.
        """
        check_submission(submission)
        self.queue(submission, reply)

    def queue(self, submission: Submission, reply: Reply) -> None:
        """Do as `post`, for a command that has been checked."""
        self._put((submission, reply))

    def _put(self, queued: _Queued | _Stop) -> None:
        self._waiting.put(queued)
        if self.has_left:
            self._turn_away()
        elif self._turns is not None and not self._is_due:
            self._is_due = True
            self._turns.wake(self._begin_turn)

    @property
    def waiting(self) -> int:
        """The count of commands that wait in the queue."""
        return self._waiting.qsize()

    @property
    def is_alive(self) -> bool:
        """Whether a thread still takes its commands."""
        has_thread = self._turns is None or self._turns.is_alive
        return has_thread and not self._has_ended.is_set()

    def lose_patience(self) -> None:
        """Wait for a lost journal no more: the end is near."""
        self._is_closing = True

    def close(self) -> None:
        """Finish what waits, then stop."""
        self.lose_patience()
        self._put(_Stop())
        while self.is_alive and not self._has_ended.wait(_LONGEST_PAUSE_S):
            pass

    def leave(self, may: Callable[[TableState], bool]) -> Future[bool]:
        """Stop once what waits is done, if `may` says yes to the state by then.

        The future says whether it has stopped. Whatever comes later is answered with
        `WriterConflict` then: it was not done, and another may be asked for it.
        """
        stop = _Stop(lambda state: not self._table.is_unsure and may(state))
        self._put(stop)
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

    # Turns on the thread of all tables

    def _begin_turn(self) -> Turn | None:
        """Take what waits, if those are wagers; all else goes to a thread of its own.

        Whoever is taking a turn looks again at its end.
        """
        self._is_due = False
        if self._is_taken:
            return None
        try:
            taken = self._take(self._waiting.get_nowait())
        except Empty:
            return None
        self._is_taken = True
        if self._table.is_unsure or not taken.is_of_wagers:
            self._go_alone(taken)
            return None
        together = taken.together
        return Turn(
            self._table,
            [submission for submission, _ in together],
            partial(self._end_turn, together),
            partial(self._fail_turn, together),
        )

    def _end_turn(self, together: list[_Queued], answers: list[Answer]) -> None:
        self._answer(together, answers)
        self._give_turn_back()

    def _fail_turn(self, together: list[_Queued], error: Exception) -> None:
        """Try again on a thread of its own, where trying again may help."""
        if isinstance(error, JournalFailed) and not isinstance(error, JournalReplaced):
            self._note(error)
        else:
            self._refuse(together, error)
            together = []
        if together or self._table.is_unsure:
            self._go_alone(_Taken(together, has_failed=True))
        else:
            self._give_turn_back()

    def _give_turn_back(self) -> None:
        """Let the next turn begin; what has come meanwhile is due."""
        self._is_taken = False
        if not self._waiting.empty() and self._turns is not None:
            self._is_due = True
            self._turns.wake(self._begin_turn)

    # Turns on a thread of its own

    def _go_alone(self, taken: _Taken) -> None:
        name = f"table {self._table.stream}"
        Thread(target=self._run, args=(taken,), name=name, daemon=True).start()

    def _run(self, taken: _Taken) -> None:
        try:
            self._take_turns(taken)
        except Exception:  # noqa: BLE001 - whoever watches sees that it is not alive
            _log.exception("the table %s has ended", self._table.stream)
            self._has_ended.set()

    def _take_turns(self, taken: _Taken) -> None:
        """Go on until the table stops, or may share its turns again."""
        while True:
            if taken.together:
                self._handle(taken)
            if taken.stop is not None and self._stops(taken.stop):
                self._has_ended.set()
                return
            if self._turns is not None and not self._table.is_unsure:
                self._give_turn_back()
                return
            queued = self._next()
            taken = _Taken([]) if queued is None else self._take(queued)

    def _take(self, queued: _Queued | _Stop) -> _Taken:
        """Take what waits besides, up to a place where the table is to stop."""
        together: list[_Queued] = []
        while not isinstance(queued, _Stop):
            together.append(queued)
            if len(together) == _MOST_AT_ONCE:
                return _Taken(together)
            try:
                queued = self._waiting.get_nowait()
            except Empty:
                return _Taken(together)
        return _Taken(together, queued)

    def _stops(self, stop: _Stop) -> bool:
        stops = stop.may(self._table.state)
        self.has_left = stops
        stop.has_stopped.set_result(stops)
        if stops:
            self._turn_away()
        return stops

    def _next(self) -> _Queued | _Stop | None:
        """Wait for the next command; a table that has failed tries to go on.

        Returns None where it does.
        """
        if not self._table.is_unsure:
            return self._waiting.get()
        with suppress(Empty):
            return self._waiting.get(timeout=_LONGEST_PAUSE_S)
        with suppress(JournalError):
            self._resume()
            self._note(None)
        return None

    def _handle(self, taken: _Taken) -> None:
        try:
            answers = self._answers(taken)
        except Exception as error:  # noqa: BLE001 - whatever it is, nobody waits for ever
            self._refuse(taken.together, error)
        else:
            self._answer(taken.together, answers)

    def _answer(self, together: list[_Queued], answers: list[Answer]) -> None:
        for (_, reply), answer in zip(together, answers, strict=True):
            self._tell(reply, answer)
        for listener in self._listeners:
            self._tell(listener, answers)

    def _refuse(self, together: list[_Queued], error: Exception) -> None:
        for _, reply in together:
            self._tell(reply, error)

    def _answers(self, taken: _Taken) -> list[Answer]:
        """Let the table handle the commands; after a failure, once more at least.

        What turns out to be on disk is answered as any command that is sent again.
        """
        submissions = [submission for submission, _ in taken.together]
        until = monotonic() + self._patience_s
        pause = _FIRST_PAUSE_S if taken.has_failed else 0.0
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
