"""Two-person acts: proposed by one, shown with their effect, done by another.

An act is done in its table's stream, and what became of it stands there. The house's
own stream says before it that a second person has confirmed it, and after it how it
ended; where a crash or a lost journal comes between, it is done once, afterwards.
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
    RulesForbid,
)
from croupier.journal.events import house as ev
from croupier.journal.events.plan import SensitiveAct
from croupier.journal.events.two_person_acts import (
    BallCorrection,
    ColourChipsMovement,
    CreditAdjustment,
    DrawCorrection,
    FloatCounting,
    HouseChange,
    OutcomeCorrection,
    PasswordSetting,
    ProposedAct,
    ReportAnswer,
    RoundsVoiding,
    StaffAct,
    StaffDefinition,
    SumMoved,
    SumMovement,
    TwoPersonAct,
    VoucherPayment,
)
from croupier.journal.store import JournalFailed
from croupier.ledger.accounts import Account, Entry
from croupier.ledger.money import read_code
from croupier.rules import commands as do
from croupier.rules import events as play
from croupier.rules.clause import Refusal, Rule
from croupier.rules.game import Game, Irregularity
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import PlainReason, Reason
from croupier.table import commands as ask
from croupier.table.answers import Answer, Refused, stored_answer
from croupier.table.commands import Submission, TwoPersonCommand
from croupier.table.judgements import Judgement, TableRecord


def command_of(act: TwoPersonAct) -> TwoPersonCommand:
    """Return the command that two people give with it."""
    match act:
        case OutcomeCorrection() | BallCorrection() | DrawCorrection() | ReportAnswer():
            return _correction_of(act)
        case RoundsVoiding(round_numbers, reason, because):
            unlisted = Irregularity.UNLISTED  # a breach of limits reopens nothing
            return do.VoidRounds(round_numbers, reason or unlisted, because)
        case CreditAdjustment(seat, cents, why):
            return ask.Adjust(seat, cents, why)
        case FloatCounting(count, cents):
            return ask.CountFloat(count, cents)
    return _payment_of(act)


def _payment_of(
    act: ColourChipsMovement | VoucherPayment | SumMovement,
) -> ask.Payment:
    match act:
        case ColourChipsMovement(player, colour, chips, are_bought_back):
            kind = ask.BuyBackColourChips if are_bought_back else ask.BuyColourChips
            return kind(player, colour, chips)
        case VoucherPayment(code):
            return ask.PayVoucher(read_code(code))
        case SumMovement(how, cents, whose):
            return _MOVES[how](whose, cents)


def _correction_of(
    act: OutcomeCorrection | BallCorrection | DrawCorrection | ReportAnswer,
) -> ask.Correction:
    match act:
        case OutcomeCorrection(round_number, number, was, because):
            return do.CorrectOutcome(round_number, number, because, was)
        case BallCorrection(number, was, because):
            return do.CorrectBall(number, because, was)
        case DrawCorrection(round_number, numbers, was, because):
            return do.CorrectBonusNumbers(round_number, numbers, because, was)
        case ReportAnswer(irregularity, upheld, because):
            return do.AnswerReport(irregularity, upheld, because)


_MOVES: Mapping[SumMoved, Callable[[str, int], ask.Payment]] = {
    SumMoved.BUY_IN: ask.BuyIn,
    SumMoved.CASH_OUT: ask.CashOut,
    SumMoved.VOUCHER: ask.IssueVoucher,
    SumMoved.PAY_OWED: ask.PayOwed,
    SumMoved.PAY_CLAIM: ask.PayClaim,
    SumMoved.FILL: lambda _, cents: ask.Fill(cents),
    SumMoved.CREDIT: lambda _, cents: ask.TakeCredit(cents),
}


def _against_record(act: TwoPersonAct, records: Iterable[TableRecord]) -> TwoPersonAct:
    """Return the act with what it corrects, as the record has it now."""
    for each in records:
        match each.event:
            case play.OutcomeCorrected(number=was) | play.BallRestated(number=was):
                return msgspec.structs.replace(act, was=was)
            case play.BonusNumbersCorrected(numbers=drawn):
                return msgspec.structs.replace(act, was=drawn)
    return act


_MOST_WAITING = 100


class TableAt(Protocol):
    """A table as a proposal sees it."""

    @property
    def game(self) -> Game: ...

    @property
    def is_interrupted(self) -> bool: ...

    def preview(self, submission: Submission) -> Judgement: ...

    def answer_before(self, command_id: str) -> Answer | None: ...

    def submit(self, submission: Submission) -> Answer: ...


def propose(
    record: HouseRecord,
    identity: IdentityCheck,
    table: TableAt,
    *,
    by: Caller,
    proof: Proof,
    name: str,
    act: TwoPersonAct,
    position: str | None = None,
) -> ev.Proposed:
    """Wait for a second person; nothing is done yet. Raises `NotDone`."""
    command = command_of(act)
    is_payment = isinstance(command, ask.Payment)
    by.must(HouseAct.HANDLE_MONEY if is_payment else HouseAct.PROPOSE)
    identity.check(by.name, proof, SensitiveAct.PROPOSE)
    deals = record.state.deals(by.name, name)
    people = _in_positions(table.game, by, position, deals=deals)
    if _needs_own_table(by, command):
        _check_dealer(people, name, deals=deals)
    with record.lock:
        person, records = _proposer(table, people, command)
        return record_proposed(
            record,
            by=by.name,
            position=person.role.value,
            acting=person.acting,
            table=name,
            act=_against_record(act, records),
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
) -> ev.Proposed:
    """Record that an act waits for its second person; raise `NotDone` at too many."""
    with record.lock:
        expire(record)
        state = record.state
        check_not_limited(state, by)
        if len(state.proposals) >= _MOST_WAITING:
            raise NotDone(HouseReason.TOO_MANY_PROPOSALS(count=_MOST_WAITING))
        proposed = ev.Proposed(
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
    """Return whether it is among what they may propose, confirm and withdraw."""
    return by.may(_OF_HOUSE.get(type(act), HouseAct.PROPOSE))


def check_may_be_second(by: Caller) -> None:
    """Raise `Denied` for whoever may be neither of the two people of any act."""
    if not any(map(by.may, _OF_HOUSE.values())):
        by.must(HouseAct.PROPOSE)


_OF_HOUSE: Mapping[type[ProposedAct], HouseAct] = {
    StaffDefinition: HouseAct.MANAGE_STAFF,
    PasswordSetting: HouseAct.MANAGE_STAFF,
    HouseChange: HouseAct.CHANGE_TERMS,
}
"""Who may do the acts that are done in the house itself."""


def confirm(
    record: HouseRecord,
    identity: IdentityCheck,
    table: TableAt,
    *,
    by: Caller,
    proof: Proof,
    number: int,
    position: str | None = None,
) -> Answer:
    """Done now, by both; raises `NotDone` where it is not theirs to confirm.

    The person who confirmed it gets the table's one answer again, and nobody else.
    """
    by.must(HouseAct.PROPOSE)
    identity.check(by.name, proof, SensitiveAct.CONFIRM)
    with record.lock:
        proposed = find_confirmable(record, by, number)
        check_are_two(record.state, proposed.by, by.name)
        if number in record.state.answered:
            return answer_again(proposed, table.answer_before)
        given = record.state.confirmations.get(number)
        if given is not None and given.by != by.name:
            raise NotDone(HouseReason.CONFIRMED_AND_UNSURE(person=given.by))
        if given is not None:
            return _do(record, table, proposed, given)
        command = command_of(_table_act(proposed))
        first = Person(proposed.by, Role(proposed.position), proposed.acting)
        deals = record.state.deals(by.name, proposed.table)
        seconds = _in_positions(table.game, by, position, deals=deals)
        if _needs_own_table(by, command):
            _check_dealer(seconds, proposed.table, deals=deals)
        people, judged = _with_second(table, first, seconds, command)
        if not isinstance(judged, Refusal) and effect_of(judged) != proposed.effect:
            raise NotDone(HouseReason.PROPOSAL_OUTDATED())
        if isinstance(judged, Refusal) and _stand_ins(table, first, command):
            # Somebody else may confirm it: it goes on waiting.
            reason = HouseReason.CONFIRMED_WITHOUT_AUTHORITY(reason=judged.reason)
            asked = ev.AskedBy.OPERATION, "confirm_proposal"
            record.write(ev.AuthorityRefused(by.name, *asked, reason))
            raise RulesForbid(judged)
        second = next(person for person in people if person.name == by.name)
        given = ev.ConfirmationGiven(number, by.name, second.role.value, second.acting)
        record.write(given)
        return _do(record, table, proposed, given)


def answer_again(
    proposed: ev.Proposed, answer_before: Callable[[str], Answer | None]
) -> Answer:
    """Return the answer of an act that was done, as it is repeated."""
    answer = answer_before(command_id_of(proposed.number))
    if answer is None:
        raise NotThere(HouseReason.NO_SUCH_PROPOSAL(number=proposed.number))
    return answer


def answer_of_house(record: HouseRecord, proposed: ev.Proposed) -> Answer:
    """Return the answer of an act that was done in the house itself."""
    return answer_again(proposed, partial(stored_answer, record.store, proposed.table))


def _table_act(proposed: ev.Proposed) -> TwoPersonAct:
    assert isinstance(proposed.act, TwoPersonAct), "done in the house itself"
    return proposed.act


def _do(
    record: HouseRecord,
    table: TableAt,
    proposed: ev.Proposed,
    given: ev.ConfirmationGiven,
) -> Answer:
    """Let the table do what both have said, once, however often it is asked."""
    command = command_of(_table_act(proposed))
    first = Person(proposed.by, Role(proposed.position), proposed.acting)
    second = Person(given.by, Role(given.position), given.acting)
    people = _in_order(table.game, first, second, command)
    answer = table.submit(Submission(command_id_of(given.number), people, command))
    record.write(_end_of(given, answer))
    return answer


def command_id_of(number: int) -> str:
    return f"proposal:{number}"


def _end_of(given: ev.ConfirmationGiven, answer: Answer) -> ev.HouseEvent:
    if isinstance(answer, Refused):
        reason = HouseReason.REFUSED_BY_TABLE(reason=answer.refusal.reason)
        return ev.ProposalEnded(given.number, given.by, reason)
    return ev.ProposalConfirmed(given.number, given.by, given.position)


def complete(record: HouseRecord, tables: Mapping[str, TableAt]) -> None:
    """Have done what two people confirmed and no table has answered for yet.

    That is so where the house stopped between the two, or its journal was lost. A table
    that first has to hear what the ball did, or can't write, is asked again later; one
    of another node is that node's business.
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
    record: HouseRecord, proposed: ev.Proposed, given: ev.ConfirmationGiven
) -> ev.HouseEvent:
    """Return how it ended at a table that is gone: done before that, or never."""
    answer = stored_answer(record.store, proposed.table, command_id_of(given.number))
    if answer is not None:
        return _end_of(given, answer)
    return ev.ProposalEnded(given.number, "house", HouseReason.TABLE_GONE())


def withdraw(record: HouseRecord, by: Caller, number: int, reason: str) -> None:
    """By who proposed it, or refused by who might have confirmed it."""
    check_may_be_second(by)
    with record.lock:
        proposed = find(record, number)
        if not may_see(by, proposed.act):
            raise NotThere(HouseReason.NO_SUCH_PROPOSAL(number=number))
        given = record.state.confirmations.get(number)
        if given is not None:
            raise NotDone(HouseReason.CONFIRMED_AND_UNSURE(person=given.by))
        record.write(ev.ProposalEnded(number, by.name, _ending(reason)))
        drop_kept(record, proposed)


def drop_kept(record: HouseRecord, *ended: ev.Proposed) -> None:
    """Drop the temporary passwords of proposals that are not done."""
    for each in ended:
        if isinstance(each.act, StaffAct) and each.act.digest is not None:
            record.store.drop_secret(each.act.digest)


def _ending(text: str) -> Reason:
    """Return why a person ended it: a word of ours, or one of their own."""
    ours = {each.value: each for each in (HouseReason.WITHDRAWN, HouseReason.DECLINED)}
    return ours[text]() if text in ours else PlainReason.RECORDED(text=text)


def expire(record: HouseRecord) -> None:
    """End what nobody has confirmed in time."""
    with record.lock:
        now, state, why = record.clock(), record.state, HouseReason.EXPIRED()
        ended = [
            each
            for each in state.proposals.values()
            if each.until_ms <= now and each.number not in state.confirmations
        ]
        if ended:
            record.write(
                *(ev.ProposalEnded(each.number, "house", why) for each in ended)
            )
            drop_kept(record, *ended)


def find_confirmable(record: HouseRecord, by: Caller, number: int) -> ev.Proposed:
    """Return a proposal that waits, or one that this person has confirmed."""
    answered = record.state.answered.get(number)
    if answered is not None and answered.confirmed_by == by.name:
        return answered.proposed
    return find(record, number)


def find(record: HouseRecord, number: int) -> ev.Proposed:
    """Return a proposal that waits; raise `NotThere` where there is none."""
    expire(record)
    proposed = record.state.proposals.get(number)
    if proposed is None:
        raise NotThere(HouseReason.NO_SUCH_PROPOSAL(number=number))
    return proposed


def _in_positions(
    game: Game, by: Caller, position: str | None, *, deals: bool
) -> tuple[Person, ...]:
    """Return somebody in each position in which they could act, lowest first."""
    people = by.people(game, deals=deals) if position is None else ()
    return people or (by.person(game, position, deals=deals),)


def _needs_own_table(by: Caller, command: TwoPersonCommand) -> bool:
    """Return whether a Dealer has a word in it at their own table only."""
    if isinstance(command, ask.Payment):
        return not by.duties & MONEY_DUTIES
    return isinstance(command, ask.Correction)


def _check_dealer(people: tuple[Person, ...], table: str, *, deals: bool) -> None:
    """Take a Dealer's word for the table that they deal at alone."""
    if not deals and people[-1].role is Role.DEALER:
        raise Denied(HouseReason.NOT_THE_DEALER_OF(person=people[-1].name, table=table))


def _proposer(
    table: TableAt, people: tuple[Person, ...], command: TwoPersonCommand
) -> tuple[Person, tuple[TableRecord, ...]]:
    """Return who proposes, in the lowest position that the most others can confirm."""
    taken = {person: _stand_ins(table, person, command) for person in people}
    person = max(people, key=lambda each: len(taken[each]))
    if not taken[person]:
        highest = Person(_ANYBODY, table.game.operator.ladder[-1])
        pair = _in_order(table.game, people[-1], highest, command)
        refusal = table.preview(Submission("preview", pair, command))
        assert isinstance(refusal, Refusal)
        raise RulesForbid(refusal)
    return person, taken[person][0]


_ANYBODY = "a second person"


def _stand_ins(
    table: TableAt, person: Person, command: TwoPersonCommand
) -> list[tuple[TableRecord, ...]]:
    """Return what it would record with each stand-in who could be the second."""
    found = []
    for role in table.game.operator.ladder:
        people = _in_order(table.game, person, Person(_ANYBODY, role), command)
        records = table.preview(Submission("preview", people, command))
        if not isinstance(records, Refusal):
            found.append(records)
    return found


def _with_second(
    table: TableAt,
    first: Person,
    seconds: tuple[Person, ...],
    command: TwoPersonCommand,
) -> tuple[tuple[Person, Person], Judgement]:
    """Return both, the second in the lowest position that may, and what they do."""
    *others, highest = seconds
    for second in others:
        people = _in_order(table.game, first, second, command)
        judged = table.preview(Submission("preview", people, command))
        if not isinstance(judged, Refusal):
            return people, judged
    people = _in_order(table.game, first, highest, command)
    return people, table.preview(Submission("preview", people, command))


def effect_of(records: Iterable[TableRecord]) -> tuple[Entry, ...]:
    """Return what is added to each account or taken away, in their order."""
    sums: Counter[Account] = Counter()
    for account, cents in (entry for each in records for entry in each.entries):
        sums[account] += cents
    return tuple(Entry(*each) for each in sorted(sums.items()) if each[1])


def _in_order(
    game: Game, first: Person, second: Person, command: TwoPersonCommand
) -> tuple[Person, Person]:
    """Put first who may void rounds, the other beside them (Triple Zero 5.4)."""
    if isinstance(command, do.VoidRounds) and not game.may(first, Rule.VOID_ROUNDS):
        return second, first
    return first, second
