"""Posting: the entries that an event makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Protocol

from croupier.ledger import accounts as acc
from croupier.ledger import money
from croupier.ledger.accounts import Account, Entry, check_entries
from croupier.rules import events as ev
from croupier.rules.round import RoundOfPlay
from croupier.rules.wagers import Wager

CreditOf = Callable[[Account], int]
"""The balance of an account before the event."""


class Holders(Protocol):
    """The people at the table now: stays by terminal, and owners by colour."""

    def stay_at(self, seat: str, /) -> int | None: ...

    def holder_of(self, colour: str, /) -> str | None: ...


class _Nobody:
    """A table without Players, as for the house's own stream."""

    def stay_at(self, _seat: str, /) -> int | None:
        return None

    def holder_of(self, _colour: str, /) -> str | None:
        return None


_NOBODY = _Nobody()


def entries_of(
    event: ev.Event | money.MoneyEvent,
    state: RoundOfPlay | None,
    credit_of: CreditOf,
    holders: Holders | None = None,
) -> tuple[Entry, ...]:
    """Return the entries of an event, `state` being its round just before it."""
    holders = holders or _NOBODY
    match event:
        case ev.WagerPlaced():
            return staked(event)
        case ev.WagerIncreased(wager_id=wager_id, piece_cents=cents):
            wager = _wager(state, wager_id)
            return _to_layout(_source(wager, holders), cents * len(wager.areas))
        case ev.WagerWithdrawn(late=True):
            entries = []  # it stays listed until the settlement returns it (A28)
        case ev.WagerWithdrawn(wager_id=wager_id):
            wager = _wager(state, wager_id)
            return _to_layout(_source(wager, holders), -wager.stake_cents)
        case ev.RoundSettled():
            assert state is not None
            entries = _settled(event, state, credit_of, holders)
        case ev.ColourReturned(colour=colour, player=player):
            entries = _colour_returned(colour, player, credit_of)
        case _:
            entries = _money_entries(event)
    check_entries(entries)
    return tuple(entries)


def staked(event: ev.WagerPlaced) -> tuple[Entry, ...]:
    """Return the entries of a placing, that of where the stake comes from first."""
    if not event.registered:  # never reached the layout: Triple Zero 5.2.2
        return ()
    source = acc.CHIPS
    if event.electronic:
        source = acc.seat(event.player)
    elif event.colour is not None:
        source = acc.colour(event.colour)
    return _to_layout(source, sum([piece.cents for piece in event.pieces]))


def _source(wager: Wager, holders: Holders) -> Account:
    """Return where a wager's stake came from, and where its winnings go.

    It is the Player's who had the wager then, not the seat's or the colour's (A37):
    what is theirs is kept for them where another has the seat or the colour now.
    """
    player = wager.player
    if wager.electronic:
        if wager.stay is None or wager.stay == holders.stay_at(player):
            return acc.seat(player)
        return acc.owed(acc.stay_name(player, wager.stay))
    if wager.colour is None:
        return acc.CHIPS
    if player == holders.holder_of(wager.colour):
        return acc.colour(wager.colour)
    return acc.owed(player)


@lru_cache(10_000)
def _to_layout(source: Account, cents: int) -> tuple[Entry, ...]:
    """Move a stake; Players lay the same ones again and again."""
    entries = (Entry(source, -cents), Entry(acc.LAYOUT, cents))
    check_entries(entries)
    return entries


def _wager(state: RoundOfPlay | None, wager_id: str) -> Wager:
    assert state is not None
    wager = state.board.wagers.get(wager_id)
    assert wager is not None
    return wager


def _settled(
    event: ev.RoundSettled, state: RoundOfPlay, credit_of: CreditOf, holders: Holders
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
    settled: Iterable[ev.SettledWager], state: RoundOfPlay, holders: Holders
) -> list[Entry]:
    totals: Counter[Account] = Counter()
    for wager in settled:
        lying = _wager(state, wager.wager_id)
        if not lying.registered:
            continue
        source = _owner(lying, wager.player, state, holders)
        for piece in wager.pieces:
            totals[acc.LAYOUT] -= piece.stake_cents
            totals[acc.HOUSE] += piece.collected_cents - piece.paid_cents
            totals[source] += piece.returned_cents + piece.paid_cents
    return [Entry(account, cents) for account, cents in totals.items() if cents]


def _paid(
    settled: Iterable[ev.SettledWager], state: RoundOfPlay, holders: Holders
) -> Counter[Account]:
    """Return what was won, by the account that it goes to."""
    totals: Counter[Account] = Counter()
    for wager in settled:
        paid = sum([piece.paid_cents for piece in wager.pieces])
        if paid:
            lying = _wager(state, wager.wager_id)
            totals[_owner(lying, wager.player, state, holders)] += paid
    return totals


def _owner(lying: Wager, player: str, state: RoundOfPlay, holders: Holders) -> Account:
    """Return whose a settled wager is: who laid it, or to whom a decision gave it."""
    if player == lying.player:
        return _source(lying, holders)
    if not lying.electronic:
        return acc.CHIPS if lying.colour is None else acc.owed(player)
    own = [each for each in state.board.wagers.values() if each.player == player]
    if any(each.electronic for each in own):
        return _source(next(each for each in own if each.electronic), holders)
    return acc.owed(player)  # who that was in this round, the cashier finds out


def _debtor(account: Account, holders: Holders) -> Account:
    """Return the account of what the Player of a credit owes."""
    name = account.partition(":")[2]
    stay = holders.stay_at(name) if acc.is_seat(account) else None
    return acc.claim(name if stay is None else acc.stay_name(name, stay))


def _claims(
    net: Mapping[Account, int], credit_of: CreditOf, holders: Holders
) -> list[Entry]:
    """Turn what a Player no longer has into a debt: credit stops at zero."""
    claims: list[Entry] = []
    for account, cents in net.items():
        missing = -(credit_of(account) + cents)
        if acc.is_players(account) and missing > 0:
            debtor = _debtor(account, holders)
            claims += [Entry(account, missing), Entry(debtor, -missing)]
    return claims


def _set_off(
    gained: Mapping[Account, int], credit_of: CreditOf, holders: Holders
) -> list[Entry]:
    """Set claims off against what the same Players gain (A37)."""
    entries: list[Entry] = []
    for account, cents in gained.items():
        if cents > 0 and acc.is_players(account):
            debtor = _debtor(account, holders)
            entries += _move(account, debtor, min(cents, -credit_of(debtor)))
    return entries


def _colour_returned(colour: str, player: str, credit_of: CreditOf) -> list[Entry]:
    """Clear the account of a colour that goes back: bought back, or a claim (1.1.1)."""
    account = acc.colour(colour)
    cents = credit_of(account)
    if cents < 0:
        return _move(acc.claim(player), account, -cents)
    return _move(account, acc.CASH, cents)


def _money_entries(event: object) -> list[Entry]:
    """Move money from one account to another, by the kind of event."""
    match event:
        case money.BoughtIn(seat=name, cents=cents):
            return _move(acc.CASH, acc.seat(name), cents)
        case money.CashedOut(seat=name, cents=cents):
            return _move(acc.seat(name), acc.CASH, cents)
        case money.Adjusted(seat=name, cents=cents):
            return _move(acc.ADJUSTMENTS, acc.seat(name), cents)
        case money.ClaimPaid(player=player, cents=cents):
            return _move(acc.CASH, acc.claim(player), cents)
    return _voucher_entries(event)


def _voucher_entries(event: object) -> list[Entry]:
    match event:
        case money.VoucherIssued(seat=name, cents=cents):
            return _move(acc.seat(name), acc.VOUCHERS, cents)
        case money.VoucherRedeemed(seat=name, cents=cents):
            return _move(acc.VOUCHERS, acc.seat(name), cents)
        case money.VoucherPaid(cents=cents):
            return _move(acc.VOUCHERS, acc.CASH, cents)
        case money.VoucherExpired(cents=cents):
            return _move(acc.VOUCHERS, acc.EXPIRED, cents)
    return _kept_entries(event)


def _kept_entries(event: object) -> list[Entry]:
    """Move what is kept for a Player who has gone, or owed by one (A37)."""
    match event:
        case money.StayEnded(seat=name, stay=stay, cents=cents):
            kept = acc.owed(acc.stay_name(name, stay))
            return _move(acc.seat(name), kept, cents)
        case money.ClaimSetOff(seat=name, player=player, cents=cents):
            return _move(acc.seat(name), acc.claim(player), cents)
        case money.OwedPaid(player=player, cents=cents):
            return _move(acc.owed(player), acc.CASH, cents)
    return _float_entries(event)


def _float_entries(event: object) -> list[Entry]:
    match event:
        case money.FloatCounted(cents=cents, booked_cents=booked):
            return _move(acc.FLOAT, acc.CAGE, cents - booked)
        case money.Filled(cents=cents):
            return _move(acc.FLOAT, acc.CAGE, cents)
        case money.CreditTaken(cents=cents):
            return _move(acc.CAGE, acc.FLOAT, cents)
        case money.ColourChipsBought(colour=name, cents=cents):
            return _move(acc.CASH, acc.colour(name), cents)
        case money.ColourChipsBoughtBack(colour=name, cents=cents):
            return _move(acc.colour(name), acc.CASH, cents)
    return []


def _move(source: Account, target: Account, cents: int) -> list[Entry]:
    return [Entry(source, -cents), Entry(target, cents)] if cents else []
