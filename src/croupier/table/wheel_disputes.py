"""The wheel against the console (A40): what holds a round, and what lets it go on."""

from __future__ import annotations

from croupier.journal.events import table as hap
from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.game import READINGS, Irregularity
from croupier.rules.irregularities import closing, held
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason, RuleReason
from croupier.rules.round import Phase
from croupier.rules.series import recorded
from croupier.rules.wheel import Number
from croupier.table import commands as ask
from croupier.table.judgements import (
    SYSTEM,
    Judgement,
    TableRecord,
    after,
    judge_act,
    judge_fact,
    table_records,
)
from croupier.table.state import TableState


def judge_wheel_report(
    state: TableState, command: ask.ReportWheel
) -> tuple[TableRecord, ...]:
    """Record what a sensor saw; a drop or a rest of this spin closes the betting.

    In a held round nothing is closed, but the ball's facts are on record when play
    goes on.
    """
    series = state.series
    report = hap.WheelReported(
        command.device,
        command.fact,
        command.number,
        command.revolutions,
        command.against_wheel,
    )
    records = (TableRecord(series.last, report),)
    phase = series.current.phase if series.last else Phase.AWAITING
    is_stated = state.interruption is not None and phase is Phase.DECIDED
    if phase not in _TAKES_FACTS or is_stated:
        return records
    if command.fact == "dropped":
        return (*records, *_dropped(state, command))
    if command.fact == "at_rest" and command.number in series.game.numbers:
        return (*records, *_rested(state, command.device, command.number))
    return records


_TAKES_FACTS = frozenset({Phase.BETTING, Phase.CLOSED, Phase.DECIDED, Phase.HELD})


def _dropped(state: TableState, command: ask.ReportWheel) -> tuple[TableRecord, ...]:
    """Close the betting; where it stays open, what comes now is late (A28)."""
    current = state.series.current
    if current.phase is Phase.BETTING and command.closes_betting:
        return _closed(state)
    is_open = current.phase in {Phase.BETTING, Phase.HELD}
    if not is_open or not state.reports.is_of_spin(current.facts):
        return ()
    return _ball_facts(state, command.device, do.ReportBallDropped())


def _closed(state: TableState) -> tuple[TableRecord, ...]:
    current = state.series.current
    if current.phase is not Phase.BETTING:
        return ()
    return table_records(recorded(current.number, closing(current, SYSTEM)))


def _rested(state: TableState, device: str, number: Number) -> tuple[TableRecord, ...]:
    current = state.series.current
    if not state.reports.is_of_spin(current.facts):
        return ()
    if current.phase is Phase.DECIDED:
        return _late_rest(state, device, number)
    records = _closed(state)
    rest = do.ReportBallAtRest(number)
    return (*records, *_ball_facts(after(state, records), device, rest))


def _ball_facts(
    state: TableState, device: str, fact: do.ReportBallDropped | do.ReportBallAtRest
) -> tuple[TableRecord, ...]:
    """Return what the sensor saw, after a spin that only the sensor has seen."""
    current = state.series.current
    if current.phase is Phase.HELD:  # judged as it will be when play goes on
        clause = Clause(READINGS, "A40")
        goes_on = ev.PlayContinued(Person(device, SYSTEM.role), clause)
        state = after(state, (TableRecord(current.number, goes_on),))
    records: tuple[TableRecord, ...] = ()
    if not current.facts.spun:
        spun = judge_fact(state, device, do.SpinBall())
        if isinstance(spun, Refusal):
            return ()
        records = spun
    seen = judge_fact(after(state, records), device, fact)
    if isinstance(seen, Refusal):  # on record already, or the outcome is
        return records
    return (*records, *seen)


def _late_rest(
    state: TableState, device: str, number: Number
) -> tuple[TableRecord, ...]:
    """Hold a round whose announced outcome the sensor contradicts now."""
    current = state.series.current
    announced = current.winning_number
    if announced is None or announced == number or current.decided_by is not None:
        return ()
    reason = RuleReason.SENSOR_SAW_OTHERWISE(seen=number, number=announced)
    return _held(state, Person(device, SYSTEM.role), announced, reason, seen=number)


def doubt_about(state: TableState, number: Number) -> Reason | None:
    """Return what of the devices' word speaks against an outcome."""
    reports, series = state.reports, state.series
    if not series.last or number not in series.game.numbers:
        return None
    seen = reports.at_rest
    if seen is not None:
        on_record = series.current.facts.compartment
        if seen != number or on_record not in {None, number}:
            return RuleReason.SENSOR_SAW_OTHERWISE(seen=seen, number=number)
    if reports.stray_rest is not None:
        return RuleReason.REST_OUTSIDE_SPIN(number=reports.stray_rest)
    if reports.pending:
        return RuleReason.REPORT_UNANSWERED(reason=reports.pending[0].reason)
    return None


def judge_outcome(
    state: TableState, people: tuple[Person, ...], command: do.AnnounceOutcome
) -> Judgement:
    """Hold an outcome that the devices contradict; judge others by the rules."""
    doubt = doubt_about(state, command.number)
    if doubt is None:
        return judge_act(state, people, command)
    # What else is wrong with the announcement comes first: who, and which step.
    recorded_at = state.series.current.facts.at_rest
    would_be = do.AnnounceOutcome(recorded_at or command.number)
    judged = judge_act(state, people, would_be)
    if isinstance(judged, Refusal):
        return judged
    return _held(state, people[0], command.number, doubt)


def judge_irregularity(
    state: TableState, people: tuple[Person, ...], command: do.ReportIrregularity
) -> Judgement:
    """Hold a report of too few revolutions where the sensor counted enough (A32)."""
    judged = judge_act(state, people, command)
    few, counted = Irregularity.FEWER_THAN_FOUR_REVOLUTIONS, state.reports.revolutions
    if isinstance(judged, Refusal) or command.irregularity is not few:
        return judged
    current = state.series.current
    if counted is None or counted < current.game.row(Rule.SPIN).amount:
        return judged
    return judged[0], TableRecord(current.number, held(current, few.reason))


def judge_settlement(
    state: TableState, people: tuple[Person, ...], command: do.Settle
) -> Judgement:
    """Settle nothing over a report that came after the announcement."""
    judged = judge_act(state, people, command)
    current = state.series.current if state.series.last else None
    if isinstance(judged, Refusal) or current is None:
        return judged
    number = current.winning_number
    if current.phase is not Phase.DECIDED or current.decided_by or number is None:
        return judged
    doubt = doubt_about(state, number)
    return judged if doubt is None else _held(state, people[0], number, doubt)


def _held(
    state: TableState,
    person: Person,
    number: Number,
    reason: Reason,
    *,
    seen: Number | None = None,
) -> tuple[TableRecord, ...]:
    reports, current = state.reports, state.series.current
    seen = seen or reports.at_rest or reports.stray_rest
    pending: tuple[Irregularity, ...] = reports.pending
    disputed = hap.OutcomeDisputed(person, number, seen, pending)
    return (
        TableRecord(current.number, disputed),
        TableRecord(current.number, held(current, reason)),
    )


def judge_confirmation(
    state: TableState, person: Person, stated: hap.BallStated
) -> Judgement:
    """Let a disputed round go on with what two people see on the wheel (A29).

    Where they see the ball nowhere, the round stays held for a decision.
    """
    number, clause = state.series.last, Clause(READINGS, "A40")
    confirmed = TableRecord(number, hap.BallConfirmed(person))
    if stated.at_rest is None:
        return (confirmed,)
    goes_on = (TableRecord(number, ev.PlayContinued(person, clause)),)
    put_right = _put_right(after(state, goes_on), (stated.by, person), stated.at_rest)
    if isinstance(put_right, Refusal):
        return put_right
    return (confirmed, *goes_on, *put_right)


def _put_right(
    state: TableState, people: tuple[Person, ...], number: Number
) -> Judgement:
    """Bring the record to what two people saw."""
    current = state.series.current
    if current.winning_number is not None:
        if current.winning_number == number:
            return ()
        return judge_act(state, people, do.CorrectOutcome(current.number, number))
    seen = current.facts.compartment
    if seen == number:
        return ()
    if seen is None:
        return judge_act(state, people[:1], do.ReportBallAtRest(number))
    return judge_act(state, people, do.CorrectBall(number))


def judge_ball_correction(
    state: TableState, people: tuple[Person, ...], command: do.CorrectBall
) -> Judgement:
    """Restate the ball; where the dispute was about it, the round goes on (A34)."""
    judged = judge_act(state, people, command)
    if isinstance(judged, Refusal) or state.dispute is None:
        return judged
    clause = Clause(READINGS, "A40")
    goes_on = ev.PlayContinued(people[-1], clause, command.because)
    return (*judged, TableRecord(state.series.last, goes_on))
