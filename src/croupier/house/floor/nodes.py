"""The nodes of a house: the steps that this node takes, beat by beat.

PostgreSQL arbitrates: each table has an owner row, and nodes never talk to each other.

Laws of this file:
- a table changes hands only by its row: handed over by its owner, or claimed from a
  node that is gone;
- a node claims a table that has had no owner for a while, even if no client wants it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Protocol
from zlib import crc32

from croupier.journal.node_registry import (
    NO_NODE,
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
UNOWNED_S = 3.0
"""A node claims a table that has had no owner for this long."""
SETTLED_S = 3.0
"""A node claims tables of others once it has been a member for this long: after an
outage of the database the first node to come back gives the others time."""
HELD_S = 15.0
"""A node that took a table over keeps it for at least this long."""
_LEAST_S = 0.1
"""The shortest pause between two beats, even if other nodes wake this one."""
_LOOKS_EVERY_S = 0.25
"""Interval at which a waiting node checks if it has to stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeView:
    """A node's view of the house at one moment, in seconds of a steady clock."""

    me: str
    tables: Collection[str]
    """All tables of the house."""
    here: Collection[str]
    """Tables that this node serves or is opening."""
    registered: Registered
    gone_since: Mapping[str, float]
    joined: float
    """The time at which this node last became a member."""
    now: float
    held: Collection[str] = ()
    """Tables that this node keeps for now, even if another node wants them."""
    failed: Collection[str] = ()
    """Tables that this node could not open a moment ago."""
    is_leaving: bool = False

    @property
    def is_on_time(self) -> bool:
        found = self.registered.node(self.me)
        return found is None or found.is_on_time

    def has_lost(self, name: str) -> bool:
        """Return whether a node is dead and this one may claim its tables."""
        is_settled = self.now - self.joined >= SETTLED_S
        return is_settled and name != self.me and not self.registered.is_alive(name)

    def idle_s(self, owner: Ownership | None) -> float | None:
        """Return the seconds for which a table has had no owner; None if it has one."""
        if owner is None:
            return UNOWNED_S
        if owner.node == NO_NODE:
            return owner.age_ms / 1000
        if not self.has_lost(owner.node):
            return None
        return self.now - self.gone_since.get(owner.node, self.joined)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSteps:
    """The steps that a node takes now, in this order."""

    drop: tuple[str, ...] = ()
    """Tables served here that another node owns by now."""
    forget: tuple[str, ...] = ()
    """Tables of this node that the house no longer has."""
    let_go: tuple[str, ...] = ()
    """Tables that this node owns but does not serve, while its clock is wrong."""
    open: tuple[str, ...] = ()
    """Tables that this node owns but does not serve yet."""
    put_out: tuple[str, ...] = ()
    """Nodes that hang: their sessions are ended before their tables are claimed."""
    claim: Mapping[str, Ownership | None] = field(default_factory=dict)
    """Tables to own, with their rows as read."""
    hand_over: tuple[str, ...] = ()


def next_steps(view: NodeView) -> NodeSteps:
    """Return the next steps of a node. Pure: every node computes its own."""
    registered, is_on_time = view.registered, view.is_on_time
    owners = registered.owners
    mine = {name for name, each in owners.items() if each.node == view.me}
    closed = tuple(sorted((mine & set(view.tables)) - set(view.here)))
    asked = {
        name
        for name in mine - set(view.held)
        if registered.is_alive(owners[name].wanted)
    }
    takes_tables = is_on_time and not view.is_leaving
    leaving = mine & set(view.here) & (asked if is_on_time else mine)
    return NodeSteps(
        drop=tuple(sorted(set(view.here) - mine)),
        forget=tuple(sorted(mine - set(view.tables))),
        let_go=() if is_on_time else closed,
        open=closed if takes_tables else (),
        put_out=_hanging(view),
        claim=_claimed(view) if takes_tables else {},
        hand_over=tuple(sorted(leaving)),
    )


def _hanging(view: NodeView) -> tuple[str, ...]:
    """Return the silent nodes that still have a session and tables.

    A node without tables delays nothing: it may just be starting, and beats once it has
    checked the journal.
    """
    owners = {each.node for each in view.registered.owners.values()}
    return tuple(
        node.name
        for node in view.registered.nodes
        if node.is_connected and node.name in owners and view.has_lost(node.name)
    )


def _claimed(view: NodeView) -> dict[str, Ownership | None]:
    """Return the tables without an owner that this node claims.

    At once it claims tables that it was asked for, its share of the others after
    `UNOWNED_S`, and all of them after twice that time.
    """
    living = sorted(
        each.name
        for each in view.registered.nodes
        if (each.is_alive and each.is_on_time) or each.name == view.me
    )
    found = {}
    for table in view.tables:
        owner = view.registered.owners.get(table)
        idle_s = view.idle_s(owner)
        if idle_s is None or table in view.failed:
            continue
        is_asked = owner is not None and owner.wanted == view.me
        is_mine = living[crc32(table.encode()) % len(living)] == view.me
        if is_asked or idle_s >= (UNOWNED_S if is_mine else 2 * UNOWNED_S):
            found[table] = owner
    return found


class TableHost(Protocol):
    """The server of tables in this process; called on the thread of the nodes.

    Each act is begun, and not waited for.
    """

    def tables(self) -> Set[str]:
        """Return all tables of the house."""

    def served(self) -> Set[str]:
        """Return the tables that are open here, or being opened or closed."""

    def summaries(self) -> Mapping[str, str]: ...

    def failed(self) -> Set[str]:
        """Return the tables that could not be opened here a moment ago."""

    def open(self, table: str, before: Ownership | None) -> None:
        """Open a table that this node owns; `before` is its row if just claimed."""

    def drop(self, table: str) -> None:
        """Stop serving a table at once: it belongs to another node."""

    def hand_over(self, table: str) -> None:
        """Close a table and give up its row."""

    def lose(self, error: JournalError) -> None:
        """End this process: another process is this node now."""


class Nodes:
    """This node's knowledge of all nodes at its last beat; read on any thread."""

    def __init__(self, registry: NodeRegistry, steady: Callable[[], float]) -> None:
        """Join the nodes with a first beat."""
        self.registry, self._steady = registry, steady
        self._beaten = self._joined = steady()
        self._seen: Registered = registry.beat({})
        self._gone_since: dict[str, float] = {}
        self._pulled: dict[str, float] = {}
        """By table, the time at which another node handed it over on request."""
        self._warned: set[str] = set()
        """Tables for which a warning was logged: two nodes want them."""
        self._is_failing = self._is_clock_off = False
        self.is_leaving = False
        """True once this node only hands its tables over."""
        self._ends = Event()
        self._thread: Thread | None = None
        self.takeovers = 0
        """Number of tables that this process claimed from dead nodes."""

    @property
    def name(self) -> str:
        return self.registry.name

    @property
    def beat_age_s(self) -> float:
        return self._steady() - self._beaten

    @property
    def member_for_s(self) -> float:
        return self._steady() - self._joined if self.is_member else 0.0

    @property
    def is_member(self) -> bool:
        """True while the other nodes see this node as alive, as far as it knows."""
        return self.beat_age_s * 1000 < SILENT_MS

    def all(self) -> tuple[NodeRow, ...]:
        return self._seen.nodes

    def owners(self) -> Mapping[str, Ownership]:
        return self._seen.owners

    def owner_of(self, table: str) -> str | None:
        owner = self._seen.owners.get(table)
        is_served = owner is not None and self._seen.is_alive(owner.node)
        return owner.node if owner is not None and is_served else None

    def is_served_elsewhere(self, table: str) -> bool:
        return self.owner_of(table) not in {None, self.name}

    @property
    def is_alone(self) -> bool:
        others = (each for each in self._seen.nodes if each.name != self.name)
        return not any(each.is_alive and each.is_on_time for each in others)

    @property
    def is_first(self) -> bool:
        """True at the node that does the work which only one node does."""
        alive = (
            node.name for node in self._seen.nodes if node.is_alive and node.is_on_time
        )
        return self.is_member and self.name == min(alive, default="")

    @property
    def clock_off_ms(self) -> int:
        """This node's clock less the database's, or 0 within the tolerance."""
        found = self._seen.node(self.name)
        return 0 if found is None or found.is_on_time else found.clock_off_ms

    # The thread of the nodes

    def start(self, host: TableHost) -> None:
        self._thread = Thread(target=self._run, args=(host,), name="nodes", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._ends.set()
        if self._thread is not None:
            self._thread.join()

    def close(self, tables: Iterable[str]) -> None:
        """Give up the tables that were not handed over, then leave the nodes."""
        with suppress(JournalError):
            for table in tables:
                self.registry.hand_over(table, None)
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
            except Exception:  # noqa: BLE001 - a node must not end silently
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
        """Beat once and begin the next steps."""
        now, known = self._steady(), self._seen.owners
        here = host.served()
        changed = {
            table: summary
            for table, summary in host.summaries().items()
            if table not in known or known[table].summary != summary
        }
        seen = self.registry.beat(changed)
        if now - self._beaten > SETTLED_S:
            self._joined = now
        self._gone_since = {
            each.name: self._gone_since.get(each.name, now)
            for each in seen.nodes
            if not each.is_alive
        }
        self._beaten, self._seen = now, seen
        self._note_clock()
        if self._is_failing:
            self._is_failing = False
            _log.warning("the node %s reaches its database again", self.name)
        view = NodeView(
            me=self.name,
            tables=host.tables(),
            here=here,
            registered=seen,
            gone_since=self._gone_since,
            joined=self._joined,
            now=now,
            held=self._held(now),
            failed=host.failed(),
            is_leaving=self.is_leaving,
        )
        if not self._ends.is_set():
            self._carry_out(next_steps(view), host)

    def _held(self, now: float) -> Set[str]:
        """Return the tables to keep; log a warning for those that others want back."""
        for table, since in list(self._pulled.items()):
            owner = self._seen.owners.get(table)
            if owner is None or owner.node != self.name or now - since >= HELD_S:
                del self._pulled[table]
                self._warned.discard(table)
            elif owner.wanted != NO_NODE and table not in self._warned:
                self._warned.add(table)
                _log.warning(
                    "two nodes want %s: %s asks for it %.0f s after it came here;"
                    " do two proxies route differently?",
                    table,
                    owner.wanted,
                    now - since,
                )
        return self._pulled.keys()

    def _carry_out(self, steps: NodeSteps, host: TableHost) -> None:
        for table in (*steps.drop, *steps.forget):
            host.drop(table)
        if steps.forget:
            self.registry.forget(steps.forget)
        for table in steps.let_go:
            self.registry.hand_over(table, None)
        for table in steps.open:
            host.open(table, None)
        for node in steps.put_out:
            _log.warning("the node %s hangs: its sessions are ended", node)
            self.registry.put_out(node)
        for table, before in steps.claim.items():
            self._claim(table, before, host)
        for table in steps.hand_over:
            host.hand_over(table)

    def _claim(self, table: str, before: Ownership | None, host: TableHost) -> None:
        if not self.registry.claim(table, before):
            return  # another node was quicker
        if before is not None and before.node != NO_NODE:
            self.takeovers += 1
            _log.warning("%s is taken over from the node %s", table, before.node)
        elif before is not None and before.wanted == self.name and before.epoch:
            self._pulled[table] = self._steady()
        host.open(table, before or Ownership(table, NO_NODE, 0, 0))

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
