"""What becomes of a notice: accepted, it is done; dismissed, it is gone; both recorded.

What is proposed by a device is never done by itself: somebody answers for it.
"""

from __future__ import annotations

from croupier.house.acts import read_act_of
from croupier.house.authority import HouseAct
from croupier.house.line import Handlers, Line
from croupier.house.moment import BUY_IN
from croupier.house.record import Denied, NotDone
from croupier.protocol import messages as msg
from croupier.protocol.answers import Notice
from croupier.rules.operator import Person, Role
from croupier.table import Accepted, Answer, Submission
from croupier.table import commands as ask


class NoticeMessages:
    """Taken from the staff; a Player takes back what they asked for themselves."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self.handlers: Handlers = {msg.ReplyToNotice: self._answer_notice}

    def _answer_notice(self, message: msg.ReplyToNotice) -> None:
        notice = self._line.table.now.notices.get(message.notice)
        person = self._line.person()
        if notice is None:
            if not self._line.answers_again(message.id):
                raise NotDone(f"there is no notice {message.notice}")
        elif message.accept:
            self._accept(message.id, person, notice)
        else:
            self._dismiss(message.id, person, notice)

    def _accept(self, message_id: str, person: Person, notice: Notice) -> None:
        table, speaker = self._line.table, self._line.speaker

        def done(answer: Answer) -> None:
            if isinstance(answer, Accepted):
                self._drop(notice)
                record = ask.AnswerNotice(notice.text, notice.clause, True)
                command_id = f"{speaker.command_id(message_id)}+"
                table.post(Submission(command_id, (person,), record), lambda _: None)

        self._line.post(message_id, person, self._proposed(notice), done)

    def _proposed(self, notice: Notice) -> ask.AnyCommand:
        """What accepting a notice does."""
        if notice.kind == BUY_IN:
            self._line.speaker.caller().must(HouseAct.HANDLE_MONEY)
            assert notice.seat is not None
            assert notice.cents is not None
            return ask.BuyIn(notice.seat, notice.cents)
        assert notice.act is not None
        return read_act_of(self._line.table.game, notice.act)

    def _dismiss(self, message_id: str, person: Person, notice: Notice) -> None:
        if person.role is Role.PLAYER and notice.seat != person.name:
            raise Denied("notices are for the staff to answer")
        record = ask.AnswerNotice(notice.text, notice.clause, False)
        self._line.post(message_id, person, record, lambda _: self._drop(notice))

    def _drop(self, notice: Notice) -> None:
        table = self._line.table
        table.now.notices.pop(notice.id, None)
        table.telling.changed()
