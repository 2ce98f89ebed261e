"""Double entry: accounts, entries and balances, folded from events; pure.

Laws of this package:
- the entries of an event sum to zero, always;
- a positive balance is money that the table owes or has won; a negative balance is
  money that it holds;
- a seat's credit is never below zero: money already gone becomes a claim;
- nothing is edited: a correction is a reversal and new entries.
"""

from croupier.ledger.accounts import Account, Entry, check_entries, is_seat, seat
from croupier.ledger.money import MoneyEvent
from croupier.ledger.posting import entries_of

__all__ = [
    "Account",
    "Entry",
    "MoneyEvent",
    "check_entries",
    "entries_of",
    "is_seat",
    "seat",
]
