"""Nodes without a database: their rows in memory, on a clock that the test sets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from croupier.journal.node_registry import (
    NO_NODE,
    SILENT_MS,
    NodeRow,
    Ownership,
    Registered,
)
from croupier.journal.sharing import LeaseHeld
from croupier.journal.store import ServerAway


@dataclass
class _Row:
    version: str
    beat_at: float
    session: MemoryRegistry | None
    clock_off_ms: int = 0


@dataclass
class MemoryRows:
    """What the database has: nodes, owners, and the epoch of each stream."""

    now: float = 1_000.0
    is_away: bool = False
    nodes: dict[str, _Row] = field(default_factory=dict)
    owners: dict[str, Ownership] = field(default_factory=dict)
    since: dict[str, float] = field(default_factory=dict)
    """When each row of an owner last changed its node."""

    def registered(self) -> Registered:
        rows = tuple(
            NodeRow(
                name,
                row.version,
                row.session is not None,
                round((self.now - row.beat_at) * 1000),
                row.clock_off_ms,
            )
            for name, row in sorted(self.nodes.items())
        )
        owners = {
            table: replace(each, age_ms=round((self.now - self.since[table]) * 1000))
            for table, each in self.owners.items()
        }
        return Registered(rows, owners)

    def own(self, owner: Ownership) -> None:
        self.owners[owner.table] = owner
        self.since[owner.table] = self.now

    def end_session(self, name: str) -> None:
        """As when a process or its session ends."""
        self.nodes[name].session = None


class MemoryRegistry:
    """One node's registry; a partition from the database is `is_cut`."""

    def __init__(self, rows: MemoryRows, name: str, version: str = "1") -> None:
        self.rows, self.name, self.version = rows, name, version
        self.is_cut = False
        self._join()

    def _join(self) -> None:
        before = self.rows.nodes.get(self.name)
        if before is not None and before.session not in {None, self}:
            raise LeaseHeld(f"another process is the node {self.name}")
        self.rows.nodes[self.name] = _Row(self.version, self.rows.now, self)

    def _reach(self) -> None:
        if self.is_cut or self.rows.is_away:
            raise ServerAway("the database does not answer")

    @property
    def _holds_name(self) -> bool:
        row = self.rows.nodes.get(self.name)
        return row is not None and row.session is self

    def beat(self, summaries: Mapping[str, str]) -> Registered:
        self._reach()
        if not self._holds_name:
            self._join()
        self.rows.nodes[self.name].beat_at = self.rows.now
        for table, summary in summaries.items():
            owner = self.rows.owners.get(table)
            if owner is not None and owner.node == self.name:
                self.rows.owners[table] = replace(owner, summary=summary)
        return self.rows.registered()

    def wait(self, seconds: float) -> bool:
        raise AssertionError(f"no wait of {seconds} s: the test takes turns")

    def claim(self, table: str, before: Ownership | None) -> bool:
        self._reach()
        found = self.rows.owners.get(table)
        read = None if before is None else (before.node, before.epoch)
        is_same = read == (None if found is None else (found.node, found.epoch))
        if not is_same or not self._holds_name:
            return False
        epoch = 1 if found is None else found.epoch + 1
        self.rows.own(Ownership(table, self.name, epoch, 0))
        return True

    def want(self, table: str) -> None:
        self._reach()
        found = self.rows.owners.get(table)
        if found is None:
            self.rows.own(Ownership(table, NO_NODE, 0, 0, self.name))
        elif found.node != self.name:
            self.rows.owners[table] = replace(found, wanted=self.name)

    def hand_over(self, table: str, left_at: int | None) -> None:
        self._reach()
        owner = self.rows.owners.get(table)
        if owner is not None and owner.node == self.name:
            self.rows.own(replace(owner, node=NO_NODE, left_at=left_at))

    def forget(self, tables: Iterable[str]) -> None:
        self._reach()
        for table in tables:
            if self.rows.owners[table].node == self.name:
                del self.rows.owners[table]

    def put_out(self, node: str) -> None:
        self._reach()
        row = self.rows.nodes[node]
        if (self.rows.now - row.beat_at) * 1000 >= SILENT_MS:
            self.rows.end_session(node)

    def close(self) -> None:
        if self._holds_name:
            self.rows.end_session(self.name)
