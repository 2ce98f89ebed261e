"""The nodes of a house: which there are, and which table each of them has.

A node is one process that serves a part of a house's tables. Laws of a registry:
- a node is alive while a session of its own holds its name and its beat is young;
- a table has one owner, or none: it is taken from whoever had it, or not at all;
- who does not own a table can't claim its stream.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

SILENT_MS = 5_000
"""A node whose last beat is older than this has lost its tables."""
CLOCK_OFF_MS = 5_000
"""A node whose clock differs from the database's by more than this serves no tables."""
NOBODY = ""
"""The owner of a table that was let go, and where a table goes that nobody moves."""


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A node as the others see it."""

    name: str
    address: str
    """Where the other nodes and clients reach it: `https://host:port`."""
    version: str
    """Of croupier, as it runs there."""
    is_connected: bool
    """Whether its session holds its name."""
    silent_ms: int
    """Since its last beat, by the database's clock."""
    is_draining: bool = False
    """Whether it gives its tables away and takes none."""
    clock_off_ms: int = 0
    """How far its clock is ahead of the database's, or behind (negative)."""

    @property
    def is_alive(self) -> bool:
        return self.is_connected and self.silent_ms < SILENT_MS

    @property
    def is_on_time(self) -> bool:
        return abs(self.clock_off_ms) <= CLOCK_OFF_MS

    @property
    def takes_tables(self) -> bool:
        return self.is_alive and self.is_on_time and not self.is_draining


@dataclass(frozen=True, slots=True)
class Ownership:
    """The owner of a table."""

    table: str
    node: str
    """`NOBODY` where it was let go, and nobody has taken it yet."""
    epoch: int
    """How often it has been taken."""
    since_ms: int
    """When that was last, by the database's clock."""
    move_to: str = NOBODY
    """The node that is to have it next."""
    is_pinned: bool = False
    """Whether somebody's word moved it here, so that balancing leaves it."""
    load: int = 1
    """How much work it is, as its owner says: 1 for a table without devices."""


@dataclass(frozen=True, slots=True)
class Registered:
    """All nodes and owners, as of one beat."""

    nodes: tuple[NodeRow, ...] = ()
    owners: Mapping[str, Ownership] = field(default_factory=dict)
    """By table."""

    def node(self, name: str) -> NodeRow | None:
        return next((each for each in self.nodes if each.name == name), None)


class NodeList(Protocol):
    """The list of nodes and owners, for whoever may change it.

    Every method may raise `JournalFailed` where the database does not answer.
    """

    def registered(self) -> Registered:
        """Return all nodes and owners as they are now."""

    def ask_to_move(self, table: str, node: str, *, pins: bool) -> None:
        """Have the owner give a table to another node, between rounds."""

    def drain(self, node: str, *, on: bool) -> None:
        """Have a node give all its tables away and take none, or take them again."""


class NodeRegistry(NodeList, Protocol):
    """One node's way to the registry that all nodes of a house share."""

    @property
    def name(self) -> str:
        """Of this node."""

    @property
    def secret(self) -> bytes:
        """A random key that all nodes of the house share, and nobody else has."""

    def beat(self, loads: Mapping[str, int]) -> Registered:
        """Say that this node lives, and how much work each of its tables is.

        Its clock is compared with the database's.

        A session that was lost is made anew. Raises `LeaseHeld` where another process
        has this node's name now, or serves the house alone.
        """

    def wait(self, seconds: float) -> bool:
        """Wait for so long, or until some node changes an owner: whether one has."""

    def take(self, table: str, before: Ownership | None) -> Ownership | None:
        """Own a table, if its owner is still as it was; None where it is not."""

    def let_go(self, table: str) -> None:
        """Own a table no more; the other nodes are woken."""

    def forget(self, tables: Iterable[str]) -> None:
        """Forget the owners of tables that are no more."""

    def put_out(self, node: str) -> None:
        """End the sessions of a node that hangs, so that it holds no lock."""

    def close(self) -> None:
        """Let go of the name."""
