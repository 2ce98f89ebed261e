"""Handlers of the messages of devices, seats and staff at a table."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, Any

from croupier.house.floor.transient_state import (
    BUY_IN,
    DeviceProposal,
    OpenNotice,
    proposed_by,
)
from croupier.house.people.authority import HouseAct
from croupier.house.people.players import leave_seat, sit
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, NotDone
from croupier.house.records.house_state import DeviceKind
from croupier.house.views import parts
from croupier.journal.store import JournalError, JournalFrozen
from croupier.ledger.commands import BuyIn, IssueVoucher, RedeemVoucher
from croupier.ledger.money import read_code
from croupier.protocol import messages
from croupier.protocol.answers import Answered
from croupier.rules import commands
from croupier.rules.clause import Refusal
from croupier.rules.game import Game
from croupier.rules.notation import read_number
from croupier.rules.operator import Person, Role
from croupier.rules.sensor_facts import SENSOR_FACTS
from croupier.rules.wheel import Number
from croupier.table import Accepted, Answer, Refused, Submission
from croupier.table.commands import (
    AnswerNotice,
    AnyCommand,
    ConfirmBall,
    ConfirmLights,
    RecordInterpretation,
    ReportLight,
    ReportShown,
    StateBall,
    Together,
    WagerPart,
)
from croupier.table.decisions import NO_CHANCE, judge
from croupier.table.judgements import SYSTEM
from croupier.transcript.acts import read_act
from croupier.transcript.words import ActReader, TranscriptError, split_line

if TYPE_CHECKING:
    from croupier.house.floor.table import FloorTable
    from croupier.house.views.connection import Connection


Handler = Callable[["Connection", Any], None]
StaffMessage = (
    messages.ConfirmLightsSeen
    | messages.BallWas
    | messages.ConfirmBallStated
    | messages.Interpret
)
_AGAIN_S = 1.0
"""Pause before a failed journal is read again."""

# A terminal, for the Player at it


def _change_wagers(by: Connection, message: messages.ChangeWagers) -> None:
    player = by.player()
    seat, prefix = player.name, by.prefix
    parts: list[WagerPart] = [
        *(commands.WithdrawWager(prefix + each, seat) for each in message.withdraw),
        *(
            commands.IncreaseWager(prefix + more.id, seat, more.stake_cents)
            for more in message.increase
        ),
        *(_placing(by, seat, new) for new in message.place),
    ]
    command = parts[0] if len(parts) == 1 else Together(tuple(parts))
    by.post(message, player, command, round_number=message.round)


def _placing(by: Connection, seat: str, new: messages.NewWager) -> commands.PlaceWager:
    return commands.PlaceWager(
        wager_id=by.prefix + new.id,
        player=seat,
        wager=by.table.read_wager(new.wager),
        stake_cents=new.stake_cents,
        electronic=True,
        terminal=by.device,
    )


def _redeem(by: Connection, message: messages.Redeem) -> None:
    player = by.player()
    redeem = RedeemVoucher(player.name, read_code(message.code))
    by.post(message, player, redeem)


def _collect(by: Connection, message: messages.Collect) -> None:
    player = by.player()
    cents = message.cents
    if cents is None:
        cents = by.table.state.credit(player.name)
    by.post(message, player, IssueVoucher(player.name, cents))


def _ask_buy_in(by: Connection, message: messages.AskBuyIn) -> None:
    table, seat = by.table, by.player().name
    if by.answers_again(message):
        return
    reason, cents = HouseReason.ASKS_TO_BUY_IN(seat=seat), message.cents
    buy_in = BuyIn(seat, cents)
    table.propose(DeviceProposal(BUY_IN, reason, buy_in, seat=seat, cents=cents))
    by.answer_unrecorded(message, Answered(message.id, table.told, registered=True))


def _sit(by: Connection, message: messages.Sit) -> None:
    by.player()
    if by.answers_again(message):
        return
    floor, table, device = by.floor, by.table, by.device
    assert device is not None
    if "sit" not in table.views.seat_may(device):
        raise NotDone(HouseReason.COLLECT_FIRST())
    wait_s = floor.pin_attempts.take(device)
    if wait_s:
        raise NotDone(HouseReason.TOO_MANY_ATTEMPTS(seconds=ceil(wait_s)))
    place, name, pin = (table.name, device), message.player, message.pin
    seated = floor.with_log_on(
        lambda: sit(floor.record, floor.sessions, place, name, pin)
    )
    _reseat(by, message, seated)


def _leave(by: Connection, message: messages.Leave) -> None:
    seat = by.player().name
    if by.answers_again(message):
        return
    if by.table.views.has_wagers(seat):
        raise NotDone(HouseReason.STILL_IN_PLAY())
    left = by.floor.in_house(lambda: leave_seat(by.floor.record, seat))
    _reseat(by, message, left)


def _reseat(by: Connection, message: messages.Command, act: Awaitable[None]) -> None:
    """Do an act of the house off the loop, then show the seat's new Player."""

    async def do_it() -> None:
        try:
            await act
            by.player()
        except (NotDone, JournalFrozen) as error:
            by.problem(error.reason, message.id)
            return
        except JournalError:
            by.unknown(message.id)
            return
        done = Answered(message.id, by.table.told, registered=True)
        by.answer_unrecorded(message, done)

    by.floor.spawn(do_it())


# Reports of devices, each taken only from its own kind of device


def _announcement_shown(by: Connection, message: messages.ReportAnnouncement) -> None:
    terminal = by.device_of(DeviceKind.TERMINAL)
    report = ReportShown(terminal, message.announcement, message.at_ms)
    by.post(message, SYSTEM, report)


def _wheel_fact(by: Connection, message: messages.WheelFact) -> None:
    device, number = by.device_of(DeviceKind.SENSOR), _read(by, message.number)
    is_known = message.fact in SENSOR_FACTS
    if not is_known or (message.fact == "at_rest" and number is None):
        raise NotDone(HouseReason.NO_FACT_OF_SPIN(text=message.fact[:40]))
    report = commands.ReportSensor(
        message.fact, number, message.revolutions, message.against_wheel
    )
    sensor = Person(device, Role.SENSOR)
    by.post(message, sensor, report, partial(_ask, by.table, report))


def _read(by: Connection, number: str | None) -> Number | None:
    return None if number is None else read_number(number, by.table.game.numbers)


def _ask(table: FloorTable, report: commands.ReportSensor, answer: Answer) -> None:
    """Ask the Dealer to confirm the sensor's report."""
    if isinstance(answer, Accepted):
        proposal = proposed_by(table.state.series.current, report)
        if proposal is not None:
            table.propose(proposal)


def _lit(by: Connection, message: messages.ReportLit) -> None:
    device = by.device_of(DeviceKind.LAYOUT)
    number = read_number(message.number, by.table.game.numbers)
    by.post(message, SYSTEM, ReportLight(device, number))


def read_act_of(game: Game, text: str, player: str | None = None) -> commands.Command:
    """Read an act; raise `NotDone` with the reason that a transcript would get."""
    try:
        return read_act(ActReader(game, player), split_line(text, 1)).command
    except TranscriptError as error:
        raise NotDone(error.reason) from error


def _act(by: Connection, message: messages.PerformAct) -> None:
    is_player = by.session is None
    player = by.player().name if is_player else message.player
    command = read_act_of(by.table.game, message.act, player)
    person = by.person(command, message.position)
    if isinstance(command, commands.AnnounceOutcome):
        _key(by, message, person, command.number)
        return
    if isinstance(command, commands.VoidRounds) and not is_player:
        raise NotDone(HouseReason.VOID_BY_TWO())
    if isinstance(command, WagerPart):
        if is_player:
            raise NotDone(HouseReason.WAGERS_NOT_ACTS())
        if player is not None and not message.on_request:
            _check_laid(by, person, command)
            person = Person(player, Role.PLAYER)
    by.post(message, person, command, round_number=message.round)


def _check_laid(by: Connection, person: Person, command: WagerPart) -> None:
    """Raise `Denied` unless staff with a position here record a Player's chips.

    Staff never stake a Player's credit.
    """
    if not by.table.game.is_staff(person):
        raise Denied(HouseReason.NO_POSITION_HERE(person=person.name))
    electronic = isinstance(command, commands.PlaceWager) and command.electronic
    state = by.table.state
    if state.is_in_play:
        lies = state.series.current.board.wagers.get(command.wager_id)
        electronic = electronic or (lies is not None and lies.electronic)
    if electronic:
        raise Denied(HouseReason.CREDIT_STAKED_AT_TERMINAL())


def _outcome(by: Connection, message: messages.KeyOutcome) -> None:
    number = read_number(message.number, by.table.game.numbers)
    person = by.person(commands.AnnounceOutcome(number))
    if not message.confirmed:
        _key(by, message, person, number)
    elif by.table.transient.keyed == number:
        by.post(message, person, commands.AnnounceOutcome(number))
    else:
        raise NotDone(HouseReason.NOT_KEYED(number=number))


def _key(
    by: Connection, message: messages.Command, person: Person, number: Number
) -> None:
    """Key an outcome and read it back; refuse it if announcing it would be refused."""
    if by.answers_again(message):
        return
    table, announce = by.table, commands.AnnounceOutcome(number)
    submission = Submission("keyed", (person,), announce)
    if isinstance(judge(table.state, submission, NO_CHANCE), Refusal):
        by.post(message, person, announce, partial(_keep_refusal, by, message))
        return
    table.transient.keyed = number
    table.broadcast.changed()
    words = parts.read_back(table.state.series.current, number)
    told = table.told
    keyed = Answered(message.id, told, registered=True, read_back=words)
    by.answer_unrecorded(message, keyed)


def _keep_refusal(by: Connection, message: messages.Command, answer: Answer) -> None:
    """Keep a refusal, so that a repetition gets it even if the round has moved on."""
    if isinstance(answer, Refused):
        by.keep_unrecorded(message, parts.refused(message.id, answer))


def _staff_command(by: Connection, message: StaffMessage) -> None:
    command: AnyCommand
    match message:
        case messages.ConfirmLightsSeen():
            command = ConfirmLights()
        case messages.BallWas(at_rest=at_rest, spun=spun):
            command = StateBall(_read(by, at_rest), spun)
        case messages.ConfirmBallStated():
            command = ConfirmBall()
        case messages.Interpret(question=question, answer=answer, rounds=rounds):
            command = RecordInterpretation(question, answer, rounds)
    position = getattr(message, "position", None)
    by.post(message, by.person(command, position), command)


# Notices: a device's proposal is done only if a person accepts it. The answer is
# recorded. While one command answers a notice, any other is refused.


def _answer_notice(by: Connection, message: messages.ReplyToNotice) -> None:
    found = by.table.transient.notices.get(message.notice)
    if found is None:
        raise NotDone(HouseReason.NO_SUCH_NOTICE(notice=message.notice))
    notice, own = found.shown, by.command_id(message.id)
    if found.answered_by not in {None, own}:
        raise NotDone(HouseReason.NOTICE_BEING_ANSWERED(notice=notice.id))
    reply = AnswerNotice(notice.reason.text, notice.reason.clause, message.accept)
    proposed = found.command if message.accept else None
    if proposed is not None and notice.kind == BUY_IN:
        by.caller().must(HouseAct.HANDLE_MONEY)
    person = by.person(proposed or reply)
    is_player = person.role is Role.PLAYER
    if proposed is None and is_player and notice.seat != person.name:
        raise Denied(HouseReason.NOTICES_FOR_STAFF())
    found.answered_by = own

    def done(answer: Answer) -> None:
        _end_answering(by, found, answer)
        if proposed is not None and isinstance(answer, Accepted):
            by.table.insist(Submission(f"{own}+", (person,), reply))

    async def find_out() -> None:
        answer, is_read = None, False
        while not is_read:
            await asyncio.sleep(_AGAIN_S)
            with suppress(JournalError):
                answer = await asyncio.to_thread(by.table.answer_before, own)
                is_read = True
        _end_answering(by, found, answer)

    command = proposed or reply
    by.post(message, person, command, done, unsure=lambda: by.floor.spawn(find_out()))


def _end_answering(by: Connection, notice: OpenNotice, answer: Answer | None) -> None:
    """Drop an answered notice; if the answer was refused, allow another answer."""
    if isinstance(answer, Accepted):
        by.table.drop_notice(notice.shown)
    else:
        notice.answered_by = None


HANDLERS: Mapping[type[object], Handler] = {
    messages.ChangeWagers: _change_wagers,
    messages.Redeem: _redeem,
    messages.Collect: _collect,
    messages.AskBuyIn: _ask_buy_in,
    messages.Sit: _sit,
    messages.Leave: _leave,
    messages.ReportAnnouncement: _announcement_shown,
    messages.WheelFact: _wheel_fact,
    messages.ReportLit: _lit,
    messages.PerformAct: _act,
    messages.KeyOutcome: _outcome,
    messages.ConfirmLightsSeen: _staff_command,
    messages.BallWas: _staff_command,
    messages.ConfirmBallStated: _staff_command,
    messages.Interpret: _staff_command,
    messages.ReplyToNotice: _answer_notice,
}
