"""The way of a wager and of a settlement through the house: modules, calls, threads.

A house in this process on SQLite, one terminal, and the console of a Dealer at the same
table. A tracer notes every function and line of `croupier` that runs from a message to
the last answer and update for it; sockets and HTTP are left out. Shapes are the structs
and dataclasses that are made on the way, including those of the message. A hop is a
change of thread; a new thread is one that did not exist before.
"""

from __future__ import annotations

import ast
import asyncio
import inspect
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, is_dataclass
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))

import croupier
from croupier.house.people import devices
from croupier.house.records.house_state import DeviceKind
from croupier.house.views.connection import Connection
from croupier.ledger.commands import BuyIn
from croupier.protocol.messages import Hello, read_message
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason
from tests.web.a_house import House, in_house

ROUNDS = 5
TABLE, CASHIER = "t2", Person("Carl", Role.CASHIER)
SOURCE = str(Path(croupier.__file__).parent)
WAGER = (
    '{"type":"wagers","id":"%s","round":%d,"place":'
    '[{"id":"%s","wager":"straight_up:17","stake_cents":100}]}'
)
SETTLE = '{"type":"act","id":"settle-%d","act":"settle"}'


@dataclass
class Way:
    """The functions and lines that ran, in order, and the threads that ran them."""

    calls: int = 0
    modules: set[str] = field(default_factory=set)
    shapes: set[type] = field(default_factory=set)
    threads: list[int] = field(default_factory=list)
    hops: int | None = None
    """Changes of thread, up to the answer."""

    def trace(self, frame: FrameType, event: str, _: object) -> Any:
        """Note a call, and then each line of it."""
        file = frame.f_code.co_filename
        if not file.startswith(SOURCE):
            return None
        if event == "call":
            self.calls += 1
            self.modules.add(file)
            thread = threading.get_ident()
            if self.threads[-1:] != [thread]:
                self.threads.append(thread)
        else:
            for path in _called(file).get(frame.f_lineno, ()):
                self.shapes.update(_shape(frame.f_globals, path))
        return self.trace


class Sink:
    """Takes a listener's messages, and notes on the way that an answer has come."""

    way: Way | None = None

    def put(self, message: bytes) -> None:
        if self.way is not None and b'"type":"answer"' in message:
            self.way.hops = len(self.way.threads) - 1

    def dismiss(self, reason: Reason, *, come_back: bool) -> None:
        raise AssertionError(reason, come_back)


@cache
def _called(file: str) -> dict[int, list[list[str]]]:
    """Return the called names by line of a file."""
    found: dict[int, list[list[str]]] = {}
    for node in ast.walk(ast.parse(Path(file).read_text())):
        if isinstance(node, ast.Call):
            path = ast.unparse(node.func).split(".")
            found.setdefault(node.lineno, []).append(path)
    return found


def _shape(known: dict[str, Any], path: list[str]) -> Iterator[type]:
    value = known.get(path[0])
    for name in path[1:]:
        value = getattr(value, name, None)
    if inspect.isclass(value) and (
        is_dataclass(value) or issubclass(value, (msgspec.Struct, tuple))
    ):
        yield value


def _shapes_in(value: object) -> Iterator[type]:
    """Yield the structs that a message is read as."""
    if isinstance(value, msgspec.Struct):
        yield type(value)
        for each in msgspec.structs.astuple(value):
            yield from _shapes_in(each)
    elif isinstance(value, tuple):
        for each in value:
            yield from _shapes_in(each)


async def _way_of(house: House, connection: Connection, raw: bytes) -> Way:
    """Trace a message up to the last update for it."""
    way, writer = Way(), house.floor.writer
    writer.wake(lambda: sys.settrace(way.trace))
    threading.settrace(way.trace)
    await asyncio.sleep(0.1)
    vars(way).update(vars(Way(shapes=set(_shapes_in(read_message(raw))))))
    sink = connection.outlet
    assert isinstance(sink, Sink)
    sink.way = way
    sys.settrace(way.trace)
    connection.take(raw)
    while way.hops is None:
        await asyncio.sleep(0)
    await asyncio.sleep(0.1)
    sys.settrace(None)
    threading.settrace(lambda *_: None)
    writer.wake(lambda: sys.settrace(None))
    await asyncio.sleep(0.1)
    return way


def _connect(house: House, hello: Hello) -> Connection:
    return house.floor.connections.connect(TABLE, hello, Sink())


async def measure(house: House) -> None:
    """Trace some rounds after the first, which starts threads and fills caches."""
    record = house.floor.record
    code = devices.invite_unasked(record, "it", "T1", DeviceKind.TERMINAL, TABLE)
    terminal = _connect(house, Hello(device=devices.enrol(record, code)[0]))
    token = await house.log_on("Dana")
    await house.post(f"/api/tables/{TABLE}/dealer", None, token)
    console = _connect(house, Hello(session=token))
    await house.act(TABLE, BuyIn("T1", 1_000_000), CASHIER)
    await house.play_round(TABLE, outcome="7")
    wagers, settlements = [], []
    before = set(threading.enumerate())
    for number in range(2, ROUNDS + 2):
        await house.say(TABLE, "Dealer: place your bets")
        for name in ("w1", "w2"):
            raw = WAGER % (f"{number}-{name}", number, name)
            wagers.append(await _way_of(house, terminal, raw.encode()))
        lines = ("Dealer: spin", "Dealer: no more bets", "Dealer: outcome 17")
        await house.say(TABLE, *lines)
        raw = SETTLE % number
        settlements.append(await _way_of(house, console, raw.encode()))
        assert house.floor.table(TABLE).state.series.current.settled is not None
    new = set(threading.enumerate()) - before
    print(f"a wager: {_counted(wagers)}")
    print(f"a settlement: {_counted(settlements)}")
    print(f"new threads in {ROUNDS} rounds: {len(new)}")


def _counted(ways: list[Way]) -> str:
    """Describe the shortest way, which has none of the house's work of each second."""
    way = min(ways, key=lambda each: each.calls)
    return (
        f"{len(way.modules)} modules, {way.calls} calls, {len(way.shapes)} shapes,"
        f" {way.hops} hops"
    )


def main() -> None:
    """Print the way of a wager and of a settlement."""
    with tempfile.TemporaryDirectory() as folder:
        in_house(Path(folder), measure)


if __name__ == "__main__":
    main()
