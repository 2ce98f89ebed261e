"""Time of a house to open on a long journal, from the command to its address.

One table plays whole rounds of fifty wagers, one every 45 seconds, up to now; the
house's own stream is filled with the records of whole days. Both databases are loaded
with these rows, and with those of nine more tables that play the same: their events
are chained again under other names, so that the journal verifies. Then `croupier serve`
is started on it several times, and stopped once it prints its address; in turn, the
same house is started without a past. Aim: at most five seconds.

`python benchmarks/house_start.py [TABLE_EVENTS [HOUSE_EVENTS]]`, over all ten tables.
"""

from __future__ import annotations

import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from http import HTTPStatus
from itertools import cycle
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

import psycopg

sys.path.insert(0, str(Path(__file__).parents[1]))

from durable_wagers import DEALER, PLAYERS, now_ms, wagers

from croupier.house.configuration.house_file import read_house
from croupier.house.configuration.setup import prepare
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import HouseRecord
from croupier.journal.chain import event_hash
from croupier.journal.events import house as house_events
from croupier.journal.store import HOUSE_STREAM, Store
from croupier.journal.stores import open_store
from croupier.journal.tables import (
    ANSWERS,
    BALANCES,
    ENTRIES,
    EVENTS,
    GENESIS,
    LOG_ENTRIES,
    SNAPSHOTS,
    STREAMS,
    EventRow,
    HeadRow,
    Row,
    StoredTable,
)
from croupier.ledger.accounts import Entry
from croupier.ledger.commands import BuyIn
from croupier.rules import commands as rule_commands
from croupier.rules.wheel import Number
from croupier.table import NewTable, Submission, Table
from tests.journal.server import Server, running_server

NAMES = [f"t{number}" for number in range(1, 11)]
PLAYED = NAMES[0]
GIVEN = [int(word) for word in sys.argv[1:]]
TABLE_EVENTS = (GIVEN or [10_000_000])[0] // len(NAMES)
HOUSE_EVENTS = ([*GIVEN, 0][1:2] or [0])[0] or 1_000_000
TURNS = 5
PER_ROUND = 50
ROUND_MS = 45_000
ROUNDS_AT_ONCE = 20
LIMITS = ("* 1 10000",)
FILE = """
[house]
name = "A house with a past"
operator = "The operator"
money = "real"
currency = "SGD"
time_zone = "Asia/Singapore"

[[staff]]
name = "Mira"
positions = ["Pit Manager", "Table Games Shift Manager"]
""" + "".join(
    f"""
[[tables]]
name = "{name}"
game = "rws-triple-zero"
wheel = "console"
countdown_seconds = 0
limits = {{ "*" = [1, 10000] }}
"""
    for name in NAMES
)
AS_USUAL = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


class Clock:
    """Starts in the past, so that the last round is settled now."""

    def __init__(self, rounds: int) -> None:
        self.now = now_ms() - rounds * ROUND_MS

    def __call__(self) -> int:
        return self.now


def play(path: Path) -> None:
    """Play the rounds of one table, and fill the house's own stream."""
    clock = Clock(TABLE_EVENTS // (PER_ROUND + 9))
    with open_store(f"sqlite:///{path}") as store:
        prepare(store, clock, read_house(FILE, "house.toml"))
        play_table(store, PLAYED)
        fill_house(store)


def play_table(store: Store, name: str) -> None:
    clock = Clock(TABLE_EVENTS // (PER_ROUND + 9))
    new = NewTable(DEALER, "rws-triple-zero", LIMITS)
    table = Table(store, name, clock=clock, new=new)
    buy = [BuyIn(player.name, 10**12) for player in PLAYERS]
    asked = [Submission(f"in {n}", (DEALER,), each) for n, each in enumerate(buy)]
    table.handle(asked)
    while table.head.sequence < TABLE_EVENTS:
        clock.now = min(clock.now + ROUND_MS * ROUNDS_AT_ONCE, now_ms())
        first = table.head.sequence
        batch: list[Submission] = []
        for place in range(ROUNDS_AT_ONCE):
            batch += a_round(table, first * 10 + place * PER_ROUND)
        table.handle(batch)


def a_round(table: Table, first: int) -> list[Submission]:
    def by_dealer(*commands: rule_commands.Command) -> list[Submission]:
        return [
            Submission(f"{type(each).__name__} {first}", (DEALER,), each)
            for each in commands
        ]

    return [
        *by_dealer(rule_commands.PlaceYourBets()),
        *wagers(table, PER_ROUND, first),
        *by_dealer(
            rule_commands.SpinBall(),
            rule_commands.NoMoreBets(),
            rule_commands.AnnounceOutcome(Number("17")),
            rule_commands.Settle(),
        ),
    ]


def fill_house(store: Store) -> None:
    """Record the usual events of a house's day, a thousand in a commit."""
    day = cycle(
        (
            house_events.LoggedOn("Mira", None, "0" * 64),
            house_events.DealerCame("Mira", "t1"),
            house_events.DeviceLost("T1", "t1", needed=False),
            house_events.DeviceBack("T1", "t1"),
            house_events.DealerWent("Mira", "t1"),
            house_events.LoggedOff("Mira", HouseReason.LOGGED_OFF(), "0" * 64),
            house_events.AuthorityRefused(
                "Mira",
                house_events.AskedBy.OPERATION,
                "show_log",
                HouseReason.LOG_ON_FIRST(),
            ),
        )
    )
    record = HouseRecord(store, now_ms)
    for number in range(500):
        record.write(house_events.PlayerDefined("Mira", f"Player {number}"))
    for _ in range(HOUSE_EVENTS // 1_000):
        record.write(*(next(day) for _ in range(1_000)))


class Copy:
    """Copies the events of a stream under another name, with new hashes."""

    def __init__(self, source: Store, like: str, name: str) -> None:
        self._source, self._like = source, like
        self.end = HeadRow(name, 0, GENESIS)

    def events(self) -> Iterator[EventRow]:
        entries = self._source.rows_of(ENTRIES, self._like)
        following = next(entries, None)
        for values in self._source.rows_of(EVENTS, self._like):
            row = EventRow._make(values)._replace(stream=self.end.stream)
            own = []
            while following is not None and following[1] == row.sequence:
                own.append(Entry(*following[3:]))
                following = next(entries, None)
            row = row._replace(hash=event_hash(self.end.hash, row, own))
            self.end = HeadRow(row.stream, row.sequence, row.hash)
            yield row

    def rows(self, table: StoredTable) -> Iterator[Row]:
        for row in self._source.rows_of(table, self._like):
            yield self.end.stream, *row[1:]


def fill(address: str, played: Path) -> None:
    """Load a journal with the played rows, and with copies of them for more tables."""
    with (
        open_store(f"sqlite:///{played}") as source,
        open_store(address) as target,
        source.at_one_moment(),
    ):
        for name in (HOUSE_STREAM, *NAMES):
            copy = Copy(source, HOUSE_STREAM if name == HOUSE_STREAM else PLAYED, name)
            with target.all_or_nothing():
                target.load(EVENTS, copy.events())
                for table in (ENTRIES, ANSWERS, BALANCES, SNAPSHOTS, LOG_ENTRIES):
                    target.load(table, copy.rows(table))
                target.load(STREAMS, [(name, 1, *copy.end[1:])])


def seconds_to_open(address: str) -> tuple[float, float]:
    """Return the seconds from the command to the line with the house's address.

    By the clock, and of the processors for the house's process only, not PostgreSQL's.
    """
    start = time.perf_counter()
    words = ["serve", "--database", address, "--port", "0"]
    with subprocess.Popen(
        [sys.executable, "-m", "croupier", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=AS_USUAL,
    ) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        seconds = time.perf_counter() - start
        status = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()
        used = sum(map(int, status[11:13])) / os.sysconf("SC_CLK_TCK")
        with urlopen(f"{said.split()[-1]}/ready") as ready:  # and not for reading only
            assert ready.status == HTTPStatus.OK
        server.send_signal(signal.SIGTERM)
    return seconds, used


def measure(database: str, long: str, new: str, played: Path) -> None:
    """Start a house with its past and one without in turn, on one database."""
    fill(long, played)
    with open_store(new) as store:
        prepare(store, now_ms, read_house(FILE, "house.toml"))
    if database == "PostgreSQL":  # does the work of autovacuum on a journal that grew
        with psycopg.connect(long, autocommit=True) as connection:
            connection.execute("VACUUM ANALYZE")
            connection.execute("CHECKPOINT")
    os.sync()  # otherwise gigabytes on their way to the disk would slow the start
    with open_store(long) as store:
        counts = {head.stream: head.sequence for head in store.heads()}
    print(
        f"{database}: {counts.pop(HOUSE_STREAM):,} events of the house,"
        f" {sum(counts.values()):,} of {len(counts)} tables"
    )
    seconds_to_open(new)  # it writes the compiled modules, and is not counted
    taken = [(seconds_to_open(long), seconds_to_open(new)) for _ in range(TURNS)]
    for name, each in zip(
        ("with its past", "without"), zip(*taken, strict=True), strict=True
    ):
        clock, used = zip(*each, strict=True)
        print(
            f"  {name}: {statistics.median(clock):.2f} s"
            f" ({min(clock):.2f} to {max(clock):.2f}; aim: at most 5 s),"
            f" of the processors {statistics.median(used):.2f} s"
        )


def database_of(server: Server, name: str) -> str:
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}".encode())
    return f"postgresql:///{name}?user=postgres&host={quote(str(server.folder), '')}"


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        play(folder / "played.db")
        files = [f"sqlite:///{folder / each}.db" for each in ("long", "new")]
        measure("SQLite", *files, folder / "played.db")
        server = running_server()
        try:
            databases = [database_of(server, each) for each in ("long", "new")]
            measure("PostgreSQL", *databases, folder / "played.db")
        finally:
            server.stop()


if __name__ == "__main__":
    main()
