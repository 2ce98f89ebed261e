"""Money: what each event must post, and whether its amounts agree with the books.

This is the auditor's own double entry: it shares the names of the accounts with the
ledger, and nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from croupier.audit.journal.problems import AuditProblem
from croupier.audit.journal.stays import (
    end_stay,
    judge_credit,
    judge_debt,
    judge_pay_out,
)
from croupier.journal.events.codec import JournalEvent
from croupier.ledger import accounts as acc
from croupier.ledger import money
from croupier.ledger.accounts import Account, Entry
from croupier.rules.events import ColourReturned, SettledPiece

if TYPE_CHECKING:
    from croupier.audit.journal.replay import Replay
    from croupier.audit.journal.rounds import PlacedWager

_Move = Callable[[money.MoneyEvent], tuple[Account, Account, int]]
"""From where, to where, and how many cents."""


def _moves(
    source: Callable[..., Account], target: Callable[..., Account], sign: int = 1
) -> Callable[..., tuple[Account, Account, int]]:
    return lambda event: (source(event), target(event), sign * event.cents)


def _always(account: Account) -> Callable[..., Account]:
    return lambda _event: account


def _seat(event: money.BoughtIn | money.StayEnded) -> Account:
    return acc.seat(event.seat)


def _claim(event: money.ClaimPaid) -> Account:
    return acc.claim(event.player)


def _kept(event: money.StayEnded) -> Account:
    return acc.owed(f"{event.stay}@{event.seat}")


def _owed(event: money.OwedPaid) -> Account:
    return acc.owed(event.player)


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
    "VoucherPaid": _moves(_VOUCHERS, _CASH),
    "VoucherExpired": _moves(_VOUCHERS, _always(acc.EXPIRED)),
    "Adjusted": _moves(_always(acc.ADJUSTMENTS), _seat),
    "ClaimPaid": _moves(_CASH, _claim),
    "ClaimSetOff": _moves(_seat, _claim),
    "OwedPaid": _moves(_owed, _CASH),
    "StayEnded": _moves(_seat, _kept),
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


@dataclass(slots=True)
class SeatHolders:
    """The people at the table now: stays by terminal, and owners by colour."""

    stays: dict[str, tuple[int, bool]] = field(default_factory=dict)
    """By seat, the number of the last stay, and whether it goes on (A37)."""
    colours: dict[str, tuple[str, int]] = field(default_factory=dict)
    """By colour, its Player, and what a chip of it is worth."""

    def stay_at(self, seat: str) -> int | None:
        number, goes_on = self.stays.get(seat, (0, False))
        return number if goes_on else None

    def account_of(self, wager: PlacedWager) -> Account:
        """Return whose the wager is: the Player's who laid it, not the seat's now."""
        player, colour = wager.player, wager.colour
        if wager.electronic:
            if wager.stay in {None, self.stay_at(player)}:
                return acc.seat(player)
            return acc.owed(f"{wager.stay}@{player}")
        if colour is None:
            return acc.CHIPS
        is_still_theirs = self.colours.get(colour, ("", 0))[0] == player
        return acc.colour(colour) if is_still_theirs else acc.owed(player)

    def debtor(self, account: Account) -> Account:
        """Return the account of what the Player of a credit owes."""
        kind, _, name = account.partition(":")
        stay = self.stay_at(name) if kind == "seat" else None
        return acc.claim(name if stay is None else f"{stay}@{name}")


def laid_from(wager: PlacedWager) -> Account:
    """Return where a wager's chips came from when it was placed."""
    if wager.electronic:
        return acc.seat(wager.player)
    return acc.CHIPS if wager.colour is None else acc.colour(wager.colour)


@dataclass(slots=True)
class SettlementSums:
    """Sums that a settlement moves: from the layout, to the House, to the owners."""

    layout: int = 0
    house: int = 0
    by_owner: Counter[Account] = field(default_factory=Counter)
    won: Counter[Account] = field(default_factory=Counter)

    def add(self, account: Account, pieces: Iterable[SettledPiece]) -> None:
        given = won = 0
        for _, stake, paid, collected, returned, *_ in pieces:
            self.layout += stake
            self.house += collected - paid
            given += returned + paid
            won += paid
        self.by_owner[account] += given
        self.won[account] += won

    def entries(self, sign: int = 1) -> list[Entry]:
        sums = {acc.LAYOUT: -self.layout, acc.HOUSE: self.house, **self.by_owner}
        return [
            Entry(account, sign * cents) for account, cents in sums.items() if cents
        ]


def settled(
    before: SettlementSums | None,
    now: SettlementSums,
    credit: Mapping[Account, int],
    holders: SeatHolders,
) -> list[Entry]:
    """Return the entries of a settlement, after the reversal of the one before it.

    A Player's credit stops at zero: what is missing is a claim (A21, A25), and claims
    are set off against what the same Player wins or gets back later (A37).
    """
    if before is None:
        return now.entries() + _set_off(now.won, credit, holders)
    entries = before.entries(-1) + now.entries()
    change: Counter[Account] = Counter()
    for account, cents in entries:
        change[account] += cents
    for account, cents in change.items():
        missing = -(credit.get(account, 0) + cents)
        if missing > 0 and acc.is_players(account):
            entries += moved(holders.debtor(account), account, missing)
    return entries + _set_off(change, credit, holders)


def _set_off(
    gained: Mapping[Account, int], credit: Mapping[Account, int], holders: SeatHolders
) -> list[Entry]:
    entries: list[Entry] = []
    for account, cents in gained.items():
        if acc.is_players(account):
            debtor = holders.debtor(account)
            owes = -credit.get(debtor, 0)
            entries += moved(account, debtor, max(0, min(cents, owes)))
    return entries


def colour_returned(
    event: ColourReturned, credit: Mapping[Account, int]
) -> list[Entry]:
    """Clear the account of a colour that goes back: bought back, or owed (1.1.1)."""
    account = acc.colour(event.colour)
    cents = credit.get(account, 0)
    if cents < 0:
        return moved(acc.claim(event.player), account, -cents)
    return moved(account, acc.CASH, cents)


METERS: Mapping[str, str] = {
    "BoughtIn": "bought_in",
    "VoucherRedeemed": "bought_in",
    "ColourChipsBought": "colour_sold",
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
            expected = -replay.balance(acc.FLOAT)
            if booked != expected:
                problem = AuditProblem.FLOAT_BOOKED(expected=expected, found=booked)
                replay.say(problem, None, expected, booked)
        case money.ClaimPaid() | money.ClaimSetOff() | money.OwedPaid():
            judge_debt(replay, event)
        case money.StayEnded():
            end_stay(replay, event)
        case money.ColourChipsBought() | money.ColourChipsBoughtBack():
            _judge_colour(replay, event)
        case money.Adjusted():
            _judge_adjustment(replay, event)
        case _:
            _judge_payment(replay, event)


def _judge_payment(replay: Replay, event: JournalEvent) -> None:
    """Check an amount that goes in or out, and whose it is (A37)."""
    cents = getattr(event, "cents", 1)
    if cents <= 0:
        replay.say(AuditProblem.AMOUNT_OF_NOTHING(), None, None, cents)
    match event:
        case money.BoughtIn(seat=seat) | money.VoucherRedeemed(seat=seat):
            judge_credit(replay, seat)
        case money.CashedOut(seat=seat) | money.VoucherIssued(seat=seat):
            judge_pay_out(replay, seat)


def _judge_adjustment(replay: Replay, event: money.Adjusted) -> None:
    """Check for two people, a Pit Supervisor or above among them."""
    people, game = (event.initiator, event.authoriser), replay.game
    if people[0].name == people[1].name:
        replay.say(AuditProblem.ADJUSTED_BY_ONE())
    if game is not None and not any(map(game.is_supervisor, people)):
        replay.say(AuditProblem.ADJUSTED_UNSUPERVISED())


def _judge_colour(
    replay: Replay, event: money.ColourChipsBought | money.ColourChipsBoughtBack
) -> None:
    player, value = replay.holders.colours.get(event.colour, ("", 0))
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
    out = replay.balance(acc.colour(event.colour))
    if isinstance(event, money.ColourChipsBoughtBack) and event.cents > out:
        problem = AuditProblem.COLOUR_CHIPS_OUT(colour=event.colour)
        replay.say(problem, None, out, event.cents)
