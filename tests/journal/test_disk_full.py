"""Every cause of a full disk is reported as a full disk; logs give room back."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from croupier.journal.store import DiskFull
from croupier.journal.stores import open_store, sqlite
from croupier.journal.stores.postgresql import PostgresStore


@contextmanager
def _no_file_beyond(size: int) -> Iterator[None]:
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_file_that_may_not_grow_is_a_full_disk_until_it_may(sqlite_url: str) -> None:
    log = Path(f"{sqlite_url.removeprefix('sqlite:///')}-wal")
    with open_store(sqlite_url) as store:
        store.claim_stream("t1")
        with (
            _no_file_beyond(log.stat().st_size),
            pytest.raises(DiskFull, match="the journal can't be written: disk full"),
        ):
            store.keep_secret("there is no room for this")

        assert store.epochs() == {"t1": 1}
        store.keep_secret("there is room for this")


def test_a_log_that_grew_under_a_long_reader_is_cut_after_it(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "_LOGGED_PAGES", 20)
    monkeypatch.setattr(sqlite, "_LONGEST_LOG", 400_000)
    log = Path(f"{sqlite_url.removeprefix('sqlite:///')}-wal")
    with open_store(sqlite_url) as store:
        with open_store(sqlite_url) as reader, reader.at_one_moment():
            for number in range(100):
                store.keep_secret(f"{number}" * 300)
            grown = log.stat().st_size
        for number in range(30):
            store.keep_secret(f"after {number}")

        assert grown > 600_000
        assert log.stat().st_size <= 400_000


def test_a_server_without_room_is_a_full_disk(postgres_url: str) -> None:
    full = psycopg.errors.DiskFull("could not extend file: No space left on device")
    with PostgresStore(postgres_url) as store:
        with (
            pytest.raises(DiskFull, match="can't be written: disk full"),
            store._writer.using("written"),
        ):
            raise full

        assert store.claim_stream("t1") == 1
