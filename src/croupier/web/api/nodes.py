"""The nodes of a house: which there are, what each serves, and how tables move."""

from __future__ import annotations

import msgspec

from croupier.house.floor.floor import Floor
from croupier.house.nodes import orders
from croupier.house.nodes.membership import Nodes
from croupier.house.people.authority import HouseAct
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import NotDone
from croupier.journal.node_registry import NodeList
from croupier.web.api.base import HouseApi, Name, check_table, show_as
from croupier.web.endpoint import Body
from croupier.web.security.authentication import STAFF, HouseRequest

api = HouseApi("nodes", STAFF)


class NodeShown(msgspec.Struct, frozen=True):
    """A node as all know it, and what it says of itself where it answers."""

    name: str
    address: str
    version: str
    is_alive: bool
    is_draining: bool
    """It gives its tables away and takes none."""
    silent_ms: int
    """Since its last beat, by the database's clock."""
    tables: tuple[str, ...]
    """The tables that it serves."""
    moves_here: tuple[str, ...]
    """The tables that come to it once no round is in play there."""
    takeovers: int | None = None
    """Tables that it has taken from nodes that were gone; null: it does not answer."""
    following_ms: int | None = None
    """How long ago it last knew all that the house has recorded."""


@api("GET /api/nodes")
async def list_nodes(request: HouseRequest) -> list[NodeShown]:
    """List the nodes of the house; none where one process serves it."""
    request.must(HouseAct.WATCH)
    floor = request.floor
    if floor.nodes is None:
        return []
    here = _own(floor, floor.nodes)
    told = [here, *(each for e in await request.gather(list[NodeShown]) for each in e)]
    of_itself = {each.name: each for each in told if each.takeovers is not None}
    return [of_itself.get(each.name, each) for each in _known(floor.nodes)]


def _known(nodes: Nodes) -> list[NodeShown]:
    """Return every node, as this one knows it."""
    owners = nodes.owners().values()
    return [
        show_as(
            NodeShown,
            node,
            tables=tuple(sorted(e.table for e in owners if e.node == node.name)),
            moves_here=tuple(sorted(e.table for e in owners if e.move_to == node.name)),
            takeovers=None,
            following_ms=None,
        )
        for node in nodes.all()
    ]


def _own(floor: Floor, nodes: Nodes) -> NodeShown:
    """Return this node, with what only it knows."""
    [here] = [each for each in _known(nodes) if each.name == nodes.name]
    following_ms = None if floor.follower is None else floor.follower.lag_ms
    return msgspec.structs.replace(
        here, takeovers=nodes.takeovers, following_ms=following_ms
    )


class DrainBody(Body, frozen=True):
    back: bool = False
    """It takes tables again."""


@api("POST /api/nodes/{node}/drain")
async def drain_node(request: HouseRequest, body: DrainBody, *, node: Name) -> None:
    """Have a node give its tables away between rounds, and take none."""
    by, floor = request.must(HouseAct.MANAGE_NODES), request.floor
    nodes = _nodes(floor)
    await floor.in_house(
        lambda: orders.drain_node(floor.record, nodes, by.name, node, back=body.back)
    )


class MoveBody(Body, frozen=True):
    table: Name


@api("POST /api/nodes/{node}/tables")
async def move_table(request: HouseRequest, body: MoveBody, *, node: Name) -> None:
    """Have a table served by a node, as soon as no round is in play there."""
    by, floor = request.must(HouseAct.MANAGE_NODES), request.floor
    nodes = _nodes(floor)
    check_table(request, body.table)
    await floor.in_house(
        lambda: orders.move_table(floor.record, nodes, by.name, body.table, node)
    )


def _nodes(floor: Floor) -> NodeList:
    """Return the list of nodes; raise `NotDone` where one process serves the house."""
    if floor.nodes is None:
        raise NotDone(HouseReason.NO_NODES_HERE())
    return floor.nodes.registry
