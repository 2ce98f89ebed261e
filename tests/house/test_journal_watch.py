"""The watch over a journal: trouble that passes, and what a house can't outlive."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from time import monotonic, sleep
from unittest.mock import patch

import pytest

from croupier.house.floor import journal_watch
from croupier.house.floor.journal_watch import JournalWatch, StreamWriter, TableEnded
from croupier.journal.sharing import LeaseHeld
from croupier.journal.store import (
    HOUSE_STREAM,
    DiskFull,
    JournalError,
    JournalFailed,
    JournalReplaced,
    WriterConflict,
)
from croupier.journal.stores import open_lease, open_store
from tests.robustness.stores import MemoryStore


class Watched:
    """A stream with its writer, and the watch over them."""

    def __init__(self) -> None:
        self.store = MemoryStore()
        self.writer = StreamWriter(self.store.claim_stream("t1"))
        self.lost: list[JournalError] = []

    @contextmanager
    def watch(self) -> Iterator[JournalWatch]:
        with patch.object(journal_watch, "_LOOK_EVERY_S", 0.02):
            watch = JournalWatch(
                self.store, None, lambda: {"t1": self.writer}, self.lost.append
            )
            try:
                yield watch
            finally:
                watch.close()


def _until(holds: Callable[[], object]) -> None:
    end = monotonic() + 10
    while not holds():
        assert monotonic() < end
        sleep(0.01)


def test_a_stream_that_another_claims_is_found_though_nothing_is_asked() -> None:
    watched = Watched()
    with watched.watch() as watch:
        assert watch.look() is None

        watched.store.claim_stream("t1")

        _until(lambda: watched.lost)
    [error] = watched.lost
    assert isinstance(error, WriterConflict)
    assert str(error) == "another writer has t1 now"


@pytest.mark.parametrize(
    ("writer", "kind"),
    [
        (StreamWriter(1, is_alive=False), TableEnded),
        (StreamWriter(1, WriterConflict("t1")), WriterConflict),
    ],
)
def test_a_table_that_cant_go_on_is_found(
    writer: StreamWriter, kind: type[JournalError]
) -> None:
    watched = Watched()
    watched.writer = writer
    with watched.watch():
        _until(lambda: watched.lost)

    assert [type(each) for each in watched.lost] == [kind]


def test_trouble_is_told_with_its_cause_and_its_length_until_it_is_over(
    caplog: pytest.LogCaptureFixture,
) -> None:
    watched, full = Watched(), DiskFull("disk full")
    with (
        caplog.at_level(logging.WARNING),
        patch.object(journal_watch, "_TELL_EVERY_S", 0),
        watched.watch() as watch,
    ):
        with patch.object(watched.store, "keep_secret", side_effect=full):
            watch.note(full)
            _until(lambda: any(each.levelname == "ERROR" for each in caplog.records))
            trouble = watch.look()
        _until(lambda: watch.trouble is None)

    assert trouble is not None
    assert str(trouble.why) == "disk full: make room on the disk of the journal"
    first, *told, last = (each.getMessage() for each in caplog.records)
    assert first == "the journal is in trouble: disk full"
    assert told
    assert all(each == "in trouble for 0 s: disk full" for each in told)
    assert last == "the journal is well again, after 0 s"
    assert watched.lost == []


def test_a_journal_that_does_not_answer_is_in_trouble_at_once() -> None:
    """Whoever asks does not wait for the look that hangs."""
    watched, answers, hangs = Watched(), Event(), Event()

    def hang() -> None:
        hangs.set()
        answers.wait(10)

    with (
        watched.watch() as watch,
        patch.object(journal_watch, "_SILENT_S", 0.01),
        patch.object(watched.store, "check_identity", side_effect=hang),
    ):
        assert hangs.wait(10)
        sleep(0.02)
        began = monotonic()
        trouble = watch.last_look()
        assert monotonic() - began < 0.5
        answers.set()
        _until(lambda: watch.trouble is None)

    assert trouble is not None
    assert str(trouble.why) == "its database does not answer: see to it"


def test_a_table_that_waits_for_its_journal_is_trouble_and_no_loss() -> None:
    watched = Watched()
    watched.writer = StreamWriter(1, JournalFailed("a cable"))
    with watched.watch() as watch:
        _until(lambda: watch.trouble)
        watched.writer = StreamWriter(1)
        _until(lambda: watch.trouble is None)

    assert watched.lost == []


@contextmanager
def _watching(journal: Path) -> Iterator[list[JournalError]]:
    """Yield what the watch over a real journal finds lost."""
    lost: list[JournalError] = []
    with (
        patch.object(journal_watch, "_LOOK_EVERY_S", 0.05),
        open_lease(str(journal), create=True) as lease,
        open_store(str(journal)) as store,
    ):
        watch = JournalWatch(store, lease, dict, lost.append)
        yield lost
        _until(lambda: lost)
        watch.close()


def test_a_file_that_is_deleted_is_a_loss(tmp_path: Path) -> None:
    journal = tmp_path / "house.db"
    with _watching(journal) as lost:
        journal.unlink()

    assert [type(each) for each in lost] == [JournalReplaced]


def test_a_lease_that_another_took_is_a_loss(tmp_path: Path) -> None:
    journal, file = tmp_path / "house.db", tmp_path / "house.db-lease"
    with _watching(journal) as lost:
        mine = file.rename(tmp_path / "moved")
        with open_lease(str(journal), create=True):
            _until(lambda: lost)

    assert [type(each) for each in lost] == [LeaseHeld]
    assert mine.exists()


@pytest.mark.parametrize("is_found_by_the_table", [False, True])
def test_a_node_drops_a_table_that_another_claims_and_goes_on(
    is_found_by_the_table: bool,
) -> None:
    store = MemoryStore()
    writers = {name: StreamWriter(store.claim_stream(name)) for name in ("t1", "t2")}
    lost: list[JournalError] = []
    dropped: list[str] = []
    with patch.object(journal_watch, "_LOOK_EVERY_S", 0.02):
        watch = JournalWatch(store, None, lambda: writers, lost.append, dropped.append)
        try:
            if is_found_by_the_table:
                conflict = WriterConflict("t1")
                writers["t1"] = StreamWriter(writers["t1"].epoch, conflict)
            else:
                store.claim_stream("t1")
            _until(lambda: dropped)
            del writers["t1"]
            trouble = watch.look()
        finally:
            watch.close()

    assert set(dropped) == {"t1"}
    assert trouble is None
    assert lost == []


def test_a_node_can_not_go_on_where_a_process_alone_claims_the_house() -> None:
    store = MemoryStore()
    writers = {HOUSE_STREAM: StreamWriter(store.claim_stream(HOUSE_STREAM))}
    lost: list[JournalError] = []
    with patch.object(journal_watch, "_LOOK_EVERY_S", 0.02):
        watch = JournalWatch(store, None, lambda: writers, lost.append, lambda _: None)
        try:
            store.claim_stream(HOUSE_STREAM)
            _until(lambda: lost)
        finally:
            watch.close()

    assert [type(error) for error in lost] == [WriterConflict]
