"""The nodes of a house, and the owner of each table.

A node is one process that serves a part of a house's tables. Laws of a registry:
- a node is alive while a session of its own holds its name and its beat is young;
- a table has one owner, or none: a claim succeeds only if the row is as it was read;
- a node that does not own a table can't claim its stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

SILENT_MS = 5_000
"""A node whose last beat is older than this has lost its tables."""
CLOCK_OFF_MS = 5_000
"""A node whose clock differs from the database's by more than this serves no tables."""
NO_NODE = ""
"""The node of a table without an owner, or of one that no node asks for."""


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A node as the others see it."""

    name: str
    version: str
    """The version of croupier on that node."""
    is_connected: bool
    """Whether a session of the node holds its name."""
    silent_ms: int
    """Time since its last beat, by the database's clock."""
    clock_off_ms: int = 0
    """Its clock's lead over the database's clock; negative if it is behind."""

    @property
    def is_alive(self) -> bool:
        return self.is_connected and self.silent_ms < SILENT_MS

    @property
    def is_on_time(self) -> bool:
        return abs(self.clock_off_ms) <= CLOCK_OFF_MS


@dataclass(frozen=True, slots=True)
class Ownership:
    """The owner of a table."""

    table: str
    node: str
    """`NO_NODE` if it was handed over and not claimed yet."""
    epoch: int
    """The number of claims so far."""
    age_ms: int
    """Time since the last change of owner, by the database's clock."""
    wanted: str = NO_NODE
    """The node that asks for it."""
    left_at: int | None = None
    """The sequence at which the last owner handed it over; None: it did not."""
    summary: str = ""
    """The owner's description of the table for lists, as JSON."""


@dataclass(frozen=True, slots=True)
class Registered:
    """All nodes and owners, as of one beat."""

    nodes: tuple[NodeRow, ...] = ()
    owners: Mapping[str, Ownership] = field(default_factory=dict)
    """The owner of each table."""

    def node(self, name: str) -> NodeRow | None:
        return next((each for each in self.nodes if each.name == name), None)

    def is_alive(self, name: str) -> bool:
        found = self.node(name)
        return found is not None and found.is_alive


class NodeRegistry(Protocol):
    """One node's access to the registry that all nodes of a house share.

    Any thread may use it. Every method may raise `JournalFailed` if the database does
    not answer.
    """

    @property
    def name(self) -> str: ...

    def beat(self, summaries: Mapping[str, str]) -> Registered:
        """Record that this node is alive, with its tables' news; return all rows.

        Also compares its clock with the database's, and connects again if the session
        was lost. Raises `LeaseHeld` if another process has this node's name now, or
        serves the house without nodes.
        """

    def wait(self, seconds: float) -> bool:
        """Wait until an owner changes or the time is up; return whether one has."""

    def claim(self, table: str, before: Ownership | None) -> bool:
        """Take a table if its row is still as it was; return whether it was taken."""

    def want(self, table: str) -> None:
        """Ask the owner of a table to hand it over to this node; wake all nodes."""

    def hand_over(self, table: str, left_at: int | None) -> None:
        """Give up a table; wake all nodes.

        `left_at` is the last sequence of its stream; None if a write there is in doubt.
        """

    def forget(self, tables: Iterable[str]) -> None:
        """Delete the rows of this node's tables that no longer exist."""

    def put_out(self, node: str) -> None:
        """End the sessions of a node that hangs, so that it holds no lock."""

    def close(self) -> None:
        """Release the name."""
