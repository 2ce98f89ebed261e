"""Money at a table other than wagers: buy-ins, vouchers, the float, adjustments."""

from __future__ import annotations

from base64 import b32encode
from dataclasses import dataclass

from msgspec.structs import replace

from croupier.chance import Entropy
from croupier.ledger import money
from croupier.ledger.accounts import FLOAT, claim, colour, owed, seat, stay_name
from croupier.ledger.commands import (
    Adjust,
    BuyBackColourChips,
    BuyColourChips,
    BuyIn,
    CashOut,
    CountFloat,
    EndStay,
    Fill,
    IssueVoucher,
    MoneyCommand,
    PayClaim,
    PayOwed,
    PayVoucher,
    RedeemVoucher,
    TakeCredit,
)
from croupier.rules.cents import is_amount
from croupier.rules.clause import Refusal, Rule
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason, RuleReason
from croupier.table.commands import AnyCommand
from croupier.table.reasons import TableReason
from croupier.table.state import TableState


def new_code(entropy: Entropy) -> str:
    """Draw sixteen letters and digits, each equally likely."""
    return b32encode(entropy.read(10)).decode()


@dataclass(frozen=True, slots=True)
class Voucher:
    """A voucher that is claimed for redemption, or about to be issued."""

    code: str
    cents: int
    expires: str


def judge_money(
    state: TableState,
    people: tuple[Person, ...],
    command: MoneyCommand,
    voucher: Voucher | None,
    *,
    is_anonymous: bool,
) -> tuple[money.MoneyEvent, ...] | Refusal:
    """Return the events of a command of money, or its refusal.

    `is_anonymous`: the seat is that of a terminal's unnamed Player.
    """
    event = _judge_one(state, people, command, voucher)
    match event:
        case Refusal():
            return event
        case money.CashedOut() | money.VoucherIssued():
            return _paid_out(state, event)
        case money.BoughtIn() | money.VoucherRedeemed() | money.Adjusted():
            if is_anonymous and event.cents > 0:
                return (*_stay_begins(state, people[0], event.seat), event)
    return (event,)


def seat_credited(command: AnyCommand) -> str | None:
    """Return the seat to which a command may add credit."""
    match command:
        case BuyIn(seat=name) | RedeemVoucher(seat=name) | Adjust(seat=name):
            return name
    return None


def _stay_begins(
    state: TableState, person: Person, name: str
) -> tuple[money.MoneyEvent, ...]:
    """Begin a new stay if the seat is empty: the last Player may have left."""
    last, stay = state.stays.get(name), state.stay_at(name)
    if stay is None:
        number = 1 if last is None else last.number + 1
        return (money.StayBegun(person, name, number),)
    if state.balance(seat(name)) or state.is_at_stake(name):
        return ()
    return (
        money.StayEnded(person, name, stay, 0),
        money.StayBegun(person, name, stay + 1),
    )


def _paid_out(
    state: TableState, event: money.CashedOut | money.VoucherIssued
) -> tuple[money.MoneyEvent, ...]:
    """Set off a Player's debt, pay the rest, and end a stay without credit."""
    name, stay = event.seat, state.stay_at(event.seat)
    events: list[money.MoneyEvent] = []
    rest = event.cents
    debtors = (name,) if stay is None else (name, stay_name(name, stay))
    for debtor in debtors:
        cents = min(rest, -state.balance(claim(debtor)))
        if cents > 0:
            events.append(money.ClaimSetOff(event.by, name, debtor, cents))
            rest -= cents
    if rest:
        events.append(replace(event, cents=rest))
    is_last = event.cents == state.balance(seat(name)) and not state.is_at_stake(name)
    if stay is not None and is_last:
        events.append(money.StayEnded(event.by, name, stay, 0))
    return tuple(events)


def _judge_one(
    state: TableState,
    people: tuple[Person, ...],
    command: MoneyCommand,
    voucher: Voucher | None,
) -> money.MoneyEvent | Refusal:
    person = people[0]
    match command:
        case EndStay(seat=name):
            return _judge_end_of_stay(state, person, name)
        case IssueVoucher() | RedeemVoucher():
            return _judge_voucher(state, person, command, voucher)
        case Adjust():
            return _judge_adjustment(state, people, command)
    if not handles_money(state, person):
        return refuse(state, TableReason.ASK_AN_ATTENDANT(person=person.named))
    if isinstance(command, PayVoucher):
        if voucher is None:
            return _not_redeemable(state, command.code)
        return money.VoucherPaid(person, voucher.cents, command.code)
    amount = _amount(command)
    counts_nothing = isinstance(command, CountFloat) and amount == 0
    if not is_amount(amount) and not (counts_nothing and type(amount) is int):
        return refuse(state, TableReason.AMOUNT_NOT_POSITIVE())
    return _judge_cash(state, person, command)


def _judge_end_of_stay(
    state: TableState, person: Person, name: str
) -> money.MoneyEvent | Refusal:
    stay = state.stay_at(name)
    if person.role is not Role.SYSTEM and not handles_money(state, person):
        return refuse(state, TableReason.ASK_AN_ATTENDANT(person=person.named))
    if stay is None:
        return refuse(state, TableReason.NOBODY_STAYS(seat=name))
    return money.StayEnded(person, name, stay, state.balance(seat(name)))


def handles_money(state: TableState, person: Person) -> bool:
    return person.role is Role.CASHIER or state.series.game.is_staff(person)


def refuse(state: TableState, reason: Reason) -> Refusal:
    """Refuse by the clause for buying and paying out credit."""
    return Refusal(state.series.game.clause(Rule.ELECTRONIC_PLACING), reason)


def _amount(command: MoneyCommand) -> object:
    if isinstance(command, BuyColourChips | BuyBackColourChips):
        return command.chips
    return getattr(command, "cents", None)


def _judge_cash(
    state: TableState, person: Person, command: MoneyCommand
) -> money.MoneyEvent | Refusal:
    match command:
        case BuyIn(seat=name, cents=cents):
            return money.BoughtIn(person, name, cents)
        case CashOut(seat=name, cents=cents):
            return money.CashedOut(person, name, cents)
        case Fill(cents=cents):
            return money.Filled(person, cents)
        case TakeCredit(cents=cents):
            return money.CreditTaken(person, cents)
        case CountFloat(count=count, cents=cents):
            booked = -state.balance(FLOAT)
            return money.FloatCounted(person, count, cents, booked)
        case PayClaim() | PayOwed():
            return _judge_debt(state, person, command)
        case BuyColourChips() | BuyBackColourChips():
            return _judge_colour(state, person, command)
    raise AssertionError(command)


def _judge_debt(
    state: TableState, person: Person, command: PayClaim | PayOwed
) -> money.MoneyEvent | Refusal:
    """Take a Player's debt, or pay money kept for one, up to its sum."""
    player, cents = command.player, command.cents
    if isinstance(command, PayOwed):
        if cents > state.balance(owed(player)):
            return refuse(state, TableReason.KEPT_LESS(player=player))
        return money.OwedPaid(person, player, cents)
    if cents > -state.balance(claim(player)):
        return refuse(state, TableReason.OWES_LESS(player=player))
    return money.ClaimPaid(person, player, cents)


def _judge_voucher(
    state: TableState,
    person: Person,
    command: IssueVoucher | RedeemVoucher,
    voucher: Voucher | None,
) -> money.MoneyEvent | Refusal:
    own = person.role is Role.PLAYER and person.name == command.seat
    if not own and not handles_money(state, person):
        reason = RuleReason.MAY_NOT_ACT_FOR(person=person.named, player=command.seat)
        return refuse(state, reason)
    match command:
        case IssueVoucher(seat=name, cents=cents):
            if not is_amount(cents):
                return refuse(state, TableReason.AMOUNT_NOT_POSITIVE())
            assert voucher is not None
            return money.VoucherIssued(
                *(person, name, cents, voucher.code, voucher.expires),
                stay=state.stay_at(name),
            )
        case RedeemVoucher(seat=name, code=code):
            if voucher is None:
                return _not_redeemable(state, code)
            return money.VoucherRedeemed(person, name, voucher.cents, code)


def _not_redeemable(state: TableState, code: str) -> Refusal:
    masked = money.masked_code(code)
    return refuse(state, TableReason.VOUCHER_NOT_REDEEMABLE(code=masked))


def _judge_adjustment(
    state: TableState, people: tuple[Person, ...], command: Adjust
) -> money.MoneyEvent | Refusal:
    """Adjust a credit by two different people of the staff, with a reason."""
    cents = command.cents
    if len(people) != 2 or people[0].name == people[1].name:
        return refuse(state, TableReason.ADJUSTMENT_NEEDS_TWO())
    if not all(handles_money(state, person) for person in people):
        return refuse(state, TableReason.ONLY_STAFF_ADJUST())
    if not any(state.series.game.is_supervisor(person) for person in people):
        return refuse(state, TableReason.ADJUSTMENT_NEEDS_SUPERVISOR())
    if type(cents) is not int or not is_amount(abs(cents)):
        return refuse(state, TableReason.ADJUSTMENT_ZERO())
    if not command.reason.strip():
        return refuse(state, TableReason.ADJUSTMENT_NEEDS_REASON())
    return money.Adjusted(*people, command.seat, cents, command.reason)


def _judge_colour(
    state: TableState,
    person: Person,
    command: BuyColourChips | BuyBackColourChips,
) -> money.MoneyEvent | Refusal:
    chips = state.series.colours.get(command.colour)
    if chips is None or chips.player != command.player:
        named = {"colour": command.colour, "player": command.player}
        return refuse(state, TableReason.NOT_THE_PLAYERS_COLOUR(**named))
    cents = command.chips * chips.value_cents
    if not is_amount(cents):
        return refuse(state, TableReason.TOO_MUCH_FOR_TABLE())
    moved = person, command.player, command.colour, command.chips, cents
    if isinstance(command, BuyColourChips):
        return money.ColourChipsBought(*moved)
    if cents > state.balance(colour(command.colour)):
        return refuse(state, TableReason.FEWER_CHIPS_OUT(colour=command.colour))
    return money.ColourChipsBoughtBack(*moved)
