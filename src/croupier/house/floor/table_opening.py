"""Tables opened from their journal, put on the floor, and taken off it again."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import TYPE_CHECKING

from croupier.house.floor.automatic_dealer import AutomaticDealer
from croupier.house.floor.day_close import begin_missed_day
from croupier.house.floor.table import FloorTable
from croupier.house.people.dealers import relieve_dealer
from croupier.journal.events.plan import TablePlan, WheelSource
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from croupier.table import NewTable, Submission, Table
from croupier.table import commands as ask
from croupier.table.commits import Append
from croupier.table.shared_turns import SharedTurns
from croupier.table.table import Permit

if TYPE_CHECKING:
    from croupier.house.floor.floor import Floor

_log = logging.getLogger(__name__)
_HOUSE = Person("house file", Role.SYSTEM)
_REVOKED = Person("house", Role.SYSTEM)
"""Who ends the stay at a terminal that is revoked."""


class TableOpening:
    """Puts the tables of a floor there, with their automatic dealers."""

    def __init__(self, floor: Floor, append: Append) -> None:
        self._floor, self._append = floor, append
        self._turns = SharedTurns(append)
        self._loop = asyncio.get_running_loop()
        self._dealers: dict[FloorTable, asyncio.Task[None]] = {}

    def open_all(self) -> None:
        """Open every table of the house: one process serves it."""
        for plan in self._floor.record.state.tables.values():
            if self._floor.store.frozen is None:
                self.open_now(plan)
            else:
                self._place_if_readable(plan)
        if self._floor.store.frozen is None:
            self._floor.complete_confirmed()

    async def open_owned(self, plan: TablePlan) -> None:
        """Open a table that this node owns; raise `WriterConflict` where it does not.

        The journal is read beside the event loop: the other tables play on.
        """
        table = await asyncio.to_thread(self._opened, plan)
        now = self._floor.record.state.tables.get(plan.name)
        if now is None:  # retired meanwhile
            await asyncio.to_thread(table.close)
            return
        table.plan, table.table.settings = now, self._floor.record.settings
        self._place(table)

    def open_now(self, plan: TablePlan) -> None:
        """Open a table on the event loop."""
        self._place(self._opened(plan))

    def _opened(self, plan: TablePlan) -> FloorTable:
        """Return a table as its journal has it; on any thread."""
        new = None
        head = self._floor.store.head(plan.name)
        if head is None or head.sequence == 0:  # claimed by a start that was cut short
            new = NewTable(
                _HOUSE,
                plan.game,
                plan.limits,
                plan.settings,
                plan.wheel is WheelSource.VIRTUAL,
            )

        def open_table(permit: Permit) -> Table:
            return Table(
                self._floor.store,
                plan.name,
                clock=self._floor.clock,
                new=new,
                house=self._floor.record.settings,
                append=self._append,
                permit=permit,
                is_anonymous=self._is_anonymous,
                payment_turn=self._floor.payment_turn,
            )

        table = FloorTable(
            plan,
            self._floor.record,
            self._floor.tallies,
            open_table,
            self._floor.options.observer,
            turns=self._turns,
            loop=self._loop,
        )
        began = {
            session.player: session.began_ms
            for session in self._floor.record.state.sitting.values()
            if session.table == plan.name
        }
        self._floor.tallies.rebuild(plan.name, began, self._floor.clock())
        return table

    def _place(self, table: FloorTable) -> None:
        """Put a table on the floor: it is played at from now on."""
        self._floor.tables[table.name] = table
        table.begin()
        self.end_stays(table)
        begin_missed_day(self._floor)
        if table.plan.wheel is WheelSource.VIRTUAL and self._floor.store.frozen is None:
            is_free = partial(self._deals_by_itself, table)
            relieve = partial(self.relieve, table)
            dealer = AutomaticDealer(table, is_free, relieve, self._floor.options.pace)
            self._dealers[table] = asyncio.ensure_future(dealer.deal())
            self._floor.spawn(self._dealers[table])

    def _place_if_readable(self, plan: TablePlan) -> None:
        """Open a table for reading; one that was changed too much is left out."""
        try:
            self.open_now(plan)
        except Exception as error:  # noqa: BLE001 - whatever it is, the others are shown
            self._floor.tables.pop(plan.name, None)
            _log.error("the table %s can't be read: %s", plan.name, error)

    def _is_anonymous(self, seat: str) -> bool:
        """Say whether a seat is a terminal's own, where Players come and go unnamed."""
        return seat in self._floor.record.state.devices

    def end_stays(self, table: FloorTable) -> None:
        """End the stays at terminals that are revoked: they open empty again (A37)."""
        for seat in table.state.stays:
            stay = table.state.stay_at(seat)
            if stay is not None and not self._is_anonymous(seat):
                command_id = f"revoked:{seat}:{stay}"
                table.insist(Submission(command_id, (_REVOKED,), ask.EndStay(seat)))

    def _deals_by_itself(self, table: FloorTable) -> bool:
        has_dealer = table.name in self._floor.record.state.dealers
        is_wanted = table.plan.automatic_dealer and table.name in self._floor.tables
        is_staying = table.leaves is None or not table.state.is_at_rest
        return (
            is_wanted and is_staying and not has_dealer and not self._floor.is_stopping
        )

    async def relieve(self, table: FloorTable) -> None:
        """Have the Dealer of a table go that then deals by itself."""
        record = self._floor.record
        if table.plan.automatic_dealer and table.name in record.state.dealers:
            await self._floor.in_house(lambda: relieve_dealer(record, table.name))

    def close(self) -> None:
        """Take no more turns; the tables have been closed."""
        self._turns.close()

    def withdraw(self, table: FloorTable, reason: Reason) -> None:
        """Take a table off the floor; whoever is connected comes back elsewhere."""
        if self._floor.tables.get(table.name) is table:
            del self._floor.tables[table.name]
            self._floor.tallies.let_go(table.name)
        dealer = self._dealers.pop(table, None)
        if dealer is not None:
            dealer.cancel()
        self._floor.send_away(reason, table)
