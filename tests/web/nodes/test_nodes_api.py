"""The staff and the watchdog see the nodes, and who may moves tables between them."""

from __future__ import annotations

from pathlib import Path

import uvloop

from croupier.house.reasons import HouseReason
from croupier.web.monitoring import Metrics
from croupier.web.nodes.metrics import NodesCollector
from tests.web.a_house import House, in_house
from tests.web.nodes.test_request_relay import ask, bearer
from tests.web.nodes.two_nodes import Node, log_on_at, two_nodes
from tests.web.test_metrics import samples


def test_the_nodes_are_listed_with_what_each_says_of_itself(tmp_path: Path) -> None:
    async def go() -> None:
        async with two_nodes(tmp_path) as (one, two):
            sam = bearer(await log_on_at(one, two, "Sam"))
            two.known.takeovers = 3
            _, nodes = await ask(one, "GET", "/api/nodes", None, sam)
            await two.hang_up()
            _, left = await ask(one, "GET", "/api/nodes", None, sam)

            assert [(e["name"], e["tables"], e["takeovers"]) for e in nodes] == [
                ("one", ["t1"], 0),
                ("two", ["t2"], 3),
            ]
            assert [each["address"] for each in nodes] == [one.address, two.address]
            assert [each["takeovers"] for each in left] == [0, None]

    uvloop.run(go())


def test_a_manager_moves_a_table_and_drains_a_node(tmp_path: Path) -> None:
    async def go() -> None:
        async with two_nodes(tmp_path) as (one, two):
            mira = bearer(await log_on_at(one, two, "Mira"))
            move, drain = "/api/nodes/two/tables", "/api/nodes/one/drain"
            statuses = [
                (await ask(one, "POST", path, body, mira))[0]
                for path, body in (
                    (move, {"table": "t1"}),
                    (move, {"table": "t9"}),
                    (drain, {}),
                    (drain, {"back": True}),
                )
            ]

            assert statuses == [204, 404, 204, 204]
            assert one.known.asked == [
                ("t1", "two", True),
                ("one", True),
                ("one", False),
            ]
            log = await ask(one, "GET", "/api/log?kind=server&count=3", None, mira)
            assert [(e["event"], e["by"], e["table"]) for e in log[1]["events"]] == [
                ("TableMoveAsked", "Mira", "t1"),
                ("NodeDrained", "Mira", None),
                ("NodeGivenBack", "Mira", None),
            ]

    uvloop.run(go())


def test_a_house_of_one_process_has_no_nodes(tmp_path: Path) -> None:
    async def scenario(house: House) -> None:
        mira = await house.log_on("Mira")
        path, body = "/api/nodes/two/tables", {"table": "t1"}

        assert await house.get("/api/nodes", mira) == []
        error = await house.refused(409, "POST", path, body, mira)
        assert error == str(HouseReason.NO_NODES_HERE())

    in_house(tmp_path, scenario)


def test_metrics_and_readiness_tell_of_the_nodes(tmp_path: Path) -> None:
    async def go() -> None:
        async with two_nodes(tmp_path) as (one, _):
            one.known.takeovers = 2
            one.known.tables["t2"] = None
            read = measured(one)
            ready = await ask(one, "GET", "/ready")
            one.known.is_member = False
            cut_off, told = await ask(one, "GET", "/ready")

            expected = {
                "croupier_node_up node=one": 1,
                "croupier_node_up node=two": 1,
                "croupier_node_draining node=one": 0,
                "croupier_table_owner node=one table=t1": 1,
                "croupier_beat_age_seconds": 0.5,
                "croupier_takeovers_total": 2,
            }
            assert {name: read[name] for name in expected} == expected
            assert "croupier_table_owner node=two table=t2" not in read
            assert (ready[1]["node"], ready[1]["takeovers"]) == ("one", 2)
            assert cut_off == 503
            assert told["error"] == str(HouseReason.NODE_CUT_OFF())

    uvloop.run(go())


def measured(node: Node) -> dict[str, float]:
    metrics = Metrics()
    metrics.registry.register(NodesCollector(node.house.floor))
    return samples(metrics)
