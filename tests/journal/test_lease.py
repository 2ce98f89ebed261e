"""A lease: one process owns a journal while it lives; others are refused."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest

from croupier.journal.sharing import LeaseHeld
from croupier.journal.store import JournalReplaced, NoSuchJournal
from croupier.journal.stores import open_lease, open_leased, open_store
from tests.journal.stores import run_sql

_HOLDER = """
import sys
from croupier.journal.stores import open_lease
lease = open_lease(sys.argv[1], create=True)
print("held", flush=True)
sys.stdin.read()
"""


def _refusal(url: str) -> str:
    with pytest.raises(LeaseHeld) as refused:
        open_lease(url, create=True)
    return str(refused.value)


def test_a_lease_is_refused_beside_another_and_free_after_it(store_url: str) -> None:
    with open_lease(store_url, create=True) as lease:
        said = _refusal(store_url)
        lease.renew()

    assert said.endswith("open as its house")
    with open_lease(store_url, create=True) as lease:
        lease.renew()


def test_a_lease_ends_with_its_process_in_any_case(store_url: str) -> None:
    words = [sys.executable, "-c", _HOLDER, store_url]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as it:
        assert it.stdout is not None
        assert it.stdout.readline() == b"held\n"
        said = _refusal(store_url)

        it.send_signal(signal.SIGKILL)
        it.wait()

        with open_lease(store_url, create=True) as lease:
            lease.renew()
    assert "process" in said
    if "sqlite" in store_url:
        assert f"process {it.pid} has" in said


def test_a_refused_lease_changes_nothing(
    store_url: str,
) -> None:
    with open_leased(store_url, create=True) as (store, _):
        epoch = store.claim_stream("house")
        with pytest.raises(LeaseHeld), open_leased(store_url):
            pytest.fail("it was opened")

        assert store.claim_stream("house") == epoch + 1


def test_a_journal_is_created_only_on_request(store_url: str) -> None:
    for open_it in (open_store, open_leased):
        with pytest.raises(NoSuchJournal), open_it(store_url, create=False):
            pytest.fail("it was opened")

    if "sqlite" in store_url:
        assert not list(Path(store_url.removeprefix("sqlite:///")).parent.iterdir())
    else:
        names = "SELECT 1 FROM pg_class WHERE relnamespace = current_schema()"
        assert run_sql(store_url, f"{names}::regnamespace") == []


def test_a_lease_whose_file_was_deleted_is_taken_again(sqlite_url: str) -> None:
    file = Path(f"{sqlite_url.removeprefix('sqlite:///')}-lease")
    with open_lease(sqlite_url, create=True) as lease:
        file.unlink()
        lease.renew()

        assert file.read_text() == f"{os.getpid()}\n"
        assert "open as its house" in _refusal(sqlite_url)
    assert not file.exists()


def test_a_lease_taken_by_another_process_is_lost(sqlite_url: str) -> None:
    file = Path(f"{sqlite_url.removeprefix('sqlite:///')}-lease")
    with open_lease(sqlite_url, create=True) as lease:
        file.unlink()
        with open_lease(sqlite_url, create=True), pytest.raises(LeaseHeld):
            lease.renew()


def test_two_paths_to_one_file_are_one_lease(tmp_path: Path) -> None:
    file, link = tmp_path / "house.db", tmp_path / "link.db"
    link.symlink_to(file)

    with open_lease(str(file), create=True):
        assert "open as its house" in _refusal(str(link))


def _end_sessions(url: str) -> None:
    run_sql(
        url,
        "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
        " WHERE application_name = 'croupier' AND pid <> pg_backend_pid()",
    )


def test_a_lease_whose_session_ended_is_taken_again(postgres_url: str) -> None:
    with open_lease(postgres_url) as lease:
        _end_sessions(postgres_url)
        with pytest.raises(Exception, match="can't be leased"):
            lease.renew()
        lease.renew()

        assert "open as its house" in _refusal(postgres_url)


def test_a_lease_is_lost_if_another_took_it_after_its_session_ended(
    postgres_url: str,
) -> None:
    with open_lease(postgres_url) as lease:
        _end_sessions(postgres_url)
        with open_lease(postgres_url):
            with pytest.raises(Exception, match="can't be leased"):
                lease.renew()
            with pytest.raises(LeaseHeld):
                lease.renew()


def test_journals_in_one_database_have_leases_of_their_own(
    postgres_url: str,
) -> None:
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA beside_it")
    beside = postgres_url.partition("&options=")[0]

    with (
        open_lease(postgres_url),
        open_lease(f"{beside}&options=-c%20search_path%3Dbeside_it") as other,
    ):
        other.renew()


@pytest.mark.parametrize("what", ["", "-wal", "-shm"])
@pytest.mark.parametrize("is_replaced", [False, True])
def test_a_file_deleted_or_replaced_takes_no_commit(
    what: str, is_replaced: bool, sqlite_url: str
) -> None:
    file = Path(f"{sqlite_url.removeprefix('sqlite:///')}{what}")
    with open_store(sqlite_url) as store:
        store.claim_stream("house")
        copy = file.read_bytes()
        file.unlink()
        if is_replaced:
            file.write_bytes(copy)

        with pytest.raises(JournalReplaced, match=r"was deleted, moved or replaced"):
            store.check_identity()
        with pytest.raises(JournalReplaced):
            store.claim_stream("house")


def test_a_schema_dropped_or_replaced_is_another_journal(postgres_url: str) -> None:
    with open_store(postgres_url) as store:
        store.check_identity()
        [(schema,)] = run_sql(postgres_url, "SELECT current_schema()")
        run_sql(postgres_url, f"DROP SCHEMA {schema} CASCADE")

        with pytest.raises(JournalReplaced):
            store.check_identity()

        run_sql(postgres_url, f"CREATE SCHEMA {schema}")
        open_store(postgres_url).close()
        with pytest.raises(JournalReplaced):
            store.check_identity()
