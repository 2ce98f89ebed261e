"""Time of `/health` while the server is attacked, beside a calm server.

A real server with few files (`ulimit -n 400`), an attacker in a separate process at
another loopback address, and a watchdog that asks for `/health` over a new connection
every 20 ms. Each attack has several turns: a calm one, then an attacked one. Aim: an
answer within a second under every attack.

`python benchmarks/attacked_house.py [TURNS [SECONDS]]`.
"""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from websockets.asyncio.client import connect

TURNS, SECONDS = ([int(word) for word in sys.argv[1:] if word.isdigit()] + [5, 3])[:2]
FILES = 400
ATTACKER = "127.0.0.2"
EVERY_S = 0.02
AIM_MS = 1000


# The attacks. Each lasts as long as its process.


async def opened(
    host: str, port: int
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    return await asyncio.open_connection(host, port, local_addr=(ATTACKER, 0))


async def again_and_again(act: Callable[[], Awaitable[None]], at_once: int) -> None:
    """Repeat an attack in several tasks; restart a task that the server has cut off."""

    async def one() -> None:
        while True:
            with suppress(OSError, EOFError):
                await act()
            await asyncio.sleep(0.001)

    await asyncio.gather(*(one() for _ in range(at_once)))


async def long_paths(host: str, port: int) -> None:
    request = b"GET /" + b"_" * 20_000 + b" HTTP/1.1\r\nHost: h\r\n\r\n"

    async def act() -> None:
        reader, writer = await opened(host, port)
        writer.write(request)
        await reader.read(100)
        writer.close()

    await again_and_again(act, 20)


async def endless_headers(host: str, port: int) -> None:
    chunk = b"".join(b"X-%06d: %s\r\n" % (n, b"y" * 100) for n in range(100))

    async def act() -> None:
        _, writer = await opened(host, port)
        writer.write(b"GET /health HTTP/1.1\r\nHost: h\r\n")
        while not writer.is_closing():
            writer.write(chunk)
            await writer.drain()

    await again_and_again(act, 20)


async def large_headers(host: str, port: int) -> None:
    lines = b"".join(b"X-%d: %s\r\n" % (n, b"y" * 200) for n in range(100))

    async def act() -> None:
        reader, writer = await opened(host, port)
        writer.write(b"GET /health HTTP/1.1\r\nHost: h\r\n" + lines + b"\r\n")
        await reader.read(100)
        writer.close()

    await again_and_again(act, 20)


async def silent_connections(host: str, port: int) -> None:
    async def act() -> None:
        reader, writer = await opened(host, port)
        await reader.read(100)
        writer.close()

    await again_and_again(act, 800)


async def drop_by_drop(host: str, port: int) -> None:
    async def act() -> None:
        _, writer = await opened(host, port)
        while not writer.is_closing():
            writer.write(b"G")
            await asyncio.sleep(0.1)

    await again_and_again(act, 200)


async def wrong_log_ons(host: str, port: int) -> None:
    body = json.dumps({"name": "Dana", "password": "not the password"}).encode()
    head = b"POST /api/log-on HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
    request = head + b"Content-Length: %d\r\n\r\n" % len(body) + body

    async def act() -> None:
        reader, writer = await opened(host, port)
        writer.write(request)
        await reader.read(100)
        writer.close()

    await again_and_again(act, 20)


async def attempts_to_sit(host: str, port: int) -> None:
    seat = asked(host, port, "POST", "/api/tables/table%201/guests")
    await over_a_socket(
        host,
        port,
        {"type": "hello", "device": seat["token"]},
        {"type": "sit", "player": "Unknown", "pin": "4711"},
    )


async def refused_messages(host: str, port: int) -> None:
    await over_a_socket(
        host,
        port,
        {"type": "hello"},
        {"type": "collect", "cents": 1},
    )


async def over_a_socket(
    host: str, port: int, hello: dict[str, str], message: dict[str, object]
) -> None:
    """Send a message as fast as the server reads it, with sixty on their way."""
    address = f"ws://{host}:{port}/api/tables/table%201/play"
    async with connect(address, local_addr=(ATTACKER, 0), proxy=None) as line:
        await line.send(json.dumps(hello))
        await line.recv()
        number = 0
        while True:
            for _ in range(60):
                number += 1
                await line.send(json.dumps({**message, "id": f"m{number}"}))
            for _ in range(60):
                await line.recv()


ATTACKS = (
    long_paths,
    endless_headers,
    large_headers,
    silent_connections,
    drop_by_drop,
    wrong_log_ons,
    attempts_to_sit,
    refused_messages,
)


# The server and its watchdog


def asked(
    host: str, port: int, method: str, path: str, body: object = None
) -> dict[str, str]:
    line = HTTPConnection(host, port, timeout=20)
    try:
        named = {"Content-Type": "application/json"}
        line.request(method, path, json.dumps(body) if body else None, named)
        answer = line.getresponse()
        assert answer.status < 300, (path, answer.status)
        told: dict[str, str] = json.loads(answer.read())
        return told
    finally:
        line.close()


def health_ms(host: str, port: int) -> float:
    """Return the time from opening a connection to the whole answer."""
    began = time.perf_counter()
    with socket.create_connection((host, port), timeout=30) as sock:
        sock.sendall(b"GET /health HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n")
        read = b""
        while chunk := sock.recv(4096):
            read += chunk
    assert read.startswith(b"HTTP/1.1 200"), read[:100]
    return (time.perf_counter() - began) * 1000


def watched(host: str, port: int) -> list[float]:
    end, found = time.monotonic() + SECONDS, []
    while time.monotonic() < end:
        found.append(health_ms(host, port))
        time.sleep(EVERY_S)
    return found


def served() -> tuple[subprocess.Popen[str], str, int]:
    few = f'ulimit -n {FILES}; exec "$0" "$@"'
    process = subprocess.Popen(
        [
            *("sh", "-c", few, sys.executable, "-m", "croupier", "serve"),
            *("--demonstration", "--port", "0", "--log-level", "error"),
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    for line in process.stdout:
        if found := re.search(r"(http://[0-9.:]+)", line):
            where = urlsplit(found[1])
            assert where.hostname is not None
            assert where.port is not None
            return process, where.hostname, where.port
    raise SystemExit("the server did not start")


def memory_mb(process: subprocess.Popen[str]) -> float:
    status = Path(f"/proc/{process.pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 1024


def attacked(name: str, host: str, port: int) -> list[float]:
    """Measure `/health` from half a second after the attack begins."""
    words = [sys.executable, __file__, "--attack", name, host, str(port)]
    attacker = subprocess.Popen(words, stderr=subprocess.DEVNULL)
    try:
        time.sleep(0.5)
        found = watched(host, port)
        assert attacker.poll() is None, f"{name}: the attacker gave up"
        return found
    finally:
        attacker.kill()
        attacker.wait()


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def main() -> None:
    process, host, port = served()
    print(f"/health over new connections, {TURNS} turns of {SECONDS} s, {FILES} files")
    try:
        for attack in ATTACKS:
            calm: list[float] = []
            under: list[float] = []
            before = memory_mb(process)
            for _ in range(TURNS):
                calm += watched(host, port)
                under += attacked(attack.__name__, host, port)
                time.sleep(0.3)
            more = memory_mb(process) - before
            name = attack.__name__.replace("_", " ")
            usual, found = statistics.median(calm), statistics.median(under)
            most, usual_most = percentile(under, 0.99), percentile(calm, 0.99)
            print(
                f"{name}: median {found:.1f} ms against {usual:.1f} ms calm,"
                f" 99 of 100 within {most:.0f} against {usual_most:.0f} ms,"
                f" longest {max(under):.0f} against {max(calm):.0f} ms,"
                f" {more:+.0f} MB, aim {'met' if max(under) < AIM_MS else 'MISSED'}"
            )
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--attack"]:
        by_name = {each.__name__: each for each in ATTACKS}
        asyncio.run(by_name[sys.argv[2]](sys.argv[3], int(sys.argv[4])))
    else:
        main()
