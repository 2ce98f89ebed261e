"""What the wheel and the lights tell, and what it proposes to the Dealer; pure.

A sensor is never the outcome by itself (v3 3.8): every fact is the Dealer's to confirm.
A fact that is an irregularity proposes the void with its clause; a Bonus Number that
stays dark proposes Fast Action 5.11, one too many 6.2 (A15).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from croupier.house.connection.listeners import Audience, Listener
from croupier.journal.events.table import LightReported, LightsConfirmed
from croupier.protocol.answers import Notice
from croupier.protocol.messages import WheelFact
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Irregularity
from croupier.rules.round import Facts
from croupier.rules.wheel import Number


@dataclass(frozen=True, slots=True)
class DeviceProposal:
    """What a device proposes: an act in the words of a transcript, and why."""

    kind: str
    text: str
    act: str
    clause: str | None = None


def proposed_by(game: Game, facts: Facts, fact: WheelFact) -> DeviceProposal | None:
    """What the Dealer is asked to confirm; None: the fact is not one we know."""
    irregularity = _irregularity(game, facts, fact)
    if irregularity is not None:
        clause = game.voiding.get(irregularity) or game.clause(Rule.REFERRAL)
        return DeviceProposal(
            "void",
            f"the sensor reports that {irregularity.reason}",
            f"irregularity {irregularity.value}",
            clause.number,
        )
    match fact.fact:
        case "spun":
            spin = "spin" if fact.revolutions is None else f"spin {fact.revolutions}"
            return DeviceProposal("spin", "the sensor reports a spin", spin)
        case "dropped":
            text = "the sensor reports that the ball has dropped"
            return DeviceProposal("dropped", text, "ball dropped")
        case "at_rest" if fact.number in game.numbers:
            text = f"the sensor reports the ball at rest in {fact.number}"
            return DeviceProposal("outcome", text, f"outcome {fact.number}")
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


def dark(game: Game, facts: Facts, lit: tuple[str, ...]) -> tuple[DeviceProposal, ...]:
    """The Bonus Numbers that no light was reported for."""
    clause = game.clause(Rule.BONUS_UNLIT).number
    return tuple(
        DeviceProposal(
            "unlit", f"{number} is not reported lit", f"unlit {number}", clause
        )
        for number in facts.bonus_numbers or ()
        if number not in lit
    )


def too_many(game: Game, facts: Facts, number: str) -> DeviceProposal | None:
    """A light that was not drawn."""
    if number in (facts.bonus_numbers or ()):
        return None
    return DeviceProposal(
        "hold",
        f"{number} is lit and was not drawn",
        f"irregularity {Irregularity.UNLISTED.value}",
        game.clause(Rule.REFERRAL).number,
    )


BUY_IN = "buy_in"
"""The kind of notice that outlasts a round."""


@dataclass(slots=True)
class TransientState:
    """Countdown, keyed outcome, lights and notices of the round in play."""

    closes_at_ms: int | None = None
    keyed: Number | None = None
    lit: list[str] = field(default_factory=list)
    dealer_saw_lights: bool = False
    owners: dict[str, str] = field(default_factory=dict)
    """Whose wager it is, by its id."""
    notices: dict[int, Notice] = field(default_factory=dict)
    last_notice: int = 0

    def lights_confirmed(self, drawn: tuple[Number, ...] | None) -> bool:
        """By the Dealer, or by the device for every number that was drawn."""
        by_device = drawn is not None and set(drawn) <= set(self.lit)
        return self.dealer_saw_lights or by_device

    def note_light(self, event: LightReported | LightsConfirmed) -> None:
        if isinstance(event, LightsConfirmed):
            self.dealer_saw_lights = True
        elif event.number not in self.lit:
            self.lit.append(event.number)

    def of_next_round(self) -> TransientState:
        """A new round: only what Players have asked for is kept."""
        self.drop_notices()
        return TransientState(notices=self.notices, last_notice=self.last_notice)

    def drop_notices(self) -> bool:
        """What was proposed about the round is over; whether there was anything."""
        before = len(self.notices)
        kept = {n: each for n, each in self.notices.items() if each.kind == BUY_IN}
        self.notices = kept
        return len(kept) < before

    def propose(
        self, proposal: DeviceProposal, seat: str | None, cents: int | None
    ) -> bool:
        """Whether it is new: the same one stands once."""
        for each in self.notices.values():
            if each.text == proposal.text and each.seat == seat:
                return False
        self.last_notice += 1
        self.notices[self.last_notice] = Notice(
            id=self.last_notice,
            kind=proposal.kind,
            text=proposal.text,
            clause=proposal.clause,
            act=proposal.act,
            seat=seat,
            cents=cents,
        )
        return True

    def notices_for(self, listener: Listener) -> tuple[Notice, ...]:
        """All to the staff, their own to a seat."""
        every = self.notices.values()
        if listener.audience is Audience.STAFF:
            return tuple(every)
        return tuple(e for e in every if e.seat is not None and e.seat == listener.seat)
