"""This node among the nodes of a house: it beats, and does what its rows ask for."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping, Set
from contextlib import suppress
from threading import Event, Thread
from typing import Protocol

from croupier.house.nodes.assignment import (
    SETTLED_S,
    NodeStatuses,
    NodeSteps,
    NodeView,
    next_steps,
    note_statuses,
)
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import NotDone
from croupier.journal.node_registry import (
    NOBODY,
    SILENT_MS,
    NodeRegistry,
    NodeRow,
    Ownership,
    Registered,
)
from croupier.journal.sharing import LeaseHeld
from croupier.journal.store import JournalError

_log = logging.getLogger(__name__)
BEAT_S = 1.0
_LEAST_S = 0.1
"""Between two beats, however often other nodes wake this one."""
_LOOKS_EVERY_S = 0.25
"""How often a wait looks whether this node is to stop."""


class TableElsewhere(NotDone):
    """Another node serves the table, or nobody does just now."""

    def __init__(self, table: str) -> None:
        super().__init__(HouseReason.TABLE_NOT_TAKEN(name=table))
        self.table = table


class TableHost(Protocol):
    """The server of tables in this process; asked on the thread of the nodes.

    Each act is begun, and not waited for.
    """

    def tables(self) -> Set[str]:
        """Return all tables of the house."""

    def loads(self) -> Mapping[str, int]:
        """Return the tables that are served here, or about to be, with their loads."""

    def open(self, table: str, taken_from: str | None) -> None:
        """Serve a table that this node owns, and that it may have just taken."""

    def drop(self, table: str) -> None:
        """Serve a table no more, whatever is in play: it is another's."""

    def let_go(self, tables: Set[str]) -> None:
        """Leave these tables, and no others, as soon as no round is in play there."""

    def lose(self, error: JournalError) -> None:
        """End this process: it is no node any more."""


class Nodes:
    """This node's knowledge of all nodes at its last beat; read on any thread."""

    def __init__(self, registry: NodeRegistry, steady: Callable[[], float]) -> None:
        """Join: the first beat is given, and what it found known."""
        self.registry, self._steady = registry, steady
        self._beaten = self._joined = steady()
        self._seen: Registered = registry.beat({})
        self._statuses: NodeStatuses = note_statuses({}, self._seen.nodes, self._beaten)
        self._is_failing = self._is_clock_off = False
        self._ends = Event()
        self._thread: Thread | None = None
        self.takeovers = 0
        """How many tables this process has taken from nodes that were gone."""

    @property
    def name(self) -> str:
        """Of this node."""
        return self.registry.name

    @property
    def secret(self) -> bytes:
        """A random key that all nodes of the house share, and nobody else has."""
        return self.registry.secret

    @property
    def beat_age_s(self) -> float:
        """Seconds since the last beat that the database took was begun."""
        return self._steady() - self._beaten

    @property
    def member_for_s(self) -> float:
        """Seconds since this node came, or came back; 0 while it is cut off."""
        return self._steady() - self._joined if self.is_member else 0.0

    @property
    def is_member(self) -> bool:
        """Whether the others hold this node for alive, for all it knows."""
        return self.beat_age_s * 1000 < SILENT_MS

    def all(self) -> tuple[NodeRow, ...]:
        """Return every node that has not been forgotten, alive or not, by name."""
        return self._seen.nodes

    def owners(self) -> Mapping[str, Ownership]:
        """Return who has each table, by the table's name; one never taken is absent."""
        return self._seen.owners

    def owner_of(self, table: str) -> NodeRow | None:
        """Return the node that serves a table now, or None: ask again soon."""
        owner = self._seen.owners.get(table)
        if owner is None or not self.is_member:
            return None
        found = self._seen.node(owner.node)
        return found if found is not None and found.is_alive else None

    @property
    def is_first(self) -> bool:
        """Whether this node does what one of them is to do: the first that lives."""
        alive = (
            node.name for node in self._seen.nodes if node.is_alive and node.is_on_time
        )
        return self.is_member and self.name == min(alive, default="")

    @property
    def clock_off_ms(self) -> int:
        """How far this node's clock is off the database's; 0 if that is little."""
        found = self._seen.node(self.name)
        return 0 if found is None or found.is_on_time else found.clock_off_ms

    # The thread of the nodes

    def start(self, host: TableHost) -> None:
        """Beat, and have the host serve what this node owns, until `stop`."""
        self._thread = Thread(target=self._run, args=(host,), name="nodes", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Take and give nothing any more; beat no more."""
        self._ends.set()
        if self._thread is not None:
            self._thread.join()

    def let_go(self, table: str) -> None:
        """Own a table no more: it is served here no longer."""
        self.registry.let_go(table)

    def pass_on(self, table: str) -> None:
        """Have the next node try a table that can't be opened here, if there is one."""
        others = sorted(
            node.name
            for node in self._seen.nodes
            if node.takes_tables and node.name != self.name
        )
        if others:
            after = next((name for name in others if name > self.name), others[0])
            self.registry.ask_to_move(table, after, pins=False)
            self.registry.let_go(table)

    def close(self, tables: Iterable[str]) -> None:
        """Let go of tables that are served no more, then leave the nodes."""
        with suppress(JournalError):
            for table in tables:
                self.registry.let_go(table)
        self.registry.close()

    def _run(self, host: TableHost) -> None:
        while not self._ends.is_set():
            try:
                self.take_turn(host)
            except LeaseHeld as error:
                host.lose(error)
                return
            except JournalError as error:
                self._note_failure(error)
            except Exception:  # noqa: BLE001 - a node that ends would be silence
                _log.exception("a turn of the nodes failed")
            self._ends.wait(_LEAST_S)
            self._await_turn()

    def _await_turn(self) -> None:
        """Wait for the next beat, or until another node changes an owner."""
        end = self._steady() + BEAT_S - _LEAST_S
        while not self._ends.is_set() and self._steady() < end:
            if self.registry.wait(_LOOKS_EVERY_S):
                return

    def take_turn(self, host: TableHost) -> None:
        """Beat once, look, and begin whatever is to be done."""
        loads, now = host.loads(), self._steady()
        seen = self.registry.beat(loads)
        if now - self._beaten > SETTLED_S:
            self._joined = now
        self._statuses = note_statuses(self._statuses, seen.nodes, now)
        self._beaten, self._seen = now, seen
        self._note_clock()
        if self._is_failing:
            self._is_failing = False
            _log.warning("the node %s is among the others again", self.name)
        steps = next_steps(
            NodeView(
                me=self.name,
                tables=host.tables(),
                here=loads.keys(),
                registered=seen,
                statuses=self._statuses,
                joined=self._joined,
                now=now,
            )
        )
        if not self._ends.is_set():
            self._carry_out(steps, host)

    def _carry_out(self, steps: NodeSteps, host: TableHost) -> None:
        for table in (*steps.drop, *steps.forget):
            host.drop(table)
        if steps.forget:
            self.registry.forget(steps.forget)
        for table in steps.give_up:
            self.registry.let_go(table)
        for table in steps.open:
            host.open(table, None)
        for node in steps.put_out:
            _log.warning("the node %s hangs: its sessions are ended", node)
            self.registry.put_out(node)
        for table, before in steps.take.items():
            self._take(table, before, host)
        for table, node in steps.move.items():
            self.registry.ask_to_move(table, node, pins=False)
        host.let_go(frozenset(steps.let_go))

    def _take(self, table: str, before: Ownership | None, host: TableHost) -> None:
        if self.registry.take(table, before) is None:
            return  # another node was quicker
        was = None if before is None else before.node
        if was not in {None, NOBODY}:
            self.takeovers += 1
            _log.warning("%s is taken over from the node %s", table, was)
        host.open(table, was)

    def _note_clock(self) -> None:
        is_off = self.clock_off_ms != 0
        if is_off and not self._is_clock_off:
            seconds = self.clock_off_ms / 1000
            text = "the clock of the node %s is %+.0f s off the database's: set it"
            _log.error(text, self.name, seconds)
        elif self._is_clock_off and not is_off:
            _log.warning("the clock of the node %s is right again", self.name)
        self._is_clock_off = is_off

    def _note_failure(self, error: JournalError) -> None:
        if not self._is_failing:
            _log.warning("the node %s can't beat: %s", self.name, error)
        self._is_failing = True
