"""One simulated node: a process that beats, and serves the tables that it owns."""

from __future__ import annotations

from collections.abc import Callable, Set

from croupier.house.nodes.membership import BEAT_S, Nodes
from croupier.house.records.house_record import HouseRecord
from croupier.journal.events import house as ev
from croupier.journal.store import JournalError, JournalFailed, Store, WriterConflict
from croupier.table.table import Table
from tests.simulation.memory_nodes import MemoryRegistry
from tests.simulation.seeded import Dice, SimulatedClock
from tests.simulation.shared_journal import NodeStore

_LEAST_MS = 100
_DUE_MS = int(BEAT_S * 1000)


class SimulatedNode:
    """Does one thing after the other; what it has begun, it goes on with later.

    Its memory is all here: a node that crashed is another object.
    """

    def __init__(
        self,
        registry: MemoryRegistry,
        store: NodeStore,
        record: HouseRecord,
        clock: SimulatedClock,
        dice: Dice,
        opened: Callable[[Store, str], Table],
        tables: Set[str],
    ) -> None:
        self.name = registry.name
        self.registry, self.store, self.record = registry, store, record
        self.here: dict[str, Table] = {}
        """The tables that it serves, for all it knows."""
        self.sleeps_until = 0
        self.is_lost = False
        self._clock, self._dice = clock, dice
        self._opened, self._tables = opened, tables
        self._begun: dict[str, str | None] = {}
        """Tables that are about to be opened, and whom they were taken from."""
        self._leaving: Set[str] = frozenset()
        self.nodes = Nodes(registry, lambda: registry.rows.now)
        self._turned_ms = clock.now_ms

    @property
    def is_asleep(self) -> bool:
        return self._clock.now_ms < self.sleeps_until

    @property
    def is_well(self) -> bool:
        return not self.is_asleep and not self.registry.is_cut and not self.is_lost

    # What the nodes ask for

    def tables(self) -> Set[str]:
        return self._tables

    def loads(self) -> dict[str, int]:
        return dict.fromkeys((*self.here, *self._begun), 1)

    def open(self, table: str, taken_from: str | None) -> None:
        self._begun[table] = taken_from

    def drop(self, table: str) -> None:
        if table not in self._begun:
            self.here.pop(table, None)

    def let_go(self, tables: Set[str]) -> None:
        self._leaving = tables

    def lose(self, error: JournalError) -> None:
        self.is_lost = error is not None

    # What it does, a little at a time

    def go_on(self) -> None:
        """Take a turn if one is due, and go on with what was begun.

        Raises `JournalError` where the database failed; it goes on later.
        """
        now = self._clock.now_ms
        since = now - self._turned_ms
        is_woken = since >= _LEAST_MS and self._dice.is_one_in(5)
        if since >= _DUE_MS or is_woken:
            self._turned_ms = now
            self.nodes.take_turn(self)
        for table in list(self._begun):
            if not self._dice.is_one_in(3):
                self._open(table)
        for table in sorted(self._leaving & self.here.keys()):
            if not self.here[table].state.is_in_play:
                del self.here[table]
                self.nodes.let_go(table)

    def _open(self, table: str) -> None:
        taken_from = self._begun.pop(table)
        try:
            self.here[table] = self._opened(self.store, table)
        except WriterConflict:
            return  # another node was quicker
        if taken_from is not None:
            self.record.write(ev.TableTaken(table, self.name, taken_from))

    def follow(self) -> None:
        """Read what others wrote to the house's stream, if the database lets it."""
        try:
            self.record.follow()
        except JournalFailed:
            return
