"""Nodes of a house on one PostgreSQL behind HAProxy, against one node without a proxy.

Real server processes on a real PostgreSQL behind the real HAProxy, load processes on
loopback. On a machine with few cores more nodes don't make more wagers a second, so the
processor time of each wager is compared, at the nodes and at the proxy.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).parents[1]))

import psycopg
from terminals import cpu_seconds, deal, loading, make_house, result, tell

from tests.journal.server import Server, running_server
from tests.nodes.haproxy import HaProxy, free_port

TERMINALS, WAGERS, IN_FLIGHT = 40, 200, 4
TABLES = 20
LOADS = 4
"""Sending processes: a single one would reach its limit before four nodes do."""


@contextmanager
def node(name: str, database: str, port: int) -> Iterator[subprocess.Popen[str]]:
    command = [sys.executable, "-m", "croupier", "serve", "--database", database]
    process = subprocess.Popen(
        [*command, "--node", name, "--port", str(port), "--log-level", "error"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.readline()
    try:
        yield process
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def wait_until_served(port: int) -> None:
    """Wait until every table is served, and the proxy knows all nodes."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/api/tables") as told:
            if not any(each["is_unserved"] for each in json.load(told)):
                time.sleep(5)
                return
        time.sleep(0.2)
    raise TimeoutError("some tables are not served")


def measure(server: Server, schema: str, count: int, *, proxied: bool) -> None:
    """Print the cost of the same wagers with this number of nodes."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}".encode())
    database = server.url(f"-c search_path={schema}")
    hellos = make_house(database, TERMINALS, TABLES)
    ports = {f"n{number}": free_port() for number in range(count)}
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        proxy = HaProxy(folder, ports)
        stack.callback(proxy.stop)
        nodes = [
            stack.enter_context(node(name, database, port))
            for name, port in ports.items()
        ]
        port = proxy.port if proxied else ports["n0"]
        wait_until_served(port)
        orders = {
            "host": "127.0.0.1",
            "port": port,
            "wagers": WAGERS,
            "seconds": 0,
            "in_flight": IN_FLIGHT,
            "outcome": False,
        }
        deal(f"http://127.0.0.1:{port}", TABLES, "place your bets")
        loads = [
            stack.enter_context(loading({**orders, "hellos": hellos[part::LOADS]}))
            for part in range(LOADS)
        ]
        pids = [each.pid for each in nodes], [proxy.pid]
        before = [sum(map(cpu_seconds, each)) for each in pids]
        for load in loads:
            tell(load, "go")
        found = [result(load) for load in loads]
        used = [
            sum(map(cpu_seconds, each)) - cpu
            for each, cpu in zip(pids, before, strict=True)
        ]
    told(count, found, *used)


def told(count: int, found: list[dict[str, Any]], nodes: float, proxy: float) -> None:
    answers = sum(each["answers"] for each in found)
    seconds = max(each["seconds"] for each in found)
    p50 = sorted(each["p50_ms"] for each in found)[len(found) // 2]
    p99 = max(each["p99_ms"] for each in found)
    print(
        f"{count} nodes: {answers:,} answered, {answers / seconds:,.0f} wagers/s,"
        f" p50 {p50:.0f} ms, p99 {p99:.0f} ms, µs of the processor a wager:"
        f" {1e6 * nodes / answers:.0f} at nodes,"
        f" {1e6 * proxy / answers:.0f} at HAProxy",
        flush=True,
    )


def main() -> None:
    server = running_server()
    print(
        f"{TERMINALS} terminals, {TABLES} tables, {IN_FLIGHT} wagers on their way each"
    )
    print("One node without a proxy:")
    measure(server, "direct", 1, proxied=False)
    print("Behind HAProxy:")
    for count in (1, 2, 4):
        measure(server, f"nodes_{count}", count, proxied=True)


if __name__ == "__main__":
    main()
