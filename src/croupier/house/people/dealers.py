"""The Dealers at the tables: one Dealer a table, one table a Dealer."""

from __future__ import annotations

from croupier.house.people.authority import Caller
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, HouseRecord, NotDone
from croupier.journal.events import house as ev
from croupier.rules.operator import Role


def come_to_table(record: HouseRecord, by: Caller, name: str) -> None:
    """Have a Dealer take over a table; the one before goes."""
    if all(position.role is not Role.DEALER for position in by.positions):
        raise Denied(HouseReason.NOT_A_DEALER(person=by.name))
    with record.lock:
        events: list[ev.HouseEvent] = []
        before = record.state.dealers.get(name)
        if before == by.name:
            return
        if before is not None:
            events.append(ev.DealerWent(before, name))
        for table, dealer in record.state.dealers.items():
            if dealer == by.name:
                events.append(ev.DealerWent(by.name, table))
        record.write(*events, ev.DealerCame(by.name, name))


def go_from_table(record: HouseRecord, by: Caller, name: str) -> None:
    with record.lock:
        if not record.state.deals(by.name, name):
            raise NotDone(HouseReason.NOT_DEALING_AT(person=by.name, table=name))
        record.write(ev.DealerWent(by.name, name))


def relieve_dealer(record: HouseRecord, name: str) -> None:
    """Have whoever deals at a table go, who has left it without a word."""
    with record.lock:
        dealer = record.state.dealers.get(name)
        if dealer is not None:
            record.write(ev.DealerWent(dealer, name))
