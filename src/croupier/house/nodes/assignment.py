"""Assignment of tables to nodes: one node's steps, by what it sees of all.

Pure: no clock, no thread, no database. Every node computes this by itself from the same
rows, and comes to the same answer or, where rows have just changed, to one of which the
registry carries out the first alone.

Laws of this file:
- a table is taken from nobody, or from a node that has been gone for a while;
- a table moves between live nodes only by its owner's letting it go;
- a node whose clock is wrong lets its tables go, whoever takes them;
- a move makes the floor more even, or none is made: tables don't go to and fro.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from croupier.journal.node_registry import NOBODY, NodeRow, Ownership, Registered

GONE_S = 1.5
"""A node whose session has ended may come back within these: it lost no table."""
SETTLED_S = 3.0
"""A node takes from others after it has been there for so long itself: where the
database was away, all come back, one first."""
PROVEN_S = 5.0
"""A node is given tables to even out the floor once it has stayed for so long."""
MOVES_AT_ONCE = 8
"""So many tables of a node are on the move to even out the floor."""


@dataclass(frozen=True, slots=True)
class NodeStatus:
    """Whether a node was alive when last looked at, and since when that has been so."""

    is_alive: bool
    since: float


NodeStatuses = Mapping[str, NodeStatus]


def note_statuses(
    before: NodeStatuses, nodes: Iterable[NodeRow], now: float
) -> NodeStatuses:
    """Return what has been seen of each node by now, in seconds of a steady clock."""
    seen = {}
    for node in nodes:
        last = before.get(node.name)
        is_same = last is not None and last.is_alive is node.is_alive
        seen[node.name] = last if is_same and last else NodeStatus(node.is_alive, now)
    return seen


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeView:
    """A node's view of the house at one moment."""

    me: str
    tables: Collection[str]
    """All that the house has."""
    here: Collection[str]
    """Those that this node serves, or is about to."""
    registered: Registered
    statuses: NodeStatuses
    joined: float
    """When this node came, or came back."""
    now: float

    def is_gone(self, name: str) -> bool:
        """Return whether a node has lost its tables."""
        if name == NOBODY:
            return True
        node, status = self.registered.node(name), self.statuses.get(name)
        if self.now - self.joined < SETTLED_S or name == self.me:
            return False
        if node is None or status is None or status.is_alive:
            return node is None
        return node.is_connected or self.now - status.since >= GONE_S

    def is_on_time(self, name: str) -> bool:
        node = self.registered.node(name)
        return node is None or node.is_on_time

    def is_proven(self, name: str) -> bool:
        status = self.statuses.get(name)
        return status is not None and self.now - status.since >= PROVEN_S


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeSteps:
    """The steps that a node takes now, in this order."""

    drop: tuple[str, ...] = ()
    """Served here, and another's by now."""
    forget: tuple[str, ...] = ()
    """This node's, and no longer of the house."""
    give_up: tuple[str, ...] = ()
    """This node's, and not served yet, while its clock is wrong."""
    open: tuple[str, ...] = ()
    """This node's, and not served yet."""
    put_out: tuple[str, ...] = ()
    """Nodes that hang: their sessions are ended before their tables are taken."""
    take: Mapping[str, Ownership | None] = field(default_factory=dict)
    """Tables to own, with who had them."""
    move: Mapping[str, str] = field(default_factory=dict)
    """This node's tables that are to go to another, or to stay (`NOBODY`)."""
    let_go: tuple[str, ...] = ()
    """This node's tables that wait for the end of their round, to go to another."""


def next_steps(view: NodeView) -> NodeSteps:
    """Return what a node is to do by what it sees."""
    owners = view.registered.owners
    mine = {name for name, each in owners.items() if each.node == view.me}
    takers = _takers(view)
    wanted = _moves(view, sorted(mine & set(view.tables)), takers)
    moving = {name: wanted.get(name, owners[name].move_to) for name in mine}
    is_on_time = view.is_on_time(view.me)
    closed = tuple(sorted((mine & set(view.tables)) - set(view.here)))
    return NodeSteps(
        drop=tuple(sorted(set(view.here) - mine)),
        forget=tuple(sorted(mine - set(view.tables))),
        give_up=() if is_on_time else closed,
        open=closed if is_on_time else (),
        put_out=_hanging(view),
        take=_taken(view, takers),
        move=wanted,
        let_go=tuple(
            sorted(n for n, to in moving.items() if to != NOBODY or not is_on_time)
        ),
    )


def _takers(view: NodeView) -> list[str]:
    """Return the nodes that may have tables, by name; draining ones if no others.

    A node with a wrong clock is none of them: it would date what happens there wrongly.
    """
    alive = [n for n in view.registered.nodes if n.is_alive and n.is_on_time]
    staying = [node.name for node in alive if not node.is_draining]
    return sorted(staying or (node.name for node in alive))


def _hanging(view: NodeView) -> tuple[str, ...]:
    """Return the nodes that hold their session and tables, and have fallen silent.

    One that has no table keeps nobody waiting: it may just be starting, and beats once
    it has checked the journal.
    """
    owners = {each.node for each in view.registered.owners.values()}
    return tuple(
        node.name
        for node in view.registered.nodes
        if node.is_connected
        and not node.is_alive
        and node.name in owners
        and view.is_gone(node.name)
    )


def _loads(view: NodeView, takers: Iterable[str]) -> dict[str, int]:
    """Return the load of each taker, once all tables are where they are to be."""
    loads = dict.fromkeys(takers, 0)
    for owner in view.registered.owners.values():
        if owner.table in view.tables:
            heir = owner.node if owner.move_to == NOBODY else owner.move_to
            if heir in loads:
                loads[heir] += owner.load
    return loads


def _taken(view: NodeView, takers: list[str]) -> dict[str, Ownership | None]:
    """Return the tables without an owner that are for this node to take."""
    if view.me not in takers:
        return {}
    owners, loads = view.registered.owners, _loads(view, takers)
    free = {name: owners.get(name) for name in view.tables}
    free = {
        name: before
        for name, before in free.items()
        if before is None or view.is_gone(before.node)
    }
    promised = {
        name: before.move_to
        for name, before in free.items()
        if before is not None and before.move_to in loads
    }
    weights = {
        name: 1 if before is None else before.load
        for name, before in sorted(free.items(), key=_heaviest)
        if name not in promised
    }
    # Whoever had its turn before has taken its share by now, and is loaded with it.
    is_first = not any(free.values())
    most = len(weights) if is_first else _most_at_once(weights, takers)
    heirs = promised | _shared(loads, weights, most)
    return {name: free[name] for name, to in heirs.items() if to == view.me}


def _most_at_once(tables: Collection[str], takers: Collection[str]) -> int:
    """Return how many of the tables that a node has left another is given.

    A node opens one table after the other: all that a large one leaves would stand
    still for long at one that was nearly empty, which is given more later.
    """
    return -(-len(tables) // len(takers)) + MOVES_AT_ONCE


def _shared(
    loads: Mapping[str, int], weights: Mapping[str, int], most: int
) -> dict[str, str]:
    """Return who is to have each of these tables: whoever has the least to do.

    Each is given so many at the most, while there is another.
    """
    loads, given = dict(loads), dict.fromkeys(loads, 0)
    heirs = {}
    for table, weight in weights.items():
        to = min(loads, key=lambda name: (given[name] >= most, loads[name], name))
        heirs[table] = to
        loads[to] += weight
        given[to] += 1
    return heirs


def _heaviest(item: tuple[str, Ownership | None]) -> tuple[int, str]:
    name, before = item
    return (-1 if before is None else -before.load, name)


def _least(loads: Mapping[str, int]) -> str:
    return min(loads, key=lambda name: (loads[name], name))


def _most(loads: Mapping[str, int]) -> str:
    return max(loads, key=lambda name: (loads[name], name))


def _moves(view: NodeView, mine: list[str], takers: list[str]) -> dict[str, str]:
    """Return where tables of this node are to go that are to go elsewhere than said."""
    owners = view.registered.owners
    # Where a table was to go, and whoever was to have it takes none now.
    stay = {
        name: NOBODY
        for name in mine
        if owners[name].move_to not in {NOBODY, *takers} - {view.me}
    }
    if view.me not in takers and takers:
        return stay | _given_away(view, mine, takers)
    return stay or _evened_out(view, takers)


def _given_away(view: NodeView, mine: list[str], takers: list[str]) -> dict[str, str]:
    """Share the tables of a node that drains among the others."""
    owners = view.registered.owners
    weights = {
        name: owners[name].load for name in mine if owners[name].move_to not in takers
    }
    most = _most_at_once(weights, takers)
    return _shared(_loads(view, takers), weights, most)


def _evened_out(view: NodeView, takers: list[str]) -> dict[str, str]:
    """Give tables to nodes with less to do, where that evens out the floor.

    What every node would give is worked out by each: so that all agree, and none gives
    what is more than its share.
    """
    loads = _loads(view, takers)
    if any(view.is_gone(each.node) for each in view.registered.owners.values()):
        return {}  # first everything is taken
    ready = {name for name in takers if view.is_proven(name) or name == view.me}
    loads = {name: load for name, load in loads.items() if name in ready}
    lying: dict[str, list[Ownership]] = {name: [] for name in loads}
    pending = dict.fromkeys(loads, 0)
    for each in view.registered.owners.values():
        if each.node in loads and each.table in view.tables:
            if each.move_to != NOBODY:
                pending[each.node] += 1
            elif not each.is_pinned:
                lying[each.node].append(each)
    moves: dict[str, str] = {}
    while len(loads) > 1:
        most, least = _most(loads), _least(loads)
        table = _evening_table(lying[most], loads[most] - loads[least])
        if table is None or pending[most] >= MOVES_AT_ONCE:
            del loads[most]  # it gives nothing: perhaps the next one does
            continue
        lying[most].remove(table)
        loads[most] -= table.load
        loads[least] += table.load
        pending[most] += 1
        if most == view.me:
            moves[table.table] = least
    return moves


def _evening_table(tables: Iterable[Ownership], difference: int) -> Ownership | None:
    """Return the table that leaves two nodes the least apart, if it helps at all."""
    helping = [each for each in tables if each.load < difference]
    if not helping:
        return None
    return min(helping, key=lambda each: (abs(difference - 2 * each.load), each.table))
