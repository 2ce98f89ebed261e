"""The commits of a table: what it is after one, and those nobody is sure of."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from croupier.journal.store import JournalError
from croupier.journal.tables import HeadRow, StreamBatch
from croupier.table.answers import Answer
from croupier.table.state import TableState

T = TypeVar("T")
Append = Callable[[Sequence[StreamBatch]], list[JournalError | None]]
Committing = Generator[StreamBatch, JournalError | None, T]
"""Work that hands out a batch, and goes on once it is on disk, or why it is not."""
_MOST_UNSURE = 16
"""A commit before so many others has long since ended, one way or the other."""


@dataclass(frozen=True, slots=True)
class TableCommit:
    """One commit, and what the table is once it is on disk."""

    batch: StreamBatch
    state: TableState
    since_snapshot: int
    answers: list[Answer]

    @property
    def head(self) -> HeadRow:
        last = self.batch.events[-1]
        return HeadRow(last.stream, last.sequence, last.hash)


class UnsureCommits:
    """Commits that failed since the last one: any may be on disk, or come there."""

    def __init__(self) -> None:
        self._commits: deque[TableCommit] = deque(maxlen=_MOST_UNSURE)

    def __bool__(self) -> bool:
        return bool(self._commits)

    def add(self, commit: TableCommit) -> None:
        self._commits.append(commit)

    def found_at(self, head: HeadRow | None) -> TableCommit | None:
        """Return the one that is on disk, by the end of the stream."""
        return next((each for each in self._commits if each.head == head), None)

    def clear(self) -> None:
        """Forget them: another commit follows the same one as they did."""
        self._commits.clear()


def commit_alone(work: Committing[T], append: Append) -> T:
    """Commit what the work hands out, as soon as it does; return what it comes to."""
    try:
        batch = next(work)
        while True:
            try:
                [problem] = append([batch])
            except Exception as error:  # noqa: BLE001 - the work says what it means
                batch = work.throw(error)
            else:
                batch = work.send(problem)
    except StopIteration as done:
        found: T = done.value
        return found
