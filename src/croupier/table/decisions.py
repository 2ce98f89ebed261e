"""Decisions of a table: the events of a command, or a refusal; pure.

Chance, the clock and the vouchers of the house are handed in with the command.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple, cast, get_args

from croupier.journal.events import table as hap
from croupier.journal.events.codec import (
    SCHEMA,
    JournalEvent,
    UnreadableEvent,
    decode,
    encode,
)
from croupier.journal.events.table import ActRefused
from croupier.ledger import money
from croupier.ledger.accounts import Entry, colour
from croupier.rules import commands as do
from croupier.rules.cents import is_amount
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.commands import PlaceWager
from croupier.rules.decisions import decide_act
from croupier.rules.game import READINGS, Game
from croupier.rules.notation import AreaText, MultipleText, NotationError
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason, RuleReason
from croupier.rules.round import Phase
from croupier.rules.series import Recorded, apply_recorded, begin_round
from croupier.rules.terms import read_limits, read_settings
from croupier.rules.wheel import Number
from croupier.table import commands as ask
from croupier.table.cashier import Voucher, judge_money, refuse, seat_credited
from croupier.table.reasons import TableReason
from croupier.table.state import TableState

_Report = ask.ReportShown | ask.ReportWheel | ask.ReportLight | ask.AnswerNotice
_REPORTS = get_args(_Report)
SYSTEM = Person("system", Role.SYSTEM)
GENERATOR = Person("RNG", Role.RNG)


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a judgement needs from outside the table's own state."""

    draw: Callable[[Game], tuple[Number, ...]]
    spin: Callable[[Game], Number]
    voucher: Voucher | None = None
    """The claimed voucher of a `RedeemVoucher`; for `IssueVoucher` a fresh one."""
    is_anonymous: Callable[[str], bool] = lambda _: False
    """Whether a seat is a terminal's own, where Players come and go unnamed."""


class TableRecord(NamedTuple):
    """An event, the round it belongs to, and its entries once they are posted."""

    round_number: int
    event: JournalEvent
    entries: tuple[Entry, ...] = ()


Judgement = tuple[TableRecord, ...] | Refusal


def judge(
    state: TableState, submission: ask.Submission, around: Surroundings
) -> Judgement:
    """Return the events of a command, in order; the state stays as it is."""
    command, people = submission.command, submission.people
    if isinstance(command, _REPORTS):
        return (TableRecord(state.series.last, _reported(people[0], command)),)
    if isinstance(command, ask.EndStay):
        return _judge_money(state, people, command, around)
    if state.interruption is not None:
        return _judge_interrupted(state, people, command)
    if type(command) in ask.TABLE_COMMANDS:
        return _judge_table_command(state, submission, around)
    if not state.is_open:
        return _refused(state, Rule.OPENING, TableReason.TABLE_CLOSED())
    return _judge_play(state, people, command)


def _judge_table_command(
    state: TableState, submission: ask.Submission, around: Surroundings
) -> Judgement:
    command, people = submission.command, submission.people
    match command:
        case ask.StateBall() | ask.ConfirmBall():
            return _interrupted(TableReason.NOT_INTERRUPTED())
        case ask.CloseTable() | ask.ReopenTable() | ask.ChangeTerms():
            return _judge_running(state, people[0], command)
    if not state.is_open:
        return _refused(state, Rule.OPENING, TableReason.TABLE_CLOSED())
    match command:
        case ask.DrawNow():
            return _drawn(state, around)
        case ask.ConfirmLights():
            return _lights_confirmed(state, people[0])
        case ask.SpinVirtualWheel():
            return _spun(state, around)
    return _judge_money(state, people, cast(ask.MoneyCommand, command), around)


def _judge_money(
    state: TableState,
    people: tuple[Person, ...],
    command: ask.MoneyCommand,
    around: Surroundings,
) -> Judgement:
    credited = seat_credited(command)
    is_anonymous = credited is not None and around.is_anonymous(credited)
    answer = judge_money(
        state, people, command, around.voucher, is_anonymous=is_anonymous
    )
    if isinstance(answer, Refusal):
        return answer
    return tuple(TableRecord(state.series.last, event) for event in answer)


def _reported(person: Person, command: _Report) -> hap.OperationEvent:
    """Record what devices say, at any time: it changes no round by itself."""
    match command:
        case ask.ReportShown(terminal, announcement, shown_at_ms):
            return hap.AnnouncementShown(terminal, announcement, shown_at_ms)
        case ask.ReportWheel(device, fact, number, revolutions, against_wheel):
            return hap.WheelReported(device, fact, number, revolutions, against_wheel)
        case ask.ReportLight(device, number):
            return hap.LightReported(device, number)
        case ask.AnswerNotice(notice, clause, accepted):
            return hap.NoticeAnswered(person, notice, clause, accepted)


def _lights_confirmed(state: TableState, person: Person) -> Judgement:
    """Take the confirmation after the draw and before the outcome (1.1.1, 5.11)."""
    series = state.series
    clause = series.game.clause(Rule.BONUS_DRAW)
    if not series.game.may(person, Rule.OUTCOME):
        return Refusal(clause, TableReason.MAY_NOT_CONFIRM_LIGHTS(person=person.named))
    if not series.last or series.current.phase is not Phase.CLOSED:
        return Refusal(clause, TableReason.LIGHTS_CONFIRMED_AFTER_DRAW())
    if series.current.facts.bonus_numbers is None:
        return Refusal(clause, RuleReason.NOT_DRAWN())
    return (TableRecord(series.last, hap.LightsConfirmed(person)),)


def _judge_play(
    state: TableState,
    people: tuple[Person, ...],
    command: ask.AnyCommand,
) -> Judgement:
    match command:
        case do.DrawBonusNumbers() if state.virtual_wheel:
            return _refused(state, Rule.BONUS_DRAW, TableReason.VIRTUAL_WHEEL_SPEAKS())
        case do.ReportBallAtRest() if state.virtual_wheel:
            return _refused(state, Rule.OUTCOME, TableReason.VIRTUAL_WHEEL_SPEAKS())
        case do.AnnounceOutcome() if state.virtual_wheel and not _is_at_rest(state):
            reason = TableReason.VIRTUAL_WHEEL_NOT_AT_REST()
            return _refused(state, Rule.OUTCOME, reason)
        case do.PlaceYourBets() if _needs_round(state):
            return _opened(state, people)
        case do.PlaceWager(electronic=True, player=str(player)):
            command = replace(command, stay=state.stay_at(player))
    act = do.Act(people, cast(do.Command, command))
    answer = decide_act(state.series, act)
    if isinstance(answer, Refusal):
        return answer
    if isinstance(command, do.ReturnColour):
        return (*_bought_back(state, people[0], command), *_table_records(answer))
    return _table_records(answer)


def _bought_back(
    state: TableState, person: Person, command: do.ReturnColour
) -> tuple[TableRecord, ...]:
    """Buy back the chips of a colour that are out by the book, when it goes back."""
    value = state.series.colours[command.colour].value_cents
    chips = state.balance(colour(command.colour)) // value
    if chips <= 0:
        return ()
    bought = money.ColourChipsBoughtBack(
        person, command.player, command.colour, chips, chips * value
    )
    return (TableRecord(state.series.last, bought),)


def _is_at_rest(state: TableState) -> bool:
    series = state.series
    return series.last > 0 and series.current.facts.at_rest is not None


def _needs_round(state: TableState) -> bool:
    return state.series.last == 0 or state.series.current.phase is Phase.ENDED


def _opened(state: TableState, people: tuple[Person, ...]) -> Judgement:
    """Begin a new round and open it, or do neither."""
    series = state.series
    begun = begin_round(series)
    for record in begun:
        series = apply_recorded(series, record)
    opening = decide_act(series, do.Act(people, do.PlaceYourBets()))
    if isinstance(opening, Refusal):
        return opening
    return _table_records((*begun, *opening))


def _drawn(state: TableState, around: Surroundings) -> Judgement:
    """Draw after the close: recorded before it is shown, never drawn again."""
    series = state.series
    probe = do.Act((GENERATOR,), do.DrawBonusNumbers(()))
    if series.last == 0 or series.current.phase is not Phase.CLOSED:
        answer = decide_act(series, probe)
        assert isinstance(answer, Refusal)
        return answer
    if not series.game.provides(Rule.BONUS_DRAW):
        return Refusal(
            series.game.clause(Rule.BONUS_DRAW), TableReason.NO_DRAW_IN_GAME()
        )
    drawn = around.draw(series.game)
    answer = decide_act(series, do.Act((GENERATOR,), do.DrawBonusNumbers(drawn)))
    return answer if isinstance(answer, Refusal) else _table_records(answer)


def _spun(state: TableState, around: Surroundings) -> Judgement:
    if not state.virtual_wheel:
        return _refused(state, Rule.OUTCOME, TableReason.REAL_WHEEL())
    series = state.series
    if series.last and series.current.phase is Phase.BETTING:
        return _refused(state, Rule.OUTCOME, TableReason.VIRTUAL_WHEEL_AFTER_CLOSE())
    number = around.spin(series.game)
    dealer = Person("virtual wheel", Role.DEALER)
    answer = decide_act(series, do.Act((dealer,), do.ReportBallAtRest(number)))
    return answer if isinstance(answer, Refusal) else _table_records(answer)


def _table_records(records: tuple[Recorded, ...]) -> tuple[TableRecord, ...]:
    return tuple(TableRecord(record.round_number, record.event) for record in records)


def _judge_running(
    state: TableState,
    person: Person,
    command: ask.CloseTable | ask.ReopenTable | ask.ChangeTerms,
) -> Judgement:
    """Open or close the table, or change the terms of the next round."""
    series = state.series
    if not series.game.is_staff(person):
        reason = TableReason.MAY_NOT_RUN_TABLE(person=person.named)
        return _refused(state, Rule.OPENING, reason)
    match command:
        case ask.CloseTable():
            if not state.is_open or (series.last and not state.is_between_rounds):
                return _refused(
                    state, Rule.OPENING, TableReason.CLOSED_BETWEEN_ROUNDS()
                )
            return (TableRecord(series.last, hap.TableClosed(person)),)
        case ask.ReopenTable():
            if state.is_open:
                return _refused(state, Rule.OPENING, TableReason.TABLE_OPEN())
            opened = hap.TableOpened(
                person, series.game.name, (), (), state.virtual_wheel
            )
            return (TableRecord(series.last, opened),)
        case ask.ChangeTerms(limits=limits, settings=settings):
            try:
                missing = read_limits(limits, series.game).missing(series.game)
                read_settings(series.game, settings)
            except NotationError as error:
                return _refused(state, Rule.LIMITS, error.reason)
            if missing:
                types = ", ".join(kind.value for kind in missing)
                reason = TableReason.LIMITS_MISSING(types=types)
                return _refused(state, Rule.LIMITS, reason)
            changed = hap.TermsChanged(person, limits, settings)
            return (TableRecord(series.last, changed),)


def _judge_interrupted(
    state: TableState, people: tuple[Person, ...], command: ask.AnyCommand
) -> Judgement:
    """Take the Dealer's word on the ball and a second person's, and no more."""
    interruption, series = state.interruption, state.series
    assert interruption is not None
    game, person = series.game, people[0]
    match command:
        case ask.StateBall(at_rest=number):
            if not game.may(person, Rule.OUTCOME):
                reason = RuleReason.MAY_NOT_SAY_BALL(person=person.named)
                return _refused(state, Rule.OUTCOME, reason)
            recorded = series.current.facts.at_rest
            if number is not None and number not in game.numbers:
                reason = RuleReason.NO_COMPARTMENT(game=game.title, number=number)
                return _refused(state, Rule.OUTCOME, reason)
            if recorded is not None and number != recorded:
                return _interrupted(TableReason.BALL_RECORDED_AT_REST(number=recorded))
            return (TableRecord(series.last, hap.BallStated(person, number)),)
        case ask.ConfirmBall():
            stated = interruption.stated
            if stated is None:
                return _interrupted(TableReason.BALL_NOT_STATED())
            if person.name == stated.by.name or not game.is_supervisor(person):
                return _interrupted(TableReason.SUPERVISOR_CONFIRMS())
            return _resumed(state, person, stated)
    return _interrupted(TableReason.INTERRUPTED_TABLE())


def resume_by_itself(state: TableState) -> Judgement:
    """Resume a virtual wheel's table: what is recorded is what the ball did."""
    at_rest = state.series.current.facts.at_rest
    stated = hap.BallStated(SYSTEM, at_rest)
    events = _resumed(state, SYSTEM, stated)
    assert not isinstance(events, Refusal)
    return (TableRecord(state.series.last, stated), *events)


def _resumed(state: TableState, person: Person, stated: hap.BallStated) -> Judgement:
    """Apply the document's clause for a power failure, after the ball's facts.

    Triple Zero reads it as 5.1, v3 as 5.11, Fast Action as 5.12; v2 and Complete Bet
    hold the round for a decision (A12, A20).
    """
    events = [TableRecord(state.series.last, hap.BallConfirmed(person))]
    series = state.series
    acts: list[do.RoundCommand] = []
    if stated.at_rest is not None and series.current.facts.at_rest is None:
        if not series.current.facts.spun:
            acts.append(do.SpinBall())
        acts.append(do.ReportBallAtRest(stated.at_rest))
    dealer = stated.by if stated.by.role is Role.DEALER else Person("", Role.DEALER)
    for command in (*acts, do.ReportPowerFailure()):
        by = SYSTEM if isinstance(command, do.ReportPowerFailure) else dealer
        answer = decide_act(series, do.Act((by,), command))
        if isinstance(answer, Refusal):
            continue
        for record in answer:
            series = apply_recorded(series, record)
        events += _table_records(answer)
    return tuple(events)


def _refused(state: TableState, rule: Rule, reason: Reason) -> Refusal:
    """Refuse by the clause of the act that the table's own is part of."""
    return Refusal(state.series.game.clause(rule), reason)


def _interrupted(reason: Reason) -> Refusal:
    """Refuse by our reading of when, after an interruption, an outcome exists."""
    return Refusal(Clause(READINGS, "A20"), reason)


_MOST_PARTS_TOLD = 20


def refusal_event(submission: ask.Submission, refusal: Refusal) -> ActRefused:
    command = submission.command
    is_sound = ask.has_sound_texts(command)
    act = _act_of(command) if is_sound else type(command).__name__
    person = submission.people[0]
    return ActRefused(person, act, refusal.clause, refusal.reason)


def _act_of(command: ask.AnyCommand) -> str:
    """Write what was asked, for who disputes the refusal: where and how much."""
    name = type(command).__name__
    match command:
        case PlaceWager(wager=AreaText() | MultipleText() as wager):
            cents = command.stake_cents if is_amount(command.stake_cents) else ""
            return f"{name} {wager.name} {cents}".rstrip()
        case ask.Together(parts=parts):
            return ", ".join(map(_act_of, parts[:_MOST_PARTS_TOLD])) or name
    return name


def readable(state: TableState, events: tuple[TableRecord, ...]) -> Judgement:
    """Refuse a value of the wrong kind, which would make an event unreadable."""
    if all(_is_readable(each.event) for each in events):
        return events
    return refuse(state, TableReason.VALUE_UNSOUND())


def _is_readable(event: JournalEvent) -> bool:
    """Say whether the event reads back as itself: NaN, for one, is written as null."""
    try:
        return decode(SCHEMA, type(event).__name__, encode(event)) == event
    except (UnreadableEvent, ValueError):  # of more digits than Python writes
        return False
