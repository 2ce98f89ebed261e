"""Laws of the course of a round: its steps, what holds it, what voids it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.round import Phase
from tests.rules.exploration.due import LENIENT
from tests.rules.exploration.record import Notes
from tests.rules.exploration.step import CITED, Law, Step


def the_compartment_decides(step: Step) -> Iterator[str]:
    """3.8, 5.5, A33: no winner against the compartment on record."""
    for _, now in step.rounds():
        if now.winner is not None and now.rest not in {None, now.winner}:
            yield f"{now.winner} wins, the ball rests in {now.rest}"


def no_outcome_without_a_spin(step: Step) -> Iterator[str]:
    """3.6, A44: the ball was spun in this round, or seen."""
    for was, now in step.rounds():
        seen = was.spun or was.sensor_spun or was.dropped
        if now.winner != was.winner and not seen:
            yield f"{now.winner} wins without a spin"


def steps_are_taken_once_and_in_order(step: Step) -> Iterator[str]:
    """3.1, 3.2, 3.6 to 3.8, 4.1 and 6.1; A15 and A35 for the draw."""
    if step.accepted and step.answer and not fits(step):
        yield f"{type(step.command).__name__} out of order"


def acts_that_fit_are_taken(step: Step) -> Iterator[str]:
    """An act that the round waits for, by the right person, is not refused."""
    was = step.was
    if step.accepted or was.void is not None:
        return
    if isinstance(step.command, ANNOUNCING) and not was.held and fits(step):
        yield f"{type(step.command).__name__} refused by {step.refused_by}"
    if was.held and fits_decision(step):
        yield f"{type(step.command).__name__} refused by {step.refused_by}"


ANNOUNCING = (
    *(do.PlaceYourBets, do.SpinBall, do.NoMoreBets, do.DrawBonusNumbers),
    *(do.AnnounceOutcome, do.Settle),
)


def fits(step: Step) -> bool:
    """Whether an act of the course comes in its order."""
    was = step.was
    open_still = was.opened and was.winner is None
    order: dict[type[do.Command], bool] = {
        do.PlaceYourBets: not was.opened,
        do.PlaceWager: was.opened,
        do.IncreaseWager: was.opened,
        do.WithdrawWager: was.opened,
        do.SpinBall: open_still and not was.spun,
        do.NoMoreBets: open_still
        and (was.sensor_closed or (not was.closed and _may_close(step))),
        do.ReportBallDropped: open_still
        and (was.spun or was.sensor_spun)
        and not was.dropped,
        do.ReportBallAtRest: open_still
        and (was.spun or was.sensor_spun)
        and (was.rest is None or was.sensor_seen is not None),
        do.DrawBonusNumbers: _lacks_draw(step) and (was.closed or was.held),
        do.AnnounceOutcome: open_still and _may_announce(step),
        do.Settle: was.settlements == 0 and _is_over(step),
    }
    return order.get(type(step.command), True)


def _lacks_draw(step: Step) -> bool:
    return step.game == "mbs-fast-action-v2" and step.was.drawn is None


def _may_announce(step: Step) -> bool:
    was, number = step.was, getattr(step.command, "number", None)
    disputed = was.sensor_rest not in {None, number}
    ready = was.spun and was.closed and (disputed or was.rest in {None, number})
    return ready and not _lacks_draw(step)


def _is_over(step: Step) -> bool:
    was = step.was
    unclear = step.before.current.unclear
    return was.void is not None or (was.winner is not None and not unclear)


def fits_decision(step: Step) -> bool:
    """Whether a held round can be decided so (A33, A35, A44)."""
    was, command = step.was, step.command
    if isinstance(command, do.DecideContinue):
        return was.winner is None or was.sensor_rest in {None, was.winner}
    if not isinstance(command, do.DecideOutcome):
        return isinstance(command, do.DecideVoid)
    seen = was.spun or was.sensor_spun or was.dropped
    against = {was.rest, was.keyed, was.sensor_rest} - {None, command.number}
    return seen and not _lacks_draw(step) and not against


def _may_close(step: Step) -> bool:
    """6.1; Triple Zero names no order of spin and close."""
    early = step.was.early and step.game in LENIENT
    return step.was.spun or early or step.game == "rws-triple-zero"


BESIDE = (do.IssueColour, do.ReturnColour)
"""Acts beside the layout, which a round takes at any time."""
HELD_TAKES = (
    *(do.DecideOutcome, do.DecideVoid, do.DecideWager, do.DecideContinue),
    *(do.CorrectBall, do.ShowDisplay, do.DecideRound, *BESIDE),
    *(do.AnswerReport, do.ReportSensor),
)


def a_held_round_takes_only_what_ends_it(step: Step) -> Iterator[str]:
    """6.2, 5.10, A12; A34 and A35 let the record be completed."""
    was, command = step.was, step.command
    if not was.held or not step.answer or not step.accepted:
        return
    if isinstance(command, HELD_TAKES):
        return
    if isinstance(command, do.DrawBonusNumbers) and was.drawn is None:
        return
    number = getattr(command, "round_number", None)
    numbers = getattr(command, "round_numbers", (number,))
    if len(step.record_before.rounds) not in numbers and numbers != (None,):
        return
    yield f"{type(command).__name__} was taken"


def a_void_round_takes_only_its_settlement(step: Step) -> Iterator[str]:
    """A14, 1.11, 5.9: void is void, unless a decision made it so (A41)."""
    beside = isinstance(step.command, BESIDE)
    for was, now in step.rounds():
        same = replace(was, staff=now.staff) if beside else was
        if was.void is None or now == same:
            continue
        settles = now.settlements == 1 and was.settlements == 0
        decided = isinstance(step.command, do.DecideRound) and was.void_decided
        if not settles and not decided:
            yield f"{was} became {now}"
    was = step.was
    round_act = not isinstance(step.command, do.SeriesCommand | do.Settle)
    if was.void is None or not round_act:
        return
    late = was.closed and isinstance(step.command, do.WagerCommand)
    wanted = CITED[step.game].late_wager if late else was.void
    if step.refused_by != wanted:
        yield f"{step.refused_by}, not {wanted}"


DENIED_BY_REST = {
    "foreign_object",
    "wheel_stopped",
    "ball_not_in_compartment",
    "ball_out_of_wheel",
}


def reports_are_held_against_the_record(step: Step) -> Iterator[str]:
    """5.1 to 5.10, A32: void where the record allows it, held where it does not."""
    command, was, now = step.command, step.was, step.now
    if not isinstance(command, do.ReportIrregularity) or not step.accepted:
        return
    name = command.irregularity.value
    disputed = was.winner is not None or name == "unlisted"
    if name == "fewer_than_four_revolutions":
        counted = max(was.revolutions or 0, *was.counts, 0)
        disputed = disputed or counted >= 4 or name in was.rejected
    elif name in DENIED_BY_REST:
        disputed = disputed or was.rest is not None
    if now.held is not disputed or (now.void is not None) is disputed:
        yield f"{name}: held {now.held}, void {now.void}"
    cited = CITED[step.game]
    clauses = {
        "foreign_object": cited.foreign_object,
        "ball_broke": cited.ball_broke,
        "fewer_than_four_revolutions": cited.few_revolutions,
        "person_interfered": cited.interference,
    }
    if now.void is not None and now.void != clauses[name]:
        yield f"{name} voids by {now.void}"


def no_spin_ends_or_holds(step: Step) -> Iterator[str]:
    """5.12, N1; where a document does not know it, A12."""
    if not isinstance(step.command, do.AnnounceNoSpin) or not step.accepted:
        return
    was, now, cited = step.was, step.now, CITED[step.game]
    if cited.no_spin is None or was.winner is not None:
        if not now.held:
            yield "“no spin” did not hold the round"
        return
    plain, after_failure = cited.no_spin
    wanted = after_failure if was.failed and not was.dropped else plain
    if now.void != wanted:
        yield f"void by {now.void}, not {wanted}"


def a_close_after_late_betting_holds(step: Step) -> Iterator[str]:
    """A28, v3 3.7."""
    for event in step.events(ev.NoMoreBetsAnnounced):
        assert isinstance(event, ev.NoMoreBetsAnnounced)
        dropped = step.now.dropped if step.was.held else step.was.dropped
        if event.late is not dropped:
            yield f"late {event.late}"
        disputed = bool(step.events(ev.WheelDisputed))
        if step.now.held is not (step.was.touched or disputed):
            yield f"held {step.now.held}, touched {step.was.touched}"


def a_hold_cites_its_clause(step: Step) -> Iterator[str]:
    """6.2, 5.10; A12 where no clause covers what interrupts play."""
    cited = CITED[step.game]
    unprovided = isinstance(step.command, do.AnnounceNoSpin | do.ReportPowerFailure)
    wanted = cited.unprovided if unprovided else cited.held
    for event in step.events(ev.RoundHeld):
        assert isinstance(event, ev.RoundHeld)
        if event.clause.number != wanted:
            yield f"held by {event.clause.number}, not {wanted}"


def the_phase_is_that_of_the_record(step: Step) -> Iterator[str]:
    """1.1.4, A44: also a round that goes on after a hold is where it was."""
    for number, now in enumerate(step.record_after.rounds, start=1):
        state = step.after.round(number)
        if state.phase is not _phase(now):
            yield f"{state.phase}, not {_phase(now)}"
        if state.winning_number != now.winner and now.void is None:
            yield f"{state.winning_number}, not {now.winner}"


def _phase(notes: Notes) -> Phase:
    if notes.settlements:
        return Phase.ENDED
    if notes.void is not None:
        return Phase.VOID
    if notes.held:
        return Phase.HELD
    if notes.winner is not None:
        return Phase.DECIDED
    if notes.closed:
        return Phase.CLOSED
    return Phase.BETTING if notes.opened else Phase.AWAITING


COURSE_LAWS: tuple[Law, ...] = (
    steps_are_taken_once_and_in_order,
    acts_that_fit_are_taken,
    the_compartment_decides,
    no_outcome_without_a_spin,
    a_held_round_takes_only_what_ends_it,
    a_void_round_takes_only_its_settlement,
    reports_are_held_against_the_record,
    no_spin_ends_or_holds,
    a_close_after_late_betting_holds,
    a_hold_cites_its_clause,
    the_phase_is_that_of_the_record,
)
