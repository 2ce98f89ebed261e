"""A closed gaming day never changes: later events count for the next one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from croupier.house.floor import day_close
from croupier.house.floor.floor import Floor, FloorOptions
from croupier.journal.events.house import HouseDefined, TableDefined
from croupier.journal.events.table import GamingDayBegun
from croupier.ledger.commands import BuyIn
from croupier.table.answers import event_of
from croupier.web.api import build_api
from croupier.web.security.authentication import ApiResources
from tests.web.a_house import House
from tests.web.gaming_days import CLOSE, DAY, NEXT_DAY, busy_day

pytestmark = pytest.mark.anyio

TWO_DAYS = (f"/api/gaming-day/{DAY}", f"/api/gaming-day/{NEXT_DAY}")


async def played_on(house: House) -> None:
    """Play one more round, and buy in."""
    await house.play_round("t1", outcome="0")
    await house.act("t1", BuyIn("Pia", 900))


async def test_events_after_an_early_close_count_for_the_next_day(house: House) -> None:
    carl = await house.log_on("Carl")
    await busy_day(house)
    house.pass_minutes(1)

    closed = await house.post(f"{CLOSE}?early=true", token=carl)
    house.pass_minutes(1)
    await played_on(house)

    first, second = [await house.get(path, carl) for path in TWO_DAYS]
    assert first == closed
    assert closed["tables"][0]["rounds"] == 3
    assert closed["tables"][0]["bought_in_cents"] == 20_000
    assert second["tables"][0]["rounds"] == 1
    assert second["tables"][0]["bought_in_cents"] == 900
    assert first["until_ms"] == second["from_ms"] == closed["closed_at_ms"]
    assert (await house.get("/api/house"))["gaming_day"] == NEXT_DAY


async def test_a_day_that_is_closed_again_is_refused_in_plain_words(
    house: House,
) -> None:
    carl = await house.log_on("Carl")
    await house.post(f"{CLOSE}?early=true", token=carl)

    error = await house.refused(409, "POST", f"{CLOSE}?day={DAY}", token=carl)

    assert error == f"the gaming day {DAY} is closed already"


async def test_it_is_so_after_a_start_and_with_another_hour_of_the_day(
    house: House,
) -> None:
    carl = await house.log_on("Carl")
    await busy_day(house)
    closed = await house.post(f"{CLOSE}?early=true", token=carl)
    await played_on(house)
    second = await house.get(TWO_DAYS[1], carl)

    await house.floor.close()
    options = FloorOptions(clock=house.clock, steady=house.steady)
    house.floor = Floor(house.store, options)
    house.app = build_api(ApiResources(house.floor))
    carl = await house.log_on("Carl")

    assert [await house.get(path, carl) for path in TWO_DAYS] == [closed, second]
    later = replace(house.floor.record.settings, gaming_day_begins=23)
    house.floor.record.write(HouseDefined("Mira", later))
    assert await house.get(TWO_DAYS[0], carl) == closed


async def test_a_day_that_is_not_over_is_closed_early_by_that_word_only(
    house: House,
) -> None:
    carl = await house.log_on("Carl")

    error = await house.refused(409, "POST", CLOSE, token=carl)

    assert error == (
        "the gaming day 2027-01-15 is not over: ask for an early close; what follows"
        " then counts for the next day"
    )
    assert house.floor.tables["t1"].state.begun_day == ""
    house.pass_minutes(24 * 60)
    carl = await house.log_on("Carl")
    closed = await house.post(f"{CLOSE}?day={DAY}", token=carl)
    assert closed["until_ms"] < closed["closed_at_ms"] == house.now_ms
    future = await house.refused(
        409, "POST", f"{CLOSE}?day=2027-02-01&early=true", token=carl
    )
    assert future == "the gaming day 2027-02-01 has not begun"


async def test_a_table_that_opens_after_the_close_is_in_the_next_day(
    house: House,
) -> None:
    carl = await house.log_on("Carl")
    closed = await house.post(f"{CLOSE}?early=true", token=carl)
    plan = replace(house.floor.record.state.tables["t1"], name="t3")

    house.floor.record.write(TableDefined("Mira", plan))
    await house.floor.caught_up()
    await house.act("t3", BuyIn("Pia", 900))

    first, second = [await house.get(path, carl) for path in TWO_DAYS]
    assert first == closed
    assert second["tables"][-1]["bought_in_cents"] == 900


async def test_a_close_that_was_cut_short_is_asked_for_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    carl = await house.log_on("Carl")
    await busy_day(house)
    with monkeypatch.context() as broken:
        broken.setattr(day_close, "close_gaming_day", None)
        failed = await house.ask("POST", f"{CLOSE}?early=true", token=carl)
        assert failed.status == 500
    await played_on(house)

    closed = await house.post(f"{CLOSE}?early=true", token=carl)

    assert closed["tables"][0]["rounds"] == 3
    kinds = [row.kind for row in house.store.events("t1")]
    assert kinds.count(GamingDayBegun.__name__) == 1


async def test_a_table_in_play_or_interrupted_begins_the_day(house: House) -> None:
    carl = await house.log_on("Carl")
    await house.say("t1", "Dealer: place your bets", "Dealer: spin")

    await house.post(f"{CLOSE}?early=true", token=carl)
    await house.floor.close()
    options = FloorOptions(clock=house.clock, steady=house.steady)
    house.floor = Floor(house.store, options)

    assert house.floor.tables["t1"].state.is_interrupted
    assert house.floor.tables["t1"].state.begun_day == NEXT_DAY
    begun = [event_of(row) for row in house.store.events("t2")][-1]
    assert begun == GamingDayBegun(NEXT_DAY)
