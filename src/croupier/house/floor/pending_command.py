"""A command on its way through a table: who asked, since when, who hears the answer."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING

from croupier.house.connection.listeners import Listener
from croupier.table import Answer
from croupier.table import commands as ask

if TYPE_CHECKING:
    from croupier.house.floor.table import FloorTable

OnAnswer = Callable[[Answer | Exception], None]


class PendingCommand(ABC):
    """A command on its way: since when, from whom, and what is told its answer."""

    __slots__ = ("command", "sender", "sent", "since", "table")

    def __init__(
        self, table: FloorTable, command: ask.AnyCommand, sender: Listener | None
    ) -> None:
        self.table, self.command, self.sender = table, command, sender
        self.sent, self.since = "", perf_counter()

    def __call__(self, answer: Answer | Exception) -> None:
        """Keep the answer until its commit is told; in the table's turn."""
        self.table.keep(self, answer)

    @abstractmethod
    def tell(self, answer: Answer | Exception) -> None:
        """Tell the answer once the command is on disk, or nobody knows; on the loop."""


class CallbackCommand(PendingCommand):
    """A command whose answer goes to a function."""

    __slots__ = ("_on_answer",)

    def __init__(
        self, table: FloorTable, command: ask.AnyCommand, on_answer: OnAnswer
    ) -> None:
        super().__init__(table, command, None)
        self._on_answer = on_answer

    def tell(self, answer: Answer | Exception) -> None:
        self._on_answer(answer)
