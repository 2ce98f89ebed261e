"""Commands that move money other than wagers: buy-ins, vouchers, the float."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from croupier.ledger.money import Count, masked_code
from croupier.rules.cents import MAXIMUM_CENTS, write_cents
from croupier.rules.commands import ByTwo, shown_name

_Name = Annotated[str, Meta(min_length=1, max_length=40)]
_Cents = Annotated[int, Meta(ge=1, le=MAXIMUM_CENTS)]
_Chips = Annotated[int, Meta(ge=1, le=1_000_000)]


class _SeatSum(ByTwo, frozen=True):
    """A sum taken or paid at a seat."""

    seat: _Name
    cents: _Cents

    def __str__(self) -> str:
        return f"{shown_name(self)} {self.seat} {write_cents(self.cents)}"


class BuyIn(_SeatSum, frozen=True, tag="buy_in"):
    """Cash becomes credit."""


class CashOut(_SeatSum, frozen=True, tag="cash_out"):
    """Credit is paid in cash."""


class IssueVoucher(_SeatSum, frozen=True, tag="voucher"):
    """Credit becomes a voucher."""


class RedeemVoucher(Struct, frozen=True):
    seat: str
    code: str


class PayVoucher(ByTwo, frozen=True, tag="pay_voucher"):
    """Pay a voucher in cash to its bearer."""

    code: _Name

    def __str__(self) -> str:
        return f"pay voucher {masked_code(self.code)}"


class CountFloat(ByTwo, frozen=True, tag="count_float"):
    """State the counted sum of the table's chips, which may differ from the book."""

    count: Count
    cents: Annotated[int, Meta(ge=0, le=MAXIMUM_CENTS)]

    def __str__(self) -> str:
        return f"count float {self.count.value} {write_cents(self.cents)}"


class _FloatSum(ByTwo, frozen=True):
    """A sum that comes to the float or leaves it."""

    cents: _Cents

    def __str__(self) -> str:
        return f"{shown_name(self)} {write_cents(self.cents)}"


class Fill(_FloatSum, frozen=True, tag="fill"):
    """Bring chips to the table."""


class TakeCredit(_FloatSum, frozen=True, tag="credit"):
    """Take chips from the table."""


class _ColourChips(ByTwo, frozen=True):
    """Chips of a colour, and the Player whose colour it is."""

    player: _Name
    colour: _Name
    chips: _Chips

    def __str__(self) -> str:
        words = "buy back from" if isinstance(self, BuyBackColourChips) else "sell to"
        return f"{words} {self.player} {self.chips} {self.colour} chips"


class BuyColourChips(_ColourChips, frozen=True, tag="buy_colour_chips"):
    """The Player buys chips."""


class BuyBackColourChips(_ColourChips, frozen=True, tag="buy_back_colour_chips"):
    """The House buys chips back."""


class Adjust(ByTwo, frozen=True, tag="adjust"):
    """Correct a seat's credit; the initiator comes first, then the authoriser."""

    seat: _Name
    cents: Annotated[int, Meta(ge=-MAXIMUM_CENTS, le=MAXIMUM_CENTS)]
    """Added to the credit; negative to take away."""
    reason: Annotated[str, Meta(min_length=1, max_length=200)]

    def __str__(self) -> str:
        return f"adjust {self.seat} {write_cents(self.cents)} {self.reason}"


class _DebtPaid(ByTwo, frozen=True):
    """A sum between the House and a Player who has no credit left."""

    player: Annotated[str, Meta(min_length=1, max_length=60)]
    cents: _Cents

    def __str__(self) -> str:
        return f"{shown_name(self)} {self.player} {write_cents(self.cents)}"


class PayClaim(_DebtPaid, frozen=True, tag="pay_claim"):
    """Take payment of a Player's debt."""


class PayOwed(_DebtPaid, frozen=True, tag="pay_owed"):
    """Pay money kept for a Player, or for an ended stay such as `3@T1`."""


class EndStay(Struct, frozen=True):
    """End an anonymous stay, as when its terminal is revoked (A37)."""

    seat: str


Payment = (
    BuyIn
    | CashOut
    | IssueVoucher
    | PayVoucher
    | CountFloat
    | PayClaim
    | Fill
    | TakeCredit
    | BuyColourChips
    | BuyBackColourChips
    | PayOwed
)
"""Payments that need a second person only above the house's thresholds."""
VoucherUse = RedeemVoucher | PayVoucher
"""Commands that end a voucher, for credit or for cash."""
MoneyCommand = Payment | RedeemVoucher | Adjust | EndStay
