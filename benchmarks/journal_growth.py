"""Growth of start-up, memory and the cost of a wager with a journal's length.

Rounds of Triple Zero are played into one journal. At each length a separate process
opens the table and reports its time to the first answer and its memory, and batches of
wagers are timed. Finally the rows are copied nine times under other names: a house of
ten such tables in one file. Each figure is printed beside the one at the first length.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import apsw
from durable_wagers import DEALER, in_batches, now_ms, open_table, wagers

from croupier.journal.stores import open_store
from croupier.ledger.commands import BuyIn
from croupier.rules import commands
from croupier.rules.wheel import Number
from croupier.table import Submission, Table

LENGTHS = tuple(int(word) for word in sys.argv[1:] if word.isdecimal()) or (
    10_000,
    100_000,
    1_000_000,
)
PER_ROUND = 2_000


def play_to(table: Table, length: int) -> None:
    """Play whole rounds of two thousand wagers until the journal has this length."""
    while table.head.sequence < length:
        number = table.head.sequence
        for name, command in (
            ("spin", commands.SpinBall()),
            ("close", commands.NoMoreBets()),
            ("outcome", commands.AnnounceOutcome(Number("17"))),
            ("settle", commands.Settle()),
            ("open", commands.PlaceYourBets()),
        ):
            table.handle([Submission(f"{name} {number}", (DEALER,), command)])
        for batch in in_batches(wagers(table, PER_ROUND, number * 10), 500):
            table.handle(batch)


def cost_of_a_wager(table: Table) -> float:
    """Return the median seconds of batches of a hundred, over ten thousand wagers."""
    first = table.head.sequence * 10 + 5
    taken = []
    for batch in in_batches(wagers(table, 5_000, first), 100):
        start = time.perf_counter()
        table.handle(batch)
        taken.append((time.perf_counter() - start) / len(batch))
    return statistics.median(taken)


def open_alone(url: str) -> None:
    """Open the table in a separate process, answer one command and report."""
    start = time.perf_counter()
    with open_store(url) as store:
        table = Table(store, "t1", clock=now_ms)
        table.handle([Submission(f"x{now_ms()}", (DEALER,), BuyIn("P1", 100))])
    seconds = time.perf_counter() - start
    peak_kb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(seconds, peak_kb)


def copy_nine_times(path: Path) -> None:
    """Make a house of ten such tables; the copies are rows only."""
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(60_000)
    for number in range(2, 11):
        connection.execute("BEGIN IMMEDIATE")
        for name, columns in (
            ("streams", "epoch, sequence, hash, mac"),
            (
                "events",
                "sequence, round_number, command_id, at_ms, schema, document, terms,"
                " kind, body, hash",
            ),
            ("entries", "sequence, line, account, cents"),
            ("answers", "command_id, first, last"),
        ):
            connection.execute(
                f"INSERT INTO {name} SELECT 't{number}', {columns} FROM {name}"
                " WHERE stream = 't1'"
            )
        connection.execute("COMMIT")
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    os.sync()  # otherwise gigabytes on their way to the disk would slow the wagers


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "growth.db"
        url = f"sqlite:///{path}"
        store = open_store(url)
        table = open_table(store)
        first: tuple[float, float, float] | None = None
        for length in (*LENGTHS, 0):
            if length == 0:
                copy_nine_times(path)
            play_to(table, length)
            wager = cost_of_a_wager(table)
            said = subprocess.run(
                [sys.executable, __file__, "open", url],
                check=True,
                capture_output=True,
                text=True,
            ).stdout
            seconds, peak_kb = (float(word) for word in said.split())
            table = Table(store, "t1", clock=now_ms)
            first = first or (seconds, peak_kb, wager)
            print(
                f"{'ten tables of ' * (length == 0)}{table.head.sequence:,} events:"
                f" start {seconds:.2f} s"
                f" ({seconds / first[0]:.2f}× the first), memory"
                f" {peak_kb / 1024:.0f} MB ({peak_kb / first[1]:.2f}×), a wager"
                f" {wager / first[2]:.2f}× the first (aim: 5 s at most, and flat)"
            )
            sys.stdout.flush()
            _resume(table)


def _resume(table: Table) -> None:
    """State that the ball rests in 17: the table opened in the middle of a round."""
    from croupier.rules.operator import Person, Role
    from croupier.table.commands import ConfirmBall, StateBall

    supervisor = Person("Pit Supervisor", Role.PIT_SUPERVISOR)
    at = table.head.sequence
    table.handle([Submission(f"ball {at}", (DEALER,), StateBall(Number("17")))])
    table.handle([Submission(f"yes {at}", (supervisor,), ConfirmBall())])
    for name, command in (
        ("nmb", commands.NoMoreBets()),
        ("out", commands.AnnounceOutcome(Number("17"))),
        ("pay", commands.Settle()),
        ("bets", commands.PlaceYourBets()),
    ):
        table.handle([Submission(f"{name} {at}", (DEALER,), command)])


if __name__ == "__main__":
    if sys.argv[1:2] == ["open"]:
        open_alone(sys.argv[2])
    else:
        main()
