"""Auditing a journal of ten million wagers, beside a bare loop over its events.

A few real rounds are played at real tables. Copies of their rows, with new numbers, ids
and hashes, fill the journal, so that it verifies. The bare loop reads every event with
its entries and computes its hash; it checks nothing. Each side runs in a separate
process, so that its peak memory can be measured. Two workers share the tables. Ratios
of one run.

Run `python benchmarks/audit_journal.py --wagers 200000` for a shorter journal.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from croupier.audit.journal.auditor import AuditOptions, audit_journal
from croupier.journal.chain import event_hash
from croupier.journal.log.entries import LOGGED
from croupier.journal.store import Store
from croupier.journal.stores import open_store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import (
    ANSWERS,
    BALANCES,
    ENTRIES,
    EVENTS,
    GENESIS,
    LOG_ENTRIES,
    STREAMS,
    EventRow,
)
from croupier.ledger.accounts import Account, Entry
from croupier.ledger.commands import BuyIn
from croupier.rules import commands as rule_commands
from croupier.rules.notation import read_wager
from croupier.rules.operator import Person, Role
from croupier.rules.wheel import Number
from croupier.table import NewTable, Submission, Table

DEALER = Person("Dealer", Role.DEALER)
PLAYERS = tuple(Person(f"P{number}", Role.PLAYER) for number in range(20))
GAME = "rws-triple-zero"
TABLES = 4
ROUNDS, WAGERS_A_ROUND = 24, 100
CREDIT = 10**13
"""Cents: enough credit for any number of rounds."""
ROWS_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class Model:
    """One event of a played round, and its entries."""

    row: EventRow
    entries: tuple[Entry, ...]


def played(stream: str, folder: Path) -> tuple[list[Model], list[list[Model]]]:
    """Return the events of a real table: the first ones, then those of each round."""
    chosen = Random(stream)
    with SqliteStore(folder / f"{stream}.db") as store:
        table = Table(
            store,
            stream,
            clock=lambda: 1_800_000_000_000,
            new=NewTable(DEALER, GAME, ("* 1 1000",)),
        )
        ids = iter(range(10**9))

        def send(person: Person, *commands: rule_commands.RoundCommand | BuyIn) -> None:
            table.handle(
                [Submission(f"c{next(ids)}", (person,), each) for each in commands]
            )

        send(DEALER, *(BuyIn(player.name, CREDIT) for player in PLAYERS))
        areas = [area.name for area in table.state.series.game.areas]
        for _ in range(ROUNDS):
            send(DEALER, rule_commands.PlaceYourBets())
            for number in range(WAGERS_A_ROUND):
                player = chosen.choice(PLAYERS)
                wager = read_wager(chosen.choice(areas))
                cents = 100 * chosen.randint(1, 20)
                name = f"w{number}"
                place = rule_commands.PlaceWager(
                    name, player.name, wager, cents, electronic=True
                )
                send(player, place)
            outcome = Number(chosen.choice(table.state.series.game.numbers))
            send(DEALER, rule_commands.SpinBall(), rule_commands.NoMoreBets())
            send(
                DEALER,
                rule_commands.ReportBallAtRest(outcome),
                rule_commands.AnnounceOutcome(outcome),
            )
            send(DEALER, rule_commands.Settle())
        return models(store, stream)


def models(store: SqliteStore, stream: str) -> tuple[list[Model], list[list[Model]]]:
    entries: dict[int, list[Entry]] = {}
    for sequence, _, entry in store.entries(stream):
        entries.setdefault(sequence, []).append(entry)
    begun: list[list[Model]] = [[]]
    for row in store.events(stream):
        if row.kind == "SnapshotTaken":
            continue
        if row.kind == "RoundBegun":
            begun.append([])
        begun[-1].append(Model(row, tuple(entries.get(row.sequence, ()))))
    return begun[0], begun[1:]


class Writer:
    """Writes one stream in bulk and computes every hash."""

    def __init__(self, store: Store, stream: str) -> None:
        self._store, self._stream = store, stream
        self._sequence, self._hash = 0, GENESIS
        self._events: list[EventRow] = []
        self._entries: list[tuple[str, int, int, str, int]] = []
        self._answers: list[tuple[str, str, int, int]] = []
        self._unsigned: list[tuple[str, int, str, int, str]] = []
        self._balances: dict[Account, int] = {}
        self.wagers = 0

    def add(self, each: list[Model], number: int) -> None:
        """Add a round, or the events before the first one, under another number."""
        prefix = f"{self._stream}-{number}-"
        for model in each:
            self._sequence += 1
            row = model.row._replace(
                stream=self._stream,
                sequence=self._sequence,
                round_number=number,
                command_id=prefix + model.row.command_id,
            )
            if row.kind == "RoundBegun":
                row = row._replace(body=renumbered(row.body, number))
            self.wagers += row.kind == "WagerPlaced"
            self._hash = event_hash(self._hash, row, model.entries)
            self._events.append(row._replace(hash=self._hash))
            self._answer(row.command_id)
            if row.kind in LOGGED:
                salt = f"{self._sequence:064x}"
                self._unsigned.append((self._stream, self._sequence, salt, -1, ""))
            for line, (account, cents) in enumerate(model.entries):
                place = (self._stream, self._sequence, line)
                self._entries.append((*place, account, cents))
                self._balances[account] = self._balances.get(account, 0) + cents
        if len(self._events) > ROWS_AT_ONCE:
            self.flush()

    def _answer(self, command_id: str) -> None:
        last = self._answers[-1] if self._answers else None
        if last is not None and last[1] == command_id:
            self._answers[-1] = (*last[:3], self._sequence)
        else:
            place = (self._sequence, self._sequence)
            self._answers.append((self._stream, command_id, *place))

    def flush(self) -> None:
        for table, rows in (
            (EVENTS, self._events),
            (ENTRIES, self._entries),
            (ANSWERS, self._answers),
            (LOG_ENTRIES, self._unsigned),
        ):
            self._store.load(table, rows)
        self._events, self._entries, self._answers = [], [], []
        self._unsigned = []

    def end(self) -> None:
        self.flush()
        balances = [(self._stream, *each) for each in self._balances.items()]
        self._store.load(BALANCES, balances)
        self._store.load(STREAMS, [(self._stream, 1, self._sequence, self._hash)])


def renumbered(body: str, number: int) -> str:
    return body.replace('"round_number":1,', f'"round_number":{number},', 1)


def one_round(each: list[Model]) -> list[Model]:
    """Give a round the first number, so that any other can replace it."""
    first, *rest = each
    number = f'"round_number":{first.row.round_number},'
    body = first.row.body.replace(number, '"round_number":1,', 1)
    return [Model(first.row._replace(body=body), first.entries), *rest]


def build(path: Path, wagers: int) -> None:
    """Write a sound journal of a number of wagers at four tables."""
    with TemporaryDirectory() as folder, SqliteStore(path) as store:
        for place in range(TABLES):
            stream = f"t{place + 1}"
            before, rounds = played(stream, Path(folder))
            with store.all_or_nothing():
                writer = Writer(store, stream)
                writer.add(before, 0)
                for number, each in enumerate(cycle(map(one_round, rounds)), 1):
                    if writer.wagers >= wagers // TABLES:
                        break
                    writer.add(each, number)
                writer.end()


def read_and_hash(path: Path) -> int:
    """Read every event with its entries and compute its hash, nothing else."""
    count = 0
    with open_store(str(path)) as store:
        for head in store.heads():
            before, entries = GENESIS, store.entries(head.stream)
            following = next(entries, None)
            for row in store.events(head.stream):
                own = []
                while following is not None and following[0] == row.sequence:
                    own.append(following[2])
                    following = next(entries, None)
                before = event_hash(before, row, own)
                count += 1
            assert before == head.hash
    return count


def audited(path: Path, workers: int) -> int:
    report = audit_journal(str(path), AuditOptions(workers=workers))
    assert report.is_clean, report.findings[:3]
    return report.looked_at["events"]


def measured(path: Path, name: str) -> tuple[float, int, float]:
    """Return seconds, events and peak megabytes of one side in a separate process."""
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, __file__, "--side", name, "--journal", str(path)],
        capture_output=True,
        text=True,
        check=True,
    )
    seconds = time.perf_counter() - begun
    events, kilobytes = map(int, done.stdout.split())
    return seconds, events, kilobytes / 1024


def sides() -> Iterator[tuple[str, str]]:
    yield "bare", "read and hash, one process"
    yield "1", "audit, one worker"
    yield "2", "audit, two workers"


def run_side(path: Path, name: str) -> None:
    """Run one side, and print its events and its peak memory in kilobytes."""
    events = read_and_hash(path) if name == "bare" else audited(path, int(name))
    own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(events, max(own, children))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--wagers", type=int, default=10_000_000)
    parser.add_argument("--side", help=argparse.SUPPRESS)
    parser.add_argument("--journal", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.side:
        run_side(asked.journal, asked.side)
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / "house.db"
        begun = time.perf_counter()
        build(path, asked.wagers)
        size = path.stat().st_size / 2**30
        print(f"{asked.wagers:,} wagers, {size:.2f} GiB, written in", end=" ")
        print(f"{time.perf_counter() - begun:.0f} s")
        seconds_before = None
        for name, title in sides():
            seconds, events, megabytes = measured(path, name)
            base = seconds_before or seconds
            seconds_before = seconds_before or seconds
            print(
                f"{title:28} {seconds:8.1f} s {events / seconds:10,.0f} events/s"
                f" {megabytes:6.0f} MB  {seconds / base:5.2f} x the bare loop"
            )


if __name__ == "__main__":
    main()
