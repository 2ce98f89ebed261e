"""One connection to a table: who sends over it, what they ask, and what is answered.

It knows no socket: messages come in as bytes and go out by the listener's outlet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from croupier.house.connection import messages, views
from croupier.house.connection.listeners import Audience, Listener, Outlet, owner_of
from croupier.house.connection.table_views import prefix_of
from croupier.house.people.authority import Caller
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, NotDone
from croupier.house.records.house_state import Device, DeviceKind
from croupier.journal.store import JournalError
from croupier.ledger.money import VoucherIssued
from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.protocol.changes import merge
from croupier.rules import events as ev
from croupier.rules.notation import NotationError
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import PlainReason, Reason
from croupier.table import Accepted, Answer, Refused, Submission
from croupier.table import commands as ask

if TYPE_CHECKING:
    from croupier.house.floor.floor import Floor
    from croupier.house.floor.table import FloorTable

_LAID = ev.WagerPlaced | ev.WagerIncreased | ev.WagerWithdrawn
_HANDLERS = {**messages.STAFF_HANDLERS, **messages.DEVICE_HANDLERS}


class Connection:
    """A device, somebody of the staff, or both, at one table.

    Who they are is asked anew for each message: sessions end, devices are revoked.
    """

    def __init__(
        self,
        floor: Floor,
        table: FloorTable,
        device: Device | None,
        session: str | None,
        outlet: Outlet,
    ) -> None:
        self.floor, self.table = floor, table
        self._device = device
        self.session = session
        is_terminal = device is not None and device.kind is DeviceKind.TERMINAL
        audience = Audience.SEAT if is_terminal else Audience.BOARD
        if session is not None:
            audience = Audience.STAFF
        self.listener = Listener(audience, None, self.device, outlet)
        if device is not None and is_terminal:
            self.listener.seat = floor.seat_at(table.name, device.name)

    def welcome(self) -> None:
        """Join the listeners of the table with a snapshot."""
        table = self.table
        self.floor.options.observer.connected(table.name, self.kind, 1)
        table.broadcast.welcome(self.listener)
        table.tell_stakes()

    def take(self, raw: bytes | str) -> None:
        """Do what one message asks, or answer why not."""
        message: msg.ToHouse | None = None
        message_id: str | None = None
        try:
            message = msg.read_message(raw)
            message_id = getattr(message, "id", None)
            if self.floor.is_stopping:
                reason = say.stated(HouseReason.HOUSE_STOPPING())
                self.send(say.MessageProblem(reason, message_id, again=True))
            elif isinstance(message, msg.Ping):
                now = self.floor.clock()
                self.send(say.Pong(now, message.at_ms, self.table.told))
            elif isinstance(message, msg.Hello):
                raise NotDone(HouseReason.HELLO_ONCE())
            else:
                _HANDLERS[type(message)](self, message)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            text = str(error)[:200]
            self.problem(HouseReason.MESSAGE_UNREADABLE(text=text), None)
        except Denied as error:
            self.floor.note_denied(self.name, type(message).__name__, error.reason)
            self.problem(error.reason, message_id)
        except (NotDone, NotationError) as error:
            self.problem(error.reason, message_id)
        except JournalError as error:
            self.problem(PlainReason.RECORDED(text=str(error)), message_id)

    # Who sends

    @property
    def device(self) -> str | None:
        return self._device.name if self._device else None

    @property
    def kind(self) -> str:
        """Return the word under which the connection is counted."""
        return self._device.kind.value if self._device else self.listener.audience.value

    @property
    def name(self) -> str:
        """Return the name by which the log of significant events knows the sender."""
        who = self.floor.name_of(self.session) if self.session is not None else None
        return who or self.device or "nobody"

    def caller(self) -> Caller:
        """Return who is logged on; raise `Denied` where nobody is any more."""
        if self.session is None:
            raise Denied(HouseReason.LOG_ON_FIRST())
        return self.floor.sessions.find(self.session)[1]

    def player(self) -> Person:
        """Return the Player of this seat; raise `Denied` where it is none."""
        if self.listener.seat is None:
            raise Denied(HouseReason.ONLY_SEAT_DOES())
        self.floor.check_device(self.device)
        return Person(self.listener.seat, Role.PLAYER)

    def person(self, command: ask.AnyCommand, position: str | None = None) -> Person:
        """Return the Player of a seat, or who is logged on, in the lowest that may."""
        if self.session is None:
            return self.player()
        caller, table = self.caller(), self.table
        deals = self.floor.record.state.deals(caller.name, table.name)
        person = table.person(caller, command, position)
        if person.role is Role.DEALER and not deals:
            raise Denied(
                HouseReason.NOT_THE_DEALER_OF(person=caller.name, table=table.name)
            )
        return person

    def device_of(self, kind: DeviceKind) -> str:
        """Return the device's name; raise `Denied` where it is not of this kind."""
        if self._device is None or self._device.kind is not kind:
            raise Denied(HouseReason.ONLY_KIND_DOES(kind=kind.value))
        self.floor.check_device(self.device)
        return self._device.name

    def command_id(self, message_id: str) -> str:
        """Return an id of the sender's own: nobody gets another's answer."""
        if self.session is not None:
            return f"s:{self.name}:{message_id}"
        return f"d:{self.device}:{message_id}"

    # What is asked and answered

    def send(self, answer: say.FromHouse) -> None:
        self.listener.outlet.put(say.write_answer(answer))

    def problem(self, reason: Reason, message_id: str | None) -> None:
        self.send(say.MessageProblem(say.stated(reason), message_id))

    def post(
        self,
        message_id: str,
        person: Person,
        command: ask.AnyCommand,
        then: Callable[[Answer], None] | None = None,
        *,
        round_number: int | None = None,
    ) -> None:
        """Post the command to the table, answer the sender, then do what follows."""

        def on_answer(answer: Answer | Exception) -> None:
            if isinstance(answer, Exception):
                self._unknown(message_id)
                return
            self._answer(message_id, answer)
            if then is not None:
                then(answer)

        command_id = self.command_id(message_id)
        submission = Submission(command_id, (person,), command, round_number)
        self.table.post(submission, on_answer, self.listener)

    def _unknown(self, message_id: str) -> None:
        """Say that nobody knows what became of a command: it is to be sent again."""
        reason = HouseReason.TABLE_UNAVAILABLE()
        self.send(say.MessageProblem(say.stated(reason), message_id, again=True))
        self.listener.outlet.dismiss(reason, come_back=True)

    def answers_again(self, message_id: str) -> bool:
        """Send the answer that a message got before; return whether it got one."""
        before = self.table.answer_before(self.command_id(message_id))
        if before is not None:
            self._answer(message_id, before)
        return before is not None

    def _answer(self, message_id: str, answer: Answer) -> None:
        if isinstance(answer, Refused):
            told = self.table.told
            self.send(views.refused(message_id, told, answer.refusal))
            return
        codes = [e.code for e in answer.events if isinstance(e, VoucherIssued)]
        wagers, gone = self._laid(answer)
        seat = None
        owners = self.table.transient.owners
        is_own = any(owner_of(e, owners) == self.listener.seat for e in answer.events)
        if self.listener.told is not None and is_own:
            new = self.table.broadcast.answer_changes(self.listener)
            if new is not None:
                seat, changed, lost = new
                wagers = merge(wagers, changed, key=lambda wager: wager.id)
                gone = tuple({*gone, *lost})
        self.send(
            say.Answered(
                id=message_id,
                sequence=answer.last,
                registered=True,
                voucher=codes[-1] if codes else None,
                seat=seat,
                wagers=wagers,
                gone=gone,
            )
        )

    def _laid(
        self, answer: Accepted
    ) -> tuple[tuple[say.WagerView, ...], tuple[str, ...]]:
        """Return the wagers that a command changed as they lie now, and those gone."""
        lying, gone = [], []
        prefix = prefix_of(self.listener)
        for event in answer.events:
            if isinstance(event, _LAID):
                current = self.table.state.series.current
                wager = current.board.wagers.get(event.wager_id)
                if wager is None:
                    gone.append(event.wager_id.removeprefix(prefix))
                else:
                    lying.append(self.table.views.wager(wager, current, prefix))
        return tuple(lying), tuple(gone)
