"""Clocks that step: time on record never goes back, and both times are kept."""

from __future__ import annotations

from collections.abc import Callable

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.house.history.day_report import day_report
from croupier.house.history.past_rounds import rounds_between
from croupier.house.people.player_limits import PlayerTallies
from croupier.house.records.house_record import HouseRecord
from croupier.house.records.vouchers_and_days import close_gaming_day
from croupier.journal.events.plan import DEFAULT_HOUSE
from croupier.journal.events.table import ClockBehind
from croupier.journal.log.publishing import last_ends, publish
from croupier.journal.store import HOUSE_STREAM
from croupier.journal.tables import EventRow
from croupier.journal.verification import verify
from croupier.table.answers import event_of
from croupier.table.replay import recover
from tests.robustness.stores import MemoryStore
from tests.simulation.one_table import SUPERVISOR, OneTable

HOUR_MS = 3_600_000
ROUNDS = 12


def played(reopens: bool = False) -> OneTable:
    """Play rounds at a table whose clock goes back an hour after every third."""
    table = OneTable().bought_in(100_000)
    for number in range(1, ROUNDS + 1):
        table.play_round("17", 1_000, "17" if number % 2 else "5")
        table.clock.now_ms += 17 * 60_000
        if number % 3 == 0:
            table.clock.now_ms -= HOUR_MS
            if reopens:
                table.reopen()
    return table


def rows(table: OneTable) -> list[EventRow]:
    return list(table.store.events(table.stream))


def test_time_on_record_never_goes_back_and_the_clocks_own_is_kept() -> None:
    for table in (played(), played(reopens=True)):
        recorded = [row.at_ms for row in rows(table)]
        behind = [row for row in rows(table) if row.kind == ClockBehind.__name__]

        assert recorded == sorted(recorded)
        assert len(behind) > 10
        for row in behind:
            event = event_of(row)
            assert isinstance(event, ClockBehind)
            assert event.clock_ms < row.at_ms
        assert verify(table.store).is_clean


def test_a_search_by_time_finds_every_event_of_every_moment() -> None:
    table = played()
    stored = rows(table)

    for at_ms in sorted({row.at_ms + more for row in stored for more in (0, 1)}):
        before = sum(row.at_ms < at_ms for row in stored)
        assert table.store.sequence_before(table.stream, at_ms) == before
    first, last = stored[0].at_ms, stored[-1].at_ms
    numbers = rounds_between(table.store, table.stream, first, last + 1)
    assert numbers == list(range(1, ROUNDS + 1))


def test_the_days_report_has_the_sums_of_the_meters() -> None:
    table = played()
    meters = recover(table.store, table.stream, DEFAULT_HOUSE).state.meters
    days = {DEFAULT_HOUSE.gaming_day(row.at_ms) for row in rows(table)}

    reports = [
        day_report(table.store, DEFAULT_HOUSE, day, {table.stream: meters}).tables[0]
        for day in sorted(days)
    ]

    assert sum(each.rounds for each in reports) == ROUNDS
    assert sum(each.bought_in_cents for each in reports) == 100_000
    for each in reports:
        assert each.accounts.get("house", 0) == each.hold_cents


def test_a_clock_that_is_behind_begins_no_gaming_day_twice() -> None:
    table = played()
    last = rows(table)[-1].at_ms
    tallies = PlayerTallies(table.store)

    tallies.rebuild(table.stream, {}, last)

    seat = (table.stream, "Anna")
    today = tallies.today(DEFAULT_HOUSE, seat, last)
    assert today.staked_cents > 0
    assert tallies.today(DEFAULT_HOUSE, seat, last - 24 * HOUR_MS) == today


def test_the_houses_own_stream_and_its_log_keep_their_order_too() -> None:
    now = [50 * HOUR_MS]
    clock: Callable[[], int] = lambda: now[0]  # noqa: E731
    store, key = MemoryStore(), Ed25519PrivateKey.generate()
    record = HouseRecord(store, clock)

    close_gaming_day(record, SUPERVISOR, key, day="1970-01-02")
    now[0] -= 30 * HOUR_MS
    close_gaming_day(HouseRecord(store, clock), SUPERVISOR, key)

    closes = list(store.events(HOUSE_STREAM))
    assert [row.kind for row in closes] == [
        "GamingDayClosed",
        "GamingDayClosed",
        "ClockBehind",
    ]
    assert {row.at_ms for row in closes} == {50 * HOUR_MS}
    publish(store, key, now[0], "")
    last = last_ends(store)
    assert last is not None
    assert last[1].at_ms == 50 * HOUR_MS
    assert verify(store).is_clean
