"""Bytes and time of a table's messages to its listeners in a round of play.

A thousand listeners in one process: 500 terminals, of which 100 play 20 wagers each,
480 boards and 20 of the staff. Messages are counted and dropped, so the time is only
that of their making: views, changes and JSON. Bytes are the mean of one listener; the
time is the processor's, from a commit to its last message.
"""

from __future__ import annotations

import asyncio
import statistics
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from croupier.house.floor.table import FloorTable
from croupier.house.people import devices
from croupier.house.records.house_state import DeviceKind
from croupier.ledger.commands import BuyIn
from croupier.protocol import messages
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from tests.web.a_house import House, in_house

TABLE = "t2"
CASHIER = Person("Carl", Role.CASHIER)
WAGERS, PLAYERS = 20, 100
ACTS = ("spin", "no more bets", "outcome 17", "settle", "place your bets")


class Sink:
    """Counts the bytes sent to one listener."""

    def __init__(self, kind: str, sent: Counter[str]) -> None:
        self._kind, self._sent = kind, sent

    def put(self, message: bytes) -> None:
        self._sent[f"{self._kind} bytes"] += len(message)
        self._sent[f"{self._kind} messages"] += 1

    def dismiss(self, reason: Reason, *, come_back: bool) -> None:
        raise AssertionError(reason, come_back)


class Clock:
    """Keeps the processor time of each commit's broadcast."""

    def __init__(self, table: FloorTable) -> None:
        self.seconds: list[float] = []
        deliver = table._deliver  # noqa: SLF001

        def timed(*arguments: Any) -> None:
            began = time.thread_time()
            deliver(*arguments)
            self.seconds.append(time.thread_time() - began)

        table._deliver = timed  # type: ignore[method-assign]  # noqa: SLF001


async def measure(house: House) -> None:
    """Play one round, and print a line for each part of it."""
    sent: Counter[str] = Counter()
    clock = Clock(house.floor.table(TABLE))
    token = await house.log_on("Dana")
    players = [_terminal(house, number, sent) for number in range(500)][:PLAYERS]
    for number in range(480):
        _connect(house, _device(house, DeviceKind.BOARD, f"B{number}"), "board", sent)
    for _ in range(20):
        _connect(house, messages.Hello(session=token), "staff", sent)
    for name in players:
        await house.act(TABLE, BuyIn(name, 1_000_000), CASHIER)
    await house.say(TABLE, "Dealer: place your bets")
    _show("snapshots and buying in", sent, clock)
    for _ in range(WAGERS):
        await asyncio.gather(
            *(
                house.act(TABLE, house.wager(name, "17", 100), _player(name))
                for name in players
            )
        )
    await _quiet()
    _show(f"{WAGERS * PLAYERS} wagers", sent, clock)
    for act in ACTS:
        await house.say(TABLE, f"Dealer: {act}")
        await _quiet()
        _show(act, sent, clock)


def _player(name: str) -> Person:
    return Person(name, Role.PLAYER)


def _terminal(house: House, number: int, sent: Counter[str]) -> str:
    name = f"T{number}"
    kind = "player" if number < PLAYERS else "seat"
    _connect(house, _device(house, DeviceKind.TERMINAL, name), kind, sent)
    return name


def _device(house: House, kind: DeviceKind, name: str) -> messages.Hello:
    record = house.floor.record
    code = devices.invite_unasked(record, "benchmark", name, kind, TABLE)
    return messages.Hello(device=devices.enrol(record, code)[0])


def _connect(
    house: House, hello: messages.Hello, kind: str, sent: Counter[str]
) -> None:
    house.floor.connections.connect(TABLE, hello, Sink(kind, sent))


async def _quiet() -> None:
    """Wait until the messages that are sent a few times a second are out."""
    await asyncio.sleep(0.6)


COUNTS = {"player": PLAYERS, "seat": 400, "board": 480, "staff": 20}


def _show(what: str, sent: Counter[str], clock: Clock) -> None:
    bytes_each = [f"{sent[f'{k} bytes'] // n:>9,}" for k, n in COUNTS.items()]
    commits = len(clock.seconds)
    mean_ms = 1000 * statistics.mean(clock.seconds) if commits else 0
    print(f"{what:<24}", *bytes_each, f"{commits:>7} {mean_ms:>8.2f} ms")
    sent.clear()
    clock.seconds.clear()


def main() -> None:
    """Print bytes for each kind of listener, and the time of a commit's broadcast."""
    kinds = [f"{kind:>9}" for kind in COUNTS]
    print(f"{'bytes to one':<24}", *kinds, f"{'commits':>7} {'each':>11}")
    with tempfile.TemporaryDirectory() as folder:
        in_house(Path(folder), measure)


if __name__ == "__main__":
    sys.exit(main())
