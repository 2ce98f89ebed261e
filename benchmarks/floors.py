"""Floors of 100, 1,000 and 10,000 tables, simulated: nodes fail, and the database.

The nodes decide by the code that real ones run (`house/nodes`); rows, network and clock
are simulated (`tests/simulation/node_floor.py`). Each table has a client that waits for
an answer, pauses for half a second, and asks for the next wager, at any node. Ids that
were acknowledged are compared with the journal's: none may be missing, none be there
twice.
"""

from __future__ import annotations

import logging
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.simulation.node_floor import SimulatedFloor

FLOORS = {100: 3, 1_000: 10, 10_000: 20}
"""By how many tables, how many nodes."""
_HEAD = (
    "what happens | stood still | median | longest | wagers a second | worst second"
    " | sent again | refused to a former owner | missing | doubled"
)


def simulate(tables: int, nodes: int) -> None:
    """Play a floor through all that may befall it, and print a row for each."""
    began = time.process_time()
    print(f"{tables:,} tables at {nodes} nodes: {_HEAD}")
    floor = SimulatedFloor(tables, nodes)
    while not floor.is_served:
        floor.run(1)
    _tell(floor, "a start of all", 6)
    _tell(floor, "nothing", 10)
    first, second, third, *_ = floor.processes
    floor.kill(first)
    _tell(floor, "a node is killed", 15)
    floor.hold(second)
    floor.run(15)
    floor.wake(second)
    _tell(floor, "a node sleeps for 15 s, then wakes up believing", 10)
    floor.cut(third, off=True)
    floor.run(12)
    floor.cut(third, off=False)
    _tell(floor, "a node is cut off from the database for 12 s", 10)
    floor.lose_sessions()
    _tell(floor, "all sessions are lost", 10)
    floor.lose_database()
    floor.run(8)
    floor.promote()
    _tell(floor, "the database is lost, its standby promoted after 8 s", 10)
    floor.start(first)
    _tell(floor, "the killed node comes back, and is given its share", 25)
    floor.processes[third].registry.drain(third, on=True)
    _tell(floor, "a node is drained", 25)
    shares = [len(each.host.serves) for each in floor.processes.values()]
    print(f"  then {min(shares):,} to {max(shares):,} tables a node;", end=" ")
    print(f"{time.process_time() - began:.0f} s of the processor")


def _tell(floor: SimulatedFloor, what: str, seconds: float) -> None:
    """Let the floor come to rest for so long, and print what became of it."""
    floor.run(seconds)
    told = floor.tell()
    print(
        f"  {what} | {told.still:,} | {told.median_s:.1f} s | {told.longest_s:.1f} s"
        f" | {told.mean:,.0f} | {told.least:,} | {told.sent_again:,}"
        f" | {told.refused:,} | {told.missing:,} | {told.doubled:,}",
        flush=True,
    )


def main() -> None:
    logging.disable(logging.WARNING)
    for tables, nodes in FLOORS.items():
        simulate(tables, nodes)


if __name__ == "__main__":
    main()
