"""Seats of a table: which there are, and who takes and pays money at them."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.house.people.authority import MONEY_DUTIES, Caller
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied
from croupier.house.records.house_state import DeviceKind, HouseState
from croupier.ledger import accounts as acc
from croupier.rules.clause import Refusal, Rule
from croupier.rules.game import Game
from croupier.rules.notation import shown
from croupier.rules.operator import Role
from croupier.table import commands as ask
from croupier.table.cashier import refuse, seat_credited
from croupier.table.state import TableState


def has_seat(house: HouseState, table: str, name: str) -> bool:
    """Return whether it is an enrolled terminal of the table, or who sits there."""
    device = house.devices.get(name)
    if device is not None:
        is_terminal = device.kind is DeviceKind.TERMINAL and device.token is not None
        return is_terminal and device.table == table
    session = house.sitting.get(name)
    return session is not None and session.table == table


def refuse_unknown_seat(
    house: HouseState, table: str, state: TableState, command: ask.AnyCommand
) -> Refusal | None:
    """Refuse credit for a seat that the table does not have.

    The credit of a Player who has left is adjusted all the same, and paid out.
    """
    name = seat_credited(command)
    if name is None or has_seat(house, table, name):
        return None
    is_left = name in house.players or state.balance(acc.seat(name)) != 0
    if isinstance(command, ask.Adjust) and is_left:
        return None
    reason = HouseReason.NO_SUCH_SEAT(table=table, name=shown(name))
    return refuse(state, reason)


def refuse_unknown_terminals(
    house: HouseState, table: str, game: Game, terminals: Sequence[str]
) -> Refusal | None:
    """Refuse a report on terminals that this table does not have (5.2)."""
    for name in terminals:
        device = house.devices.get(name)
        if device is None or device.kind is not DeviceKind.TERMINAL:
            break
        if device.table not in {None, table}:
            break
    else:
        return None
    clause = game.clause(Rule.TERMINALS_INTERRUPTED)
    reason = HouseReason.NO_SUCH_TERMINAL(table=table, name=shown(name))
    return Refusal(clause, reason)


def check_handles_money(by: Caller, table: str, *, deals: bool) -> None:
    """Raise `Denied` for a Dealer of another table: money is not theirs here."""
    if deals or by.duties & MONEY_DUTIES or not by.positions:
        return
    if all(position.role is Role.DEALER for position in by.positions):
        raise Denied(HouseReason.NOT_THE_DEALER_OF(person=by.name, table=table))
