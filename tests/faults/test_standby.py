"""A database with a synchronous standby: what was acknowledged outlives its server."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from croupier.journal.store import JournalFailed, ServerAway, Store
from croupier.journal.stores import open_store
from tests.faults.conftest import Houses
from tests.faults.floor import Floor
from tests.faults.record import OutsideRecord
from tests.faults.standby import ServerPair
from tests.journal.batches import append, batch
from tests.waiting import wait_for


@pytest.fixture
def pair() -> Iterator[ServerPair]:
    servers = ServerPair()
    yield servers
    servers.stop()


def _last(store: Store) -> int:
    head = store.head("one")
    return 0 if head is None else head.sequence


def test_a_house_goes_on_at_the_standby_that_is_promoted(
    houses: Houses, pair: ServerPair, tmp_path: Path
) -> None:
    house = houses.served_from(pair.new_address(), tmp_path)
    house.start("--create")
    assert "no synchronous standby" not in house.said
    record = OutsideRecord()
    floor = Floor(house, "triple", record)
    floor.open_round()
    floor.all_answered(floor.lay("straight_up:17"))

    sent = floor.lay("straight_up:18")
    pair.lose_first()
    sent += floor.lay("straight_up:19")
    pair.promote()

    floor.all_answered(sent)
    wait_for(house.is_ready, 30)
    floor.finish("17")
    record.compare(house.export())
    house.verify()
    assert house.stop() == 0


def test_what_the_standby_has_not_confirmed_is_not_acknowledged(
    pair: ServerPair,
) -> None:
    with (
        open_store(pair.new_address()) as store,
        ThreadPoolExecutor(2) as threads,
    ):
        epoch = store.claim_stream("one")
        append(store, batch("one", epoch=epoch))
        second = batch("one", epoch=epoch, after=1, before=_hash(store))
        with pair.standby_away():
            cancelled = threads.submit(store.append, [second])
            pair.call_off("pg_cancel_backend")
            with pytest.raises(ServerAway, match="the standby has not confirmed it"):
                cancelled.result(20)
            read: Future[int] = threads.submit(_last, store)
            with pytest.raises(TimeoutError):
                read.result(1)  # nobody reads what the standby may not have
        assert read.result(20) == 2

        third = batch("one", epoch=epoch, after=2, before=_hash(store))
        with pair.standby_away():
            ended = threads.submit(store.append, [third])
            pair.call_off("pg_terminate_backend")
            with pytest.raises(JournalFailed):
                ended.result(20)
            read = threads.submit(_last, store)
            with pytest.raises(TimeoutError):
                read.result(1)
        assert read.result(20) == 3


def test_a_server_that_was_replaced_is_none_any_more(pair: ServerPair) -> None:
    with open_store(pair.new_address()) as store:
        epoch = store.claim_stream("one")
        append(store, batch("one", epoch=epoch))
        pair.lose_first()
        pair.promote()
        wait_for(lambda: _is_back(store), 20)
        append(store, batch("one", epoch=epoch, after=1, before=_hash(store)))
        pair.first.resume()  # it can be written too, and comes first in the address
        pair.end_sessions_of_second()
        with pytest.raises(ServerAway, match="a standby was promoted since"):
            store.epochs()
        pair.lose_first()
        wait_for(lambda: _is_back(store), 20)
        assert _last(store) == 2


def _hash(store: Store) -> str:
    head = store.head("one")
    assert head is not None
    return head.hash


def _is_back(store: Store) -> bool:
    """Whether it can be read and written."""
    try:
        store.epochs()
        store.drop_secret(store.keep_secret("probe"))
    except JournalFailed:
        return False
    return True
