"""A house on an edited journal opens for reading only."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.journal.stores import open_store
from croupier.journal.tables import TABLES, Row
from croupier.protocol.answers import Answered, MessageProblem
from tests.house_server.conftest import DATABASES
from tests.house_server.line import line_to
from tests.house_server.server import (
    CREDIT,
    House,
    new_database,
    prepare_house,
)
from tests.journal.stores import run_sql
from tests.server_process import NotOpened

SEAT = "Anna-v3"
SAID = (
    "the house is open for reading only, because its journal does not verify"
    f" (balances v3: seat:{SEAT} is 900000000, its entries sum to {CREDIT}):"
    " restore a backup that does"
)


def _rows(house: House) -> dict[str, list[Row]]:
    with open_store(house.url) as store, store.at_one_moment():
        return {name: list(store.rows_of(table)) for name, table in TABLES.items()}


@pytest.fixture(scope="module", params=DATABASES)
def edited(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[House, dict[str, list[Row]]]]:
    """A house with a Player's credit forged by hand; and its rows before the start."""
    folder = tmp_path_factory.mktemp("edited")
    house = prepare_house(new_database(request.param, folder), folder)
    house.start()
    house.buy_in("v3", SEAT)
    house.stop()
    run_sql(
        house.url,
        f"UPDATE balances SET cents = 900000000 WHERE account = 'seat:{SEAT}'",
    )
    rows = _rows(house)
    house.start()
    yield house, rows
    if house.process is not None:
        assert house.end() == 0


def _refused(house: House, method: str, path: str, body: Any, by: str) -> Any:
    reply = house.http(method, path, body, token=house.session(by))
    return reply.status, reply.json.get("error")


def test_every_act_is_refused_with_one_sentence(
    edited: tuple[House, dict[str, list[Row]]],
) -> None:
    house, _ = edited
    seat = f"/api/tables/v3/seats/{SEAT}"
    money = {"id": house.new_id(), "cents": 500}

    assert _refused(house, "POST", f"{seat}/cash-out", money, "Carl") == (409, SAID)
    assert _refused(house, "POST", f"{seat}/buy-in", money, "Carl") == (409, SAID)
    assert _refused(house, "POST", "/api/tables/v3/dealer", {}, "Dana") == (409, SAID)
    close = "/api/gaming-day/close?early=true"
    assert _refused(house, "POST", close, {}, "Mira") == (409, SAID)
    ready = house.http("GET", "/ready")
    assert (ready.status, ready.json["error"]) == (503, SAID)


def test_a_terminal_is_told_so_and_stays(
    edited: tuple[House, dict[str, list[Row]]],
) -> None:
    house, _ = edited

    async def ask() -> tuple[str, Answered | MessageProblem]:
        async with line_to(house, "v3", device=SEAT) as terminal:
            answer = await terminal.ask("collect")
            return terminal.view.game, answer

    game, answer = asyncio.run(ask())

    assert game == "mbs-roulette-v3"
    assert isinstance(answer, MessageProblem)
    assert answer.reason.text == SAID
    assert not answer.again


def test_it_is_read_verified_and_watched(
    edited: tuple[House, dict[str, list[Row]]],
) -> None:
    house, _ = edited

    assert house.ask("GET", "/api/log?from_ms=0", by="Ines")["events"]
    assert house.ask("GET", "/api/meters", by="Ines")
    shown = house.ask("POST", "/api/journal/verify", {}, by="Ines")
    assert [each["table"] for each in shown["findings"]] == ["balances"]
    assert "croupier_read_only 1.0" in house.http("GET", "/metrics").body.decode()
    logged = [json.loads(each) for each in house.log.read_text().splitlines()]
    assert [each["event"] for each in logged if each["level"] == "error"] == [SAID]


def test_nothing_is_written_and_it_stops_in_order(
    edited: tuple[House, dict[str, list[Row]]],
) -> None:
    house, rows = edited

    assert house.end() == 0
    assert _rows(house) == rows


def test_a_house_that_can_not_be_read_does_not_open(tmp_path: Path) -> None:
    house = prepare_house(new_database("sqlite", tmp_path), tmp_path)
    run_sql(house.url, "UPDATE events SET body = 'x' WHERE sequence = 2")

    with pytest.raises(NotOpened) as refused:
        house.start()

    status, said = refused.value.args
    assert status == 2
    assert "house 2 is no event" in said
    assert "Traceback" not in said
