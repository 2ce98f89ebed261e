"""Health and readiness of the server."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event
from time import perf_counter
from unittest.mock import patch

import pytest

from croupier.house.floor import journal_watch, table
from croupier.journal.events.house import JournalDoubted
from croupier.journal.store import DiskFull, JournalFailed, ServerAway
from croupier.ledger.commands import BuyIn
from tests.web.a_house import House, opened

pytestmark = pytest.mark.anyio


async def test_a_house_that_is_open_is_ready(house: House) -> None:
    assert await house.get("/health") == {"alive": True}
    ready = {"ready": True, "tables": 2, "doubt": None, "rival": None, "node": None}
    ready["witnesses_missing"] = 0
    assert await house.get("/ready") == ready
    assert await house.get("/ready") == ready

    house.floor.record.write(JournalDoubted(2, "events t1 9: …"))

    assert await house.get("/ready") == ready | {"doubt": "events t1 9: …"}


async def test_a_house_that_stops_is_not_ready_and_takes_nothing(house: House) -> None:
    sam = await house.log_on("Sam")
    house.floor.is_stopping = True

    assert await house.refused(503, "GET", "/ready") == "the house is stopping"
    assert await house.get("/health") == {"alive": True}
    path = "/api/tables/t1/close"
    error = await house.refused(503, "POST", path, {"id": "1"}, sam)
    assert error == "the house is stopping"


@patch.object(table, "_JOURNAL_AWAY_S", 0)
@patch.object(journal_watch, "_LOOK_EVERY_S", 0.02)
@pytest.mark.parametrize(
    ("failed", "why"),
    [
        (DiskFull("no room"), "disk full: make room on the disk of the journal"),
        (ServerAway("gone"), "its database does not answer: see to it"),
        (JournalFailed("?"), "its database fails: the log of the house says how"),
    ],
)
async def test_a_journal_that_fails_makes_it_unready(
    failed: JournalFailed, why: str, tmp_path: Path
) -> None:
    async with opened(tmp_path) as house:
        carl = await house.log_on("Carl")
        with patch.object(house.store, "keep_secret", side_effect=failed):
            error = await _until_ready(house, 503)
        assert error.startswith("the journal can't be written, for 0 seconds")
        assert why in error
        await _until_ready(house, 200)

        house.seat("t1", "Paul")
        house.seat("t2", "Pia")
        path, body = "/api/tables/t1/seats/Paul/buy-in", {"id": "1", "cents": 100}
        with patch.object(house.store, "append", side_effect=failed):
            error = await house.refused(503, "POST", path, body, carl)
            assert error.startswith("the journal can't be written just now, for 0 sec")
            assert error.endswith(f"({why}): send it again, it is not done twice")
            error = await _until_ready(house, 503)
            assert why in error
            await house.refused(503, "POST", path, {**body, "id": "2"}, carl)

        answer = await house.ask("POST", path, {**body, "id": "3"}, token=carl)
        assert answer.status == 200
        await _until_ready(house, 200)
        await house.act("t2", BuyIn("Pia", 100))


async def _until_ready(house: House, status: int) -> str:
    """Poll `/ready` until it has the status; return its error."""
    async with asyncio.timeout(10):
        while True:
            answer = await house.ask("GET", "/ready")
            if answer.status == status:
                return "" if status == 200 else answer.error
            await asyncio.sleep(0.01)


@patch.object(journal_watch, "_LOOK_EVERY_S", 0.02)
async def test_a_journal_that_hangs_makes_it_unready_without_waiting(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as house:
        answers = Event()
        identity = "check_identity"
        with (
            patch.object(house.store, identity, side_effect=lambda: answers.wait(20)),
            patch.object(journal_watch, "_SILENT_S", 0.1),
        ):
            await asyncio.sleep(0.2)
            began = perf_counter()
            error = await house.refused(503, "GET", "/ready")
            assert perf_counter() - began < 1
            assert "its database does not answer: see to it" in error
            answers.set()


@pytest.mark.parametrize("stops", [False, True])
async def test_a_request_that_fails_meets_a_stopping_house(
    house: House, stops: bool
) -> None:
    """The threads of a stopping house have ended; the server has not failed."""

    ines = await house.log_on("Ines")
    shut_down = RuntimeError("cannot schedule new futures after shutdown")
    house.floor.is_stopping = stops
    for place in (
        "croupier.web.security.authentication.hear_of_tokens",
        "croupier.web.api.rounds.past_rounds.rounds_before",
    ):
        with patch(place, side_effect=shut_down):
            answer = await house.ask("GET", "/api/tables/t1/rounds", token=ines)
        assert answer.status == (503 if stops else 500)
