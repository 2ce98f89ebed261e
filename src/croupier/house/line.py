"""One connection's line to its table: commands go in, answers come back."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from croupier.house import views
from croupier.house.audience import Listener, Outlet
from croupier.house.record import Denied
from croupier.house.showing import prefix_of
from croupier.house.speaker import Speaker
from croupier.ledger.money import VoucherIssued
from croupier.protocol import answers as say
from croupier.rules import events as ev
from croupier.rules.operator import Person, Role
from croupier.table import Accepted, Answer, Refused, Submission
from croupier.table import commands as ask

if TYPE_CHECKING:
    from croupier.house.floor_in_play import Floor
    from croupier.house.floor_table import FloorTable

_LAID = ev.WagerPlaced | ev.WagerIncreased | ev.WagerWithdrawn
Handlers = dict[type[object], Callable[..., None]]
"""What takes a message, by its type."""


class Line:
    """Who speaks, who listens, and what passes between them and the table."""

    def __init__(
        self, floor: Floor, table: FloorTable, speaker: Speaker, outlet: Outlet
    ) -> None:
        self.floor, self.table, self.speaker = floor, table, speaker
        device = speaker.device
        self.listener = Listener(speaker.audience, None, device, outlet)
        if device is not None and speaker.is_terminal:
            self.listener.seat = floor.seat_at(table.name, device)

    def send(self, answer: say.FromHouse) -> None:
        self.listener.send(say.write_answer(answer))

    def problem(self, reason: str, message_id: str | None) -> None:
        self.send(say.MessageProblem(reason, message_id))

    def player(self) -> Person:
        """Whose seat this is; raises `Denied` where it is none."""
        if self.listener.seat is None:
            raise Denied("only a terminal's seat does that")
        self.speaker.check()
        return Person(self.listener.seat, Role.PLAYER)

    def person(self, position: str | None = None) -> Person:
        """The Player of a seat, or somebody of the staff in a position of theirs."""
        if self.speaker.session is None:
            return self.player()
        return self.speaker.staff(position)

    def post(
        self,
        message_id: str,
        person: Person,
        command: ask.AnyCommand,
        then: Callable[[Answer], None] | None = None,
    ) -> None:
        """The command to the table, its answer to the sender, and then what follows."""

        def on_answer(answer: Answer | Exception) -> None:
            if isinstance(answer, Exception):
                self.problem("the table can't take anything just now", message_id)
                return
            self._answer(message_id, answer)
            if then is not None:
                then(answer)

        command_id = self.speaker.command_id(message_id)
        submission = Submission(command_id, (person,), command)
        self.table.post(submission, on_answer, self.listener)

    def answers_again(self, message_id: str) -> bool:
        """Whether it was judged before; if so, it gets the answer of then."""
        before = self.table.answer_before(self.speaker.command_id(message_id))
        if before is not None:
            self._answer(message_id, before)
        return before is not None

    def _answer(self, message_id: str, answer: Answer) -> None:
        table = self.table
        if isinstance(answer, Refused):
            self.send(views.refused(message_id, table.told, answer.refusal))
            return
        codes = [e.code for e in answer.events if isinstance(e, VoucherIssued)]
        self.send(
            say.Answered(
                id=message_id,
                sequence=answer.last,
                registered=True,
                voucher=codes[-1] if codes else None,
                wagers=self._wagers(answer),
                seat=table.showing.seat(self.listener.seat),
            )
        )

    def _wagers(self, answer: Accepted) -> tuple[say.WagerView, ...]:
        """Those that the command placed, increased or withdrew, as they lie now."""
        shown = []
        prefix = prefix_of(self.listener)
        for event in answer.events:
            if isinstance(event, _LAID):
                current = self.table.state.series.current
                wager = current.board.wagers.get(event.wager_id)
                shown.append(
                    views.withdrawn_shown(
                        event.wager_id.removeprefix(prefix), self.listener.seat or ""
                    )
                    if wager is None
                    else views.wager_shown(wager, current, prefix)
                )
        return tuple(shown)
