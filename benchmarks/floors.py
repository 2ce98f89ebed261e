"""Floors of 100, 1,000 and 10,000 tables, simulated: nodes fail, and the database.

The nodes decide by the code that real ones run (`house/nodes`); rows, network and clock
are simulated. A table that is opened takes time, one after the other at each node. Each
table is asked for a wager in every tenth of a second: it is acknowledged where its node
may write its stream and the database is there. What was acknowledged is compared with
what the journal took.
"""

from __future__ import annotations

import logging
import statistics
import sys
import time
from collections import Counter, deque
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[1]))

from croupier.house.nodes.membership import Nodes
from tests.simulation.memory_nodes import MemoryHost, MemoryRegistry, MemoryRows

FLOORS = {100: 3, 1_000: 10, 10_000: 20}
"""By how many tables, how many nodes."""
TICK_S = 0.1
OPEN_S = 0.06
"""To open a table with a few wagers in play, as `database_costs.py` measured it."""


class OpeningHost(MemoryHost):
    """Opens one table after the other."""

    def __init__(self, registry: MemoryRegistry, tables: set[str]) -> None:
        super().__init__(registry, tables)
        self._waiting: deque[str] = deque()
        self._open_at = 0.0

    def loads(self) -> dict[str, int]:
        return {**super().loads(), **dict.fromkeys(self._waiting, 1)}

    def open(self, table: str, taken_from: str | None) -> None:  # noqa: ARG002
        self._waiting.append(table)

    def go_on(self, now: float) -> None:
        """Open what there was time for."""
        self._open_at = max(self._open_at, now - TICK_S)
        while self._waiting and self._open_at + OPEN_S <= now:
            self._open_at += OPEN_S
            super().open(self._waiting.popleft(), None)


@dataclass
class Process:
    """A node: its turn comes once a second, at a moment of its own."""

    registry: MemoryRegistry
    host: OpeningHost
    nodes: Nodes
    due: float
    is_held: bool = False


@dataclass
class Wave:
    """What became of the wagers since the last failure."""

    asked: int = 0
    acknowledged: int = 0
    refused: int = 0
    """By the stream's epoch: the node believed that it had the table."""
    unserved: Counter[str] = field(default_factory=Counter)
    """By table, for how many ticks nobody acknowledged anything."""


class SimulatedFloor:
    def __init__(self, tables: int, nodes: int) -> None:
        self.rows, self.random = MemoryRows(), Random(tables)
        self.tables = {f"table {number}" for number in range(tables)}
        self.told: Counter[str] = Counter()
        self.journal: Counter[str] = Counter()
        self.wave = Wave()
        self.processes: dict[str, Process] = {}
        for number in range(nodes):
            self.start(f"node {number}")

    def start(self, name: str) -> None:
        registry = MemoryRegistry(self.rows, name)
        host = OpeningHost(registry, self.tables)
        nodes = Nodes(registry, lambda: self.rows.now)
        due = self.rows.now + self.random.random()
        self.processes[name] = Process(registry, host, nodes, due)

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / TICK_S)):
            self.rows.now += TICK_S
            self._play()  # first: who wakes up acts as it believes
            for process in self.processes.values():
                self._go_on(process)

    @property
    def is_served(self) -> bool:
        served = sum(len(each.host.serves) for each in self.processes.values())
        return served == len(self.tables)

    def _go_on(self, process: Process) -> None:
        if process.is_held or self.rows.is_away:
            return
        if self.rows.now >= process.due:
            process.due = self.rows.now + 1 + self.random.uniform(-0.05, 0.05)
            process.nodes.take_turn(process.host)
        process.host.go_on(self.rows.now)

    def _play(self) -> None:
        """Ask every table for a wager, at whoever believes to have it."""
        wave, served = self.wave, set()
        for process in self.processes.values():
            if process.is_held or self.rows.is_away:
                continue
            for table in process.host.serves:
                if process.host.may_write(table):
                    assert table not in served, f"two nodes write {table}"
                    self.journal[table] += 1
                    self.told[table] += 1
                    served.add(table)
                else:
                    wave.refused += 1
        wave.asked += len(self.tables)
        wave.acknowledged += len(served)
        wave.unserved.update(self.tables - served)

    def tell(self, what: str) -> None:
        wave, self.wave = self.wave, Wave()
        away = sorted(ticks * TICK_S for ticks in wave.unserved.values()) or [0.0]
        lost = sum((self.told - self.journal).values())
        print(
            f"  {what}: {len(wave.unserved):,} tables stood still,"
            f" {statistics.median(away):.1f} s (median), {away[-1]:.1f} s (longest);"
            f" {100 * wave.acknowledged / wave.asked:.1f} % of wagers acknowledged,"
            f" {wave.refused:,} refused to a former owner, {lost} lost"
        )


def simulate(tables: int, nodes: int) -> None:
    began = time.process_time()
    print(f"{tables:,} tables at {nodes} nodes")
    floor = SimulatedFloor(tables, nodes)
    while not floor.is_served:
        floor.run(1)
    floor.run(6)
    floor.tell("a start of all")
    first, second, third, *_ = floor.processes
    floor.rows.end_session(first)
    del floor.processes[first]
    floor.run(15)
    floor.tell("a node is killed")
    floor.processes[second].is_held = True
    floor.run(15)
    floor.processes[second].is_held = False
    floor.run(5)
    floor.tell("a node hangs for 15 s, then wakes up")
    floor.rows.is_away = True
    floor.run(8)
    floor.rows.is_away = False
    floor.run(10)
    floor.tell("the database is away for 8 s")
    floor.start(first)
    floor.run(25)
    floor.tell("the killed node comes back, and is given its share")
    floor.processes[third].registry.drain(third, on=True)
    floor.run(25)
    left = len(floor.processes[third].host.serves)
    floor.tell(f"a node is drained, and has {left} tables left")
    shares = [len(each.host.serves) for each in floor.processes.values()]
    print(f"  then {min(shares):,} to {max(shares):,} tables a node;", end=" ")
    print(f"{time.process_time() - began:.0f} s of the processor")


def main() -> None:
    logging.disable(logging.WARNING)
    for tables, nodes in FLOORS.items():
        simulate(tables, nodes)


if __name__ == "__main__":
    main()
