"""Commands: the acts that people and devices ask of a round or a table."""

from __future__ import annotations

from enum import Enum, unique
from typing import Annotated, Any, cast

from msgspec import Meta, Struct
from msgspec.structs import replace

from croupier.rules.game import Irregularity
from croupier.rules.notation import AreaText, WagerText
from croupier.rules.operator import Person
from croupier.rules.wheel import Number


class PlaceYourBets(Struct, frozen=True):
    pass


class AllowEarlyClose(Struct, frozen=True):
    pass


class SpinBall(Struct, frozen=True):
    revolutions: int | None = None
    """None: not counted, and the spin counts as valid."""
    against_wheel: bool | None = None
    """None: the direction was not stated."""


class NoMoreBets(Struct, frozen=True):
    pass


class DrawBonusNumbers(Struct, frozen=True):
    numbers: tuple[Number, ...]


class ReportUnlit(Struct, frozen=True):
    number: Number


class ReportBallDropped(Struct, frozen=True):
    pass


class ReportBallAtRest(Struct, frozen=True):
    number: Number
    confirmed_by: Person | None = None
    """The second person, after a crash (A38)."""


class ReportSensor(Struct, frozen=True):
    """A report of a wheel's sensor, as `SensorReported` records it."""

    fact: str
    number: Number | None = None
    revolutions: int | None = None
    against_wheel: bool | None = None


class AnnounceOutcome(Struct, frozen=True):
    number: Number


class Settle(Struct, frozen=True):
    pass


class PlaceWager(Struct, frozen=True, gc=False):
    """Chips laid on the layout, or a wager placed electronically."""

    wager_id: str
    player: str | None
    """The owner; None if staff do not name the Player."""
    wager: WagerText
    stake_cents: int | None
    """The stake on each piece; None for a complete maximum wager or colour chips."""
    electronic: bool = False
    registered: bool = True
    terminal: str | None = None
    stay: int | None = None
    """The anonymous Player's stay at that terminal; None if the Player has a name."""
    colour: str | None = None
    colour_chips: int = 0
    marker: bool = True
    chips_cents: int | None = None
    """Chips laid with a complete wager's marker; None: exactly as needed."""
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
    """Further wagers to withdraw with it: the limits judge the rest together."""


class MarkUnclear(Struct, frozen=True):
    wager_id: str


class ReturnIt(Struct, frozen=True):
    """A ruling: the wager is returned."""


class GiveAmount(Struct, frozen=True):
    """A ruling: this amount is at risk on each piece, and the rest is returned."""

    cents: int


class GivePosition(Struct, frozen=True):
    """A ruling: the wager lies on this area."""

    area: AreaText


class GiveTo(Struct, frozen=True):
    """A decision: the wager was this Player's (A41)."""

    player: str


Treatment = ReturnIt | GiveAmount | GivePosition


class RuleOnWager(Struct, frozen=True):
    wager_id: str
    treatment: Treatment
    because: str = ""


class ReportIrregularity(Struct, frozen=True):
    irregularity: Irregularity
    because: str = ""


class AnnounceNoSpin(Struct, frozen=True):
    because: str = ""


class ReportPowerFailure(Struct, frozen=True):
    pass


class ReportRoundInterrupted(Struct, frozen=True):
    pass


class ReportTerminalsInterrupted(Struct, frozen=True):
    terminals: tuple[str, ...]


class ShowDisplay(Struct, frozen=True):
    number: Number


class DecideOutcome(Struct, frozen=True):
    number: Number
    because: str = ""


class DecideVoid(Struct, frozen=True):
    because: str = ""


class DecideWager(Struct, frozen=True):
    wager_id: str
    treatment: Treatment | GiveTo
    because: str = ""


class DecideContinue(Struct, frozen=True):
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


class IssueColour(Struct, frozen=True):
    colour: str
    player: str
    value_cents: int
    marker: ValueMarker | None = None
    stands_on: MarkerPlace | None = None


class ReturnColour(Struct, frozen=True):
    colour: str
    player: str


class ByTwo(Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """A command that one person proposes and another confirms; a proposal is stored."""


def shown_name(command: ByTwo) -> str:
    return str(command.__struct_config__.tag).replace("_", " ")


_RoundNumber = Annotated[int, Meta(ge=1, le=2**53)]
_Number = Annotated[Number, Meta(min_length=1, max_length=3)]
_Draw = Annotated[tuple[_Number, ...], Meta(min_length=1, max_length=40)]
_Because = Annotated[str, Meta(max_length=200)]


class CorrectOutcome(ByTwo, frozen=True, tag="correct"):
    round_number: _RoundNumber
    number: _Number
    was: _Number | None = None
    """The only outcome that this command corrects; None: any outcome."""
    because: _Because = ""

    def __str__(self) -> str:
        words = f"correct round {self.round_number} to {self.number}"
        return _because(words, self.because)


class CorrectBall(ByTwo, frozen=True, tag="correct_ball"):
    """Restate the compartment: it was recorded wrongly (A34) or is disputed (A45)."""

    number: _Number
    was: _Number | None = None
    because: _Because = ""

    def __str__(self) -> str:
        return _because(f"correct ball to {self.number}", self.because)


class AnswerReport(ByTwo, frozen=True, tag="answer_report"):
    """Uphold a sensor's pending report, or reject it (A45)."""

    irregularity: Irregularity
    upheld: bool
    because: _Because = ""

    def __str__(self) -> str:
        verb = "uphold" if self.upheld else "reject"
        return _because(f"{verb} {self.irregularity.value}", self.because)


class CorrectBonusNumbers(ByTwo, frozen=True, tag="correct_draw"):
    """The draw was recorded wrongly (A35)."""

    round_number: _RoundNumber
    numbers: _Draw
    was: _Draw | None = None
    because: _Because = ""

    def __str__(self) -> str:
        drawn = " ".join(self.numbers)
        words = f"correct round {self.round_number} bonus numbers {drawn}"
        return _because(words, self.because)


class VoidRounds(ByTwo, frozen=True, tag="void"):
    round_numbers: Annotated[
        tuple[_RoundNumber, ...], Meta(min_length=1, max_length=100)
    ]
    reason: Irregularity
    because: _Because = ""

    def __str__(self) -> str:
        rounds = " ".join(map(str, self.round_numbers))
        return _because(f"void rounds {rounds} {self.reason.value}", self.because)


def _because(words: str, because: str) -> str:
    return f"{words} because {because}" if because else words


class DecideRound(Struct, frozen=True):
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


def with_reason(command: Command, because: str) -> Command:
    """Return a command that takes a reason, with this one."""
    if isinstance(command, DecideRound):
        decided = with_reason(command.decision, because)
        return replace(command, decision=cast(Any, decided))
    return cast(Command, replace(cast(Any, command), because=because))


class Act(Struct, frozen=True):
    """One or more people doing something."""

    people: tuple[Person, ...]
    command: Command

    @property
    def person(self) -> Person:
        return self.people[0]
