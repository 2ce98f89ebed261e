"""Posting: the entries that an event makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from croupier.ledger import accounts as acc
from croupier.ledger import money
from croupier.ledger.accounts import Account, Entry, check_entries
from croupier.rules import events as ev
from croupier.rules.round import RoundOfPlay
from croupier.rules.wagers import Wager

CreditOf = Callable[[Account], int]
"""The balance of an account before the event."""


def entries_of(
    event: ev.Event | money.MoneyEvent, state: RoundOfPlay | None, credit_of: CreditOf
) -> tuple[Entry, ...]:
    """Return the entries of an event, `state` being its round just before it."""
    match event:
        case ev.WagerPlaced():
            entries = _staked(_source_of_placed(event), event)
        case ev.WagerIncreased(wager_id=wager_id, piece_cents=cents):
            wager = _wager(state, wager_id)
            entries = _to_layout(_source(wager), cents * len(wager.areas))
        case ev.WagerWithdrawn(late=True):
            entries = []  # it stays listed until the settlement returns it (A28)
        case ev.WagerWithdrawn(wager_id=wager_id):
            wager = _wager(state, wager_id)
            entries = _to_layout(_source(wager), -wager.stake_cents)
        case ev.RoundSettled():
            assert state is not None
            entries = _settled(event, state, credit_of)
        case _:
            entries = _money_entries(event)
    check_entries(entries)
    return tuple(entries)


def _source_of_placed(event: ev.WagerPlaced) -> Account:
    return _account(event.electronic, event.colour, event.player)


def _source(wager: Wager) -> Account:
    """Return where a wager's stake came from, and where its winnings go."""
    return _account(wager.electronic, wager.colour, wager.player)


def _account(electronic: bool, colour: str | None, player: str) -> Account:
    if electronic:
        return acc.seat(player)
    return acc.colour(colour) if colour is not None else acc.CHIPS


def _staked(source: Account, event: ev.WagerPlaced) -> list[Entry]:
    if not event.registered:  # never reached the layout: Triple Zero 5.2.2
        return []
    return _to_layout(source, sum(piece.cents for piece in event.pieces))


def _to_layout(source: Account, cents: int) -> list[Entry]:
    return [Entry(source, -cents), Entry(acc.LAYOUT, cents)]


def _wager(state: RoundOfPlay | None, wager_id: str) -> Wager:
    assert state is not None
    wager = state.board.wagers.get(wager_id)
    assert wager is not None
    return wager


def _settled(
    event: ev.RoundSettled, state: RoundOfPlay, credit_of: CreditOf
) -> list[Entry]:
    """Post a settlement; reverse the one before it first (A21, A25)."""
    new = _settlement(event.wagers, state)
    if state.settled is None:
        return new
    old = _settlement(state.settled.wagers, state)
    entries = [*(Entry(account, -cents) for account, cents in old), *new]
    return [*entries, *_claims(entries, credit_of)]


def _settlement(settled: Iterable[ev.SettledWager], state: RoundOfPlay) -> list[Entry]:
    totals: Counter[Account] = Counter()
    for wager in settled:
        lying = _wager(state, wager.wager_id)
        if not lying.registered:
            continue
        source = _account(lying.electronic, lying.colour, wager.player)
        for piece in wager.pieces:
            totals[acc.LAYOUT] -= piece.stake_cents
            totals[acc.HOUSE] += piece.collected_cents - piece.paid_cents
            totals[source] += piece.returned_cents + piece.paid_cents
    return [Entry(account, cents) for account, cents in totals.items() if cents]


def _claims(entries: Iterable[Entry], credit_of: CreditOf) -> list[Entry]:
    """Turn what a seat no longer has into its Player's debt: credit stops at zero."""
    net: Counter[Account] = Counter()
    for account, cents in entries:
        net[account] += cents
    claims: list[Entry] = []
    for account, cents in net.items():
        missing = -(credit_of(account) + cents)
        if acc.is_seat(account) and missing > 0:
            player = account.partition(":")[2]
            claims += [Entry(account, missing), Entry(acc.claim(player), -missing)]
    return claims


def _money_entries(event: object) -> list[Entry]:
    """Move money from one account to another, by the kind of event."""
    match event:
        case money.BoughtIn(seat=name, cents=cents):
            return _move(acc.CASH, acc.seat(name), cents)
        case money.CashedOut(seat=name, cents=cents):
            return _move(acc.seat(name), acc.CASH, cents)
        case money.VoucherIssued(seat=name, cents=cents):
            return _move(acc.seat(name), acc.VOUCHERS, cents)
        case money.VoucherRedeemed(seat=name, cents=cents):
            return _move(acc.VOUCHERS, acc.seat(name), cents)
        case money.VoucherExpired(cents=cents):
            return _move(acc.VOUCHERS, acc.EXPIRED, cents)
        case money.Adjusted(seat=name, cents=cents):
            return _move(acc.ADJUSTMENTS, acc.seat(name), cents)
        case money.ClaimPaid(player=player, cents=cents):
            return _move(acc.CASH, acc.claim(player), cents)
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
