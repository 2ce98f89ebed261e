"""Nodes without a database: their rows in memory, on a clock that the test sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field, replace

from croupier.house.nodes.membership import Nodes
from croupier.journal.node_registry import (
    NOBODY,
    SILENT_MS,
    NodeRow,
    Ownership,
    Registered,
)
from croupier.journal.sharing import LeaseHeld
from croupier.journal.store import JournalError, ServerAway


@dataclass
class _Row:
    version: str
    beat_at: float
    session: MemoryRegistry | None
    is_draining: bool = False
    clock_off_ms: int = 0


@dataclass
class MemoryRows:
    """What the database has: nodes, owners, and the epoch of each stream."""

    now: float = 1_000.0
    is_away: bool = False
    nodes: dict[str, _Row] = field(default_factory=dict)
    owners: dict[str, Ownership] = field(default_factory=dict)
    epochs: dict[str, int] = field(default_factory=dict)
    takes: int = 0

    def registered(self) -> Registered:
        rows = tuple(
            NodeRow(
                name,
                f"http://{name}",
                row.version,
                row.session is not None,
                round((self.now - row.beat_at) * 1000),
                row.is_draining,
                row.clock_off_ms,
            )
            for name, row in sorted(self.nodes.items())
        )
        return Registered(rows, dict(self.owners))

    def end_session(self, name: str) -> None:
        """As when a process ends, or somebody ends its session."""
        self.nodes[name].session = None


class MemoryRegistry:
    """One node's registry; a partition from the database is `is_cut`."""

    secret = bytes(32)

    def __init__(self, rows: MemoryRows, name: str, version: str = "1") -> None:
        self.rows, self.name, self.version = rows, name, version
        self.is_cut = False
        self._join()

    def _join(self) -> None:
        before = self.rows.nodes.get(self.name)
        if before is not None and before.session not in {None, self}:
            raise LeaseHeld(f"another process is the node {self.name}")
        drains = before is not None and before.is_draining
        row = _Row(self.version, self.rows.now, self, drains)
        self.rows.nodes[self.name] = row

    def _reach(self) -> None:
        if self.is_cut or self.rows.is_away:
            raise ServerAway("the database does not answer")

    @property
    def _holds_name(self) -> bool:
        row = self.rows.nodes.get(self.name)
        return row is not None and row.session is self

    def beat(self, loads: Mapping[str, int]) -> Registered:
        self._reach()
        if not self._holds_name:
            self._join()
        self.rows.nodes[self.name].beat_at = self.rows.now
        for table, load in loads.items():
            owner = self.rows.owners.get(table)
            if owner is not None and owner.node == self.name:
                self.rows.owners[table] = replace(owner, load=load)
        return self.rows.registered()

    def registered(self) -> Registered:
        self._reach()
        return self.rows.registered()

    def wait(self, seconds: float) -> bool:
        raise AssertionError(f"nobody waits {seconds} s here: the test takes turns")

    def take(self, table: str, before: Ownership | None) -> Ownership | None:
        self._reach()
        found = self.rows.owners.get(table)
        is_same = found is before or (
            found is not None
            and before is not None
            and (found.node, found.epoch) == (before.node, before.epoch)
        )
        if not is_same or not self._holds_name:
            return None
        stays = found is not None and found.is_pinned and found.move_to == self.name
        taken = Ownership(
            table,
            self.name,
            1 if found is None else found.epoch + 1,
            round(self.rows.now * 1000),
            is_pinned=stays,
            load=1 if found is None else found.load,
        )
        self.rows.owners[table] = taken
        self.rows.takes += 1
        return taken

    def let_go(self, table: str) -> None:
        self._reach()
        owner = self.rows.owners.get(table)
        if owner is not None and owner.node == self.name:
            self.rows.owners[table] = replace(owner, node=NOBODY)

    def ask_to_move(self, table: str, node: str, *, pins: bool) -> None:
        self._reach()
        owner = self.rows.owners[table]
        to = NOBODY if owner.node == node else node
        self.rows.owners[table] = replace(owner, move_to=to, is_pinned=pins)

    def forget(self, tables: Iterable[str]) -> None:
        self._reach()
        for table in tables:
            if self.rows.owners[table].node == self.name:
                del self.rows.owners[table]

    def drain(self, node: str, *, on: bool) -> None:
        self._reach()
        self.rows.nodes[node].is_draining = on

    def put_out(self, node: str) -> None:
        self._reach()
        row = self.rows.nodes[node]
        if (self.rows.now - row.beat_at) * 1000 >= SILENT_MS:
            self.rows.end_session(node)

    def close(self) -> None:
        if self._holds_name:
            self.rows.end_session(self.name)


class MemoryHost:
    """Tables that are served by nobody's threads: a claimed epoch is all there is."""

    def __init__(self, registry: MemoryRegistry, tables: set[str]) -> None:
        self._registry, self._tables = registry, tables
        self.serves: dict[str, int] = {}
        """By table, the epoch of its stream that this process claimed."""
        self.in_play: set[str] = set()
        self.load_of: dict[str, int] = {}
        self.lost: JournalError | None = None

    def tables(self) -> Set[str]:
        return self._tables

    def loads(self) -> dict[str, int]:
        return {name: self.load_of.get(name, 1) for name in self.serves}

    def open(self, table: str, taken_from: str | None) -> None:
        """Claim the stream, as only its owner can."""
        rows = self._registry.rows
        if rows.owners[table].node == self._registry.name:
            rows.epochs[table] = self.serves[table] = rows.epochs.get(table, 0) + 1
            self.in_play.discard(table)

    def drop(self, table: str) -> None:
        self.serves.pop(table, None)
        self.in_play.discard(table)

    def let_go(self, tables: Set[str]) -> None:
        for table in sorted(tables & self.serves.keys() - self.in_play):
            self.drop(table)
            self._registry.let_go(table)

    def lose(self, error: JournalError) -> None:
        self.lost = error

    def may_write(self, table: str) -> bool:
        """Whether the journal would take an event of this process now."""
        epochs = self._registry.rows.epochs
        return table in self.serves and self.serves[table] == epochs[table]


@dataclass
class MemoryNode:
    """A node with its host: `turn` is what its thread does once a second."""

    registry: MemoryRegistry
    host: MemoryHost
    nodes: Nodes
    is_paused: bool = False

    def turn(self) -> None:
        """Take a turn, unless the process is stopped or the database away."""
        if self.is_paused:
            return
        with suppress(ServerAway):
            self.nodes.take_turn(self.host)


def join(rows: MemoryRows, name: str, tables: set[str]) -> MemoryNode:
    """Start a node."""
    registry = MemoryRegistry(rows, name)
    nodes = Nodes(registry, lambda: rows.now)
    return MemoryNode(registry, MemoryHost(registry, tables), nodes)
