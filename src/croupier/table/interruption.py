"""Rounds in play at a crash (A38): two people state the ball, and a clause decides.

Laws of this file:
- if the house itself may close the betting, the betting is over;
- an event is recorded only if it was stated or reported;
- a sensor's record from before the crash binds: a statement against it holds the round.
"""

from __future__ import annotations

from croupier.journal.events.table import BallConfirmed, BallStated, TableInterrupted
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.commands import (
    AnnounceNoSpin,
    CorrectBall,
    NoMoreBets,
    ReportBallAtRest,
    ReportPowerFailure,
    SpinBall,
)
from croupier.rules.game import READINGS
from croupier.rules.irregularities import held
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason
from croupier.rules.refusals import refuse_person
from croupier.rules.round import Phase
from croupier.table.commands import AnyCommand, ConfirmBall, StateBall, WagerPart
from croupier.table.judgements import (
    SYSTEM,
    Judgement,
    TableRecord,
    after,
    judge_act,
    judge_acts,
    refuse_by,
)
from croupier.table.reasons import TableReason
from croupier.table.state import TableState


def interrupted(state: TableState, sequence: int) -> tuple[TableRecord, ...]:
    """Interrupt a round found in play, and close its betting if the house may.

    At a virtual wheel the house states the ball at once; other tables wait for their
    staff.
    """
    number = state.series.last
    records: tuple[TableRecord, ...] = (
        TableRecord(number, TableInterrupted(sequence)),
    )
    if state.series.current.phase is Phase.BETTING:
        closed = judge_act(state, (SYSTEM,), NoMoreBets())
        if not isinstance(closed, Refusal):
            records = (*records, *closed)
            state = after(state, closed)
    if state.virtual_wheel and state.is_in_play:
        stated = BallStated(SYSTEM, state.series.current.facts.at_rest)
        resumed = _resumed(state, SYSTEM, stated)
        records = (*records, TableRecord(number, stated), *resumed)
    return records


def judge_ball_word(
    state: TableState, person: Person, command: StateBall | ConfirmBall
) -> Judgement:
    """Judge the Dealer's statement of the ball, and its confirmation (A29)."""
    if not state.is_interrupted and not state.is_ball_disputed:
        return _refuse(state, TableReason.NO_BALL_TO_STATE())
    if isinstance(command, StateBall):
        refusal = _may_not_state(state, person, command)
        if refusal is not None:
            return refusal
        stated = BallStated(person, command.at_rest, command.spun)
        return (TableRecord(state.series.last, stated),)
    word = state.ball_stated
    if word is None:
        return _refuse(state, TableReason.BALL_NOT_STATED())
    if person.name == word.by.name or not state.series.game.is_supervisor(person):
        return _refuse(state, TableReason.SUPERVISOR_CONFIRMS())
    return (_resumed if state.is_interrupted else _confirmed)(state, person, word)


def _confirmed(state: TableState, person: Person, stated: BallStated) -> Judgement:
    """Restate a disputed ball; if it rests nowhere, the round stays held (A45)."""
    confirmed = TableRecord(state.series.last, BallConfirmed(person))
    if stated.at_rest is None:
        return (confirmed,)
    correction = CorrectBall(stated.at_rest)
    restated = judge_act(state, (stated.by, person), correction)
    return restated if isinstance(restated, Refusal) else (confirmed, *restated)


def _may_not_state(
    state: TableState, person: Person, command: StateBall
) -> Refusal | None:
    game, facts = state.series.game, state.series.current.facts
    number = command.at_rest
    if not game.may(person, Rule.OUTCOME):
        return refuse_person(game, Rule.OUTCOME, person, command)
    if number is not None and number not in game.numbers:
        return refuse_by(state, Rule.OUTCOME, game.no_compartment(number))
    if not state.is_interrupted or facts.at_rest in {None, number}:
        return None
    is_sensors = facts.keyed_rest is None and facts.sensor.at_rest is not None
    if is_sensors and state.series.current.winning_number is None:
        return None  # the confirmation holds the round
    reason = TableReason.BALL_RECORDED_AT_REST(number=facts.at_rest)
    return refuse_by(state, Rule.OUTCOME, reason)


def _resumed(
    state: TableState, person: Person, stated: BallStated
) -> tuple[TableRecord, ...]:
    """Record the ball's facts, then apply the document's clause for a power failure.

    That is 5.1 in Triple Zero, 5.11 in v3 and 5.12 in Fast Action; v2 and Complete Bet
    hold the round for a decision (A12, A20).
    """
    number, seen = state.series.last, state.series.current.facts.sensor.unanswered_rest
    confirmed = TableRecord(number, BallConfirmed(person))
    if seen is not None and stated.at_rest != seen:
        reason = TableReason.STATED_AGAINST_SENSOR(seen=seen)
        return confirmed, TableRecord(number, held(state.series.current, reason))
    records = _ball_facts(state, person, stated)
    failed = judge_act(after(state, records), (SYSTEM,), ReportPowerFailure())
    return confirmed, *records, *(() if isinstance(failed, Refusal) else failed)


def _ball_facts(
    state: TableState, person: Person, stated: BallStated
) -> tuple[TableRecord, ...]:
    """Return records of the stated facts: a rest only after a spin of this round."""
    facts, number = state.series.current.facts, stated.at_rest
    if number is None or facts.at_rest not in {None, facts.sensor.at_rest}:
        return ()
    records: tuple[TableRecord, ...] = ()
    if stated.spun and not facts.spun:
        spun = judge_act(state, (stated.by,), SpinBall())
        records = () if isinstance(spun, Refusal) else spun
    at_rest = ReportBallAtRest(number, confirmed_by=person)
    rest = judge_act(after(state, records), (stated.by,), at_rest)
    return records if isinstance(rest, Refusal) else (*records, *rest)


def judge_interrupted(
    state: TableState, people: tuple[Person, ...], command: AnyCommand
) -> Judgement:
    """Judge a command at an interrupted table, except statements of the ball."""
    game, current = state.series.game, state.series.current
    # Triple Zero has a clause of its own for interruptions (5.1).
    is_by_clause = game.provides(Rule.INTERRUPTION_VOIDS)
    if isinstance(command, AnnounceNoSpin) and not is_by_clause:
        return _no_spin(state, people, command)
    if isinstance(command, WagerPart) and current.facts.closed:
        late = judge_act(state, people, command)
        assert isinstance(late, Refusal)
        return late
    return _refuse(state, TableReason.INTERRUPTED_TABLE())


def _no_spin(
    state: TableState, people: tuple[Person, ...], command: AnnounceNoSpin
) -> Judgement:
    """Record the power failure, then “no spin”, which answers it (v3 5.11.1)."""
    if not state.series.game.provides(Rule.NO_SPIN):
        return judge_act(state, people, command)
    return judge_acts(state, ((SYSTEM,), ReportPowerFailure()), (people, command))


def _refuse(state: TableState, reason: Reason) -> Refusal:
    """Refuse by the document's clause for a power failure, or by our reading."""
    game = state.series.game
    if game.provides(Rule.INTERRUPTION_VOIDS):
        return Refusal(Clause(READINGS, "A20"), reason)
    return refuse_by(state, Rule.POWER_FAILURE_CONTINUES, reason)
