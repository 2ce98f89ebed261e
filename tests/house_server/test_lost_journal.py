"""A journal that goes away and comes back, and one that is lost: the house says so."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from croupier.journal.stores import open_store
from croupier.web.stop_deadline import STATUS_CANT_GO_ON, STOP_WITHIN_S
from tests.house_server.conftest import DATABASES
from tests.house_server.server import House, open_house
from tests.journal.server import Server, running_server
from tests.spawner import Spawned
from tests.waiting import wait_for


def _ended(house: House) -> int:
    """The status of a house that ends by itself."""
    process, house.process = house.process, None
    assert process is not None
    return process.wait(STOP_WITHIN_S)


def _said(house: House, level: str) -> list[str]:
    """What the log has of a level; it is cleared, so that it may stand there."""
    lines = [json.loads(line) for line in house.log.read_text().splitlines()]
    house.log.write_text("")
    return [line["event"] for line in lines if line["level"] == level]


@pytest.mark.parametrize("kind", DATABASES)
def test_a_house_that_another_process_has_taken_says_so_and_ends(
    kind: str, tmp_path: Path
) -> None:
    with open_house(kind, tmp_path) as house:
        house.buy_in("v2", "Anna-v2")
        with open_store(house.url) as store:
            store.claim_stream("house")

        assert _ended(house) == STATUS_CANT_GO_ON
        [sentence] = _said(house, "critical")
        assert sentence == (
            "this process can't go on and ends: house is written by somebody else now"
        )
        house.start()
        house.buy_in("v2", "Anna-v2")


def test_a_house_whose_file_is_replaced_says_so_and_ends(tmp_path: Path) -> None:
    with open_house("sqlite", tmp_path) as house:
        file, moved = tmp_path / "house.db", tmp_path / "moved.db"
        file.rename(moved)
        file.write_bytes(moved.read_bytes())

        assert _ended(house) == STATUS_CANT_GO_ON
        [sentence] = _said(house, "critical")
        assert sentence.endswith(f"{file} was deleted, moved or replaced")
        moved.replace(file)


@contextmanager
def _away(server: Server) -> Iterator[None]:
    """No connection to the server lives, and none is made."""
    socket = server.folder / ".s.PGSQL.5432"
    hidden = socket.with_name("hidden")
    with psycopg.connect(server.url(), autocommit=True) as connection:
        socket.rename(hidden)
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE application_name = 'croupier'"
        )
    try:
        yield
    finally:
        hidden.rename(socket)


def _ready(house: House) -> bool:
    return house.http("GET", "/ready").status == 200


def test_a_database_may_go_away_and_come_back(tmp_path: Path) -> None:
    server = running_server()
    with open_house("postgresql", tmp_path) as house:
        token = house.session("Carl")
        with _away(server):
            wait_for(lambda: not _ready(house))
            refused = house.http("GET", "/ready")
            assert refused.status == 503
            assert b"its database does not answer" in refused.body
            assert house.ask("GET", "/health") == {"alive": True}
        wait_for(lambda: _ready(house))
        path = "/api/tables/v2/seats/Anna-v2/buy-in"
        body = {"id": "back", "cents": 100}
        assert house.http("POST", path, body, token=token).status == 200
        told = " ".join(_said(house, "warning"))
        assert "the journal is in trouble: " in told
        assert "the journal is well again, after " in told

        with _away(server):
            began = time.monotonic()
            assert house.end() == 0
            assert time.monotonic() - began < STOP_WITHIN_S
            [sentence] = (
                line for line in _said(house, "warning") if "stop is not" in line
            )
            assert sentence.startswith("the stop is not on record: ")
            assert _stopped_while_it_waits(house) == 0
            said = house.log.read_text().splitlines()
            last = json.loads(said[-1])["event"]
            assert last == "croupier: stopped before the house was open"
            house.log.write_text("")

        _start_once_back(house, server)


def _start_waiting(house: House) -> Spawned:
    """A start that has said what it waits for."""
    process = house.launch()
    wait_for(lambda: "waiting for the database: " in house.log.read_text(), 30)
    return process


def _stopped_while_it_waits(house: House) -> int:
    _start_waiting(house)
    return house.end()


def _start_once_back(house: House, server: Server) -> None:
    with _away(server):
        process = _start_waiting(house)
    house.address = house.told_address(process)
    house.buy_in("v2", "Anna-v2")
