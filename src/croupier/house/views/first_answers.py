"""First answers, which the house repeats if a command is sent again.

Laws of this file:
- an answer is repeated only to its sender, and only for the same command;
- a voucher's code is repeated only as long as its stay lasts, or its Player sits. If
  the command itself ended the stay, the code is repeated until the next stay begins at
  that seat;
- a few answers are not in the journal, such as an outcome keyed and read back: the
  latest of those are kept in memory.
"""

from __future__ import annotations

from msgspec import structs
from msgspec.structs import replace

from croupier.house.records.house_record import IdUsed
from croupier.house.records.house_state import HouseState
from croupier.ledger.money import StayEnded, VoucherIssued
from croupier.protocol.answers import Answered
from croupier.table import Accepted, Answer
from croupier.table.state import Stay, TableState

_MOST_KEPT = 1_000


class UnrecordedAnswers:
    """The latest answers of one table that are not in the journal, by command."""

    def __init__(self) -> None:
        self._answers: dict[str, tuple[str, Answered]] = {}

    def keep(self, command_id: str, sent: str, answer: Answered) -> None:
        self._answers[command_id] = sent, answer
        if len(self._answers) > _MOST_KEPT:
            del self._answers[next(iter(self._answers))]

    def find(self, command_id: str, sent: str) -> Answered | None:
        first, answer = self._answers.get(command_id, (sent, None))
        if first != sent:
            raise IdUsed
        return answer


def issued_voucher(answer: Accepted) -> VoucherIssued | None:
    return next((e for e in answer.events if type(e) is VoucherIssued), None)


def repeated(answer: Answer, state: TableState, house: HouseState) -> Answer:
    """Return a first answer for repetition.

    If its stay is over, a voucher's event has an empty code.
    """
    issued = issued_voucher(answer) if isinstance(answer, Accepted) else None
    if not isinstance(answer, Accepted) or issued is None:
        return answer
    ends_stay = any(type(each) is StayEnded for each in answer.events)
    if issued.stay is None:
        lasts = issued.seat not in house.players or issued.seat in house.sitting
    else:
        lasts = state.stays.get(issued.seat) == Stay(issued.stay, not ends_stay)
    if lasts:
        return answer
    blank = replace(issued, code="")
    events = tuple(blank if each is issued else each for each in answer.events)
    return structs.replace(answer, events=events)
