"""Reading a stream's settlements without the rest of its events."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from croupier.journal.store import Store
from croupier.journal.stores import open_store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import EventRow
from tests.journal.batches import append, batch
from tests.journal.scene import play
from tests.journal.stores import run_sql

SETTLED = ("RoundSettled",)
EVERY = 3
"""The distance from one settlement to the next, in events."""


def _fill(store: Store, stream: str, settled: int) -> list[EventRow]:
    """Write settlements with other events before, between and behind them."""
    store.claim_stream(stream)
    whole = batch(stream, bodies=[f'{{"n":{n}}}' for n in range(EVERY * settled + 2)])
    events = tuple(
        row._replace(kind="RoundSettled") if row.sequence % EVERY == 0 else row
        for row in whole.events
    )
    append(store, batch(stream, events=events))
    return [row for row in events if row.kind == "RoundSettled"]


@pytest.mark.parametrize("count", [0, 1, 9, 10, 11, 20, 21, 35])
def test_settlements_come_whole_and_in_order_over_any_number_of_pages(
    store: Store, count: int
) -> None:
    expected = _fill(store, "one", count)
    _fill(store, "two", 4)

    assert len(expected) == count
    assert list(store.events("one", kinds=SETTLED)) == expected
    assert store.latest_events("one", *SETTLED, 1_000) == expected


@pytest.mark.parametrize("after", [0, 2, 3, 4, 30, 31, 104, 105, 10**6, 2**63, 10**30])
def test_settlements_are_read_from_a_sequence_on(store: Store, after: int) -> None:
    expected = [row for row in _fill(store, "one", 35) if row.sequence > after]

    assert list(store.events("one", kinds=SETTLED, after=after)) == expected


@pytest.mark.parametrize("count", [0, 1, 2, 10, 11, 34, 35, 36])
def test_the_latest_settlements_come_in_order(store: Store, count: int) -> None:
    expected = _fill(store, "one", 35)

    found = store.latest_events("one", *SETTLED, count)

    assert found == expected[len(expected) - min(count, 35) :]


@pytest.mark.parametrize("name", ["three", "", "a\0b", "a\ud83c"])
def test_a_stream_that_is_not_there_has_no_settlements(store: Store, name: str) -> None:
    _fill(store, "one", 2)

    assert list(store.events(name, kinds=SETTLED)) == []
    assert store.latest_events(name, *SETTLED, 5) == []


def test_settlements_written_while_they_are_read_are_found(store: Store) -> None:
    expected = _fill(store, "one", 15)
    reading = store.events("one", kinds=SETTLED)
    first = [next(reading) for _ in range(10)]
    last = batch("one", after=3 * 15 + 2)
    later = last.events[0]._replace(kind="RoundSettled")

    append(store, batch("one", after=3 * 15 + 2, events=(later,)))

    assert [*first, *reading] == [*expected, later]


def test_settlements_of_play_are_those_among_its_events(store: Store) -> None:
    """Corrections and voids are settlements too."""
    play(store)

    for stream in ("t1", "t2"):
        among = [row for row in store.events(stream) if row.kind == "RoundSettled"]
        assert list(store.events(stream, kinds=SETTLED)) == among
        assert store.latest_events(stream, *SETTLED, 2) == among[-2:]
        assert len(among) > 1


def _plans(url: str, read: Callable[[Any], object], explain: str) -> list[str]:
    """Return the query plan of each statement of a store."""
    plans: list[str] = []
    with open_store(url) as store:
        assert isinstance(store, Store)
        right = store._query

        def query(sql: str, bindings: Any) -> Any:
            found = right(f"{explain} {sql}", bindings)
            plans.append(" ".join(str(row[-1]) for row in found))
            return right(sql, bindings)

        store._query = query  # type: ignore[method-assign]
        read(store)
    return plans


READINGS: dict[str, Callable[[Any], object]] = {
    "all": lambda store: list(store.events("one", kinds=SETTLED)),
    "later": lambda store: list(store.events("one", kinds=SETTLED, after=60)),
    "latest": lambda store: store.latest_events("one", *SETTLED, 12),
}


@pytest.mark.parametrize("reading", READINGS)
def test_sqlite_reads_settlements_by_their_index(sqlite_url: str, reading: str) -> None:
    with SqliteStore(sqlite_url.removeprefix("sqlite:///")) as store:
        _fill(store, "one", 35)

    plans = _plans(sqlite_url, READINGS[reading], "EXPLAIN QUERY PLAN")

    assert plans
    for plan in plans:
        assert plan.startswith("SEARCH events USING INDEX events_by_kind (stream=?")
        assert "TEMP B-TREE" not in plan


@pytest.mark.parametrize("reading", READINGS)
def test_postgresql_reads_settlements_by_their_index(
    postgres_url: str, reading: str
) -> None:
    open_store(postgres_url).close()
    run_sql(
        postgres_url,
        "INSERT INTO events SELECT 'one', n, n / 50, '', 0, 2, '', '',"
        " CASE WHEN n % 50 = 0 THEN 'RoundSettled' ELSE 'WagerPlaced' END,"
        " repeat('x', 200), '' FROM generate_series(1, 5000) AS n",
    )
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("ANALYZE events")

    plans = _plans(postgres_url, READINGS[reading], "EXPLAIN")

    assert plans
    for plan in plans:
        assert "using events_by_kind" in plan, plan
        assert "Sort" not in plan
