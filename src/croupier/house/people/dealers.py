"""The Dealers at the tables: one Dealer for a table, one table for a Dealer.

A table gets another Dealer only after the first has left or a supervisor has relieved
them.
"""

from __future__ import annotations

from croupier.house.people.authority import Caller, HouseAct
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, HouseRecord, NotDone
from croupier.journal.events.house import DealerCame, DealerWent, HouseEvent
from croupier.rules.operator import Role


def come_to_table(record: HouseRecord, by: Caller, name: str) -> None:
    """Have a Dealer take over a table; raise `NotDone` if it has another Dealer."""
    if all(position.role is not Role.DEALER for position in by.positions):
        raise Denied(HouseReason.NOT_A_DEALER(person=by.name))
    with record.lock:
        events: list[HouseEvent] = []
        before = record.state.dealers.get(name)
        if before == by.name:
            return
        if before is not None:
            if not by.may(HouseAct.RUN_TABLE):
                raise NotDone(HouseReason.TABLE_HAS_DEALER(dealer=before, table=name))
            events.append(DealerWent(before, name, by.name))
        for table, dealer in record.state.dealers.items():
            if dealer == by.name:
                events.append(DealerWent(by.name, table))
        record.write(*events, DealerCame(by.name, name))


def go_from_table(record: HouseRecord, by: Caller, name: str) -> None:
    """Leave a table as its Dealer, or relieve its Dealer as a supervisor."""
    with record.lock:
        dealer = record.state.dealers.get(name)
        if dealer == by.name:
            record.write(DealerWent(dealer, name))
        elif dealer is not None and by.may(HouseAct.RUN_TABLE):
            record.write(DealerWent(dealer, name, by.name))
        else:
            raise NotDone(HouseReason.NOT_DEALING_AT(person=by.name, table=name))


def relieve_dealer(record: HouseRecord, name: str) -> None:
    """Record that the Dealer left a table, if it has one."""
    with record.lock:
        dealer = record.state.dealers.get(name)
        if dealer is not None:
            record.write(DealerWent(dealer, name))
