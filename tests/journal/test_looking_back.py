"""Queries over the past use an index, and agree with a plain reading of all rows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from croupier.journal.store import NotAJournal, Store
from croupier.journal.stores import open_store
from croupier.journal.tables import EventRow, Moment, Moved
from croupier.ledger.accounts import Account
from tests.journal.batches import append, batch
from tests.journal.scene import play
from tests.journal.stores import run_sql

KINDS = ("BoughtIn", "RoundBegun", "RoundSettled", "VoucherIssued", "DeviceInvited")
STREAMS = ("house", "t1", "t2")


def rows(store: Store) -> Iterator[EventRow]:
    for stream in STREAMS:
        yield from store.events(stream)


def moment(row: EventRow) -> Moment:
    return Moment(row.at_ms, row.stream, row.sequence)


def test_a_time_is_found_in_a_stream(store: Store) -> None:
    play(store)

    for stream in STREAMS:
        times = [row.at_ms for row in store.events(stream)]
        for at_ms in {0, 2**62, *times, *(each + 1 for each in times)}:
            before = sum(each < at_ms for each in times)
            assert store.sequence_before(stream, at_ms) == before
    store.claim_stream("empty")
    assert store.sequence_before("empty", 1) == store.sequence_before("none", 1) == 0


def test_a_search_by_time_names_a_missing_event(store_url: str) -> None:
    with open_store(store_url) as store:
        play(store)
        middle = len(list(store.events("t1"))) // 2
        run_sql(store_url, f"DELETE FROM events WHERE sequence BETWEEN 2 AND {middle}")

        with pytest.raises(NotAJournal):
            store.sequence_before("t1", 0)


def test_events_of_some_kinds_come_in_order_within_bounds(store: Store) -> None:
    play(store)

    for stream in STREAMS:
        whole = [row for row in store.events(stream) if row.kind in KINDS]
        assert list(store.events(stream, kinds=KINDS)) == whole
        for after, until in ((0, 5), (3, 30), (10, 9), (7, 10**6)):
            among = [row for row in whole if after < row.sequence <= until]
            found = store.events(stream, after=after, until=until, kinds=KINDS)
            assert list(found) == among
        of_round = [row for row in whole if row.round_number == 1]
        assert list(store.events(stream, round_number=1, kinds=KINDS)) == of_round
        settled = [row for row in whole if row.kind == "RoundSettled"]
        assert store.latest_events(stream, "RoundSettled", 2) == settled[-2:]


def test_events_of_all_streams_come_by_time_a_page_at_a_time(store: Store) -> None:
    play(store)
    whole = sorted((row for row in rows(store) if row.kind in KINDS), key=moment)

    for newest in (False, True):
        place, found = Moment(2**62 if newest else 0), list[EventRow]()
        while page := store.events_by_time(KINDS, place, count=3, newest=newest):
            found += page
            place = moment(page[-1])
        assert found == (whole[::-1] if newest else whole)
    for stream in STREAMS:
        own = [row for row in whole if row.stream == stream]
        page = store.events_by_time(KINDS, Moment(0), count=1_000, stream=stream)
        assert page == own


@pytest.mark.parametrize("newest", [False, True])
def test_kinds_of_several_statements_come_in_one_order(
    store: Store, newest: bool
) -> None:
    play(store)
    start = Moment(2**62 if newest else 0)
    many = (*KINDS[:2], *(f"Other{number}" for number in range(80)), *KINDS[2:])

    for count in (3, 1_000):
        found, few = (
            store.events_by_time(kinds, start, count=count, newest=newest)
            for kinds in (many, KINDS)
        )
        assert found == few != []


def test_refusals_of_players_are_left_out_unless_asked_for(store: Store) -> None:
    store.claim_stream("one")
    names = [("Anna", "Player"), ('x","role":"Player', "Dealer"), ("Dana", "Dealer")]
    refused = [
        row._replace(
            kind="ActRefused",
            body=f'{{"by":{{"name":{_quoted(name)},"role":"{role}"}},"acts":[]}}',
        )
        for row, (name, role) in zip(
            batch("one", bodies=["1", "2", "3"]).events, names, strict=True
        )
    ]
    append(store, batch("one", events=tuple(refused)))

    of_staff = store.events_by_time(["ActRefused"], Moment(0), count=9)
    whole = store.events_by_time(["ActRefused"], Moment(0), count=9, of_players=True)

    assert of_staff == refused[1:]
    assert whole == refused


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '\\"') + '"'


def test_rounds_are_found_by_kind_text_and_hash(store: Store) -> None:
    play(store)
    settled = [row for row in store.events("t1") if row.kind == "RoundSettled"]
    last = settled[-1]

    numbers = sorted({row.round_number for row in settled})
    assert store.rounds_with("t1", ["RoundSettled"]) == numbers
    assert store.rounds_with("t1", ["RoundSettled"], sealed=last.hash[:20]) == [
        last.round_number
    ]
    assert store.rounds_with("t1", ["RoundSettled"], containing='"nobody"') == []
    assert store.rounds_with(
        "t1", ["RoundSettled"], after=last.sequence - 1, until=last.sequence
    ) == [last.round_number]


def test_entries_are_summed_by_account_within_bounds(store: Store) -> None:
    play(store)

    for after, until in ((0, 2**62), (5, 20), (20, 5)):
        sums: dict[Account, Moved] = {}
        for sequence, _, entry in store.entries("t1", after=after, until=until):
            assert after < sequence
            added, taken = sums.get(entry.account, Moved(0, 0))
            sums[entry.account] = Moved(
                added + max(entry.cents, 0), taken + min(entry.cents, 0)
            )
        assert store.entry_sums("t1", after=after, until=until) == sums


def test_players_accounts_are_summed_by_kind_of_event_within_bounds(
    store: Store,
) -> None:
    play(store)
    rows = store.sums_of_players("t1")
    entries = [
        (entry.account, entry.cents)
        for _, _, entry in store.entries("t1")
        if entry.account.startswith(("seat:", "owed:"))
    ]

    assert entries
    for name in {account.partition(":")[2] for account, _ in entries}:
        own = [(a, kind, c) for a, kind, c in rows if a.partition(":")[2] == name]
        assert store.sums_of_players("t1", player=name) == own
        total = sum(cents for account, cents in entries if account[5:] == name)
        assert sum(cents for *_, cents in own) == total
    assert store.sums_of_players("t1", until=0) == []


def test_events_that_moved_an_account_come_with_later_sums(store: Store) -> None:
    play(store)
    account = next(each for each in store.balances("t1") if each.startswith("seat:"))
    last = len(list(store.events("t1")))
    moved: dict[int, int] = {}
    for sequence, _, entry in store.entries("t1"):
        if entry.account == account:
            moved[sequence] = moved.get(sequence, 0) + entry.cents

    for after, until in ((0, last), (8, last - 3)):
        within = {at: cents for at, cents in moved.items() if after < at <= until}
        found = store.events_of_account("t1", account, after=after, until=until)
        assert found
        for row, cents, since in found:
            assert cents == within[row.sequence] != 0
            assert since == sum(c for at, c in within.items() if at >= row.sequence)
        kinds = {row.sequence: row.kind for row in store.events("t1")}
        assert [row.sequence for row, *_ in found] == [
            at for at, c in within.items() if c and kinds[at] != "WagerPlaced"
        ]


def test_sqlite_reads_a_page_of_the_log_by_its_indexes(sqlite_url: str) -> None:
    plans: list[str] = []
    with open_store(sqlite_url) as store:
        assert isinstance(store, Store)
        right = store._query

        def query(sql: str, bindings: Any) -> Any:
            found = right(f"EXPLAIN QUERY PLAN {sql}", bindings)
            plans.extend(str(row[-1]) for row in found)
            return right(sql, bindings)

        store._query = query  # type: ignore[method-assign]
        store.events_by_time(["ActRefused", "BoughtIn"], Moment(0), count=9)

    by = {each for plan in plans for each in re.findall(r"INDEX (\w+)", plan)}
    assert by == {"events_by_time", "staff_refused"}
    assert not [plan for plan in plans if plan.startswith("SCAN events")]
