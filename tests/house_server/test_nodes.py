"""A house of nodes behind HAProxy acts as one house, even if a node is killed."""

from __future__ import annotations

import asyncio
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

pytestmark = pytest.mark.anyio

Nodes = dict[str, House]
_BY = ("Mira", "Ines", "Carl", "Ada")
_OF_ITS_OWN = {"show_ready", "list_sessions", "show_house", "show_log"}
"""Operations whose answers depend on the node or the moment."""


@pytest.fixture(scope="module")
def nodes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Nodes]]:
    with open_nodes(tmp_path_factory.mktemp("nodes"), "A", "B") as opened:
        yield opened


def test_every_node_gives_the_same_answer_without_a_table(
    nodes: tuple[House, Nodes],
) -> None:
    a, b = nodes[1].values()
    # A node reads the summaries of the other's tables with its next beat.
    wait_for(lambda: a.ask("GET", "/api/version") == b.ask("GET", "/api/version"))
    asked, unlike = 0, []
    for operation in served_operations(a).values():
        is_of_table = "{table}" in operation.path
        if operation.method != "GET" or operation.name in _OF_ITS_OWN or is_of_table:
            continue
        told = [_answer(node, operation, "triple", a) for node in (a, b)]
        asked += 1
        if told[0] != told[1]:
            unlike.append((operation.name, *told))

    assert asked > 20
    assert unlike == []


def _answer(node: House, operation: Operation, table: str, a: House) -> tuple[int, Any]:
    """Return status and answer for a person who may ask, without passing times."""
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
        passing = {"at_ms", "silent_ms", "code_until_ms"}
        return {k: _timeless(v) for k, v in told.items() if k not in passing}
    return [_timeless(each) for each in told] if isinstance(told, list) else told


async def test_a_round_is_dealt_and_played_through_the_proxy_down_to_the_money(
    nodes: tuple[House, Nodes],
) -> None:
    house, table = nodes[0], "triple"
    house.buy_in(table, f"Anna-{table}")
    house.deal(table)

    anna = house.devices[f"Anna-{table}"]
    async with (
        connect(house.address, table, device=anna) as seat,
        connect(house.address, table, session=house.session("Dana")) as dealer,
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
    corrected = house.propose(table, "correct round 1 to 18", by=("Dana", "Sam"))
    paid = house.http(
        "POST",
        f"/api/tables/{table}/seats/Anna-{table}/cash-out",
        {"id": "all", "cents": 99_500},
        token=house.session("Carl"),
    )

    day = house.ask("POST", "/api/gaming-day/close?early=true", by="Mira")

    assert corrected.status == 200, corrected
    assert paid.status == 200, paid
    assert paid.json["credit_cents"] == 0
    [played] = [each for each in day["tables"] if each["table"] == table]
    assert played["rounds"] == 1
    assert {each["table"] for each in day["tables"]} == set(served_by(house))


def test_a_house_file_that_changes_limits_reaches_the_table_where_it_is(
    nodes: tuple[House, Nodes],
) -> None:
    house, each = nodes[0], nodes[1]
    table, at = "v3", served_by(house)["v3"]
    asked = next(node for name, node in each.items() if name != at)
    terms = house.ask("GET", f"/api/tables/{table}/terms", by="Mira")
    text = (house.folder / "house.toml").read_text("utf-8")
    head, _, rest = text.partition(f'name = "{table}"')
    changed = rest.replace('"*" = [5', '"*" = [6', 1)
    assert changed != rest, rest[:400]

    body = {"text": f'{head}name = "{table}"{changed}', "apply": True}
    applied = asked.ask("POST", "/api/house/file", body, by="Mira")

    def has_changed() -> bool:
        now = house.ask("GET", f"/api/tables/{table}/terms", by="Mira")
        return bool(now != terms)

    assert applied["applied"]
    wait_for(has_changed, 15)
    assert len(house.events(table, "TermsChanged")) == 1


def test_a_node_that_is_told_to_stop_interrupts_no_round(tmp_path: Path) -> None:
    with open_nodes(tmp_path, "A", "B") as (house, nodes):
        house.buy_in("triple", "Anna-triple")
        house.deal("triple")
        at = served_by(house)["triple"]

        async def go() -> None:
            token, dana = house.devices["Anna-triple"], house.session("Dana")
            async with (
                connect(house.address, "triple", device=token) as seat,
                connect(house.address, "triple", session=dana) as dealer,
            ):
                await dealer.act("place your bets")
                await seat.until(lambda view: view.phase == "betting")
                await seat.wager("17@5")
                await asyncio.to_thread(nodes[at].stop)
                await seat.wager("red@5")
                await dealer.act("spin")
                await dealer.act("no more bets")
                await dealer.outcome("17")
                await dealer.act("settle")
                await seat.until(lambda view: view.phase == "ended")
                assert seat.link.connections == dealer.link.connections == 2

        asyncio.run(go())
        kinds = [row.kind for row in house.rows("triple")]
        assert kinds.count("RoundSettled") == 1
        assert [each for each in kinds if "Interrupted" in each] == []
