"""Several nodes of one house in this process, on one real PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import ExitStack
from time import monotonic

from croupier.house.configuration.house_file import read_house
from croupier.house.configuration.setup import prepare
from croupier.house.floor.floor import Floor, FloorOptions
from croupier.journal.stores import NodeJournal, open_node, open_store
from tests.web.a_house import NOON, TEXT, House


class NodeHouse(House):
    """One node of the house."""

    def __init__(self, journal: NodeJournal) -> None:
        self.begin(journal.store)
        options = FloorOptions(
            clock=self.clock,
            steady=monotonic,
            sharing=journal.sharing,
            registry=journal.registry,
        )
        self.serve(Floor(journal.store, options))

    async def hears(self, is_so: Callable[[], bool], seconds: float = 15) -> None:
        """Wait until a condition holds at this node."""
        async with asyncio.timeout(seconds):
            while not is_so():
                await asyncio.sleep(0.02)


def at_nodes(
    url: str,
    scenario: Callable[[Sequence[NodeHouse]], Awaitable[None]],
    *,
    text: str = TEXT,
    count: int = 2,
) -> None:
    """Run a scenario against nodes `n1`, `n2` …, which share the tables in turn."""
    plan = read_house(text, "house.toml")
    with open_store(url) as store:
        prepare(store, lambda: NOON, plan)

    names = [table.name for table in plan.tables]
    shares = [set(names[at::count]) for at in range(count)]

    async def run(journals: list[NodeJournal]) -> None:
        nodes = [NodeHouse(journal) for journal in journals]
        try:
            for node, names in zip(nodes, shares, strict=True):
                await node.hears(lambda at=node, has=names: set(at.floor.tables) == has)  # type: ignore[misc]
            await scenario(nodes)
        finally:
            for node in nodes:
                if not node.floor.is_stopping:
                    await node.floor.close()

    with ExitStack() as stack:
        journals = [
            stack.enter_context(open_node(url, f"n{at}", version="1"))
            for at in range(1, count + 1)
        ]
        for journal, share in zip(journals, shares, strict=True):
            for table in share:
                assert journal.registry.claim(table, None)
        asyncio.run(run(journals))
