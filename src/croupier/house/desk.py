"""One connection's place at a table: who speaks, what they ask, what they are told.

It knows no socket: messages come in as bytes and go out by the listener's `send`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

import msgspec

from croupier.house import views
from croupier.house.acts import read_act_of
from croupier.house.audience import Audience, Listener, Outlet
from croupier.house.floor_table import SYSTEM, FloorTable
from croupier.house.people import Caller, HouseAct
from croupier.house.players import leave_seat, sit
from croupier.house.record import Denied, NotDone
from croupier.house.showing import prefix_of
from croupier.house.state import Device, DeviceKind
from croupier.house.wheel import Proposal, proposed_by
from croupier.journal.store import JournalError
from croupier.ledger.money import VoucherIssued
from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.notation import NotationError, read_number, read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.round import Facts
from croupier.rules.wheel import Number
from croupier.table import Accepted, Answer, Refused, Submission
from croupier.table import commands as ask
from croupier.table.judging import Surroundings, judge

if TYPE_CHECKING:
    from croupier.house.floor import Floor

_KINDS_OF_BOARD = frozenset({DeviceKind.BOARD, DeviceKind.SENSOR, DeviceKind.LAYOUT})
_WHEEL_AND_CHANCE = Surroundings(draw=lambda _: (), spin=lambda _: Number("0"))
"""For judging beforehand what draws nothing."""


class Desk:
    """Where messages of one connection are taken."""

    def __init__(
        self,
        floor: Floor,
        table: FloorTable,
        device: Device | None,
        session: str | None,
        outlet: Outlet,
    ) -> None:
        self._floor = floor
        self.table = table
        self._device = device
        self._session = session
        self.listener = Listener(
            _audience(device, session),
            None,
            device.name if device else None,
            outlet,
        )
        if device is not None and device.kind is DeviceKind.TERMINAL:
            self.listener.seat = floor.seat_at(table.name, device.name)
        self._handlers: dict[type[object], Callable[..., None]] = {
            msg.Wagers: self._wagers,
            msg.Act: self._act,
            msg.Outcome: self._outcome,
            msg.ConfirmLights: self._confirm_lights,
            msg.BallWas: self._ball_was,
            msg.ConfirmBall: self._confirm_ball,
            msg.AnswerNotice: self._answer_notice,
            msg.Redeem: self._redeem,
            msg.Collect: self._collect,
            msg.AskBuyIn: self._ask_buy_in,
            msg.Sit: self._sit,
            msg.Leave: self._leave,
            msg.Shown: self._shown,
            msg.WheelFact: self._wheel_fact,
            msg.Lit: self._lit,
            msg.Ping: self._ping,
        }

    @property
    def kind(self) -> str:
        return self._device.kind.value if self._device else self.listener.audience.value

    @property
    def device(self) -> str | None:
        return self._device.name if self._device else None

    @property
    def session(self) -> str | None:
        return self._session

    async def welcome(self, since: int | None) -> None:
        """What was missed, or a snapshot; then everything, in order."""
        table, listener = self.table, self.listener
        put = listener.outlet.put
        waiting: list[bytes] = []
        listener.waiting = waiting
        table.gallery.join(listener)
        self._floor.options.observer.connected(table.name, self.kind, 1)
        table.tell_stakes()
        changed = say.write_answer(table.showing.changed(listener))
        rows, told = None, table.told
        # No event tells the staff of a wager: to them a snapshot says it all.
        if since is not None and listener.audience is not Audience.STAFF:
            rows = await asyncio.to_thread(table.missed, since, told)
        if rows is None:
            waiting.clear()
            put(say.write_answer(table.showing.snapshot(listener)))
        else:
            for row in rows:
                message = table.showing.past(row, listener)
                if message is not None:
                    put(say.write_answer(message))
            put(changed)
        listener.waiting = None
        for each in waiting:
            put(each)

    def take(self, raw: bytes | str) -> None:
        """One message; whatever is wrong with it is said, and nothing changes."""
        message: msg.ToHouse | None = None
        message_id: str | None = None
        try:
            message = msg.read_message(raw)
            message_id = getattr(message, "id", None)
            if self._floor.is_stopping:
                problem = say.Problem("the house is stopping", message_id, again=True)
                self._send(problem)
                return
            handler = self._handlers.get(type(message))
            if handler is None:
                raise NotDone("hello is said once")
            handler(message)
        except (msgspec.MsgspecError, RecursionError, UnicodeError) as error:
            self._problem(f"the message can't be read: {str(error)[:200]}", None)
        except Denied as error:
            self._floor.note_denied(self._who(), type(message).__name__, str(error))
            self._problem(str(error), message_id)
        except (NotDone, NotationError, JournalError) as error:
            self._problem(str(error), message_id)

    def _problem(self, reason: str, message_id: str | None) -> None:
        self._send(say.Problem(reason, message_id))

    def _send(self, answer: say.FromHouse) -> None:
        self.listener.send(say.write_answer(answer))

    # Who speaks

    def _who(self) -> str:
        if self._session is not None:
            name = self._floor.name_of(self._session)
            if name is not None:
                return name
        return self.device or "nobody"

    def _seat(self) -> str:
        if self.listener.seat is None:
            raise Denied("only a terminal's seat does that")
        self._floor.check_device(self.device)
        return self.listener.seat

    def _caller(self) -> Caller:
        if self._session is None:
            raise Denied("log on first")
        return self._floor.sessions.find(self._session)[1]

    def _person(self, position: str | None) -> Person:
        """The Player of a seat, or somebody of the staff in a position of theirs."""
        if self._session is None:
            return Person(self._seat(), Role.PLAYER)
        caller = self._caller()
        table = self.table
        deals = self._floor.record.state.dealers.get(table.name) == caller.name
        person = caller.person(table.game, position, deals=deals)
        if person.role is Role.DEALER and not deals:
            raise Denied(f"{caller.name} is not the Dealer of {table.name}")
        return person

    def _of_kind(self, kind: DeviceKind) -> str:
        if self._device is None or self._device.kind is not kind:
            raise Denied(f"only a {kind.value} does that")
        self._floor.check_device(self._device.name)
        return self._device.name

    def _command_id(self, message_id: str) -> str:
        """Ids are each sender's own: nobody gets another's answer."""
        if self._session is not None:
            return f"s:{self._who()}:{message_id}"
        return f"d:{self.device}:{message_id}"

    # What they ask

    def _post(
        self,
        message_id: str,
        people: tuple[Person, ...],
        command: ask.AnyCommand,
        then: Callable[[Answer], None] | None = None,
    ) -> None:
        def on_answer(answer: Answer | Exception) -> None:
            if isinstance(answer, Exception):
                self._problem("the table can't take anything just now", message_id)
                return
            self._answer(message_id, answer)
            if then is not None:
                then(answer)

        submission = Submission(self._command_id(message_id), people, command)
        self.table.post(submission, on_answer, self.listener)

    def _answer(self, message_id: str, answer: Answer) -> None:
        table, seat = self.table, self.listener.seat
        if isinstance(answer, Refused):
            self._send(views.refused(message_id, table.told, answer.refusal))
            return
        wagers: list[say.ShownWager] = []
        voucher: str | None = None
        current = table.state.series.current if table.state.series.last else None
        for event in answer.events:
            if isinstance(
                event, ev.WagerPlaced | ev.WagerIncreased | ev.WagerWithdrawn
            ):
                assert current is not None
                wager = current.board.wagers.get(event.wager_id)
                prefix = prefix_of(self.listener)
                wagers.append(
                    views.withdrawn_shown(
                        event.wager_id.removeprefix(prefix), seat or ""
                    )
                    if wager is None
                    else views.wager_shown(wager, current, prefix)
                )
            elif isinstance(event, VoucherIssued):
                voucher = event.code
        self._send(
            say.Answered(
                id=message_id,
                sequence=answer.last,
                registered=True,
                voucher=voucher,
                wagers=tuple(wagers),
                seat=table.showing.seat(seat),
            )
        )

    def _wagers(self, message: msg.Wagers) -> None:
        seat = self._seat()
        prefix, terminal = prefix_of(self.listener), self.device
        further = self.table.game.multiples
        parts: list[do.PlaceWager | do.IncreaseWager | do.WithdrawWager] = [
            do.WithdrawWager(prefix + wager_id, seat) for wager_id in message.withdraw
        ]
        parts += [
            do.IncreaseWager(prefix + more.id, seat, more.stake_cents)
            for more in message.increase
        ]
        parts += [
            do.PlaceWager(
                wager_id=prefix + new.id,
                player=seat,
                wager=read_wager(new.wager, further),
                stake_cents=new.stake_cents,
                electronic=True,
                terminal=terminal,
            )
            for new in message.place
        ]
        command = parts[0] if len(parts) == 1 else ask.Together(tuple(parts))
        self._post(message.id, (Person(seat, Role.PLAYER),), command)

    def _act(self, message: msg.Act) -> None:
        person = self._person(message.position)
        player = message.player
        if person.role is Role.PLAYER:
            player = person.name
        command = read_act_of(self.table.game, message.act, player)
        if isinstance(command, do.AnnounceOutcome):
            self._key(message.id, person, command.number)
            return
        if isinstance(command, do.VoidRounds) and person.role is not Role.PLAYER:
            raise NotDone("rounds are voided by two people: propose it")
        people = (person,)
        if isinstance(command, do.PlaceWager | do.IncreaseWager | do.WithdrawWager):
            if person.role is Role.PLAYER:
                raise NotDone("a terminal sends its wagers as wagers, not as an act")
            if player is not None and not message.on_request:
                self._check_laid(command)
                people = (Person(player, Role.PLAYER),)
        self._post(message.id, people, command)

    def _check_laid(
        self, command: do.PlaceWager | do.IncreaseWager | do.WithdrawWager
    ) -> None:
        """Staff record what Players do with their chips, never with their credit."""
        electronic = isinstance(command, do.PlaceWager) and command.electronic
        if self.table.state.is_in_play:
            wagers = self.table.state.series.current.board.wagers
            lies = wagers.get(command.wager_id)
            electronic = electronic or (lies is not None and lies.electronic)
        if electronic:
            raise Denied("a Player's credit is staked at their terminal")

    def _outcome(self, message: msg.Outcome) -> None:
        person = self._person(None)
        number = read_number(message.number)
        if not message.confirmed:
            self._key(message.id, person, number)
            return
        if self.table.now.keyed != number and not self._is_answered(message.id):
            raise NotDone(f"{number} has not been keyed: key it, then confirm it")
        self._post(message.id, (person,), do.AnnounceOutcome(number))

    def _is_answered(self, message_id: str) -> bool:
        return self.table.has_answered(self._command_id(message_id))

    def _key(self, message_id: str, person: Person, number: Number) -> None:
        """Read back before it is announced; what would be refused is refused now."""
        table = self.table
        announce = do.AnnounceOutcome(number)
        submission = Submission("keyed", (person,), announce)
        verdict = judge(table.state, submission, _WHEEL_AND_CHANCE)
        if not isinstance(verdict, tuple):
            self._post(message_id, (person,), announce)
            return
        table.now.keyed = number
        table.telling.changed()
        words = views.read_back(table.state.series.current, number)
        self._send(
            say.Answered(message_id, table.told, registered=True, read_back=words)
        )

    def _confirm_lights(self, message: msg.ConfirmLights) -> None:
        self._post(message.id, (self._person(None),), ask.ConfirmLights())

    def _ball_was(self, message: msg.BallWas) -> None:
        number = None if message.at_rest is None else read_number(message.at_rest)
        self._post(message.id, (self._person(None),), ask.StateBall(number))

    def _confirm_ball(self, message: msg.ConfirmBall) -> None:
        self._post(message.id, (self._person(None),), ask.ConfirmBall())

    def _answer_notice(self, message: msg.AnswerNotice) -> None:
        table = self.table
        notice = table.now.notices.get(message.notice)
        person = self._person(None)
        if notice is None:
            if not self._is_answered(message.id):
                raise NotDone(f"there is no notice {message.notice}")
            self._post(message.id, (person,), ask.ConfirmLights())  # answered before
            return

        def accepted() -> None:
            table.now.notices.pop(message.notice, None)
            record = ask.AnswerNotice(notice.text, notice.clause, True)
            command_id = f"{self._command_id(message.id)}+"
            table.post(Submission(command_id, (person,), record), lambda _: None)
            table.telling.changed()

        if not message.accept:
            self._dismiss(message.id, person, notice)
            return
        command = self._accepted(notice)
        self._post(
            message.id,
            (person,),
            command,
            lambda answer: accepted() if isinstance(answer, Accepted) else None,
        )

    def _dismiss(self, message_id: str, person: Person, notice: say.Notice) -> None:
        """By the staff; a Player takes back only what they asked for themselves."""
        table = self.table
        if person.role is Role.PLAYER and notice.seat != person.name:
            raise Denied("notices are for the staff to answer")

        def dismissed(_: Answer) -> None:
            table.now.notices.pop(notice.id, None)
            table.telling.changed()

        record = ask.AnswerNotice(notice.text, notice.clause, False)
        self._post(message_id, (person,), record, dismissed)

    def _accepted(self, notice: say.Notice) -> ask.AnyCommand:
        """What accepting a notice does."""
        if notice.kind == "buy_in":
            self._caller().must(HouseAct.HANDLE_MONEY)
            assert notice.seat is not None
            assert notice.cents is not None
            return ask.BuyIn(notice.seat, notice.cents)
        assert notice.act is not None
        return read_act_of(self.table.game, notice.act)

    def _redeem(self, message: msg.Redeem) -> None:
        seat = self._seat()
        code = message.code.strip().upper()
        self._post(
            message.id, (Person(seat, Role.PLAYER),), ask.RedeemVoucher(seat, code)
        )

    def _collect(self, message: msg.Collect) -> None:
        seat = self._seat()
        credit = views.credit_of(self.table.state, seat)
        cents = message.cents if message.cents is not None else credit
        command = ask.IssueVoucher(seat, cents)
        self._post(message.id, (Person(seat, Role.PLAYER),), command)

    def _ask_buy_in(self, message: msg.AskBuyIn) -> None:
        seat = self._seat()
        self.table.propose(
            Proposal("buy_in", f"{seat} asks to buy in", ""), seat, message.cents
        )
        self._send(say.Answered(message.id, self.table.told, registered=True))

    def _sit(self, message: msg.Sit) -> None:
        self._seat()
        assert self.device is not None
        table, device = self.table, self.device
        if views.credit_of(table.state, device) or table.has_wagers(device):
            raise NotDone("collect the credit of this seat first")
        floor = self._floor

        def seated() -> None:
            name, pin = message.player, message.pin
            sit(floor.record, floor.sessions, (table.name, device), name, pin)

        self._house(message.id, seated, message.player)

    def _leave(self, message: msg.Leave) -> None:
        seat = self._seat()
        assert self.device is not None
        table, floor = self.table, self._floor
        if table.has_wagers(seat):
            raise NotDone("the round is still in play")

        def left() -> None:
            leave_seat(floor.record, seat)

        self._house(message.id, left, self.device)

    def _house(self, message_id: str, act: Callable[[], None], seat: str) -> None:
        """An act of the house, off the loop; then this terminal shows another seat."""

        async def do_it() -> None:
            try:
                await self._floor.in_house(act)
            except NotDone as error:
                self._problem(str(error), message_id)
                return
            self.table.gallery.reseat(self.listener, seat)
            shown = self.table.showing.seat(seat)
            told = self.table.told
            self._send(say.Answered(message_id, told, registered=True, seat=shown))
            self._send(self.table.showing.snapshot(self.listener))

        self._floor.spawn(do_it())

    def _shown(self, message: msg.Shown) -> None:
        terminal = self._of_kind(DeviceKind.TERMINAL)
        report = ask.ReportShown(terminal, message.announcement, message.at_ms)
        self._post(message.id, (SYSTEM,), report)

    def _wheel_fact(self, message: msg.WheelFact) -> None:
        device = self._of_kind(DeviceKind.SENSOR)
        number = None if message.number is None else read_number(message.number)
        table = self.table
        series = table.state.series
        facts = series.current.facts if series.last else Facts()
        proposal = proposed_by(table.game, facts, message)
        if proposal is None:
            raise NotDone(f"{message.fact[:40]} is no fact of a spin")
        report = ask.ReportWheel(
            device, message.fact, number, message.revolutions, message.against_wheel
        )
        self._post(message.id, (SYSTEM,), report, lambda _: table.propose(proposal))

    def _lit(self, message: msg.Lit) -> None:
        device = self._of_kind(DeviceKind.LAYOUT)
        number = read_number(message.number)
        self._post(message.id, (SYSTEM,), ask.ReportLight(device, number))

    def _ping(self, message: msg.Ping) -> None:
        now = self._floor.clock()
        self._send(say.Pong(now, message.at_ms, self.table.told))


def _audience(device: Device | None, session: str | None) -> Audience:
    if session is not None:
        return Audience.STAFF
    if device is not None and device.kind is DeviceKind.TERMINAL:
        return Audience.SEAT
    return Audience.BOARD
