"""Before a house opens: what it would pay out by is checked, and no more than that."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from croupier.house.records.house_record import HouseRecord, read_house_state
from croupier.house.records.start_check import check_start
from croupier.journal.events.house import JournalDoubted, JournalTrusted
from croupier.journal.findings import table_line
from croupier.journal.store import NotAJournal, Store
from croupier.journal.tables import (
    ANSWERS,
    BALANCES,
    CHECKPOINTS,
    ENTRIES,
    EVENTS,
    SNAPSHOTS,
    STREAMS,
    VOUCHERS,
    StoredTable,
)
from croupier.journal.verification import verify
from tests.journal import tampering as tamper
from tests.journal.scene import START_MS, play
from tests.journal.stores import (
    postgres_server,
    postgres_url,
    sqlite_url,
    store,
    store_url,
)

__all__ = ["postgres_server", "postgres_url", "sqlite_url", "store", "store_url"]
Row = dict[str, int | str]


def _change(
    store: Store, table: StoredTable, which: Callable[[Row], bool], **values: int | str
) -> None:
    """Give the last such row other values, behind the journal's back."""
    rows = tamper.rows(store, table)
    row = [each for each in rows if which(dict(zip(table.columns, each, strict=True)))][
        -1
    ]
    tamper.change(store, table, row, **values)


def _drop(store: Store, table: StoredTable, place: int) -> None:
    tamper.delete(store, table, tamper.rows(store, table)[place])


EDITS: dict[str, Callable[[Store], None]] = {
    "balances t1 41: the balances then were not": lambda store: _change(
        store, BALANCES, lambda row: row["account"] == "seat:Anna", cents=99_999_999
    ),
    "vouchers ": lambda store: _change(
        store, VOUCHERS, lambda row: row["state"] == "redeemed", state="outstanding"
    ),
    "answers t2 ": lambda store: _drop(store, ANSWERS, -1),
    "events t1 ": lambda store: _change(
        store, EVENTS, lambda row: row["stream"] == "t1", at_ms=1
    ),
    "entries t1 ": lambda store: _change(
        store, ENTRIES, lambda row: row["stream"] == "t1", cents=77
    ),
    "snapshots t2 ": lambda store: _change(
        store, SNAPSHOTS, lambda row: row["stream"] == "t2", body="{}"
    ),
    "streams t2 ": lambda store: _change(
        store, STREAMS, lambda row: row["stream"] == "t2", hash="0" * 64
    ),
    "checkpoints ": lambda store: _change(
        store, CHECKPOINTS, lambda _: True, signed="{}"
    ),
}


def test_what_a_house_would_pay_out_by_is_checked(store: Store) -> None:
    play(store)
    assert check_start(store) == ()

    missed = []
    for said, edit in EDITS.items():
        found: list[str] = []
        with tamper.undone(store):
            edit(store)
            found = [table_line(each) for each in check_start(store)]
        if not any(line.startswith(said) for line in found):
            missed.append((said, found))

    assert missed == []
    assert check_start(store) == ()


def test_what_lies_before_signed_heads_and_snapshots_is_left_for_later(
    store: Store,
) -> None:
    play(store)
    with tamper.undone(store):
        _change(store, EVENTS, lambda row: row["sequence"] == 3, at_ms=1)
        assert check_start(store) == ()
        assert [each.table for each in verify(store).findings] == ["events"]
    with tamper.undone(store):
        _drop(store, ANSWERS, 10)
        assert check_start(store) == ()
        assert [each.table for each in verify(store).findings] == ["answers"]


def test_a_journal_that_was_doubted_is_verified_as_a_whole(store: Store) -> None:
    play(store)
    record = HouseRecord(store, lambda: START_MS)
    with store.all_or_nothing():
        _change(store, EVENTS, lambda row: row["sequence"] == 3, at_ms=1)
    record.write(JournalDoubted(1, "events t2 3: its hash …"))
    assert check_start(store) != ()

    record.write(JournalTrusted("events t2 3: …"))
    assert check_start(store) == ()


def test_a_house_that_can_not_be_read_is_refused_in_a_sentence(store: Store) -> None:
    record = HouseRecord(store, lambda: START_MS)
    record.write(JournalTrusted("events t2 3: …"))
    with store.all_or_nothing():
        _change(store, EVENTS, lambda _: True, body="no event")

    with pytest.raises(NotAJournal, match=r"house 1 is no event .* restore a backup"):
        read_house_state(store)
