"""Bugs planted in a table whose devices speak: the audit sees what it let pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.journal.auditor import audit_journal
from croupier.journal.findings import FindingKind as K
from croupier.journal.stores.sqlite import SqliteStore
from croupier.rules import irregularities
from croupier.rules import round as round_of_play
from croupier.rules.events import SensorReported
from croupier.rules.terms import Limits
from croupier.table import interruption
from croupier.table import wagers as table_wagers
from tests.audit.journal.reported import told
from tests.audit.journal.sensor_house import Watched
from tests.values import replaced

Patch = pytest.MonkeyPatch
SHIFT_MANAGER = "Table Games Shift Manager"


def ignores_the_sensor(patch: Patch) -> None:
    """A28, A33, A40, A45: the sensor's reports are recorded and change nothing."""
    changes = round_of_play._CHANGES
    patch.setitem(changes, SensorReported, lambda state, _: state)


def forgets_the_count(patch: Patch) -> None:
    """A32: one person's word voids a round whose revolutions were counted."""
    patch.setattr(irregularities, "_is_disputed", lambda *_: False)


def invents_a_spin(patch: Patch) -> None:
    """A38: a recovery records a spin that nobody stated."""

    right = interruption._ball_facts

    def facts(state: Any, person: Any, stated: Any) -> Any:
        return right(state, person, replaced(stated, spun=True))

    patch.setattr(interruption, "_ball_facts", facts)


def registers_old_wagers(patch: Patch) -> None:
    """A39: a wager for the round before is taken for this one."""
    patch.setattr(table_wagers, "_not_taken", lambda *_: None)


def takes_any_terms(patch: Patch) -> None:
    """Limits may be changed away."""
    patch.setattr(Limits, "missing", lambda *_: ())


@dataclass(frozen=True)
class Planted:
    """A bug, and a scene that a table without it answers or records otherwise."""

    bug: Callable[[Patch], None]
    scene: str
    """Acts with a stroke between them: of the Dealer, of others, of devices."""
    kind: K

    def __str__(self) -> str:
        return f"{self.bug.__name__}: {self.scene}"


_OPEN = "place your bets | Anna: place red 10 as w1"
_HELD = f"{_OPEN} | spin | irregularity unlisted"
PLANTED = (
    Planted(
        ignores_the_sensor,
        f"{_OPEN} | spin | no more bets | at_rest 17 | outcome 18 | settle",
        K.DEVICES,
    ),
    Planted(
        ignores_the_sensor,
        f"{_OPEN} | spin | no more bets | foreign_object | outcome 18 | settle",
        K.DEVICES,
    ),
    Planted(
        ignores_the_sensor,
        f"{_OPEN} | no more bets | at_rest 17 | spin | outcome 17 | settle",
        K.DEVICES,
    ),
    Planted(
        ignores_the_sensor,
        f"{_HELD} | at_rest 17 | {SHIFT_MANAGER}: decide continue"
        " | Anna: place 17 10 as w2",
        K.LATE_WAGER,
    ),
    Planted(
        ignores_the_sensor,
        f"{_HELD} | at_rest 17 | {SHIFT_MANAGER}: decide outcome 17"
        f" | {SHIFT_MANAGER}: decide outcome 18",
        K.OUTCOME_NOT_AT_REST,
    ),
    Planted(
        ignores_the_sensor,
        f"{_OPEN} | spin | dropped | Anna: place 17 10 as w2 | no more bets"
        " | outcome 17 | settle",
        K.VOID_OR_HELD,
    ),
    Planted(
        forgets_the_count,
        f"{_OPEN} | spin | dropped 7 | irregularity fewer_than_four_revolutions"
        " | settle",
        K.VOID_OR_HELD,
    ),
    Planted(
        invents_a_spin, f"{_OPEN} | crash | stated 17 | outcome 17 | settle", K.RECOVERY
    ),
    Planted(
        registers_old_wagers,
        f"{_OPEN} | spin | no more bets | outcome 17 | settle | place your bets"
        " | of round 1",
        K.STALE_WAGER,
    ),
    Planted(takes_any_terms, "no limits", K.TERMS),
)


@pytest.mark.parametrize("planted", PLANTED, ids=str)
def test_the_audit_sees_a_table_that_does_not_heed_its_devices(
    planted: Planted, monkeypatch: Patch, tmp_path: Path
) -> None:
    path = tmp_path / "house.db"
    with SqliteStore(path) as store, monkeypatch.context() as patch:
        planted.bug(patch)
        assert Watched(store).play(planted.scene)

    report = audit_journal(str(path))

    assert planted.kind in report.counts, told(report)
    assert not any(each.name.startswith("JOURNAL_") for each in report.counts)


@pytest.mark.parametrize("scene", sorted({each.scene for each in PLANTED}))
def test_without_the_bug_the_scene_is_clean(scene: str, tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    with SqliteStore(path) as store:
        assert not Watched(store).play(scene)

    report = audit_journal(str(path))

    assert report.findings == (), told(report)


@pytest.mark.parametrize(
    "scene",
    [
        f"{_HELD} | dropped | at_rest 17 | {SHIFT_MANAGER}: decide continue"
        " | no more bets | outcome 17 | settle",
        f"{_OPEN} | irregularity unlisted | spun | at_rest 17"
        f" | {SHIFT_MANAGER}: decide outcome 17 | settle",
        f"{_OPEN} | spin | crash | at_rest 17 | stated 18"
        f" | {SHIFT_MANAGER}: decide outcome 17 | settle",
    ],
)
def test_sensor_reports_between_rounds_are_no_finding(
    scene: str, tmp_path: Path
) -> None:
    path = tmp_path / "house.db"
    with SqliteStore(path) as store:
        assert Watched(store).play(scene)

    report = audit_journal(str(path))

    assert report.findings == (), told(report)
    assert report.looked_at["rounds"] == 1
