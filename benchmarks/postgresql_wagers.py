"""Durable wagers a second on PostgreSQL, against the same rows by hand and pgbench.

A real server is started as for the tests. By hand: the rows that the table wrote are
inserted again, with one executemany for each database table and one commit for each
batch; nothing is judged, hashed or encoded. pgbench's simple update (`-N`) is one
transaction of one UPDATE and one INSERT by one client, to compare with single wagers.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

import psycopg

sys.path.insert(0, str(Path(__file__).parents[1]))

from durable_wagers import in_batches, open_table, wagers

from croupier.journal.stores import open_store
from tests.journal.server import Server, running_server

TURNS = 9
TABLES = {"events": 11, "entries": 5, "answers": 4}


def schema_of(server: Server, name: str) -> str:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}".encode())
    return server.url(f"-c search_path={name}")


def rows_after(url: str, sequence: int) -> dict[str, list[tuple[object, ...]]]:
    """Return the rows that the table has written since, by database table."""
    with psycopg.connect(url) as connection:
        kept = {
            name: connection.execute(
                f"SELECT * FROM {name} WHERE {key} > %s ORDER BY {key}".encode(),
                (sequence,),
            ).fetchall()
            for name, key in (("events", "sequence"), ("entries", "sequence"))
        }
        kept["answers"] = connection.execute(
            b"SELECT * FROM answers WHERE first > %s ORDER BY first", (sequence,)
        ).fetchall()
    return kept


def by_hand(url: str, kept: dict[str, list[tuple[object, ...]]], size: int) -> float:
    """Return the wagers a second for the same rows in the same commits."""
    count = len(kept["answers"])
    with psycopg.connect(url) as connection:
        start = time.perf_counter()
        for place in range(0, count, size):
            for name, columns in TABLES.items():
                each = len(kept[name]) // count
                marks = ",".join(["%s"] * columns)
                with connection.cursor() as cursor:
                    cursor.executemany(
                        f"INSERT INTO {name} VALUES ({marks})".encode(),
                        kept[name][place * each : (place + size) * each],
                    )
            connection.commit()
        return count / (time.perf_counter() - start)


def measure(server: Server, size: int, count: int) -> None:
    ours_url = schema_of(server, f"ours{size}")
    ratios, rates = [], []
    with open_store(ours_url) as store:
        table = open_table(store)
        for turn in range(TURNS):
            before = table.head.sequence
            rows = wagers(table, count, turn * count)
            start = time.perf_counter()
            for batch in in_batches(rows, size):
                table.handle(batch)
            ours = count / (time.perf_counter() - start)
            hand_url = schema_of(server, f"hand{size}_{turn}")
            open_store(hand_url).close()
            hand = by_hand(hand_url, rows_after(ours_url, before), size)
            ratios.append(ours / hand)
            rates.append((ours, hand))
    ours, hand = (statistics.median(column) for column in zip(*rates, strict=True))
    print(
        f"{size} in flight: {statistics.median(ratios):.2f}× the same rows by hand"
        f" (least {min(ratios):.2f}, most {max(ratios):.2f}; aim: 0.6 or more;"
        f" here {ours:,.0f} against {hand:,.0f} wagers a second)"
    )


def pgbench(server: Server) -> None:
    program = server.binaries / "pgbench"
    if not program.exists():
        print("pgbench: the server's package does not carry it")
        return
    host = ["-h", str(server.folder), "-U", "postgres", "postgres"]
    subprocess.run([program, "-i", "-q", *host], check=True, capture_output=True)
    said = subprocess.run(
        [program, "-N", "-T", "5", "-n", *host],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    found = re.search(r"tps = ([0-9.]+)", said)
    assert found is not None, said
    print(f"pgbench, simple update, one client: {float(found[1]):,.0f} a second")


def main() -> None:
    server = running_server()
    try:
        for size, count in ((1, 100), (100, 2_000)):
            measure(server, size, count)
        pgbench(server)
    finally:
        server.stop()


if __name__ == "__main__":
    main()
