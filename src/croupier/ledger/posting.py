"""Posting: the entries that an event makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any, Protocol

from croupier.ledger import accounts, money
from croupier.ledger.accounts import Account, Entry, check_entries
from croupier.rules import events
from croupier.rules.round import RoundOfPlay
from croupier.rules.wagers import Wager

CreditOf = Callable[[Account], int]
"""The balance of an account before the event."""


class Holders(Protocol):
    """The people at the table now: stays by seat, Players by colour."""

    def stay_at(self, seat: str, /) -> int | None: ...

    def holder_of(self, colour: str, /) -> str | None: ...


class _NoHolders:
    """A table without Players, such as the house's own stream."""

    def stay_at(self, _seat: str, /) -> int | None:
        return None

    def holder_of(self, _colour: str, /) -> str | None:
        return None


_NO_HOLDERS = _NoHolders()


def entries_of(
    event: events.Event | money.MoneyEvent,
    state: RoundOfPlay | None,
    credit_of: CreditOf,
    holders: Holders | None = None,
) -> tuple[Entry, ...]:
    """Return the entries of an event; `state` is its round just before it."""
    holders = holders or _NO_HOLDERS
    match event:
        case events.WagerPlaced():
            return staked(event)
        case events.WagerIncreased(wager_id=wager_id, piece_cents=cents):
            wager = _wager(state, wager_id)
            return _to_layout(_source(wager, holders), cents * len(wager.areas))
        case events.WagerWithdrawn(late=True):
            entries = []  # the settlement returns it (A28)
        case events.WagerWithdrawn(wager_id=wager_id):
            wager = _wager(state, wager_id)
            return _to_layout(_source(wager, holders), -wager.stake_cents)
        case events.RoundSettled():
            assert state is not None
            entries = _settled(event, state, credit_of, holders)
        case events.ColourReturned(colour=colour, player=player):
            entries = _colour_returned(colour, player, credit_of)
        case _:
            entries = _money_entries(event)
    check_entries(entries)
    return tuple(entries)


def staked(event: events.WagerPlaced) -> tuple[Entry, ...]:
    """Return the entries of a placing, the source of the stake first."""
    if not event.registered:  # never reached the layout: Triple Zero 5.2.2
        return ()
    source = accounts.CHIPS
    if event.electronic:
        source = accounts.seat(event.player)
    elif event.colour is not None:
        source = accounts.colour(event.colour)
    return _to_layout(source, sum([piece.cents for piece in event.pieces]))


def _source(wager: Wager, holders: Holders) -> Account:
    """Return the account of a wager's stake and winnings.

    The money belongs to the Player who laid the wager. If another Player has the seat
    or the colour by now, this is the account of money kept for the first (A37).
    """
    player = wager.player
    if wager.electronic:
        if wager.stay is None or wager.stay == holders.stay_at(player):
            return accounts.seat(player)
        return accounts.owed(accounts.stay_name(player, wager.stay))
    if wager.colour is None:
        return accounts.CHIPS
    if player == holders.holder_of(wager.colour):
        return accounts.colour(wager.colour)
    return accounts.owed(player)


@lru_cache(10_000)
def _to_layout(source: Account, cents: int) -> tuple[Entry, ...]:
    """Return the entries of a stake; cached, because Players repeat their stakes."""
    entries = (Entry(source, -cents), Entry(accounts.LAYOUT, cents))
    check_entries(entries)
    return entries


def _wager(state: RoundOfPlay | None, wager_id: str) -> Wager:
    assert state is not None
    wager = state.board.wagers.get(wager_id)
    assert wager is not None
    return wager


def _settled(
    event: events.RoundSettled,
    state: RoundOfPlay,
    credit_of: CreditOf,
    holders: Holders,
) -> list[Entry]:
    """Post a settlement; reverse the one before it first (A21, A25)."""
    entries = _settlement(event.wagers, state, holders)
    if state.settled is None:
        won = _paid(event.wagers, state, holders)
        return [*entries, *_set_off(won, credit_of, holders)]
    old = _settlement(state.settled.wagers, state, holders)
    entries = [*(Entry(account, -cents) for account, cents in old), *entries]
    net: Counter[Account] = Counter()
    for account, cents in entries:
        net[account] += cents
    set_off = _set_off(net, credit_of, holders)
    return [*entries, *_claims(net, credit_of, holders), *set_off]


def _settlement(
    settled: Iterable[events.SettledWager], state: RoundOfPlay, holders: Holders
) -> list[Entry]:
    totals: Counter[Account] = Counter()
    for wager in settled:
        lying = _wager(state, wager.wager_id)
        if not lying.registered:
            continue
        source = _owner(lying, wager.player, state, holders)
        for piece in wager.pieces:
            totals[accounts.LAYOUT] -= piece.stake_cents
            totals[accounts.HOUSE] += piece.collected_cents - piece.paid_cents
            totals[source] += piece.returned_cents + piece.paid_cents
    return [Entry(account, cents) for account, cents in totals.items() if cents]


def _paid(
    settled: Iterable[events.SettledWager], state: RoundOfPlay, holders: Holders
) -> Counter[Account]:
    """Return the winnings by the account that gets them."""
    totals: Counter[Account] = Counter()
    for wager in settled:
        paid = sum([piece.paid_cents for piece in wager.pieces])
        if paid:
            lying = _wager(state, wager.wager_id)
            totals[_owner(lying, wager.player, state, holders)] += paid
    return totals


def _owner(lying: Wager, player: str, state: RoundOfPlay, holders: Holders) -> Account:
    """Return the account of a settled wager, whose Player a ruling may have changed."""
    if player == lying.player:
        return _source(lying, holders)
    if not lying.electronic:
        return accounts.CHIPS if lying.colour is None else accounts.owed(player)
    own = [each for each in state.board.wagers.values() if each.player == player]
    if any(each.electronic for each in own):
        return _source(next(each for each in own if each.electronic), holders)
    return accounts.owed(player)  # the cashier has to find that Player


def _debtor(account: Account, holders: Holders) -> Account:
    """Return the debt account of a credit account's Player."""
    name = account.partition(":")[2]
    stay = holders.stay_at(name) if accounts.is_seat(account) else None
    return accounts.claim(name if stay is None else accounts.stay_name(name, stay))


def _claims(
    net: Mapping[Account, int], credit_of: CreditOf, holders: Holders
) -> list[Entry]:
    """Return entries that stop credit at zero and book the rest as a debt."""
    claims: list[Entry] = []
    for account, cents in net.items():
        missing = -(credit_of(account) + cents)
        if accounts.is_players(account) and missing > 0:
            debtor = _debtor(account, holders)
            claims += [Entry(account, missing), Entry(debtor, -missing)]
    return claims


def _set_off(
    gained: Mapping[Account, int], credit_of: CreditOf, holders: Holders
) -> list[Entry]:
    """Return entries that pay claims from the same Players' gains (A37)."""
    entries: list[Entry] = []
    for account, cents in gained.items():
        if cents > 0 and accounts.is_players(account):
            debtor = _debtor(account, holders)
            entries += _move(account, debtor, min(cents, -credit_of(debtor)))
    return entries


def _colour_returned(colour: str, player: str, credit_of: CreditOf) -> list[Entry]:
    """Clear a returned colour's account: buy chips back, or book a claim (1.1.1)."""
    account = accounts.colour(colour)
    cents = credit_of(account)
    if cents < 0:
        return _move(accounts.claim(player), account, -cents)
    return _move(account, accounts.CASH, cents)


_Side = Account | Callable[[Any], Account]
"""An account, or a function that returns an event's account."""


def _of(account: Callable[[str], Account], field: str) -> Callable[[Any], Account]:
    return lambda event: account(getattr(event, field))


_SEAT, _COLOUR = _of(accounts.seat, "seat"), _of(accounts.colour, "colour")
_CLAIM, _OWED = _of(accounts.claim, "player"), _of(accounts.owed, "player")


def _ended_stay(event: money.StayEnded) -> Account:
    return accounts.owed(accounts.stay_name(event.seat, event.stay))


_MOVES: Mapping[type[object], tuple[_Side, _Side]] = {
    money.BoughtIn: (accounts.CASH, _SEAT),
    money.CashedOut: (_SEAT, accounts.CASH),
    money.Adjusted: (accounts.ADJUSTMENTS, _SEAT),
    money.VoucherIssued: (_SEAT, accounts.VOUCHERS),
    money.VoucherRedeemed: (accounts.VOUCHERS, _SEAT),
    money.VoucherPaid: (accounts.VOUCHERS, accounts.CASH),
    money.VoucherExpired: (accounts.VOUCHERS, accounts.EXPIRED),
    money.ClaimPaid: (accounts.CASH, _CLAIM),
    money.ClaimSetOff: (_SEAT, _CLAIM),
    money.StayEnded: (_SEAT, _ended_stay),
    money.OwedPaid: (_OWED, accounts.CASH),
    money.FloatCounted: (accounts.FLOAT, accounts.CAGE),
    money.Filled: (accounts.FLOAT, accounts.CAGE),
    money.CreditTaken: (accounts.CAGE, accounts.FLOAT),
    money.ColourChipsBought: (accounts.CASH, _COLOUR),
    money.ColourChipsBoughtBack: (_COLOUR, accounts.CASH),
}
"""The accounts that an event moves its cents from and to."""


def _money_entries(event: Any) -> list[Entry]:
    """Return the entries of an event of money; other events have none."""
    sides = _MOVES.get(type(event))
    if sides is None:
        return []
    cents: int = event.cents
    if isinstance(event, money.FloatCounted):
        cents -= event.booked_cents
    source, target = (side(event) if callable(side) else side for side in sides)
    return _move(source, target, cents)


def _move(source: Account, target: Account, cents: int) -> list[Entry]:
    return [Entry(source, -cents), Entry(target, cents)] if cents else []
