"""Judged commands on their way to the disk, and the commits with an unknown outcome."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from croupier.journal.store import JournalError
from croupier.journal.tables import HeadRow, StreamBatch
from croupier.table.answers import Answer
from croupier.table.commands import Submission
from croupier.table.state import TableState

Append = Callable[[Sequence[StreamBatch]], list[JournalError | None]]
_MOST_UNSURE = 16
"""A commit before so many others has long since ended, one way or the other."""


@dataclass(frozen=True, slots=True)
class JudgedCommands:
    """Commands that were judged: their batch, and the table once it is on disk."""

    submissions: Sequence[Submission]
    answers: list[Answer]
    batch: StreamBatch | None
    """None if every command was answered before."""
    state: TableState
    since_snapshot: int
    payment_turn: ExitStack
    """Holds the payment turn of the house if a payment was judged."""
    are_looked_up: bool = True
    """Whether the journal was asked if they had been answered before."""

    @property
    def head(self) -> HeadRow:
        assert self.batch is not None
        last = self.batch.events[-1]
        return HeadRow(last.stream, last.sequence, last.hash)

    def commit_alone(self, append: Append) -> Exception | None:
        """Commit the batch by itself; return the error if that failed."""
        if self.batch is None:
            return None
        try:
            [problem] = append([self.batch])
        except Exception as error:  # noqa: BLE001 - `Table.conclude` judges it
            return error
        return problem


class UnsureCommits:
    """Commits that failed since the last one: any may be on disk, or come there."""

    def __init__(self) -> None:
        self._commits: deque[JudgedCommands] = deque(maxlen=_MOST_UNSURE)

    def __bool__(self) -> bool:
        return bool(self._commits)

    def add(self, commit: JudgedCommands) -> None:
        self._commits.append(commit)

    def found_at(self, head: HeadRow | None) -> JudgedCommands | None:
        """Return the commit whose last event is the head of the stream."""
        return next((each for each in self._commits if each.head == head), None)

    def clear(self) -> None:
        """Forget them: another commit now follows their common predecessor."""
        self._commits.clear()
