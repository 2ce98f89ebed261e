"""This node among the nodes of a house: what it knows of the others."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import NotDone, NotThere
from croupier.journal.node_registry import (
    NodeRegistry,
    NodeRow,
    Ownership,
    Registered,
)
from croupier.rules.notation import shown


class TableElsewhere(NotDone):
    """Another node serves the table, or nobody does just now."""

    def __init__(self, table: str) -> None:
        super().__init__(HouseReason.TABLE_NOT_TAKEN(name=table))
        self.table = table


class Nodes:
    """What this node knows of all, as of its last beat; read on any thread."""

    def __init__(self, registry: NodeRegistry) -> None:
        """Join: the first beat is given, and what it found known."""
        self._registry = registry
        self._seen: Registered = registry.beat({})

    @property
    def name(self) -> str:
        """Of this node."""
        return self._registry.name

    @property
    def secret(self) -> bytes:
        """A random key that all nodes of the house share, and nobody else has."""
        return self._registry.secret

    @property
    def me(self) -> NodeRow:
        return self.node(self.name)

    def all(self) -> tuple[NodeRow, ...]:
        """Return every node that has not been forgotten, alive or not, by name."""
        return self._seen.nodes

    def node(self, name: str) -> NodeRow:
        """Return a node; raise `NotThere` where there is none of that name."""
        found = self._seen.node(name)
        if found is None:
            raise NotThere(HouseReason.NO_SUCH_NODE(name=shown(name)))
        return found

    def owners(self) -> Mapping[str, Ownership]:
        """Return who has each table, by the table's name; nobody yet is left out."""
        return self._seen.owners

    def owner_of(self, table: str) -> NodeRow | None:
        """Return the node that serves a table now, or None: ask again soon."""
        owner = self._seen.owners.get(table)
        found = None if owner is None else self._seen.node(owner.node)
        return found if found is not None and found.is_alive else None

    def ask_to_move(self, table: str, node: str) -> None:
        """Have a table's owner give it to a node between rounds, by somebody's word."""
        if self.node(node).is_draining:
            raise NotThere(HouseReason.NODE_IS_DRAINING(name=node))
        self._registry.ask_to_move(table, node, pins=True)

    def drain(self, node: str, *, on: bool) -> None:
        """Have a node give its tables away and take none, or take tables again."""
        self._registry.drain(self.node(node).name, on=on)
