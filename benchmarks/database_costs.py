"""Costs of a floor for PostgreSQL: commits, bytes of its log and of rows, beats.

A real server is started as for the tests. The same wagers are committed one by one and
a hundred together; a table is opened again; nodes beat while there are many tables.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psycopg

sys.path.insert(0, str(Path(__file__).parents[1]))

from durable_wagers import in_batches, now_ms, open_table, wagers
from postgresql_wagers import schema_of

from croupier.journal.stores import open_node, open_store
from croupier.table import Table
from tests.journal.server import Server, running_server

WAGERS = 2_000
BEATS = 20


class Meter:
    """Reads the counters of the server."""

    def __init__(self, url: str) -> None:
        self._connection = psycopg.connect(url, autocommit=True)

    def log_bytes(self) -> int:
        """Return the bytes of the write-ahead log: flushed, and sent to a standby."""
        return self._number("SELECT pg_current_wal_insert_lsn() - '0/0'::pg_lsn")

    def row_bytes(self) -> int:
        """Return the bytes of rows and their indexes in this schema."""
        return self._number(
            "SELECT sum(pg_total_relation_size(oid)) FROM pg_class"
            " WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"
        )

    def commits(self) -> int:
        """Return the commits of ended sessions: a session is counted when it ends."""
        return self._number(
            "SELECT xact_commit FROM pg_stat_database"
            " WHERE datname = current_database()"
        )

    def settled_commits(self) -> int:
        """Return the commits once no session's count has come in for a second."""
        last, now = -1, self.commits()
        while now - last > 3:  # the meter's own queries are counted too
            time.sleep(1.5)
            last, now = now, self.commits()
        return now

    def _number(self, query: str) -> int:
        [(number,)] = self._connection.execute(query.encode()).fetchall()
        return int(number)


def wager_bytes(server: Server, size: int) -> None:
    url = schema_of(server, f"wagers{size}")
    with open_store(url) as store:
        table, meter = open_table(store), Meter(url)
        rows = wagers(table, WAGERS, 0)
        log, kept = meter.log_bytes(), meter.row_bytes()
        for batch in in_batches(rows, size):
            table.handle(batch)
        log, kept = meter.log_bytes() - log, meter.row_bytes() - kept
        print(
            f"{size} wagers a commit: {log / WAGERS:,.0f} bytes of log and"
            f" {kept / WAGERS:,.0f} of rows and indexes a wager"
        )


def wager_commits(server: Server, size: int) -> None:
    """Print the server's commits for each wager, less those of an opening."""
    counted = {count: _commits(server, size, count) for count in (0, WAGERS)}
    commits = counted[WAGERS] - counted[0]
    print(f"{size} wagers a commit: {commits / WAGERS:.3f} commits a wager")


def _commits(server: Server, size: int, count: int) -> int:
    url = schema_of(server, f"commits{size}_{count}")
    meter = Meter(url)
    before = meter.settled_commits()
    with open_store(url) as store:
        table = open_table(store)
        for batch in in_batches(wagers(table, count, 0), size):
            table.handle(batch)
    return meter.settled_commits() - before


def openings(server: Server, count: int) -> None:
    """Print the time to open a table with a number of wagers in play."""
    with open_store(schema_of(server, f"opened{count}")) as store:
        table = open_table(store)
        for batch in in_batches(wagers(table, count, 0), 100):
            table.handle(batch)
        took = _median_ms(lambda: Table(store, "t1", clock=now_ms))
        print(f"a table with {count:,} wagers in play is opened in {took:.0f} ms")


def beats(server: Server, tables: int) -> None:
    """Print the cost of a beat with a number of tables, half of them this node's."""
    url = schema_of(server, f"beats{tables}")
    open_store(url).close()
    with open_node(url, "A", version="1") as node:
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "INSERT INTO table_owners SELECT 'table ' || n,"
                " CASE WHEN n %% 2 = 0 THEN 'A' ELSE 'B' END, 1, clock_timestamp()"
                " FROM generate_series(1, %s) n",
                (tables,),
            )
        meter = Meter(url)
        summaries = {f"table {n}": "{}" for n in range(2, tables + 1, 2)}
        node.registry.beat(summaries)
        log = meter.log_bytes()
        took = _median_ms(lambda: node.registry.beat(summaries))
        log = (meter.log_bytes() - log) // BEATS
        print(f"a beat with {tables:,} tables: {took:.1f} ms, {log:,} bytes of log")


def _median_ms(act: Callable[[], object]) -> float:
    took = []
    for _ in range(BEATS):
        start = time.perf_counter()
        act()
        took.append(1_000 * (time.perf_counter() - start))
    return statistics.median(took)


def main() -> None:
    server = running_server()
    for size in (1, 10, 100):
        wager_bytes(server, size)
        wager_commits(server, size)
    for count in (20, 200, 2_000):
        openings(server, count)
    for tables in (100, 1_000, 10_000):
        beats(server, tables)


if __name__ == "__main__":
    main()
