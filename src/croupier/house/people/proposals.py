"""Two-person acts: proposed by one, shown with their effect, done by another."""

from __future__ import annotations

from collections import Counter
from typing import Protocol

from croupier.house.people.authority import Caller, HouseAct
from croupier.house.people.log_on import Sessions
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import (
    Denied,
    HouseRecord,
    NotDone,
    NotThere,
    RulesForbid,
)
from croupier.journal.events import house as ev
from croupier.journal.events.two_person_acts import (
    CreditAdjustment,
    OutcomeCorrection,
    RoundsVoiding,
    TwoPersonAct,
)
from croupier.ledger.accounts import Account, Entry
from croupier.rules import commands as do
from croupier.rules.clause import Refusal, Rule
from croupier.rules.game import Game
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import PlainReason, Reason
from croupier.table import commands as ask
from croupier.table.answers import Answer, Refused
from croupier.table.commands import Submission, TwoPersonCommand


def command_of(act: TwoPersonAct) -> TwoPersonCommand:
    """Return the command that two people give with it."""
    match act:
        case OutcomeCorrection(round_number, number):
            return do.CorrectOutcome(round_number, number)
        case RoundsVoiding(round_numbers, reason):
            return do.VoidRounds(round_numbers, reason or do.LimitBreach())
        case CreditAdjustment(seat, cents, why):
            return ask.Adjust(seat, cents, why)


_MOST_WAITING = 100


class TableAt(Protocol):
    """What a proposal needs of its table."""

    @property
    def game(self) -> Game: ...

    def preview(self, submission: Submission) -> tuple[Entry, ...] | Refusal: ...

    def submit(self, submission: Submission) -> Answer: ...


def propose(
    record: HouseRecord,
    sessions: Sessions,
    table: TableAt,
    *,
    by: Caller,
    password: str,
    name: str,
    act: TwoPersonAct,
    position: str | None = None,
) -> ev.Proposed:
    """Wait for a second person; nothing is done yet. Raises `NotDone`."""
    by.must(HouseAct.PROPOSE)
    sessions.check_password(by.name, password, None)
    command = command_of(act)
    person = by.person(table.game, position, deals=record.state.deals(by.name, name))
    with record.lock:
        expire(record)
        state = record.state
        if len(state.proposals) >= _MOST_WAITING:
            raise NotDone(HouseReason.TOO_MANY_PROPOSALS(count=_MOST_WAITING))
        effect = _effect(table, person, command)
        proposed = ev.Proposed(
            number=state.last_proposal + 1,
            by=by.name,
            position=person.role.value,
            acting=person.acting,
            table=name,
            act=act,
            effect=effect,
            until_ms=record.clock() + record.settings.proposal_minutes * 60_000,
        )
        record.write(proposed)
    return proposed


def confirm(
    record: HouseRecord,
    sessions: Sessions,
    table: TableAt,
    *,
    by: Caller,
    password: str,
    number: int,
    position: str | None = None,
) -> Answer:
    """Done now, by both; raises `NotDone` where it is not theirs to confirm."""
    by.must(HouseAct.PROPOSE)
    sessions.check_password(by.name, password, None)
    with record.lock:
        proposed = find(record, number)
        if proposed.by == by.name:
            raise Denied(HouseReason.NEVER_THE_SAME_TWICE())
        deals = record.state.deals(by.name, proposed.table)
        second = by.person(table.game, position, deals=deals)
        first = Person(proposed.by, Role(proposed.position), proposed.acting)
        command = command_of(proposed.act)
        people = _in_order(table.game, first, second, command)
        entries = table.preview(Submission("preview", people, command))
        if not isinstance(entries, Refusal) and summed(entries) != proposed.effect:
            raise NotDone(HouseReason.PROPOSAL_OUTDATED())
        answer = table.submit(Submission(f"proposal:{number}", people, command))
        if isinstance(answer, Refused):
            reason = HouseReason.REFUSED_BY_TABLE(reason=answer.refusal.reason)
            record.write(ev.ProposalEnded(number, by.name, reason))
        else:
            record.write(ev.ProposalConfirmed(number, by.name, second.role.value))
    return answer


def withdraw(record: HouseRecord, by: Caller, number: int, reason: str) -> None:
    """By who proposed it, or refused by who might have confirmed it."""
    by.must(HouseAct.PROPOSE)
    with record.lock:
        find(record, number)
        record.write(ev.ProposalEnded(number, by.name, _ending(reason)))


def _ending(text: str) -> Reason:
    """Return why a person ended it: a word of ours, or one of their own."""
    ours = {each.value: each for each in (HouseReason.WITHDRAWN, HouseReason.DECLINED)}
    return ours[text]() if text in ours else PlainReason.RECORDED(text=text)


def expire(record: HouseRecord) -> None:
    """End what nobody has confirmed in time."""
    with record.lock:
        now = record.clock()
        late = [
            each for each in record.state.proposals.values() if each.until_ms <= now
        ]
        why = HouseReason.EXPIRED()
        if late:
            record.write(
                *(ev.ProposalEnded(each.number, "house", why) for each in late)
            )


def find(record: HouseRecord, number: int) -> ev.Proposed:
    expire(record)
    proposed = record.state.proposals.get(number)
    if proposed is None:
        raise NotThere(HouseReason.NO_SUCH_PROPOSAL(number=number))
    return proposed


def _effect(
    table: TableAt, person: Person, command: TwoPersonCommand
) -> tuple[Entry, ...]:
    """Return what it would do to each account, with a stand-in for the second."""
    stand_ins = [Person("a second person", role) for role in table.game.operator.ladder]
    refusal: Refusal | None = None
    for stand_in in stand_ins[::-1]:
        people = _in_order(table.game, person, stand_in, command)
        entries = table.preview(Submission("preview", people, command))
        if not isinstance(entries, Refusal):
            return summed(entries)
        refusal = refusal or entries
    assert refusal is not None
    raise RulesForbid(refusal)


def summed(entries: tuple[Entry, ...]) -> tuple[Entry, ...]:
    """Return what is added to each account or taken away, in their order."""
    sums: Counter[Account] = Counter()
    for account, cents in entries:
        sums[account] += cents
    return tuple(Entry(*each) for each in sorted(sums.items()) if each[1])


def _in_order(
    game: Game, first: Person, second: Person, command: TwoPersonCommand
) -> tuple[Person, Person]:
    """Put first who may void rounds, the other beside them (Triple Zero 5.4)."""
    if isinstance(command, do.VoidRounds) and not game.may(first, Rule.VOID_ROUNDS):
        return second, first
    return first, second
