"""Two-person acts as data: what one person proposes and another confirms.

The same values stand in the journal, in a request to propose and in what is served.
A further act is a further member of the union.
"""

from __future__ import annotations

from enum import Enum, unique
from typing import Annotated

import msgspec
from msgspec import Meta

from croupier.journal.events.plan import Duty, HouseSettings, TablePlan
from croupier.ledger.money import Count, masked_code
from croupier.rules.cents import MAXIMUM_CENTS, write_cents
from croupier.rules.game import Irregularity
from croupier.rules.operator import Role
from croupier.rules.wheel import Number

_Round = Annotated[int, Meta(ge=1, le=2**53)]
_Number = Annotated[Number, Meta(min_length=1, max_length=3)]
_Draw = Annotated[tuple[_Number, ...], Meta(min_length=1, max_length=40)]
_Reason = Annotated[str, Meta(min_length=1, max_length=200)]
_Name = Annotated[str, Meta(min_length=1, max_length=40)]
_Because = Annotated[str, Meta(max_length=200)]
"""The reason that the house asks for (A43)."""


class _Act(
    msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True
): ...


class OutcomeCorrection(_Act, frozen=True, tag="correct"):
    """Another number is the outcome of a round."""

    round_number: _Round
    number: _Number
    was: _Number | None = None
    """The outcome that the proposal saw; another by now is not corrected by it."""
    because: _Because = ""

    def __str__(self) -> str:
        words = f"correct round {self.round_number} to {self.number}"
        return _with_reason(words, self.because)


class BallCorrection(_Act, frozen=True, tag="correct_ball"):
    """The ball lies in another compartment; nothing is announced yet (A34)."""

    number: _Number
    was: _Number | None = None
    because: _Because = ""

    def __str__(self) -> str:
        return _with_reason(f"correct ball to {self.number}", self.because)


class DrawCorrection(_Act, frozen=True, tag="correct_draw"):
    """Other Bonus Numbers were drawn than are on record (A35)."""

    round_number: _Round
    numbers: _Draw
    was: _Draw | None = None
    because: _Because = ""

    def __str__(self) -> str:
        drawn = " ".join(self.numbers)
        words = f"correct round {self.round_number} bonus numbers {drawn}"
        return _with_reason(words, self.because)


class ReportAnswer(_Act, frozen=True, tag="answer_report"):
    """A report of the wheel's sensor is upheld or rejected (A45)."""

    irregularity: Irregularity
    upheld: bool
    because: _Because = ""

    def __str__(self) -> str:
        verb = "uphold" if self.upheld else "reject"
        return _with_reason(f"{verb} {self.irregularity.value}", self.because)


class RoundsVoiding(_Act, frozen=True, tag="void"):
    """Rounds are void after all."""

    round_numbers: Annotated[tuple[_Round, ...], Meta(min_length=1, max_length=100)]
    reason: Irregularity | None
    """None: a limit was breached, for which no document reopens a round."""
    because: _Because = ""

    def __str__(self) -> str:
        rounds = " ".join(map(str, self.round_numbers))
        reason = "limit_breach" if self.reason is None else self.reason.value
        return _with_reason(f"void rounds {rounds} {reason}", self.because)


class CreditAdjustment(_Act, frozen=True, tag="adjust"):
    """The credit of a seat is set right."""

    seat: Annotated[str, Meta(min_length=1, max_length=40)]
    cents: Annotated[int, Meta(ge=-MAXIMUM_CENTS, le=MAXIMUM_CENTS)]
    """Added to the credit; negative to take away."""
    reason: _Reason

    def __str__(self) -> str:
        return f"adjust {self.seat} {write_cents(self.cents)} {self.reason}"


@unique
class SumMoved(Enum):
    """A movement of a sum that takes two people, above a threshold of the house."""

    BUY_IN = "buy_in"
    CASH_OUT = "cash_out"
    VOUCHER = "voucher"
    FILL = "fill"
    CREDIT = "credit"
    PAY_OWED = "pay_owed"
    PAY_CLAIM = "pay_claim"


class SumMovement(_Act, frozen=True, tag="move_sum"):
    """A sum is taken or paid at a seat or for a Player, or the float is filled."""

    how: SumMoved
    cents: Annotated[int, Meta(ge=1, le=MAXIMUM_CENTS)]
    whose: Annotated[str, Meta(max_length=60)] = ""
    """A seat, a Player, a stay as `3@T1`, or empty for the float."""

    def __str__(self) -> str:
        words = (self.how.value.replace("_", " "), self.whose, write_cents(self.cents))
        return " ".join(filter(None, words))


class FloatCounting(_Act, frozen=True, tag="count_float"):
    """The table's chips are counted, with another result than the book's."""

    count: Count
    cents: Annotated[int, Meta(ge=0, le=MAXIMUM_CENTS)]

    def __str__(self) -> str:
        return f"count float {self.count.value} {write_cents(self.cents)}"


class ColourChipsMovement(_Act, frozen=True, tag="move_colour_chips"):
    """Colour chips are sold to the Player of the colour, or bought back."""

    player: _Name
    colour: _Name
    chips: Annotated[int, Meta(ge=1, le=1_000_000)]
    are_bought_back: bool = False

    def __str__(self) -> str:
        words = "buy back from" if self.are_bought_back else "sell to"
        return f"{words} {self.player} {self.chips} {self.colour} chips"


class VoucherPayment(_Act, frozen=True, tag="pay_voucher"):
    """A voucher is paid in cash to whoever brought it."""

    code: Annotated[str, Meta(min_length=1, max_length=40)]

    def __str__(self) -> str:
        return f"pay voucher {masked_code(self.code)}"


class StaffDefinition(_Act, frozen=True, tag="staff"):
    """Somebody joins the staff, or holds these positions and duties from now on."""

    name: str
    positions: tuple[Role, ...] = ()
    duties: tuple[Duty, ...] = ()
    digest: str | None = None
    """Of a new account: of the kept hash of its temporary password, if it has one."""

    def __str__(self) -> str:
        held = [each.value for each in (*self.positions, *self.duties)]
        return f"define {self.name} as {', '.join(held)}"


class HouseChange(_Act, frozen=True, tag="house"):
    """The house has these settings from now on, and these tables are so."""

    house: HouseSettings
    tables: tuple[TablePlan, ...]
    """All of the house."""
    changes: tuple[str, ...]
    """Each fact that becomes different, from what to what, as the proposal saw it."""

    def __str__(self) -> str:
        return "; ".join(self.changes)


class PasswordSetting(_Act, frozen=True, tag="password"):
    """Somebody of the staff has this temporary password from now on."""

    name: str
    digest: str | None
    """Of its kept hash; None where it is shown."""

    def __str__(self) -> str:
        return f"set the password of {self.name}"


def _with_reason(words: str, because: str) -> str:
    return f"{words} because {because}" if because else words


TwoPersonAct = (
    OutcomeCorrection
    | BallCorrection
    | DrawCorrection
    | ReportAnswer
    | RoundsVoiding
    | CreditAdjustment
    | SumMovement
    | FloatCounting
    | ColourChipsMovement
    | VoucherPayment
)
"""Acts of two people at a table."""
StaffAct = StaffDefinition | PasswordSetting
"""Acts of two people who manage staff, in the house itself."""
ProposedAct = TwoPersonAct | StaffAct | HouseChange
"""Acts that wait for a second person, at a table or in the house itself."""
