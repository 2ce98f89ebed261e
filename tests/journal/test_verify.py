"""Verification: its findings, its counts, and the facts that it can't prove."""

from __future__ import annotations

import shutil
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest

from croupier.journal import verification
from croupier.journal.chain import event_hash
from croupier.journal.events.codec import SCHEMA, encode
from croupier.journal.findings import table_line
from croupier.journal.log.check import BadCheckpoint
from croupier.journal.log.publishing import last_ends, publish
from croupier.journal.store import JournalError, ServerAway, Store
from croupier.journal.stores import open_store
from croupier.journal.stores.postgresql import PostgresStore
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import (
    ANSWERS,
    BALANCES,
    ENTRIES,
    EVENTS,
    GENESIS,
    SNAPSHOTS,
    STREAMS,
    TABLES,
    VOUCHERS,
    EventRow,
    Row,
    StoredTable,
)
from croupier.journal.verification import verify
from croupier.ledger.accounts import Account, Entry
from croupier.ledger.commands import BuyIn
from croupier.ledger.money import BoughtIn, masked_code
from tests.journal import tampering as tamper
from tests.journal.scene import DEALER, KEY, Clock, Driver, play
from tests.journal.stored import checkpoints
from tests.journal.stores import run_sql


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """One journal for all tests: each undoes its edits."""
    with SqliteStore(tmp_path_factory.mktemp("verify") / "journal.db") as opened:
        play(opened)
        yield opened


def row_of(store: Store, table: StoredTable, stream: str, place: int) -> Row:
    return [row for row in tamper.rows(store, table) if row[0] == stream][place]


def found(store: Store) -> list[tuple[str, str, int | None]]:
    return [(each.table, each.stream, each.sequence) for each in verify(store).findings]


def test_an_empty_journal_is_clean(store: Store) -> None:
    report = verify(store)

    assert report.is_clean
    assert set(report.checked.values()) == {0}


def test_every_row_is_counted(store: Store) -> None:
    play(store)

    report = verify(store)

    assert report.checked == {
        name: len(tamper.rows(store, table)) for name, table in TABLES.items()
    }


def test_an_edited_event_is_named(journal: Store) -> None:
    row = row_of(journal, EVENTS, "t1", 4)

    with tamper.undone(journal):
        tamper.change(journal, EVENTS, row, at_ms=row[4] + 1)

        assert found(journal)[0] == ("events", "t1", 5)
        assert {each[0] for each in found(journal)} == {"events", "log_entries"}


def test_a_deleted_event_is_named_by_the_one_after_it(journal: Store) -> None:
    row = next(r for r in tamper.rows(journal, EVENTS) if r[8] == "ActRefused")

    with tamper.undone(journal):
        tamper.delete(journal, EVENTS, row)

        assert set(found(journal)) == {
            ("events", row[0], row[1] + 1),
            ("answers", row[0], row[1]),
        }


def test_a_deleted_entry_is_named_with_its_sum_and_balance(
    journal: Store,
) -> None:
    row = row_of(journal, ENTRIES, "t1", 0)

    with tamper.undone(journal):
        tamper.delete(journal, ENTRIES, row)
        told = [table_line(each) for each in verify(journal).findings]

    assert any(each.startswith("entries t1 2: line 1 stands") for each in told)
    assert "entries t1 2: the entries sum to 100000" in told
    assert any(each.startswith("balances t1: cash is ") for each in told)


def test_a_missing_answer_is_named(journal: Store) -> None:
    row = row_of(journal, ANSWERS, "t2", 3)

    with tamper.undone(journal):
        tamper.delete(journal, ANSWERS, row)

        assert found(journal) == [("answers", "t2", row[2])]


def test_an_edited_snapshot_is_named(journal: Store) -> None:
    row = row_of(journal, SNAPSHOTS, "t1", 0)

    with tamper.undone(journal):
        tamper.change(journal, SNAPSHOTS, row, body=row[2].replace("t", "T", 1))

        assert found(journal) == [("snapshots", "t1", row[1])]


def test_an_edited_head_row_is_named(journal: Store) -> None:
    row = row_of(journal, STREAMS, "t2", 0)

    with tamper.undone(journal):
        tamper.change(journal, STREAMS, row, sequence=row[2] - 1)

        assert found(journal) == [("streams", "t2", row[2] - 1)]


def test_a_voucher_is_named_by_how_its_code_ends(journal: Store) -> None:
    row = tamper.rows(journal, VOUCHERS)[0]

    with tamper.undone(journal):
        tamper.change(journal, VOUCHERS, row, cents=row[1] + 1)
        [finding] = verify(journal).findings

    assert row[0] not in table_line(finding)
    assert table_line(finding) == (
        f"vouchers {masked_code(row[0])}:"
        f" cents is {row[1] + 1}, the events say {row[1]}"
    )


def test_every_finding_is_reported(journal: Store) -> None:
    rows = tamper.rows(journal, BALANCES)

    with tamper.undone(journal):
        for row in rows:
            tamper.change(journal, BALANCES, row, cents=row[2] + 1)

        assert len(verify(journal).findings) == len(rows)


def test_findings_beyond_a_thousand_are_only_counted(store: Store) -> None:
    _fill(store, 800)

    with tamper.undone(store):
        tamper.execute(store, "DELETE FROM events")
        report = verify(store)

    assert len(report.findings) == 1_000
    assert report.more_findings == 800 * 3 + 3 - 1_000


def test_a_seat_below_zero_is_found(store: Store) -> None:
    """The database refuses such a balance; entries could still add up to it."""
    _fill(store, 3)

    with tamper.undone(store):
        for row in tamper.rows(store, ENTRIES):
            if row[1] == 1:
                tamper.change(store, ENTRIES, row, cents=-row[4])
        tamper.write_anew(store, "t1")
        told = [each.problem for each in verify(store).findings]

    assert "seat:Anna is below zero after it" in told


def _told_after(store: Store, row: Row, **values: str | int) -> list[str]:
    """Return the findings after a change of an event with all hashes computed again."""
    with tamper.undone(store):
        tamper.change(store, EVENTS, row, **values)
        tamper.write_anew(store, row[0])
        tamper.forget_log(store)
        return [each.problem for each in verify(store).findings]


def _event(store: Store, kind: str, stream: str) -> Row:
    return next(
        row for row in tamper.rows(store, EVENTS) if (row[0], row[8]) == (stream, kind)
    )


def test_a_voucher_redeemed_twice_is_found(journal: Store) -> None:
    redeemed = _event(journal, "VoucherRedeemed", "t2")
    refused = _event(journal, "ActRefused", "t2")

    told = _told_after(journal, refused, kind=redeemed[8], body=redeemed[9])

    assert told == ["it came to more than one end: redeemed at t2, redeemed at t2"]


def test_a_voucher_issued_twice_is_found(journal: Store) -> None:
    issued = _event(journal, "VoucherIssued", "t1")
    refused = _event(journal, "ActRefused", "t2")

    told = _told_after(journal, refused, kind=issued[8], body=issued[9])

    assert told == ["it was issued 2 times"]


def test_a_voucher_redeemed_for_another_amount_is_found(journal: Store) -> None:
    redeemed = _event(journal, "VoucherRedeemed", "t2")

    told = _told_after(journal, redeemed, body=redeemed[9].replace("900", "901"))

    assert told == ["its events name different amounts"]


def test_a_voucher_without_an_issue_is_found(journal: Store) -> None:
    redeemed = _event(journal, "VoucherRedeemed", "t2")
    body = redeemed[9].replace('"code":"', '"code":"X')

    told = _told_after(journal, redeemed, body=body)

    assert "it was issued 0 times" in told


def test_a_snapshot_named_at_another_place_is_found(journal: Store) -> None:
    taken = _event(journal, "SnapshotTaken", "t1")
    earlier = taken[9].replace(str(taken[1] - 1), str(taken[1] - 2))

    told = _told_after(journal, taken, body=earlier)

    assert f"it names a snapshot at {taken[1] - 2}" in told


def test_a_snapshot_of_another_command_is_found(journal: Store) -> None:
    taken = _event(journal, "SnapshotTaken", "t1")

    told = _told_after(journal, taken, command_id="another")

    assert told == ["a snapshot belongs to the command before it"]


def test_without_keys_or_checkpoints_it_lists_unproven_claims(journal: Store) -> None:
    checkpoint = checkpoints(journal)[-1]

    alone = " ".join(map(str, verify(journal).unproven))
    helped = verify(journal, outside=checkpoint, public_keys=[KEY.public_key()])

    assert "cut short" in alone
    assert "written again" in alone
    assert "who signed" in alone
    assert "after the checkpoint from outside" in str(helped.unproven[0])
    assert not any("signed" in str(each) for each in helped.unproven)


def test_the_house_head_is_the_one_that_the_log_names(journal: Store) -> None:
    last = last_ends(journal)

    assert last is not None
    assert last[1].house_head == verify(journal).house_head


def test_an_old_checkpoint_from_outside_is_enough(store: Store) -> None:
    driver = Driver(store, "t1", Clock())
    driver.round("17")
    checkpoint = publish(store, KEY, 1, "")
    driver.round("18")
    Driver(store, "t2", Clock())

    assert verify(store, outside=checkpoint).is_clean


def test_a_malformed_checkpoint_from_outside_is_refused(journal: Store) -> None:
    checkpoint = checkpoints(journal)[-1]

    for text in ("", checkpoint.replace("—", "-"), checkpoint[:-10]):
        with pytest.raises(BadCheckpoint):
            verify(journal, outside=text)


def test_a_checkpoint_of_another_house_is_found(journal: Store, store: Store) -> None:
    driver = Driver(store, "t1", Clock())
    driver.round("17")
    foreign = publish(store, KEY, 1, "")

    told = {each.problem for each in verify(journal, outside=foreign).findings}

    assert "the checkpoint from outside is not among the stored ones" in told
    assert any("another root than the log's" in each for each in told)


def test_streams_are_read_in_one_order_under_any_collation(
    postgres_url: str,
) -> None:
    """If possible, the test makes the server sort `t1` before `T1`."""
    with open_store(postgres_url) as store:
        for name in ("t1", "T1", "a-b", "ab", "Zürich", "zoo"):
            driver = Driver(store, name, Clock())
            if name in {"T1", "zoo"}:
                driver.ask(BuyIn("Anna", 100))
        with store.all_or_nothing():
            for table in ("streams", "events", "entries", "answers", "balances"):
                tamper.execute(
                    store,
                    f"ALTER TABLE {table} ALTER stream TYPE text"
                    f' COLLATE "{_collation(store)}"',
                )

        assert verify(store).is_clean


def _collation(store: Store) -> str:
    assert isinstance(store, PostgresStore)
    assert store._one_commit is not None
    found = store._one_commit.execute(
        "SELECT collname FROM pg_collation WHERE collname IN ('en-x-icu', 'C')"
        " ORDER BY collname DESC"
    ).fetchone()
    assert found is not None
    return str(found[0])


def test_verification_is_of_one_moment_while_others_write(
    store_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_store(store_url) as writer, open_store(store_url) as reader:
        driver = Driver(writer, "t1", Clock())
        driver.round("17")
        read = reader.rows_of

        def rows_while_playing(
            table: StoredTable, *stream: str, after: int = 0
        ) -> Iterator[Row]:
            for row in read(table, *stream, after=after):
                yield row
                if table is ENTRIES or table is EVENTS:
                    driver.round("18", ("red", 100))

        monkeypatch.setattr(reader, "rows_of", rows_while_playing)
        before = writer.heads()[0].sequence
        report = verify(reader)

        assert report.findings == ()
        assert report.checked["events"] == before
        assert writer.heads()[0].sequence > before


@pytest.mark.parametrize("share", [0.1, 0.3, 0.5, 0.9])
def test_a_truncated_file_is_refused_or_found(
    journal: Store, tmp_path: Path, share: float
) -> None:
    assert isinstance(journal, SqliteStore)
    path, cut = tmp_path / "whole.db", tmp_path / "cut.db"
    journal.backup_to(path)
    shutil.copy(path, cut)
    with cut.open("r+b") as file:
        file.truncate(int(path.stat().st_size * share))

    try:
        with SqliteStore(cut) as store:
            is_clean = verify(store).is_clean
    except JournalError:
        is_clean = False

    assert not is_clean


def test_the_memory_does_not_grow_with_the_journal(tmp_path: Path) -> None:
    peaks = []
    for count in (2_000, 20_000):
        with SqliteStore(tmp_path / f"{count}.db") as store:
            _fill(store, count)
            tracemalloc.start()
            assert verify(store).is_clean
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()

    assert peaks[1] < peaks[0] * 2, peaks


def _fill(store: Store, count: int) -> None:
    """Write buy-ins of a cent, each with its own command."""
    account = Account("seat:Anna")
    entries = (Entry(Account("cash"), -1), Entry(account, 1))
    body, before = encode(BoughtIn(DEALER, "Anna", 1)), GENESIS
    events: list[Row] = []
    for number in range(1, count + 1):
        command = f"c{number}"
        row = EventRow(
            "t1", number, 0, command, number, SCHEMA, "", "", "BoughtIn", body, ""
        )
        before = event_hash(before, row, entries)
        events.append(row._replace(hash=before))
    with store.all_or_nothing():
        store.load(STREAMS, [("t1", 1, count, before)])
        store.load(EVENTS, events)
        store.load(
            ENTRIES,
            [
                ("t1", number, line, *entry)
                for number in range(1, count + 1)
                for line, entry in enumerate(entries)
            ],
        )
        store.load(ANSWERS, [("t1", f"c{n}", n, n) for n in range(1, count + 1)])
        store.load(BALANCES, [("t1", "cash", -count), ("t1", account, count)])


# The library warns of cursors that were open when their session was ended.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_session_that_ends_during_a_verification_is_no_finding(
    postgres_url: str,
) -> None:
    """The house repeats a background verification, and does not doubt its journal."""
    with open_store(postgres_url) as store:
        play(store)
    ended: list[object] = []

    def end_sessions() -> None:
        if not ended:
            ended.extend(
                run_sql(
                    postgres_url,
                    "SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity"
                    " WHERE application_name = 'croupier' AND pid IN"
                    " (SELECT pid FROM pg_locks WHERE relation = 'events'::regclass)",
                )
            )

    with (
        patch.object(verification, "_PAUSE_EVERY", 1),
        open_store(postgres_url) as store,
        pytest.raises(ServerAway),
    ):
        verify(store, pause=end_sessions)
    assert ended
