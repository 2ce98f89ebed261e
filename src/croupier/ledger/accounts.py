"""The accounts of a table, and the entries between them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, NewType

Account = NewType("Account", str)

LAYOUT = Account("layout")
"""Stakes of the round in play."""
HOUSE = Account("house")
"""The House's win from wagers, less its payments."""
CASH = Account("cash")
"""Cash taken in at the table; negative, because the table holds it."""
CHIPS = Account("chips")
"""Cash chips in Players' hands, from any table."""
FLOAT = Account("float")
"""The table's own chips; negative, because the table holds them."""
CAGE = Account("cage")
"""The cage's side of fills, credits and counts."""
VOUCHERS = Account("vouchers")
"""Vouchers issued here, less those redeemed or paid here."""
EXPIRED = Account("expired")
"""Vouchers that were not redeemed in time."""
ADJUSTMENTS = Account("adjustments")
"""The other side of adjustments by two people."""

_SEAT, _COLOUR, _CLAIM, _OWED = "seat:", "colour:", "claim:", "owed:"
PLAYERS = (_SEAT, _OWED)
"""Prefixes of the accounts that hold a Player's money."""


class Entry(NamedTuple):
    """Cents added to an account."""

    account: Account
    cents: int


def check_entries(entries: Iterable[Entry]) -> None:
    total = sum([entry.cents for entry in entries])
    assert total == 0, f"the entries sum to {total}"


def seat(name: str) -> Account:
    """Return the account of a Player's credit at the table."""
    return Account(_SEAT + name)


def is_seat(account: str) -> bool:
    """Return whether the account is a seat's credit, which is never below zero."""
    return account.startswith(_SEAT)


def is_players(account: str) -> bool:
    """Return whether the account is a Player's credit, or money kept for them."""
    return account.startswith(PLAYERS)


def stay_name(seat: str, stay: int) -> str:
    """Return the name of an anonymous Player's stay at a seat, such as `3@T1`."""
    return f"{stay}@{seat}"


def owed(name: str) -> Account:
    """Return the account of money kept for a Player or an ended stay."""
    return Account(_OWED + name)


def colour(name: str) -> Account:
    """Return the account of a colour's chips in its Player's hands."""
    return Account(_COLOUR + name)


def claim(player: str) -> Account:
    """Return the account of a debt of a Player or a stay; its balance is negative."""
    return Account(_CLAIM + player)


def kind_and_name(account: Account) -> tuple[str, str]:
    """Return the account's kind and owner; the table's own accounts have no owner."""
    kind, _, name = account.partition(":")
    return kind, name


def held_cents(account: Account, cents: int) -> int:
    """Return an entry's cents with the sign that a person expects.

    Money that the table holds or is owed is booked negative; this turns the sign.
    """
    is_held = account in {CASH, FLOAT} or account.startswith(_CLAIM)
    return -cents if is_held else cents
