"""While a house is open its journal is verified as a whole, and an edit is an alarm."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from unittest.mock import patch

from structlog.testing import capture_logs

from croupier.house.history.significant_events import read_log
from croupier.house.records import background_verification
from croupier.house.records.background_verification import BackgroundVerification
from croupier.house.records.house_record import HouseRecord
from croupier.journal.store import HOUSE_STREAM, JournalFailed, Store
from croupier.journal.stores import open_store
from croupier.journal.tables import Moment
from tests.journal.scene import DAY_MS, START_MS, play
from tests.journal.stores import run_sql

FOUND = "events t2 3: its hash does not follow from what is stored"


def _until(holds: Callable[[], object]) -> None:
    end = monotonic() + 20
    while not holds():
        assert monotonic() < end
        sleep(0.01)


def _verified(
    record: HouseRecord,
    open_again: Callable[[], Store],
    is_due: Callable[[], bool] = lambda: True,
) -> list[int]:
    """What was counted until the house knew of it."""
    counts: list[int] = []
    with (
        patch.object(background_verification, "_FIRST_AFTER_S", 0),
        patch.object(background_verification, "_AGAIN_AFTER_S", 0.01),
    ):
        verification = BackgroundVerification(record, open_again, counts.append, is_due)
        _until(lambda: counts)
        _until(lambda: not counts[0] or record.state.doubt)
        verification.close()
    return counts


def test_an_edit_is_logged_counted_and_stands_in_the_log(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    with open_store(url) as store, capture_logs() as logged:
        play(store)
        record = HouseRecord(store, lambda: START_MS + 90 * DAY_MS)
        run_sql(url, "UPDATE events SET at_ms = 1 WHERE stream = 't2' AND sequence = 3")

        counts = _verified(record, lambda: open_store(url))
        _verified(record, lambda: open_store(url))

        page = read_log(store, Moment(START_MS), table=HOUSE_STREAM, count=50)

    [alarm] = [each for each in page.events if each.event == "JournalDoubted"]
    assert counts == [1]
    assert alarm.is_alarm
    assert alarm.fields == {"findings": "1", "first": FOUND}
    assert record.state.doubt == FOUND
    assert {each["first"] for each in logged if each["log_level"] == "error"} == {FOUND}


def test_one_that_is_not_due_is_left_to_another_process(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    asked: list[bool] = []

    def is_due() -> bool:
        asked.append(len(asked) > 3)
        return asked[-1]

    with open_store(url) as store:
        play(store)
        record = HouseRecord(store, lambda: START_MS + 90 * DAY_MS)
        counts = _verified(record, lambda: open_store(url), is_due)

    assert asked == [False, False, False, False, True]
    assert counts == [0]


def test_a_sound_journal_is_no_alarm_and_one_that_is_away_is_tried_again(
    tmp_path: Path,
) -> None:
    url = f"sqlite:///{tmp_path / 'house.db'}"
    failures = [JournalFailed("away"), JournalFailed("away")]

    def open_again() -> Store:
        if failures:
            raise failures.pop()
        return open_store(url)

    with open_store(url) as store, capture_logs() as logged:
        play(store)
        record = HouseRecord(store, lambda: START_MS + 90 * DAY_MS)
        counts = _verified(record, open_again)

    assert counts == [0]
    assert record.state.doubt is None
    assert [each["log_level"] for each in logged] == ["warning", "warning"]
