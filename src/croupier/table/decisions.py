"""Decisions of a table: the events of a command, or a refusal; pure.

Chance, the clock and the vouchers of the house are handed in with the command.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast, get_args

from croupier.journal.events import table as hap
from croupier.journal.events.codec import (
    SCHEMA,
    JournalEvent,
    UnreadableEvent,
    decode,
    encode,
)
from croupier.journal.events.table import ActRefused, RefusedAct
from croupier.ledger import money
from croupier.ledger.accounts import colour
from croupier.rules import commands as do
from croupier.rules.cents import is_amount
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.commands import PlaceWager
from croupier.rules.decisions import decide_act
from croupier.rules.game import READINGS, Game, Irregularity
from croupier.rules.notation import AreaText, MultipleText, NotationError
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import RuleReason
from croupier.rules.refusals import conflict_of_interest
from croupier.rules.round import Phase
from croupier.rules.series import apply_recorded, begin_round
from croupier.rules.terms import (
    read_limits,
    read_settings,
    write_limits,
    write_settings,
)
from croupier.rules.wheel import Number
from croupier.table import commands as ask
from croupier.table.cashier import Voucher, judge_money, refuse, seat_credited
from croupier.table.interruption import judge_ball_word, judge_interrupted
from croupier.table.judgements import (
    GENERATOR,
    Judgement,
    TableRecord,
    after,
    judge_act,
    refuse_by,
    table_records,
)
from croupier.table.reasons import TableReason
from croupier.table.state import TableState
from croupier.table.wagers import judge_wager

_Report = ask.ReportShown | ask.AnswerNotice
_JudgeAct = Callable[[TableState, tuple[Person, ...], Any], Judgement]


@dataclass(frozen=True, slots=True)
class OutsideFacts:
    """The facts that a judgement needs from outside the table's own state."""

    draw: Callable[[Game], tuple[Number, ...]]
    spin: Callable[[Game], Number]
    voucher: Voucher | None = None
    """The voucher that a `VoucherUse` names; for `IssueVoucher` a fresh one."""
    is_anonymous: Callable[[str], bool] = lambda _: False
    """Whether a seat is a terminal's own, where Players come and go unnamed."""


def judge(
    state: TableState, submission: ask.Submission, around: OutsideFacts
) -> Judgement:
    """Return the events of a command, in order; the state stays as it is."""
    command, people = submission.command, submission.people
    judge_any_time = _ANY_TIME.get(type(command))
    if judge_any_time is not None:
        return _conflict(state, people) or judge_any_time(state, people[0], command)
    if isinstance(command, ask.WagerPart):
        return judge_wager(state, submission, command)
    if isinstance(command, ask.EndStay):
        return _judge_money(state, people, command, around)
    if state.interruption is not None and not isinstance(command, _PAY_OUTS):
        return judge_interrupted(state, people, command)
    if type(command) in ask.TABLE_COMMANDS:
        return _judge_table_command(state, submission, around)
    if not state.is_open:
        return refuse_by(state, Rule.OPENING, TableReason.TABLE_CLOSED())
    return _judge_play(state, people, command, around)


def _conflict(state: TableState, people: tuple[Person, ...]) -> Refusal | None:
    """Refuse a staff act of somebody with a wager in the round (A42)."""
    series = state.series
    return conflict_of_interest(series.current, people) if series.last else None


_PAY_OUTS = (ask.CashOut, ask.IssueVoucher, ask.PayVoucher, ask.PayOwed)
"""Pay-outs of credit that is not at stake, also while the table is interrupted."""


def _interpreted(
    state: TableState, person: Person, command: ask.RecordInterpretation
) -> Judgement:
    """Record how a question about the rules is decided (Triple Zero 5.10 b)."""
    series, rule = state.series, Rule.INTERPRETATION
    if not series.game.provides(rule):
        return refuse_by(state, rule, TableReason.NO_INTERPRETATIONS())
    if not series.game.may(person, rule):
        reason = TableReason.MAY_NOT_INTERPRET(person=person.named)
        return refuse_by(state, rule, reason)
    are_there = all(0 < number <= series.last for number in command.rounds)
    said = command.question.strip() and command.answer.strip()
    if not command.rounds or not are_there or not said:
        return refuse_by(state, rule, TableReason.INTERPRETATION_INCOMPLETE())
    recorded = hap.InterpretationRecorded(
        person,
        series.game.clause(rule),
        command.question,
        command.answer,
        command.rounds,
    )
    return (TableRecord(series.last, recorded),)


def _judge_table_command(
    state: TableState, submission: ask.Submission, around: OutsideFacts
) -> Judgement:
    command, people = submission.command, submission.people
    match command:
        case ask.CloseTable() | ask.ReopenTable() | ask.ChangeTerms():
            return _judge_running(state, people[0], command)
    if not state.is_open:
        return refuse_by(state, Rule.OPENING, TableReason.TABLE_CLOSED())
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
    """Record what devices say, at any time: it changes no round by itself."""
    return (TableRecord(state.series.last, _report(person, command)),)


def _report(person: Person, command: _Report) -> hap.OperationEvent:
    match command:
        case ask.ReportShown(terminal, announcement, shown_at_ms):
            return hap.AnnouncementShown(terminal, announcement, shown_at_ms)
        case ask.AnswerNotice(notice, clause, accepted):
            return hap.NoticeAnswered(person, notice, clause, accepted)


def _lit(state: TableState, _: Person, command: ask.ReportLight) -> Judgement:
    """Record a light; one too many is an irregularity that a device reports (A15)."""
    series, device = state.series, command.device
    lit = TableRecord(series.last, hap.LightReported(device, command.number))
    drawn = series.current.facts.bonus_numbers if series.last else None
    if drawn is None or command.number in drawn:
        return (lit,)
    report = do.ReportSensor(Irregularity.UNLISTED.value)
    reported = judge_act(state, (Person(device, Role.SENSOR),), report)
    return (lit,) if isinstance(reported, Refusal) else (lit, *reported)


def _day_begun(
    state: TableState, person: Person, command: ask.BeginGamingDay
) -> Judgement:
    """Begin a gaming day by the house's own word, once."""
    day = command.gaming_day
    if person.role is not Role.SYSTEM:
        reason = TableReason.MAY_NOT_RUN_TABLE(person=person.named)
        return refuse_by(state, Rule.OPENING, reason)
    if day <= state.begun_day:
        return refuse_by(state, Rule.OPENING, TableReason.DAY_BEGUN(day=day))
    return (TableRecord(state.series.last, hap.GamingDayBegun(day)),)


_ANY_TIME: Mapping[
    type[ask.AnyCommand], Callable[[TableState, Person, Any], Judgement]
] = {
    **dict.fromkeys(get_args(_Report), _reported),
    ask.ReportLight: _lit,
    do.ReportSensor: lambda state, person, command: judge_act(
        state, (person,), command
    ),
    ask.RecordInterpretation: _interpreted,
    ask.BeginGamingDay: _day_begun,
    ask.StateBall: judge_ball_word,
    ask.ConfirmBall: judge_ball_word,
}
"""Commands judged also while the table is closed or interrupted."""


def _lights_confirmed(state: TableState, person: Person) -> Judgement:
    """Take the confirmation after the draw and before the outcome (1.1.1, 5.11)."""
    series = state.series
    clause = series.game.clause(Rule.BONUS_DRAW)
    if not series.game.may(person, Rule.OUTCOME):
        return Refusal(clause, TableReason.MAY_NOT_CONFIRM_LIGHTS(person=person.named))
    conflict = _conflict(state, (person,))
    if conflict is not None:
        return conflict
    if not series.last or series.current.phase is not Phase.CLOSED:
        return Refusal(clause, TableReason.LIGHTS_CONFIRMED_AFTER_DRAW())
    if series.current.facts.bonus_numbers is None:
        return Refusal(clause, RuleReason.NOT_DRAWN())
    return (TableRecord(series.last, hap.LightsConfirmed(person)),)


def _judge_play(
    state: TableState,
    people: tuple[Person, ...],
    command: ask.AnyCommand,
    around: OutsideFacts,
) -> Judgement:
    match command:
        case do.DrawBonusNumbers() if state.virtual_wheel:
            return refuse_by(state, Rule.BONUS_DRAW, TableReason.VIRTUAL_WHEEL_SPEAKS())
        case do.ReportBallAtRest() if state.virtual_wheel:
            return refuse_by(state, Rule.OUTCOME, TableReason.VIRTUAL_WHEEL_SPEAKS())
        case do.AnnounceOutcome() if state.virtual_wheel and not _is_at_rest(state):
            reason = TableReason.VIRTUAL_WHEEL_NOT_AT_REST()
            return refuse_by(state, Rule.OUTCOME, reason)
        case do.PlaceYourBets() if _needs_round(state):
            return _opened(state, people)
        case do.DecideOutcome():
            return _decided(state, people, command, around)
    judge_it = _WITH_MORE_THAN_RULES.get(type(command), judge_act)
    return judge_it(state, people, cast(Any, command))


def _unlit(
    state: TableState, people: tuple[Person, ...], command: do.ReportUnlit
) -> Judgement:
    """Refuse darkness that comes after all ten were lit (A15)."""
    judged = judge_act(state, people, command)
    if isinstance(judged, Refusal):
        return judged
    drawn = state.series.current.facts.bonus_numbers
    if state.lights.are_known(drawn):
        return Refusal(Clause(READINGS, "A15"), TableReason.LIGHTS_ALL_SEEN())
    return judged


def _decided(
    state: TableState,
    people: tuple[Person, ...],
    command: do.DecideOutcome,
    around: OutsideFacts,
) -> Judgement:
    """Decide on an outcome; a draw that is missing is drawn now (A35)."""
    series = state.series
    if not series.last or series.current.phase is not Phase.HELD:
        return judge_act(state, people, command)
    game, drawn = series.game, series.current.facts.bonus_numbers
    if drawn is not None or not game.provides(Rule.BONUS_DRAW):
        return judge_act(state, people, command)
    drawing = do.DrawBonusNumbers(around.draw(game))
    draw = judge_act(state, (GENERATOR,), drawing)
    if isinstance(draw, Refusal):
        return draw
    decided = judge_act(after(state, draw), people, command)
    return decided if isinstance(decided, Refusal) else (*draw, *decided)


def _returned(
    state: TableState, people: tuple[Person, ...], command: do.ReturnColour
) -> Judgement:
    judged = judge_act(state, people, command)
    if isinstance(judged, Refusal):
        return judged
    return (*_bought_back(state, people[0], command), *judged)


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


_WITH_MORE_THAN_RULES: Mapping[type[ask.AnyCommand], _JudgeAct] = {
    do.ReportUnlit: _unlit,
    do.ReturnColour: _returned,
}
"""Acts for which more counts than the rules alone."""


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
    return table_records((*begun, *opening))


def _drawn(state: TableState, around: OutsideFacts) -> Judgement:
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
    return answer if isinstance(answer, Refusal) else table_records(answer)


def _spun(state: TableState, around: OutsideFacts) -> Judgement:
    if not state.virtual_wheel:
        return refuse_by(state, Rule.OUTCOME, TableReason.REAL_WHEEL())
    series = state.series
    if series.last and series.current.phase is Phase.BETTING:
        return refuse_by(state, Rule.OUTCOME, TableReason.VIRTUAL_WHEEL_AFTER_CLOSE())
    number = around.spin(series.game)
    dealer = Person("virtual wheel", Role.DEALER)
    answer = decide_act(series, do.Act((dealer,), do.ReportBallAtRest(number)))
    return answer if isinstance(answer, Refusal) else table_records(answer)


def _judge_running(
    state: TableState,
    person: Person,
    command: ask.CloseTable | ask.ReopenTable | ask.ChangeTerms,
) -> Judgement:
    """Open or close the table, or change the terms of the next round."""
    series = state.series
    if not series.game.is_staff(person):
        reason = TableReason.MAY_NOT_RUN_TABLE(person=person.named)
        return refuse_by(state, Rule.OPENING, reason)
    match command:
        case ask.CloseTable():
            if not state.is_open or (series.last and not state.is_between_rounds):
                return refuse_by(
                    state, Rule.OPENING, TableReason.CLOSED_BETWEEN_ROUNDS()
                )
            return (TableRecord(series.last, hap.TableClosed(person)),)
        case ask.ReopenTable():
            if state.is_open:
                return refuse_by(state, Rule.OPENING, TableReason.TABLE_OPEN())
            opened = hap.TableOpened(
                person, series.game.name, (), (), state.virtual_wheel
            )
            return (TableRecord(series.last, opened),)
        case ask.ChangeTerms(limits=limits, settings=settings):
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
            changed = hap.TermsChanged(person, limits, settings, was)
            return (TableRecord(series.last, changed),)


_MOST_PARTS_TOLD = 20


def refusal_event(submission: ask.Submission, refusal: Refusal) -> ActRefused:
    command = submission.command
    parts: tuple[ask.AnyCommand, ...] = (command,)
    is_sound = ask.has_sound_texts(command)
    if isinstance(command, ask.Together) and is_sound:
        parts = command.parts[:_MOST_PARTS_TOLD] or parts
    acts = tuple(_act_of(each, is_sound=is_sound) for each in parts)
    return ActRefused(submission.people[0], acts, refusal.clause, refusal.reason)


def _act_of(command: ask.AnyCommand, *, is_sound: bool) -> RefusedAct:
    kind = type(command).__name__
    match command:
        case PlaceWager(wager=AreaText() | MultipleText() as wager) if is_sound:
            cents = command.stake_cents if is_amount(command.stake_cents) else None
            return RefusedAct(kind, wager.name, cents)
    return RefusedAct(kind)


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
