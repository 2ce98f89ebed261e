"""Money at a table besides wagers: buy-ins, vouchers, the float, adjustments."""

from __future__ import annotations

from base64 import b32encode
from dataclasses import dataclass, replace

from croupier.chance import Entropy
from croupier.ledger import money
from croupier.ledger.accounts import FLOAT, claim, colour, owed, seat, stay_name
from croupier.rules.cents import is_amount
from croupier.rules.clause import Clause, Refusal, Rule
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from croupier.table import commands as ask
from croupier.table.reasons import TableReason
from croupier.table.state import TableState


def new_code(entropy: Entropy) -> str:
    """Draw sixteen letters and digits, each equally likely."""
    return b32encode(entropy.read(10)).decode()


@dataclass(frozen=True, slots=True)
class Voucher:
    """A voucher: claimed for redemption, or about to be issued."""

    code: str
    cents: int
    expires: str


def judge_money(
    state: TableState,
    people: tuple[Person, ...],
    command: ask.MoneyCommand,
    voucher: Voucher | None,
    *,
    is_anonymous: bool,
) -> tuple[money.MoneyEvent, ...] | Refusal:
    """Return the events of money, or why there are none.

    `is_anonymous` says whether Players whom nobody knows come and go at the seat.
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


def seat_credited(command: ask.AnyCommand) -> str | None:
    """Return the seat that a command may bring credit to."""
    match command:
        case (
            ask.BuyIn(seat=name) | ask.RedeemVoucher(seat=name) | ask.Adjust(seat=name)
        ):
            return name
    return None


def _stay_begins(
    state: TableState, person: Person, name: str
) -> tuple[money.MoneyEvent, ...]:
    """Begin a new stay where the seat had nothing left: who sat there may have gone."""
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
    """Set off what the same Player owes, pay the rest, and end a stay with its last."""
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
    command: ask.MoneyCommand,
    voucher: Voucher | None,
) -> money.MoneyEvent | Refusal:
    person = people[0]
    match command:
        case ask.EndStay(seat=name):
            return _judge_end_of_stay(state, person, name)
        case ask.IssueVoucher() | ask.RedeemVoucher():
            return _judge_voucher(state, person, command, voucher)
        case ask.Adjust():
            return _judge_adjustment(state, people, command)
    if not handles_money(state, person):
        return refuse(state, TableReason.ASK_AN_ATTENDANT(person=person.named))
    if isinstance(command, ask.PayVoucher):
        if voucher is None:
            return _not_redeemable(state, command.code)
        return money.VoucherPaid(person, voucher.cents, command.code)
    amount = _amount(command)
    counts_nothing = isinstance(command, ask.CountFloat) and amount == 0
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
    """Return whether somebody may take and pay money at the table."""
    return person.role is Role.CASHIER or state.series.game.is_staff(person)


def refuse(state: TableState, reason: Reason) -> Refusal:
    """Refuse by the clause under which credit is bought and paid out at the table."""
    return Refusal(money_clause(state), reason)


def money_clause(state: TableState) -> Clause:
    return state.series.game.clause(Rule.ELECTRONIC_PLACING)


def _amount(command: ask.MoneyCommand) -> object:
    if isinstance(command, ask.BuyColourChips | ask.BuyBackColourChips):
        return command.chips
    return getattr(command, "cents", None)


def _judge_cash(
    state: TableState, person: Person, command: ask.MoneyCommand
) -> money.MoneyEvent | Refusal:
    match command:
        case ask.BuyIn(seat=name, cents=cents):
            return money.BoughtIn(person, name, cents)
        case ask.CashOut(seat=name, cents=cents):
            return money.CashedOut(person, name, cents)
        case ask.Fill(cents=cents):
            return money.Filled(person, cents)
        case ask.TakeCredit(cents=cents):
            return money.CreditTaken(person, cents)
        case ask.CountFloat(count=count, cents=cents):
            booked = -state.balance(FLOAT)
            return money.FloatCounted(person, count, cents, booked)
        case ask.PayClaim() | ask.PayOwed():
            return _judge_debt(state, person, command)
        case ask.BuyColourChips() | ask.BuyBackColourChips():
            return _judge_colour(state, person, command)
    raise AssertionError(command)


def _judge_debt(
    state: TableState, person: Person, command: ask.PayClaim | ask.PayOwed
) -> money.MoneyEvent | Refusal:
    """Take what a Player owes, or pay what is kept for one; never more than that."""
    player, cents = command.player, command.cents
    if isinstance(command, ask.PayOwed):
        if cents > state.balance(owed(player)):
            return refuse(state, TableReason.KEPT_LESS(player=player))
        return money.OwedPaid(person, player, cents)
    if cents > -state.balance(claim(player)):
        return refuse(state, TableReason.OWES_LESS(player=player))
    return money.ClaimPaid(person, player, cents)


def _judge_voucher(
    state: TableState,
    person: Person,
    command: ask.IssueVoucher | ask.RedeemVoucher,
    voucher: Voucher | None,
) -> money.MoneyEvent | Refusal:
    own = person.role is Role.PLAYER and person.name == command.seat
    if not own and not handles_money(state, person):
        return refuse(
            state, TableReason.MAY_NOT_DO_FOR(person=person.named, seat=command.seat)
        )
    match command:
        case ask.IssueVoucher(seat=name, cents=cents):
            if not is_amount(cents):
                return refuse(state, TableReason.AMOUNT_NOT_POSITIVE())
            assert voucher is not None
            return money.VoucherIssued(
                *(person, name, cents, voucher.code, voucher.expires),
                stay=state.stay_at(name),
            )
        case ask.RedeemVoucher(seat=name, code=code):
            if voucher is None:
                return _not_redeemable(state, code)
            return money.VoucherRedeemed(person, name, voucher.cents, code)


def _not_redeemable(state: TableState, code: str) -> Refusal:
    masked = money.masked_code(code)
    return refuse(state, TableReason.VOUCHER_NOT_REDEEMABLE(code=masked))


def _judge_adjustment(
    state: TableState, people: tuple[Person, ...], command: ask.Adjust
) -> money.MoneyEvent | Refusal:
    """Adjust a credit: by two different people of the staff, with a reason."""
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
    command: ask.BuyColourChips | ask.BuyBackColourChips,
) -> money.MoneyEvent | Refusal:
    chips = state.series.colours.get(command.colour)
    if chips is None or chips.player != command.player:
        return refuse(
            state,
            TableReason.NOT_THE_PLAYERS_COLOUR(
                colour=command.colour, player=command.player
            ),
        )
    cents = command.chips * chips.value_cents
    if not is_amount(cents):
        return refuse(state, TableReason.TOO_MUCH_FOR_TABLE())
    if isinstance(command, ask.BuyColourChips):
        return money.ColourChipsBought(
            person, command.player, command.colour, command.chips, cents
        )
    if cents > state.balance(colour(command.colour)):
        return refuse(state, TableReason.FEWER_CHIPS_OUT(colour=command.colour))
    return money.ColourChipsBoughtBack(
        person, command.player, command.colour, command.chips, cents
    )
