"""Three nodes of one house on a real PostgreSQL with a standby, behind two HAProxies.

To devices it is a house as any other, at one address or another.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from random import Random
from secrets import token_urlsafe
from threading import Event
from typing import Any

from croupier.house.people.log_on import digest_of
from croupier.house.records.house_record import HouseRecord, now_ms
from croupier.house.records.house_state import DeviceKind
from croupier.journal.events.house import DeviceEnrolled, DeviceInvited
from croupier.journal.node_registry import Registered
from croupier.journal.stores import open_store
from croupier.journal.stores.postgresql_nodes import NodeRows
from croupier.journal.stores.postgresql_sharing import PostgresSharing
from tests.faults.device import LOST, Device, Message
from tests.faults.floor import Floor, at_once
from tests.faults.house_process import TABLES, HouseProcess, Reply, new_id
from tests.nodes.haproxy import HaProxy, free_port
from tests.waiting import wait_for

NAMES = ("A", "B", "C")
_PATIENCE_S = 60.0
_TERMINAL = DeviceKind.TERMINAL.value
_CREDIT_CENTS = 1_000_000


class Cluster(HouseProcess):
    """A house at the address of either proxy."""

    def __init__(self, url: str, folder: Path, random: Random) -> None:
        self.random = random
        self.nodes: dict[str, HouseProcess] = {}
        self.ports = {name: free_port() for name in NAMES}
        self.proxies: list[HaProxy] = []
        self.away: set[str] = set()
        """Nodes that were killed or stopped."""
        super().__init__(url, folder)
        self.nodes = {name: HouseProcess(url, folder / name) for name in NAMES}
        self.proxies = [HaProxy(folder, self.ports) for _ in range(2)]

    @property
    def address(self) -> str:
        return self.random.choice(self.proxies).address

    @address.setter
    def address(self, address: str) -> None:
        """One process made the house, and is no more."""

    def begin(self) -> None:
        """Make the house, and serve it by all nodes."""
        self.start("--create")
        assert self.terminate() == 0, self.said
        for name, node in self.nodes.items():
            node.launch("--node", name, port=self.ports[name])
        for node in self.nodes.values():
            node.wait_until_open()
        self.wait_until_served()

    def wait_until_served(self) -> None:
        """Wait until each table has a living node."""
        wait_for(self._is_served, _PATIENCE_S)

    def _is_served(self) -> bool:
        there = self.nodes.keys() - self.away
        owners = self.registered().owners
        return all(table in owners and owners[table].node in there for table in TABLES)

    def registered(self) -> Registered:
        with NodeRows(self.url) as rows:
            return rows.registered()

    def pair(self, table: str, names: Iterable[str]) -> dict[str, str]:
        """Enrol terminals beside the nodes, whose limits on pairing are for others.

        By name, the token of each.
        """
        tokens = {name: token_urlsafe(32) for name in names}
        with self.record_beside() as record:
            record.write(
                *(
                    event
                    for name, token in tokens.items()
                    for event in (
                        DeviceInvited("a test", name, _TERMINAL, table, 0, name),
                        DeviceEnrolled(name, digest_of(token)),
                    )
                )
            )
        return tokens

    @contextmanager
    def record_beside(self) -> Iterator[HouseRecord]:
        """Open the house's record beside the nodes, as another node would."""
        with open_store(self.url) as store, PostgresSharing(self.url) as sharing:
            yield HouseRecord(store, now_ms, sharing=sharing)

    def owner_of(self, table: str) -> str:
        return self.registered().owners[table].node

    def wait_for_owner(self, table: str, is_wanted: Callable[[str], bool]) -> str:
        """Wait until a table has another owner; return it."""
        wait_for(lambda: is_wanted(self.owner_of(table)), _PATIENCE_S)
        return self.owner_of(table)

    def log_on_again(self, name: str) -> None:
        """Log a person on once more, as soon as a node answers."""
        self.sessions.pop(name, None)

        def is_logged_on() -> bool:
            try:
                return bool(self.session(name))
            except OSError:  # the proxy has not noticed yet which node is gone
                return False

        wait_for(is_logged_on, _PATIENCE_S)

    def ask(self, method: str, path: str, body: object = None, *, by: str = "") -> Any:
        """Ask again until it is done: a table may have no node just now."""

        def done() -> Reply | None:
            try:
                reply = self.http(method, path, body, by=by, seconds=5)
            except OSError:
                return None
            is_early = reply.status >= 500 or reply.status == 429
            assert reply.status < 400 or is_early, (path, reply)
            return reply if reply.done else None

        return wait_for(done, _PATIENCE_S).body

    # Signals

    def kill_node(self, name: str) -> None:
        self.away.add(name)
        self.nodes[name].kill()

    def hold_node(self, name: str) -> None:
        """Pause a process."""
        self.away.add(name)
        self._signal(name, signal.SIGSTOP)

    def wake_node(self, name: str) -> None:
        self._signal(name, signal.SIGCONT)
        self.away.discard(name)

    def start_node(self, name: str) -> None:
        self.nodes[name].start("--node", name, port=self.ports[name])
        self.away.discard(name)

    def stop_node(self, name: str) -> None:
        self.away.add(name)
        assert self.nodes[name].terminate() == 0, self.nodes[name].said

    def _signal(self, name: str, number: signal.Signals) -> None:
        process = self.nodes[name].process
        assert process is not None
        process.send_signal(number)

    def close(self) -> None:
        for proxy in self.proxies:
            proxy.stop()
        for name, node in self.nodes.items():
            if node.process is not None and name in self.away:
                self._signal(name, signal.SIGCONT)
            node.close()
        super().close()


class NodeFloor(Floor):
    """All devices of one table, each connected through either proxy."""

    def __init__(self, house: Cluster, table: str, *, seats: int = 2) -> None:
        self.cluster = house
        self.rounds_beside = 0
        """Rounds played during the faults at the other table."""
        super().__init__(house, table, seats=seats)

    def _seats(self, count: int) -> Iterable[Message]:
        names = [f"{self.table} {number}" for number in range(1, count + 1)]
        for name, token in self.cluster.pair(self.table, names).items():
            path = f"/api/tables/{self.table}/seats/{name}/buy-in"
            bought = {"id": new_id(), "cents": _CREDIT_CENTS}
            self.cluster.ask("POST", path, bought, by="Carl")
            yield {"token": token, "device": name, "credit_cents": _CREDIT_CENTS}

    def connect(self) -> None:
        path = f"/api/tables/{self.table}/dealer"
        self.cluster.ask("POST", path, by=self.dealer.sender)
        at_once(_connect, self.devices)

    @contextmanager
    def playing_on(self) -> Iterator[None]:
        """Play round after round on a thread of its own, through all faults."""
        over = Event()
        with ThreadPoolExecutor(1, thread_name_prefix=self.table) as pool:
            playing = pool.submit(self._play_on, over)
            try:
                yield
            finally:
                over.set()
            playing.result()

    def _play_on(self, over: Event) -> None:
        while not over.is_set():
            if self.dealer.ask("act", act="place your bets")["registered"]:
                at_once(lambda each: each.until(lambda: _is_begun(each)), self.devices)
                self.all_heard(self.lay("red", cents=500))
                self.finish("1")  # red: no seat runs out of credit
                self.rounds_beside += 1

    def _settle_down(self) -> None:
        _connect(self.dealer)


def _is_begun(device: Device) -> bool:
    """Return whether a device knows of the round, even if a fault interrupted it."""
    return bool(device.view["phase"] != "ended")


def _connect(device: Device) -> None:
    """Connect again until it works."""
    end = time.monotonic() + _PATIENCE_S
    while True:
        try:
            device.connect(seconds=5)
        except LOST:
            assert time.monotonic() < end, f"{device.sender} can't connect"
            time.sleep(0.1)
        else:
            return
