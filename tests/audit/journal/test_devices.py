"""What devices said against what was done: each fault is seen, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.audit.journal.auditor import audit_journal
from croupier.journal.stores.sqlite import SqliteStore
from tests.audit.journal.forging import Forgery
from tests.audit.journal.reported import is_told, told
from tests.audit.journal.sensor_faults import SENSOR_FAULTS
from tests.audit.journal.sensor_house import play_with_sensors


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteStore]:
    """The journal of tables whose devices speak; nothing may change it."""
    with SqliteStore(tmp_path_factory.mktemp("watched") / "house.db") as store:
        play_with_sensors(store)
        yield store


def test_disputes_lights_and_a_recovery_are_clean(
    watched: SqliteStore, tmp_path: Path
) -> None:
    path = Forgery(watched).write(tmp_path / "anew.db")

    report = audit_journal(str(path))

    assert report.findings == (), told(report)
    assert report.looked_at["rounds"] == 5
    assert report.looked_at["wagers"] == 3


@pytest.mark.parametrize("name", SENSOR_FAULTS)
def test_a_fault_about_devices_is_reported_where_it_is(
    name: str, watched: SqliteStore, tmp_path: Path
) -> None:
    forgery = Forgery(watched)
    seen = SENSOR_FAULTS[name](forgery)
    path = forgery.write(tmp_path / "forged.db")

    report = audit_journal(str(path))

    assert is_told(report, seen), told(report)
    assert not any(each.name.startswith("JOURNAL_") for each in report.counts)
