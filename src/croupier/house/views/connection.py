"""One connection to a table: its sender, commands and answers.

It knows no socket: messages come in as bytes and go out through its outlet.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from croupier.house.floor.table import FloorCommand, FloorTable
from croupier.house.people.authority import Caller
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import (
    Denied,
    IdUsed,
    NotDone,
    RefusedTooOften,
)
from croupier.house.records.house_state import Device, DeviceKind
from croupier.house.views import messages, parts
from croupier.house.views.first_answers import issued_voucher
from croupier.house.views.listeners import (
    Audience,
    Outlet,
    owner_of,
    prefix_of,
)
from croupier.journal.events.house import AskedBy
from croupier.journal.store import JournalError, JournalFrozen
from croupier.protocol import answers
from croupier.protocol.messages import Command, Hello, Ping, read_id, read_message
from croupier.rules.events import WagerIncreased, WagerPlaced, WagerWithdrawn
from croupier.rules.notation import NotationError
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from croupier.table import Accepted, Answer, Refused, Submission
from croupier.table.commands import AnyCommand, sent_digest
from croupier.table.reasons import StreamError

if TYPE_CHECKING:
    from croupier.house.floor.floor import Floor

LAID = WagerPlaced | WagerIncreased | WagerWithdrawn
"""Events that change the wagers listed in an answer."""
_Wagers = tuple[answers.WagerView, ...]


class Connection:
    """A device, a member of staff, or both, at one table.

    The sender is looked up for each message, because sessions end, devices are revoked,
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
        self.floor, self.table, self.outlet = floor, table, outlet
        self._device = device
        self.device = None if device is None else device.name
        self.session = session
        is_terminal = device is not None and device.kind is DeviceKind.TERMINAL
        self.audience = Audience.SEAT if is_terminal else Audience.BOARD
        if session is not None:
            self.audience = Audience.STAFF
        self.seat: str | None = None
        """The name of the seat: its Player's, or the terminal's."""
        if device is not None and is_terminal:
            self.seat = floor.seat_at(table.name, device.name)
        self.prefix = ""
        """The prefix of the terminal's wager ids at its table."""
        if device is not None and self.audience is Audience.SEAT:
            self.prefix = prefix_of(device.name)
        self.told: answers.SeatView | None = None
        """The seat as last sent, without its wagers."""
        self.wagers: dict[str, answers.WagerView] = {}
        """The wagers of the seat as last sent, by id."""
        self._player: Person | None = None
        """The Player of the last act here."""

    def take(self, raw: bytes | str) -> None:
        """Handle one message: do it, or answer with the reason why not."""
        try:
            message = read_message(raw)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            text = str(error)[:200]
            unreadable = HouseReason.MESSAGE_UNREADABLE(text=text)
            self.problem(unreadable, read_id(raw))
            return
        if isinstance(message, Ping | Hello):
            self._take_other(message)
        elif self.floor.is_stopping:
            self._come_back(message.id)
        else:
            self._take_command(message)

    def _take_command(self, message: Command) -> None:
        act = type(message).__name__
        try:
            self.floor.check_refusals(self.name, AskedBy.MESSAGE, act)
            messages.HANDLERS[type(message)](self, message)
        except (NotDone, NotationError, JournalError) as error:
            is_final = isinstance(error, RefusedTooOften | IdUsed)
            if isinstance(error, NotDone) and not is_final:
                # It may be a repetition of a command that was done.
                self.floor.spawn(self._answer_again_or(error, message))
            else:
                self._fail(error, message.id, act)

    def _fail(self, error: Exception, message_id: str, act: str) -> None:
        """Answer with the reason of a failure, or that the outcome is unknown."""
        match error:
            case RefusedTooOften():
                self._come_back(message_id, error.reason)
            case Denied() | IdUsed():
                asked_by = AskedBy.MESSAGE
                self.floor.note_denied(self.name, asked_by, act, error.reason)
                self.problem(error.reason, message_id)
            case NotDone() | NotationError() | StreamError() | JournalFrozen():
                self.problem(error.reason, message_id)
            case _:
                self.unknown(message_id)

    def _take_other(self, message: Ping | Hello) -> None:
        """Answer a ping or a second hello."""
        if self.floor.is_stopping:
            self._come_back(None)
        elif isinstance(message, Ping):
            now = self.floor.clock()
            self.send(answers.Pong(now, message.at_ms, self.table.told))
        else:
            self.problem(HouseReason.HELLO_ONCE(), None)

    def _come_back(self, message_id: str | None, reason: Reason | None = None) -> None:
        stated = answers.stated(reason or HouseReason.HOUSE_STOPPING())
        self.send(answers.MessageProblem(stated, message_id, again=True))

    # The sender

    @property
    def kind(self) -> str:
        return self._device.kind.value if self._device else self.audience.value

    @property
    def name(self) -> str:
        """The sender's name in the log of significant events."""
        who = (
            self.floor.sessions.name_of(self.session)
            if self.session is not None
            else None
        )
        return who or self.device or "nobody"

    def caller(self) -> Caller:
        if self.session is None:
            raise Denied(HouseReason.LOG_ON_FIRST())
        return self.floor.sessions.find(self.session)[1]

    def player(self) -> Person:
        """Return the Player of this seat; raise `Denied` if this is no seat."""
        if self.seat is None or self.device is None:
            raise Denied(HouseReason.ONLY_SEAT_DOES())
        self._check_device()
        seat = self.floor.seat_at(self.table.name, self.device)
        if self.seat != seat:  # the event of the change is still on its way
            self.table.reseat(self.device, seat)
        if self._player is None or self._player.name != seat:
            self._player = Person(seat, Role.PLAYER)
        return self._player

    def person(self, command: AnyCommand, position: str | None = None) -> Person:
        """Return the Player of the seat, or the staff member in a position that may."""
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

    def _check_device(self) -> None:
        if self.device and self.device not in self.floor.record.state.devices:
            raise Denied(HouseReason.DEVICE_REVOKED())

    def device_of(self, kind: DeviceKind) -> str:
        if self._device is None or self._device.kind is not kind:
            raise Denied(HouseReason.ONLY_KIND_DOES(kind=kind.value))
        self._check_device()
        return self._device.name

    def command_id(self, message_id: str) -> str:
        """Return the command's id in the journal, which no other sender can use."""
        if self.session is not None:
            return f"s:{self.name}:{message_id}"
        return f"d:{self.device}:{message_id}"

    def _sent(self, message: Command) -> str:
        if self.session is not None or self._device is None:
            return sent_digest(message)
        return sent_digest(message, self._device.token or "")

    # Commands and answers

    def send(self, answer: answers.FromHouse) -> None:
        self.outlet.put(answers.write_answer(answer))

    def problem(self, reason: Reason, message_id: str | None) -> None:
        self.send(answers.MessageProblem(answers.stated(reason), message_id))

    def post(
        self,
        message: Command,
        person: Person,
        command: AnyCommand,
        then: Callable[[Answer], None] | None = None,
        *,
        unsure: Callable[[], None] | None = None,
        round_number: int | None = None,
    ) -> None:
        """Post the command to the table, answer the sender, then call `then`.

        If it is unknown whether the command was recorded, call `unsure` instead.
        """
        command_id, sent = self.command_id(message.id), self._sent(message)
        self.table.unrecorded.find(command_id, sent)
        submission = Submission(command_id, (person,), command, round_number, sent)
        tell = partial(self._told, message.id, command, then, unsure)
        self.table.put(FloorCommand(submission, tell, self))

    def _told(
        self,
        message_id: str,
        command: AnyCommand,
        then: Callable[[Answer], None] | None,
        unsure: Callable[[], None] | None,
        answer: Answer | Exception,
    ) -> None:
        if isinstance(answer, Exception):
            self._fail(answer, message_id, type(command).__name__)
            if unsure is not None and not isinstance(answer, JournalFrozen | IdUsed):
                unsure()
        else:
            self.answer(message_id, answer)
            if then is not None:
                then(answer)

    def unknown(self, message_id: str | None) -> None:
        """Ask the sender to repeat a command whose outcome is unknown."""
        reason = answers.stated(HouseReason.OUTCOME_UNKNOWN())
        self.send(answers.MessageProblem(reason, message_id, again=True))
        leave = HouseReason.TABLE_UNAVAILABLE()
        self.outlet.dismiss(leave, come_back=True)

    async def _answer_again_or(self, error: NotDone, message: Command) -> None:
        """Send the first answer to a message, or the reason if it has none."""
        command_id, table = self.command_id(message.id), self.table
        act = type(message).__name__
        try:
            self._check_device()
            before = await asyncio.to_thread(table.answer_before, command_id)
        except (JournalError, Denied) as failure:
            self._fail(failure, message.id, act)
        else:
            if before is None:
                self._fail(error, message.id, act)
            elif before.sent != self._sent(message):
                self._fail(IdUsed(), message.id, act)
            else:
                self.answer(message.id, before)

    # Answers that are not in the journal

    def answer_unrecorded(self, message: Command, answer: answers.Answered) -> None:
        self.keep_unrecorded(message, answer)
        self.send(answer)

    def keep_unrecorded(self, message: Command, answer: answers.Answered) -> None:
        command_id, sent = self.command_id(message.id), self._sent(message)
        self.table.unrecorded.keep(command_id, sent, answer)

    def answers_again(self, message: Command) -> bool:
        """Repeat an answer that is not in the journal; return whether there was one.

        Raises `IdUsed` if another message, or another sender, had the id.
        """
        command_id, sent = self.command_id(message.id), self._sent(message)
        before = self.table.unrecorded.find(command_id, sent)
        if before is not None:
            self.send(before)
        return before is not None

    def answer(self, message_id: str, answer: Answer) -> None:
        """Send a table's answer, the first time with the changes of the seat."""
        told = self.table.told
        if isinstance(answer, Refused):
            if answer.sequence > told:
                self.floor.note_refused(self.name)
            self.send(parts.refused(message_id, answer))
            return
        seat: answers.SeatChanges | None = None
        wagers: _Wagers = ()
        gone: tuple[str, ...] = ()
        issued = issued_voucher(answer)
        if answer.last <= told:  # repeated: the seat has had the changes
            if issued is not None and issued.seat != self.seat:
                issued = None  # another Player sits here now
        elif self._changes_seat(answer):
            seat, wagers, gone = self._at_seat(answer)
        else:
            wagers, gone = self._laid(answer)
        self.send(
            answers.Answered(
                id=message_id,
                sequence=answer.last,
                registered=True,
                voucher=(issued and issued.code) or None,
                seat=seat,
                wagers=wagers,
                gone=gone,
            )
        )

    def _changes_seat(self, answer: Accepted) -> bool:
        """Return whether a command has changed its sender's own seat."""
        own, table = self.seat, self.table
        if self.told is None:
            return False
        owners = table.transient.owners
        return table.broadcast.laid is not None or any(
            owner_of(event, owners) == own for event in answer.events
        )

    def _at_seat(
        self, answer: Accepted
    ) -> tuple[answers.SeatChanges | None, _Wagers, tuple[str, ...]]:
        """Return the changes of the seat, and the command's own wagers."""
        seat, untold = self.table.broadcast.answer_changes(self)
        lying: dict[str, answers.WagerView] = {}
        gone: dict[str, None] = {}
        for event in answer.events:
            if not isinstance(event, LAID):
                continue
            wager_id = event.wager_id.removeprefix(self.prefix)
            wager = self.wagers.get(wager_id)
            if wager is None:
                gone[wager_id] = None
                untold.gone.pop(wager_id, None)
            else:
                lying[wager_id] = wager
                untold.changed.pop(wager_id, None)
        return seat, tuple(lying.values()), tuple(gone)

    def _laid(self, answer: Accepted) -> tuple[_Wagers, tuple[str, ...]]:
        """Return the wagers that a command changed, and the ids of those gone."""
        lying, gone = [], []
        prefix = self.prefix
        for event in answer.events:
            if isinstance(event, LAID):
                current = self.table.state.series.current
                wager = current.board.wagers.get(event.wager_id)
                if wager is None:
                    gone.append(event.wager_id.removeprefix(prefix))
                else:
                    lying.append(self.table.views.wager(wager, current, prefix))
        return tuple(lying), tuple(gone)
