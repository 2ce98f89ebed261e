"""The Dealers at the tables: one Dealer a table, one table a Dealer.

A table that has a Dealer gets another when the first goes, or when a supervisor
relieves them.
"""

from __future__ import annotations

from croupier.house.people.authority import Caller, HouseAct
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, HouseRecord, NotDone
from croupier.journal.events import house as ev
from croupier.rules.operator import Role


def come_to_table(record: HouseRecord, by: Caller, name: str) -> None:
    """Have a Dealer take over a table; raise `NotDone` if it has another Dealer."""
    if all(position.role is not Role.DEALER for position in by.positions):
        raise Denied(HouseReason.NOT_A_DEALER(person=by.name))
    with record.lock:
        events: list[ev.HouseEvent] = []
        before = record.state.dealers.get(name)
        if before == by.name:
            return
        if before is not None:
            if not by.may(HouseAct.RUN_TABLE):
                raise NotDone(HouseReason.TABLE_HAS_DEALER(dealer=before, table=name))
            events.append(ev.DealerWent(before, name, by.name))
        for table, dealer in record.state.dealers.items():
            if dealer == by.name:
                events.append(ev.DealerWent(by.name, table))
        record.write(*events, ev.DealerCame(by.name, name))


def go_from_table(record: HouseRecord, by: Caller, name: str) -> None:
    """Go from a table, or have its Dealer go as their supervisor."""
    with record.lock:
        dealer = record.state.dealers.get(name)
        if dealer == by.name:
            record.write(ev.DealerWent(dealer, name))
        elif dealer is not None and by.may(HouseAct.RUN_TABLE):
            record.write(ev.DealerWent(dealer, name, by.name))
        else:
            raise NotDone(HouseReason.NOT_DEALING_AT(person=by.name, table=name))


def relieve_dealer(record: HouseRecord, name: str) -> None:
    """Have whoever deals at a table go, who has left it without a word."""
    with record.lock:
        dealer = record.state.dealers.get(name)
        if dealer is not None:
            record.write(ev.DealerWent(dealer, name))
