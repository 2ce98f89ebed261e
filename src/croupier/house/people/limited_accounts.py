"""Accounts that others have set: limited until their owners choose a password.

Laws of this file, each judged by the state of the house alone:
- To open an account, to set its password and to reset its second factor are settings.
- From a setting on, the account is limited, for however long: it does nothing but let
  its owner choose a password.
- A setting withdraws the account's open proposals.
- A manager vouches for the owner at that moment: one who had no part in the setting,
  and whose own account was at no time limited together with this one.
- Two people are two accounts, and neither of them is limited.
"""

from __future__ import annotations

from croupier.house.people.authority import Caller, HouseAct, caller
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, NotDone
from croupier.house.records.house_state import HouseState
from croupier.journal.events import house as ev
from croupier.journal.events.plan import HousePlan, Money


def is_limited(state: HouseState, name: str) -> bool:
    """Return whether others have set the account since its owner chose a password.

    In a demonstration none is: its passwords are known to everybody.
    """
    is_for_money = state.house is not None and state.house.money is Money.REAL
    return is_for_money and bool(state.account(name).no_vouchers)


def check_not_limited(state: HouseState, name: str) -> None:
    """Raise `Denied` for an account that is limited."""
    if is_limited(state, name):
        raise Denied(HouseReason.ACCOUNT_LIMITED(person=name))


def check_are_two(state: HouseState, one: str, other: str) -> None:
    """Raise `Denied` unless another person with a password of their own confirms.

    The first had one: a setting since then would have withdrawn the proposal.
    """
    if one == other:
        raise Denied(HouseReason.NEVER_THE_SAME_TWICE())
    check_not_limited(state, other)


def setting(
    state: HouseState,
    by: str,
    name: str,
    what: ev.AccountSetting,
    second: str | None = None,
) -> tuple[ev.HouseEvent, ...]:
    """Return the events that limit an account and withdraw its open proposals."""
    why = HouseReason.PROPOSER_WAS_SET(person=name)
    withdrawn = (
        ev.ProposalEnded(each.number, "house", why)
        for each in state.proposals.values()
        if each.by == name and each.number not in state.confirmations
    )
    return ev.AccountSet(by, name, what, second), *withdrawn


def check_voucher(state: HouseState, by: Caller, name: str) -> None:
    """Raise `NotDone` unless this person may vouch for the owner of the account."""
    if not state.account(name).no_vouchers:
        raise NotDone(HouseReason.NOT_LIMITED(person=name))
    by.must(HouseAct.VOUCH)
    if by.name in {name, *state.account(name).no_vouchers}:
        raise Denied(HouseReason.HAD_A_PART(person=by.name, owner=name))


def without_reset(plan: HousePlan) -> tuple[str, ...]:
    """Return the staff whose password nobody could set in the house itself.

    It takes two others who manage staff, and a third who vouches.
    """
    state = HouseState(house=plan.house, staff={each.name: each for each in plan.staff})
    staff = [caller(state, name, 0) for name in state.staff]
    set_by = {each.name for each in staff if each.may(HouseAct.MANAGE_STAFF)}
    vouch = {each.name for each in staff if each.may(HouseAct.VOUCH)}
    return tuple(
        name
        for name in state.staff
        if all(len(set_by - {name, each}) < 2 for each in vouch - {name})
    )
