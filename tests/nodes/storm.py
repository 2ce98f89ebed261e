"""Many light terminals that all come back at once when their node is gone."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import Any

from websockets.asyncio.client import connect

from tests.faults.device import LOST
from tests.faults.house_process import TABLES
from tests.nodes.cluster import Cluster
from tests.waiting import wait_for

_SHOWN = ("round", "phase", "interrupted", "takes_wagers")
_PAUSE_S = 0.2


def invite(cluster: Cluster, count: int) -> list[dict[str, str]]:
    """Pair so many terminals beside the nodes; how each says hello."""
    names = [f"storm {number}" for number in range(count)]
    return [
        {"type": "hello", "table": table, "device": token}
        for number, table in enumerate(TABLES)
        for token in cluster.pair(table, names[number :: len(TABLES)]).values()
    ]


@dataclass
class StormTerminal:
    """Says hello again whenever its line breaks, at whichever node there is."""

    cluster: Cluster
    hello: dict[str, str]
    view: dict[str, Any] = field(default_factory=dict)
    """How the table stands, for all it was told; empty while it has no line."""

    @property
    def shown(self) -> tuple[object, ...] | None:
        return tuple(self.view[name] for name in _SHOWN) if self.view else None

    async def play(self) -> None:
        while True:
            with suppress(*LOST):
                await self._listen()
            self.view = {}
            await asyncio.sleep(_PAUSE_S)

    async def _listen(self) -> None:
        address = self.cluster.address.replace("http", "ws") + "/api/play"
        async with connect(
            address, compression=None, max_size=None, proxy=None, close_timeout=0.1
        ) as line:
            await line.send(json.dumps(self.hello))
            async for text in line:
                told = json.loads(text)
                if told["type"] == "bye":
                    assert told["come_back"], told
                    return
                if told["type"] == "snapshot" or self.view:
                    self.view = {**self.view, **(told.get("view") or {})}


class Storm:
    """All of them, on a thread of their own."""

    def __init__(self, cluster: Cluster, hellos: list[dict[str, str]]) -> None:
        self.cluster = cluster
        self.terminals = [StormTerminal(cluster, each) for each in hellos]

    def are_shown(self, table: str, **wanted: object) -> bool:
        """Whether all are connected and have one view, at one table as wanted."""
        for name in TABLES:
            shown = {
                each.shown for each in self.terminals if each.hello["table"] == name
            }
            if len(shown) != 1 or None in shown:
                return False
        at = next(each for each in self.terminals if each.hello["table"] == table)
        view = at.view
        return all(view.get(name) == value for name, value in wanted.items())

    def wait_until_shown(self, table: str, seconds: float, **wanted: object) -> float:
        """Wait until all are consistent; the seconds that it took."""
        began = time.monotonic()
        wait_for(lambda: self.are_shown(table, **wanted), seconds)
        return time.monotonic() - began


@contextmanager
def storm(cluster: Cluster, hellos: list[dict[str, str]]) -> Iterator[Storm]:
    """Terminals that are connected, until the end."""
    all_of_them = Storm(cluster, hellos)
    loop = asyncio.new_event_loop()

    async def play() -> None:
        async with asyncio.TaskGroup() as group:
            for each in all_of_them.terminals:
                group.create_task(each.play())

    playing = loop.create_task(play())
    thread = Thread(target=_run, args=(loop, playing), name="storm")
    thread.start()
    try:
        yield all_of_them
    finally:
        loop.call_soon_threadsafe(playing.cancel)
        thread.join()


def _run(loop: asyncio.AbstractEventLoop, playing: asyncio.Task[None]) -> None:
    with asyncio.Runner(loop_factory=lambda: loop) as runner:
        runner.run(_until_cancelled(playing))


async def _until_cancelled(playing: asyncio.Task[None]) -> None:
    await asyncio.wait([playing])
