"""The seats of a table, and the house's refusals about them."""

from __future__ import annotations

from collections.abc import Sequence

from croupier.house.people.authority import MONEY_DUTIES, Caller
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied
from croupier.house.records.house_state import DeviceKind, HouseState
from croupier.ledger.accounts import seat
from croupier.ledger.commands import Adjust
from croupier.rules.clause import Refusal, Rule
from croupier.rules.commands import ReportTerminalsInterrupted, reason_of
from croupier.rules.game import Game
from croupier.rules.notation import shown
from croupier.rules.operator import Role
from croupier.table import Submission
from croupier.table.cashier import refuse, seat_credited
from croupier.table.commands import AnyCommand
from croupier.table.judgements import judge_act
from croupier.table.state import TableState


def has_seat(house: HouseState, table: str, name: str) -> bool:
    """Return whether the name is an enrolled terminal or a Player at the table."""
    device = house.devices.get(name)
    if device is not None:
        is_terminal = device.kind is DeviceKind.TERMINAL and device.token is not None
        return is_terminal and device.table == table
    session = house.sitting.get(name)
    return session is not None and session.table == table


def refuse_for_house(
    house: HouseState, table: str, state: TableState, submission: Submission
) -> Refusal | None:
    """Refuse a missing reason, and terminals and seats that the table does not have."""
    command, game = submission.command, state.series.game
    if (reason := reason_of(command)) is not None and not reason.strip():
        return Refusal(game.cite("A43"), HouseReason.REASON_MISSING())
    if isinstance(command, ReportTerminalsInterrupted):
        if isinstance(judge_act(state, submission.people, command), Refusal):
            return None  # the rules' own refusal follows
        return _refuse_unknown_terminals(house, table, game, command.terminals)
    return _refuse_unknown_seat(house, table, state, command)


def _refuse_unknown_seat(
    house: HouseState, table: str, state: TableState, command: AnyCommand
) -> Refusal | None:
    """Refuse credit for a seat that the table does not have.

    Staff can still adjust and pay out the credit of a Player who has left.
    """
    name = seat_credited(command)
    if name is None or has_seat(house, table, name):
        return None
    is_left = name in house.players or state.balance(seat(name)) != 0
    if isinstance(command, Adjust) and is_left:
        return None
    reason = HouseReason.NO_SUCH_SEAT(table=table, name=shown(name))
    return refuse(state, reason)


def _refuse_unknown_terminals(
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
    """Raise `Denied` for a Dealer of another table, who may not handle money here."""
    if deals or by.duties & MONEY_DUTIES or not by.positions:
        return
    if all(position.role is Role.DEALER for position in by.positions):
        raise Denied(HouseReason.NOT_THE_DEALER_OF(person=by.name, table=table))
