"""Nodes of a house on one PostgreSQL: a carried connection against a direct one.

Real server processes on a real PostgreSQL, load processes on loopback. The same wagers
are sent by terminals that are connected to the node of their table, and by terminals
that are connected to another node, which carries every message there and back. Then the
same load over 1, 2 and 4 nodes. On a machine with few cores more nodes don't make more
wagers a second: what is compared is the processor's time for each.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).parents[1]))

import psycopg
from terminals import cpu_seconds, deal, loading, make_house, result, tell

from tests.journal.server import Server, running_server

TERMINALS, WAGERS, IN_FLIGHT = 40, 200, 4
TABLES = 4
LOADS = 4
"""Processes that send: one would be the limit before four nodes are."""
_OWNER = re.compile(
    r'^croupier_table_owner\{node="(\w+)",table="([^"]+)"\} 1', re.MULTILINE
)


@dataclass(frozen=True, slots=True)
class Node:
    """A server process that is one of several."""

    name: str
    process: subprocess.Popen[str]
    url: str

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def owners(self) -> dict[str, str]:
        """Return the node of each table, as this one knows."""
        with urlopen(f"{self.url}/metrics") as answer:
            found = _OWNER.findall(answer.read().decode())
        return {table: node for node, table in found}


@contextmanager
def node(name: str, database: str) -> Iterator[Node]:
    command = [sys.executable, "-m", "croupier", "serve", "--database", database]
    process = subprocess.Popen(
        [*command, "--node", name, "--port", "0", "--log-level", "error"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    url = process.stdout.readline().split()[-1]
    try:
        yield Node(name, process, url)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(30)


def spread(nodes: list[Node]) -> Mapping[str, str]:
    """Wait until each node serves as many tables as any other; return who has which."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        owners = nodes[0].owners()
        counts = [list(owners.values()).count(each.name) for each in nodes]
        is_even = len(owners) == TABLES and max(counts) - min(counts) <= 1
        if is_even and all(each.owners() == owners for each in nodes):
            return owners
        time.sleep(0.2)
    raise TimeoutError("the tables are not spread over the nodes")


def measure(server: Server, schema: str, count: int, *, carried: bool) -> None:
    """Print what the same wagers cost over so many nodes."""
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}".encode())
    database = server.url(f"-c search_path={schema}")
    hellos = make_house(database, TERMINALS, TABLES)
    with ExitStack() as stack:
        nodes = [
            stack.enter_context(node(f"n{number}", database)) for number in range(count)
        ]
        owners = spread(nodes)
        ports = {}
        for place, each in enumerate(nodes):
            at = nodes[(place + 1) % count] if carried else each
            ports[each.name] = at.port
        orders = {
            "host": "127.0.0.1",
            "path": "/api/play",
            "wagers": WAGERS,
            "seconds": 0,
            "in_flight": IN_FLIGHT,
            "outcome": False,
        }
        loads = []
        for part in range(LOADS):
            mine = hellos[part::LOADS]
            at = [ports[owners[hello["table"]]] for hello in mine]
            loads.append(
                stack.enter_context(loading({**orders, "hellos": mine, "ports": at}))
            )
        deal(nodes[0].url, TABLES, "place your bets")
        before = [cpu_seconds(each.process.pid) for each in nodes]
        for load in loads:
            tell(load, "go")
        found = [result(load) for load in loads]
        used = [
            cpu_seconds(each.process.pid) - cpu
            for each, cpu in zip(nodes, before, strict=True)
        ]
    told(count, carried, found, sum(used))


def told(count: int, carried: bool, found: list[dict[str, Any]], used: float) -> None:
    answers = sum(each["answers"] for each in found)
    seconds = max(each["seconds"] for each in found)
    p50 = sorted(each["p50_ms"] for each in found)[len(found) // 2]
    p99 = max(each["p99_ms"] for each in found)
    how = "carried" if carried else "direct"
    print(
        f"{count} nodes, {how}: {answers:,} answered,"
        f" {answers / seconds:,.0f} wagers/s,"
        f" p50 {p50:.0f} ms, p99 {p99:.0f} ms,"
        f" {1e6 * used / answers:.0f} µs of the processor a wager"
    )


def main() -> None:
    server = running_server()
    print(
        f"{TERMINALS} terminals, {TABLES} tables, {IN_FLIGHT} wagers on their way each"
    )
    for turn in range(3):
        measure(server, f"direct_{turn}", 2, carried=False)
        measure(server, f"carried_{turn}", 2, carried=True)
    print("The same over 1, 2 and 4 nodes, each terminal at its table's node:")
    for count in (1, 2, 4):
        measure(server, f"nodes_{count}", count, carried=False)


if __name__ == "__main__":
    main()
