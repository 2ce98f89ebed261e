"""Money: the entries that each event must post, and checks of its amounts.

This is the auditor's own double entry: it shares the names of the accounts with the
ledger, and nothing else. Stays of anonymous Players, claims against them and money
kept for them are here too (A37).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from croupier.audit.journal.problems import AuditProblem
from croupier.journal.events.codec import JournalEvent
from croupier.ledger import accounts, money
from croupier.ledger.accounts import Account, Entry
from croupier.rules.events import ColourReturned, SettledPiece

if TYPE_CHECKING:
    from croupier.audit.journal.replay import Replay
    from croupier.audit.journal.rounds import PlacedWager

_AccountOf = Callable[..., Account]
"""Returns the account that an event moves money from or to."""


def _always(account: Account) -> _AccountOf:
    return lambda _event: account


def _seat(event: money.BoughtIn | money.StayEnded) -> Account:
    return accounts.seat(event.seat)


def _claim(event: money.ClaimPaid) -> Account:
    return accounts.claim(event.player)


def _colour(event: money.ColourChipsBought) -> Account:
    return accounts.colour(event.colour)


_CASH, _VOUCHERS = _always(accounts.CASH), _always(accounts.VOUCHERS)
_FLOAT, _CAGE = _always(accounts.FLOAT), _always(accounts.CAGE)
MONEY_MOVES: Mapping[str, tuple[_AccountOf, _AccountOf]] = {
    "BoughtIn": (_CASH, _seat),
    "CashedOut": (_seat, _CASH),
    "VoucherIssued": (_seat, _VOUCHERS),
    "VoucherRedeemed": (_VOUCHERS, _seat),
    "VoucherPaid": (_VOUCHERS, _CASH),
    "VoucherExpired": (_VOUCHERS, _always(accounts.EXPIRED)),
    "Adjusted": (_always(accounts.ADJUSTMENTS), _seat),
    "ClaimPaid": (_CASH, _claim),
    "ClaimSetOff": (_seat, _claim),
    "OwedPaid": (lambda event: accounts.owed(event.player), _CASH),
    "StayEnded": (_seat, lambda event: accounts.owed(f"{event.stay}@{event.seat}")),
    "Filled": (_FLOAT, _CAGE),
    "CreditTaken": (_CAGE, _FLOAT),
    "FloatCounted": (_FLOAT, _CAGE),
    "ColourChipsBought": (_CASH, _colour),
    "ColourChipsBoughtBack": (_colour, _CASH),
}
"""Source and target by kind of event; an absent kind moves no money by itself."""


def money_moved(event: Any) -> list[Entry]:
    """Return such an event's entries; a count moves its difference from the book."""
    source, target = MONEY_MOVES[type(event).__name__]
    cents = event.cents - getattr(event, "booked_cents", 0)
    return moved(source(event), target(event), cents)


def moved(source: Account, target: Account, cents: int) -> list[Entry]:
    """Return the two entries of a movement, or none for 0 cents."""
    return [Entry(source, -cents), Entry(target, cents)] if cents else []


@dataclass(slots=True)
class SeatHolders:
    """The people at the table now: stays by terminal, and owners by colour."""

    stays: dict[str, tuple[int, bool]] = field(default_factory=dict)
    """The number of each seat's last stay, and whether it goes on (A37)."""
    colours: dict[str, tuple[str, int]] = field(default_factory=dict)
    """The Player and the value of a chip, by colour."""

    def stay_at(self, seat: str) -> int | None:
        number, goes_on = self.stays.get(seat, (0, False))
        return number if goes_on else None

    def account_of(self, wager: PlacedWager) -> Account:
        """Return the account of the Player who laid the wager, who may have left."""
        player, colour = wager.player, wager.colour
        if wager.electronic:
            if wager.stay in {None, self.stay_at(player)}:
                return accounts.seat(player)
            return accounts.owed(f"{wager.stay}@{player}")
        if colour is None:
            return accounts.CHIPS
        is_still_theirs = self.colours.get(colour, ("", 0))[0] == player
        return accounts.colour(colour) if is_still_theirs else accounts.owed(player)

    def debtor(self, account: Account) -> Account:
        kind, _, name = account.partition(":")
        stay = self.stay_at(name) if kind == "seat" else None
        return accounts.claim(name if stay is None else f"{stay}@{name}")


def laid_from(wager: PlacedWager) -> Account:
    if wager.electronic:
        return accounts.seat(wager.player)
    return accounts.CHIPS if wager.colour is None else accounts.colour(wager.colour)


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
        sums = {
            accounts.LAYOUT: -self.layout,
            accounts.HOUSE: self.house,
            **self.by_owner,
        }
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

    A Player's credit stops at zero: the rest is a claim (A21, A25), and claims
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
        if missing > 0 and accounts.is_players(account):
            entries += moved(holders.debtor(account), account, missing)
    return entries + _set_off(change, credit, holders)


def _set_off(
    gained: Mapping[Account, int], credit: Mapping[Account, int], holders: SeatHolders
) -> list[Entry]:
    entries: list[Entry] = []
    for account, cents in gained.items():
        if accounts.is_players(account):
            debtor = holders.debtor(account)
            owes = -credit.get(debtor, 0)
            entries += moved(account, debtor, max(0, min(cents, owes)))
    return entries


def colour_returned(
    event: ColourReturned, credit: Mapping[Account, int]
) -> list[Entry]:
    """Empty the account of a returned colour: bought back, or owed (1.1.1)."""
    account = accounts.colour(event.colour)
    cents = credit.get(account, 0)
    if cents < 0:
        return moved(accounts.claim(event.player), account, -cents)
    return moved(account, accounts.CASH, cents)


METERS: Mapping[str, str] = {
    "BoughtIn": "bought_in",
    "VoucherRedeemed": "bought_in",
    "ColourChipsBought": "colour_sold",
    "CashedOut": "cashed_out",
    "VoucherIssued": "cashed_out",
}
"""The meter that counts the money of an event."""


def judge_money(replay: Replay, event: JournalEvent) -> None:
    """Count the meters, and report amounts that contradict the books."""
    meter = METERS.get(type(event).__name__)
    if meter is not None:
        replay.resettlement.meters[meter] += event.cents  # type: ignore[union-attr]
    match event:
        case money.FloatCounted(booked_cents=booked):
            expected = -replay.balance(accounts.FLOAT)
            if booked != expected:
                replay.say(AuditProblem.FLOAT_BOOKED, expected=expected, found=booked)
        case money.ClaimPaid() | money.ClaimSetOff() | money.OwedPaid():
            _judge_debt(replay, event)
        case money.StayEnded():
            _end_stay(replay, event)
        case money.ColourChipsBought() | money.ColourChipsBoughtBack():
            _judge_colour(replay, event)
        case money.Adjusted():
            _judge_adjustment(replay, event)
        case _:
            _judge_payment(replay, event)


def _judge_payment(replay: Replay, event: JournalEvent) -> None:
    """Check an amount paid in or out, and its stay (A37)."""
    cents = getattr(event, "cents", 1)
    if cents <= 0:
        replay.say(AuditProblem.AMOUNT_OF_NOTHING, None, (None, cents))
    match event:
        case money.BoughtIn(seat=seat) | money.VoucherRedeemed(seat=seat):
            _judge_credit(replay, seat)
        case money.CashedOut(seat=seat) | money.VoucherIssued(seat=seat):
            _judge_pay_out(replay, seat)


def _judge_adjustment(replay: Replay, event: money.Adjusted) -> None:
    """Check for two people, a Pit Supervisor or above among them."""
    people, game = (event.initiator, event.authoriser), replay.game
    if people[0].name == people[1].name:
        replay.say(AuditProblem.ADJUSTED_BY_ONE)
    if game is not None and not any(map(game.is_supervisor, people)):
        replay.say(AuditProblem.ADJUSTED_UNSUPERVISED)


def _judge_colour(
    replay: Replay, event: money.ColourChipsBought | money.ColourChipsBoughtBack
) -> None:
    colour, chips, cents = event.colour, event.chips, event.cents
    player, value = replay.holders.colours.get(colour, ("", 0))
    if player != event.player:
        problem = AuditProblem.COLOUR_WRONG_PLAYER
        replay.say(problem, colour=colour, player=event.player)
    elif cents != chips * value:
        sums = (chips * value, cents)
        problem = AuditProblem.COLOUR_CHIPS_WORTH
        replay.say(problem, None, sums, chips=chips, colour=colour)
    out = replay.balance(accounts.colour(colour))
    if isinstance(event, money.ColourChipsBoughtBack) and cents > out:
        replay.say(AuditProblem.COLOUR_CHIPS_OUT, None, (out, cents), colour=colour)


def _judge_debt(
    replay: Replay, event: money.ClaimPaid | money.ClaimSetOff | money.OwedPaid
) -> None:
    """Check that no more is paid than is owed, and no Player pays for another (A37)."""
    player, cents = event.player, event.cents
    if isinstance(event, money.OwedPaid):
        owed = replay.balance(accounts.owed(player))
    else:
        owed = -replay.balance(accounts.claim(player))
    if not 0 < cents <= owed:
        problem = AuditProblem.CLAIM_OWED
        replay.say(problem, player=player, expected=owed, found=cents)
    if isinstance(event, money.ClaimSetOff):
        own = {
            accounts.claim(event.seat),
            replay.holders.debtor(accounts.seat(event.seat)),
        }
        if accounts.claim(player) not in own:
            replay.say(AuditProblem.SET_OFF_FOR_ANOTHER, seat=event.seat, player=player)


def _end_stay(replay: Replay, event: money.StayEnded) -> None:
    """Note the end of a stay; the rest of its credit is kept for it (A37)."""
    left = replay.balance(accounts.seat(event.seat))
    if replay.holders.stay_at(event.seat) != event.stay:
        replay.say(AuditProblem.STAY_NOT_THERE, stay=event.stay, seat=event.seat)
    if event.cents != left:
        replay.say(AuditProblem.STAY_LEFT, expected=left, found=event.cents)
    replay.holders.stays[event.seat] = (event.stay, False)


def begin_stay(replay: Replay, event: money.StayBegun) -> None:
    """Note the beginning of a stay: the next number, at a seat without a stay."""
    last, goes_on = replay.holders.stays.get(event.seat, (0, False))
    if goes_on or event.stay != last + 1:
        replay.say(AuditProblem.STAY_NUMBER, stay=event.stay, last=last)
    replay.holders.stays[event.seat] = (event.stay, True)
    replay.begun_stays.add(event.seat)


def _judge_credit(replay: Replay, seat: str) -> None:
    """Check that credit at an empty terminal begins a stay."""
    if seat not in replay.holders.stays or seat in replay.begun_stays:
        return
    stay = replay.holders.stay_at(seat)
    is_empty = not replay.balance(accounts.seat(seat)) and not _is_at_stake(
        replay, seat
    )
    if stay is None or is_empty:
        replay.say(AuditProblem.STAY_NOT_BEGUN, seat=seat)


def _is_at_stake(replay: Replay, seat: str) -> bool:
    current = replay.current
    if current is None or current.is_over:
        return False
    return any(
        each.player == seat and each.electronic for each in current.wagers.values()
    )


def _judge_pay_out(replay: Replay, seat: str) -> None:
    """Check that the table pays no Player who owes money."""
    for debtor in {accounts.claim(seat), replay.holders.debtor(accounts.seat(seat))}:
        owed = -replay.balance(debtor)
        if owed > 0:
            problem = AuditProblem.CLAIM_NOT_SET_OFF
            replay.say(problem, None, (0, owed), account=debtor, found=owed)
