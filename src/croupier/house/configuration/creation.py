"""A new house, from its file to its first log-on.

Who logs on needs an enrolled device, and who enrols one must have logged on: the first
password and the first station of a house are given at the machine of its journal.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from croupier.house.configuration.setup import has_house, prepare
from croupier.house.people.authority import HouseAct, caller
from croupier.house.people.devices import invite_unasked
from croupier.house.people.log_on import set_password
from croupier.house.people.names import check_new_name
from croupier.house.people.passwords import check_password
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Clock, HouseRecord, NotDone
from croupier.house.records.house_state import DeviceKind, HouseState
from croupier.journal.events.plan import HousePlan
from croupier.journal.store import Store


@dataclass(frozen=True, slots=True)
class FirstLogOn:
    """Who logs on first, with which password, at which station."""

    name: str
    password: str
    station: str


def check_first(plan: HousePlan, first: FirstLogOn) -> None:
    """Raise `NotDone` where nobody could go on from there; nothing is changed yet."""
    staff = {member.name: member for member in plan.staff}
    state = HouseState(house=plan.house, staff=staff)
    person = caller(state, first.name, 0)
    person.must(HouseAct.MANAGE_STAFF)
    person.must(HouseAct.MANAGE_DEVICES)
    check_password(first.password, first.name, plan.house.name)
    check_new_name(state, first.station)


def create_house(
    store: Store, clock: Clock, plan: HousePlan, folder: Path, first: FirstLogOn
) -> str:
    """Begin the house, and return the pairing code of its first station.

    The rules files that the plan names are looked for in `folder`. Raises `NotDone`
    where there is a house already.
    """
    check_first(plan, first)
    if has_house(store):
        raise NotDone(HouseReason.HOUSE_IS_THERE())
    prepare(store, clock, plan, folder)
    record = HouseRecord(store, clock)
    set_password(record, first.name, first.name, first.password)
    return invite_unasked(record, first.name, first.station, DeviceKind.STATION, None)
