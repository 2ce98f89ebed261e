"""Acts that reach back: corrections, decisions on settled rounds, voids of rounds."""

from __future__ import annotations

from croupier.rules import commands
from croupier.rules.buckets import changed
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.course import conclude_late, not_a_draw, read_draw
from croupier.rules.events import (
    BallRestated,
    BonusNumbersCorrected,
    LaterRoundsStand,
    OutcomeCorrected,
    PlayContinued,
    RoundEvent,
    RoundSettled,
    RoundVoided,
)
from croupier.rules.game import Game
from croupier.rules.irregularities import shown_result
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason, RuleReason
from croupier.rules.refusals import (
    bound_by_decision,
    conflict_of_interest,
    may_not_correct,
    refuse,
    refuse_person,
    stopped_refusal,
    void_refusal,
)
from croupier.rules.round import Phase, RoundOfPlay, apply
from croupier.rules.rulings import decide_on, may_not_decide
from croupier.rules.sensors import is_ball_disputed, released
from croupier.rules.series import Answer, Recorded, Series, recorded
from croupier.rules.settlement import settle
from croupier.rules.wheel import Number


def correct_outcome(
    series: Series, people: tuple[Person, ...], command: commands.CorrectOutcome
) -> Answer:
    game, number = series.game, command.round_number
    clause = game.clause(Rule.CORRECTION)
    state = series.find(number)
    refusal = _not_correctable(state, game, people, clause)
    if refusal is not None:
        return refusal
    if state is None or state.phase not in {Phase.DECIDED, Phase.ENDED}:
        return Refusal(clause, RuleReason.NO_OUTCOME_TO_CORRECT(round=number))
    old = state.winning_number
    assert old is not None
    if command.was not in {None, old}:
        return Refusal(clause, RuleReason.RECORD_CHANGED())
    if command.number not in game.numbers:
        return Refusal(clause, game.no_compartment(command.number))
    if command.number == old:
        return Refusal(clause, RuleReason.OUTCOME_THE_SAME(round=number, number=old))
    corrected = OutcomeCorrected(
        people, old, command.number, clause, command.because, *_against(state, command)
    )
    refusal = _needs_shift_manager(state, people, corrected)
    if refusal is not None:
        return refusal
    return _put_right(series, state, corrected, *shown_result(game, command.number))


def _against(
    state: RoundOfPlay, command: commands.CorrectOutcome
) -> tuple[Number | None, Number | None]:
    """Return the contradicted compartments: the sensor's, and the two people's."""
    sensor, to = state.facts.sensor, command.number
    return (
        None if sensor.at_rest == to else sensor.at_rest,
        None if sensor.confirmed == to else sensor.confirmed,
    )


def _needs_shift_manager(
    state: RoundOfPlay, people: tuple[Person, ...], corrected: OutcomeCorrected
) -> Refusal | None:
    """Refuse two people who contradict more than the Dealer's keying (A46)."""
    game = state.game
    against = corrected.against_people or corrected.against_sensor
    if against is None or not game.provides(Rule.SENSOR_CORRECTION):
        return None
    if any(game.may(person, Rule.REFERRAL) for person in people):
        return None
    reason = RuleReason.SHIFT_MANAGER_CORRECTS(number=against)
    return refuse(state, Rule.SENSOR_CORRECTION, reason)


def _not_correctable(
    state: RoundOfPlay | None, game: Game, people: tuple[Person, ...], clause: Clause
) -> Refusal | None:
    """Refuse a void, held or decided round, and one person without a second."""
    if state is None:
        return may_not_correct(game, people, clause)
    return (
        stopped_refusal(state)
        or conflict_of_interest(state, people)
        or may_not_correct(game, people, clause)
        or bound_by_decision(state, people)
    )


def _put_right(
    series: Series, state: RoundOfPlay, *events: RoundEvent
) -> tuple[Recorded, ...]:
    """Record the events that correct a round; settle a settled round again (A25).

    If a later round has begun, a decision on a held round also settles it.
    """
    game, before = series.game, state.phase
    later = tuple(range(state.number + 1, series.last + 1))
    state = changed(state, warned=series.warned_in(state.number))  # A47
    for event in events:
        state = apply(state, event)
    if before is Phase.ENDED:
        events = (*events, settle(state))
    elif before is Phase.HELD and later:
        events = (*events, *conclude_late(state))
    is_settled = isinstance(events[-1], RoundSettled)
    if later and is_settled and game.provides(Rule.LATER_ROUNDS_STAND):
        stands = LaterRoundsStand(later, game.clause(Rule.LATER_ROUNDS_STAND))
        events = (*events, stands)
    return recorded(state.number, events)


def correct_ball(
    series: Series, people: tuple[Person, ...], command: commands.CorrectBall
) -> Answer:
    """Restate the compartment before the announcement (A34), or a disputed one (A45).

    It answers a sensor's report on the place of the ball, not on the spin.
    """
    game = series.game
    clause = game.clause(Rule.CORRECTION)
    state = series.in_play
    if state is None:
        return Refusal(clause, RuleReason.REST_UNSEEN())
    refusal = (
        void_refusal(state)
        or conflict_of_interest(state, people)
        or may_not_correct(game, people, clause)
    )
    if refusal is not None:
        return refusal
    seen, old = state.facts.compartment, state.winning_number
    is_disputed = is_ball_disputed(state)
    if old is not None and not (is_disputed and state.phase is Phase.HELD):
        return bound_by_decision(state, people) or Refusal(
            clause, RuleReason.ANNOUNCED_ALREADY()
        )
    if seen is None and not is_disputed:
        return Refusal(clause, RuleReason.REST_UNSEEN())
    reason = _not_restated(game, None if is_disputed else seen, command)
    if reason is not None:
        return Refusal(clause, reason)
    number, because = command.number, command.because
    events: tuple[RoundEvent, ...] = (
        BallRestated(people, seen, number, clause, because),
    )
    if old not in {None, number}:
        corrected = OutcomeCorrected(people, old, number, clause, because)
        events = (*events, corrected, *shown_result(game, number))
    for event in events:
        state = apply(state, event)
    return recorded(series.last, (*events, *released(state, people[-1], because)))


def _not_restated(
    game: Game, seen: Number | None, command: commands.CorrectBall
) -> Reason | None:
    if seen is not None and command.was not in {None, seen}:
        return RuleReason.RECORD_CHANGED()
    if command.number not in game.numbers:
        return game.no_compartment(command.number)
    if seen is not None and command.number == seen:
        return RuleReason.BALL_THE_SAME(number=seen)
    return None


def correct_bonus_numbers(
    series: Series, people: tuple[Person, ...], command: commands.CorrectBonusNumbers
) -> Answer:
    """Correct a wrongly recorded draw (A35)."""
    game, number = series.game, command.round_number
    clause = game.clause(Rule.BONUS_DRAW)
    state = series.find(number)
    refusal = _not_correctable(state, game, people, clause)
    if refusal is not None:
        return refusal
    if state is None or state.facts.bonus_numbers is None:
        return Refusal(clause, RuleReason.NOT_DRAWN())
    count = game.row(Rule.BONUS_DRAW).amount
    drawn = read_draw(game, command.numbers)
    if drawn is None or len(drawn) != count:
        return Refusal(clause, not_a_draw(game))
    old = state.facts.bonus_numbers
    if command.was is not None and set(command.was) != set(old):
        return Refusal(clause, RuleReason.RECORD_CHANGED())
    if set(drawn) == set(old):
        return Refusal(clause, RuleReason.DRAW_THE_SAME(round=number))
    corrected = BonusNumbersCorrected(people, old, drawn, clause, command.because)
    return _put_right(series, state, corrected)


def decide_round(
    series: Series, people: tuple[Person, ...], command: commands.DecideRound
) -> Answer:
    """Decide a settled or still held round, or one of its wagers (A41)."""
    person, number = people[0], command.round_number
    clause = series.game.clause(Rule.REFERRAL)
    state = series.find(number)
    if state is None:
        return Refusal(clause, RuleReason.NO_SUCH_ROUND(round=number))
    refusal = conflict_of_interest(state, (person,)) or may_not_decide(
        state, person, command.decision
    )
    if refusal is not None:
        return refusal
    if state.phase not in {Phase.HELD, Phase.ENDED, Phase.VOID}:
        return Refusal(clause, RuleReason.ROUND_NOT_OVER(round=number))
    standing = state.standing
    one_wager = isinstance(command.decision, commands.DecideWager)
    stays_void = _is_void(state) and (one_wager or not _is_decided_void(state))
    if standing is not None and stays_void:
        void = RuleReason.ROUND_VOID(reason=standing.reason)
        return Refusal(standing.clause, void)
    verdict = decide_on(state, person, command.decision)
    if isinstance(verdict, Refusal):
        return verdict
    if isinstance(command.decision, commands.DecideWager) and _is_last_ruling_owed(
        state, command.decision
    ):
        goes_on = PlayContinued(person, clause, command.decision.because)
        verdict = (*verdict, goes_on)
    return _put_right(series, state, *verdict)


def _is_last_ruling_owed(state: RoundOfPlay, decision: commands.DecideWager) -> bool:
    """Return whether this decision was all that the held round needed (A48)."""
    standing = state.standing
    return (
        standing is not None
        and standing.reason == RuleReason.RULING_OWED()
        and state.winning_number is not None
        and state.unclear == {decision.wager_id}
    )


def void_rounds(
    series: Series, people: tuple[Person, ...], command: commands.VoidRounds
) -> Answer:
    game, person = series.game, people[0]
    clause = game.clause(Rule.VOID_ROUNDS)
    if not game.provides(Rule.VOID_ROUNDS):
        return Refusal(clause, RuleReason.NO_REOPENING())
    if series.in_play is not None and set(command.round_numbers) == {series.last}:
        refusal = stopped_refusal(series.in_play)
        if refusal is not None:
            return refusal
    if not game.may(person, Rule.VOID_ROUNDS):
        return refuse_person(game, Rule.VOID_ROUNDS, person, command)
    for number in command.round_numbers:
        state = series.find(number)
        refusal = conflict_of_interest(state, (person,)) if state else None
        if refusal is not None:
            return refusal
    if command.reason is not game.row(Rule.VOID_ROUNDS).voids:
        return Refusal(
            game.clause(Rule.PREVIOUS_ROUNDS_STAND),
            RuleReason.PREVIOUS_ROUNDS_STAND(),
        )
    unknown = [n for n in command.round_numbers if series.find(n) is None]
    if unknown:
        return Refusal(clause, RuleReason.NO_SUCH_ROUND(round=unknown[0]))
    states = [series.round(number) for number in sorted(set(command.round_numbers))]
    refusal = _not_voidable(states, clause)
    if refusal is not None:
        return refusal
    return tuple(
        record
        for state in states
        for record in _void_one(state, clause, command.because)
    )


def _not_voidable(states: list[RoundOfPlay], clause: Clause) -> Refusal | None:
    """Refuse unopened and held rounds, and a request that names only void rounds."""
    for state in states:
        if state.phase is Phase.AWAITING:
            opening = state.game.clause(Rule.OPENING)
            return Refusal(opening, RuleReason.ROUND_NOT_OPENED(round=state.number))
        if state.phase is Phase.HELD:
            return stopped_refusal(state)
    if not states:
        return Refusal(clause, RuleReason.NO_ROUND_NAMED())
    if all(_is_void(state) for state in states):
        return stopped_refusal(states[-1])
    return None


def _is_decided_void(state: RoundOfPlay) -> bool:
    """Return whether the round is settled as void by a decision."""
    standing = state.standing
    return (
        state.phase is Phase.ENDED
        and standing is not None
        and standing.clause == state.game.clause(Rule.REFERRAL)
    )


def _is_void(state: RoundOfPlay) -> bool:
    return state.standing is not None and state.phase is not Phase.HELD


def _void_one(state: RoundOfPlay, clause: Clause, because: str) -> tuple[Recorded, ...]:
    if _is_void(state):
        return ()
    voided = RoundVoided(clause, RuleReason.BALL_BROKE(), because)
    events: tuple[RoundEvent, ...] = (voided,)
    if state.phase is Phase.ENDED:
        events = (voided, settle(apply(state, voided)))
    return recorded(state.number, events)
