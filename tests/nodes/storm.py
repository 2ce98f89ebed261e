"""Many light terminals that all come back at once when their node is gone.

Some have credit, and send their one wager again whenever they come back.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Thread

from websockets.asyncio.client import connect

from tests.faults.device import LOST, Message
from tests.faults.house_process import TABLES, new_id
from tests.nodes.cluster import Cluster
from tests.robustness.recorder import Journal
from tests.waiting import wait_for

_SHOWN = ("round", "phase", "interrupted", "takes_wagers")
_PAUSE_S = 0.2
_BOUGHT_CENTS, _STAKE_CENTS = 5_000, 500


@dataclass
class StormTerminal:
    """A terminal that says hello again after each break, at any node."""

    cluster: Cluster
    name: str
    table: str
    hello: dict[str, str]
    wager: Message | None = None
    """The message that it sends on every connection, under one id."""
    credit_cents: int = 0
    """The credit of its seat after the wager."""
    view: Message = field(default_factory=dict)
    """The table's state as last told; empty without a connection."""
    seat: Message = field(default_factory=dict)
    answers: list[Message] = field(default_factory=list)
    """The answer to its wager, without the changes of the seat."""

    @property
    def shown(self) -> tuple[object, ...] | None:
        is_whole = self.view and self.seat.get("credit_cents") == self.credit_cents
        return tuple(self.view[name] for name in _SHOWN) if is_whole else None

    def play_for(self, round_number: int) -> None:
        """Buy in, and wager on red in a round."""
        bought = {"id": new_id(), "cents": _BOUGHT_CENTS}
        path = f"/api/tables/{self.table}/seats/{self.name}/buy-in"
        self.cluster.ask("POST", path, bought, by="Carl")
        placed = {"id": new_id(), "wager": "red", "stake_cents": _STAKE_CENTS}
        self.wager = {
            "type": "wagers",
            "id": new_id(),
            "round": round_number,
            "place": [placed],
        }
        self.credit_cents = _BOUGHT_CENTS - _STAKE_CENTS

    async def play(self) -> None:
        while True:
            with suppress(*LOST):
                await self._listen()
            self.view, self.seat = {}, {}
            await asyncio.sleep(_PAUSE_S)

    async def _listen(self) -> None:
        address = self.cluster.address.replace("http", "ws") + (
            f"/api/tables/{self.table}/play"
        )
        async with connect(
            address, compression=None, max_size=None, proxy=None, close_timeout=0.1
        ) as line:
            await line.send(json.dumps(self.hello))
            async for text in line:
                told = json.loads(text)
                if told["type"] == "bye":
                    assert told["come_back"], told
                    return
                is_first = told["type"] == "snapshot"
                if is_first or self.view:
                    self.view = {**self.view, **(told.get("view") or {})}
                    self.seat = {**self.seat, **(told.get("seat") or {})}
                if is_first and self.wager is not None:
                    await line.send(json.dumps(self.wager))
                if told["type"] == "answer":
                    self.answers.append({**told, "seat": None})


def invite(cluster: Cluster, count: int) -> list[StormTerminal]:
    """Pair terminals beside the nodes."""
    names = [f"storm {number}" for number in range(count)]
    return [
        StormTerminal(cluster, name, table, {"type": "hello", "device": token})
        for number, table in enumerate(TABLES)
        for name, token in cluster.pair(table, names[number :: len(TABLES)]).items()
    ]


class Storm:
    """All of them, on a thread of their own."""

    def __init__(self, terminals: list[StormTerminal]) -> None:
        self.terminals = terminals

    def are_shown(self, table: str, **wanted: object) -> bool:
        """Return whether all are connected and show the wanted view."""
        for name in TABLES:
            shown = {each.shown for each in self.terminals if each.table == name}
            if len(shown) != 1 or None in shown:
                return False
        at = next(each for each in self.terminals if each.table == table)
        view = at.view
        return all(view.get(name) == value for name, value in wanted.items())

    def wait_until_shown(self, table: str, seconds: float, **wanted: object) -> float:
        """Wait until all have one view and their credit; return the seconds."""
        began = time.monotonic()
        wait_for(lambda: self.are_shown(table, **wanted), seconds)
        return time.monotonic() - began

    def check_wagers(self, journal: Journal) -> int:
        """Compare each wager with the journal: placed once, and answered alike.

        The number of answers.
        """
        players = [each for each in self.terminals if each.wager is not None]
        for each in players:
            assert each.wager is not None
            key = each.table, f"d:{each.name}:{each.wager['id']}"
            kinds = [event["kind"] for event in journal.commands[key]]
            assert kinds.count("WagerPlaced") == 1, (key, kinds)
            assert each.answers[0]["registered"], each.answers
            told = [(again["sequence"], again["registered"]) for again in each.answers]
            assert len(set(told)) == 1, (each.name, told)
        return sum(len(each.answers) for each in players)


@contextmanager
def storm(terminals: list[StormTerminal]) -> Iterator[Storm]:
    """Terminals that are connected, until the end."""
    all_of_them = Storm(terminals)
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
