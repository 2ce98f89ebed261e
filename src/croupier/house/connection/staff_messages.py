"""Messages about the round in play, from its staff or a seat, and what each asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from croupier.house.connection import views
from croupier.house.connection.device_messages import Handler
from croupier.house.connection.table_views import NO_CHANCE
from croupier.house.floor.transient_state import BUY_IN
from croupier.house.people.authority import HouseAct
from croupier.house.people.proposals import read_act_of
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, NotDone
from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.rules import commands as do
from croupier.rules.clause import Refusal
from croupier.rules.notation import read_number
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table import Accepted, Answer, Submission
from croupier.table import commands as ask
from croupier.table.decisions import judge

if TYPE_CHECKING:
    from croupier.house.connection.connection import Connection


def _act(by: Connection, message: msg.PerformAct) -> None:
    person = by.person(message.position)
    is_player = person.role is Role.PLAYER
    player = person.name if is_player else message.player
    command = read_act_of(by.table.game, message.act, player)
    if isinstance(command, do.AnnounceOutcome):
        _key(by, message.id, person, command.number)
        return
    if isinstance(command, do.VoidRounds) and not is_player:
        raise NotDone(HouseReason.VOID_BY_TWO())
    if isinstance(command, ask.WagerPart):
        if is_player:
            raise NotDone(HouseReason.WAGERS_NOT_ACTS())
        if player is not None and not message.on_request:
            _check_laid(by, command)
            person = Person(player, Role.PLAYER)
    by.post(message.id, person, command)


def _check_laid(by: Connection, command: ask.WagerPart) -> None:
    """Let staff record what Players do with their chips, never with their credit."""
    electronic = isinstance(command, do.PlaceWager) and command.electronic
    state = by.table.state
    if state.is_in_play:
        lies = state.series.current.board.wagers.get(command.wager_id)
        electronic = electronic or (lies is not None and lies.electronic)
    if electronic:
        raise Denied(HouseReason.CREDIT_STAKED_AT_TERMINAL())


def _outcome(by: Connection, message: msg.KeyOutcome) -> None:
    person = by.person()
    number = read_number(message.number)
    if not message.confirmed:
        _key(by, message.id, person, number)
    elif by.table.transient.keyed == number:
        by.post(message.id, person, do.AnnounceOutcome(number))
    elif not by.answers_again(message.id):
        raise NotDone(HouseReason.NOT_KEYED(number=number))


def _key(by: Connection, message_id: str, person: Person, number: Number) -> None:
    """Read an outcome back before it is announced, or refuse now what would be."""
    table, announce = by.table, do.AnnounceOutcome(number)
    submission = Submission("keyed", (person,), announce)
    if isinstance(judge(table.state, submission, NO_CHANCE), Refusal):
        by.post(message_id, person, announce)
        return
    table.transient.keyed = number
    table.broadcast.changed()
    words = views.read_back(table.state.series.current, number)
    by.send(say.Answered(message_id, table.told, registered=True, read_back=words))


def _confirm_lights(by: Connection, message: msg.ConfirmLightsSeen) -> None:
    by.post(message.id, by.person(), ask.ConfirmLights())


def _ball_was(by: Connection, message: msg.BallWas) -> None:
    number = None if message.at_rest is None else read_number(message.at_rest)
    by.post(message.id, by.person(), ask.StateBall(number))


def _confirm_ball(by: Connection, message: msg.ConfirmBallStated) -> None:
    by.post(message.id, by.person(), ask.ConfirmBall())


# Notices: what a device proposes is never done by itself, somebody answers for it.
# Accepted, it is done; dismissed, it is gone; both are recorded.


def _answer_notice(by: Connection, message: msg.ReplyToNotice) -> None:
    notice = by.table.transient.notices.get(message.notice)
    person = by.person()
    if notice is None:
        if not by.answers_again(message.id):
            raise NotDone(HouseReason.NO_SUCH_NOTICE(notice=message.notice))
    elif message.accept:
        _accept(by, message.id, person, notice)
    else:
        _dismiss(by, message.id, person, notice)


def _accept(
    by: Connection, message_id: str, person: Person, notice: say.Notice
) -> None:
    def done(answer: Answer) -> None:
        if isinstance(answer, Accepted):
            by.table.drop_notice(notice)
            command_id = f"{by.command_id(message_id)}+"
            answered = Submission(command_id, (person,), _replied(notice, True))
            by.table.post(answered, lambda _: None)

    by.post(message_id, person, _proposed(by, notice), done)


def _replied(notice: say.Notice, accepted: bool) -> ask.AnswerNotice:
    return ask.AnswerNotice(notice.reason.text, notice.reason.clause, accepted)


def _proposed(by: Connection, notice: say.Notice) -> ask.AnyCommand:
    """Return what accepting a notice does."""
    if notice.kind == BUY_IN:
        by.caller().must(HouseAct.HANDLE_MONEY)
        assert notice.seat is not None
        assert notice.cents is not None
        return ask.BuyIn(notice.seat, notice.cents)
    assert notice.act is not None
    return read_act_of(by.table.game, notice.act)


def _dismiss(
    by: Connection, message_id: str, person: Person, notice: say.Notice
) -> None:
    if person.role is Role.PLAYER and notice.seat != person.name:
        raise Denied(HouseReason.NOTICES_FOR_STAFF())
    drop = _replied(notice, False)
    by.post(message_id, person, drop, lambda _: by.table.drop_notice(notice))


HANDLERS: Mapping[type[object], Handler] = {
    msg.PerformAct: _act,
    msg.KeyOutcome: _outcome,
    msg.ConfirmLightsSeen: _confirm_lights,
    msg.BallWas: _ball_was,
    msg.ConfirmBallStated: _confirm_ball,
    msg.ReplyToNotice: _answer_notice,
}
