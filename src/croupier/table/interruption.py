"""A round found in play after a crash (A38): the ball by two people, then the clause.

Laws of this file:
- betting is over, where the house itself may close it;
- no event is recorded that nobody stated or reported;
- what a sensor recorded before the crash binds: an answer against it holds the round.
"""

from __future__ import annotations

from croupier.journal.events import table as hap
from croupier.rules import commands as do
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.game import READINGS, Game
from croupier.rules.irregularities import held
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason, RuleReason
from croupier.rules.round import Phase
from croupier.rules.wheel import Number
from croupier.table import commands as ask
from croupier.table.judgements import (
    SYSTEM,
    Judgement,
    TableRecord,
    after,
    judge_act,
    refuse_by,
)
from croupier.table.reasons import TableReason
from croupier.table.state import TableState


def interrupted(state: TableState, sequence: int) -> tuple[TableRecord, ...]:
    """Stop a round found in play, and close its betting if the house may.

    A virtual wheel answers for itself; other tables wait for their staff.
    """
    number = state.series.last
    records: tuple[TableRecord, ...] = (
        TableRecord(number, hap.TableInterrupted(sequence)),
    )
    if state.series.current.phase is Phase.BETTING:
        closed = judge_act(state, (SYSTEM,), do.NoMoreBets())
        if not isinstance(closed, Refusal):
            records = (*records, *closed)
            state = after(state, closed)
    if state.virtual_wheel and state.is_in_play:
        records = (*records, *_resumed_by_itself(state))
    return records


def judge_ball_word(
    state: TableState, person: Person, command: ask.StateBall | ask.ConfirmBall
) -> Judgement:
    """Take the Dealer's word on the ball, and a second person's (A29)."""
    is_crash = state.interruption is not None
    if not is_crash and not state.is_ball_disputed:
        return _refuse(state, TableReason.NO_BALL_TO_STATE())
    if isinstance(command, ask.StateBall):
        refusal = _may_not_state(state, person, command.at_rest)
        if refusal is not None:
            return refusal
        stated = hap.BallStated(person, command.at_rest, command.spun)
        return (TableRecord(state.series.last, stated),)
    word = state.interruption.stated if state.interruption else state.ball_stated
    if word is None:
        return _refuse(state, TableReason.BALL_NOT_STATED())
    if person.name == word.by.name or not state.series.game.is_supervisor(person):
        return _refuse(state, TableReason.SUPERVISOR_CONFIRMS())
    return (_resumed if is_crash else _confirmed)(state, person, word)


def _confirmed(state: TableState, person: Person, stated: hap.BallStated) -> Judgement:
    """Restate the disputed ball; nowhere seen, the round waits for a decision (A45)."""
    confirmed = TableRecord(state.series.last, hap.BallConfirmed(person))
    if stated.at_rest is None:
        return (confirmed,)
    correction = do.CorrectBall(stated.at_rest)
    restated = judge_act(state, (stated.by, person), correction)
    return restated if isinstance(restated, Refusal) else (confirmed, *restated)


def _may_not_state(
    state: TableState, person: Person, number: Number | None
) -> Refusal | None:
    game, facts = state.series.game, state.series.current.facts
    if not game.may(person, Rule.OUTCOME):
        reason: Reason = RuleReason.MAY_NOT_SAY_BALL(person=person.named)
        return refuse_by(state, Rule.OUTCOME, reason)
    if number is not None and number not in game.numbers:
        reason = game.no_compartment(number)
        return refuse_by(state, Rule.OUTCOME, reason)
    if state.interruption is None or facts.at_rest in {None, number}:
        return None
    is_sensors = facts.keyed_rest is None and facts.sensor.at_rest is not None
    if is_sensors and state.series.current.winning_number is None:
        return None  # it is held once it is confirmed
    reason = TableReason.BALL_RECORDED_AT_REST(number=facts.at_rest)
    return refuse_by(state, Rule.OUTCOME, reason)


def _resumed_by_itself(state: TableState) -> tuple[TableRecord, ...]:
    """Resume a virtual wheel's table: what is recorded is what the ball did."""
    stated = hap.BallStated(SYSTEM, state.series.current.facts.at_rest)
    return (
        TableRecord(state.series.last, stated),
        *_resumed(state, SYSTEM, stated),
    )


def _resumed(
    state: TableState, person: Person, stated: hap.BallStated
) -> tuple[TableRecord, ...]:
    """Apply the document's clause for a power failure, after the ball's facts.

    Triple Zero reads it as 5.1, v3 as 5.11, Fast Action as 5.12; v2 and Complete Bet
    hold the round for a decision (A12, A20).
    """
    number, seen = state.series.last, state.series.current.facts.sensor.unanswered_rest
    confirmed = TableRecord(number, hap.BallConfirmed(person))
    if seen is not None and stated.at_rest != seen:
        reason = TableReason.STATED_AGAINST_SENSOR(seen=seen)
        return confirmed, TableRecord(number, held(state.series.current, reason))
    records = _ball_facts(state, person, stated)
    failed = judge_act(after(state, records), (SYSTEM,), do.ReportPowerFailure())
    if isinstance(failed, Refusal):
        return confirmed, *records
    return confirmed, *records, *failed


def _ball_facts(
    state: TableState, person: Person, stated: hap.BallStated
) -> tuple[TableRecord, ...]:
    """Return the facts that were stated: a rest only after a spin of this round."""
    facts, number = state.series.current.facts, stated.at_rest
    if number is None or facts.at_rest not in {None, facts.sensor.at_rest}:
        return ()
    records: tuple[TableRecord, ...] = ()
    if stated.spun and not facts.spun:
        spun = judge_act(state, (stated.by,), do.SpinBall())
        records = () if isinstance(spun, Refusal) else spun
    at_rest = do.ReportBallAtRest(number, confirmed_by=person)
    rest = judge_act(after(state, records), (stated.by,), at_rest)
    return records if isinstance(rest, Refusal) else (*records, *rest)


def judge_interrupted(
    state: TableState, people: tuple[Person, ...], command: ask.AnyCommand
) -> Judgement:
    """Take what an interrupted table takes besides the word on the ball."""
    game, current = state.series.game, state.series.current
    if isinstance(command, do.AnnounceNoSpin) and not _by_power_clause_alone(game):
        return _no_spin(state, people, command)
    if isinstance(command, ask.WagerPart) and current.facts.closed:
        late = judge_act(state, people, command)
        assert isinstance(late, Refusal)
        return late
    return _refuse(state, TableReason.INTERRUPTED_TABLE())


def _by_power_clause_alone(game: Game) -> bool:
    """Return whether the document says itself what an interruption does (5.1)."""
    return game.provides(Rule.INTERRUPTION_VOIDS)


def _no_spin(
    state: TableState, people: tuple[Person, ...], command: do.AnnounceNoSpin
) -> Judgement:
    """Take “no spin”, after the power failure that it answers (v3 5.11.1)."""
    if not state.series.game.provides(Rule.NO_SPIN):
        return judge_act(state, people, command)
    failed = judge_act(state, (SYSTEM,), do.ReportPowerFailure())
    if isinstance(failed, Refusal):
        return failed
    said = judge_act(after(state, failed), people, command)
    return said if isinstance(said, Refusal) else (*failed, *said)


def _refuse(state: TableState, reason: Reason) -> Refusal:
    """Refuse by what the document has for a power failure, or by our reading."""
    game = state.series.game
    if game.provides(Rule.INTERRUPTION_VOIDS):
        return Refusal(Clause(READINGS, "A20"), reason)
    return refuse_by(state, Rule.POWER_FAILURE_CONTINUES, reason)
