"""Refusals that many acts share: a void or held round, a missing step, a late act."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.rules import commands
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.events import RoundEvent
from croupier.rules.game import Game
from croupier.rules.layout import BettingArea
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason, RuleReason
from croupier.rules.round import Phase, RoundOfPlay
from croupier.rules.terms import Limit

Verdict = tuple[RoundEvent, ...] | Refusal


def refuse(state: RoundOfPlay, rule: Rule, reason: Reason) -> Refusal:
    return Refusal(state.game.clause(rule), reason)


def may_not_do(person: Person, command: object) -> Reason:
    return RuleReason.MAY_NOT_DO(person=person.named, play=type(command).__name__)


def refuse_person(game: Game, rule: Rule, person: Person, command: object) -> Refusal:
    return Refusal(game.clause(rule), may_not_do(person, command))


def standing_refusal(
    state: RoundOfPlay, command: commands.RoundCommand
) -> Refusal | None:
    """Refuse an act that a void or held round does not take, but not a late wager."""
    standing = state.standing
    if standing is None:
        return None
    if state.facts.closed and isinstance(command, commands.WagerCommand):
        return None
    if state.phase is not Phase.HELD:
        if isinstance(command, commands.Settle):
            return None
        return Refusal(standing.clause, RuleReason.ROUND_VOID(reason=standing.reason))
    if isinstance(
        command, commands.DecideCommand | commands.ShowDisplay | commands.ReportSensor
    ):
        return None
    if isinstance(command, commands.DrawBonusNumbers) and lacks_draw(state):  # A35
        return None
    return Refusal(standing.clause, RuleReason.ROUND_HELD(reason=standing.reason))


def stopped_refusal(state: RoundOfPlay) -> Refusal | None:
    return standing_refusal(state, commands.AnnounceNoSpin())


def void_refusal(state: RoundOfPlay) -> Refusal | None:
    return None if state.phase is Phase.HELD else stopped_refusal(state)


def lacks_draw(state: RoundOfPlay) -> bool:
    """Return whether the game draws Bonus Numbers and none are on record (A35)."""
    drawn = state.facts.bonus_numbers is not None
    return state.game.provides(Rule.BONUS_DRAW) and not drawn


def conflict_of_interest(
    state: RoundOfPlay, people: Iterable[Person]
) -> Refusal | None:
    """Refuse a staff act of a person with a wager in the round (A42)."""
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
    """Refuse a wager of a person who acts or acted as staff in the round (A42)."""
    if not state.game.provides(Rule.CONFLICT_OF_INTEREST):
        return None
    if player not in state.staff and (acting is None or acting.name != player):
        return None
    reason = RuleReason.ACTED_AS_STAFF(player=player)
    return refuse(state, Rule.CONFLICT_OF_INTEREST, reason)


def bound_by_decision(state: RoundOfPlay, people: Iterable[Person]) -> Refusal | None:
    """Refuse to change an outcome that a Shift Manager decided (A33).

    A decision to go on does not bind: later facts can be reported.
    """
    may = state.game.may
    if state.decided_by is None or any(may(each, Rule.REFERRAL) for each in people):
        return None
    return refuse(state, Rule.REFERRAL, RuleReason.DECISION_BINDS())


def outside_limit(
    state: RoundOfPlay, player: str, area: BettingArea, total: int, limit: Limit
) -> Refusal:
    """Refuse a total of a Player on an area that is outside the limits (A11)."""
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
    """Refuse unless two different people act: the Dealer and a Pit Supervisor (A29)."""
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
    """Refuse an outcome by the clause of the first step that is still missing."""
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
    """Refuse an act before the opening or after settlement."""
    if state.phase is Phase.AWAITING:
        return refuse(state, Rule.OPENING, RuleReason.NOT_OPENED())
    if state.phase is Phase.ENDED:
        return refuse(state, rule, RuleReason.SETTLED())
    return None
