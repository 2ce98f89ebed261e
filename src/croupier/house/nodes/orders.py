"""Orders of the staff to the nodes: move a table, drain a node; each is on record."""

from __future__ import annotations

from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import HouseRecord, NotDone, NotThere
from croupier.journal.events import house as ev
from croupier.journal.node_registry import NodeList, NodeRow, Ownership, Registered
from croupier.rules.notation import shown
from croupier.rules.reasons import Reason


def move_table(
    record: HouseRecord, nodes: NodeList, by: str, table: str, node: str
) -> Ownership:
    """Have a table's owner give it to a node between rounds; return who has it.

    Raises `NotThere` where no node has had the table yet or there is none of that
    name, and `NotDone` where the node takes no tables.
    """
    seen = nodes.registered()
    if table not in seen.owners:
        raise NotThere(HouseReason.NO_SUCH_TABLE(name=shown(table)))
    target, owner = _node(seen, node), seen.owners[table]
    if target.is_draining:
        raise NotDone(HouseReason.NODE_IS_DRAINING(name=node))
    if not target.is_alive:
        raise NotDone(HouseReason.NODE_IS_GONE(name=node))
    if not target.is_on_time:
        raise NotDone(clock_off(node, target.clock_off_ms))
    record.write(ev.TableMoveAsked(by, table, node, owner.node))
    nodes.ask_to_move(table, node, pins=True)
    return owner


def clock_off(node: str, off_ms: int) -> Reason:
    """Say that the clock of a node is wrong, and by how much."""
    return HouseReason.NODE_CLOCK_OFF(name=node, seconds=round(off_ms / 1000))


def drain_node(
    record: HouseRecord, nodes: NodeList, by: str, node: str, *, back: bool
) -> Registered:
    """Have a node give its tables away and take none, or take tables again.

    Return all nodes as they were; raise `NotThere` where there is none of that name.
    """
    seen = nodes.registered()
    _node(seen, node)
    record.write((ev.NodeGivenBack if back else ev.NodeDrained)(by, node))
    nodes.drain(node, on=not back)
    return seen


def _node(seen: Registered, name: str) -> NodeRow:
    found = seen.node(name)
    if found is None:
        raise NotThere(HouseReason.NO_SUCH_NODE(name=shown(name)))
    return found
