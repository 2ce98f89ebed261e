"""Events that move money besides wagers: buy-ins, vouchers, the float, adjustments."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique
from typing import get_args

from croupier.rules.operator import Person


@dataclass(frozen=True, slots=True)
class BoughtIn:
    """Cash became credit at a seat."""

    by: Person
    seat: str
    cents: int


@dataclass(frozen=True, slots=True)
class StayBegun:
    """An anonymous Player's stay at a terminal began: its first credit comes (A37)."""

    by: Person
    seat: str
    stay: int


@dataclass(frozen=True, slots=True)
class StayEnded:
    """The stay is over; credit that was left there is kept for it (A37)."""

    by: Person
    seat: str
    stay: int
    cents: int


@dataclass(frozen=True, slots=True)
class CashedOut:
    """Credit left the seat as cash."""

    by: Person
    seat: str
    cents: int


_MISREAD = str.maketrans("01", "OI")
"""No code has these digits: whoever types one has misread a letter."""


def read_code(text: str) -> str:
    """Return a voucher's code however it is typed: in groups, in small letters."""
    return "".join(filter(str.isalnum, text)).upper().translate(_MISREAD)


_ENDING = 4
"""Letters of a code that tell one voucher from another and let nobody redeem it."""


def masked_code(code: str) -> str:
    """Return a voucher's code as everybody but its holder may see it: how it ends."""
    return f"…{code[-_ENDING:]}" if len(code) >= 3 * _ENDING else "…"


@dataclass(frozen=True, slots=True)
class VoucherIssued:
    """Credit left the seat as a voucher."""

    by: Person
    seat: str
    cents: int
    code: str
    expires: str
    """The last day on which it can be redeemed, ISO 8601."""
    stay: int | None = None
    """The anonymous stay whose credit it was."""


@dataclass(frozen=True, slots=True)
class VoucherRedeemed:
    """A voucher of any table became credit at a seat of this one."""

    by: Person
    seat: str
    cents: int
    code: str


@dataclass(frozen=True, slots=True)
class VoucherPaid:
    """A voucher of any table was paid in cash at this one, to whoever brought it."""

    by: Person
    cents: int
    code: str


@dataclass(frozen=True, slots=True)
class VoucherExpired:
    by: Person
    cents: int
    code: str


@dataclass(frozen=True, slots=True)
class VoucherReportedLost:
    by: Person
    code: str


@unique
class Count(Enum):
    """The occasion of a count of the float."""

    OPENING = "opening"
    CLOSING = "closing"


@dataclass(frozen=True, slots=True)
class FloatCounted:
    """The table's chips were counted; a difference to the book is posted."""

    by: Person
    count: Count
    cents: int
    booked_cents: int


@dataclass(frozen=True, slots=True)
class Filled:
    """Chips came from the cage to the float."""

    by: Person
    cents: int


@dataclass(frozen=True, slots=True)
class CreditTaken:
    """Chips went from the float to the cage."""

    by: Person
    cents: int


@dataclass(frozen=True, slots=True)
class ColourChipsBought:
    """A Player bought colour chips for cash, at the value the colour has."""

    by: Person
    player: str
    colour: str
    chips: int
    cents: int


@dataclass(frozen=True, slots=True)
class ColourChipsBoughtBack:
    """The table took colour chips back for cash, at that value."""

    by: Person
    player: str
    colour: str
    chips: int
    cents: int


@dataclass(frozen=True, slots=True)
class Adjusted:
    """Credit set right by two people."""

    initiator: Person
    authoriser: Person
    seat: str
    cents: int
    """Added to the credit; negative to take away."""
    reason: str


@dataclass(frozen=True, slots=True)
class ClaimPaid:
    """A Player paid, in cash, what a correction had left owing."""

    by: Person
    player: str
    cents: int


@dataclass(frozen=True, slots=True)
class ClaimSetOff:
    """Credit that was to be paid out went to what the same Player owes (A37)."""

    by: Person
    seat: str
    player: str
    """Who owes it: a Player, or a stay as `3@T1`."""
    cents: int


@dataclass(frozen=True, slots=True)
class OwedPaid:
    """Money kept for a Player, or for a stay that had ended, was paid in cash."""

    by: Person
    player: str
    cents: int


MoneyEvent = (
    BoughtIn
    | CashedOut
    | VoucherIssued
    | VoucherRedeemed
    | VoucherPaid
    | VoucherExpired
    | VoucherReportedLost
    | FloatCounted
    | Filled
    | CreditTaken
    | ColourChipsBought
    | ColourChipsBoughtBack
    | Adjusted
    | ClaimPaid
    | StayBegun
    | StayEnded
    | ClaimSetOff
    | OwedPaid
)
MONEY_EVENTS = frozenset(get_args(MoneyEvent))
"""The same as a set of types, which is quicker to ask."""
