"""Events: the facts of a round of play, or of a table."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from croupier.rules.clause import Clause
from croupier.rules.commands import MarkerPlace, ValueMarker
from croupier.rules.game import Irregularity
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason
from croupier.rules.wheel import Number


class PlaceYourBetsAnnounced(Struct, frozen=True):
    by: Person


class EarlyCloseAllowed(Struct, frozen=True):
    by: Person


class BallSpun(Struct, frozen=True):
    by: Person
    revolutions: int | None
    against_wheel: bool | None
    """None: the direction was not stated."""


class NoMoreBetsAnnounced(Struct, frozen=True):
    by: Person
    late: bool
    """The ball had dropped (A28)."""


class LayoutFrozen(Struct, frozen=True):
    """Count and sum of the wagers at the close; settlement must add up to them."""

    wagers: int
    stake_cents: int


class BonusNumbersDrawn(Struct, frozen=True):
    """The Bonus Numbers of the round, in the order in which they were drawn."""

    numbers: tuple[Number, ...]


class BonusNumberUnlit(Struct, frozen=True):
    by: Person
    number: Number


class BallDropped(Struct, frozen=True):
    by: Person


class BallAtRest(Struct, frozen=True):
    by: Person
    number: Number
    confirmed_by: Person | None = None
    """The second person, after a crash (A38)."""


class SensorReported(Struct, frozen=True):
    """A report of a wheel's sensor: a fact beside the Dealer's, not instead of it."""

    device: str
    fact: str
    """`spun`, `dropped`, `at_rest`, or the name of an irregularity."""
    number: Number | None = None
    revolutions: int | None = None
    against_wheel: bool | None = None


class ReportAnswered(Struct, frozen=True):
    """Staff upheld or rejected a sensor's report of an irregularity (A45)."""

    by: tuple[Person, ...]
    irregularity: Irregularity
    upheld: bool
    clause: Clause
    because: str = ""


class WheelDisputed(Struct, frozen=True):
    """Console and sensor contradict each other, or a report is unanswered (A40).

    The hold that follows ends when staff have answered all of it.
    """

    by: Person
    """The person or the sensor that raised it."""
    number: Number | None
    """The number at the console."""
    seen: Number | None
    """The sensor's number, if it is disputed."""
    pending: tuple[Irregularity, ...]
    """The reports to answer."""


class BallRestated(Struct, frozen=True):
    """Two people stated the compartment: it was wrong (A34) or disputed (A45)."""

    by: tuple[Person, ...]
    number: Number | None
    """The compartment on record before, if there was one."""
    corrected_to: Number
    clause: Clause
    because: str = ""


class BonusNumbersCorrected(Struct, frozen=True):
    """The draw on record was wrong (A35); a settled round is settled again."""

    by: tuple[Person, ...]
    numbers: tuple[Number, ...]
    corrected_to: tuple[Number, ...]
    clause: Clause
    because: str = ""


class OutcomeAnnounced(Struct, frozen=True):
    by: Person
    number: Number


class DollyPlaced(Struct, frozen=True):
    number: Number


class ResultSent(Struct, frozen=True):
    """The result was sent to every Player Terminal."""

    number: Number


class PiecePlaced(Struct, frozen=True, gc=False):
    area: str
    cents: int


class MarkerButton(Struct, frozen=True):
    """A complete wager's button: the unit it denotes and where it lies."""

    unit_cents: int | None
    """None: each area at its own maximum."""
    on: str
    maximum_cents: tuple[int, ...] = ()
    """Each area's unit if they differ, in the order of the pieces."""


class WagerPlaced(Struct, frozen=True, gc=False):
    by: Person
    wager_id: str
    player: str
    wager: str
    pieces: tuple[PiecePlaced, ...]
    electronic: bool
    registered: bool
    terminal: str | None
    colour: str | None
    marker: MarkerButton | None
    stay: int | None
    """The anonymous Player's stay at that terminal; None if the Player has a name."""
    for_round: int | None
    """The round that a terminal's message named (A39)."""


class WagerIncreased(Struct, frozen=True):
    by: Person
    wager_id: str
    piece_cents: int
    marker: MarkerButton | None
    """The button of a complete wager, with its new unit."""
    for_round: int | None


class WagerWithdrawn(Struct, frozen=True):
    by: Person
    wager_id: str
    late: bool
    """After the drop: it stays listed, to be returned or restored (A28)."""


class WagerMarkedUnclear(Struct, frozen=True):
    by: Person
    wager_id: str


class WagerRuled(Struct, frozen=True):
    """A ruling: an area, an amount for each piece or a Player; with none, a return."""

    by: Person
    wager_id: str
    area: str | None
    piece_cents: int | None
    clause: Clause
    player: str | None
    because: str = ""

    @property
    def returns(self) -> bool:
        return self.area is None and self.piece_cents is None and self.player is None


class IrregularityReported(Struct, frozen=True):
    by: Person
    irregularity: Irregularity
    because: str = ""


class NoSpinAnnounced(Struct, frozen=True):
    by: Person
    because: str = ""


class PowerFailed(Struct, frozen=True):
    by: Person


class RoundInterrupted(Struct, frozen=True):
    by: Person


class TerminalsInterrupted(Struct, frozen=True):
    by: Person
    terminals: tuple[str, ...]


class DisplayShown(Struct, frozen=True):
    number: Number
    clause: Clause | None
    """The clause by which it is information only."""
    by: Person


class RoundVoided(Struct, frozen=True):
    clause: Clause
    reason: Reason
    because: str = ""
    """The reason given by the person who decided it (A43)."""


class RoundHeld(Struct, frozen=True):
    clause: Clause
    reason: Reason


class PlayContinued(Struct, frozen=True):
    """The hold is over, by a decision (A44) or by answers to the sensor (A45)."""

    by: Person
    clause: Clause
    because: str = ""


class OutcomeDecided(Struct, frozen=True):
    by: Person
    number: Number
    clause: Clause
    because: str = ""


# A round makes thousands of these two: as named tuples they take a third of the time.
class SettledPiece(NamedTuple):
    """One piece: the stake is collected or returned; the amount paid comes on top."""

    area: str
    stake_cents: int
    paid_cents: int
    collected_cents: int
    returned_cents: int
    at_risk_cents: int
    """The part of the stake that could be lost; a returned part could not."""
    clause: str


class SettledWager(NamedTuple):
    wager_id: str
    player: str
    wager: str
    pieces: tuple[SettledPiece, ...]


class RoundSettled(Struct, frozen=True):
    """Every wager paid, collected or returned: the round of play is over."""

    winning_number: Number | None
    wagers: tuple[SettledWager, ...]
    under_minimum: tuple[str, ...]
    """The Players whose under-minimum wagers stood, once (A9)."""


class OutcomeCorrected(Struct, frozen=True):
    """The recorded outcome was wrong; a settled round is settled again."""

    by: tuple[Person, ...]
    number: Number
    corrected_to: Number
    clause: Clause
    because: str = ""
    against_sensor: Number | None = None
    """The other compartment that a sensor had reported (A46)."""
    against_people: Number | None = None
    """The other compartment that two people had confirmed (A46)."""


class LaterRoundsStand(Struct, frozen=True):
    round_numbers: tuple[int, ...]
    clause: Clause


class RoundBegun(Struct, frozen=True):
    """The start of a round, with all the terms that its replay needs."""

    round_number: int
    document: str
    limits: tuple[str, ...]
    """As `terms.write_limits` writes them."""
    settings: tuple[str, ...]
    warned: tuple[str, ...]
    """The Players whose under-minimum wagers have stood before (A9)."""
    rules: str = ""
    """The digest of the game's rows and the readings; empty in a transcript."""


class ColourIssued(Struct, frozen=True):
    by: Person
    colour: str
    player: str
    value_cents: int
    marker: ValueMarker | None
    stands_on: MarkerPlace | None


class ColourReturned(Struct, frozen=True):
    by: Person
    colour: str
    player: str


RoundEvent = (
    PlaceYourBetsAnnounced
    | EarlyCloseAllowed
    | BallSpun
    | NoMoreBetsAnnounced
    | LayoutFrozen
    | BonusNumbersDrawn
    | BonusNumberUnlit
    | BallDropped
    | BallAtRest
    | SensorReported
    | ReportAnswered
    | WheelDisputed
    | BallRestated
    | BonusNumbersCorrected
    | OutcomeAnnounced
    | DollyPlaced
    | ResultSent
    | WagerPlaced
    | WagerIncreased
    | WagerWithdrawn
    | WagerMarkedUnclear
    | WagerRuled
    | IrregularityReported
    | NoSpinAnnounced
    | PowerFailed
    | RoundInterrupted
    | TerminalsInterrupted
    | DisplayShown
    | RoundVoided
    | RoundHeld
    | PlayContinued
    | OutcomeDecided
    | RoundSettled
    | OutcomeCorrected
    | LaterRoundsStand
)
TableEvent = RoundBegun | ColourIssued | ColourReturned
Event = RoundEvent | TableEvent
