"""Two-person acts: proposed by one, shown with their effect, confirmed by another.

An act is recorded in its table's stream. The house's own stream records the
confirmation before the act, and the end of the proposal after it. If a crash or a lost
journal comes between, the house does the act once, afterwards.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from functools import partial
from typing import Protocol

import msgspec

from croupier.house.people.authority import MONEY_DUTIES, Caller, HouseAct
from croupier.house.people.limited_accounts import check_are_two, check_not_limited
from croupier.house.people.second_factor import IdentityCheck, Proof
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import (
    Denied,
    HouseRecord,
    NotDone,
    NotThere,
    RecordedEvent,
    RulesForbid,
)
from croupier.journal.events.house import (
    AskedBy,
    AuthorityRefused,
    ConfirmationGiven,
    HouseEvent,
    PasswordSet,
    ProposalConfirmed,
    ProposalEnded,
    Proposed,
)
from croupier.journal.events.plan import SensitiveAct
from croupier.journal.events.two_person_acts import (
    Correction,
    HouseChange,
    PasswordSetting,
    ProposedAct,
    StaffAct,
    StaffDefinition,
    TwoPersonCommand,
)
from croupier.journal.store import HOUSE_STREAM, JournalFailed
from croupier.ledger.accounts import Account, Entry
from croupier.ledger.commands import Payment, PayVoucher
from croupier.ledger.money import read_code
from croupier.rules.clause import Refusal, Rule
from croupier.rules.commands import VoidRounds
from croupier.rules.events import BallRestated, BonusNumbersCorrected, OutcomeCorrected
from croupier.rules.game import Game
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import PlainReason, Reason
from croupier.table.answers import Answer, Refused, stored_answer
from croupier.table.commands import Submission
from croupier.table.judgements import Judgement, TableRecord


def _against_record(
    command: TwoPersonCommand, records: Iterable[TableRecord]
) -> TwoPersonCommand:
    """Return a correction with the outcome or draw that it corrects filled in."""
    for each in records:
        match each.event:
            case OutcomeCorrected(number=was) | BallRestated(number=was):
                return msgspec.structs.replace(command, was=was)
            case BonusNumbersCorrected(numbers=drawn):
                return msgspec.structs.replace(command, was=drawn)
    return command


_MOST_WAITING = 100


class TableAt(Protocol):
    """A table as a proposal sees it."""

    @property
    def game(self) -> Game: ...

    @property
    def is_interrupted(self) -> bool: ...

    def preview(self, submission: Submission) -> Judgement: ...

    def answer_before(self, command_id: str) -> Answer | None: ...

    def handle(self, submission: Submission) -> Answer: ...


def propose(
    record: HouseRecord,
    identity: IdentityCheck,
    table: TableAt,
    *,
    by: Caller,
    proof: Proof,
    name: str,
    command: TwoPersonCommand,
    position: str | None = None,
) -> Proposed:
    """Record an act that waits for its second person; raises `NotDone`."""
    if isinstance(command, PayVoucher):
        command = PayVoucher(read_code(command.code))
    is_payment = isinstance(command, Payment)
    by.must(HouseAct.HANDLE_MONEY if is_payment else HouseAct.PROPOSE)
    identity.check(by.name, proof, SensitiveAct.PROPOSE)
    people = _people(record, table, by, command, name=name, position=position)
    with record.lock:
        person, records = _proposer(table, people, command)
        return record_proposed(
            record,
            by=by.name,
            position=person.role.value,
            acting=person.acting,
            table=name,
            act=_against_record(command, records),
            effect=effect_of(records),
        )


def record_proposed(
    record: HouseRecord,
    *,
    by: str,
    position: str,
    acting: bool,
    table: str,
    act: ProposedAct,
    effect: tuple[Entry, ...] = (),
) -> Proposed:
    """Record an act that waits; raise `NotDone` if too many wait already."""
    with record.lock:
        expire(record)
        state = record.state
        check_not_limited(state, by)
        if len(state.proposals) >= _MOST_WAITING:
            raise NotDone(HouseReason.TOO_MANY_PROPOSALS(count=_MOST_WAITING))
        proposed = Proposed(
            number=state.last_proposal + 1,
            by=by,
            position=position,
            acting=acting,
            table=table,
            act=act,
            effect=effect,
            until_ms=record.clock() + record.settings.proposal_minutes * 60_000,
        )
        record.write(proposed)
    return proposed


def may_see(by: Caller, act: ProposedAct) -> bool:
    return by.may(_OF_HOUSE.get(type(act), HouseAct.PROPOSE))


def check_may_be_second(by: Caller) -> None:
    """Raise `Denied` unless the caller may propose or confirm some act."""
    if not any(map(by.may, _OF_HOUSE.values())):
        by.must(HouseAct.PROPOSE)


_OF_HOUSE: Mapping[type[ProposedAct], HouseAct] = {
    StaffDefinition: HouseAct.MANAGE_STAFF,
    PasswordSetting: HouseAct.MANAGE_STAFF,
    HouseChange: HouseAct.CHANGE_TERMS,
}
"""The right that each act in the house itself takes."""


def confirm(
    record: HouseRecord,
    identity: IdentityCheck,
    table: TableAt,
    *,
    by: Caller,
    proof: Proof,
    name: str,
    number: int,
    position: str | None = None,
) -> tuple[Proposed, Answer]:
    """Do a proposed act; return the proposal and the table's answer.

    The person who confirmed it gets the same answer again. Raises `NotDone` if this
    person can't confirm it.
    """
    check_may_be_second(by)
    _find_confirmable(record, by, number, name)
    by.must(HouseAct.PROPOSE)
    identity.check(by.name, proof, SensitiveAct.CONFIRM)
    with record.lock:
        proposed = _find_confirmable(record, by, number, name)
        check_are_two(record.state, proposed.by, by.name)
        if number in record.state.answered:
            return proposed, _answer_again(proposed, table.answer_before)
        given = record.state.confirmations.get(number)
        if given is not None and given.by != by.name:
            raise NotDone(HouseReason.CONFIRMED_AND_UNSURE(person=given.by))
        if given is not None:
            return proposed, _do(record, table, proposed, given)
        command = _table_command(proposed)
        first = Person(proposed.by, Role(proposed.position), proposed.acting)
        seconds = _people(record, table, by, command, name=name, position=position)
        second, judged = _second_of(table, first, seconds, command)
        if not isinstance(judged, Refusal) and effect_of(judged) != proposed.effect:
            raise NotDone(HouseReason.PROPOSAL_OUTDATED())
        if isinstance(judged, Refusal) and _stand_ins(table, first, command):
            # Another person may confirm it, so it stays open.
            reason = HouseReason.CONFIRMED_WITHOUT_AUTHORITY(reason=judged.reason)
            asked = AskedBy.OPERATION, "confirm_proposal"
            record.write(AuthorityRefused(by.name, *asked, reason))
            raise RulesForbid(judged)
        given = ConfirmationGiven(number, by.name, second.role.value, second.acting)
        record.write(given)
        return proposed, _do(record, table, proposed, given)


def _answer_again(
    proposed: Proposed, answer_before: Callable[[str], Answer | None]
) -> Answer:
    """Return the recorded answer of an act that was done."""
    answer = answer_before(command_id_of(proposed.number))
    if answer is None:
        raise NotThere(HouseReason.NO_SUCH_PROPOSAL(number=proposed.number))
    return answer


def propose_in_house(
    record: HouseRecord, by: Caller, act: StaffAct | HouseChange
) -> Proposed:
    """Record an act in the house itself that waits for its second person."""
    position, acting = by.standing
    return record_proposed(
        record,
        by=by.name,
        position=position,
        acting=acting,
        table=HOUSE_STREAM,
        act=act,
    )


def confirm_in_house(
    record: HouseRecord,
    identity: IdentityCheck,
    *,
    by: Caller,
    proof: Proof,
    number: int,
    events: Callable[[Proposed], tuple[RecordedEvent, ...]],
) -> tuple[Proposed, Answer]:
    """Do a proposed act in the house itself; return the proposal and the answer.

    The person who confirmed it gets the same answer again. `events` returns the events
    of the act, or raises `NotDone` unless both people may do it now.
    """
    check_may_be_second(by)
    proposed = _find_confirmable(record, by, number, HOUSE_STREAM)
    by.must(_OF_HOUSE.get(type(proposed.act), HouseAct.PROPOSE))
    identity.check(by.name, proof, SensitiveAct.CONFIRM)
    with record.lock:
        proposed = _find_confirmable(record, by, number, HOUSE_STREAM)
        if number not in record.state.answered:
            state, (position, acting) = record.state, by.standing
            done = events(proposed)
            ended = (e.number for e in done if isinstance(e, ProposalEnded))
            withdrawn = [state.proposals[each] for each in ended]
            named = (e.name for e in done if isinstance(e, PasswordSet))
            replaced = [state.account(each).password for each in named]
            record.write(
                ConfirmationGiven(number, by.name, position, acting),
                *done,
                ProposalConfirmed(number, by.name, position),
                command_id=command_id_of(number),
            )
            _drop_kept(record, *withdrawn)
            for digest in filter(None, replaced):
                record.store.drop_secret(digest)
        before = partial(stored_answer, record.store, HOUSE_STREAM)
        return proposed, _answer_again(proposed, before)


def _table_command(proposed: Proposed) -> TwoPersonCommand:
    assert isinstance(proposed.act, TwoPersonCommand), "done in the house itself"
    return proposed.act


def _do(
    record: HouseRecord,
    table: TableAt,
    proposed: Proposed,
    given: ConfirmationGiven,
) -> Answer:
    """Let the table do the act; its command id makes sure that it is done once."""
    command = _table_command(proposed)
    first = Person(proposed.by, Role(proposed.position), proposed.acting)
    second = Person(given.by, Role(given.position), given.acting)
    people = _in_order(table.game, first, second, command)
    answer = table.handle(Submission(command_id_of(given.number), people, command))
    record.write(_end_of(given, answer))
    return answer


def command_id_of(number: int) -> str:
    return f"proposal:{number}"


def _end_of(given: ConfirmationGiven, answer: Answer) -> HouseEvent:
    if isinstance(answer, Refused):
        reason = HouseReason.REFUSED_BY_TABLE(reason=answer.refusal.reason)
        return ProposalEnded(given.number, given.by, reason)
    return ProposalConfirmed(given.number, given.by, given.position)


def complete(record: HouseRecord, tables: Mapping[str, TableAt]) -> None:
    """Do the confirmed acts that no table has answered yet.

    The house stopped between confirmation and act, or its journal was lost. An
    interrupted table, or one that can't write, is tried again later; other nodes do the
    acts at their own tables.
    """
    with record.lock:
        expire(record)
        for number, given in record.state.confirmations.items():
            proposed = record.state.proposals[number]
            table = tables.get(proposed.table)
            if table is None and proposed.table in record.state.tables:
                continue
            if table is None:
                record.write(_end_without_table(record, proposed, given))
            elif not table.is_interrupted:
                with suppress(JournalFailed):
                    _do(record, table, proposed, given)


def _end_without_table(
    record: HouseRecord, proposed: Proposed, given: ConfirmationGiven
) -> HouseEvent:
    """Return the end of an act whose table was removed: done before, or never."""
    answer = stored_answer(record.store, proposed.table, command_id_of(given.number))
    if answer is not None:
        return _end_of(given, answer)
    return ProposalEnded(given.number, "house", HouseReason.TABLE_GONE())


def withdraw(record: HouseRecord, by: Caller, number: int, reason: str) -> None:
    """End a proposal: its proposer withdraws it, or a possible second declines it."""
    check_may_be_second(by)
    with record.lock:
        proposed = _find(record, number)
        if not may_see(by, proposed.act):
            raise NotThere(HouseReason.NO_SUCH_PROPOSAL(number=number))
        given = record.state.confirmations.get(number)
        if given is not None:
            raise NotDone(HouseReason.CONFIRMED_AND_UNSURE(person=given.by))
        record.write(ProposalEnded(number, by.name, _ending(reason)))
        _drop_kept(record, proposed)


def _drop_kept(record: HouseRecord, *ended: Proposed) -> None:
    """Drop the temporary passwords of proposals that ended undone."""
    for each in ended:
        if isinstance(each.act, StaffAct) and each.act.digest is not None:
            record.store.drop_secret(each.act.digest)


def _ending(text: str) -> Reason:
    ours = {each.value: each for each in (HouseReason.WITHDRAWN, HouseReason.DECLINED)}
    return ours[text]() if text in ours else PlainReason.RECORDED(text=text)


def expire(record: HouseRecord) -> None:
    """End the proposals that were not confirmed in time."""
    with record.lock:
        now, state, why = record.clock(), record.state, HouseReason.EXPIRED()
        ended = [
            each
            for each in state.proposals.values()
            if each.until_ms <= now and each.number not in state.confirmations
        ]
        if ended:
            record.write(*(ProposalEnded(each.number, "house", why) for each in ended))
            _drop_kept(record, *ended)


def _find_confirmable(
    record: HouseRecord, by: Caller, number: int, table: str
) -> Proposed:
    """Return an open proposal at the table, or one that this person has confirmed."""
    answered = record.state.answered.get(number)
    if answered is not None and answered.confirmed_by == by.name:
        proposed = answered.proposed
    else:
        proposed = _find(record, number)
    if proposed.table != table:
        raise NotThere(HouseReason.NO_SUCH_PROPOSAL(number=number))
    return proposed


def _find(record: HouseRecord, number: int) -> Proposed:
    expire(record)
    proposed = record.state.proposals.get(number)
    if proposed is None:
        raise NotThere(HouseReason.NO_SUCH_PROPOSAL(number=number))
    return proposed


def _people(
    record: HouseRecord,
    table: TableAt,
    by: Caller,
    command: TwoPersonCommand,
    *,
    name: str,
    position: str | None,
) -> tuple[Person, ...]:
    """Return the caller in each position in which they could act, lowest first.

    Raises `Denied` if a Dealer without a duty for money takes part in a correction or a
    payment at a table where they do not deal.
    """
    game, deals = table.game, record.state.deals(by.name, name)
    people = by.people(game, deals=deals) if position is None else ()
    people = people or (by.person(game, position, deals=deals),)
    has_duty = isinstance(command, Payment) and by.duties & MONEY_DUTIES
    is_own_word = isinstance(command, Correction | Payment) and not has_duty
    if is_own_word and not deals and people[-1].role is Role.DEALER:
        raise Denied(HouseReason.NOT_THE_DEALER_OF(person=by.name, table=name))
    return people


def _proposer(
    table: TableAt, people: tuple[Person, ...], command: TwoPersonCommand
) -> tuple[Person, tuple[TableRecord, ...]]:
    """Return the proposer in the position with the most possible second positions.

    The lowest such position counts. Also returns the records that the act would make.
    Raises `RulesForbid` if no second person could confirm it.
    """
    taken = {person: _stand_ins(table, person, command) for person in people}
    person = max(people, key=lambda each: len(taken[each]))
    if not taken[person]:
        highest = Person(_ANYBODY, table.game.operator.ladder[-1])
        refusal = _judged(table, people[-1], highest, command)
        assert isinstance(refusal, Refusal)
        raise RulesForbid(refusal)
    return person, taken[person][0]


_ANYBODY = "a second person"


def _stand_ins(
    table: TableAt, person: Person, command: TwoPersonCommand
) -> list[tuple[TableRecord, ...]]:
    """Return the records of the act with each possible position of a second person."""
    judged = (
        _judged(table, person, Person(_ANYBODY, role), command)
        for role in table.game.operator.ladder
    )
    return [each for each in judged if not isinstance(each, Refusal)]


def _second_of(
    table: TableAt,
    first: Person,
    seconds: tuple[Person, ...],
    command: TwoPersonCommand,
) -> tuple[Person, Judgement]:
    """Return the second person in the lowest position that may, and the judgement."""
    *others, highest = seconds
    for each in others:
        judged = _judged(table, first, each, command)
        if not isinstance(judged, Refusal):
            return each, judged
    return highest, _judged(table, first, highest, command)


def _judged(
    table: TableAt, first: Person, second: Person, command: TwoPersonCommand
) -> Judgement:
    people = _in_order(table.game, first, second, command)
    return table.preview(Submission("preview", people, command))


def effect_of(records: Iterable[TableRecord]) -> tuple[Entry, ...]:
    sums: Counter[Account] = Counter()
    for account, cents in (entry for each in records for entry in each.entries):
        sums[account] += cents
    return tuple(Entry(*each) for each in sorted(sums.items()) if each[1])


def _in_order(
    game: Game, first: Person, second: Person, command: TwoPersonCommand
) -> tuple[Person, Person]:
    """Swap the two if only the second may void rounds (Triple Zero 5.4)."""
    if isinstance(command, VoidRounds) and not game.may(first, Rule.VOID_ROUNDS):
        return second, first
    return first, second
