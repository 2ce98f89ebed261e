"""Commands: what somebody asks a round of play, or a table, to do.

What is made for every wager is a Struct: it is made ten times as fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from msgspec import Struct

from croupier.rules.game import Irregularity
from croupier.rules.notation import AreaText, WagerText
from croupier.rules.operator import Person
from croupier.rules.wheel import Number


@dataclass(frozen=True, slots=True)
class PlaceYourBets:
    pass


@dataclass(frozen=True, slots=True)
class AllowEarlyClose:
    pass


@dataclass(frozen=True, slots=True)
class SpinBall:
    revolutions: int | None = None
    """None: nobody counted them; the spin is taken as valid."""
    against_wheel: bool | None = None
    """None: nobody said in which direction."""


@dataclass(frozen=True, slots=True)
class NoMoreBets:
    pass


@dataclass(frozen=True, slots=True)
class DrawBonusNumbers:
    numbers: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class ReportUnlit:
    number: Number


@dataclass(frozen=True, slots=True)
class ReportBallDropped:
    pass


@dataclass(frozen=True, slots=True)
class ReportBallAtRest:
    number: Number
    confirmed_by: Person | None = None
    """The second person, after a crash (A38)."""


@dataclass(frozen=True, slots=True)
class ReportSensor:
    """A report of a wheel's sensor, as `SensorReported` records it."""

    fact: str
    number: Number | None = None
    revolutions: int | None = None
    against_wheel: bool | None = None


@dataclass(frozen=True, slots=True)
class AnnounceOutcome:
    number: Number


@dataclass(frozen=True, slots=True)
class Settle:
    pass


class PlaceWager(Struct, frozen=True, gc=False):
    """Chips laid on the layout, or a wager placed electronically."""

    wager_id: str
    player: str | None
    """Whose wager; None where staff name nobody they place it for."""
    wager: WagerText
    stake_cents: int | None
    """On each piece; None for a complete maximum wager and for colour chips."""
    electronic: bool = False
    registered: bool = True
    terminal: str | None = None
    stay: int | None = None
    """Which anonymous Player at that terminal it is; None: one known by name."""
    colour: str | None = None
    colour_chips: int = 0
    marker: bool = True
    chips_cents: int | None = None
    """Chips laid with a complete wager's marker; None: exactly what it needs."""
    for_round: int | None = None
    """The round that a terminal's message named (A39)."""


class IncreaseWager(Struct, frozen=True):
    wager_id: str
    player: str | None
    stake_cents: int
    for_round: int | None = None


class WithdrawWager(Struct, frozen=True):
    wager_id: str
    player: str | None
    beside: tuple[str, ...] = ()
    """Further wagers that are withdrawn with it: what they leave is judged together."""


@dataclass(frozen=True, slots=True)
class MarkUnclear:
    wager_id: str


@dataclass(frozen=True, slots=True)
class ReturnIt:
    """A ruling: the wager is returned."""


@dataclass(frozen=True, slots=True)
class GiveAmount:
    """A ruling: so much is at risk on each piece, the rest is returned."""

    cents: int


@dataclass(frozen=True, slots=True)
class GivePosition:
    """A ruling: the wager lies on this area."""

    area: AreaText


@dataclass(frozen=True, slots=True)
class GiveTo:
    """A decision: the wager was this Player's (A41)."""

    player: str


Treatment = ReturnIt | GiveAmount | GivePosition


@dataclass(frozen=True, slots=True)
class RuleOnWager:
    wager_id: str
    treatment: Treatment
    because: str = ""


@dataclass(frozen=True, slots=True)
class ReportIrregularity:
    irregularity: Irregularity
    because: str = ""


@dataclass(frozen=True, slots=True)
class AnnounceNoSpin:
    because: str = ""


@dataclass(frozen=True, slots=True)
class ReportPowerFailure:
    pass


@dataclass(frozen=True, slots=True)
class ReportRoundInterrupted:
    pass


@dataclass(frozen=True, slots=True)
class ReportTerminalsInterrupted:
    terminals: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ShowDisplay:
    number: Number


@dataclass(frozen=True, slots=True)
class DecideOutcome:
    number: Number
    because: str = ""


@dataclass(frozen=True, slots=True)
class DecideVoid:
    because: str = ""


@dataclass(frozen=True, slots=True)
class DecideWager:
    wager_id: str
    treatment: Treatment | GiveTo
    because: str = ""


@dataclass(frozen=True, slots=True)
class DecideContinue:
    """The hold is over; the round goes on where it was (A44)."""

    because: str = ""


@unique
class ValueMarker(Enum):
    """A thing that denotes the value of colour chips."""

    MARKER = "marker"
    CASH_CHIP = "cash_chip"


@unique
class MarkerPlace(Enum):
    """The place of the value marker."""

    BANK = "bank"
    STAND = "stand"


@dataclass(frozen=True, slots=True)
class IssueColour:
    colour: str
    player: str
    value_cents: int
    marker: ValueMarker | None = None
    stands_on: MarkerPlace | None = None


@dataclass(frozen=True, slots=True)
class ReturnColour:
    colour: str
    player: str


@dataclass(frozen=True, slots=True)
class CorrectOutcome:
    round_number: int
    number: Number
    because: str = ""
    was: Number | None = None
    """The outcome that it corrects, and no other; None: whichever is on record."""


@dataclass(frozen=True, slots=True)
class CorrectBall:
    """Restate the compartment: it was recorded wrongly (A34) or is disputed (A45)."""

    number: Number
    because: str = ""
    was: Number | None = None


@dataclass(frozen=True, slots=True)
class AnswerReport:
    """Uphold a sensor's pending report, or reject it (A45)."""

    irregularity: Irregularity
    upheld: bool
    because: str = ""


@dataclass(frozen=True, slots=True)
class CorrectBonusNumbers:
    """The draw was recorded wrongly (A35)."""

    round_number: int
    numbers: tuple[Number, ...]
    because: str = ""
    was: tuple[Number, ...] | None = None


@dataclass(frozen=True, slots=True)
class VoidRounds:
    round_numbers: tuple[int, ...]
    reason: Irregularity
    because: str = ""


@dataclass(frozen=True, slots=True)
class DecideRound:
    """A decision on a round that is settled, or was left held (A41)."""

    round_number: int
    decision: DecideOutcome | DecideVoid | DecideWager


WagerCommand = PlaceWager | IncreaseWager
DecideCommand = DecideOutcome | DecideVoid | DecideWager | DecideContinue
RoundCommand = (
    PlaceYourBets
    | AllowEarlyClose
    | SpinBall
    | NoMoreBets
    | DrawBonusNumbers
    | ReportUnlit
    | ReportBallDropped
    | ReportBallAtRest
    | ReportSensor
    | AnnounceOutcome
    | Settle
    | PlaceWager
    | IncreaseWager
    | WithdrawWager
    | MarkUnclear
    | RuleOnWager
    | ReportIrregularity
    | AnnounceNoSpin
    | ReportPowerFailure
    | ReportRoundInterrupted
    | ReportTerminalsInterrupted
    | ShowDisplay
    | DecideOutcome
    | DecideVoid
    | DecideWager
    | DecideContinue
)
SeriesCommand = (
    IssueColour
    | ReturnColour
    | CorrectOutcome
    | CorrectBall
    | AnswerReport
    | CorrectBonusNumbers
    | VoidRounds
    | DecideRound
)
Command = RoundCommand | SeriesCommand

TAKE_REASON = (
    AnnounceNoSpin,
    ReportIrregularity,
    RuleOnWager,
    DecideOutcome,
    DecideVoid,
    DecideWager,
    DecideContinue,
    CorrectOutcome,
    CorrectBall,
    CorrectBonusNumbers,
    AnswerReport,
    VoidRounds,
)


def reason_of(command: object) -> str | None:
    """Return the reason that came with a command, or None if it takes none (A43)."""
    if isinstance(command, DecideRound):
        command = command.decision
    if not isinstance(command, TAKE_REASON):
        return None
    if isinstance(command, ReportIrregularity):
        listed = command.irregularity is not Irregularity.UNLISTED
        return None if listed else command.because
    return command.because


@dataclass(frozen=True, slots=True)
class Act:
    """One or more people doing something."""

    people: tuple[Person, ...]
    command: Command

    @property
    def person(self) -> Person:
        return self.people[0]
