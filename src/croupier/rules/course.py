"""The course of a round: opening, spin, close, draw, outcome, settlement."""

from __future__ import annotations

from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.clause import Refusal, Rule
from croupier.rules.game import Irregularity
from croupier.rules.irregularities import unlisted_or_void
from croupier.rules.operator import Person
from croupier.rules.refusals import Verdict, missing_step, refuse
from croupier.rules.round import Phase, RoundOfPlay, apply
from croupier.rules.settlement import settle


def place_your_bets(state: RoundOfPlay, person: Person, _: do.PlaceYourBets) -> Verdict:
    if not state.game.may(person, Rule.OPENING):
        return refuse(state, Rule.OPENING, f"{person} may not open the round")
    if not state.allows(ev.PlaceYourBetsAnnounced):
        return refuse(state, Rule.OPENING, "the round has been opened already")
    return (ev.PlaceYourBetsAnnounced(person),)


def allow_early_close(
    state: RoundOfPlay, person: Person, _: do.AllowEarlyClose
) -> Verdict:
    if not state.game.may(person, Rule.EARLY_CLOSE):
        return refuse(state, Rule.EARLY_CLOSE, f"{person} may not allow an early close")
    if state.phase is Phase.AWAITING:
        return refuse(state, Rule.OPENING, "the round has not been opened")
    facts = state.facts
    too_late = facts.spun or not state.allows(ev.EarlyCloseAllowed)
    if facts.early_close_allowed or too_late:
        return refuse(
            state, Rule.EARLY_CLOSE, "an early close is allowed once, before the spin"
        )
    return (ev.EarlyCloseAllowed(person),)


def spin(state: RoundOfPlay, person: Person, command: do.SpinBall) -> Verdict:
    game = state.game
    if not game.may(person, Rule.SPIN):
        return refuse(state, Rule.SPIN, f"{person} may not spin the ball")
    if state.phase is Phase.AWAITING:
        return refuse(state, Rule.OPENING, "the round has not been opened")
    if state.facts.spun or not state.allows(ev.BallSpun):
        return refuse(state, Rule.SPIN, "the ball has been spun in this round")
    counted = game.provides(Rule.REVOLUTIONS)
    revolutions = command.revolutions if counted else None
    spun = ev.BallSpun(person, revolutions, game.provides(Rule.SPIN_AGAINST_WHEEL))
    if revolutions is None or revolutions >= game.row(Rule.SPIN).amount:
        return (spun,)
    return (
        spun,
        *unlisted_or_void(state, Irregularity.FEWER_THAN_FOUR_REVOLUTIONS),
    )


def no_more_bets(state: RoundOfPlay, person: Person, _: do.NoMoreBets) -> Verdict:
    game, facts = state.game, state.facts
    if not game.may(person, Rule.CLOSING):
        return refuse(state, Rule.CLOSING, f"{person} may not close the betting")
    if state.phase is Phase.AWAITING:
        return refuse(state, Rule.OPENING, "the round has not been opened")
    if not state.allows(ev.NoMoreBetsAnnounced):
        return refuse(state, Rule.CLOSING, "the betting has been closed already")
    while_rotating = game.provides(Rule.CLOSE_DURING_SPIN)
    if while_rotating and not facts.spun and not facts.early_close_allowed:
        return _close_before_spin(state)
    late = while_rotating and facts.dropped
    events: list[ev.RoundEvent] = [ev.NoMoreBetsAnnounced(person, late)]
    if game.provides(Rule.SNAPSHOT):
        board = state.board
        events.append(ev.LayoutFrozen(len(board.wagers), board.stake_cents))
    if late and facts.wagered_after_drop:  # A28
        events.append(
            ev.RoundHeld(
                game.clause(Rule.REFERRAL), "a wager was placed after the ball dropped"
            )
        )
    return tuple(events)


def _close_before_spin(state: RoundOfPlay) -> Refusal:
    if state.game.provides(Rule.EARLY_CLOSE):
        return refuse(
            state, Rule.EARLY_CLOSE, "before the spin only if the Pit Manager allows it"
        )
    return refuse(state, Rule.CLOSE_DURING_SPIN, "the ball has not been spun yet")


def draw_bonus_numbers(
    state: RoundOfPlay, person: Person, command: do.DrawBonusNumbers
) -> Verdict:
    game, facts = state.game, state.facts
    if not game.may(person, Rule.BONUS_DRAW):
        return refuse(
            state, Rule.BONUS_DRAW, f"{person} may not draw Bonus Numbers here"
        )
    if facts.bonus_numbers is not None or not state.allows(ev.BonusNumbersDrawn):
        return refuse(
            state,
            Rule.BONUS_DRAW,
            "Bonus Numbers are drawn once, after the close and before the outcome",
        )
    count = game.row(Rule.BONUS_DRAW).amount
    different = set(command.numbers)
    are_valid = len(different) == len(command.numbers) and different <= set(
        game.numbers
    )
    if not are_valid or len(different) < count:
        return refuse(
            state, Rule.BONUS_DRAW, f"a draw is {count} different numbers of the game"
        )
    if len(different) > count:  # A15
        held = ev.RoundHeld(
            game.clause(Rule.REFERRAL), f"more than {count} Bonus Numbers are lit"
        )
        return (held,)
    drawn = tuple(number for number in game.numbers if number in different)
    return (ev.BonusNumbersDrawn(drawn),)


def report_unlit(
    state: RoundOfPlay, person: Person, command: do.ReportUnlit
) -> Verdict:
    game, drawn = state.game, state.facts.bonus_numbers
    if not game.may(person, Rule.BONUS_UNLIT):
        return refuse(state, Rule.BONUS_UNLIT, f"{person} may not report a light here")
    if not drawn or not state.allows(ev.BonusNumberUnlit):
        return refuse(
            state, Rule.BONUS_UNLIT, "lights count from the draw until the outcome"
        )
    if command.number not in drawn:
        return refuse(
            state, Rule.BONUS_UNLIT, f"{command.number} is not a Bonus Number"
        )
    return (
        ev.BonusNumberUnlit(person, command.number),
        ev.RoundVoided(
            game.clause(Rule.BONUS_UNLIT), f"Bonus Number {command.number} stayed dark"
        ),
    )


def report_ball_dropped(
    state: RoundOfPlay, person: Person, _: do.ReportBallDropped
) -> Verdict:
    refusal = _ball_fact_refused(state, person)
    if refusal is not None:
        return refusal
    if state.facts.dropped or not state.allows(ev.BallDropped):
        return refuse(state, Rule.OUTCOME, "the ball has dropped already")
    return (ev.BallDropped(person),)


def report_ball_at_rest(
    state: RoundOfPlay, person: Person, command: do.ReportBallAtRest
) -> Verdict:
    refusal = _ball_fact_refused(state, person)
    if refusal is not None:
        return refusal
    if state.facts.at_rest is not None or not state.allows(ev.BallAtRest):
        return refuse(state, Rule.OUTCOME, "the ball has come to rest already")
    if command.number not in state.game.numbers:
        return refuse(state, Rule.OUTCOME, _no_compartment(state, command.number))
    return (ev.BallAtRest(person, command.number),)


def _ball_fact_refused(state: RoundOfPlay, person: Person) -> Refusal | None:
    if not state.game.may(person, Rule.OUTCOME):
        return refuse(state, Rule.OUTCOME, f"{person} may not say what the ball did")
    if state.phase is Phase.AWAITING:
        return refuse(state, Rule.OPENING, "the round has not been opened")
    if not state.facts.spun and state.phase in {Phase.BETTING, Phase.CLOSED}:
        return refuse(state, Rule.SPIN, "the ball has not been spun")
    return None


def announce_outcome(
    state: RoundOfPlay, person: Person, command: do.AnnounceOutcome
) -> Verdict:
    game, number = state.game, command.number
    if not game.may(person, Rule.OUTCOME):
        return refuse(state, Rule.OUTCOME, f"{person} may not announce the outcome")
    missing = missing_step(state)
    if missing is not None:
        return missing
    if not state.allows(ev.OutcomeAnnounced):
        return refuse(state, Rule.OUTCOME, "the outcome has been announced already")
    if number not in game.numbers:
        return refuse(state, Rule.OUTCOME, _no_compartment(state, number))
    if state.facts.at_rest not in {None, number}:
        return refuse(
            state, Rule.OUTCOME, f"the ball is at rest in {state.facts.at_rest}"
        )
    events: list[ev.RoundEvent] = [ev.OutcomeAnnounced(person, number)]
    if game.provides(Rule.DOLLY):
        events.append(ev.DollyPlaced(number))
    if game.provides(Rule.RESULT_TO_TERMINALS):
        events.append(ev.ResultSent(number))
    if not game.provides(Rule.ROUND_ENDS_SETTLED):
        events.append(settle(apply(state, events[0])))
    return tuple(events)


def _no_compartment(state: RoundOfPlay, number: str) -> str:
    return f"{state.game.title} has no compartment {number}"


def settle_round(state: RoundOfPlay, person: Person, _: do.Settle) -> Verdict:
    if not state.game.may(person, Rule.SETTLING):
        return refuse(state, Rule.SETTLING, f"{person} may not settle the round")
    return conclude(state)


def conclude(state: RoundOfPlay) -> Verdict:
    """Settle a round that has its outcome or is void."""
    if state.phase is Phase.ENDED:
        return refuse(state, Rule.SETTLING, "the round has been settled already")
    if not state.allows(ev.RoundSettled):
        return refuse(state, Rule.OUTCOME, "the round has no outcome yet")
    if state.unclear and state.phase is not Phase.VOID:
        first, *others = sorted(state.unclear)
        more = f" and {len(others)} more" if others else ""
        return refuse(state, Rule.RULING, f"a ruling is needed first on {first}{more}")
    return (settle(state),)
