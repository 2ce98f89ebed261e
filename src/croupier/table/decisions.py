"""Decisions of a table: the events of a command, or a refusal; pure.

The caller passes in chance, the clock and the vouchers of the house.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args

from croupier.games.digest import game_digest
from croupier.journal.events import table as table_events
from croupier.journal.events.codec import (
    SCHEMA,
    UnreadableEvent,
    decode,
    encode,
)
from croupier.journal.events.table import ActRefused, RefusedAct
from croupier.ledger import money
from croupier.ledger.accounts import colour
from croupier.ledger.commands import (
    CashOut,
    EndStay,
    IssueVoucher,
    MoneyCommand,
    PayOwed,
    PayVoucher,
)
from croupier.rules import commands as play
from croupier.rules.cents import is_amount
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.commands import PlaceWager
from croupier.rules.game import READINGS, Game, Irregularity
from croupier.rules.notation import AreaText, MultipleText, NotationError
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import RuleReason
from croupier.rules.refusals import conflict_of_interest, refuse_person
from croupier.rules.round import Phase
from croupier.rules.series import begin_round
from croupier.rules.terms import (
    read_limits,
    read_settings,
    write_limits,
    write_settings,
)
from croupier.rules.wheel import Number
from croupier.table.cashier import Voucher, judge_money, refuse, seat_credited
from croupier.table.commands import (
    TABLE_COMMANDS,
    AnswerNotice,
    AnyCommand,
    BeginGamingDay,
    ChangeTerms,
    CloseTable,
    ConfirmBall,
    ConfirmLights,
    DrawNow,
    RecordInterpretation,
    ReopenTable,
    ReportLight,
    ReportShown,
    SpinVirtualWheel,
    StateBall,
    Submission,
    Together,
    WagerPart,
    has_sound_texts,
)
from croupier.table.interruption import judge_ball_word, judge_interrupted
from croupier.table.judgements import (
    GENERATOR,
    Judgement,
    TableRecord,
    after,
    judge_act,
    judge_acts,
    refuse_by,
    table_records,
)
from croupier.table.reasons import TableReason
from croupier.table.state import TableState
from croupier.table.wagers import judge_wager

_Report = ReportShown | AnswerNotice
_JudgeAct = Callable[[TableState, tuple[Person, ...], Any], Judgement]


@dataclass(frozen=True, slots=True)
class OutsideFacts:
    """Facts for a judgement from outside the table's state."""

    draw: Callable[[Game], tuple[Number, ...]]
    spin: Callable[[Game], Number]
    voucher: Voucher | None = None
    """The voucher that a `VoucherUse` names; for `IssueVoucher` a fresh one."""
    is_anonymous: Callable[[str], bool] = lambda _: False
    """Returns whether a seat is that of a terminal's unnamed Player."""


NO_CHANCE = OutsideFacts(draw=lambda _: (), spin=lambda _: Number("0"))
"""Facts for a trial judgement of commands that draw nothing."""


def judge(state: TableState, submission: Submission, around: OutsideFacts) -> Judgement:
    """Return the events of a command, in order, or its refusal."""
    command, people = submission.command, submission.people
    judge_any_time = _ANY_TIME.get(type(command))
    if judge_any_time is not None:
        return _conflict(state, people) or judge_any_time(state, people[0], command)
    if isinstance(command, WagerPart):
        return judge_wager(state, submission, command)
    if isinstance(command, EndStay):
        return _judge_money(state, people, command, around)
    if state.is_interrupted and not isinstance(command, _PAY_OUTS):
        return judge_interrupted(state, people, command)
    if type(command) in TABLE_COMMANDS:
        return _judge_table_command(state, submission, around)
    if not state.is_open:
        return refuse_by(state, Rule.OPENING, TableReason.TABLE_CLOSED())
    return _judge_play(state, people, command, around)


def _conflict(state: TableState, people: tuple[Person, ...]) -> Refusal | None:
    """Refuse a staff act of a person with a wager in the round (A42)."""
    latest = state.series.in_play
    return None if latest is None else conflict_of_interest(latest, people)


_PAY_OUTS = (CashOut, IssueVoucher, PayVoucher, PayOwed)
"""Pay-outs, which an interrupted table also takes."""


def _interpreted(
    state: TableState, person: Person, command: RecordInterpretation
) -> Judgement:
    """Record the answer to a question about the rules (Triple Zero 5.10 b)."""
    series, rule = state.series, Rule.INTERPRETATION
    if not series.game.provides(rule):
        return refuse_by(state, rule, TableReason.NO_INTERPRETATIONS())
    if not series.game.may(person, rule):
        return refuse_person(series.game, rule, person, command)
    are_there = all(0 < number <= series.last for number in command.rounds)
    said = command.question.strip() and command.answer.strip()
    if not command.rounds or not are_there or not said:
        return refuse_by(state, rule, TableReason.INTERPRETATION_INCOMPLETE())
    clause, question = series.game.clause(rule), command.question
    recorded = table_events.InterpretationRecorded(
        person, clause, question, command.answer, command.rounds
    )
    return (TableRecord(series.last, recorded),)


def _judge_table_command(
    state: TableState, submission: Submission, around: OutsideFacts
) -> Judgement:
    command, people = submission.command, submission.people
    match command:
        case CloseTable() | ReopenTable() | ChangeTerms():
            return _judge_running(state, people[0], command)
    if not state.is_open:
        return refuse_by(state, Rule.OPENING, TableReason.TABLE_CLOSED())
    match command:
        case DrawNow():
            return _drawn(state, around)
        case ConfirmLights():
            return _lights_confirmed(state, people[0])
        case SpinVirtualWheel():
            return _spun(state, around)
    return _judge_money(state, people, cast(MoneyCommand, command), around)


def _judge_money(
    state: TableState,
    people: tuple[Person, ...],
    command: MoneyCommand,
    around: OutsideFacts,
) -> Judgement:
    credited = seat_credited(command)
    is_anonymous = credited is not None and around.is_anonymous(credited)
    answer = judge_money(
        state, people, command, around.voucher, is_anonymous=is_anonymous
    )
    if isinstance(answer, Refusal):
        return answer
    return tuple(TableRecord(state.series.last, event) for event in answer)


def _reported(state: TableState, person: Person, command: _Report) -> Judgement:
    """Record a report of a device, which by itself changes no round."""
    event: table_events.OperationEvent
    match command:
        case ReportShown(terminal, announcement, shown_at_ms):
            event = table_events.AnnouncementShown(terminal, announcement, shown_at_ms)
        case AnswerNotice(notice, clause, accepted):
            event = table_events.NoticeAnswered(person, notice, clause, accepted)
    return (TableRecord(state.series.last, event),)


def _lit(state: TableState, _: Person, command: ReportLight) -> Judgement:
    """Record a light; for a number not drawn, report an irregularity (A15)."""
    series, device = state.series, command.device
    lit = TableRecord(series.last, table_events.LightReported(device, command.number))
    if state.drawn is None or command.number in state.drawn:
        return (lit,)
    report = play.ReportSensor(Irregularity.UNLISTED.value)
    reported = judge_act(state, (Person(device, Role.SENSOR),), report)
    return (lit,) if isinstance(reported, Refusal) else (lit, *reported)


def _day_begun(state: TableState, person: Person, command: BeginGamingDay) -> Judgement:
    """Begin a gaming day, once, if the house itself says so."""
    day = command.gaming_day
    if person.role is not Role.SYSTEM:
        return refuse_person(state.series.game, Rule.OPENING, person, command)
    if day <= state.begun_day:
        return refuse_by(state, Rule.OPENING, TableReason.DAY_BEGUN(day=day))
    return (TableRecord(state.series.last, table_events.GamingDayBegun(day)),)


_ANY_TIME: Mapping[type[AnyCommand], Callable[[TableState, Person, Any], Judgement]] = {
    **dict.fromkeys(get_args(_Report), _reported),
    ReportLight: _lit,
    play.ReportSensor: lambda state, person, command: judge_act(
        state, (person,), command
    ),
    RecordInterpretation: _interpreted,
    BeginGamingDay: _day_begun,
    StateBall: judge_ball_word,
    ConfirmBall: judge_ball_word,
}
"""Commands that are judged even while the table is closed or interrupted."""


def _lights_confirmed(state: TableState, person: Person) -> Judgement:
    """Record that all lights are on, after the draw and before the outcome.

    The clauses are 1.1.1 and 5.11.
    """
    series = state.series
    clause = series.game.clause(Rule.BONUS_DRAW)
    if not series.game.may(person, Rule.OUTCOME):
        command = ConfirmLights()
        return refuse_person(series.game, Rule.BONUS_DRAW, person, command)
    conflict = _conflict(state, (person,))
    if conflict is not None:
        return conflict
    if state.phase is not Phase.CLOSED:
        return Refusal(clause, TableReason.LIGHTS_CONFIRMED_AFTER_DRAW())
    if state.drawn is None:
        return Refusal(clause, RuleReason.NOT_DRAWN())
    return (TableRecord(series.last, table_events.LightsConfirmed(person)),)


def _judge_play(
    state: TableState,
    people: tuple[Person, ...],
    command: AnyCommand,
    around: OutsideFacts,
) -> Judgement:
    current = state.series.in_play
    is_at_rest = current is not None and current.facts.at_rest is not None
    match command:
        case play.DrawBonusNumbers() if state.virtual_wheel:
            return refuse_by(state, Rule.BONUS_DRAW, TableReason.VIRTUAL_WHEEL_SPEAKS())
        case play.ReportBallAtRest() if state.virtual_wheel:
            return refuse_by(state, Rule.OUTCOME, TableReason.VIRTUAL_WHEEL_SPEAKS())
        case play.AnnounceOutcome() if state.virtual_wheel and not is_at_rest:
            reason = TableReason.VIRTUAL_WHEEL_NOT_AT_REST()
            return refuse_by(state, Rule.OUTCOME, reason)
        case play.PlaceYourBets() if current is None or current.phase is Phase.ENDED:
            return _opened(state, people)
        case play.DecideOutcome():
            return _decided(state, people, command, around)
    judge_it = _WITH_MORE_THAN_RULES.get(type(command), judge_act)
    return judge_it(state, people, cast(Any, command))


def _unlit(
    state: TableState, people: tuple[Person, ...], command: play.ReportUnlit
) -> Judgement:
    """Refuse a report of a dark number after all ten were lit (A15)."""
    judged = judge_act(state, people, command)
    if isinstance(judged, Refusal):
        return judged
    if state.lights.are_known(state.drawn):
        return Refusal(Clause(READINGS, "A15"), TableReason.LIGHTS_ALL_SEEN())
    return judged


def _decided(
    state: TableState,
    people: tuple[Person, ...],
    command: play.DecideOutcome,
    around: OutsideFacts,
) -> Judgement:
    """Decide on an outcome, after a draw if that is missing (A35)."""
    series = state.series
    if state.phase is not Phase.HELD:
        return judge_act(state, people, command)
    game, drawn = series.game, series.current.facts.bonus_numbers
    if drawn is not None or not game.provides(Rule.BONUS_DRAW):
        return judge_act(state, people, command)
    drawing = play.DrawBonusNumbers(around.draw(game))
    return judge_acts(state, ((GENERATOR,), drawing), (people, command))


def _returned(
    state: TableState, people: tuple[Person, ...], command: play.ReturnColour
) -> Judgement:
    """Return a colour after buying back the chips that are booked as out."""
    judged = judge_act(state, people, command)
    if isinstance(judged, Refusal):
        return judged
    value = state.series.colours[command.colour].value_cents
    chips = state.balance(colour(command.colour)) // value
    if chips <= 0:
        return judged
    bought = money.ColourChipsBoughtBack(
        people[0], command.player, command.colour, chips, chips * value
    )
    return (TableRecord(state.series.last, bought), *judged)


_WITH_MORE_THAN_RULES: Mapping[type[AnyCommand], _JudgeAct] = {
    play.ReportUnlit: _unlit,
    play.ReturnColour: _returned,
}
"""Acts of play that the table judges beyond the rules."""


def _opened(state: TableState, people: tuple[Person, ...]) -> Judgement:
    begun = table_records(begin_round(state.series, game_digest(state.series.game)))
    opening = judge_act(after(state, begun), people, play.PlaceYourBets())
    return opening if isinstance(opening, Refusal) else (*begun, *opening)


def _drawn(state: TableState, around: OutsideFacts) -> Judgement:
    """Draw the Bonus Numbers of a closed round, once."""
    series = state.series
    is_due = state.phase is Phase.CLOSED
    if is_due and not series.game.provides(Rule.BONUS_DRAW):
        return refuse_by(state, Rule.BONUS_DRAW, TableReason.NO_DRAW_IN_GAME())
    drawn = around.draw(series.game) if is_due else ()
    return judge_act(state, (GENERATOR,), play.DrawBonusNumbers(drawn))


def _spun(state: TableState, around: OutsideFacts) -> Judgement:
    if not state.virtual_wheel:
        return refuse_by(state, Rule.OUTCOME, TableReason.REAL_WHEEL())
    if state.phase is Phase.BETTING:
        return refuse_by(state, Rule.OUTCOME, TableReason.VIRTUAL_WHEEL_AFTER_CLOSE())
    dealer = Person("virtual wheel", Role.DEALER)
    at_rest = play.ReportBallAtRest(around.spin(state.series.game))
    return judge_act(state, (dealer,), at_rest)


def _judge_running(
    state: TableState,
    person: Person,
    command: CloseTable | ReopenTable | ChangeTerms,
) -> Judgement:
    """Close or reopen the table, or change the terms of the next round."""
    series = state.series
    if not series.game.is_staff(person):
        return refuse_person(state.series.game, Rule.OPENING, person, command)
    match command:
        case CloseTable():
            if not state.is_open or (series.last and not state.is_between_rounds):
                reason = TableReason.CLOSED_BETWEEN_ROUNDS()
                return refuse_by(state, Rule.OPENING, reason)
            return (TableRecord(series.last, table_events.TableClosed(person)),)
        case ReopenTable():
            if state.is_open:
                return refuse_by(state, Rule.OPENING, TableReason.TABLE_OPEN())
            opened = table_events.TableOpened(
                person, series.game.name, (), (), state.virtual_wheel
            )
            return (TableRecord(series.last, opened),)
        case ChangeTerms(limits=limits, settings=settings):
            try:
                missing = read_limits(limits, series.game).missing(series.game)
                read_settings(series.game, settings)
            except NotationError as error:
                return refuse_by(state, Rule.LIMITS, error.reason)
            if missing:
                types = ", ".join(kind.value for kind in missing)
                reason = TableReason.LIMITS_MISSING(types=types)
                return refuse_by(state, Rule.LIMITS, reason)
            was = (*write_limits(series.limits), *write_settings(series.settings))
            changed = table_events.TermsChanged(person, limits, settings, was)
            return (TableRecord(series.last, changed),)


_MOST_PARTS_TOLD = 20


def refusal_event(submission: Submission, refusal: Refusal) -> ActRefused:
    command = submission.command
    parts: tuple[AnyCommand, ...] = (command,)
    is_sound = has_sound_texts(command)
    if isinstance(command, Together) and is_sound:
        parts = command.parts[:_MOST_PARTS_TOLD] or parts
    acts = tuple(_act_of(each, is_sound=is_sound) for each in parts)
    return ActRefused(submission.people[0], acts, refusal.clause, refusal.reason)


def _act_of(command: AnyCommand, *, is_sound: bool) -> RefusedAct:
    kind = type(command).__name__
    match command:
        case PlaceWager(wager=AreaText() | MultipleText() as wager) if is_sound:
            cents = command.stake_cents if is_amount(command.stake_cents) else None
            return RefusedAct(kind, wager.name, cents)
    return RefusedAct(kind)


def readable(state: TableState, events: tuple[TableRecord, ...]) -> Judgement:
    """Refuse events that would not read back equal: JSON writes NaN as null."""
    try:
        for _, event, _ in events:
            if decode(SCHEMA, type(event).__name__, encode(event)) != event:
                return refuse(state, TableReason.VALUE_UNSOUND())
    except (UnreadableEvent, ValueError):  # an int with too many digits
        return refuse(state, TableReason.VALUE_UNSOUND())
    return events
