"""The house's record: whatever is on disk can be read, and is what the house knows."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from croupier.house.people import devices
from croupier.house.records import house_record, house_snapshot, house_state
from croupier.house.records.house_record import HouseRecord, read_house_state
from croupier.house.records.house_snapshot import (
    house_folds,
    read_house_snapshot,
    write_house_snapshot,
)
from croupier.house.records.house_state import DeviceKind, HouseState, apply
from croupier.journal.events import house as house_events
from croupier.journal.findings import table_line
from croupier.journal.store import HOUSE_STREAM, JournalError, JournalFailed, Store
from croupier.journal.tables import StreamBatch
from croupier.journal.verification import verify
from tests.house.any_event import KINDS, any_event
from tests.journal.stored import stored_snapshots
from tests.robustness.stores import MemoryStore


@pytest.mark.parametrize("seed", range(20))
def test_any_sequence_of_the_houses_events_can_be_folded(seed: int) -> None:
    random = Random(seed)
    state = HouseState()
    kinds = [*KINDS, *random.choices(KINDS, k=600)]
    random.shuffle(kinds)
    for kind in kinds:
        event = any_event(random, kind)
        for _ in range(random.choice((1, 1, 2))):
            state = apply(state, event, random.choice((0, 5)))

    assert state != HouseState()
    assert read_house_snapshot(write_house_snapshot(state)) == state


class CutAfterCommit:
    """A store's `append` whose answer is lost on the way, when it is told to be."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.cuts: list[str] = []

    def __call__(self, batches: Sequence[StreamBatch]) -> list[JournalError | None]:
        cut = self.cuts.pop(0) if self.cuts else ""
        problems = [] if cut == "before" else self._store.append(batches)
        if cut:
            raise JournalFailed("the connection was lost")
        return problems


@pytest.fixture
def store() -> Store:
    return MemoryStore()


def a_record(store: Store) -> tuple[HouseRecord, CutAfterCommit]:
    append = CutAfterCommit(store)
    return HouseRecord(store, lambda: 1_000, append), append


def enrolled(record: HouseRecord, name: str) -> str:
    kind = DeviceKind.STATION
    code = devices.invite_unasked(record, "test", name, kind, None)
    return devices.enrol(record, code)[0]


def test_what_was_committed_though_its_answer_was_lost_is_done(store: Store) -> None:
    record, append = a_record(store)
    enrolled(record, "T1")
    heard: list[house_events.HouseEvent] = []
    record.listeners.append(heard.append)

    append.cuts = ["after"]
    revoked = house_events.DeviceRevoked("Ina", "T1", "terminal")
    record.write(revoked)

    assert heard == [revoked]
    assert record.state.devices == {}
    assert read_house_state(store) == record.state


def test_what_was_not_committed_is_not_done_and_can_be_done_again(store: Store) -> None:
    record, append = a_record(store)
    enrolled(record, "T1")

    append.cuts = ["before"]
    with pytest.raises(JournalFailed):
        record.write(house_events.DeviceRevoked("Ina", "T1", "terminal"))

    assert "T1" in record.state.devices
    record.write(house_events.DeviceRevoked("Ina", "T1", "terminal"))
    assert read_house_state(store) == record.state
    assert record.state.devices == {}


def test_a_journal_that_cannot_be_read_yet_is_read_before_the_next_act(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, append = a_record(store)
    enrolled(record, "T1")

    append.cuts = ["after"]
    with monkeypatch.context() as patch:

        def gone(*_: object, **__: object) -> None:
            raise JournalFailed("nobody answers")

        patch.setattr(type(store), "events", gone)
        with pytest.raises(JournalFailed):
            record.write(house_events.DeviceRevoked("Ina", "T1", "terminal"))

    record.write(house_events.PlayerDefined("Ina", "Anna"))
    assert record.state.devices == {}
    assert set(record.state.players) == {"Anna"}
    assert read_house_state(store) == record.state


def a_house_of(store: Store, count: int, snapshot_every: int = 10) -> HouseRecord:
    """A house with so many events of all kinds, each a commit of its own."""
    random = Random(count)
    record = HouseRecord(store, lambda: 1_000, snapshot_every=snapshot_every)
    while count:
        event = any_event(random)
        if not isinstance(
            event, house_events.HouseDefined
        ):  # with a time zone of some sort
            record.write(event)
            count -= 1
    return record


def test_a_start_reads_on_from_the_last_snapshot(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = a_house_of(store, 57)
    asked: list[int] = []
    events = type(store).events

    def counted(self: Store, stream: str, *, after: int = 0, **more: Any) -> Any:
        asked.append(after)
        return events(self, stream, after=after, **more)

    monkeypatch.setattr(type(store), "events", counted)
    state = read_house_state(store)

    assert state == record.state
    assert asked[0] > 50
    assert len(stored_snapshots(store, HOUSE_STREAM)) > 4
    assert verify(store, folds=house_folds()).is_clean


def test_a_snapshot_of_another_version_is_not_read(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = a_house_of(store, 25)

    monkeypatch.setattr(house_snapshot, "_VERSION", 99)

    assert read_house_state(store) == record.state
    assert verify(store, folds=house_folds()).is_clean


def test_a_verification_names_an_event_that_cannot_be_folded(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    record, _ = a_record(store)
    enrolled(record, "T1")
    record.write(house_events.DeviceRevoked("Ina", "T1", "terminal"))
    assert verify(store, folds=house_folds()).is_clean

    def revoked_again(*_: object) -> HouseState:
        raise KeyError("T1")

    changes = {**house_state._CHANGES, house_events.DeviceRevoked: revoked_again}
    monkeypatch.setattr(house_state, "_CHANGES", changes)
    [finding] = verify(store, folds=house_folds()).findings

    assert table_line(finding) == (
        "events house 3: the house can't start with it: KeyError: 'T1'"
    )


def test_a_verification_names_a_snapshot_of_another_house(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = write_house_snapshot(HouseState())
    monkeypatch.setattr(house_record, "write_house_snapshot", lambda _: empty)
    a_house_of(store, 12)

    findings = verify(store, folds=house_folds()).findings

    assert [table_line(each) for each in findings] == [
        "snapshots house 11: it is not what the events before it come to"
    ]
