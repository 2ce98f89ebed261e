"""Journals in which nothing is wrong: the auditor finds nothing, and has seen all."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.audit.journal.auditor import audit_journal
from croupier.house.records.house_record import HouseRecord
from croupier.journal.events.house import PlayerDefined
from croupier.journal.events.table import ActRefused
from croupier.journal.export import export_journal
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import EVENTS
from croupier.rules.events import RoundSettled, WagerPlaced
from tests.audit.floor import play_transcript
from tests.audit.journal.forging import Forgery
from tests.cli.running import ROOT
from tests.expectations import TRANSCRIPTS
from tests.journal import scene
from tests.journal.scene import Clock
from tests.journal.tampering import rows
from tests.simulation.house import SimulatedHouse
from tests.simulation.one_table import OneTable


def test_a_house_of_five_games_with_every_kind_of_trouble_is_clean(
    played: SqliteStore, tmp_path: Path
) -> None:
    path = tmp_path / "house.jsonl"
    export_journal(played, path)

    report = audit_journal(str(path))

    assert report.findings == ()
    assert report.is_clean


def test_everything_in_the_journal_was_looked_at(
    played: SqliteStore, tmp_path: Path
) -> None:
    path = tmp_path / "house.jsonl"
    export_journal(played, path)
    forgery = Forgery(played)
    items = [item for stream in forgery.streams.values() for item in stream]
    last_settled = {
        (item.row.stream, item.row.round_number): item.event
        for item in items
        if isinstance(item.event, RoundSettled)
    }
    pieces = [
        piece
        for settled in last_settled.values()
        for wager in settled.wagers
        for piece in wager.pieces
        if settled.winning_number is not None
    ]

    looked_at = audit_journal(str(path)).looked_at

    assert looked_at["tables"] == 5
    assert looked_at["events"] == len(items)
    assert looked_at["wagers"] == sum(
        isinstance(item.event, WagerPlaced) for item in items
    )
    assert looked_at["rounds"] + looked_at["void_rounds"] == len(last_settled)
    assert looked_at["void_rounds"] == 3
    assert looked_at["paid_cents"] == sum(piece.paid_cents for piece in pieces)
    assert looked_at["house_win_cents"] == sum(
        piece.collected_cents - piece.paid_cents for piece in pieces
    )


def test_the_sample_is_that_house(played: SqliteStore, tmp_path: Path) -> None:
    export_journal(played, tmp_path / "house.jsonl")

    sample = (ROOT / "samples" / "house.jsonl").read_bytes()

    assert (tmp_path / "house.jsonl").read_bytes() == sample


def test_vouchers_claims_crashes_and_signed_heads_are_clean(tmp_path: Path) -> None:
    path = tmp_path / "scene.db"
    with SqliteStore(path) as store:
        scene.play(store)

    report = audit_journal(str(path))

    assert report.findings == ()


def test_every_transcript_played_at_a_table_is_clean(tmp_path: Path) -> None:
    path, clock = tmp_path / "transcripts.db", Clock()
    transcripts = sorted(TRANSCRIPTS.rglob("*.txt"))
    with SqliteStore(path) as store:
        for number, transcript in enumerate(transcripts):
            play_transcript(store, f"t{number:03}", transcript, clock)
        kinds = [row[8] for row in rows(store, EVENTS)]

    report = audit_journal(str(path))

    assert report.findings == ()
    assert report.looked_at["tables"] == len(transcripts) > 300
    assert report.looked_at["rounds"] > 300
    assert report.looked_at["void_rounds"] > 50
    assert kinds.count("OutcomeCorrected") > 10
    assert kinds.count("WagerRuled") > 10
    assert kinds.count(ActRefused.__name__) > 500


@pytest.mark.parametrize("seed", [11, 12])
def test_a_simulated_house_is_always_clean(seed: int, tmp_path: Path) -> None:
    path = tmp_path / "house.db"
    house = SimulatedHouse(seed, lambda: SqliteStore(path))
    for _ in range(1_500):
        house.step()
    house.calm_down()
    house.store.close()

    report = audit_journal(str(path))

    assert report.findings == (), f"in a house of seed {seed}"
    assert report.looked_at["wagers"] > 200
    assert report.looked_at["rounds"] > 20


def test_clocks_that_step_and_snapshots_of_the_house_are_no_findings(
    tmp_path: Path,
) -> None:
    path = tmp_path / "house.db"
    limits = "* 1 10000"
    table = OneTable("rws-triple-zero", limits, open_store=lambda: SqliteStore(path))
    table.bought_in(50_000)
    record = HouseRecord(table.store, table.clock, snapshot_every=3)
    for number in range(1, 7):
        table.play_round("17", 1_000, "17")
        record.write(PlayerDefined("Ina", f"Player {number}"))
        table.clock.now_ms += 60_000 if number % 2 else -3_600_000
    kinds = {row.kind for name in ("t1", "house") for row in table.store.events(name)}
    table.store.close()

    report = audit_journal(str(path))

    assert kinds >= {"ClockBehind", "SnapshotTaken"}
    assert report.is_clean, report.findings
