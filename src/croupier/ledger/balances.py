"""Balances: entries added up, and what must hold of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from croupier.ledger.accounts import Account, Entry, is_seat

Balances = Mapping[Account, int]


def check_entries(entries: Iterable[Entry]) -> None:
    """Entries that do not sum to zero are a mistake of ours."""
    total = sum(entry.cents for entry in entries)
    assert total == 0, f"the entries sum to {total}"


def add_entries(balances: Balances, entries: Iterable[Entry]) -> dict[Account, int]:
    """The balances after the entries; no seat's credit may be below zero."""
    after = dict(balances)
    for account, cents in entries:
        after[account] = after.get(account, 0) + cents
        assert after[account] >= 0 or not is_seat(account), (account, after[account])
    return after
