"""Two nodes of a house in this process, each served on a port: `t1` here, `t2` there.

Each has a journal of its own with the same people and devices in it, so that what is
shown is what is carried between them, and not what a database tells both.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self, cast
from unittest.mock import patch

import uvicorn

from croupier.house.nodes.membership import Nodes
from croupier.house.people import log_on
from croupier.house.people.log_on import digest_of
from croupier.house.records.house_state import DeviceKind
from croupier.journal.events import house as ev
from croupier.journal.node_registry import NOBODY, NodeRow, Ownership, Registered
from croupier.protocol.http import HouseClient
from croupier.web.monitoring import Metrics
from croupier.web.play_protocol import PlayProtocol
from croupier.web.security.authentication import ApiOptions
from croupier.web.security.middleware import SecurityOptions
from croupier.web.server import application, now_ms
from tests.web.a_house import PASSWORD, TEXT, House

SECRET = b"a key that two nodes share, and nobody else"
TERMINAL = "terminal of t2"


@dataclass
class KnownNodes:
    """What a node knows of both, as a test says."""

    name: str
    rows: dict[str, NodeRow]
    tables: dict[str, str | None]
    """By table the node that serves it."""
    secret: bytes = SECRET
    is_member: bool = True
    clock_off_ms: int = 0
    takeovers: int = 0
    beat_age_s: float = 0.5
    asked: list[tuple[object, ...]] = field(default_factory=list)
    """What the staff have asked for."""

    def all(self) -> tuple[NodeRow, ...]:
        return tuple(self.rows.values())

    def owners(self) -> dict[str, Ownership]:
        return {
            table: Ownership(table, node or NOBODY, 1, 0)
            for table, node in self.tables.items()
        }

    @property
    def registry(self) -> Self:
        return self

    def registered(self) -> Registered:
        return Registered(self.all(), self.owners())

    def drain(self, node: str, *, on: bool) -> None:
        self.asked.append((node, on))

    def ask_to_move(self, table: str, node: str, *, pins: bool) -> None:
        self.asked.append((table, node, pins))

    def owner_of(self, table: str) -> NodeRow | None:
        owner = self.tables.get(table)
        return None if owner is None else self.rows[owner]


@dataclass
class Node:
    """A house on a port, with one of the two tables."""

    house: House
    server: uvicorn.Server
    serving: asyncio.Task[None]
    address: str = ""
    known: KnownNodes = field(default_factory=lambda: KnownNodes("", {}, {}))

    @property
    def client(self) -> HouseClient:
        return HouseClient(self.address)

    async def hang_up(self) -> None:
        """End as a process that is killed: every connection breaks."""
        for server in self.server.servers:
            server.close()
        for connection in tuple(self.server.server_state.connections):
            cast(Any, connection).transport.abort()
        await asyncio.sleep(0)


@asynccontextmanager
async def two_nodes(folder: Path, **security: Any) -> AsyncIterator[tuple[Node, Node]]:
    """Serve both; the token of the terminal of `t2` is its name."""
    nodes = []
    for name in ("one", "two"):
        (folder / name).mkdir()
        nodes.append(await _serve(folder / name, SecurityOptions(**security)))
    one, two = nodes
    rows = {
        name: NodeRow(name, node.address, "1", is_connected=True, silent_ms=0)
        for name, node in (("one", one), ("two", two))
    }
    tables: dict[str, str | None] = {"t1": "one", "t2": "two"}
    for name, node, gone in (("one", one, "t2"), ("two", two, "t1")):
        node.known = KnownNodes(name, rows, tables)
        node.house.floor.nodes = cast(Nodes, node.known)
        await asyncio.to_thread(node.house.floor.tables.pop(gone).close)
    try:
        yield one, two
    finally:
        for node in nodes:
            node.server.should_exit = True
            await node.serving
            node.house.floor.nodes = None
            await node.house.floor.close()
            node.house.store.close()


async def _serve(folder: Path, security: SecurityOptions) -> Node:
    house = House(folder, TEXT)
    house.clock = now_ms  # type: ignore[method-assign]
    house.floor.clock = now_ms
    house.floor.record.write(
        ev.DeviceInvited("a test", TERMINAL, DeviceKind.TERMINAL.value, "t2", 0, "c"),
        ev.DeviceEnrolled(TERMINAL, digest_of(TERMINAL)),
    )
    app = application(house.floor, Metrics(), ApiOptions(), security)
    config = uvicorn.Config(
        cast(Any, app),
        port=0,
        ws=PlayProtocol,
        lifespan="off",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    return Node(house, server, serving, f"http://127.0.0.1:{port}")


async def log_on_at(one: Node, two: Node, name: str) -> str:
    """A session that both know, as all nodes of a house know each."""
    token = f"session of {name}"
    with patch.object(log_on, "token_urlsafe", return_value=token):
        for node in (one, two):
            await node.client.log_on(name, PASSWORD)
    return token
