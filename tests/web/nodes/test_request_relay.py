"""Requests that concern a table of another node are answered by it, once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import uvloop
from structlog.testing import capture_logs

from croupier.house.reasons import HouseReason
from croupier.rules.game import Game
from croupier.table.commands import ChangeTerms
from croupier.web.api import games, reports
from croupier.web.nodes.node_client import NodeAnswer, NodeClient
from croupier.web.nodes.signature import CarriedRequest, Sender, signed
from croupier.web.reasons import WebReason
from croupier.web.security.rate_limits import Rate
from croupier.web.server import now_ms
from tests.web.a_house import PASSWORD, TEXT
from tests.web.nodes.two_nodes import SECRET, TERMINAL, Node, log_on_at, two_nodes


async def ask(
    node: Node,
    method: str,
    path: str,
    body: object = None,
    headers: Mapping[str, str] | None = None,
) -> tuple[int, Any]:
    """Return the status, and what was answered."""
    named = dict(headers or {})
    content = b""
    if body is not None:
        named["content-type"] = "application/json"
        content = json.dumps(body).encode()

    def request() -> tuple[int, Any]:
        connection = HTTPConnection(urlsplit(node.address).netloc, timeout=10)
        connection.request(method, path, content, named)
        answer = connection.getresponse()
        raw = answer.read()
        connection.close()
        return answer.status, json.loads(raw) if raw else None

    return await asyncio.to_thread(request)


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def test_what_concerns_a_table_is_answered_by_its_node(tmp_path: Path) -> None:
    async def go() -> None:
        async with two_nodes(tmp_path) as (one, two):
            mira = bearer(await log_on_at(one, two, "Mira"))
            path, order = "/api/tables/t2/terms", {"id": "a", "settings": []}
            changed = {**order, "limits": ["* 2.00 500.00"]}
            before = await ask(one, "GET", path)
            put = await ask(one, "PUT", path, changed, mira)
            again = await ask(one, "PUT", path, changed, mira)
            denied, _ = await ask(one, "PUT", path, changed, bearer(TERMINAL))
            nobody = await ask(one, "GET", "/api/tables/t3/terms")
            closed = await ask(one, "POST", "/api/tables/t2/close", {"id": "b"}, mira)
            wagers = await ask(one, "GET", "/api/tables/t2/wagers", None, mira)
            own = await ask(one, "GET", "/api/tables/t2/wagers", None, bearer(TERMINAL))

            limits = two.house.floor.terms_of("t2").limits
            assert before == (200, {"limits": ["* 1.00 1000.00"], "settings": []})
            assert put == again
            assert put[0] == 200
            assert limits == ("* 2.00 500.00",)
            assert denied == 401
            assert nobody[0] == 404
            assert closed[0] == 200
            assert not two.house.floor.tables["t2"].state.is_open
            assert wagers == own == (200, [])

    uvloop.run(go())


def test_a_seat_is_taken_at_the_node_of_its_table(tmp_path: Path) -> None:
    async def go() -> None:
        async with two_nodes(tmp_path) as (one, two):
            seat = await one.client.demonstration_seat("t2")

            assert seat.device in two.house.floor.record.state.devices
            assert seat.device not in one.house.floor.record.state.devices

    uvloop.run(go())


def test_lists_of_all_tables_are_gathered_in_the_order_of_the_house(
    tmp_path: Path,
) -> None:
    async def go() -> None:
        async with two_nodes(tmp_path) as (one, two):
            ines = bearer(await log_on_at(one, two, "Ines"))
            ada = bearer(await log_on_at(one, two, "Ada"))
            async with asyncio.timeout(10):
                for node in (one, two):
                    tables = await ask(node, "GET", "/api/tables")
                    meters = await ask(node, "GET", "/api/meters", None, ines)
                    version = await ask(node, "GET", "/api/version")
                    devices = await ask(node, "GET", "/api/devices", None, ada)

                    assert [each["name"] for each in tables[1]] == ["t1", "t2"]
                    assert [each["table"] for each in meters[1]] == ["t1", "t2"]
                    assert list(version[1]["tables"]) == ["t1", "t2"]
                    assert [each["name"] for each in devices[1]] == [TERMINAL]

            await two.hang_up()
            tables = await ask(one, "GET", "/api/tables")
            known = [(each["name"], each["is_unserved"]) for each in tables[1]]
            assert known == [("t1", False), ("t2", True)]

    uvloop.run(go())


def test_meters_are_told_while_a_table_goes_to_another_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def go() -> None:
        async with two_nodes(tmp_path) as (one, two):
            ines = bearer(await log_on_at(one, two, "Ines"))
            tables, right = one.house.floor.tables, games.returns_of
            gone = {}

            def returns_of(game: Game) -> Mapping[str, Fraction]:
                if "t1" in tables:
                    gone["t1"] = tables.pop("t1")
                return right(game)

            monkeypatch.setattr(reports, "returns_of", returns_of)
            status, meters = await ask(one, "GET", "/api/meters", None, ines)
            tables |= gone

            assert status == 200
            assert [each["table"] for each in meters] == ["t1", "t2"]

    uvloop.run(go())


def test_a_list_that_another_version_writes_otherwise_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def ask_newer(*_: object, **__: object) -> NodeAnswer:
        return NodeAnswer(200, [], b'[{"table": "t2", "is": "new"}]')

    async def go() -> None:
        async with two_nodes(tmp_path) as (one, _):
            monkeypatch.setattr(NodeClient, "ask", ask_newer)
            status, tables = await ask(one, "GET", "/api/tables")

            assert status == 200
            known = [(each["name"], each["is_unserved"]) for each in tables]
            assert known == [("t1", False), ("t2", True)]

    uvloop.run(go())


def test_a_list_waits_for_a_silent_node_no_longer_than_a_list_should(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node accepts, and never answers: what is carried there waits for longer."""
    relay = "croupier.web.nodes.request_relay"
    monkeypatch.setattr(f"{relay}._GATHER_WITHIN_S", 0.3)
    monkeypatch.setattr(f"{relay}.ANSWER_WITHIN_S", 3_600)

    async def go() -> None:
        over = asyncio.Event()

        async def listen(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await over.wait()
            writer.close()

        async with two_nodes(tmp_path) as (one, _):
            silent = await asyncio.start_server(listen, "127.0.0.1")
            host, port = silent.sockets[0].getsockname()
            row = one.known.rows["two"]
            one.known.rows["two"] = replace(row, address=f"http://{host}:{port}")
            tables = await ask(one, "GET", "/api/tables")
            over.set()
            silent.close()

            known = [(each["name"], each["is_unserved"]) for each in tables[1]]
            assert known == [("t1", False), ("t2", True)]

    uvloop.run(go())


def test_an_edited_house_file_changes_tables_at_every_node(tmp_path: Path) -> None:
    text = TEXT.replace('"*" = [1, 1000]', '"*" = [2, 200]')

    async def go() -> None:
        async with two_nodes(tmp_path) as (one, two):
            mira = bearer(await log_on_at(one, two, "Mira"))
            body = {"text": text, "apply": True}
            status, told = await ask(one, "POST", "/api/house/file", body, mira)

            terms = ChangeTerms(("* 2.00 200.00",), ())
            assert status == 200, told
            assert one.house.floor.terms_of("t1") == terms
            assert two.house.floor.terms_of("t2") == terms

    uvloop.run(go())


def test_while_nobody_serves_a_table_it_is_waited_for_and_then_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.web.nodes.table_finder._WAIT_S", 0.5)
    path = "/api/tables/t2/terms"

    async def go() -> None:
        async with two_nodes(tmp_path) as (one, two):
            two.house.floor.tables.pop("t2").close()
            misdirected, told = await ask(one, "GET", path)
            await two.hang_up()
            gone, _ = await ask(one, "GET", path)
            one.known.tables["t2"] = None
            refused = await ask(one, "GET", path)
            asked = asyncio.create_task(ask(one, "GET", path))
            await asyncio.sleep(0.2)
            one.known.tables["t2"] = "one"
            one.house.floor.tables["t2"] = one.house.floor.tables["t1"]
            found, _ = await asked

            assert (misdirected, gone, refused[0]) == (503, 503, 503)
            assert told["error"] == str(HouseReason.TABLE_NOT_TAKEN(name="t2"))
            assert found == 200

    uvloop.run(go())


def test_a_signature_that_proves_nothing_skips_no_limit(tmp_path: Path) -> None:
    async def go() -> None:
        few = Rate(0.01, 3)
        async with two_nodes(tmp_path, address_rate=few) as (_, two):
            unsigned = {"x-croupier-signature": "0"}
            refused = [
                (await ask(two, "GET", "/api/tables", None, unsigned))[0]
                for _ in range(5)
            ]

            assert refused == [403, 403, 403, 429, 429]

    uvloop.run(go())


def test_a_flood_from_their_address_keeps_no_device_from_logging_on(
    tmp_path: Path,
) -> None:
    async def go() -> None:
        rates = {"address_rate": Rate(0.01, 9), "log_on_rate": Rate(0.01, 2)}
        async with two_nodes(tmp_path, **rates) as (_, two):
            body = {"name": "Mira", "password": PASSWORD}
            device = {"x-device-token": TERMINAL}
            flood = {**body, "name": "X"}
            statuses = [
                (await ask(two, "POST", "/api/log-on", flood))[0] for _ in range(20)
            ]
            logged_on, _ = await ask(two, "POST", "/api/log-on", body, device)
            unknown = {"x-device-token": "no such token"}
            refused, _ = await ask(two, "POST", "/api/log-on", body, unknown)

            assert statuses[-1] == refused == 429
            assert logged_on == 200

    uvloop.run(go())


def test_what_another_node_has_counted_is_not_counted_again(tmp_path: Path) -> None:
    async def go() -> None:
        async with two_nodes(tmp_path, address_rate=Rate(0.01, 3)) as (_, two):
            answers = [(await ask(two, *_carried()))[0] for _ in range(5)]

            assert answers == [200] * 5

    uvloop.run(go())


def _carried() -> tuple[str, str, None, dict[str, str]]:
    """A request for the tables, carried for a client by the node `one`."""
    request = CarriedRequest("GET", b"/api/tables", [])
    proof = signed(request, Sender("one", "192.0.2.77"), SECRET, now_ms)
    headers = {name.decode(): value.decode() for name, value in proof}
    return "GET", "/api/tables", None, headers


def test_who_asks_is_known_to_the_other_node_by_address_and_is_not_counted_twice(
    tmp_path: Path,
) -> None:
    async def go() -> None:
        async with two_nodes(tmp_path, allowed_hosts=("127.0.0.1",)) as (_, two):
            body = {"name": "Mira", "password": PASSWORD}
            request = CarriedRequest(
                "POST",
                b"/api/log-on",
                [(b"content-type", b"application/json")],
                json.dumps(body).encode(),
            )
            sender = Sender("one", "192.0.2.77", "https")
            headers = {
                name.decode(): value.decode()
                for name, value in signed(request, sender, SECRET, now_ms)
            }
            headers["host"] = "node-two.internal"
            with_proof = await ask(two, "POST", "/api/log-on", body, headers)
            again = await ask(two, "POST", "/api/log-on", body, headers)
            altered = await ask(
                two, "POST", "/api/log-on", {**body, "name": "Ada"}, headers
            )

            assert with_proof[0] == 200
            assert "192.0.2.77" in [each.get("client") for each in logs]
            assert again[0] == altered[0] == 403
            assert again[1]["error"] == str(WebReason.NOT_A_NODE())

    with capture_logs() as logs:
        uvloop.run(go())
