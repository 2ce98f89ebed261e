"""One connection to a table: who sends over it, what they ask, and what is answered.

It knows no socket: messages come in as bytes and go out by the listener's outlet.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from croupier.house.connection import messages, views
from croupier.house.connection.first_answers import LAID
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
from croupier.rules.notation import NotationError
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from croupier.table import Accepted, Answer, Refused, Submission
from croupier.table import commands as ask
from croupier.table.reasons import StreamError

if TYPE_CHECKING:
    from croupier.house.floor.floor import Floor
    from croupier.house.floor.table import FloorTable

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
        except NotDone as error:
            act = type(message).__name__
            if message_id is None:
                self._decline(error, None, act)
            else:  # it may have been done when it came first
                self.floor.spawn(self._answer_again_or(error, message_id, act))
        except (NotationError, StreamError) as error:
            self.problem(error.reason, message_id)
        except JournalError:
            self.unknown(message_id)

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
                self.unknown(message_id)
                return
            self._answer(message_id, answer)
            if then is not None:
                then(answer)

        command_id = self.command_id(message_id)
        submission = Submission(command_id, (person,), command, round_number)
        self.table.post(submission, on_answer, self.listener)

    def unknown(self, message_id: str | None) -> None:
        """Say that nobody knows what became of a command: it is to be sent again."""
        reason = say.stated(HouseReason.OUTCOME_UNKNOWN())
        self.send(say.MessageProblem(reason, message_id, again=True))
        leave = HouseReason.TABLE_UNAVAILABLE()
        self.listener.outlet.dismiss(leave, come_back=True)

    def _decline(self, error: NotDone, message_id: str | None, act: str) -> None:
        if isinstance(error, Denied):
            self.floor.note_denied(self.name, act, error.reason)
        self.problem(error.reason, message_id)

    async def _answer_again_or(self, error: NotDone, message_id: str, act: str) -> None:
        """Send the answer that a message got before, or else why it is not done."""
        command_id, table = self.command_id(message_id), self.table
        try:
            self.floor.check_device(self.device)
            before = await asyncio.to_thread(table.answer_before, command_id)
        except JournalError:
            self.unknown(message_id)
        except Denied as denied:
            self._decline(denied, message_id, act)
        else:
            if before is None:
                self._decline(error, message_id, act)
            else:
                self._answer(message_id, before)

    # Answers that stand in no journal

    def answer_unrecorded(self, answer: say.Answered) -> None:
        """Send an answer, and keep it for who asks for the same again."""
        self.table.unrecorded.keep(self.command_id(answer.id), answer)
        self.send(answer)

    def answers_again(self, message_id: str) -> bool:
        """Send such an answer once more; return whether there was one."""
        before = self.table.unrecorded.find(self.command_id(message_id))
        if before is not None:
            self.send(before)
        return before is not None

    def _answer(self, message_id: str, answer: Answer) -> None:
        if isinstance(answer, Refused):
            self.send(views.refused(message_id, answer))
        elif answer.last > self.table.told:
            wagers, gone = self._laid(answer)
            seat = None
            owners = self.table.transient.owners
            own = self.listener.seat
            is_own = any(owner_of(e, owners) == own for e in answer.events)
            if self.listener.told is not None and is_own:
                new = self.table.broadcast.answer_changes(self.listener)
                if new is not None:
                    seat, changed, lost = new
                    wagers = merge(wagers, changed, key=lambda wager: wager.id)
                    gone = tuple({*gone, *lost})
            self._registered(message_id, answer, wagers, gone, seat)
        elif any(isinstance(event, LAID) for event in answer.events):
            self.floor.spawn(self._answer_again(message_id, answer))
        else:
            self._registered(message_id, answer)

    async def _answer_again(self, message_id: str, answer: Accepted) -> None:
        """Answer a command whose commit was told before: its wagers as it left them."""
        prefix, then = prefix_of(self.listener), self.table.wagers_then
        try:
            wagers, gone = await asyncio.to_thread(then.left_by, answer, prefix)
        except JournalError:
            self.unknown(message_id)
        else:
            self._registered(message_id, answer, wagers, gone)

    def _registered(
        self,
        message_id: str,
        answer: Accepted,
        wagers: tuple[say.WagerView, ...] = (),
        gone: tuple[str, ...] = (),
        seat: say.SeatChanges | None = None,
    ) -> None:
        codes = [e.code for e in answer.events if isinstance(e, VoucherIssued)]
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
            if isinstance(event, LAID):
                current = self.table.state.series.current
                wager = current.board.wagers.get(event.wager_id)
                if wager is None:
                    gone.append(event.wager_id.removeprefix(prefix))
                else:
                    lying.append(self.table.views.wager(wager, current, prefix))
        return tuple(lying), tuple(gone)
