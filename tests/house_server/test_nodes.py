"""A house of nodes: any of them answers for all, and one may be killed."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from croupier.protocol.client import connect
from tests.house_server.nodes import open_nodes, served_by
from tests.house_server.server import House
from tests.security.operations import Operation, patiently, served_operations
from tests.waiting import wait_for

Nodes = dict[str, House]
_BY = ("Mira", "Ines", "Carl", "Ada")
_OF_ITS_OWN = {"show_ready", "list_sessions", "show_house", "show_log"}
"""What each node tells of itself or of this moment."""


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nodes]:
    with open_nodes(tmp_path_factory.mktemp("nodes"), "A", "B") as opened:
        yield opened


def table_of(nodes: Nodes, name: str, *of: str) -> str:
    """One of these tables that a node serves."""
    served = served_by(nodes)
    return next(table for table in of if served[table] == name)


CONSOLES = ("v2", "v3", "complete", "fast", "triple")


def test_every_node_gives_the_same_answer_to_every_question(nodes: Nodes) -> None:
    a, b = nodes.values()
    asked, unlike = 0, []
    for operation in served_operations(a).values():
        if operation.method != "GET" or operation.name in _OF_ITS_OWN:
            continue
        for table in CONSOLES:
            told = [_answer(node, operation, table, a) for node in (a, b)]
            asked += 1
            if told[0] != told[1]:
                unlike.append((operation.name, table, *told))
            if "{table}" not in operation.path:
                break

    assert asked > 60
    assert unlike == []


def _answer(node: House, operation: Operation, table: str, a: House) -> tuple[int, Any]:
    """The status and the answer, by whoever may; without what time alone changes."""
    tokens: list[str | None] = [None]
    if "session" in operation.schemes:
        tokens = [a.session(name) for name in _BY]
    elif "device" in operation.schemes:
        tokens = [node.devices[f"Anna-{table}"]]
    target = operation.target(table=table)
    replies = (patiently(partial(node.http, "GET", target, token=e)) for e in tokens)
    reply = next((each for each in replies if each.status != 403), None)
    assert reply is not None, operation
    is_json = reply.headers.get("content-type") == "application/json"
    return reply.status, _timeless(reply.json) if is_json else reply.body


def _timeless(told: Any) -> Any:
    if isinstance(told, dict):
        passing = {"at_ms", "silent_ms", "following_ms", "code_until_ms"}
        return {k: _timeless(v) for k, v in told.items() if k not in passing}
    return [_timeless(each) for each in told] if isinstance(told, list) else told


def test_a_round_is_dealt_and_played_at_the_other_node_down_to_the_money(
    nodes: Nodes,
) -> None:
    a = nodes["A"]
    table = "triple"
    a.ask("POST", "/api/nodes/B/tables", {"table": table}, by="Mira")
    wait_for(lambda: served_by(nodes).get(table) == "B", 15)
    a.buy_in(table, f"Anna-{table}")
    a.deal(table)

    async def go() -> None:
        anna = a.devices[f"Anna-{table}"]
        async with (
            connect(a.address, table, device=anna) as seat,
            connect(a.address, table, session=a.session("Dana")) as dealer,
        ):
            await dealer.act("place your bets")
            await seat.until(lambda view: view.phase == "betting")
            await seat.wager("17@5")
            await dealer.act("spin")
            await dealer.act("no more bets")
            await dealer.outcome("17")
            await dealer.act("settle")
            await seat.until(lambda view: view.phase == "ended")
            await seat.caught_up()

            assert seat.seat is not None
            assert seat.seat.credit_cents == 100_000 + 17_500

    asyncio.run(go())
    corrected = a.propose(table, "correct round 1 to 18", by=("Dana", "Sam"))
    paid = a.http(
        "POST",
        f"/api/tables/{table}/seats/Anna-{table}/cash-out",
        {"id": "all", "cents": 99_500},
        token=a.session("Carl"),
    )

    day = a.ask("POST", "/api/gaming-day/close?early=true", by="Mira")

    assert corrected.status == 200, corrected
    assert paid.status == 200, paid
    assert paid.json["credit_cents"] == 0
    [played] = [each for each in day["tables"] if each["table"] == table]
    assert played["rounds"] == 1
    assert {each["table"] for each in day["tables"]} == set(served_by(nodes))


def test_a_terminal_of_a_killed_node_plays_on_and_nothing_is_done_twice(
    tmp_path: Path,
) -> None:
    with open_nodes(tmp_path, "A", "B") as nodes:
        a, b = nodes.values()
        table = table_of(nodes, "B", *CONSOLES)
        terminal = f"Anna-{table}"
        b.buy_in(table, terminal)
        b.deal(table)

        async def go() -> None:
            token = b.devices[terminal]
            async with (
                connect(b.address, table, device=token) as direct,
                connect(a.address, table, session=b.session("Sam")) as carried,
            ):
                b.end(signal.SIGKILL)
                await asyncio.to_thread(
                    wait_for, lambda: served_by(nodes).get(table) == "A", 15
                )
                answer = await direct.ask_buy_in(1_000)
                await carried.caught_up()

                assert answer.registered
                assert direct.connections == carried.connections == 2
                assert direct.seat is not None
                assert direct.seat.credit_cents == 100_000

        asyncio.run(go())
        wait_for(lambda: a.ask("GET", "/ready")["tables"] == len(served_by(nodes)))
        a.stop()
