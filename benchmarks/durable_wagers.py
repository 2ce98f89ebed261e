"""Durable wagers a second through a table, against a bare script on the same disk.

The bare apsw script appends the same rows with the same commits: one event, two
entries, one answer a wager, and one balance for each touched account a commit; it
judges nothing, hashes nothing and encodes nothing. Both write to the same folder in
turn. Ratios of the same run; aim: half of the bare script's rate or more.
"""

from __future__ import annotations

import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import apsw

from croupier.journal.store import Store
from croupier.journal.stores import open_store
from croupier.ledger.accounts import seat
from croupier.rules import commands as do
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.table import NewTable, Submission, Table
from croupier.table.commands import BuyIn

DEALER = Person("Dealer", Role.DEALER)
PLAYERS = [Person(f"P{number}", Role.PLAYER) for number in range(100)]
SCHEMA = Path(__file__).parents[1] / "src/croupier/journal/migrations/sqlite"
TURNS = 5


gc.set_threshold(50_000)  # as the command line sets it


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def open_table(store: Store) -> Table:
    """Open a table of Triple Zero with a hundred seats, betting."""
    new = NewTable(DEALER, "rws-triple-zero", ("* 1 10000",))
    table = Table(store, "t1", clock=now_ms, new=new)
    table.handle(
        [
            Submission(f"buy in {player.name}", (DEALER,), BuyIn(player.name, 10**12))
            for player in PLAYERS
        ]
    )
    table.handle([Submission("open", (DEALER,), do.PlaceYourBets())])
    return table


def wagers(table: Table, count: int, first: int) -> list[Submission]:
    areas = [area.name for area in table.state.series.game.areas]
    read = {name: read_wager(name) for name in areas}
    return [
        Submission(
            f"w{number}",
            (PLAYERS[number % 100],),
            do.PlaceWager(
                f"w{number}",
                PLAYERS[number % 100].name,
                read[areas[number % len(areas)]],
                100,
                electronic=True,
            ),
        )
        for number in range(first, first + count)
    ]


def in_batches(rows: list[Submission], size: int) -> Iterator[list[Submission]]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


class Bare:
    """The same rows, by hand."""

    def __init__(self, path: Path) -> None:
        self.connection = apsw.Connection(str(path))
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = FULL")
        for script in sorted(SCHEMA.iterdir()):
            self.connection.execute(script.read_text(encoding="utf-8"))
        self.sequence = 0

    def append(self, like: list[tuple[object, ...]]) -> None:
        run, many = self.connection.execute, self.connection.executemany
        run("BEGIN IMMEDIATE")
        first = self.sequence
        rows = [
            (row[0], first + place, *row[2:]) for place, row in enumerate(like, start=1)
        ]
        self.sequence += len(rows)
        many("INSERT INTO events VALUES (?,?,?,?,?,?,?,?,?,?,?)", rows)
        many(
            "INSERT INTO entries VALUES (?,?,?,?,?)",
            (
                (row[0], row[1], line, account, cents)
                for row in rows
                for line, (account, cents) in enumerate(
                    ((f"seat:{row[3]}", -100), ("layout", 100))
                )
            ),
        )
        many(
            "INSERT INTO answers VALUES (?,?,?,?)",
            ((row[0], f"{row[3]}/{row[1]}", row[1], row[1]) for row in rows),
        )
        touched = {str(row[3]) for row in rows}
        many(
            "INSERT INTO balances VALUES (?,?,?)"
            " ON CONFLICT DO UPDATE SET cents = excluded.cents",
            (("t1", seat(name), 10**12) for name in touched),
        )
        run("COMMIT")


def rate(seconds: float, count: int) -> float:
    return count / seconds


def measure(folder: Path, size: int, count: int) -> list[float]:
    """Measure the table's rate over the bare script's, turn by turn."""
    store = open_store(f"sqlite:///{folder / f'table{size}.db'}")
    table, bare = open_table(store), Bare(folder / f"bare{size}.db")
    ratios, rates = [], []
    for turn in range(TURNS):
        rows = wagers(table, count, turn * count)
        gc.collect()
        start = time.perf_counter()
        for batch in in_batches(rows, size):
            table.handle(batch)
        table_rate = rate(time.perf_counter() - start, count)
        like = [
            tuple(row) for row in store.events("t1", after=table.head.sequence - count)
        ]
        gc.collect()
        start = time.perf_counter()
        for place in range(0, count, size):
            bare.append(like[place : place + size])
        bare_rate = rate(time.perf_counter() - start, count)
        ratios.append(table_rate / bare_rate)
        rates.append((table_rate, bare_rate))
    ours, theirs = (statistics.median(column) for column in zip(*rates, strict=True))
    print(
        f"{size} in flight: {statistics.median(ratios):.2f}× the bare script"
        f" (least {min(ratios):.2f}, most {max(ratios):.2f}; aim: 0.5 or more;"
        f" here {ours:,.0f} against {theirs:,.0f} wagers a second)"
    )
    store.close()
    return ratios


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        for size, count in ((1, 400), (100, 10_000)):
            measure(Path(name), size, count)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
