"""Events that move money other than wagers: buy-ins, vouchers, the float."""

from __future__ import annotations

from enum import Enum, unique
from typing import get_args

from msgspec import Struct

from croupier.rules.operator import Person


class BoughtIn(Struct, frozen=True):
    """Cash became credit at a seat."""

    by: Person
    seat: str
    cents: int


class StayBegun(Struct, frozen=True):
    """An anonymous Player's stay at a terminal began with the first credit (A37)."""

    by: Person
    seat: str
    stay: int


class StayEnded(Struct, frozen=True):
    """A stay ended; credit left at the seat is kept for it (A37)."""

    by: Person
    seat: str
    stay: int
    cents: int


class CashedOut(Struct, frozen=True):
    """Credit left the seat as cash."""

    by: Person
    seat: str
    cents: int


_MISREAD = str.maketrans("01", "OI")
"""No code has these digits: a Player who types one has misread a letter."""


def read_code(text: str) -> str:
    """Return a voucher's code, typed in groups or in small letters."""
    return "".join(filter(str.isalnum, text)).upper().translate(_MISREAD)


_ENDING = 4
"""Shown letters of a code: enough to identify a voucher, too few to redeem it."""


def masked_code(code: str) -> str:
    """Return only the end of a voucher's code, for readers other than its holder."""
    return f"…{code[-_ENDING:]}" if len(code) >= 3 * _ENDING else "…"


class VoucherIssued(Struct, frozen=True):
    """Credit left the seat as a voucher."""

    by: Person
    seat: str
    cents: int
    code: str
    expires: str
    """The last day on which it can be redeemed, ISO 8601."""
    stay: int | None = None
    """The anonymous stay whose credit it was."""


class VoucherRedeemed(Struct, frozen=True):
    """A voucher of any table became credit at a seat of this one."""

    by: Person
    seat: str
    cents: int
    code: str


class VoucherPaid(Struct, frozen=True):
    """A voucher of any table was paid in cash at this one, to its bearer."""

    by: Person
    cents: int
    code: str


class VoucherExpired(Struct, frozen=True):
    by: Person
    cents: int
    code: str


class VoucherReportedLost(Struct, frozen=True):
    by: Person
    code: str


@unique
class Count(Enum):
    """The occasion of a count of the float."""

    OPENING = "opening"
    CLOSING = "closing"


class FloatCounted(Struct, frozen=True):
    """The table's chips were counted; any difference to the book is posted."""

    by: Person
    count: Count
    cents: int
    booked_cents: int


class Filled(Struct, frozen=True):
    """Chips came from the cage to the float."""

    by: Person
    cents: int


class CreditTaken(Struct, frozen=True):
    """Chips went from the float to the cage."""

    by: Person
    cents: int


class ColourChipsBought(Struct, frozen=True):
    """A Player bought colour chips for cash, at the colour's value."""

    by: Person
    player: str
    colour: str
    chips: int
    cents: int


class ColourChipsBoughtBack(Struct, frozen=True):
    """The table bought colour chips back for cash, at the colour's value."""

    by: Person
    player: str
    colour: str
    chips: int
    cents: int


class Adjusted(Struct, frozen=True):
    """Two people corrected a seat's credit."""

    initiator: Person
    authoriser: Person
    seat: str
    cents: int
    """Added to the credit; negative to take away."""
    reason: str


class ClaimPaid(Struct, frozen=True):
    """A Player paid in cash a debt that a correction had left."""

    by: Person
    player: str
    cents: int


class ClaimSetOff(Struct, frozen=True):
    """Credit that was to be paid out reduced the same Player's debt (A37)."""

    by: Person
    seat: str
    player: str
    """The debtor: a Player, or a stay such as `3@T1`."""
    cents: int


class OwedPaid(Struct, frozen=True):
    """Money kept for a Player or an ended stay was paid in cash."""

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
"""The types of `MoneyEvent` as a set, for a quick check."""
