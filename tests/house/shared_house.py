"""Two processes' records of one house on one real PostgreSQL, in one process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from croupier.house.records.house_record import Clock, HouseRecord
from croupier.journal.events.house import HouseEvent
from croupier.journal.sharing import HouseSharing
from croupier.journal.store import Store
from croupier.journal.stores import open_store
from croupier.journal.stores.postgresql_sharing import PostgresSharing


@dataclass(slots=True)
class HouseNode:
    """What one node has of the house, and what it has heard."""

    store: Store
    sharing: HouseSharing
    record: HouseRecord
    heard: list[HouseEvent]


@contextmanager
def house_nodes(
    url: str, count: int, clock: Clock = lambda: 1_000
) -> Iterator[list[HouseNode]]:
    """So many nodes, each with connections of its own."""
    with ExitStack() as stack:
        nodes = []
        for _ in range(count):
            store = stack.enter_context(open_store(url))
            sharing = stack.enter_context(PostgresSharing(url))
            record = HouseRecord(store, clock, sharing=sharing)
            node = HouseNode(store, sharing, record, [])
            record.listeners.append(node.heard.append)
            nodes.append(node)
        yield nodes
