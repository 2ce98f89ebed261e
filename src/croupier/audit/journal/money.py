"""Money: what each event must post, and whether its amounts agree with the books.

This is the auditor's own double entry: it shares the names of the accounts with the
ledger, and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from croupier.audit.journal.problems import AuditProblem
from croupier.journal.events.codec import JournalEvent
from croupier.ledger import accounts as acc
from croupier.ledger import money
from croupier.ledger.accounts import Account, Entry

if TYPE_CHECKING:
    from croupier.audit.journal.replay import Replay

_Move = Callable[[money.MoneyEvent], tuple[Account, Account, int]]
"""From where, to where, and how many cents."""


def _moves(
    source: Callable[..., Account], target: Callable[..., Account], sign: int = 1
) -> Callable[..., tuple[Account, Account, int]]:
    return lambda event: (source(event), target(event), sign * event.cents)


def _always(account: Account) -> Callable[..., Account]:
    return lambda _event: account


def _seat(event: money.BoughtIn) -> Account:
    return acc.seat(event.seat)


def _claim(event: money.ClaimPaid) -> Account:
    return acc.claim(event.player)


def _colour(event: money.ColourChipsBought) -> Account:
    return acc.colour(event.colour)


def _counted(event: money.FloatCounted) -> tuple[Account, Account, int]:
    return acc.FLOAT, acc.CAGE, event.cents - event.booked_cents


_CASH, _VOUCHERS = _always(acc.CASH), _always(acc.VOUCHERS)
_FLOAT, _CAGE = _always(acc.FLOAT), _always(acc.CAGE)
MONEY_MOVES: Mapping[str, Callable[..., tuple[Account, Account, int]]] = {
    "BoughtIn": _moves(_CASH, _seat),
    "CashedOut": _moves(_seat, _CASH),
    "VoucherIssued": _moves(_seat, _VOUCHERS),
    "VoucherRedeemed": _moves(_VOUCHERS, _seat),
    "VoucherExpired": _moves(_VOUCHERS, _always(acc.EXPIRED)),
    "Adjusted": _moves(_always(acc.ADJUSTMENTS), _seat),
    "ClaimPaid": _moves(_CASH, _claim),
    "Filled": _moves(_FLOAT, _CAGE),
    "CreditTaken": _moves(_CAGE, _FLOAT),
    "FloatCounted": _counted,
    "ColourChipsBought": _moves(_CASH, _colour),
    "ColourChipsBoughtBack": _moves(_colour, _CASH),
}
"""By the kind of event; a kind that is absent moves no money by itself."""


def moved(source: Account, target: Account, cents: int) -> list[Entry]:
    """Return the two entries of a movement; none for no cents."""
    return [Entry(source, -cents), Entry(target, cents)] if cents else []


def owner(player: str, colour: str | None, *, electronic: bool) -> Account:
    """Return whose the chips are: a seat's credit, a colour, or cash chips."""
    if electronic:
        return acc.seat(player)
    return acc.CHIPS if colour is None else acc.colour(colour)


def settled(
    stake_cents: int, house_cents: int, by_owner: Mapping[Account, int]
) -> list[Entry]:
    """Return a settlement's entries: from the layout, to the House and owners."""
    sums = {acc.LAYOUT: -stake_cents, acc.HOUSE: house_cents, **by_owner}
    return [Entry(account, cents) for account, cents in sums.items() if cents]


def settled_again(
    before: Iterable[Entry], now: Iterable[Entry], credit: Mapping[Account, int]
) -> list[Entry]:
    """Return the reversal of the settlement before, the new one, and claims.

    A seat's credit stops at zero: what is missing is the Player's debt (A21, A25).
    """
    entries = [Entry(account, -cents) for account, cents in before]
    entries += now
    change: dict[Account, int] = {}
    for account, cents in entries:
        change[account] = change.get(account, 0) + cents
    for account, cents in change.items():
        missing = -(credit.get(account, 0) + cents)
        if missing > 0 and acc.is_seat(account):
            debtor = acc.claim(account.partition(":")[2])
            entries += moved(debtor, account, missing)
    return entries


METERS: Mapping[str, str] = {
    "BoughtIn": "bought_in",
    "VoucherRedeemed": "bought_in",
    "CashedOut": "cashed_out",
    "VoucherIssued": "cashed_out",
}
"""Which meter counts the money of which event."""


def judge_money(replay: Replay, event: JournalEvent) -> None:
    """Note the meters, and say what the books do not bear out."""
    meter = METERS.get(type(event).__name__)
    if meter is not None:
        replay.resettlement.meters[meter] += event.cents  # type: ignore[union-attr]
    match event:
        case money.FloatCounted(booked_cents=booked):
            expected = -_balance(replay, acc.FLOAT)
            if booked != expected:
                problem = AuditProblem.FLOAT_BOOKED(expected=expected, found=booked)
                replay.say(problem, None, expected, booked)
        case money.ClaimPaid(player=player, cents=cents):
            owed = -_balance(replay, acc.claim(player))
            if cents > owed:
                problem = AuditProblem.CLAIM_OWED(
                    expected=owed, player=player, found=cents
                )
                replay.say(problem, None, owed, cents)
        case money.ColourChipsBought() | money.ColourChipsBoughtBack():
            _judge_colour(replay, event)
        case money.Adjusted(initiator=one, authoriser=other):
            if one.name == other.name:
                replay.say(AuditProblem.ADJUSTED_BY_ONE())
        case _:
            cents = getattr(event, "cents", 1)
            if cents <= 0:
                replay.say(
                    AuditProblem.AMOUNT_OF_NOTHING(),
                    None,
                    None,
                    cents,
                )


def _judge_colour(
    replay: Replay, event: money.ColourChipsBought | money.ColourChipsBoughtBack
) -> None:
    player, value = replay.colours.get(event.colour, ("", 0))
    if player != event.player:
        replay.say(
            AuditProblem.COLOUR_WRONG_PLAYER(colour=event.colour, player=event.player),
        )
    elif event.cents != event.chips * value:
        problem = AuditProblem.COLOUR_CHIPS_WORTH(
            chips=event.chips, colour=event.colour
        )
        sums = (event.chips * value, event.cents)
        replay.say(problem, None, *sums)
    out = _balance(replay, acc.colour(event.colour))
    if isinstance(event, money.ColourChipsBoughtBack) and event.cents > out:
        problem = AuditProblem.COLOUR_CHIPS_OUT(colour=event.colour)
        replay.say(problem, None, out, event.cents)


def _balance(replay: Replay, account: acc.Account) -> int:
    return replay.credit.get(account, 0)
