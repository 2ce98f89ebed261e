"""Refusals that many acts share: a void or held round, a missing step, a late act."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.rules import commands as do
from croupier.rules import events as ev
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.game import Game
from croupier.rules.layout import BettingArea
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason, RuleReason
from croupier.rules.round import Phase, RoundOfPlay
from croupier.rules.terms import Limit

Verdict = tuple[ev.RoundEvent, ...] | Refusal


def refuse(state: RoundOfPlay, rule: Rule, reason: Reason) -> Refusal:
    """Refuse by the clause that provides the rule in this game."""
    return Refusal(state.game.clause(rule), reason)


def standing_refusal(state: RoundOfPlay, command: do.RoundCommand) -> Refusal | None:
    """Refuse what a void or held round takes from nobody; a late wager stays late."""
    standing = state.standing
    if standing is None:
        return None
    if state.facts.closed and isinstance(command, do.WagerCommand):
        return None
    if state.phase is not Phase.HELD:
        if isinstance(command, do.Settle):
            return None
        return Refusal(standing.clause, RuleReason.ROUND_VOID(reason=standing.reason))
    if isinstance(command, do.DecideCommand | do.ShowDisplay | do.ReportSensor):
        return None
    if isinstance(command, do.DrawBonusNumbers) and lacks_draw(state):  # A35
        return None
    return Refusal(standing.clause, RuleReason.ROUND_HELD(reason=standing.reason))


def stopped_refusal(state: RoundOfPlay) -> Refusal | None:
    """Refuse an act that no void or held round takes, whatever it asks for."""
    return standing_refusal(state, do.AnnounceNoSpin())


def void_refusal(state: RoundOfPlay) -> Refusal | None:
    """Refuse every act in a void round by the clause that voided it."""
    return None if state.phase is Phase.HELD else stopped_refusal(state)


def lacks_draw(state: RoundOfPlay) -> bool:
    """Return whether the game draws Bonus Numbers and none are on record (A35)."""
    drawn = state.facts.bonus_numbers is not None
    return state.game.provides(Rule.BONUS_DRAW) and not drawn


def conflict_of_interest(
    state: RoundOfPlay, people: Iterable[Person]
) -> Refusal | None:
    """Refuse a staff act of somebody with a wager in the round (A42)."""
    if not state.game.provides(Rule.CONFLICT_OF_INTEREST):
        return None
    for person in people:
        if person.is_of_house and person.name in state.board.players:
            reason = RuleReason.HAS_WAGER_IN_ROUND(person=person.named)
            return refuse(state, Rule.CONFLICT_OF_INTEREST, reason)
    return None


def wager_of_staff(
    state: RoundOfPlay, player: str, acting: Person | None = None
) -> Refusal | None:
    """Refuse a wager to whoever acted as staff in the round, or is acting now (A42)."""
    if not state.game.provides(Rule.CONFLICT_OF_INTEREST):
        return None
    if player not in state.staff and (acting is None or acting.name != player):
        return None
    reason = RuleReason.ACTED_AS_STAFF(player=player)
    return refuse(state, Rule.CONFLICT_OF_INTEREST, reason)


def bound_by_decision(state: RoundOfPlay, people: Iterable[Person]) -> Refusal | None:
    """Refuse what would change an outcome that a Shift Manager decided (A33).

    A decision that play goes on binds nobody: what happens then can be reported.
    """
    may = state.game.may
    if state.decided_by is None or any(may(each, Rule.REFERRAL) for each in people):
        return None
    return refuse(state, Rule.REFERRAL, RuleReason.DECISION_BINDS())


def outside_limit(
    state: RoundOfPlay, player: str, area: BettingArea, total: int, limit: Limit
) -> Refusal:
    """Refuse what would bring a Player's total on an area out of its limits (A11)."""
    reason = RuleReason.OUTSIDE_LIMITS(
        player=player,
        sum_cents=total,
        area=area.name,
        low_cents=limit.minimum_cents,
        high_cents=limit.maximum_cents,
    )
    return refuse(state, Rule.LIMITS, reason)


def may_not_correct(
    game: Game, people: tuple[Person, ...], clause: Clause
) -> Refusal | None:
    """Refuse without two different people: the Dealer and a Pit Supervisor (A29)."""
    if not any(game.is_staff(person) for person in people):
        return Refusal(clause, RuleReason.ONLY_STAFF_CORRECT())
    able = [person for person in people if game.may(person, Rule.CORRECTION)]
    if not game.provides(Rule.TWO_PEOPLE):
        who = RuleReason.SHIFT_MANAGER_DECIDES()
        return None if able else Refusal(clause, who)
    pair = any(
        one.name != other.name and game.may(other, Rule.TWO_PEOPLE)
        for one in able
        for other in people
    )
    if pair:
        return None
    return Refusal(
        game.clause(Rule.TWO_PEOPLE),
        RuleReason.CORRECTION_NEEDS_TWO(),
    )


def missing_step(state: RoundOfPlay) -> Refusal | None:
    """Return the first step that the outcome still waits for, with its clause."""
    facts = state.facts
    if state.phase is Phase.AWAITING:
        return refuse(state, Rule.OPENING, RuleReason.NOT_OPENED())
    if state.phase not in {Phase.BETTING, Phase.CLOSED}:
        return None
    goes_on = state.game.provides(Rule.INTERRUPTION_CONCLUDED)
    by_sensor = goes_on and facts.interrupted and facts.sensor.spun  # A52
    if not facts.spun and not by_sensor:
        return refuse(state, Rule.SPIN, RuleReason.NOT_SPUN())
    if not facts.closed:
        return refuse(state, Rule.CLOSING, RuleReason.NOT_CLOSED())
    if lacks_draw(state):
        return refuse(state, Rule.BONUS_DRAW, RuleReason.NOT_DRAWN())
    return None


def not_in_play(state: RoundOfPlay, rule: Rule) -> Refusal | None:
    """Refuse what counts only from the opening until settlement."""
    if state.phase is Phase.AWAITING:
        return refuse(state, Rule.OPENING, RuleReason.NOT_OPENED())
    if state.phase is Phase.ENDED:
        return refuse(state, rule, RuleReason.SETTLED())
    return None
