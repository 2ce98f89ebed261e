"""Random acts at tables of every game: the house and the audit are of one opinion."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from croupier.audit.journal.auditor import audit_journal
from croupier.games import all_games
from croupier.journal.stores.sqlite import SqliteStore
from tests.audit.floor import play_acts
from tests.audit.journal.reported import told
from tests.journal.scene import Clock
from tests.rules.random_play import Plan, sensible_plan, wild_plan

SEEDS = range(20)


@pytest.mark.parametrize("plan_of", [sensible_plan, wild_plan])
def test_the_audit_agrees_with_random_play(
    plan_of: Callable[[str, int], Plan], tmp_path: Path
) -> None:
    path, clock = tmp_path / "house.db", Clock()
    with SqliteStore(path) as store:
        for game in all_games():
            for seed in SEEDS:
                plan = plan_of(game.name, seed)
                play_acts(store, f"{game.name}-{seed}", plan.transcript(), clock)

    report = audit_journal(str(path))

    assert report.findings == (), told(report)
    assert report.looked_at["rounds"] > 50
    assert report.looked_at["void_rounds"] > 5
    assert report.looked_at["wagers"] > 200
