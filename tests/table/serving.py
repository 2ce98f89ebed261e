"""Tables that a writer serves, as in a house; the end of a test closes them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import pytest

from croupier.journal.store import Problems
from croupier.journal.tables import StreamBatch
from croupier.table import Answer, Table, TableQueue, Writer
from croupier.table.writer import Outcome, PendingCommand


class Appends(Protocol):
    def append(self, batches: Sequence[StreamBatch]) -> Problems: ...


ServeTable = Callable[..., TableQueue]
"""Takes a table, the store for its writer, and the table's listener."""


@pytest.fixture
def serve() -> Iterator[ServeTable]:
    """Return a function that serves a table by its own writer."""
    begun: list[Writer] = []

    def serve_table(table: Table, store: Appends, *given: object) -> TableQueue:
        writer = Writer(store)  # type: ignore[arg-type]
        begun.append(writer)
        return TableQueue(writer, table, *given)  # type: ignore[arg-type]

    yield serve_table
    for writer in begun:
        writer.close()


def answers_only(
    listen: Callable[[Sequence[Answer]], object],
) -> Callable[[Sequence[PendingCommand], Outcome], None]:
    """Return a listener that passes on the answers of commits only."""

    def hear(_: Sequence[PendingCommand], outcome: Outcome) -> None:
        if not isinstance(outcome, Exception):
            listen(outcome)

    return hear
