"""The tables of a floor that this node owns: opened, left and dropped as it is told.

Laws of this file:
- a table is left between rounds, on its own thread: nothing that was asked before is
  cut off, and whatever comes later is answered as unknown, to be asked elsewhere;
- its owner's row is let go only after that.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Set
from contextlib import suppress
from typing import TYPE_CHECKING

from croupier.house.floor.table import FloorTable
from croupier.house.reasons import HouseReason
from croupier.journal.events import house as ev
from croupier.journal.store import JournalError, WriterConflict

if TYPE_CHECKING:
    from croupier.house.floor.floor import Floor
    from croupier.house.nodes.membership import Nodes

_log = logging.getLogger(__name__)
_DEVICES_FOR_ONE = 50
"""So many devices are as much work as another table."""
_AGAIN_S = 5.0
"""A table that can't be opened is tried again after these, elsewhere if it can be."""
_LOOKS_EVERY_S = 0.5


class OwnedTables:
    """Does on the event loop what the nodes' thread asks for."""

    def __init__(self, floor: Floor, nodes: Nodes) -> None:
        self._floor, self._nodes = floor, nodes
        self._loop = asyncio.get_running_loop()
        self._busy: set[str] = set()
        """Tables that are being opened or left."""

    # On the thread of the nodes

    def tables(self) -> Set[str]:
        return self._floor.record.state.tables.keys()

    def loads(self) -> dict[str, int]:
        loads = dict.fromkeys(self._busy.copy(), 1)
        for name, table in self._floor.tables.copy().items():
            loads[name] = 1 + len(table.listeners) // _DEVICES_FOR_ONE
        return loads

    def open(self, table: str, taken_from: str | None) -> None:
        self._busy.add(table)
        self._soon(self._begin_open, table, taken_from)

    def drop(self, table: str) -> None:
        self._soon(self._drop, table)

    def let_go(self, tables: Set[str]) -> None:
        self._soon(self._let_go, tables)

    def lose(self, error: JournalError) -> None:
        self._floor.lose(error)

    def _soon(self, act: object, *given: object) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(act, *given)  # type: ignore[arg-type]

    # On the event loop

    def _begin_open(self, name: str, taken_from: str | None) -> None:
        self._floor.spawn(self._open(name, taken_from))

    async def _open(self, name: str, taken_from: str | None) -> None:
        floor, node = self._floor, self._nodes.name
        try:
            plan = floor.record.state.tables.get(name)
            if plan is not None and name not in floor.tables:
                await floor.opening.open_owned(plan)
                if taken_from is not None:
                    floor.notice(ev.TableTaken(name, node, taken_from))
        except WriterConflict:
            _log.warning("%s was taken by another node before it was open", name)
        except Exception:  # noqa: BLE001 - the other tables are served
            _log.exception("the table %s can't be opened", name)
            await self._pass_on(name)
        finally:
            self._busy.discard(name)

    async def _pass_on(self, name: str) -> None:
        """Let another node try it after a while: a newer one may know its events."""
        await asyncio.sleep(_AGAIN_S)
        with suppress(JournalError):  # then it is tried here once more
            await asyncio.to_thread(self._nodes.pass_on, name)

    def _drop(self, name: str) -> None:
        table = self._floor.tables.get(name)
        if table is not None and name not in self._busy:
            _log.warning("%s is another node's now", name)
            self._busy.add(name)
            self._floor.opening.withdraw(table, HouseReason.TABLE_MOVES())
            self._floor.spawn(self._close(table))

    async def _close(self, table: FloorTable) -> None:
        try:
            await asyncio.to_thread(table.close)
        finally:
            self._busy.discard(table.name)

    def _let_go(self, names: Set[str]) -> None:
        for name, table in tuple(self._floor.tables.items()):
            table.leaves = None
            if name in names and name not in self._busy:
                table.leaves = self._begin_leave
                if table.state.is_at_rest:
                    self._begin_leave(table)

    def _begin_leave(self, table: FloorTable) -> None:
        """Leave a table that is at rest, as far as anybody was told."""
        if table.name not in self._busy and not self._floor.is_stopping:
            self._busy.add(table.name)
            self._floor.spawn(self._leave(table))

    async def _leave(self, table: FloorTable) -> None:
        floor, name = self._floor, table.name
        try:
            if not await asyncio.wrap_future(table.leave()):
                return
            floor.opening.withdraw(table, HouseReason.TABLE_MOVES())
            await asyncio.to_thread(table.close)
            await asyncio.to_thread(self._nodes.let_go, name)
            _log.info("%s is let go", name)
        finally:
            self._busy.discard(name)

    async def watch(self) -> None:
        """Begin, and send everybody elsewhere as soon as this node is cut off."""
        self._nodes.start(self)
        is_told = False
        while True:
            await asyncio.sleep(_LOOKS_EVERY_S)
            is_cut_off = not self._nodes.is_member
            if is_cut_off and not is_told:
                _log.error("the node %s is cut off from its database", self._nodes.name)
                self._floor.send_away(HouseReason.NODE_CUT_OFF())
            is_told = is_cut_off
