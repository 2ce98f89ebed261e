"""Nodes that reach each other over TLS, with certificates of an authority of theirs."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from croupier.protocol.client import connect
from croupier.protocol.websocket import ConnectionOptions
from tests.house_server.nodes import open_nodes, served_by, start_node
from tests.house_server.own_ca import OwnCa
from tests.house_server.server import House
from tests.waiting import wait_for

Nodes = dict[str, House]
CONSOLES = ("v2", "v3", "complete", "fast", "triple")


@pytest.fixture(scope="module")
def ca(tmp_path_factory: pytest.TempPathFactory) -> OwnCa:
    return OwnCa.make(tmp_path_factory.mktemp("nodes"))


@pytest.fixture(scope="module")
def nodes(ca: OwnCa) -> Iterator[Nodes]:
    with open_nodes(ca.folder, "A", "B", ca=ca) as opened:
        yield opened


def unserved_at(node: House) -> set[str]:
    """The tables of which a node can't say how they stand."""
    listed = node.ask("GET", "/api/tables")
    return {each["name"] for each in listed if each["is_unserved"]}


def test_a_round_is_played_at_a_table_of_the_other_node(
    nodes: Nodes, ca: OwnCa
) -> None:
    a = nodes["A"]
    table = next(each for each in CONSOLES if served_by(nodes)[each] == "B")
    a.buy_in(table, f"Anna-{table}")
    a.deal(table)
    options = ConnectionOptions(tls=ca.trusting())

    async def go() -> None:
        token = a.devices[f"Anna-{table}"]
        async with (
            connect(a.address, table, device=token, options=options) as seat,
            connect(
                a.address, table, session=a.session("Dana"), options=options
            ) as dealer,
        ):
            await dealer.act("place your bets")
            await seat.until(lambda view: view.phase == "betting")
            await seat.wager("red@5")
            await seat.caught_up()

            assert seat.seat is not None
            assert seat.seat.credit_cents == 100_000 - 500

    asyncio.run(go())
    assert {each.address.partition(":")[0] for each in nodes.values()} == {"https"}
    wait_for(lambda: not unserved_at(a))


@contextmanager
def started(node: House, *options: str) -> Iterator[House]:
    """A node whose machine does not trust the others' authority."""
    start_node(node, *options)
    try:
        yield node
    finally:
        node.end(signal.SIGKILL)


def test_a_node_that_does_not_trust_the_others_asks_them_nothing(
    nodes: Nodes, ca: OwnCa
) -> None:
    a = nodes["A"]
    stranger = House(a.url, ca.folder / "C", a.devices, tls=ca.trusting())

    with started(stranger, *ca.options):

        def knows_its_own_alone() -> bool:
            served = served_by(nodes)
            theirs = {table for table, node in served.items() if node != "C"}
            return bool(theirs) and unserved_at(stranger) == theirs

        wait_for(knows_its_own_alone, 60)

        wait_for(lambda: not unserved_at(a), 60)  # a table may be on its way
