"""One writer: a thread that judges and commits the waiting commands of all tables.

Laws of this file:
- no answer before the commit; a table's commands are answered in the order of its
  queue, and its listener is called after the replies of a commit;
- the writer empties all queues before it judges any command: up to 500 commands of a
  table, about 2,000 a commit; later ones wait for the next commit;
- an error in judging, a conflict or a failing reply concerns only its own table;
- placings are judged as new; if one was answered before, its table's commands are
  judged again and committed by themselves;
- a commit that failed may be on disk, now or later: its table takes nothing until
  `resume` has read the journal, and an unsure table tries that every second;
- if the journal fails, commands are tried again at least once, then for the table's
  `patience_s`, and then refused; a new command never shortens the pause between two
  tries, and `JournalReplaced` and `WriterConflict` are never tried again;
- acts that may take long are judged on other threads, which then wait for the commit in
  `append`, as other writers do; the writer's own thread never waits there;
- after a commit with many tables and few commands the writer rests for a moment, so
  that the next commit has more; anything but a wager ends the rest;
- a snapshot is part of a commit of its table, between rounds;
- a mark in its queue closes a table: all commands before the mark are done;
- `waiting` shows senders when to slow down; `is_alive` shows if commands are taken;
- a reply is never called on the event loop: a thread that waits for two people's act
  holds the lock of the house's record, and the loop may wait for that lock.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import repeat
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread, get_ident
from time import monotonic

from croupier.journal.store import (
    JournalError,
    JournalFailed,
    JournalReplaced,
    Problems,
    Store,
    WriterConflict,
)
from croupier.journal.tables import StreamBatch
from croupier.rules import commands as play
from croupier.table.answers import Answer
from croupier.table.batches import JudgedCommands
from croupier.table.commands import (
    AnswerNotice,
    ConfirmLights,
    DrawNow,
    ReportLight,
    ReportShown,
    Submission,
    Together,
)
from croupier.table.table import Table

_log = logging.getLogger(__name__)

Outcome = Sequence[Answer] | Exception
Reply = Callable[[Answer | Exception], None]
_MOST_OF_A_TABLE, _MOST_AT_ONCE = 500, 2_000
_MOST_ACTS = 32
"""Acts judged on other threads at one time; more wait."""
_WAGERS = frozenset({play.PlaceWager, play.IncreaseWager, play.WithdrawWager, Together})
_SHORT = _WAGERS | {
    play.PlaceYourBets,
    play.SpinBall,
    play.NoMoreBets,
    play.ReportSensor,
    play.ReportBallAtRest,
    play.AnnounceOutcome,
    play.DrawBonusNumbers,
    DrawNow,
    ConfirmLights,
    ReportLight,
    ReportShown,
    AnswerNotice,
}
"""Commands that are quick to judge and read no past round."""
_FIRST_PAUSE_S, _LONGEST_PAUSE_S = 0.05, 1.0
_MANY_TABLES, _FEW_EACH = 16, 20
_REST_S = 0.03
"""About the duration of a commit of fifty tables."""


class PendingCommand:
    """A command that waits for its table; `reply` is called with its answer."""

    __slots__ = ("reply", "submission")

    def __init__(self, submission: Submission, reply: Reply | None = None) -> None:
        self.submission, self.reply = submission, reply


CommitListener = Callable[[Sequence[PendingCommand], Outcome], None]
"""Called with the answers of each commit, in order, or with the error.

If a failed commit turns out to be on disk, its answers come without commands.
"""


class _Stop:
    """Marks the place in a queue at which the table stops."""

    def __init__(self, *, is_forced: bool) -> None:
        self.is_forced = is_forced
        """True if it stops even with a commit in doubt."""
        self.has_stopped: Future[bool] = Future()


class TableQueue:
    """The commands that wait for one table, and its turn at the writer."""

    def __init__(
        self,
        writer: Writer,
        table: Table,
        listener: CommitListener | None = None,
        *,
        patience_s: float = 0,
    ) -> None:
        """`patience_s`: time that commands wait for a journal that can't be written."""
        self.table = table
        self._writer, self._listener = writer, listener
        self._waiting: SimpleQueue[PendingCommand | _Stop] = SimpleQueue()
        self._is_due = False
        """True if the writer knows that commands wait."""
        self.has_left = False
        """True once it has stopped at a mark."""
        self._has_ended = Event()
        self._has_turn = False
        self.taken: list[PendingCommand] = []
        """The commands of its turn, until they are answered."""
        self._stop: _Stop | None = None
        self._judged: JudgedCommands | None = None
        self.batch: StreamBatch | None = None
        """The batch of its turn that waits for the commit."""
        self.outcome: Outcome = ()
        """The answers of its turn, or the error."""
        self._is_failing = self._is_closing = False
        self._patience_s = patience_s
        self._pause, self._until = 0.0, 0.0

    # For senders, on any thread

    def submit(self, submission: Submission) -> Future[Answer]:
        """Queue a command; the future has the answer once it is on disk."""
        promised: Future[Answer] = Future()

        def reply(answer: Answer | Exception) -> None:
            if not promised.set_running_or_notify_cancel():
                return
            if isinstance(answer, Exception):
                promised.set_exception(answer)
            else:
                promised.set_result(answer)

        self.put(PendingCommand(submission, reply))
        return promised

    def put(self, command: PendingCommand) -> None:
        """Queue a command; it is answered even if the table has been left."""
        self._waiting.put(command)
        if type(command.submission.command) not in _WAGERS:
            self._wake(is_urgent=True)
        elif not self._is_due:
            self._wake()

    def _wake(self, *, is_urgent: bool = False) -> None:
        self._is_due = True
        self._writer.wake(self, is_urgent=is_urgent)
        if self.has_left:
            self._turn_away()

    @property
    def waiting(self) -> int:
        return self._waiting.qsize()

    @property
    def is_alive(self) -> bool:
        return self._writer.is_alive and not self._has_ended.is_set()

    def stop_waiting(self) -> None:
        self._is_closing = True

    def close(self) -> None:
        """Finish the commands that wait, then stop."""
        self.stop_waiting()
        self._waiting.put(_Stop(is_forced=True))
        self._wake(is_urgent=True)
        while self.is_alive and not self._has_ended.wait(_LONGEST_PAUSE_S):
            pass

    def leave(self) -> Future[bool]:
        """Stop after the commands that wait, unless a commit is in doubt by then.

        The future is true if it has stopped. Later commands are answered with
        `WriterConflict`: they were not done, and another process may do them.
        """
        stop = _Stop(is_forced=False)
        self._waiting.put(stop)
        self._wake(is_urgent=True)
        return stop.has_stopped

    def _turn_away(self) -> None:
        """Answer commands that came after the stop; on any thread."""
        with suppress(Empty):
            while True:
                queued = self._waiting.get_nowait()
                if isinstance(queued, _Stop):
                    queued.has_stopped.set_result(True)
                else:
                    self._tell([queued], WriterConflict(self.table.stream))

    # Its turn at the writer

    def take(self) -> bool:
        """Begin a turn with the commands up to a mark; return whether it began."""
        self._is_due = False
        if self.has_left:
            self._turn_away()
        if self._has_turn or self._waiting.empty():
            return False
        with suppress(Empty):
            while self._stop is None and len(self.taken) < _MOST_OF_A_TABLE:
                queued = self._waiting.get_nowait()
                if isinstance(queued, _Stop):
                    self._stop = queued
                else:
                    self.taken.append(queued)
        self._has_turn, self._pause = True, 0.0
        return True

    @property
    def has_to_resume(self) -> bool:
        return self.table.is_unsure and (self._stop is None or bool(self.taken))

    @property
    def is_long(self) -> bool:
        return not {type(each.submission.command) for each in self.taken} <= _SHORT

    def resume(self) -> Exception | None:
        """Have the table read the journal after a failure; return the error, if any."""
        try:
            missed = self.table.resume()
        except Exception as error:  # noqa: BLE001 - it concerns only this table
            return error
        if missed:
            self._tell([], missed)
        return None

    def judge(self) -> None:
        self._step(partial(self.table.judge, [e.submission for e in self.taken]))

    def conclude(self, problem: Exception | None) -> None:
        assert self._judged is not None
        self._step(partial(self.table.conclude, self._judged, problem))

    def do_all(self) -> None:
        self._step(partial(self.table.handle, [e.submission for e in self.taken]))
        if not isinstance(self.outcome, Exception):
            self._answer()

    def _step(self, step: Callable[[], JudgedCommands | list[Answer]]) -> None:
        """Do a step of its turn; keep its batch, its answers or its error."""
        self.batch = None
        try:
            outcome = step()
            while isinstance(outcome, JudgedCommands) and outcome.batch is None:
                outcome = self.table.conclude(outcome, None)
        except Exception as error:  # noqa: BLE001 - it concerns only this table
            self.outcome = error
            return
        if isinstance(outcome, JudgedCommands):
            self._judged, self.batch = outcome, outcome.batch
        else:
            self.outcome = outcome

    def end_turn(self) -> float | None:
        """Answer the commands, or keep them if the journal failed.

        Returns the time of the table's next try, or None if it needs none.
        """
        error = self.outcome if isinstance(self.outcome, Exception) else None
        if isinstance(error, JournalFailed) and not isinstance(error, JournalReplaced):
            self._note(error)
            if self.taken and (again := self._next_try()) is not None:
                return again
        elif self._is_failing and self.table.failure is None:
            self._note(None)
        self._answer()
        stop, self._stop, self._has_turn = self._stop, None, False
        if stop is not None and self._stops(stop):
            return None
        if not self._waiting.empty():
            self._wake()
        return monotonic() + _LONGEST_PAUSE_S if self.table.is_unsure else None

    def _next_try(self) -> float | None:
        """Return the time of the next try, or None if the commands are refused."""
        now = monotonic()
        if not self._pause:
            self._until = now + self._patience_s
        elif self._is_closing or now >= self._until:
            return None
        again = now + self._pause  # at once the first time, which is mostly enough
        self._pause = min(2 * self._pause, _LONGEST_PAUSE_S) or _FIRST_PAUSE_S
        return again

    def _stops(self, stop: _Stop) -> bool:
        stops = stop.is_forced or not self.table.is_unsure
        self.has_left = stops
        stop.has_stopped.set_result(stops)
        if stops:
            self._turn_away()
            self._has_ended.set()
        return stops

    def _note(self, failure: JournalFailed | None) -> None:
        """Log the first failure and the first success after it."""
        if failure is not None and not self._is_failing:
            _log.warning("%s could not commit: %s", self.table.stream, failure)
        if failure is None and self._is_failing:
            _log.warning("%s goes on, by what is on disk", self.table.stream)
        self._is_failing = failure is not None

    def _answer(self) -> None:
        taken, outcome = self.taken, self.outcome
        self.taken, self.outcome = [], ()
        if taken:
            self._tell(taken, outcome)

    def _tell(self, commands: Sequence[PendingCommand], outcome: Outcome) -> None:
        """Call the replies, then the listener; log those that fail."""
        told = repeat(outcome) if isinstance(outcome, Exception) else outcome
        for command, answer in zip(commands, told, strict=False):
            if command.reply is not None:
                self._call(command.reply, answer)
        if self._listener is not None:
            self._call(self._listener, commands, outcome)

    def _call(self, told: Callable[..., None], *what: object) -> None:
        try:
            told(*what)
        except Exception:  # noqa: BLE001 - the table goes on without it
            _log.exception("a listener of %s failed", self.table.stream)


class _Appended:
    """Batches of a thread that waits until they are on disk.

    A plain lock is the signal: a `Future` of the standard library costs each commit as
    much as a wager does.
    """

    def __init__(self, batches: Sequence[StreamBatch]) -> None:
        self.batches = batches
        self._outcome: Problems | Exception = []
        self._is_open = Lock()
        self._is_open.acquire()

    def settle(self, outcome: Problems | Exception) -> None:
        self._outcome = outcome
        self._is_open.release()

    def result(self, writer: Writer) -> Problems:
        """Wait for the outcome; return it, or raise it."""
        while not self._is_open.acquire(timeout=_LONGEST_PAUSE_S):
            if not writer.is_alive:
                raise JournalFailed("the writer of the journal has ended")
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome


_Due = TableQueue | _Appended | Callable[[], None]


class Writer:
    """Takes the turns of all tables that are due, and commits them together."""

    def __init__(self, store: Store, *, rest_s: float = _REST_S) -> None:
        self._store, self._rest_s = store, rest_s
        self._inbox: SimpleQueue[_Due] = SimpleQueue()
        self._urgent = Event()
        """Set when anything but a wager is due: it ends a rest."""
        self._failed: dict[TableQueue, float] = {}
        """Times at which tables with failed commits try again."""
        self._has_closed = False
        self._acts = ThreadPoolExecutor(_MOST_ACTS, thread_name_prefix="act")
        self._thread = Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def append(self, batches: Sequence[StreamBatch]) -> Problems:
        """Append batches like a store, in a commit shared with others."""
        assert get_ident() != self._thread.ident, "the writer would wait for itself"
        appended = _Appended(batches)
        self.wake(appended)
        return appended.result(self)

    def wake(self, due: _Due, *, is_urgent: bool = True) -> None:
        """Put a table's turn, or other work, into the inbox."""
        self._inbox.put(due)
        if is_urgent:
            self._urgent.set()

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def close(self) -> None:
        self.wake(self._close)
        self._thread.join()
        self._acts.shutdown()

    def _close(self) -> None:
        self._has_closed = True

    def _run(self) -> None:
        try:
            while not self._has_closed:
                queues, appended = self._taken()
                count = len(queues)
                rests = count > _MANY_TABLES and (
                    sum(len(queue.taken) for queue in queues) < _FEW_EACH * count
                )
                self._commit(self._judged(queues), appended)
                if rests:
                    self._urgent.wait(self._rest_s)
        except Exception:  # noqa: BLE001 - `is_alive` shows that it has ended
            _log.exception("the writer has ended")

    def _taken(self) -> tuple[list[TableQueue], list[_Appended]]:
        """Wait for due work; return the tables and the batches of other writers."""
        queues: list[TableQueue] = []
        appended: list[_Appended] = []
        next_try = min(self._failed.values(), default=None)
        wait_s = None if next_try is None else max(next_try - monotonic(), 0)
        due, count = self._next(wait_s), 0
        self._urgent.clear()
        while due is not None:
            if isinstance(due, TableQueue):
                if due.take():
                    self._failed.pop(due, None)
                    queues.append(due)
                    count += len(due.taken)
            elif isinstance(due, _Appended):
                appended.append(due)
                count += 1
            else:
                due()
            due = self._next(0) if count < _MOST_AT_ONCE else None
        if self._failed:
            now = monotonic()
            again = [queue for queue, at in self._failed.items() if at <= now]
            for queue in again:
                del self._failed[queue]
            queues += again
        return queues, appended

    def _next(self, within_s: float | None) -> _Due | None:
        with suppress(Empty):
            return self._inbox.get(timeout=within_s)
        return None

    def _judged(self, queues: Sequence[TableQueue]) -> list[TableQueue]:
        """Judge each table's commands; return the tables that wait for a commit.

        After one table can't read the journal, the other unsure tables do not try.
        """
        judged: list[TableQueue] = []
        away: JournalFailed | None = None
        for queue in queues:
            if queue.has_to_resume and (error := away or queue.resume()):
                away = error if isinstance(error, JournalFailed) else None
                queue.outcome = error
            elif queue.is_long:
                self._acts.submit(self._act, queue)
                continue
            elif queue.taken:
                queue.judge()
            if queue.batch is None:
                self._end_turn(queue)
            else:
                judged.append(queue)
        return judged

    def _act(self, queue: TableQueue) -> None:
        """Take a table's turn on another thread; it ends on the writer's thread."""
        queue.do_all()
        self.wake(partial(self._end_turn, queue))

    def _commit(
        self, queues: Sequence[TableQueue], appended: Sequence[_Appended]
    ) -> None:
        """Write one commit, and another for tables that had to judge again."""
        while queues or appended:
            batches = [queue.batch for queue in queues if queue.batch is not None]
            batches += [batch for each in appended for batch in each.batches]
            problems: Iterator[JournalError | None]
            failure: Exception | None = None
            try:
                problems = iter(self._store.append(batches))
            except Exception as error:  # noqa: BLE001 - each table judges it
                failure, problems = error, iter(())
            for queue in queues:
                queue.conclude(failure or next(problems))
                if queue.batch is None:
                    self._end_turn(queue)
            for each in appended:
                each.settle(failure or [next(problems) for _ in each.batches])
            queues = [queue for queue in queues if queue.batch is not None]
            appended = ()

    def _end_turn(self, queue: TableQueue) -> None:
        again = queue.end_turn()
        if again is not None:
            self._failed[queue] = again
