"""A wager from its frame to the frame of its answer, without the kernel's part.

A whole floor in this process, with a thousand terminals whose sockets keep the written
bytes. In each turn 400 wagers are read, judged, committed and answered. The processor
time of each thread counts, because other programs affect it less than the clock: the
least of all turns, and the first quartile.

`python benchmarks/play_socket.py [TABLES …]`
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
import time
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any
from urllib.parse import quote

import uvicorn
import uvloop
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from terminals import DEALER, make_house, now_ms
from uvicorn.server import ServerState

from croupier.house.floor.floor import Floor, FloorOptions
from croupier.house.people.second_factor import FactorKey
from croupier.journal.stores import open_store
from croupier.rules import commands
from croupier.table import Submission
from croupier.web.metrics import Metrics
from croupier.web.play_protocol import PlayProtocol
from croupier.web.play_socket import PlaySocket

TERMINALS, AT_ONCE, TURNS, FIRST_TURNS = 1_000, 400, 40, 4
HANDSHAKE = (
    b"GET /api/tables/t/play HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
    b"\r\n\r\n"
)
WAGERS = ("straight_up:17", "red", "split:17/20", "dozen:2", "corner:25/26/28/29")
MASK = b"\x01\x02\x03\x04"


class Socket(asyncio.Transport):
    """Counts the answers that are written to all sockets."""

    answers = snapshots = 0

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("127.0.0.1", 1) if name in {"peername", "sockname"} else default

    def write(self, data: bytes | bytearray | memoryview) -> None:
        Socket.answers += bytes(data).count(b'"type":"answer"')
        Socket.snapshots += bytes(data).count(b'"type":"snapshot"')

    def is_closing(self) -> bool:
        return False

    def close(self) -> None: ...

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


def frame(message: object) -> bytes:
    """Return a masked text frame, as a browser writes it."""
    text = json.dumps(message).encode()
    size = len(text)
    short = bytes((0x81, 0x80 | size))
    head = short if size < 126 else bytes((0x81, 0xFE)) + size.to_bytes(2, "big")
    over = MASK * (size // 4 + 1)
    return head + MASK + bytes(a ^ b for a, b in zip(text, over, strict=False))


def used_us() -> dict[str, float]:
    """Return the processor's microseconds of each thread of this process."""
    found = {}
    for thread in Path("/proc/self/task").iterdir():
        found[thread.name] = int((thread / "schedstat").read_text().split()[0]) / 1000
    return found


async def measure(tables: int, folder: str) -> None:
    hellos = make_house(f"{folder}/house.db", TERMINALS, tables)
    with open_store(f"{folder}/house.db") as store:
        key = FactorKey(bytes(32))
        options = FloorOptions(now_ms, time.monotonic, Metrics(), factor_key=key)
        floor = Floor(store, options)
        lines = await connect(floor, hellos)
        for number in range(tables):
            opens = Submission(f"opens {number}", (DEALER,), commands.PlaceYourBets())
            await floor.table(f"table {number + 1}").submit(opens)
        await play(lines, tables)
        for line in lines:
            line.connection_lost(None)
        await floor.close()


async def connect(floor: Floor, hellos: list[dict[str, str]]) -> list[PlayProtocol]:
    route = WebSocketRoute("/api/tables/{table}/play", PlaySocket(floor))
    config = uvicorn.Config(
        Starlette(routes=[route]),
        ws_ping_interval=None,
        log_config=None,
        lifespan="off",
    )
    config.load()
    state = ServerState()
    lines = [PlayProtocol(config, state, {}) for _ in hellos]
    for line, hello in zip(lines, hellos, strict=True):
        line.connection_made(Socket())
        table = quote(hello.pop("table")).encode()
        line.data_received(HANDSHAKE.replace(b"/t/", b"/%s/" % table))
        line.data_received(frame(hello))
    while Socket.snapshots < len(hellos):
        await asyncio.sleep(0.01)
    return lines


async def play(lines: list[PlayProtocol], tables: int) -> None:
    numbers, at, words = count(1), cycle(lines), cycle(WAGERS)
    loop_us, all_us = [], []
    own = str(os.getpid())
    for turn in range(FIRST_TURNS + TURNS):
        sent = [_wager(next(numbers), next(words)) for _ in range(AT_ONCE)]
        wanted, before = Socket.answers + AT_ONCE, used_us()
        for line, data in zip(islice(at, AT_ONCE), sent, strict=True):
            line.data_received(data)
        while Socket.answers < wanted:
            await asyncio.sleep(0.002)
        after = used_us()
        if turn >= FIRST_TURNS:
            spent = {name: us - before.get(name, 0) for name, us in after.items()}
            loop_us.append(spent[own] / AT_ONCE)
            all_us.append(sum(spent.values()) / AT_ONCE)
    print(f"{tables} tables, µs of the processor a wager (least, first quarter):")
    for name, each in (("all threads", all_us), ("the event loop", loop_us)):
        least, *_ = ordered = sorted(each)
        print(f"  {name}: {least:.1f}, {ordered[len(ordered) // 4]:.1f}")


def _wager(number: int, words: str) -> bytes:
    place = {"id": f"w{number}", "wager": words, "stake_cents": 500}
    return frame({"type": "wagers", "id": f"m{number}", "round": 1, "place": [place]})


def main() -> None:
    for tables in map(int, sys.argv[1:] or ("1", "10", "50")):
        with tempfile.TemporaryDirectory() as folder:
            uvloop.run(measure(tables, folder))


if __name__ == "__main__":
    main()
