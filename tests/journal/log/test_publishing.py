"""The log of a journal: numbered, signed, stored in tiles, and checked as a whole."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import pytest

from croupier.journal.log.check import read_checkpoints
from croupier.journal.log.entries import canonical
from croupier.journal.log.notes import Checkpoint, Note, log_key
from croupier.journal.log.publishing import (
    LogConflict,
    last_ends,
    origin_of,
    publish,
    publish_new,
)
from croupier.journal.log.stored_log import TILE_WIDTH, StoredLog
from croupier.journal.log.tree import (
    check_consistency,
    included_root,
    leaf_hash,
    tree_root,
)
from croupier.journal.store import Store
from croupier.journal.stores import open_store
from croupier.journal.tables import GENESIS, LOG_ENTRIES, HeadRow
from croupier.journal.verification import verify
from tests.journal import tampering as tamper
from tests.journal.scene import KEY, Clock, Driver
from tests.journal.stored import checkpoints


def _checkpoint(whole: str) -> Checkpoint:
    return Checkpoint.read(Note.read(whole).text)


def test_checkpoints_follow_each_other(store: Store) -> None:
    driver = Driver(store, "t1", Clock())
    first = publish(store, KEY, 1, "")
    driver.round("17", ("17", 0))
    second = publish(store, KEY, 2, "")

    log, ends = StoredLog(store), last_ends(store)
    old, new = _checkpoint(first), _checkpoint(second)
    assert checkpoints(store) == [first, second]
    proof = log.consistency(old.size, new.size)
    check_consistency(old.size, old.root, new.size, new.root, proof)
    assert ends is not None
    assert ends[1].streams == (store.heads()[0],)
    assert verify(store, public_keys=[KEY.public_key()]).is_clean


def test_pending_entries_are_numbered_and_signed_once(store: Store) -> None:
    driver = Driver(store, "t1", Clock())
    assert publish_new(store, KEY, "") is None
    driver.round("17")
    driver.round("18")

    signed = publish_new(store, KEY, "")

    assert signed is not None
    assert _checkpoint(signed).size == 2
    assert log_key(origin_of(store, ""), KEY.public_key()).has_signed(Note.read(signed))
    assert publish_new(store, KEY, "") is None
    assert [row.leaf for row in store.log_entries(0, 9)] == [0, 1]
    assert verify(store).is_clean


def test_a_pending_round_is_no_finding(store: Store) -> None:
    driver = Driver(store, "t1", Clock())
    publish(store, KEY, 1, "")
    driver.round("17")

    assert verify(store).is_clean
    assert [row.sequence for row in store.pending_entries(9)] == [
        row.sequence for row in store.events("t1", kinds=["RoundSettled"])
    ]


def test_several_processes_number_and_sign_one_log(store_url: str) -> None:
    with open_store(store_url) as store:
        driver = Driver(store, "t1", Clock())
        for _ in range(5):
            driver.round("17")

    def publish_some(turn: int) -> None:
        with open_store(store_url) as own:
            for each in range(5):
                try:
                    publish(own, KEY, 100 * turn + each, "")
                except LogConflict:
                    continue

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(publish_some, range(4)))

    with open_store(store_url) as store:
        sizes = [_checkpoint(each).size for each in checkpoints(store)]
        assert all(one < two for one, two in pairwise(sizes))
        assert verify(store).is_clean


def test_the_log_of_an_empty_house_is_signed(store: Store) -> None:
    whole = publish(store, KEY, 1, "")

    assert verify(store, outside=whole).is_clean


def test_a_stream_that_was_claimed_and_never_written_has_an_end(store: Store) -> None:
    store.claim_stream("t9")

    whole = publish(store, KEY, 1, "")

    ends = last_ends(store)
    assert ends is not None
    assert ends[1].streams == (HeadRow("t9", 0, GENESIS),)
    assert verify(store, outside=whole).is_clean


def test_a_log_that_was_changed_is_not_signed(store: Store) -> None:
    driver = Driver(store, "t1", Clock())
    driver.round("17")
    publish(store, KEY, 1, "")
    [first, *_] = tamper.rows(store, LOG_ENTRIES)
    with store.all_or_nothing():
        tamper.change(store, LOG_ENTRIES, first, entry="{}")

    with pytest.raises(LogConflict, match="nothing is signed"):
        publish(store, KEY, 2, "")
    assert len(checkpoints(store)) == 1


def test_tiles_hold_the_tree_whatever_its_size(store: Store) -> None:
    entries = [canonical({"kind": "test", "n": n}) for n in range(2 * TILE_WIDTH + 9)]
    leaves = [leaf_hash(each.encode()) for each in entries]
    rows = [("t", n + 1, "", n, entry) for n, entry in enumerate(entries)]
    log = StoredLog(store)
    for first, end in pairwise((0, 200, 256, 300, len(entries))):
        with store.all_or_nothing():
            store.load(LOG_ENTRIES, rows[first:end])
            log.store_full_tiles(end)

        assert log.root(end) == tree_root(leaves[:end])
    assert store.tile_count(0) == 2
    size = len(leaves)
    for index in range(0, size, 37):
        path = log.inclusion(index, size)
        assert included_root(leaves[index], index, size, path) == log.root(size)


def test_the_notes_of_a_file_are_its_checkpoints(store: Store) -> None:
    first, second = publish(store, KEY, 1, ""), publish(store, KEY, 2, "")

    read = read_checkpoints(f"{first}\n{second}\n")

    assert [each.whole for each in read] == [first, second]


def test_the_ends_of_many_streams_are_several_entries(store: Store) -> None:
    for number in range(1_001):
        store.claim_stream(f"t{number}")

    publish(store, KEY, 1, "")
    whole = publish(store, KEY, 2, "")

    ends = last_ends(store)
    assert ends is not None
    assert len(ends[1].streams) == 1_001
    assert _checkpoint(whole).size == 6
    assert all(len(row.entry) < 2**16 for row in store.log_entries(0, 9))
    assert verify(store, outside=whole).is_clean
