"""The life meters of a table's terminals: sums of the ledger that are never reset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from msgspec import Struct

from croupier.journal.events.house import SeatTaken
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.ledger import money
from croupier.ledger.accounts import Account, kind_and_name
from croupier.rules import events
from croupier.table.answers import event_of


class TerminalMeters(Struct):
    """The meters of a terminal at one table since it began, in cents."""

    terminal: str
    """Empty for money that moved before the named Player sat at any terminal."""
    cash_in_cents: int = 0
    vouchers_in_cents: int = 0
    staked_cents: int = 0
    """Coin in: stakes, less withdrawn ones."""
    returned_cents: int = 0
    """Coin out: returned stakes and wins, after corrections."""
    vouchers_out_cents: int = 0
    cash_out_cents: int = 0
    """Cancelled credit, paid by an attendant."""
    hand_paid_cents: int = 0
    """Money kept for a Player who had left, paid by an attendant."""
    adjusted_cents: int = 0
    other_cents: int = 0
    """Set off against claims, or kept for a Player who has left."""
    credit_cents: int = 0
    """The credit by these meters: the money in less the money out."""


_METERS: Mapping[type[object], tuple[str, int]] = {
    money.BoughtIn: ("cash_in_cents", 1),
    money.VoucherRedeemed: ("vouchers_in_cents", 1),
    events.WagerPlaced: ("staked_cents", -1),
    events.WagerIncreased: ("staked_cents", -1),
    events.WagerWithdrawn: ("staked_cents", -1),
    events.RoundSettled: ("returned_cents", 1),
    money.VoucherIssued: ("vouchers_out_cents", -1),
    money.CashedOut: ("cash_out_cents", -1),
    money.Adjusted: ("adjusted_cents", 1),
}
"""The meter of an event, and its sign against the entry."""
_METER_OF = {each.__name__: meter for each, meter in _METERS.items()}
_HAND_PAID = money.OwedPaid.__name__


def life_meters(store: Store, table: str) -> tuple[TerminalMeters, ...]:
    """Return the meters of a table's terminals, sorted by name.

    Money moved by a named Player counts for the terminal where they last sat down.
    """
    meters: dict[str, TerminalMeters] = {}
    sittings = _sittings(store, table)
    for account, kind, cents in store.sums_of_players(table):
        _, name = kind_and_name(account)
        if name not in sittings:  # a terminal, or a stay such as `3@T1`
            _count(meters, name.rpartition("@")[2], account, kind, cents)
    last = 0 if (head := store.head(table)) is None else head.sequence
    for player, sat in sittings.items():
        ends = [*(after for after, _ in sat[1:]), last]
        for (after, terminal), until in zip(sat, ends, strict=True):
            for moved in store.sums_of_players(
                table, after=after, until=until, player=player
            ):
                _count(meters, terminal, *moved)
    return tuple(meters[name] for name in sorted(meters))


def _sittings(store: Store, table: str) -> dict[str, list[tuple[int, str]]]:
    """Return each named Player's terminals, each with the last event before it."""
    found: dict[str, list[tuple[int, str]]] = {}
    for row in store.events(HOUSE_STREAM, kinds=(SeatTaken.__name__,)):
        taken = cast(SeatTaken, event_of(row))
        if taken.table == table:
            begun = store.sequence_before(table, row.at_ms)
            found.setdefault(taken.player, [(0, "")]).append((begun, taken.terminal))
    return found


def _count(
    of: dict[str, TerminalMeters],
    terminal: str,
    account: Account,
    kind: str,
    cents: int,
) -> None:
    meters = of.setdefault(terminal, TerminalMeters(terminal))
    if kind_and_name(account)[0] == "owed":
        meters.hand_paid_cents -= cents if kind == _HAND_PAID else 0
        return
    name, sign = _METER_OF.get(kind, ("other_cents", 1))
    setattr(meters, name, getattr(meters, name) + sign * cents)
    meters.credit_cents += cents
