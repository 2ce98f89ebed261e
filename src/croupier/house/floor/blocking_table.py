"""A table for whoever waits on a thread of the house, off the event loop."""

from __future__ import annotations

from dataclasses import dataclass

from croupier.house.floor.table import FloorTable
from croupier.journal.store import JournalFailed
from croupier.rules.game import Game
from croupier.table import Answer, Submission
from croupier.table.judgements import Judgement

_TABLE_WITHIN_S = 30


@dataclass(frozen=True, slots=True)
class BlockingTable:
    """A table whose answer is waited for.

    It comes from the table's turn, so that neither the event loop nor the lock of
    the house's record, which the waiting thread holds, stands in its way.
    """

    table: FloorTable

    @property
    def game(self) -> Game:
        return self.table.game

    @property
    def is_interrupted(self) -> bool:
        return self.table.table.state.interruption is not None

    def preview(self, submission: Submission) -> Judgement:
        return self.table.preview(submission)

    def answer_before(self, command_id: str) -> Answer | None:
        return self.table.answer_before(command_id)

    def submit(self, submission: Submission) -> Answer:
        """Return the table's answer; raise `JournalFailed` where none comes in time."""
        try:
            return self.table.actor.submit(submission).result(_TABLE_WITHIN_S)
        except TimeoutError as error:
            raise JournalFailed(f"{self.table.name} has not answered yet") from error
