"""What the house asks for by itself outlives a journal that fails for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import pytest

from croupier.house.floor import table as floor_table
from croupier.house.floor.automatic_dealer import AutomaticDealer, Pace
from croupier.house.floor.floor import Floor
from croupier.house.floor.noticed_events import NoticedEvents
from croupier.house.floor.table import FloorTable
from croupier.house.records.house_record import HouseRecord
from croupier.journal.events import house as house_events
from croupier.journal.store import HOUSE_STREAM, JournalError, JournalFailed, Store
from croupier.journal.tables import StreamBatch
from croupier.ledger.commands import BuyIn
from croupier.rules import commands
from croupier.table import Accepted, Submission
from tests.robustness.stores import MemoryStore
from tests.web.a_house import DEALER, opened

pytestmark = pytest.mark.anyio


class _AtOnce(Executor):
    def submit(self, act: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(act(*args))
        return done


class _Failing:
    """An `append` that fails before or after its commit, as told."""

    def __init__(self, store: Store, *faults: str) -> None:
        self._store, self._faults = store, list(faults)

    def __call__(self, batches: Sequence[StreamBatch]) -> list[JournalError | None]:
        fault = self._faults.pop(0) if self._faults else ""
        problems = [] if fault == "before" else self._store.append(batches)
        if fault:
            raise JournalFailed("a cable")
        return problems


@pytest.mark.parametrize("faults", [("before",), ("before", "before"), ("after",)])
def test_what_is_noticed_is_recorded_once_and_in_order(faults: tuple[str, ...]) -> None:
    store = MemoryStore()
    record = HouseRecord(store, lambda: 0, _Failing(store, *faults))
    failed: list[JournalError] = []
    noticed = NoticedEvents(record, _AtOnce(), failed.append)

    noticed.add(house_events.ClockChanged(1))
    noticed.add(house_events.ClockChanged(2))
    noticed.try_again()

    rows = [row for row in store.events(HOUSE_STREAM) if row.kind == "ClockChanged"]
    assert [row.body for row in rows] == [row.body for row in sorted(rows)]
    assert len(rows) == 2
    assert len(failed) == faults.count("before")


def test_an_automatic_dealer_asks_again_under_the_same_id() -> None:
    asked: list[str] = []

    async def submit(submission: Submission) -> Accepted:
        asked.append(submission.command_id)
        if len(asked) < 3:
            raise JournalFailed("a cable")
        return Accepted(submission.command_id, 1, 1, (), ())

    table = SimpleNamespace(
        submit=submit,
        state=None,
        table=SimpleNamespace(
            head=SimpleNamespace(sequence=7), would_take=lambda _: True
        ),
    )
    dealer = AutomaticDealer(
        cast(Floor, None), cast(FloorTable, table), Pace(looks_again=0.01)
    )

    with patch.object(AutomaticDealer, "_is_free", new=True):
        asyncio.run(dealer._say(commands.PlaceYourBets()))

    assert asked == ["automatic:7:1"] * 3


@patch.object(floor_table, "_JOURNAL_AWAY_S", 0)
@patch.object(floor_table, "_AGAIN_S", 0.01)
async def test_a_table_is_asked_until_it_has_answered(tmp_path: Path) -> None:
    async with opened(tmp_path) as house:
        table = house.floor.table("t1")
        away = patch.object(house.store, "append", side_effect=JournalFailed("a cable"))
        with away as append:
            table.insist(Submission("by itself", (DEALER,), BuyIn("Paul", 100)))
            while append.call_count < 3:
                await asyncio.sleep(0.01)
        end = asyncio.get_running_loop().time() + 10
        while not table.answer_before("by itself"):
            assert asyncio.get_running_loop().time() < end
            await asyncio.sleep(0.01)
