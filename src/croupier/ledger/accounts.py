"""The accounts of a table, and the entries between them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, NewType

Account = NewType("Account", str)

LAYOUT = Account("layout")
"""Stakes of the round in play."""
HOUSE = Account("house")
"""The House's win from wagers, less what it has paid."""
CASH = Account("cash")
"""Cash taken in at the table; negative, because the table holds it."""
CHIPS = Account("chips")
"""Cash chips in Players' hands, brought to this layout from anywhere."""
FLOAT = Account("float")
"""The table's own chips; negative, because the table holds them."""
CAGE = Account("cage")
"""The cage's side of fills, credits and counts."""
VOUCHERS = Account("vouchers")
"""Vouchers issued here, less those redeemed or paid here."""
EXPIRED = Account("expired")
"""Vouchers that nobody redeemed in time."""
ADJUSTMENTS = Account("adjustments")
"""The other side of adjustments by two people."""

_SEAT, _COLOUR, _CLAIM, _OWED = "seat:", "colour:", "claim:", "owed:"
PLAYERS = (_SEAT, _OWED)
"""How accounts begin that are a Player's money with the table."""


class Entry(NamedTuple):
    """So many cents to an account."""

    account: Account
    cents: int


def check_entries(entries: Iterable[Entry]) -> None:
    """Assert that the entries sum to zero."""
    total = sum([entry.cents for entry in entries])
    assert total == 0, f"the entries sum to {total}"


def seat(name: str) -> Account:
    """Return the account of a Player's credit at the table."""
    return Account(_SEAT + name)


def is_seat(account: str) -> bool:
    """Return whether the account is a seat's credit, which never goes below zero."""
    return account.startswith(_SEAT)


def is_players(account: str) -> bool:
    """Say whether it is a Player's money with the table: credit, or kept for them."""
    return account.startswith(PLAYERS)


def stay_name(seat: str, stay: int) -> str:
    """Return the name of an anonymous Player's stay at a seat, such as `3@T1`."""
    return f"{stay}@{seat}"


def owed(name: str) -> Account:
    """Return the account of what is kept for a Player, or for a stay that has ended."""
    return Account(_OWED + name)


def colour(name: str) -> Account:
    """Return the account of the chips of one colour that are out with their Player."""
    return Account(_COLOUR + name)


def claim(player: str) -> Account:
    """Return the account of what a Player or a stay owes; it is negative."""
    return Account(_CLAIM + player)


def kind_and_name(account: Account) -> tuple[str, str]:
    """Return what kind of account it is, and whose: empty where it is the table's."""
    kind, _, name = account.partition(":")
    return kind, name


def held_cents(account: Account, cents: int) -> int:
    """Return what an entry adds to an account, as a person counts it.

    What the table holds or is owed is booked negative, so there the sign is turned.
    """
    is_held = account in {CASH, FLOAT} or account.startswith(_CLAIM)
    return -cents if is_held else cents
