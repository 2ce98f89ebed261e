"""The house's own stream: events written, read back, verified and exported."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import get_args

import pytest

from croupier.house.records.house_record import HouseRecord
from croupier.house.records.vouchers_and_days import close_gaming_day
from croupier.journal.events.codec import KINDS, decode
from croupier.journal.events.house import HOUSE_EVENTS, HouseDefined, HouseEvent
from croupier.journal.events.plan import DEFAULT_HOUSE
from croupier.journal.events.table import OPERATION_EVENTS
from croupier.journal.export import export_journal, import_journal
from croupier.journal.store import HOUSE_STREAM, JournalError, Store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.verification import verify
from croupier.ledger.money import MONEY_EVENTS
from croupier.rules.events import Event
from tests.journal import tampering as tamper
from tests.journal.examples import example
from tests.journal.scene import SUPERVISOR, Clock, play
from tests.values import replaced

_NAMES = sorted(kind.__name__ for kind in HOUSE_EVENTS)
FLOOR = [KINDS[name] for name in _NAMES]


def _examples(seed: str) -> list[HouseEvent]:
    random = Random(seed)
    events = [example(kind, random) for kind in FLOOR]
    house = {HouseDefined: {"house": DEFAULT_HOUSE}}  # its days need a time zone
    return [replaced(each, **house.get(type(each), {})) for each in events]


def _recorded(store: Store) -> list[object]:
    return [
        decode(row.schema, row.kind, row.body) for row in store.events(HOUSE_STREAM)
    ]


def test_every_kind_is_recorded_and_read_back(store: Store) -> None:
    record = HouseRecord(store, Clock())
    alone, together = _examples("alone"), _examples("together")

    for number, event in enumerate(alone):
        record.write(event, command_id=f"alone {number}")
    record.write(*together, command_id="together")

    assert _recorded(store) == [*alone, *together]
    assert len(alone) == len(HOUSE_EVENTS) > 30
    assert verify(store).is_clean
    answer = store.answer(HOUSE_STREAM, "together")
    assert answer is not None
    assert (answer.first, answer.last) == (len(alone) + 1, 2 * len(alone))


def test_house_events_are_written_beside_vouchers_and_gaming_days(
    store: Store, tmp_path: Path
) -> None:
    play(store)
    clock = Clock()
    clock.now_ms += 100 * 86_400_000
    record = HouseRecord(store, clock)
    record.write(*_examples("before"), command_id="before")
    close_gaming_day(record, SUPERVISOR)
    record.write(*_examples("behind"), command_id="behind")

    export_journal(store, tmp_path / "journal.jsonl")
    with SqliteStore(tmp_path / "imported.db") as other:
        report = import_journal(other, tmp_path / "journal.jsonl")

        assert report.is_clean
        assert tamper.content(other) == tamper.content(store)
        assert _recorded(other)[-len(FLOOR) :] == _examples("behind")


def test_the_same_record_twice_is_refused_and_nothing_is_written(
    store: Store,
) -> None:
    record = HouseRecord(store, Clock())
    record.write(*_examples("once"), command_id="once")
    head = store.head(HOUSE_STREAM)

    with pytest.raises(JournalError, match="recorded already"):
        record.write(*_examples("twice"), command_id="once")

    assert store.head(HOUSE_STREAM) == head
    assert record.is_recorded("once")
    assert not record.is_recorded("twice")


def test_no_two_kinds_of_event_share_a_name() -> None:
    kinds = {*get_args(Event), *MONEY_EVENTS, *OPERATION_EVENTS, *HOUSE_EVENTS}

    assert len(KINDS) == len(kinds)


@pytest.mark.parametrize("kind", FLOOR, ids=_NAMES)
def test_no_event_of_the_house_has_a_place_for_a_secret(kind: type) -> None:
    """The journal holds only the digests of secrets."""
    fields = set(kind.__annotations__)

    assert not fields & {"password", "token", "secret", "value", "hash"}
    if kind.__name__ in {"PasswordSet", "DeviceInvited", "DeviceEnrolled"}:
        assert "digest" in fields
