"""What is asked of the round in play: acts, outcomes, lights, and where the ball is."""

from __future__ import annotations

from croupier.house.connection import views
from croupier.house.connection.sender import Handlers, Sender
from croupier.house.floor.transient_state import BUY_IN
from croupier.house.people.authority import HouseAct
from croupier.house.people.proposals import read_act_of
from croupier.house.records.house_record import Denied, NotDone
from croupier.protocol import answers as say
from croupier.protocol import messages as msg
from croupier.protocol.answers import Notice
from croupier.rules import commands as do
from croupier.rules.notation import read_number
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table import Accepted, Answer, Submission
from croupier.table import commands as ask
from croupier.table.decisions import Surroundings, judge

_WHEEL_AND_CHANCE = Surroundings(draw=lambda _: (), spin=lambda _: Number("0"))
"""For judging beforehand what draws nothing."""


class PlayMessages:
    """Taken from the staff of a table; what a Player may say, from a seat too."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self.handlers: Handlers = {
            msg.PerformAct: self._act,
            msg.KeyOutcome: self._outcome,
            msg.ConfirmLightsSeen: self._confirm_lights,
            msg.BallWas: self._ball_was,
            msg.ConfirmBallStated: self._confirm_ball,
        }

    def _act(self, message: msg.PerformAct) -> None:
        person = self._sender.person(message.position)
        is_player = person.role is Role.PLAYER
        player = person.name if is_player else message.player
        command = read_act_of(self._sender.table.game, message.act, player)
        if isinstance(command, do.AnnounceOutcome):
            self._key(message.id, person, command.number)
            return
        if isinstance(command, do.VoidRounds) and not is_player:
            raise NotDone("rounds are voided by two people: propose it")
        if isinstance(command, ask.WagerPart):
            if is_player:
                raise NotDone("a terminal sends its wagers as wagers, not as an act")
            if player is not None and not message.on_request:
                self._check_laid(command)
                person = Person(player, Role.PLAYER)
        self._sender.post(message.id, person, command)

    def _check_laid(self, command: ask.WagerPart) -> None:
        """Staff record what Players do with their chips, never with their credit."""
        electronic = isinstance(command, do.PlaceWager) and command.electronic
        state = self._sender.table.state
        if state.is_in_play:
            lies = state.series.current.board.wagers.get(command.wager_id)
            electronic = electronic or (lies is not None and lies.electronic)
        if electronic:
            raise Denied("a Player's credit is staked at their terminal")

    def _outcome(self, message: msg.KeyOutcome) -> None:
        person = self._sender.person()
        number = read_number(message.number)
        if not message.confirmed:
            self._key(message.id, person, number)
        elif self._sender.table.now.keyed == number:
            self._sender.post(message.id, person, do.AnnounceOutcome(number))
        elif not self._sender.answers_again(message.id):
            raise NotDone(f"{number} has not been keyed: key it, then confirm it")

    def _key(self, message_id: str, person: Person, number: Number) -> None:
        """Read back before it is announced; what would be refused is refused now."""
        table = self._sender.table
        announce = do.AnnounceOutcome(number)
        submission = Submission("keyed", (person,), announce)
        verdict = judge(table.state, submission, _WHEEL_AND_CHANCE)
        if not isinstance(verdict, tuple):
            self._sender.post(message_id, person, announce)
            return
        table.now.keyed = number
        table.broadcast.changed()
        words = views.read_back(table.state.series.current, number)
        self._sender.send(
            say.Answered(message_id, table.told, registered=True, read_back=words)
        )

    def _confirm_lights(self, message: msg.ConfirmLightsSeen) -> None:
        self._sender.post(message.id, self._sender.person(), ask.ConfirmLights())

    def _ball_was(self, message: msg.BallWas) -> None:
        number = None if message.at_rest is None else read_number(message.at_rest)
        self._sender.post(message.id, self._sender.person(), ask.StateBall(number))

    def _confirm_ball(self, message: msg.ConfirmBallStated) -> None:
        self._sender.post(message.id, self._sender.person(), ask.ConfirmBall())


class NoticeMessages:
    """Taken from the staff; a Player takes back what they asked for themselves."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender
        self.handlers: Handlers = {msg.ReplyToNotice: self._answer_notice}

    def _answer_notice(self, message: msg.ReplyToNotice) -> None:
        notice = self._sender.table.now.notices.get(message.notice)
        person = self._sender.person()
        if notice is None:
            if not self._sender.answers_again(message.id):
                raise NotDone(f"there is no notice {message.notice}")
        elif message.accept:
            self._accept(message.id, person, notice)
        else:
            self._dismiss(message.id, person, notice)

    def _accept(self, message_id: str, person: Person, notice: Notice) -> None:
        table, identity = self._sender.table, self._sender.identity

        def done(answer: Answer) -> None:
            if isinstance(answer, Accepted):
                self._drop(notice)
                record = ask.AnswerNotice(notice.text, notice.clause, True)
                command_id = f"{identity.command_id(message_id)}+"
                table.post(Submission(command_id, (person,), record), lambda _: None)

        self._sender.post(message_id, person, self._proposed(notice), done)

    def _proposed(self, notice: Notice) -> ask.AnyCommand:
        """What accepting a notice does."""
        if notice.kind == BUY_IN:
            self._sender.identity.caller().must(HouseAct.HANDLE_MONEY)
            assert notice.seat is not None
            assert notice.cents is not None
            return ask.BuyIn(notice.seat, notice.cents)
        assert notice.act is not None
        return read_act_of(self._sender.table.game, notice.act)

    def _dismiss(self, message_id: str, person: Person, notice: Notice) -> None:
        if person.role is Role.PLAYER and notice.seat != person.name:
            raise Denied("notices are for the staff to answer")
        record = ask.AnswerNotice(notice.text, notice.clause, False)
        self._sender.post(message_id, person, record, lambda _: self._drop(notice))

    def _drop(self, notice: Notice) -> None:
        table = self._sender.table
        table.now.notices.pop(notice.id, None)
        table.broadcast.changed()
