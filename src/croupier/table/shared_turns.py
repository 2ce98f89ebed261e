"""One thread that takes the turns of many tables: they share one commit.

Fifty threads that judge a few wagers each cost more in taking turns at the interpreter
than the wagers do. So do many small commits: each changes pages of every table. Where
many tables shared one and had little to say, the next waits a moment for more.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from queue import Empty, SimpleQueue
from threading import Thread
from time import sleep

from croupier.journal.tables import StreamBatch
from croupier.table.answers import Answer
from croupier.table.commands import Submission
from croupier.table.commits import Append, JudgedCommands
from croupier.table.table import Table

_log = logging.getLogger(__name__)
_MOST_AT_ONCE = 2_000
"""Commands, after which no more tables share a commit: the answers to them wait."""
_MANY_TABLES, _FEW_EACH = 16, 20
_REST_S = 0.03
"""About as long as the commit itself, where it is due, of fifty tables."""


class Turn:
    """The commands of one table on their way to a commit."""

    def __init__(
        self,
        table: Table,
        submissions: Sequence[Submission],
        ends: Callable[[list[Answer]], None],
        fails: Callable[[Exception], None],
    ) -> None:
        """Take a turn of these commands; one of the last two is called, once."""
        self._table, self._submissions = table, submissions
        self._ends, self._fails = ends, fails
        self.count = len(submissions)
        self.judged: JudgedCommands | None = None
        """The commands that wait for their commit."""

    @property
    def batch(self) -> StreamBatch | None:
        return None if self.judged is None else self.judged.batch

    def begin(self) -> None:
        """Judge its commands."""
        self._step(lambda: self._table.judge(self._submissions))

    def conclude(self, problem: Exception | None) -> None:
        """Go on after its batch was written, or was left out."""
        judged = self.judged
        assert judged is not None
        self._step(lambda: self._table.conclude(judged, problem))

    def _step(self, step: Callable[[], JudgedCommands | list[Answer]]) -> None:
        self.judged = None
        try:
            outcome = step()
        except Exception as error:  # noqa: BLE001 - it concerns this table alone
            self._fails(error)
            return
        if not isinstance(outcome, JudgedCommands):
            self._ends(outcome)
            return
        self.judged = outcome
        if outcome.batch is None:
            self.conclude(None)


BeginTurn = Callable[[], Turn | None]


class SharedTurns:
    """Begins the turns of those tables that are due, and commits them together."""

    def __init__(self, append: Append, rest: Callable[[float], None] = sleep) -> None:
        """Commit by `append`; `rest` waits for so many seconds."""
        self._append, self._rest = append, rest
        self._due: SimpleQueue[BeginTurn | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="tables", daemon=True)
        self._thread.start()

    def wake(self, begin: BeginTurn) -> None:
        """Have a table's turn begun soon, on the thread of all."""
        self._due.put(begin)

    @property
    def is_alive(self) -> bool:
        """Whether its thread still takes turns."""
        return self._thread.is_alive()

    def close(self) -> None:
        """Finish the turns that are due, then stop."""
        self._due.put(None)
        self._thread.join()

    def _run(self) -> None:
        try:
            while (begin := self._due.get()) is not None:
                turns = self._begun(begin)
                self._commit(turns)
                if _is_small(turns):
                    self._rest(_REST_S)
        except Exception:  # noqa: BLE001 - whoever watches sees that it is not alive
            _log.exception("the thread of all tables has ended")

    def _begun(self, begin: BeginTurn) -> list[Turn]:
        """Begin what is due now: a table that comes later waits for the next commit."""
        turns: list[Turn] = []
        count = 0
        while True:
            turn = begin()
            if turn is not None:
                turns.append(turn)
                count += turn.count
            if count >= _MOST_AT_ONCE:
                return turns
            try:
                following = self._due.get_nowait()
            except Empty:
                return turns
            if following is None:
                self._due.put(None)
                return turns
            begin = following

    def _commit(self, turns: Sequence[Turn]) -> None:
        for turn in turns:
            turn.begin()
        while going := [turn for turn in turns if turn.batch is not None]:
            batches = [turn.batch for turn in going if turn.batch is not None]
            try:
                problems = self._append(batches)
            except Exception as error:  # noqa: BLE001 - each table says what it means
                for turn in going:
                    turn.conclude(error)
            else:
                for turn, problem in zip(going, problems, strict=True):
                    turn.conclude(problem)


def _is_small(turns: Sequence[Turn]) -> bool:
    """Return whether many tables shared a commit, with few commands each."""
    count = sum(turn.count for turn in turns)
    return len(turns) > _MANY_TABLES and count < _FEW_EACH * len(turns)
