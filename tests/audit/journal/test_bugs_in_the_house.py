"""Bugs planted in the house's own code: its journals hold together, and are wrong.

A table plays on with the bug in it; verification finds nothing to say, and
the audit does, because it shares no code with what has the bug.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from croupier.audit.journal.auditor import audit_journal
from croupier.journal.findings import FindingKind
from croupier.journal.stores.sqlite import SqliteStore
from croupier.ledger.commands import BuyIn
from croupier.rules import corrections, course, placement, series, settlement
from croupier.table import state
from tests.audit.floor import Seated, play_v3
from tests.audit.journal.exceptional_bugs import PLANTED, Planted
from tests.audit.journal.reported import told
from tests.journal.scene import Clock
from tests.simulation.planted import (
    forgets_a_reversal,
    posts_a_buy_in_twice,
    takes_a_late_wager,
)

Patch = pytest.MonkeyPatch


def forgets_the_limits(patch: Patch) -> None:
    """v3 5.15 and 5.16: what lies outside the limits is settled like any wager."""
    patch.setattr(settlement, "_judge", lambda state, wagers: {})


def uses_the_maximum_from_the_end(patch: Patch) -> None:
    """A10: the maximum goes to the chips that were laid last."""
    right = settlement._used_up

    def used_up(state: Any, wagers: Any, judged: Any) -> Any:
        last = max((w.layers[-1].order for w in wagers), default=0)
        turned = [
            type(w)(
                w.wager_id,
                w.player,
                w.name,
                w.areas,
                tuple(type(x)(last - x.order, x.cents) for x in w.layers),
            )
            for w in wagers
        ]
        return right(state, turned, judged)

    patch.setattr(settlement, "_used_up", used_up)


def keeps_a_cent(patch: Patch) -> None:
    """A void round gives each piece back less a cent."""
    right = settlement._returned

    def returned(wager: Any, clause: str) -> Any:
        given = right(wager, clause)
        return given._replace(
            pieces=tuple(
                piece._replace(
                    collected_cents=1, returned_cents=piece.returned_cents - 1
                )
                for piece in given.pieces
            )
        )

    patch.setattr(settlement, "_returned", returned)


def leaves_out_the_last_wager(patch: Patch) -> None:
    """The last wager of each round stays on the layout."""
    right = settlement.settle

    def settle(state: Any) -> Any:
        settled = right(state)
        return type(settled)(
            settled.winning_number, settled.wagers[:-1], settled.under_minimum
        )

    for module in (settlement, course, corrections):
        patch.setattr(module, "settle", settle)


def forgives_every_time(patch: Patch) -> None:
    """A9: under-minimum wagers stand again and again."""
    right = series.fresh_round

    def fresh(game: Any, begun: Any) -> Any:
        state = right(game, begun)
        return type(state)(**{**vars(state), "warned": frozenset()})

    patch.setattr(series, "fresh_round", fresh)


def counts_hold_twice(patch: Patch) -> None:
    """The meters count what the House kept twice."""
    right = state._sums

    def sums(settled: Any, state: Any) -> Any:
        found = right(settled, state)
        found["hold"] *= 2
        return found

    patch.setattr(state, "_sums", sums)


BUGS: tuple[tuple[Callable[[Patch], None], FindingKind], ...] = (
    (forgets_a_reversal, FindingKind.ENTRIES),
    (posts_a_buy_in_twice, FindingKind.ENTRIES),
    (forgets_the_limits, FindingKind.SETTLEMENT),
    (uses_the_maximum_from_the_end, FindingKind.SETTLEMENT),
    (keeps_a_cent, FindingKind.VOID_KEPT),
    (leaves_out_the_last_wager, FindingKind.NOT_SETTLED),
    (forgives_every_time, FindingKind.SETTLEMENT),
    (counts_hold_twice, FindingKind.METERS),
)


@pytest.mark.parametrize(
    ("bug", "kind"), BUGS, ids=lambda each: getattr(each, "__name__", "")
)
def test_the_audit_sees_a_table_that(
    bug: Callable[[Patch], None],
    kind: FindingKind,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    path = tmp_path / "house.db"
    with SqliteStore(path) as store, monkeypatch.context() as patch:
        bug(patch)
        play_v3(store, Clock())

    report = audit_journal(str(path))

    assert kind in report.counts, told(report)
    assert not any(each.name.startswith("JOURNAL_") for each in report.counts)


def test_the_audit_sees_a_house_that_takes_wagers_too_late_and_too_large(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "house.db"
    with SqliteStore(path) as store, monkeypatch.context() as patch:
        takes_a_late_wager(patch)
        patch.setattr(placement, "_outside_limits", lambda *_, **__: None)
        table = Seated(store, "t1", "mbs-roulette-v2", Clock())
        table.say(
            "Dealer: place your bets",
            "Anna: lay 17 500 as w1",
            "Dealer: spin",
            "Dealer: no more bets",
            "Ben: lay 17 10 as w2",
            "Dealer: outcome 17",
            "Dealer: settle",
        )

    report = audit_journal(str(path))

    found = [(each.kind, each.wager) for each in report.findings]
    assert found == [(FindingKind.LATE_WAGER, "w2"), (FindingKind.LIMIT_BREACHED, "w1")]


@pytest.mark.parametrize("planted", PLANTED, ids=str)
def test_the_audit_sees_exceptional_play_that_goes_wrong(
    planted: Planted, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "house.db"
    with SqliteStore(path) as store, monkeypatch.context() as patch:
        planted.bug(patch)
        table = Seated(store, "t1", planted.game, Clock())
        table.done(BuyIn("Anna", 100_000))
        table.say(*planted.lines)

    report = audit_journal(str(path))

    found = {(each.kind, each.wager) for each in report.findings}
    assert (planted.kind, planted.wager) in found, told(report)
    assert not any(each.name.startswith("JOURNAL_") for each in report.counts)
