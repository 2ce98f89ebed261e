"""The load of many terminals, in a process of its own: plain sockets, one loop.

It reads one JSON line of orders from standard input and prints one JSON line of what it
saw. Frames are written by hand, because a client library costs more than the server.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote

HANDSHAKE = (
    "GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
    "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
PAUSE_S = 0.2
"""Before a terminal whose line was lost comes back."""
PONG, TEXT, PING, CLOSE = 0xA, 0x1, 0x9, 0x8


def frame(payload: bytes, kind: int = TEXT) -> bytes:
    """Return a masked frame whose mask is zero."""
    size = len(payload)
    head = (
        bytes([0x80 | kind, 0x80 | size])
        if size < 126
        else (bytes([0x80 | kind, 0x80 | 126]) + size.to_bytes(2, "big"))
    )
    return head + b"\0\0\0\0" + payload


@dataclass
class Seen:
    """What came back, over all terminals."""

    latencies: list[float] = field(default_factory=list)
    registered: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    outcomes: list[float] = field(default_factory=list)
    settled: list[float] = field(default_factory=list)
    closed: int = 0


class Terminal(asyncio.Protocol):
    """One terminal; `sent` has the time of each command that is not answered.

    If its connection is lost, as when its table moves to another node, it connects
    again and sends those again.
    """

    def __init__(self, seen: Seen, hello: bytes, url: tuple[str, int, str]) -> None:
        self._seen, self._hello, self._url = seen, hello, url
        self._buffer = bytearray()
        self._is_open = self._is_in = False
        self._texts: dict[str, bytes] = {}
        self.sent: dict[str, float] = {}
        self.ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.on_answer: Any = None
        self.transport: Any = None

    def connection_made(self, transport: Any) -> None:
        self.transport = transport
        host, port, path = self._url
        transport.write(HANDSHAKE.format(path=path, host=host, port=port).encode())

    def connection_lost(self, exc: Exception | None) -> None:
        self._seen.closed += 1
        self._is_in = False
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(str(exc)))
        else:
            self._coming = asyncio.create_task(self._come_back())

    async def _come_back(self) -> None:
        host, port, _ = self._url
        while True:
            await asyncio.sleep(PAUSE_S)
            self._is_open, self._buffer = False, bytearray()
            with suppress(OSError):
                await asyncio.get_running_loop().create_connection(
                    lambda: self, host, port
                )
                return

    def send(self, message_id: str, text: bytes) -> None:
        self.sent[message_id], self._texts[message_id] = time.perf_counter(), text
        if self._is_in:
            self.transport.write(frame(text))

    def _come_in(self) -> None:
        """Be ready, and send again what is not answered."""
        self._is_in = True
        if not self.ready.done():
            self.ready.set_result(None)
        for text in self._texts.values():
            self.transport.write(frame(text))

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._is_open:
            head, found, rest = self._buffer.partition(b"\r\n\r\n")
            if not found:
                return
            assert b" 101 " in head.split(b"\r\n")[0], bytes(head)
            self._is_open, self._buffer = True, bytearray(rest)
            if self._hello:
                self.transport.write(frame(self._hello))
            else:
                self._come_in()
        self._take_frames()

    def _take_frames(self) -> None:
        buffer, place = self._buffer, 0
        while len(buffer) - place >= 2:
            kind, size, start = buffer[place] & 0xF, buffer[place + 1], place + 2
            if size == 126:
                size, start = (
                    int.from_bytes(buffer[start : start + 2], "big"),
                    start + 2,
                )
            elif size == 127:
                size, start = (
                    int.from_bytes(buffer[start : start + 8], "big"),
                    start + 8,
                )
            if len(buffer) < start + size:
                break
            self._take(kind, bytes(buffer[start : start + size]))
            place = start + size
        del buffer[:place]

    def _take(self, kind: int, payload: bytes) -> None:
        if kind == PING:
            self.transport.write(frame(payload, PONG))
        elif kind == TEXT:
            start = payload[:200]
            if start.startswith((b'{"type":"answer"', b'{"type":"wagers"')):
                self._answered(json.loads(payload))
            elif start.startswith(b'{"type":"snapshot"') and not self._is_in:
                self._come_in()
            elif b'"event":"OutcomeAnnounced"' in start:
                self._seen.outcomes.append(time.time())
            elif b'"event":"RoundSettled"' in start:
                self._seen.settled.append(time.time())

    def _answered(self, message: dict[str, Any]) -> None:
        """Count an answer, or an echo of the message itself."""
        seen = self._seen
        del self._texts[message["id"]]
        seen.latencies.append(time.perf_counter() - self.sent.pop(message["id"]))
        if message.get("registered", True):
            seen.registered += 1
        else:
            reason = f"{message['clause']} {message['reason']}"
            seen.refused[reason] = seen.refused.get(reason, 0) + 1
        if self.on_answer:
            self.on_answer(self)


def wager(number: int, which: int) -> tuple[str, bytes]:
    """Return a wager of one chip, as a terminal sends it."""
    message_id = f"m{which}"
    place = {"id": f"w{which}", "wager": str(1 + (number + which) % 36)}
    body = {
        "type": "wagers",
        "id": message_id,
        "round": 1,
        "place": [{**place, "stake_cents": 100}],
    }
    return message_id, json.dumps(body, separators=(",", ":")).encode()


async def play(orders: dict[str, Any]) -> dict[str, Any]:
    hellos, seen, loop = orders["hellos"], Seen(), asyncio.get_running_loop()
    terminals: list[Terminal] = []
    for hello in hellos:
        table = quote(hello.pop("table")) if hello else ""
        text = json.dumps(hello).encode() if hello else b""
        url = (orders["host"], orders["port"], f"/api/tables/{table}/play")
        _, terminal = await loop.create_connection(
            lambda text=text, url=url: Terminal(seen, text, url), url[0], url[1]
        )
        terminals.append(terminal)
    await asyncio.gather(*(terminal.ready for terminal in terminals))
    print("ready", flush=True)
    await loop.run_in_executor(None, sys.stdin.readline)
    cpu, began = time.process_time(), time.perf_counter()
    each = orders["wagers"]
    if orders["seconds"]:
        await spread(terminals, each, orders["seconds"])
    else:
        await flood(terminals, each, orders["in_flight"])
    deadline = time.perf_counter() + 60
    while any(terminal.sent for terminal in terminals):
        waiting = sum(len(terminal.sent) for terminal in terminals)
        told = f"{waiting} not answered in a minute, {seen.closed} connections lost"
        assert time.perf_counter() < deadline, told
        await asyncio.sleep(0.005)
    took, cpu = time.perf_counter() - began, time.process_time() - cpu
    if orders["outcome"]:
        print("answered", flush=True)
        while len(seen.settled) < len(terminals):
            assert time.perf_counter() < deadline + 60, "not everybody heard the end"
            await asyncio.sleep(0.005)
    ordered = sorted(seen.latencies) or [0.0]
    return {
        "answers": len(seen.latencies),
        "registered": seen.registered,
        "refused": seen.refused,
        "p50_ms": 1000 * ordered[len(ordered) // 2],
        "p99_ms": 1000 * ordered[len(ordered) * 99 // 100],
        "max_ms": 1000 * ordered[-1],
        "seconds": took,
        "load_cpu_seconds": cpu,
        "last_outcome": max(seen.outcomes, default=0),
        "last_settled": max(seen.settled, default=0),
        "closed": seen.closed,
        "pid": os.getpid(),
    }


async def spread(terminals: list[Terminal], each: int, seconds: float) -> None:
    """Every terminal sends its wagers at moments of its own within the seconds."""
    loop, chance = asyncio.get_running_loop(), random.Random(17)
    for number, terminal in enumerate(terminals):
        for which in range(each):
            message_id, text = wager(number, which)
            loop.call_later(chance.random() * seconds, terminal.send, message_id, text)
    await asyncio.sleep(seconds)


async def flood(terminals: list[Terminal], each: int, in_flight: int) -> None:
    """Commands on their way from each terminal; an answer lets the next one go."""
    sent = dict.fromkeys(terminals, 0)
    numbers = {terminal: number for number, terminal in enumerate(terminals)}

    def next_one(terminal: Terminal) -> None:
        which = sent[terminal]
        if which < each:
            sent[terminal] = which + 1
            terminal.send(*wager(numbers[terminal], which))

    for terminal in terminals:
        terminal.on_answer = next_one
        for _ in range(in_flight):
            next_one(terminal)
    while any(count < each for count in sent.values()):
        await asyncio.sleep(0.005)


if __name__ == "__main__":
    print(json.dumps(asyncio.run(play(json.loads(sys.stdin.readline())))), flush=True)
