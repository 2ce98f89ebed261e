"""A thousand terminals at one table: the last three seconds before “No more bets”.

A real server process and a real load process on loopback. Every terminal sends twenty
wagers as twenty messages at random moments within three seconds; each is judged,
committed and answered. Then the same messages are sent as fast as possible, against an
echo of them on the same stack, and an outcome goes to all terminals, against the same
bytes from a server that does nothing else. The load generator's time is separate.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import connect as open_websocket

from croupier.house.configuration.house_file import read_house
from croupier.house.configuration.setup import prepare
from croupier.house.people import devices
from croupier.house.records.house_record import HouseRecord
from croupier.house.records.house_state import DeviceKind
from croupier.journal.stores import open_store
from croupier.ledger.commands import BuyIn
from croupier.protocol.client import connect
from croupier.protocol.http import HouseClient
from croupier.rules.operator import Person, Role
from croupier.table import NewTable, Submission, Table

HERE = Path(__file__).parent
HOUSE = """
[house]
name = "Bench"
operator = "Croupier"
money = "demonstration"
currency = "SGD"
time_zone = "Asia/Singapore"
"""
TABLE = """
[[tables]]
name = "table {number}"
game = "rws-triple-zero"
wheel = "console"
countdown_seconds = 0
limits = {{ "*" = [1, 10000] }}
"""
STAFF = """
[[staff]]
name = "Dana"
positions = ["Dealer"]
"""
DEALER = Person("Dana", Role.DEALER)
ECHO = """
import sys, uvicorn
async def app(scope, receive, send):
    await receive()
    await send({"type": "websocket.accept"})
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            return
        await send({"type": "websocket.send", "text": message["text"]})
uvicorn.run(app, port=int(sys.argv[1]), ws="websockets-sansio", lifespan="off",
            ws_per_message_deflate=False, log_config=None, access_log=False)
"""
BROADCAST = """
import sys, uvicorn
senders = []
async def app(scope, receive, send):
    await receive()
    await send({"type": "websocket.accept"})
    senders.append(send)
    while True:
        message = await receive()
        if message["type"] == "websocket.disconnect":
            senders.remove(send)
            return
        for each in senders:
            await each({"type": "websocket.send", "text": message["text"]})
uvicorn.run(app, port=int(sys.argv[1]), ws="websockets-sansio", lifespan="off",
            ws_per_message_deflate=False, log_config=None, access_log=False)
"""
UPDATE = '{{"type":"update","happened":[{{"event":"{event}"}}],"view":"{filling}"}}'
"""About as long as the house's own update with an outcome."""


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def make_house(path: str, terminals: int, tables: int) -> list[dict[str, str]]:
    """Make a house with its terminals in credit; return the hello message of each."""
    text = HOUSE + "".join(TABLE.format(number=n + 1) for n in range(tables)) + STAFF
    with open_store(path) as store:
        plan = read_house(text, "bench.toml")
        prepare(store, now_ms, plan)
        limits = {table.name: table.limits for table in plan.tables}
        record = HouseRecord(store, now_ms)
        hellos = []
        seats: dict[str, list[str]] = {}
        for number in range(terminals):
            name, table = f"T{number}", f"table {1 + number % tables}"
            kind = DeviceKind.TERMINAL
            code = devices.invite_unasked(record, "bench", name, kind, table)
            token, _ = devices.enrol(record, code)
            hellos.append({"type": "hello", "table": table, "device": token})
            seats.setdefault(table, []).append(name)
        for table, names in seats.items():
            new = NewTable(DEALER, "rws-triple-zero", limits[table])
            opened = Table(store, table, clock=now_ms, new=new)
            opened.handle(
                [
                    Submission(f"b{name}", (DEALER,), BuyIn(name, 10**9))
                    for name in names
                ]
            )
    return hellos


@contextmanager
def serving(path: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    command = [sys.executable, "-m", "croupier", "serve", "--database", path]
    server = subprocess.Popen(
        [*command, "--port", "0", "--log-level", "error"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    line = server.stdout.readline()
    try:
        yield server, line.split()[-1]
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)


@contextmanager
def loading(orders: dict[str, Any]) -> Iterator[subprocess.Popen[str]]:
    load = subprocess.Popen(
        [sys.executable, str(HERE / "helpers" / "terminal_load.py")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    tell(load, json.dumps(orders))
    expect(load, "ready")
    try:
        yield load
    finally:
        load.wait(60)


def tell(load: subprocess.Popen[str], line: str) -> None:
    assert load.stdin is not None
    load.stdin.write(f"{line}\n")
    load.stdin.flush()


def expect(load: subprocess.Popen[str], word: str) -> None:
    assert load.stdout is not None
    line = load.stdout.readline().strip()
    assert line == word, line


def result(load: subprocess.Popen[str]) -> dict[str, Any]:
    assert load.stdout is not None
    found: dict[str, Any] = json.loads(load.stdout.readline())
    return found


def memory_kb(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1])
    raise AssertionError(pid)


def cpu_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def run(
    terminals: int, tables: int = 1, *, in_flight: int = 0, wagers: int = 20
) -> dict[str, Any]:
    """Measure once: with `in_flight` as fast as possible, else within 3 seconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/house.db"
        hellos = make_house(path, terminals, tables)
        with serving(path) as (server, url):
            host, _, port = url.removeprefix("http://").partition(":")
            before = memory_kb(server.pid)
            orders = {
                "host": host,
                "port": int(port),
                "hellos": hellos,
                "wagers": wagers,
                "seconds": 0 if in_flight else 3,
                "in_flight": in_flight,
                "outcome": not in_flight,
            }
            with loading(orders) as load:
                connected = memory_kb(server.pid)
                deal(url, tables, "place your bets")
                cpu = cpu_seconds(server.pid)
                tell(load, "go")
                sent = 0.0
                if not in_flight:
                    expect(load, "answered")
                    used = cpu_seconds(server.pid) - cpu
                    deal(url, tables, "no more bets", "spin")
                    sent = deal(url, tables, "outcome")
                    deal(url, tables, "settle")
                found = result(load)
                if in_flight:
                    used = cpu_seconds(server.pid) - cpu
            found["kb_a_connection"] = (connected - before) / terminals
            found["server_cpu_seconds"] = used
            found["fan_out_ms"] = 1000 * (found["last_outcome"] - sent)
            return found


def deal(url: str, tables: int, *acts: str) -> float:
    """Send these as the Dealer at every table; return the time of the last one."""
    return asyncio.run(_deal(url, tables, acts))


async def _deal(url: str, tables: int, acts: tuple[str, ...]) -> float:
    house = HouseClient(url, timeout_s=60)  # a thousand terminals are waiting
    session = (await house.demonstration_staff("Dana")).token
    sent = 0.0
    for number in range(tables):
        name = f"table {number + 1}"
        await house.come_to_table(name, session=session)
        async with connect(url, name, session=session) as table:
            for act in acts:
                sent = time.time()
                if act == "outcome":
                    read_back: list[float] = []

                    def is_right(_: str, at: list[float] = read_back) -> bool:
                        at.append(time.time())
                        return True

                    await table.outcome("17", is_right)
                    [sent] = read_back  # confirming the outcome announces it
                else:
                    await table.act(act)
    return sent


def echo_rate(terminals: int, in_flight: int, wagers: int) -> dict[str, Any]:
    """Measure an echo of the same messages by the same stack."""
    with bare(ECHO) as port:
        orders = bare_orders(port, terminals) | {
            "wagers": wagers,
            "in_flight": in_flight,
        }
        with loading(orders) as load:
            tell(load, "go")
            return result(load)


def bare_broadcast_ms(terminals: int) -> float:
    """Measure one message to all terminals, by the same stack and nothing else."""
    with bare(BROADCAST) as port:
        orders = bare_orders(port, terminals) | {"outcome": True}
        with loading(orders) as load, open_websocket(f"ws://127.0.0.1:{port}") as line:
            tell(load, "go")
            expect(load, "answered")
            sent = time.time()
            line.send(UPDATE.format(event="OutcomeAnnounced", filling="x" * 650))
            line.send(UPDATE.format(event="RoundSettled", filling=""))
            return 1000 * (float(result(load)["last_outcome"]) - sent)


@contextmanager
def bare(program: str) -> Iterator[int]:
    port = free_port()
    server = subprocess.Popen([sys.executable, "-c", program, str(port)])
    time.sleep(1.5)
    try:
        yield port
    finally:
        server.terminate()
        server.wait()


def bare_orders(port: int, terminals: int) -> dict[str, Any]:
    return {
        "host": "127.0.0.1",
        "port": port,
        "hellos": [None] * terminals,
        "wagers": 0,
        "seconds": 0,
        "in_flight": 1,
        "outcome": False,
    }


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port


def told(name: str, found: dict[str, Any], sent: int) -> None:
    lost, refused = sent - found["answers"], found["refused"] or "none"
    for line in (
        f"{name}: {found['answers']:,} answered, {lost} lost, {refused} refused",
        f"  p50 {found['p50_ms']:.0f} ms, p99 {found['p99_ms']:.0f} ms,"
        f" most {found['max_ms']:.0f} ms",
        f"  outcome to the last terminal {found['fan_out_ms']:.0f} ms,"
        f" {found['kb_a_connection']:.0f} kB a connection",
        f"  CPU: server {found['server_cpu_seconds']:.1f} s,"
        f" load {found['load_cpu_seconds']:.1f} s",
    ):
        print(line)


def main() -> None:
    print("Twenty wagers each in the last three seconds, one table:")
    for terminals in (10, 100, 1_000):
        told(f"{terminals:,} terminals", run(terminals), terminals * 20)
    print("The same with a thousand terminals over several tables:")
    for tables in (10, 50):
        told(f"{tables} tables", run(1_000, tables), 20_000)
    print("As fast as it goes, 100 terminals with 4 wagers on their way each:")
    for turn in range(3):
        ours = run(100, in_flight=4, wagers=200)
        echo = echo_rate(100, 4, 200)
        rate, echoed = (each["answers"] / each["seconds"] for each in (ours, echo))
        busy = ours["load_cpu_seconds"] / ours["seconds"]
        print(f"turn {turn + 1}: {rate:,.0f} wagers/s, echo {echoed:,.0f}/s")
        print(f"  {rate / echoed:.2f}x (aim 0.35x); load generator busy {busy:.0%}")
        used = 1e6 * ours["server_cpu_seconds"] / ours["answers"]
        print(f"  {used:.0f} µs of the server's processor a wager (aim 100)")
    print("An outcome to a thousand terminals, from the Dealer's word to the last:")
    for turn in range(3):
        house, alone = run(1_000, wagers=1)["fan_out_ms"], bare_broadcast_ms(1_000)
        print(f"turn {turn + 1}: {house:.0f} ms, bare broadcast {alone:.0f} ms")
        print(f"  {house / alone:.1f}x (aim 2x or less)")


if __name__ == "__main__":
    main()
