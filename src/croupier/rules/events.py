"""Events: what has happened in a round of play, or at a table.

What is made for every wager is a Struct: it is made ten times as fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from msgspec import Struct

from croupier.rules.clause import Clause
from croupier.rules.commands import MarkerPlace, ValueMarker
from croupier.rules.game import Irregularity
from croupier.rules.operator import Person
from croupier.rules.reasons import Reason
from croupier.rules.wheel import Number


@dataclass(frozen=True, slots=True)
class PlaceYourBetsAnnounced:
    by: Person


@dataclass(frozen=True, slots=True)
class EarlyCloseAllowed:
    by: Person


@dataclass(frozen=True, slots=True)
class BallSpun:
    by: Person
    revolutions: int | None
    against_wheel: bool | None
    """None: nobody said in which direction."""


@dataclass(frozen=True, slots=True)
class NoMoreBetsAnnounced:
    by: Person
    late: bool
    """The ball had dropped (A28)."""


@dataclass(frozen=True, slots=True)
class LayoutFrozen:
    """The wagers as they lay at the close: what settlement must add up to."""

    wagers: int
    stake_cents: int


@dataclass(frozen=True, slots=True)
class BonusNumbersDrawn:
    numbers: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class BonusNumberUnlit:
    by: Person
    number: Number


@dataclass(frozen=True, slots=True)
class BallDropped:
    by: Person


@dataclass(frozen=True, slots=True)
class BallAtRest:
    by: Person
    number: Number
    confirmed_by: Person | None = None
    """The second person, after a crash (A38)."""


@dataclass(frozen=True, slots=True)
class SensorReported:
    """A report of a wheel's sensor: a fact beside the Dealer's, not instead of it."""

    device: str
    fact: str
    """`spun`, `dropped`, `at_rest`, or the name of an irregularity."""
    number: Number | None = None
    revolutions: int | None = None
    against_wheel: bool | None = None


@dataclass(frozen=True, slots=True)
class ReportAnswered:
    """Staff upheld or rejected a sensor's report of an irregularity (A45)."""

    by: tuple[Person, ...]
    irregularity: Irregularity
    upheld: bool
    clause: Clause
    because: str = ""


@dataclass(frozen=True, slots=True)
class WheelDisputed:
    """Console and sensor contradict each other, or a report is unanswered (A40).

    The hold that follows ends when staff have answered all of it.
    """

    by: Person
    """The person, or the sensor, whose word brought it up."""
    number: Number | None
    """The number at the console."""
    seen: Number | None
    """The sensor's number, if it is disputed."""
    pending: tuple[Irregularity, ...]
    """The reports to answer."""


@dataclass(frozen=True, slots=True)
class BallRestated:
    """Two people stated the compartment: it was wrong (A34) or disputed (A45)."""

    by: tuple[Person, ...]
    number: Number | None
    """The compartment on record before, if there was one."""
    corrected_to: Number
    clause: Clause
    because: str = ""


@dataclass(frozen=True, slots=True)
class BonusNumbersCorrected:
    """The draw on record was wrong (A35); a settled round is settled anew."""

    by: tuple[Person, ...]
    numbers: tuple[Number, ...]
    corrected_to: tuple[Number, ...]
    clause: Clause
    because: str = ""


@dataclass(frozen=True, slots=True)
class OutcomeAnnounced:
    by: Person
    number: Number


@dataclass(frozen=True, slots=True)
class DollyPlaced:
    number: Number


@dataclass(frozen=True, slots=True)
class ResultSent:
    """To every Player Terminal."""

    number: Number


class PiecePlaced(Struct, frozen=True, gc=False):
    area: str
    cents: int


@dataclass(frozen=True, slots=True)
class MarkerButton:
    """A complete wager's button: the unit it denotes and where it lies."""

    unit_cents: int | None
    """None: each area at its own maximum."""
    on: str
    maximum_cents: tuple[int, ...] = ()
    """Each area's unit where they differ, in the order of the pieces."""


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
    """Which anonymous Player at that terminal it is; None: one known by name."""
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


@dataclass(frozen=True, slots=True)
class WagerMarkedUnclear:
    by: Person
    wager_id: str


@dataclass(frozen=True, slots=True)
class WagerRuled:
    """The ruling on a wager: an area, an amount for each piece, a Player; or none."""

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


@dataclass(frozen=True, slots=True)
class IrregularityReported:
    by: Person
    irregularity: Irregularity
    because: str = ""


@dataclass(frozen=True, slots=True)
class NoSpinAnnounced:
    by: Person
    because: str = ""


@dataclass(frozen=True, slots=True)
class PowerFailed:
    by: Person


@dataclass(frozen=True, slots=True)
class RoundInterrupted:
    by: Person


@dataclass(frozen=True, slots=True)
class TerminalsInterrupted:
    by: Person
    terminals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DisplayShown:
    number: Number
    clause: Clause | None
    """The clause by which it is information only."""
    by: Person


@dataclass(frozen=True, slots=True)
class RoundVoided:
    clause: Clause
    reason: Reason
    because: str = ""
    """The reason given by the person who decided it (A43)."""


@dataclass(frozen=True, slots=True)
class RoundHeld:
    clause: Clause
    reason: Reason


@dataclass(frozen=True, slots=True)
class PlayContinued:
    """The hold is over, by a decision (A44) or by answers to the sensor (A45)."""

    by: Person
    clause: Clause
    because: str = ""


@dataclass(frozen=True, slots=True)
class OutcomeDecided:
    by: Person
    number: Number
    clause: Clause
    because: str = ""


# A round makes thousands of these two: a named tuple is made in a third of the time.
class SettledPiece(NamedTuple):
    """One piece: the stake is collected or returned, what is paid comes on top."""

    area: str
    stake_cents: int
    paid_cents: int
    collected_cents: int
    returned_cents: int
    at_risk_cents: int
    """The part of the stake that could be lost: nothing of what is returned anyway."""
    clause: str


class SettledWager(NamedTuple):
    wager_id: str
    player: str
    wager: str
    pieces: tuple[SettledPiece, ...]


@dataclass(frozen=True, slots=True)
class RoundSettled:
    """Every wager paid, collected or returned: the round of play is over."""

    winning_number: Number | None
    wagers: tuple[SettledWager, ...]
    under_minimum: tuple[str, ...]
    """The Players whose under-minimum wagers stood, once (A9)."""


@dataclass(frozen=True, slots=True)
class OutcomeCorrected:
    """The recorded outcome was wrong; a settled round is settled anew."""

    by: tuple[Person, ...]
    number: Number
    corrected_to: Number
    clause: Clause
    because: str = ""
    against_sensor: Number | None = None
    """The other compartment that a sensor had reported (A46)."""
    against_people: Number | None = None
    """The other compartment that two people had confirmed (A46)."""


@dataclass(frozen=True, slots=True)
class LaterRoundsStand:
    round_numbers: tuple[int, ...]
    clause: Clause


@dataclass(frozen=True, slots=True)
class RoundBegun:
    """A round and what it is judged by: all that its replay needs."""

    round_number: int
    document: str
    limits: tuple[str, ...]
    """As `terms.write_limits` writes them."""
    settings: tuple[str, ...]
    warned: tuple[str, ...]
    """The Players whose under-minimum wagers have stood before (A9)."""


@dataclass(frozen=True, slots=True)
class ColourIssued:
    by: Person
    colour: str
    player: str
    value_cents: int
    marker: ValueMarker | None
    stands_on: MarkerPlace | None


@dataclass(frozen=True, slots=True)
class ColourReturned:
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
