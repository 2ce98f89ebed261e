"""Accounts that others have opened or reset: limited until the owner takes over.

Laws of this file, each judged by the state of the house only:
- Opening an account, setting its password, resetting its second factor are settings.
- A setting limits the account: it can do nothing until its owner chooses a password.
- A setting withdraws the account's open proposals.
- When the owner chooses the password, a manager vouches for them. The manager took no
  part in the setting, and was at no time limited together with this account.
- Two people are two accounts, and neither of them is limited.
"""

from __future__ import annotations

from croupier.house.people.authority import Caller, HouseAct, caller
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, NotDone
from croupier.house.records.house_state import HouseState
from croupier.journal.events.house import (
    AccountSet,
    AccountSetting,
    HouseEvent,
    ProposalEnded,
)
from croupier.journal.events.plan import HousePlan, Money


def is_limited(state: HouseState, name: str) -> bool:
    """Return whether others have set the account since its owner chose a password.

    A demonstration limits no account, since its passwords are published.
    """
    is_for_money = state.house is not None and state.house.money is Money.REAL
    return is_for_money and bool(state.account(name).no_vouchers)


def check_not_limited(state: HouseState, name: str) -> None:
    if is_limited(state, name):
        raise Denied(HouseReason.ACCOUNT_LIMITED(person=name))


def check_are_two(state: HouseState, one: str, other: str) -> None:
    """Raise `Denied` unless `other` is another person, whose account is not limited.

    The first account is not checked: a setting would have withdrawn the proposal.
    """
    if one == other:
        raise Denied(HouseReason.NEVER_THE_SAME_TWICE())
    check_not_limited(state, other)


def setting(
    state: HouseState,
    by: str,
    name: str,
    what: AccountSetting,
    second: str | None = None,
) -> tuple[HouseEvent, ...]:
    """Return the events that limit an account and withdraw its open proposals."""
    why = HouseReason.PROPOSER_WAS_SET(person=name)
    withdrawn = (
        ProposalEnded(each.number, "house", why)
        for each in state.proposals.values()
        if each.by == name and each.number not in state.confirmations
    )
    return AccountSet(by, name, what, second), *withdrawn


def check_voucher(state: HouseState, by: Caller, name: str) -> None:
    """Raise `NotDone` unless this person may vouch for the owner of the account."""
    if not state.account(name).no_vouchers:
        raise NotDone(HouseReason.NOT_LIMITED(person=name))
    by.must(HouseAct.VOUCH)
    if by.name in {name, *state.account(name).no_vouchers}:
        raise Denied(HouseReason.HAD_A_PART(person=by.name, owner=name))


def without_reset(plan: HousePlan) -> tuple[str, ...]:
    """Return the staff whose password can be set only at the machine.

    Over the network it takes two others who manage staff, and a third who vouches.
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
