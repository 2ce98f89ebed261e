"""The tables of this node: opened, left and dropped.

Laws of this file:
- the owner answers the commands that wait, closes the table, and only then gives up
  its row;
- a node that opens the stream at exactly the sequence at which it was left goes on
  without an interruption (A38).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Mapping, Set
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from croupier.house.floor.nodes import Nodes
from croupier.house.floor.table import FloorTable
from croupier.house.floor.wheel_watch import WheelEvidence
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import NotDone
from croupier.journal.events.house import TableTaken
from croupier.journal.events.plan import TablePlan
from croupier.journal.node_registry import Ownership
from croupier.journal.store import JournalError, WriterConflict
from croupier.rules.round import Phase
from croupier.rules.terms import write_limits, write_settings

if TYPE_CHECKING:
    from croupier.house.floor.floor import Floor

_log = logging.getLogger(__name__)
_CLAIM_WITHIN_S = 4.0
_DRAIN_S = 4.0
"""Time for a proxy that asks for /ready every second to notice."""
_AGAIN_S = 10.0
"""Pause before a node tries again to open a table: another node may succeed."""
_SUMMARIES_EVERY_S = 0.5
_POLL_S = 0.02


class TableElsewhere(NotDone):
    """Another node serves the table, or no node does just now."""

    def __init__(self, table: str) -> None:
        super().__init__(HouseReason.TABLE_NOT_TAKEN(name=table))
        self.table = table


class TableStatus(msgspec.Struct, frozen=True):
    """A row in a list of tables."""

    is_open: bool
    phase: Phase
    round: int
    limits: tuple[str, ...]
    settings: tuple[str, ...]
    terminals: int
    """The number connected."""
    devices: tuple[str, ...]
    """Names of the connected devices."""
    lost: tuple[str, ...]
    wheel: WheelEvidence

    @classmethod
    def of(cls, table: FloorTable) -> TableStatus:
        state, listeners = table.state, table.listeners
        return cls(
            state.is_open,
            state.phase,
            state.series.last,
            write_limits(state.series.limits),
            write_settings(state.series.settings),
            listeners.terminals,
            tuple(listeners.devices),
            tuple(sorted(listeners.lost)),
            table.wheel.seen,
        )


class OwnedTables:
    """The tables of a floor that this node owns; a `TableHost`."""

    def __init__(self, floor: Floor, nodes: Nodes) -> None:
        self._floor, self._nodes = floor, nodes
        self._loop = asyncio.get_running_loop()
        self._busy: set[str] = set()
        """Tables that are being opened or closed."""
        self._failed: dict[str, float] = {}
        """By table, the time at which it could not be opened here."""
        self._claims: dict[str, asyncio.Future[None]] = {}
        self._summaries: dict[str, str] = {}

    # On the thread of the nodes

    def tables(self) -> Set[str]:
        return self._floor.record.state.tables.keys()

    def served(self) -> Set[str]:
        return self._busy | self._floor.tables.keys()

    def summaries(self) -> Mapping[str, str]:
        return self._summaries

    def failed(self) -> Set[str]:
        since = self._floor.options.steady() - _AGAIN_S
        return {name for name, at in self._failed.copy().items() if at > since}

    def open(self, table: str, before: Ownership | None) -> None:
        self._busy.add(table)
        self._begin(lambda: self._open(table, before))

    def drop(self, table: str) -> None:
        self._begin(lambda: self._drop(table))

    def hand_over(self, table: str) -> None:
        self._begin(lambda: self._hand_over(table))

    def lose(self, error: JournalError) -> None:
        self._floor.lose(error)

    def _begin(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        if not self._loop.is_closed():
            spawn = self._floor.spawn
            self._loop.call_soon_threadsafe(lambda: spawn(work()))

    # On the event loop

    async def claim(self, name: str) -> None:
        """Have this node serve a table; raise `TableElsewhere` after four seconds."""
        if name not in self._claims:
            claim = self._claims[name] = asyncio.ensure_future(self._claim(name))
            claim.add_done_callback(lambda _: self._claims.pop(name))
        await asyncio.shield(self._claims[name])

    async def _claim(self, name: str) -> None:
        end = self._loop.time() + _CLAIM_WITHIN_S
        may_serve = self._nodes.is_member and not self._nodes.is_leaving
        if may_serve and name not in self.failed():
            with suppress(JournalError):
                await asyncio.to_thread(self._nodes.registry.want, name)
                while self._loop.time() < end:
                    if name in self._floor.tables:
                        return
                    await asyncio.sleep(_POLL_S)
        raise TableElsewhere(name)

    def cannot_open(self) -> str | None:
        served = (n for n in self._failed if self._nodes.is_served_elsewhere(n))
        return next(served, None)

    async def _open(self, name: str, before: Ownership | None) -> None:
        floor, node = self._floor, self._nodes.name
        try:
            plan = floor.record.state.tables.get(name)
            if plan is not None and name not in floor.tables:
                left_at = None if before is None else before.left_at
                await self._open_here(plan, left_at)
                self._failed.pop(name, None)
                if before is not None and before.epoch:
                    floor.notice(TableTaken(name, node, before.node))
        except WriterConflict:
            _log.warning("%s was claimed by another node before it was open", name)
        except Exception:  # noqa: BLE001 - the other tables are served
            _log.exception("the table %s can't be opened", name)
            self._failed[name] = floor.options.steady()
            with suppress(JournalError):  # then this node tries again
                await asyncio.to_thread(self._nodes.registry.hand_over, name, None)
        finally:
            self._busy.discard(name)

    async def _open_here(self, plan: TablePlan, left_at: int | None) -> None:
        """Open a table on another thread, so that play at others goes on."""
        floor = self._floor
        table = await asyncio.to_thread(FloorTable, floor, plan, left_at)
        now = floor.record.state.tables.get(plan.name)
        if now is None:  # retired meanwhile
            await asyncio.to_thread(table.close)
            return
        table.plan, table.table.settings = now, floor.record.settings
        floor.place(table)

    async def _drop(self, name: str) -> None:
        table = self._floor.tables.get(name)
        if table is None or name in self._busy:
            return
        _log.warning("%s is another node's now", name)
        self._busy.add(name)
        try:
            self._floor.withdraw(table, HouseReason.TABLE_MOVES())
            await asyncio.to_thread(table.close)
        finally:
            self._busy.discard(name)

    async def _hand_over(self, name: str) -> None:
        """Answer the commands that wait, close the table, and give up its row."""
        table = self._floor.tables.get(name)
        if table is None or name in self._busy or self._floor.is_stopping:
            return
        self._busy.add(name)
        try:
            if not await asyncio.wrap_future(table.leave()):
                return  # a commit is in doubt: it is tried again
            self._floor.withdraw(table, HouseReason.TABLE_MOVES())
            await asyncio.to_thread(table.close)
            left_at = table.table.head.sequence
            await asyncio.to_thread(self._nodes.registry.hand_over, name, left_at)
            _log.info("%s is handed over at %d", name, left_at)
        finally:
            self._busy.discard(name)

    async def leave(self) -> None:
        """Wait for proxies to see that this node is not ready; hand over its tables."""
        self._nodes.is_leaving = True
        if not self._nodes.is_alone:
            await asyncio.sleep(_DRAIN_S)
        leaving = map(self._hand_over, tuple(self._floor.tables))
        await asyncio.gather(*leaving, return_exceptions=True)

    async def watch(self) -> None:
        """Start the nodes; send all connections away if this node is cut off."""
        self._nodes.start(self)
        is_told = False
        while True:
            tables = self._floor.tables.items()
            self._summaries = {
                name: msgspec.json.encode(TableStatus.of(table)).decode()
                for name, table in tables
            }
            await asyncio.sleep(_SUMMARIES_EVERY_S)
            is_cut_off = not self._nodes.is_member
            if is_cut_off and not is_told:
                _log.error("the node %s is cut off from its database", self._nodes.name)
                self._floor.connections.send_away(HouseReason.NODE_CUT_OFF())
            is_told = is_cut_off

    def summaries_elsewhere(self) -> dict[str, TableStatus]:
        """Return the status of tables that other living nodes serve."""
        found = {}
        for name, owner in self._nodes.owners().items():
            if owner.summary and self._nodes.is_served_elsewhere(name):
                with suppress(msgspec.MsgspecError):  # of another version
                    found[name] = msgspec.json.decode(owner.summary, type=TableStatus)
        return found
