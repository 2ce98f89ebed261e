"""Who speaks over a connection: a device, somebody of the staff, or both."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from croupier.house.connection import views
from croupier.house.connection.listeners import Audience, Listener, Outlet
from croupier.house.connection.table_views import prefix_of
from croupier.house.people.authority import Caller
from croupier.house.records.house_record import Denied
from croupier.house.records.house_state import Device, DeviceKind
from croupier.ledger.money import VoucherIssued
from croupier.protocol import answers as say
from croupier.rules import events as ev
from croupier.rules.operator import Person, Role
from croupier.table import Accepted, Answer, Refused, Submission
from croupier.table import commands as ask

if TYPE_CHECKING:
    from croupier.house.floor.floor import Floor
    from croupier.house.floor.table import FloorTable


class Identity:
    """Asked anew for each message: sessions end, and devices are revoked."""

    def __init__(
        self,
        floor: Floor,
        table: FloorTable,
        device: Device | None,
        session: str | None,
    ) -> None:
        self._floor, self._table = floor, table
        self._device = device
        self.session = session

    @property
    def device(self) -> str | None:
        return self._device.name if self._device else None

    @property
    def audience(self) -> Audience:
        if self.session is not None:
            return Audience.STAFF
        return Audience.SEAT if self.is_terminal else Audience.BOARD

    @property
    def is_terminal(self) -> bool:
        return self._device is not None and self._device.kind is DeviceKind.TERMINAL

    @property
    def kind(self) -> str:
        """As it is counted."""
        return self._device.kind.value if self._device else self.audience.value

    @property
    def name(self) -> str:
        """As the log of significant events names them."""
        who = self._floor.name_of(self.session) if self.session is not None else None
        return who or self.device or "nobody"

    def caller(self) -> Caller:
        """Raises `Denied` where nobody is logged on any more."""
        if self.session is None:
            raise Denied("log on first")
        return self._floor.sessions.find(self.session)[1]

    def staff(self, position: str | None) -> Person:
        """Somebody of the staff in a position of theirs, at this table."""
        caller, table = self.caller(), self._table
        deals = self._floor.record.state.deals(caller.name, table.name)
        person = caller.person(table.game, position, deals=deals)
        if person.role is Role.DEALER and not deals:
            raise Denied(f"{caller.name} is not the Dealer of {table.name}")
        return person

    def check(self) -> None:
        """Raises `Denied` where the device has been revoked."""
        self._floor.check_device(self.device)

    def of_kind(self, kind: DeviceKind) -> str:
        """The device's name, if it is one of this kind."""
        if self._device is None or self._device.kind is not kind:
            raise Denied(f"only a {kind.value} does that")
        self.check()
        return self._device.name

    def command_id(self, message_id: str) -> str:
        """Ids are each sender's own: nobody gets another's answer."""
        if self.session is not None:
            return f"s:{self.name}:{message_id}"
        return f"d:{self.device}:{message_id}"


_LAID = ev.WagerPlaced | ev.WagerIncreased | ev.WagerWithdrawn
Handlers = dict[type[object], Callable[..., None]]
"""What takes a message, by its type."""


class Sender:
    """Who speaks, who listens, and what passes between them and the table."""

    def __init__(
        self, floor: Floor, table: FloorTable, identity: Identity, outlet: Outlet
    ) -> None:
        self.floor, self.table, self.identity = floor, table, identity
        device = identity.device
        self.listener = Listener(identity.audience, None, device, outlet)
        if device is not None and identity.is_terminal:
            self.listener.seat = floor.seat_at(table.name, device)

    def send(self, answer: say.FromHouse) -> None:
        self.listener.send(say.write_answer(answer))

    def problem(self, reason: str, message_id: str | None) -> None:
        self.send(say.MessageProblem(reason, message_id))

    def player(self) -> Person:
        """Whose seat this is; raises `Denied` where it is none."""
        if self.listener.seat is None:
            raise Denied("only a terminal's seat does that")
        self.identity.check()
        return Person(self.listener.seat, Role.PLAYER)

    def person(self, position: str | None = None) -> Person:
        """The Player of a seat, or somebody of the staff in a position of theirs."""
        if self.identity.session is None:
            return self.player()
        return self.identity.staff(position)

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

        command_id = self.identity.command_id(message_id)
        submission = Submission(command_id, (person,), command)
        self.table.post(submission, on_answer, self.listener)

    def answers_again(self, message_id: str) -> bool:
        """Whether it was judged before; if so, it gets the answer of then."""
        before = self.table.answer_before(self.identity.command_id(message_id))
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
                seat=table.views.seat(self.listener.seat),
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
