"""PostgreSQL servers and databases that can hold a journal, and their loss."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import psycopg
import pytest

from croupier.journal.store import (
    JournalError,
    JournalFailed,
    NotAJournal,
    ServerAway,
    WriterConflict,
    migration_scripts,
)
from croupier.journal.stores import open_store, postgresql_connection
from croupier.journal.stores.postgresql import PostgresStore
from tests.journal.batches import append, batch, everything, voucher
from tests.journal.server import Server
from tests.journal.stored import publish_text
from tests.journal.stores import run_sql
from tests.waiting import wait_for

NOT_DURABLE = (
    "the PostgreSQL server can't be written durably: it needs fsync=on and"
    " synchronous_commit=on"
)
FOREIGN = "the PostgreSQL database is not a journal of croupier"


def _refused(url: str, kind: type[JournalError] = JournalError) -> str:
    with pytest.raises(kind) as refusal:
        open_store(url)
    assert "\n" not in str(refusal.value)
    return str(refusal.value)


def _with_option(url: str, setting: str) -> str:
    return f"{url}%20-c%20{setting.replace('=', '%3D')}"


def _contents(url: str) -> list[tuple[object, ...]]:
    """Return every table of the schema with its rows."""
    names = run_sql(
        url,
        "SELECT relname FROM pg_class WHERE relkind = 'r'"
        " AND relnamespace = current_schema()::regnamespace ORDER BY 1",
    )
    return [
        (name, sorted(run_sql(url, f"SELECT row_to_json(t)::text FROM {name} t")))
        for (name,) in names
    ]


@contextmanager
def _server_setting(server: Server, name: str, value: str) -> Iterator[None]:
    _set_until_seen(server, f"ALTER SYSTEM SET {name} = {value}", name, value)
    try:
        yield
    finally:
        _set_until_seen(server, f"ALTER SYSTEM RESET {name}", name, "on")


def _set_until_seen(server: Server, statement: str, name: str, value: str) -> None:
    run_sql(server.url(), statement)
    run_sql(server.url(), "SELECT pg_reload_conf()")
    wait_for(lambda: run_sql(server.url(), f"SHOW {name}") == [(value,)], 10)


@pytest.mark.parametrize("name", ["fsync", "synchronous_commit"])
def test_a_server_that_does_not_sync_or_wait_for_commits_is_refused(
    postgres_server: Server, postgres_url: str, name: str
) -> None:
    with _server_setting(postgres_server, name, "off"):
        sentence = _refused(postgres_url)

    assert sentence == NOT_DURABLE
    assert _contents(postgres_url) == []


def test_an_address_that_asks_not_to_wait_for_commits_is_refused(
    postgres_url: str,
) -> None:
    url = _with_option(postgres_url, "synchronous_commit=off")

    assert _refused(url) == NOT_DURABLE
    assert _contents(postgres_url) == []


def test_a_server_changed_while_in_use_still_waits_for_our_commits(
    postgres_server: Server, postgres_url: str
) -> None:
    with PostgresStore(postgres_url) as store:
        with _server_setting(postgres_server, "synchronous_commit", "off"):
            [(setting,)] = store._write("SHOW synchronous_commit", ())

        assert setting == "on"


@pytest.mark.parametrize(
    ("found", "used"),
    [("local", "on"), ("remote_write", "on"), ("remote_apply", "remote_apply")],
)
def test_a_session_waits_at_least_for_the_disk(
    postgres_url: str, found: str, used: str
) -> None:
    url = _with_option(postgres_url, f"synchronous_commit={found}")

    with PostgresStore(url) as store:
        assert store._write("SHOW synchronous_commit", ()) == [(used,)]


def test_an_older_server_is_refused(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        psycopg.ConnectionInfo, "server_version", property(lambda _: 14_09_00)
    )

    assert _refused(postgres_url) == "PostgreSQL 14 is too old: 15 or later is needed"
    monkeypatch.undo()
    assert _contents(postgres_url) == []


def test_a_read_only_database_is_refused(postgres_url: str) -> None:
    url = _with_option(postgres_url, "default_transaction_read_only=on")

    assert _refused(url) == (
        "the PostgreSQL database can't be written: it is read-only"
    )


def test_a_database_that_cant_hold_every_text_is_refused(
    postgres_server: Server,
) -> None:
    run_sql(
        postgres_server.url(),
        "CREATE DATABASE latin ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0",
    )

    sentence = _refused(postgres_server.url().replace("/postgres?", "/latin?"))

    assert sentence == (
        "the PostgreSQL database can't hold every text: it needs the encoding UTF8"
    )


def test_a_schema_that_is_not_there_is_refused(postgres_server: Server) -> None:
    sentence = _refused(postgres_server.url("-c search_path=nowhere"))

    assert sentence == (
        "the journal can't be opened: no schema has been selected to create in"
    )


@pytest.mark.parametrize(
    "statements",
    [
        pytest.param("CREATE TABLE guests (name text)", id="tables of its own"),
        pytest.param("CREATE VIEW croupiers AS SELECT 1", id="a view of its own"),
        pytest.param("CREATE TABLE croupier_journal (x text)", id="a namesake"),
        pytest.param("CREATE TABLE croupier_journal (version int)", id="no version"),
        pytest.param("CREATE VIEW croupier_journal AS SELECT 0 AS version", id="zero"),
        pytest.param(
            "CREATE VIEW croupier_journal AS SELECT 'new' AS version", id="a word"
        ),
        pytest.param(
            "CREATE VIEW croupier_journal AS SELECT 1 AS version UNION ALL SELECT 1",
            id="two versions",
        ),
    ],
)
def test_the_database_of_another_application_is_refused_and_left_as_it_was(
    postgres_url: str, statements: str
) -> None:
    run_sql(postgres_url, statements)
    before = _contents(postgres_url)

    assert _refused(postgres_url, NotAJournal) == FOREIGN

    assert _contents(postgres_url) == before


def test_the_journal_of_a_newer_croupier_is_refused_and_left_as_it_was(
    postgres_url: str,
) -> None:
    open_store(postgres_url).close()
    run_sql(postgres_url, "UPDATE croupier_journal SET version = 99")
    before = _contents(postgres_url)

    assert _refused(postgres_url) == (
        "the PostgreSQL database was written by a newer croupier"
    )

    assert _contents(postgres_url) == before


@pytest.mark.parametrize(
    "damage", ["DROP TABLE entries", "ALTER TABLE entries SET UNLOGGED"]
)
def test_a_journal_with_a_table_missing_or_unlogged_is_refused(
    postgres_url: str, damage: str
) -> None:
    open_store(postgres_url).close()
    run_sql(postgres_url, damage)
    before = _contents(postgres_url)

    assert _refused(postgres_url, NotAJournal) == (
        "the database is damaged: it has no durable entries"
    )

    assert _contents(postgres_url) == before


def test_text_is_ordered_by_code_points_in_every_language(postgres_url: str) -> None:
    open_store(postgres_url).close()

    collations = run_sql(
        postgres_url,
        "SELECT DISTINCT attcollation::regcollation::text FROM pg_attribute"
        " WHERE attrelid::regclass::text = ANY(ARRAY['streams', 'events', 'entries',"
        " 'balances', 'answers', 'snapshots', 'vouchers', 'checkpoints'])"
        " AND atttypid = 'text'::regtype",
    )

    assert collations == [('"C"',)]


def _end_connections(url: str) -> None:
    run_sql(
        url,
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        " WHERE application_name = 'croupier'",
    )


Act = Callable[[PostgresStore], object]
WRITES: dict[str, Act] = {
    "append": lambda store: store.append([batch("one", after=1)]),
    "claim a stream": lambda store: store.claim_stream("one"),
    "claim a voucher": lambda store: store.claim_voucher("A", "one"),
    "release vouchers": lambda store: store.release_vouchers("one"),
    "publish": lambda store: publish_text(store, "signed"),
}


@pytest.mark.parametrize("act", WRITES.values(), ids=WRITES.keys())
def test_a_write_over_a_lost_connection_fails_and_the_next_connects_again(
    postgres_url: str, act: Act
) -> None:
    with PostgresStore(postgres_url) as store:
        store.claim_stream("one")
        append(store, batch("one"))
        before = everything(store)
        _end_connections(postgres_url)

        with pytest.raises(JournalFailed) as failure:
            act(store)

        assert str(failure.value).startswith("the journal can't be written: ")
        assert "\n" not in str(failure.value)
        with PostgresStore(postgres_url) as other:
            assert everything(other) == before
        act(store)


def test_a_read_over_a_lost_connection_is_made_again(postgres_url: str) -> None:
    with PostgresStore(postgres_url) as store:
        store.claim_stream("one")
        append(store, batch("one", bodies=["{}"] * 1_500))
        reading = store.events("one")
        read = [next(reading).sequence]
        _end_connections(postgres_url)

        read += [row.sequence for row in reading]

        assert read == list(range(1, 1_501))


def test_reads_of_one_moment_fail_if_their_connection_is_lost(
    postgres_url: str,
) -> None:
    with PostgresStore(postgres_url) as store:

        def read() -> None:
            with store.at_one_moment():
                _end_connections(postgres_url)
                store.heads()

        with pytest.raises(JournalFailed):
            read()
        assert store.heads() == []


def test_after_a_lost_connection_a_new_epoch_goes_on(postgres_url: str) -> None:
    with PostgresStore(postgres_url) as store:
        store.claim_stream("one")
        append(store, batch("one"))
        _end_connections(postgres_url)
        with pytest.raises(JournalFailed):
            store.append([batch("one", after=1)])

        epoch = store.claim_stream("one")
        append(store, batch("one", epoch=epoch, after=1))

        assert [row.sequence for row in store.events("one")] == [1, 2]


def test_a_server_that_became_unsafe_is_not_connected_to_again(
    postgres_server: Server, postgres_url: str
) -> None:
    with PostgresStore(postgres_url) as store:
        store.claim_stream("one")
        with _server_setting(postgres_server, "fsync", "off"):
            _end_connections(postgres_url)
            with pytest.raises(JournalFailed):
                store.append([batch("one")])
            with pytest.raises(JournalFailed) as failure:
                store.append([batch("one")])

    assert str(failure.value) == NOT_DURABLE


def _wait_until_somebody_waits(url: str) -> None:
    wait_for(lambda: run_sql(url, "SELECT 1 FROM pg_locks WHERE NOT granted"), 10)


def test_a_writer_that_waits_for_a_claim_of_its_stream_has_lost_it(
    postgres_url: str,
) -> None:
    with PostgresStore(postgres_url) as store, ThreadPoolExecutor(1) as pool:
        store.claim_stream("one")
        with psycopg.connect(postgres_url) as claiming:
            claiming.execute("UPDATE streams SET epoch = 2")
            writing = pool.submit(store.append, [batch("one", epoch=1)])
            _wait_until_somebody_waits(postgres_url)

        assert [type(problem) for problem in writing.result()] == [WriterConflict]
        assert list(store.events("one")) == []


def test_a_voucher_is_not_claimed_for_a_writer_who_loses_its_stream_meanwhile(
    postgres_url: str,
) -> None:
    with PostgresStore(postgres_url) as store, ThreadPoolExecutor(1) as pool:
        store.claim_stream("one")
        append(store, batch("one", vouchers=(voucher("A1"),)))
        with psycopg.connect(postgres_url) as claiming:
            claiming.execute("UPDATE streams SET epoch = 2")
            redeeming = pool.submit(store.claim_voucher, "A1", "one", 1)
            _wait_until_somebody_waits(postgres_url)

        assert redeeming.result() is None
        assert store.voucher("A1") == voucher("A1")


def test_a_migration_makes_others_wait_and_runs_once(
    postgres_url: str,
) -> None:
    with ThreadPoolExecutor(1) as pool:
        with psycopg.connect(postgres_url) as migrating:
            migrating.execute("SELECT pg_advisory_xact_lock(%s)", (0x43525550,))
            opening = pool.submit(PostgresStore, postgres_url)
            _wait_until_somebody_waits(postgres_url)
            wanted = migration_scripts("postgresql")
            for script in wanted:
                migrating.execute(script.encode())
            migrating.execute(
                "UPDATE croupier_journal SET version = %s", (len(wanted),)
            )

        with opening.result() as store:
            assert store.claim_stream("one") == 1


def test_a_stream_held_by_a_hanging_transaction_fails_in_a_sentence(
    postgres_url: str,
) -> None:
    with PostgresStore(postgres_url) as store:
        store.claim_stream("one")
        store._write("SELECT set_config('lock_timeout', '50ms', false)", ())
        with psycopg.connect(postgres_url) as hanging:
            hanging.execute("SELECT * FROM streams FOR UPDATE")

            with pytest.raises(JournalFailed, match="lock timeout"):
                store.append([batch("one")])

        append(store, batch("one"))


def _backend_of(store: PostgresStore) -> int:
    [(pid,)] = store._write("SELECT pg_backend_pid()", ())
    assert isinstance(pid, int)
    return pid


def test_a_server_that_falls_silent_is_given_up(
    postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(postgresql_connection, "_SILENT_SECONDS", 0.2)
    with PostgresStore(postgres_url) as store:
        backend = _backend_of(store)
        os.kill(backend, signal.SIGSTOP)
        try:
            with pytest.raises(ServerAway, match="can't be written"):
                store.claim_stream("t1")
        finally:
            os.kill(backend, signal.SIGCONT)

        assert store.claim_stream("t1") in {1, 2}  # the first may be committed by now


def test_a_statement_of_a_cut_line_never_commits_later(
    postgres_url: str,
) -> None:
    with (
        PostgresStore(postgres_url) as store,
        psycopg.connect(postgres_url) as holder,
        ThreadPoolExecutor(1) as pool,
    ):
        assert store.claim_stream("t1") == 1
        holder.execute("SELECT * FROM streams FOR UPDATE")
        backend = _backend_of(store)
        claim = pool.submit(store.claim_stream, "t1")
        waits = f"SELECT 1 FROM pg_locks WHERE pid = {backend} AND NOT granted"
        wait_for(lambda: run_sql(postgres_url, waits))
        store._writer._busy_since = float("-inf")
        store._writer.give_up_if_silent(time.monotonic())
        with pytest.raises(ServerAway):
            claim.result(timeout=10)

        assert store.epochs() == {"t1": 1}
        holder.rollback()

        assert store.epochs() == {"t1": 1}
        assert not run_sql(
            postgres_url, f"SELECT 1 FROM pg_stat_activity WHERE pid = {backend}"
        )


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (("postgresql:///postgres?", "postgresql:///nowhere?"), JournalError),
        (("host=", "host=%2Fnowhere"), ServerAway),
        (("postgresql:///", "postgresql://127.0.0.1:1/"), ServerAway),
    ],
)
def test_only_a_server_that_may_come_back_is_waited_for(
    postgres_url: str, change: tuple[str, str], kind: type[JournalError]
) -> None:
    url = postgres_url.replace(*change)
    if "127.0.0.1" in url:
        url = url.partition("?")[0]

    with pytest.raises(JournalError) as refused:
        open_store(url)

    assert type(refused.value) is kind
