"""Every piece, every act: whatever is changed or left out of a round is noticed."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.audit.journal.auditor import AuditOptions, audit_journal
from croupier.journal.findings import FindingKind
from croupier.journal.stores.sqlite import SqliteStore
from croupier.rules.events import (
    BallSpun,
    BonusNumbersDrawn,
    ColourIssued,
    LayoutFrozen,
    NoMoreBetsAnnounced,
    OutcomeAnnounced,
    OutcomeCorrected,
    OutcomeDecided,
    PlaceYourBetsAnnounced,
    RoundBegun,
    RoundSettled,
    RoundVoided,
    WagerIncreased,
    WagerPlaced,
    WagerRuled,
    WagerWithdrawn,
)
from tests.audit.journal.forging import Forgery, Item
from tests.audit.journal.reported import told

ACTS = (
    RoundBegun,
    PlaceYourBetsAnnounced,
    WagerPlaced,
    WagerIncreased,
    WagerWithdrawn,
    WagerRuled,
    BallSpun,
    NoMoreBetsAnnounced,
    LayoutFrozen,
    BonusNumbersDrawn,
    OutcomeAnnounced,
    OutcomeDecided,
    RoundVoided,
    RoundSettled,
    OutcomeCorrected,
    ColourIssued,
)


def _settlements(forgery: Forgery) -> list[Item]:
    return [
        item
        for stream in forgery.streams.values()
        for item in stream
        if isinstance(item.event, RoundSettled)
    ]


@pytest.mark.parametrize(
    "figure", ["stake_cents", "paid_cents", "collected_cents", "returned_cents"]
)
@pytest.mark.parametrize("cents", [1, -1])
def test_a_cent_on_any_piece_of_any_settlement_is_found(
    figure: str, cents: int, played: SqliteStore, tmp_path: Path
) -> None:
    forgery = Forgery(played)
    pieces = 0
    for item in _settlements(forgery):
        wagers = []
        for wager in item.event.wagers:
            pieces += len(wager.pieces)
            other = [
                piece._replace(**{figure: getattr(piece, figure) + cents})
                for piece in wager.pieces
            ]
            wagers.append(wager._replace(pieces=tuple(other)))
        item.change(wagers=tuple(wagers))
    path = forgery.write(tmp_path / "forged.db")

    counts = audit_journal(str(path), AuditOptions(most_kept=0)).counts

    assert (
        counts[FindingKind.SETTLEMENT] + counts[FindingKind.VOID_KEPT] == pieces > 100
    )
    assert counts[FindingKind.ENTRIES] > 20


@pytest.mark.parametrize("kind", ACTS)
def test_an_act_left_out_of_a_round_is_noticed_at_every_table(
    kind: type[object], played: SqliteStore, tmp_path: Path
) -> None:
    streams = [name for name in Forgery(played).streams if _has(played, name, kind)]

    for stream in streams:
        forgery = Forgery(played)
        forgery.drop(forgery.one(stream, kind))
        report = audit_journal(str(forgery.write(tmp_path / f"{stream}.db")))

        by_audit = {each for each in report.counts if each.name[:8] != "JOURNAL_"}
        assert by_audit, (stream, told(report))
    assert streams


def _has(played: SqliteStore, stream: str, kind: type[object]) -> bool:
    return bool(Forgery(played).all(stream, kind))


@pytest.mark.parametrize("stream", ["v2", "v3", "complete", "fast", "triple"])
def test_entries_of_any_event_that_differ_by_a_cent_are_found(
    stream: str, played: SqliteStore, tmp_path: Path
) -> None:
    forgery = Forgery(played)
    changed = [item for item in forgery.streams[stream] if item.entries]
    for item in changed:
        item.move(item.entries[0].account, item.entries[-1].account, 1)
    path = forgery.write(tmp_path / "forged.db")

    report = audit_journal(str(path))

    found = {f.sequence for f in report.findings if f.kind is FindingKind.ENTRIES}
    assert found == {item.sequence for item in changed}
