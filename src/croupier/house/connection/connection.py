"""One connection to a table: who sends over it, what they ask, and what is answered.

It knows no socket: messages come in as bytes and go out by the listener's outlet.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from croupier.house.connection import messages, views
from croupier.house.connection.first_answers import issued_voucher
from croupier.house.connection.listeners import (
    Audience,
    Listener,
    Outlet,
    owner_of,
)
from croupier.house.floor.pending_command import PendingCommand
from croupier.house.people.authority import Caller
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import (
    Denied,
    IdUsed,
    NotDone,
    RefusedTooOften,
)
from croupier.house.records.house_state import Device, DeviceKind
from croupier.journal.events.house import AskedBy
from croupier.journal.store import JournalError, JournalFrozen
from croupier.ledger.money import VoucherIssued
from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.rules import events as ev
from croupier.rules.notation import NotationError
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from croupier.table import Accepted, Answer, Refused, Submission
from croupier.table import commands as ask
from croupier.table.reasons import StreamError

if TYPE_CHECKING:
    from croupier.house.floor.floor import Floor
    from croupier.house.floor.table import FloorTable

LAID = ev.WagerPlaced | ev.WagerIncreased | ev.WagerWithdrawn
"""Events that an answer tells as wagers, lying there or gone."""
_HANDLERS = {**messages.STAFF_HANDLERS, **messages.DEVICE_HANDLERS}


class _DeviceCommand(PendingCommand):
    """A command that came over a connection, and is answered there."""

    __slots__ = ("_connection", "_message_id", "_then", "_unsure")

    def __init__(
        self,
        connection: Connection,
        message_id: str,
        command: ask.AnyCommand,
        then: Callable[[Answer], None] | None,
        unsure: Callable[[], None] | None,
    ) -> None:
        super().__init__(connection.table, command, connection.listener)
        self._connection, self._message_id = connection, message_id
        self._then, self._unsure = then, unsure

    def tell(self, answer: Answer | Exception) -> None:
        if isinstance(answer, JournalFrozen):
            self._connection.problem(answer.reason, self._message_id)
            return
        if isinstance(answer, IdUsed):
            act = type(self.command).__name__
            self._connection.decline(answer, self._message_id, act)
            return
        if isinstance(answer, Exception):
            self._connection.unknown(self._message_id)
            if self._unsure is not None:
                self._unsure()
            return
        self._connection.answer(self._message_id, answer)
        if self._then is not None:
            self._then(answer)


class Connection:
    """A device, somebody of the staff, or both, at one table.

    Who they are is asked anew for each message: sessions end, devices are revoked,
    and Players sit down and leave.
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
        self.device = None if device is None else device.name
        self._player: Person | None = None
        """Who sat here when they last did something."""
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
        try:
            message = msg.read_message(raw)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            text = str(error)[:200]
            unreadable = HouseReason.MESSAGE_UNREADABLE(text=text)
            self.problem(unreadable, msg.read_id(raw))
            return
        if isinstance(message, msg.Ping | msg.Hello):
            self._take_other(message)
        elif self.floor.is_stopping:
            self._come_back(message.id)
        else:
            self._take_command(message)

    def _take_command(self, message: msg.Command) -> None:
        act = type(message).__name__
        try:
            self.floor.check_refusals(self.name, AskedBy.MESSAGE, act)
            _HANDLERS[type(message)](self, message)
        except RefusedTooOften as error:
            self._come_back(message.id, error.reason)
        except IdUsed as error:
            self.decline(error, message.id, act)
        except NotDone as error:  # it may have been done when it came first
            self.floor.spawn(self._answer_again_or(error, message))
        except (NotationError, StreamError, JournalFrozen) as error:
            self.problem(error.reason, message.id)
        except JournalError:
            self.unknown(message.id)

    def _take_other(self, message: msg.Ping | msg.Hello) -> None:
        """Answer what is no command."""
        if self.floor.is_stopping:
            self._come_back(None)
        elif isinstance(message, msg.Ping):
            now = self.floor.clock()
            self.send(say.Pong(now, message.at_ms, self.table.told))
        else:
            self.problem(HouseReason.HELLO_ONCE(), None)

    def _come_back(self, message_id: str | None, reason: Reason | None = None) -> None:
        """Say that a message is to be sent again; nothing was done."""
        stated = say.stated(reason or HouseReason.HOUSE_STOPPING())
        self.send(say.MessageProblem(stated, message_id, again=True))

    # Who sends

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
        if self.listener.seat is None or self.device is None:
            raise Denied(HouseReason.ONLY_SEAT_DOES())
        self.floor.check_device(self.device)
        seat = self.floor.seat_at(self.table.name, self.device)
        if self.listener.seat != seat:  # what the house has recorded is heard soon
            self.table.reseat(self.device, seat)
        if self._player is None or self._player.name != seat:
            self._player = Person(seat, Role.PLAYER)
        return self._player

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

    def _sent(self, message: msg.Command) -> str:
        """Return the digest that ties an id to its message, and to a device's token."""
        if self.session is not None or self._device is None:
            return ask.sent_digest(message)
        return ask.sent_digest(message, self._device.token or "")

    # What is asked and answered

    def send(self, answer: say.FromHouse) -> None:
        self.listener.outlet.put(say.write_answer(answer))

    def problem(self, reason: Reason, message_id: str | None) -> None:
        self.send(say.MessageProblem(say.stated(reason), message_id))

    def post(
        self,
        message: msg.Command,
        person: Person,
        command: ask.AnyCommand,
        then: Callable[[Answer], None] | None = None,
        *,
        unsure: Callable[[], None] | None = None,
        round_number: int | None = None,
    ) -> None:
        """Post the command to the table, answer the sender, then do what follows.

        `unsure` is called instead of `then` where nobody knows if it is recorded.
        """
        command_id, sent = self.command_id(message.id), self._sent(message)
        self.table.unrecorded.find(command_id, sent)
        submission = Submission(command_id, (person,), command, round_number, sent)
        pending = _DeviceCommand(self, message.id, command, then, unsure)
        self.table.queue(submission, pending)

    def unknown(self, message_id: str | None) -> None:
        """Say that nobody knows what became of a command: it is to be sent again."""
        reason = say.stated(HouseReason.OUTCOME_UNKNOWN())
        self.send(say.MessageProblem(reason, message_id, again=True))
        leave = HouseReason.TABLE_UNAVAILABLE()
        self.listener.outlet.dismiss(leave, come_back=True)

    def decline(self, error: NotDone, message_id: str | None, act: str) -> None:
        if isinstance(error, Denied | IdUsed):
            self.floor.note_denied(self.name, AskedBy.MESSAGE, act, error.reason)
        self.problem(error.reason, message_id)

    async def _answer_again_or(self, error: NotDone, message: msg.Command) -> None:
        """Send the answer that a message got before, or else why it is not done."""
        command_id, table = self.command_id(message.id), self.table
        act = type(message).__name__
        try:
            self.floor.check_device(self.device)
            before = await asyncio.to_thread(table.answer_before, command_id)
        except JournalError:
            self.unknown(message.id)
        except Denied as denied:
            self.decline(denied, message.id, act)
        else:
            if before is None:
                self.decline(error, message.id, act)
            elif before.sent != self._sent(message):
                self.decline(IdUsed(), message.id, act)
            else:
                self.answer(message.id, before)

    # Answers that stand in no journal

    def answer_unrecorded(self, message: msg.Command, answer: say.Answered) -> None:
        """Send an answer, and keep it for who asks for the same again."""
        self.keep_unrecorded(message, answer)
        self.send(answer)

    def keep_unrecorded(self, message: msg.Command, answer: say.Answered) -> None:
        command_id, sent = self.command_id(message.id), self._sent(message)
        self.table.unrecorded.keep(command_id, sent, answer)

    def answers_again(self, message: msg.Command) -> bool:
        """Send such an answer once more; return whether there was one.

        Raises `IdUsed` if it was to another message, or to another sender.
        """
        command_id, sent = self.command_id(message.id), self._sent(message)
        before = self.table.unrecorded.find(command_id, sent)
        if before is not None:
            self.send(before)
        return before is not None

    def answer(self, message_id: str, answer: Answer) -> None:
        if isinstance(answer, Refused):
            if answer.sequence > self.table.told:
                self.floor.refusal_budget.spend(self.name)
            self.send(views.refused(message_id, answer))
        elif answer.last > self.table.told:
            if self._changes_seat(answer):
                self._answer_seat(message_id, answer)
            else:
                wagers, gone = self._laid(answer)
                issued = issued_voucher(answer)
                self._registered(message_id, answer, wagers, gone, issued=issued)
        else:  # what it left at the seat has been told
            issued = issued_voucher(answer)
            if issued is not None and issued.seat != self.listener.seat:
                issued = None  # whoever sits here now did not collect it
            self._registered(message_id, answer, issued=issued)

    def _changes_seat(self, answer: Accepted) -> bool:
        """Say whether a command has changed what its own terminal sees of its seat."""
        own, table = self.listener.seat, self.table
        if self.listener.told is None:
            return False
        owners = table.transient.owners
        return table.broadcast.is_of_wagers or any(
            owner_of(event, owners) == own for event in answer.events
        )

    def _answer_seat(self, message_id: str, answer: Accepted) -> None:
        """Answer with what is new at the seat, and the command's own wagers."""
        listener = self.listener
        seat, untold = self.table.broadcast.answer_changes(listener)
        lying: dict[str, say.WagerView] = {}
        gone: dict[str, None] = {}
        for event in answer.events:
            if not isinstance(event, LAID):
                continue
            wager_id = event.wager_id.removeprefix(listener.prefix)
            wager = listener.wagers.get(wager_id)
            if wager is None:
                gone[wager_id] = None
                untold.gone.pop(wager_id, None)
            else:
                lying[wager_id] = wager
                untold.changed.pop(wager_id, None)
        wagers = tuple(lying.values())
        issued = issued_voucher(answer)
        self._registered(message_id, answer, wagers, tuple(gone), seat, issued=issued)

    def _registered(
        self,
        message_id: str,
        answer: Accepted,
        wagers: tuple[say.WagerView, ...] = (),
        gone: tuple[str, ...] = (),
        seat: say.SeatChanges | None = None,
        *,
        issued: VoucherIssued | None,
    ) -> None:
        self.send(
            say.Answered(
                id=message_id,
                sequence=answer.last,
                registered=True,
                voucher=(issued and issued.code) or None,
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
        prefix = self.listener.prefix
        for event in answer.events:
            if isinstance(event, LAID):
                current = self.table.state.series.current
                wager = current.board.wagers.get(event.wager_id)
                if wager is None:
                    gone.append(event.wager_id.removeprefix(prefix))
                else:
                    lying.append(self.table.views.wager(wager, current, prefix))
        return tuple(lying), tuple(gone)
