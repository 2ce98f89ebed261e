"""One simulated node: a process that beats, and serves the tables that it owns."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set

from croupier.house.floor.nodes import BEAT_S, Nodes
from croupier.house.records.house_record import HouseRecord
from croupier.journal.events import house as house_events
from croupier.journal.node_registry import Ownership
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
        opened: Callable[[Store, str, int | None], Table],
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
        self._begun: dict[str, Ownership | None] = {}
        """Tables that are about to be opened, with their rows as they were claimed."""
        self._leaving: set[str] = set()
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

    def served(self) -> Set[str]:
        return self.here.keys() | self._begun.keys()

    def summaries(self) -> Mapping[str, str]:
        return {}

    def failed(self) -> Set[str]:
        return frozenset()

    def open(self, table: str, before: Ownership | None) -> None:
        self._begun[table] = before

    def drop(self, table: str) -> None:
        if table not in self._begun:
            self.here.pop(table, None)

    def hand_over(self, table: str) -> None:
        self._leaving.add(table)

    def lose(self, error: JournalError) -> None:
        self.is_lost = error is not None

    # What it does, a little at a time

    def go_on(self) -> None:
        """Take a turn if one is due, and go on with what was begun.

        Raises `JournalError` if the database failed; it goes on later.
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
        self._hand_over(self._leaving & self.here.keys())

    def _hand_over(self, tables: Set[str]) -> None:
        for name in sorted(tables):
            self._leaving.discard(name)
            table = self.here[name]
            if not table.is_unsure:
                del self.here[name]
                self.registry.hand_over(name, table.head.sequence)

    def leave(self) -> None:
        """Stop in order: hand over every table."""
        self.nodes.is_leaving = True
        self._hand_over(self.here.keys())

    def _open(self, table: str) -> None:
        before = self._begun.pop(table)
        left_at = None if before is None else before.left_at
        try:
            self.here[table] = self._opened(self.store, table, left_at)
        except WriterConflict:
            return  # another node was quicker
        if before is not None and before.epoch:
            self.record.write(house_events.TableTaken(table, self.name, before.node))

    def follow(self) -> None:
        """Read what others wrote to the house's stream, if the database lets it."""
        try:
            self.record.follow()
        except JournalFailed:
            return
