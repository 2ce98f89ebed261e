"""How long a house takes to open on a long journal, from the command to its address.

Ten tables play whole rounds of fifty wagers, one each 45 seconds, up to now. The own
stream of the house is filled with what it records all day. Then `croupier serve` is
started on it, again and again, and stopped once it says where it is open; the same
house without a past is started in turn. Aim: at most five seconds.

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
from http import HTTPStatus
from itertools import cycle
from pathlib import Path
from urllib.request import urlopen

from durable_wagers import DEALER, PLAYERS, now_ms, wagers

from croupier.house.configuration.house_file import read_house
from croupier.house.configuration.setup import prepare
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import HouseRecord
from croupier.journal.events import house as ev
from croupier.journal.store import Store
from croupier.journal.stores import open_store
from croupier.rules import commands as do
from croupier.rules.wheel import Number
from croupier.table import NewTable, Submission, Table
from croupier.table.commands import BuyIn

TABLES = 10
GIVEN = [int(word) for word in sys.argv[1:]]
TABLE_EVENTS = (GIVEN or [10_000_000])[0] // TABLES
HOUSE_EVENTS = ([*GIVEN, 0][1:2] or [0])[0] or 1_000_000
TURNS = 5
PER_ROUND = 50
ROUND_MS = 45_000
ROUNDS_AT_ONCE = 20
LIMITS = ("* 1 10000",)
FILE = """
[house]
name = "A house with a past"
operator = "Somebody"
money = "real"
currency = "SGD"
time_zone = "Asia/Singapore"

[[staff]]
name = "Mira"
positions = ["Pit Manager", "Table Games Shift Manager"]
""" + "".join(
    f"""
[[tables]]
name = "t{number}"
game = "rws-triple-zero"
wheel = "console"
countdown_seconds = 0
limits = {{ "*" = [1, 10000] }}
"""
    for number in range(1, TABLES + 1)
)
AS_USUAL = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}


class Clock:
    """Begins so long ago that the last round is settled now."""

    def __init__(self, rounds: int) -> None:
        self.now = now_ms() - rounds * ROUND_MS

    def __call__(self) -> int:
        return self.now


def play(path: Path) -> None:
    """Play the rounds of every table, so many in one commit."""
    with open_store(f"sqlite:///{path}") as store:
        clock = Clock(TABLE_EVENTS // (PER_ROUND + 9))
        prepare(store, clock, read_house(FILE, "house.toml"))
        for number in range(1, TABLES + 1):
            play_table(store, f"t{number}")


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
    def by_dealer(*commands: do.Command) -> list[Submission]:
        return [
            Submission(f"{type(each).__name__} {first}", (DEALER,), each)
            for each in commands
        ]

    return [
        *by_dealer(do.PlaceYourBets()),
        *wagers(table, PER_ROUND, first),
        *by_dealer(
            do.SpinBall(),
            do.NoMoreBets(),
            do.AnnounceOutcome(Number("17")),
            do.Settle(),
        ),
    ]


def fill_house(path: Path) -> None:
    """Record what a house records all day, a thousand events in a commit."""
    day = cycle(
        (
            ev.LoggedOn("Mira", None),
            ev.DealerCame("Mira", "t1"),
            ev.DeviceLost("T1", "t1"),
            ev.DeviceBack("T1", "t1"),
            ev.DealerWent("Mira", "t1"),
            ev.LoggedOff("Mira", HouseReason.LOGGED_OFF()),
            ev.AuthorityRefused(
                "Mira", ev.AskedBy.OPERATION, "show_log", HouseReason.LOG_ON_FIRST()
            ),
        )
    )
    with open_store(f"sqlite:///{path}") as store:
        record = HouseRecord(store, now_ms)
        for number in range(500):
            record.write(ev.PlayerDefined("Mira", f"Player {number}"))
        for _ in range(HOUSE_EVENTS // 1_000):
            record.write(*(next(day) for _ in range(1_000)))


def seconds_to_open(path: Path) -> float:
    """From the command to the line that says where the house is open."""
    start = time.perf_counter()
    words = ["serve", "--database", f"sqlite:///{path}", "--port", "0"]
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
        with urlopen(f"{said.split()[-1]}/ready") as ready:  # and not for reading only
            assert ready.status == HTTPStatus.OK
        server.send_signal(signal.SIGTERM)
    return seconds


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        long, new = Path(folder) / "long.db", Path(folder) / "new.db"
        play(long)
        fill_house(long)
        with open_store(f"sqlite:///{new}") as store:
            prepare(store, now_ms, read_house(FILE, "house.toml"))
        os.sync()  # gigabytes on their way to the disk would be timed with the start
        with open_store(f"sqlite:///{long}") as store:
            counts = {head.stream: head.sequence for head in store.heads()}
        print(
            f"{counts.pop('house'):,} events of the house, {sum(counts.values()):,} of"
            f" {len(counts)} tables, {long.stat().st_size / 2**30:.1f} GiB"
        )
        seconds_to_open(new)  # which writes the compiled modules, and is not counted
        taken = [(seconds_to_open(long), seconds_to_open(new)) for _ in range(TURNS)]
        for name, each in zip(
            ("with its past", "without"), zip(*taken, strict=True), strict=True
        ):
            print(
                f"{name}: {statistics.median(each):.2f} s"
                f" ({min(each):.2f} to {max(each):.2f}; aim: at most 5 s)"
            )


if __name__ == "__main__":
    main()
