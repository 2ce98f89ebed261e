"""What the wheel and the lights tell, and what it proposes to the Dealer; pure.

A sensor is never the outcome by itself (v3 3.8): every fact is the Dealer's to confirm.
A fact that is an irregularity proposes the void with its clause; a Bonus Number that
stays dark proposes Fast Action 5.11, one too many 6.2 (A15).
"""

from __future__ import annotations

from dataclasses import dataclass

from croupier.protocol.messages import WheelFact
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Irregularity
from croupier.rules.round import Facts


@dataclass(frozen=True, slots=True)
class Proposal:
    """What a device proposes: an act in the words of a transcript, and why."""

    kind: str
    text: str
    act: str
    clause: str | None = None


def proposed_by(game: Game, facts: Facts, fact: WheelFact) -> Proposal | None:
    """What the Dealer is asked to confirm; None: the fact is not one we know."""
    irregularity = _irregularity(game, facts, fact)
    if irregularity is not None:
        clause = game.voiding.get(irregularity) or game.clause(Rule.REFERRAL)
        return Proposal(
            "void",
            f"the sensor reports that {irregularity.text}",
            f"irregularity {irregularity.value}",
            clause.number,
        )
    match fact.fact:
        case "spun":
            spin = "spin" if fact.revolutions is None else f"spin {fact.revolutions}"
            return Proposal("spin", "the sensor reports a spin", spin)
        case "dropped":
            text = "the sensor reports that the ball has dropped"
            return Proposal("dropped", text, "ball dropped")
        case "at_rest" if fact.number in game.numbers:
            text = f"the sensor reports the ball at rest in {fact.number}"
            return Proposal("outcome", text, f"outcome {fact.number}")
    return None


def _irregularity(game: Game, facts: Facts, fact: WheelFact) -> Irregularity | None:
    if fact.fact == "spun" and fact.against_wheel is False:
        return Irregularity.BALL_SAME_DIRECTION
    if fact.fact == "dropped" and not facts.spun:
        return Irregularity.BALL_DROPPED_WITHOUT_SPIN
    needed = game.row(Rule.SPIN).amount if game.provides(Rule.SPIN) else 0
    laps = fact.revolutions
    if fact.fact == "dropped" and laps is not None and laps < needed:
        return Irregularity.FEWER_THAN_FOUR_REVOLUTIONS
    return next((each for each in Irregularity if each.value == fact.fact), None)


def dark(game: Game, facts: Facts, lit: tuple[str, ...]) -> tuple[Proposal, ...]:
    """The Bonus Numbers that no light was reported for."""
    clause = game.clause(Rule.BONUS_UNLIT).number
    return tuple(
        Proposal("unlit", f"{number} is not reported lit", f"unlit {number}", clause)
        for number in facts.bonus_numbers or ()
        if number not in lit
    )


def too_many(game: Game, facts: Facts, number: str) -> Proposal | None:
    """A light that was not drawn."""
    if number in (facts.bonus_numbers or ()):
        return None
    return Proposal(
        "hold",
        f"{number} is lit and was not drawn",
        f"irregularity {Irregularity.UNLISTED.value}",
        game.clause(Rule.REFERRAL).number,
    )
