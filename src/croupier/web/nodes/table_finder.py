"""Where a table is served just now; while it changes hands, wait for it a moment."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator

from croupier.house.floor.floor import Floor
from croupier.journal.node_registry import NodeRow

_WAIT_S = 4.0
"""A table whose node died has another by then, and a client is still there to hear."""
_LOOK_EVERY_S = 0.1


async def owners_in_turn(
    floor: Floor, table: str
) -> AsyncGenerator[NodeRow | None, None]:
    """Yield who serves a table until the time is up; None: it is served here.

    Whoever could not reach the one that was yielded asks for the next.
    """
    nodes, loop = floor.nodes, asyncio.get_running_loop()
    assert nodes is not None
    end = loop.time() + _WAIT_S
    while loop.time() < end:
        if table in floor.tables and nodes.is_member:
            yield None
        else:
            owner = nodes.owner_of(table)
            if owner is not None and owner.name != nodes.name:
                yield owner
        await asyncio.sleep(_LOOK_EVERY_S)
