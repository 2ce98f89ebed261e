"""A database with a synchronous standby: what was acknowledged outlives its server."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from stat import S_IMODE
from typing import Any

import pytest

from croupier.journal.store import JournalFailed, ServerAway, Store
from croupier.journal.stores import open_store
from tests.cli.running import run_here
from tests.faults.conftest import Houses
from tests.faults.floor import Floor, in_round
from tests.faults.house_process import HouseProcess
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
    floor = in_round(house)

    sent = floor.lay("straight_up:18")
    pair.lose_first()
    sent += floor.lay("straight_up:19")
    pair.promote()

    floor.all_answered(sent)
    wait_for(house.is_ready, 30)
    floor.finish("17")
    house.end()


def test_a_commit_is_acknowledged_only_after_the_standby(
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
                read.result(1)  # what the standby may lack is not read
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


def test_a_house_goes_on_beside_a_former_server_and_does_not_start_there(
    houses: Houses, pair: ServerPair, tmp_path: Path
) -> None:
    house = houses.served_from(pair.new_address(), tmp_path)
    house.start("--create")
    floor = Floor(house, "triple")
    floor.open_round()
    pair.lose_first()
    pair.promote()
    floor.all_answered(floor.lay("straight_up:17"))

    pair.first.resume()  # it can be written too, and comes first in the address
    pair.end_sessions_of_second()
    floor.all_answered(floor.lay("straight_up:18"))
    rival = wait_for(lambda: house.http("GET", "/ready").body.get("rival"), 30)
    floor.finish("17")
    assert house.terminate() == 0

    assert "2 PostgreSQL servers of this address can be written" in rival
    assert f"{pair.first.folder} (timeline 1) and " in rival
    assert house.refused() == rival
    pair.lose_second()
    said = house.refused()  # the house has told the former server
    assert "a standby was promoted since to timeline 2" in said
    pair.second.resume()
    pair.lose_first()
    house.start()
    house.end()


def test_a_store_leaves_the_old_server_after_a_promotion(
    pair: ServerPair,
) -> None:
    name = pair.first.new_database()
    with open_store(pair.address(name)) as store:
        epoch = store.claim_stream("one")
        append(store, batch("one", epoch=epoch))
        assert (store.timeline, store.rival) == (1, None)

        pair.promote()

        wait_for(lambda: store.timeline == 2 and _is_back(store), 30)
        append(store, batch("one", epoch=epoch, after=1, before=_hash(store)))
        assert f"{pair.first.folder} (timeline 1) and " in str(store.rival)
    with open_store(pair.second.address(name)) as store:
        assert _last(store) == 2


def test_checkpoints_keep_a_house_from_starting_at_a_former_server(
    houses: Houses, pair: ServerPair, tmp_path: Path
) -> None:
    assert run_here("journal", "key", tmp_path / "house.key").code == 0
    kept = tmp_path / "house.checkpoints"
    key = ("--signing-key", str(tmp_path / "house.key"))
    options = (*key, "--checkpoints-to", str(kept))
    house = houses.served_from(pair.new_address(), tmp_path)
    house.start("--create", *options)
    wait_for(lambda: kept.exists() and kept.read_text(), 30)
    before = kept.read_text()
    pair.lose_first()
    pair.promote()
    wait_for(lambda: kept.read_text() != before, 30)  # nothing was recorded
    house.kill()
    pair.lose_second()
    pair.first.resume()

    said = house.refused(*options)

    assert "this journal is older than the house: " in said


def test_events_missing_on_a_promoted_standby_are_kept_and_raise_an_alarm(
    houses: Houses, pair: ServerPair, tmp_path: Path
) -> None:
    house = houses.served_from(pair.new_address(), tmp_path / "house")
    kept = ("--missing-to", str(tmp_path))
    house.start("--create", *kept)
    floor = in_round(house)
    pair.leave_second_behind()
    before = _events(house)
    floor.all_answered(floor.lay("straight_up:18", "straight_up:19"))
    lost = [each for each in _events(house) if each not in before]

    pair.lose_first()
    pair.promote()

    assert house.ended(60) == 3
    first = min(each["sequence"] for each in lost if each["stream"] == "triple")
    assert f"{len(lost)} acknowledged events are not in the journal" in house.said
    assert f" of triple from {first}" in house.said
    [file] = tmp_path.glob("missing-events-*.jsonl")
    assert S_IMODE(file.stat().st_mode) == 0o600
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert [each for each in lines if each.get("table") == "events"] == lost
    floor.hang_up()
    for _ in range(2):
        house.start(*kept)
        assert house.terminate() == 0
    alarms = [each for each in _events(house) if each["kind"] == "EventsMissing"]
    told = [json.loads(each["body"]) for each in alarms]
    assert [(e["stream"], e["first"], e["missing"]) for e in told] == [
        ("triple", first, len(lost))
    ]
    assert {each["file"] for each in told} == {file.name}
    house.verify()


def _events(house: HouseProcess) -> list[dict[str, Any]]:
    return [each for each in house.export() if each["table"] == "events"]


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
