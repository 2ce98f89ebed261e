"""Durable wagers a second through a table, against a bare script on the same disk.

The bare apsw script appends the same rows with the same commits: one event, two
entries, one answer a wager, and one balance for each touched account a commit; it
judges nothing, hashes nothing and encodes nothing, and its tables and indexes are
fixed. Both write to the same folder in turn. Ratios of the same run; aim: half of the
bare script's rate or more. The time by the clock includes the disk on both sides; the
processor's time leaves it out, and other programs affect it less.

The cost of the log: two tables take the same wagers in turn. The journal of one is
sealed with a commit key, and another thread signs it as often as a house does.
"""

from __future__ import annotations

import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import apsw
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.journal.log.publishing import publish
from croupier.journal.store import Store
from croupier.journal.stores import open_store
from croupier.ledger.accounts import seat
from croupier.ledger.commands import BuyIn
from croupier.rules import commands
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.table import NewTable, Submission, Table

DEALER = Person("Dealer", Role.DEALER)
PLAYERS = [Person(f"P{number}", Role.PLAYER) for number in range(100)]
SCHEMA = Path(__file__).with_name("bare_journal.sql")
COMMITS = 10
"""Commits of each side in a turn: few, because other load on the machine changes."""
SIGNED_EVERY_S = 3.0
"""The interval of a house."""


# As the command line and a house set it.
gc.set_threshold(50_000)
gc.freeze()


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
    table.handle([Submission("open", (DEALER,), commands.PlaceYourBets())])
    return table


def wagers(table: Table, count: int, first: int) -> list[Submission]:
    areas = [area.name for area in table.state.series.game.areas]
    read = {name: read_wager(name) for name in areas}
    return [
        Submission(
            f"w{number}",
            (PLAYERS[number % 100],),
            commands.PlaceWager(
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
    """Writes the same rows by hand."""

    def __init__(self, path: Path) -> None:
        self.connection = apsw.Connection(str(path))
        self.connection.execute("PRAGMA journal_mode = WAL")
        self.connection.execute("PRAGMA synchronous = FULL")
        self.connection.execute(SCHEMA.read_text(encoding="utf-8"))
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


class Stopwatch:
    """Measures seconds by the clock, and the processor's seconds for each commit."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.by_processor: list[float] = []

    @contextmanager
    def commit(self) -> Iterator[None]:
        start, own = time.perf_counter(), time.thread_time()
        yield
        self.by_processor.append(time.thread_time() - own)
        self.seconds += time.perf_counter() - start


def measure(folder: Path, size: int, turns: int) -> None:
    """Measure the table's rate over the bare script's, turn by turn."""
    store = open_store(f"sqlite:///{folder / f'table{size}.db'}")
    table, bare = open_table(store), Bare(folder / f"bare{size}.db")
    count = COMMITS * size
    ratios, rates, ours, theirs = [], [], Stopwatch(), Stopwatch()
    for turn in range(turns):
        rows = wagers(table, count, turn * count)
        gc.collect()
        ours.seconds = theirs.seconds = 0
        for batch in in_batches(rows, size):
            with ours.commit():
                table.handle(batch)
        like = [
            tuple(row) for row in store.events("t1", after=table.head.sequence - count)
        ]
        gc.collect()
        for place in range(0, count, size):
            with theirs.commit():
                bare.append(like[place : place + size])
        ratios.append(theirs.seconds / ours.seconds)
        rates.append((count / ours.seconds, count / theirs.seconds))
    store.close()
    mine, bares = (statistics.median(column) for column in zip(*rates, strict=True))
    print(
        f"{size} in flight: {statistics.median(ratios):.2f}× the bare script"
        f" (least {min(ratios):.2f}, most {max(ratios):.2f}; aim: 0.5 or more;"
        f" here {mine:,.0f} against {bares:,.0f} wagers a second)"
    )
    for name, share in (("fastest", 0.0), ("median", 0.5)):
        table_us, bare_us = (
            sorted(each.by_processor)[int(share * len(each.by_processor))] / size * 1e6
            for each in (ours, theirs)
        )
        print(
            f"  the processor's time of the {name} commit: {table_us:.1f} against"
            f" {bare_us:.1f} µs a wager"
        )


class Logged:
    """Numbers and signs a table's log on a thread, as a served house does."""

    def __init__(self, url: str) -> None:
        self._url, self._key = url, Ed25519PrivateKey.generate()
        self._stopping = Event()
        self._thread = Thread(target=self._sign)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()

    def _sign(self) -> None:
        with open_store(self._url) as store:
            while not self._stopping.wait(SIGNED_EVERY_S):
                publish(store, self._key, now_ms(), "")


def measure_log(folder: Path, size: int, turns: int) -> None:
    """Measure a wager's time with log and commit key over its time without them."""
    urls = [f"sqlite:///{folder / name}{size}.db" for name in ("off", "on")]
    stores = [open_store(url) for url in urls]
    stores[1].commit_key = b"k" * 32
    tables = [open_table(store) for store in stores]
    count, ratios = COMMITS * size, []
    with Logged(urls[1]):
        for turn in range(turns):
            seconds = []
            for table in tables if turn % 2 else reversed(tables):
                rows, watch = wagers(table, count, turn * count), Stopwatch()
                gc.collect()
                for batch in in_batches(rows, size):
                    with watch.commit():
                        table.handle(batch)
                seconds.append(watch.seconds)
            off, on = seconds if turn % 2 else reversed(seconds)
            ratios.append(on / off)
    for store in stores:
        store.close()
    print(
        f"{size} in flight: with the log {statistics.median(ratios):.3f}× the time"
        f" without it (aim: at most 1.03)"
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        for size, turns in ((1, 20), (100, 40)):
            measure(Path(name), size, turns)
        for size, turns in ((1, 200), (100, 100)):
            measure_log(Path(name), size, turns)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
