"""Messages of devices, seats and staff at a table, and what each asks for."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from croupier.house.connection import views
from croupier.house.connection.table_views import NO_CHANCE
from croupier.house.floor.transient_state import BUY_IN, DeviceProposal, proposed_by
from croupier.house.people.authority import HouseAct
from croupier.house.people.players import leave_seat, sit
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, NotDone
from croupier.house.records.house_state import DeviceKind
from croupier.journal.store import JournalError, JournalFrozen
from croupier.ledger.money import read_code
from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.rules import commands as do
from croupier.rules.clause import Refusal
from croupier.rules.game import Game
from croupier.rules.notation import read_number
from croupier.rules.operator import Person, Role
from croupier.rules.sensor_facts import SENSOR_FACTS
from croupier.rules.wheel import Number
from croupier.table import Accepted, Answer, Refused, Submission
from croupier.table import commands as ask
from croupier.table.decisions import judge
from croupier.table.judgements import SYSTEM
from croupier.transcript.acts import read_act
from croupier.transcript.words import ActReader, TranscriptError, split_line

if TYPE_CHECKING:
    from croupier.house.connection.connection import Connection
    from croupier.house.floor.table import FloorTable


Handler = Callable[["Connection", Any], None]
_AGAIN_S = 1.0
"""Until a journal that failed is asked again."""

# A terminal, for the Player at it


def _change_wagers(by: Connection, message: msg.ChangeWagers) -> None:
    player = by.player()
    seat, prefix = player.name, by.listener.prefix
    if len(message.place) == 1 and not message.increase and not message.withdraw:
        placing = _placing(by, seat, message.place[0])
        by.post(message, player, placing, round_number=message.round)
        return
    parts: list[ask.WagerPart] = [
        do.WithdrawWager(prefix + wager_id, seat) for wager_id in message.withdraw
    ]
    parts += [
        do.IncreaseWager(prefix + more.id, seat, more.stake_cents)
        for more in message.increase
    ]
    parts += [_placing(by, seat, new) for new in message.place]
    command = parts[0] if len(parts) == 1 else ask.Together(tuple(parts))
    by.post(message, player, command, round_number=message.round)


def _placing(by: Connection, seat: str, new: msg.NewWager) -> do.PlaceWager:
    return do.PlaceWager(
        wager_id=by.listener.prefix + new.id,
        player=seat,
        wager=by.table.read_wager(new.wager),
        stake_cents=new.stake_cents,
        electronic=True,
        terminal=by.device,
    )


def _redeem(by: Connection, message: msg.Redeem) -> None:
    player = by.player()
    redeem = ask.RedeemVoucher(player.name, read_code(message.code))
    by.post(message, player, redeem)


def _collect(by: Connection, message: msg.Collect) -> None:
    player = by.player()
    cents = message.cents
    if cents is None:
        cents = views.credit_of(by.table.state, player.name)
    by.post(message, player, ask.IssueVoucher(player.name, cents))


def _ask_buy_in(by: Connection, message: msg.AskBuyIn) -> None:
    table, seat = by.table, by.player().name
    if by.answers_again(message):
        return
    reason = HouseReason.ASKS_TO_BUY_IN(seat=seat)
    buy_in = ask.BuyIn(seat, message.cents)
    table.propose(DeviceProposal(BUY_IN, reason, buy_in), seat, message.cents)
    by.answer_unrecorded(message, say.Answered(message.id, table.told, registered=True))


def _sit(by: Connection, message: msg.Sit) -> None:
    by.player()
    if by.answers_again(message):
        return
    floor, table, device = by.floor, by.table, by.device
    assert device is not None
    if not table.views.may_be_taken(device):
        raise NotDone(HouseReason.COLLECT_FIRST())

    floor.pin_attempts.begin(device)
    place, name, pin = (table.name, device), message.player, message.pin

    def sit_down() -> None:
        floor.pin_attempts.count_everywhere(device)
        sit(floor.record, floor.sessions, place, name, pin)

    async def seated() -> None:
        try:
            await floor.with_log_on(sit_down)
        finally:
            floor.pin_attempts.end(device)

    _reseat(by, message, seated())


def _leave(by: Connection, message: msg.Leave) -> None:
    seat = by.player().name
    if by.answers_again(message):
        return
    if by.table.views.has_wagers(seat):
        raise NotDone(HouseReason.STILL_IN_PLAY())
    left = by.floor.in_house(lambda: leave_seat(by.floor.record, seat))
    _reseat(by, message, left)


def _reseat(by: Connection, message: msg.Command, act: Awaitable[None]) -> None:
    """Do an act of the house off the loop; then show who sits at this terminal."""

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
        done = say.Answered(message.id, by.table.told, registered=True)
        by.answer_unrecorded(message, done)

    by.floor.spawn(do_it())


# What devices report, each taken from the one kind of device whose report it is


def _announcement_shown(by: Connection, message: msg.ReportAnnouncement) -> None:
    terminal = by.device_of(DeviceKind.TERMINAL)
    report = ask.ReportShown(terminal, message.announcement, message.at_ms)
    by.post(message, SYSTEM, report)


def _wheel_fact(by: Connection, message: msg.WheelFact) -> None:
    device, table = by.device_of(DeviceKind.SENSOR), by.table
    number = None
    if message.number is not None:
        number = read_number(message.number, table.game.numbers)
    is_known = message.fact in SENSOR_FACTS
    if not is_known or (message.fact == "at_rest" and number is None):
        raise NotDone(HouseReason.NO_FACT_OF_SPIN(text=message.fact[:40]))
    report = do.ReportSensor(
        message.fact, number, message.revolutions, message.against_wheel
    )
    sensor = Person(device, Role.SENSOR)
    by.post(message, sensor, report, partial(_ask, table, report))


def _ask(table: FloorTable, report: do.ReportSensor, answer: Answer) -> None:
    """Ask the Dealer to confirm what the sensor has seen."""
    if isinstance(answer, Accepted):
        proposal = proposed_by(table.state.series.current, report)
        if proposal is not None:
            table.propose(proposal)


def _lit(by: Connection, message: msg.ReportLit) -> None:
    device = by.device_of(DeviceKind.LAYOUT)
    number = read_number(message.number, by.table.game.numbers)
    by.post(message, SYSTEM, ask.ReportLight(device, number))


DEVICE_HANDLERS: Mapping[type[object], Handler] = {
    msg.ChangeWagers: _change_wagers,
    msg.Redeem: _redeem,
    msg.Collect: _collect,
    msg.AskBuyIn: _ask_buy_in,
    msg.Sit: _sit,
    msg.Leave: _leave,
    msg.ReportAnnouncement: _announcement_shown,
    msg.WheelFact: _wheel_fact,
    msg.ReportLit: _lit,
}


def read_act_of(game: Game, text: str, player: str | None = None) -> do.Command:
    """Read an act; raise `NotDone` with the reason that a transcript would get."""
    try:
        return read_act(ActReader(game, player), split_line(text, 1)).command
    except TranscriptError as error:
        raise NotDone(error.reason) from error


def _act(by: Connection, message: msg.PerformAct) -> None:
    is_player = by.session is None
    player = by.player().name if is_player else message.player
    command = read_act_of(by.table.game, message.act, player)
    person = by.person(command, message.position)
    if isinstance(command, do.AnnounceOutcome):
        _key(by, message, person, command.number)
        return
    if isinstance(command, do.VoidRounds) and not is_player:
        raise NotDone(HouseReason.VOID_BY_TWO())
    if isinstance(command, ask.WagerPart):
        if is_player:
            raise NotDone(HouseReason.WAGERS_NOT_ACTS())
        if player is not None and not message.on_request:
            _check_laid(by, person, command)
            person = Person(player, Role.PLAYER)
    by.post(message, person, command, round_number=message.round)


def _check_laid(by: Connection, person: Person, command: ask.WagerPart) -> None:
    """Let staff record what Players do with their chips, never with their credit.

    Who only handles money has no position at the table, and records nobody's chips.
    """
    if not by.table.game.is_staff(person):
        raise Denied(HouseReason.NO_POSITION_HERE(person=person.name))
    electronic = isinstance(command, do.PlaceWager) and command.electronic
    state = by.table.state
    if state.is_in_play:
        lies = state.series.current.board.wagers.get(command.wager_id)
        electronic = electronic or (lies is not None and lies.electronic)
    if electronic:
        raise Denied(HouseReason.CREDIT_STAKED_AT_TERMINAL())


def _outcome(by: Connection, message: msg.KeyOutcome) -> None:
    number = read_number(message.number, by.table.game.numbers)
    person = by.person(do.AnnounceOutcome(number))
    if not message.confirmed:
        _key(by, message, person, number)
    elif by.table.transient.keyed == number:
        by.post(message, person, do.AnnounceOutcome(number))
    else:
        raise NotDone(HouseReason.NOT_KEYED(number=number))


def _key(by: Connection, message: msg.Command, person: Person, number: Number) -> None:
    """Read an outcome back before it is announced, or refuse now what would be."""
    if by.answers_again(message):
        return
    table, announce = by.table, do.AnnounceOutcome(number)
    submission = Submission("keyed", (person,), announce)
    if isinstance(judge(table.state, submission, NO_CHANCE), Refusal):
        by.post(message, person, announce, partial(_keep_refusal, by, message))
        return
    table.transient.keyed = number
    table.broadcast.changed()
    words = views.read_back(table.state.series.current, number)
    told = table.told
    keyed = say.Answered(message.id, told, registered=True, read_back=words)
    by.answer_unrecorded(message, keyed)


def _keep_refusal(by: Connection, message: msg.Command, answer: Answer) -> None:
    """Keep a refusal to key: the same message again may find the round further on."""
    if isinstance(answer, Refused):
        by.keep_unrecorded(message, views.refused(message.id, answer))


def _confirm_lights(by: Connection, message: msg.ConfirmLightsSeen) -> None:
    command = ask.ConfirmLights()
    by.post(message, by.person(command), command)


def _ball_was(by: Connection, message: msg.BallWas) -> None:
    number = None
    if message.at_rest is not None:
        number = read_number(message.at_rest, by.table.game.numbers)
    command = ask.StateBall(number, message.spun)
    by.post(message, by.person(command), command)


def _confirm_ball(by: Connection, message: msg.ConfirmBallStated) -> None:
    command = ask.ConfirmBall()
    by.post(message, by.person(command), command)


def _interpret(by: Connection, message: msg.Interpret) -> None:
    command = ask.RecordInterpretation(message.question, message.answer, message.rounds)
    by.post(message, by.person(command, message.position), command)


# Notices: what a device proposes is never done by itself, somebody answers for it.
# Accepted, it is done; dismissed, it is gone; both are recorded. One command answers a
# notice: whoever answers it meanwhile is refused, under whichever id.


def _answer_notice(by: Connection, message: msg.ReplyToNotice) -> None:
    transient = by.table.transient
    notice = transient.notices.get(message.notice)
    if notice is None:
        raise NotDone(HouseReason.NO_SUCH_NOTICE(notice=message.notice))
    own = by.command_id(message.id)
    if transient.answering.get(notice.id, own) != own:
        raise NotDone(HouseReason.NOTICE_BEING_ANSWERED(notice=notice.id))
    proposed = transient.proposed[notice.id]
    reply = ask.AnswerNotice(notice.reason.text, notice.reason.clause, message.accept)
    if message.accept and proposed is not None:
        _accept(by, message, notice, reply)
    else:
        _dismiss(by, message, notice, reply)


def _accept(
    by: Connection,
    message: msg.Command,
    notice: say.Notice,
    reply: ask.AnswerNotice,
) -> None:
    command = by.table.transient.proposed[notice.id]
    assert command is not None
    if notice.kind == BUY_IN:
        by.caller().must(HouseAct.HANDLE_MONEY)
    person = by.person(command)

    def done(answer: Answer) -> None:
        _end_answering(by, notice, answer)
        if isinstance(answer, Accepted):
            command_id = f"{by.command_id(message.id)}+"
            answered = Submission(command_id, (person,), reply)
            by.table.post(answered, lambda _: None)

    _post_answer(by, message, notice, (person, command), done)


def _dismiss(
    by: Connection,
    message: msg.Command,
    notice: say.Notice,
    reply: ask.AnswerNotice,
) -> None:
    person = by.person(reply)
    if person.role is Role.PLAYER and notice.seat != person.name:
        raise Denied(HouseReason.NOTICES_FOR_STAFF())
    done = partial(_end_answering, by, notice)
    _post_answer(by, message, notice, (person, reply), done)


def _post_answer(
    by: Connection,
    message: msg.Command,
    notice: say.Notice,
    act: tuple[Person, ask.AnyCommand],
    done: Callable[[Answer], None],
) -> None:
    """Post what answers a notice; until it is known, nothing else does."""
    own = by.table.transient.answering[notice.id] = by.command_id(message.id)

    async def find_out() -> None:
        answer, is_read = None, False
        while not is_read:
            await asyncio.sleep(_AGAIN_S)
            with suppress(JournalError):
                answer = await asyncio.to_thread(by.table.answer_before, own)
                is_read = True
        _end_answering(by, notice, answer)

    by.post(message, *act, done, unsure=lambda: by.floor.spawn(find_out()))


def _end_answering(by: Connection, notice: say.Notice, answer: Answer | None) -> None:
    """Drop a notice that is answered; what was refused can be answered again."""
    if isinstance(answer, Accepted):
        by.table.drop_notice(notice)
    else:
        by.table.transient.answering.pop(notice.id, None)


STAFF_HANDLERS: Mapping[type[object], Handler] = {
    msg.PerformAct: _act,
    msg.KeyOutcome: _outcome,
    msg.ConfirmLightsSeen: _confirm_lights,
    msg.BallWas: _ball_was,
    msg.ConfirmBallStated: _confirm_ball,
    msg.Interpret: _interpret,
    msg.ReplyToNotice: _answer_notice,
}
