"""Two-person acts: proposed by one, shown with their effect, done by another."""

from __future__ import annotations

import re
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
from croupier.ledger.accounts import Entry
from croupier.rules import commands as do
from croupier.rules.cents import write_cents
from croupier.rules.clause import Refusal, Rule
from croupier.rules.game import Game
from croupier.rules.notation import NotationError, read_cents
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import PlainReason, Reason
from croupier.table import commands as ask
from croupier.table.answers import Answer, Refused
from croupier.table.commands import Submission, TwoPersonCommand
from croupier.transcript.acts import read_act
from croupier.transcript.words import ActReader, TranscriptError, split_line

_ADJUST = re.compile(
    r'adjust (?:"(?P<quoted>[^"]{1,40})"|(?P<seat>[^\s"]{1,40}))'
    r" (?P<sum>-?[0-9.]+) (?P<why>.{1,200})"
)


def read_act_of(game: Game, text: str, player: str | None = None) -> do.Command:
    """Read an act; raise `NotDone` with the reason that a transcript would get."""
    try:
        return read_act(ActReader(game, player), split_line(text, 1)).command
    except TranscriptError as error:
        raise NotDone(error.reason) from error


def read_two_person_act(game: Game, text: str) -> ask.TwoPersonCommand:
    """`correct round 3 to 17`, `void rounds 2 3 ball_broke`, `adjust "SEAT" 5 REASON`.

    A seat's name without spaces needs no quotes.
    """
    match = _ADJUST.fullmatch(text)
    if match is not None:
        seat = match["quoted"] or match["seat"]
        return ask.Adjust(seat, _signed(match["sum"]), match["why"])
    command = read_act_of(game, text)
    if isinstance(command, do.CorrectOutcome | do.VoidRounds):
        return command
    raise NotDone(HouseReason.NOT_FOR_TWO())


def _signed(text: str) -> int:
    try:
        cents = read_cents(text.removeprefix("-"))
    except NotationError as error:
        raise NotDone(error.reason) from error
    return -cents if text.startswith("-") else cents


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
    act: str,
    position: str | None = None,
) -> ev.Proposed:
    """Wait for a second person; nothing is done yet. Raises `NotDone`."""
    by.must(HouseAct.PROPOSE)
    sessions.check_password(by.name, password, None)
    command = read_two_person_act(table.game, act)
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
        command = read_two_person_act(table.game, proposed.act)
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
) -> tuple[str, ...]:
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


def summed(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    """By account, what is added or taken away."""
    sums: Counter[str] = Counter()
    for account, cents in entries:
        sums[account] += cents
    return tuple(
        f"{account} {'+' if cents > 0 else ''}{write_cents(cents)}"
        for account, cents in sorted(sums.items())
        if cents
    )


def _in_order(
    game: Game, first: Person, second: Person, command: TwoPersonCommand
) -> tuple[Person, Person]:
    """Put first who may void rounds, the other beside them (Triple Zero 5.4)."""
    if isinstance(command, do.VoidRounds) and not game.may(first, Rule.VOID_ROUNDS):
        return second, first
    return first, second
