"""Every outcome and its payments, against the settlement of the rules."""

from __future__ import annotations

import csv
from fractions import Fraction
from hashlib import sha256
from pathlib import Path

import pytest

import croupier
from croupier.games import find_game
from croupier.odds import model_of, payment_table
from croupier.odds.model import cases_of
from tests.cli.running import run_here
from tests.golden_tables import GAMES


@pytest.mark.parametrize("name", GAMES)
def test_each_payment_is_that_of_the_settlement(name: str) -> None:
    game, table = find_game(name), payment_table(name)
    cases = cases_of(model_of(game))
    areas = [area.name for area in game.areas]

    assert len(table.rows) == len(cases)
    for case, row in list(zip(cases, table.rows, strict=True))[::7]:
        drawn = case.outcome.bonus_numbers
        settled = croupier.settle(
            game, case.number, [f"{area}@1" for area in areas], bonus=drawn or ()
        )
        pieces = [piece for wager in settled.wagers for piece in wager.pieces]
        paid = [None if p.collected_cents else p.paid_cents // 100 for p in pieces]
        assert list(row[-len(areas) :]) == paid
    chances = (row[table.columns.index("probability")] for row in table.rows)
    assert sum(map(Fraction, map(str, chances))) == 1


def test_the_file_holds_the_table_and_its_hash_is_printed(tmp_path: Path) -> None:
    path = tmp_path / "payments.csv"

    told = run_here("odds", "mbs-fast-action-v2", "--payments", path)

    digest = sha256(path.read_bytes()).hexdigest()
    assert told.stdout == f"sha256 {digest}\n"
    assert payment_table("mbs-fast-action-v2").sha256 == digest
    rows = list(csv.DictReader(path.read_text("utf-8").splitlines()))
    assert len({row["status"] for row in rows}) == 3
    assert sum(Fraction(row["probability"]) for row in rows) == 1


def test_a_frame_has_numbers_and_nothing_where_an_area_loses() -> None:
    frame = payment_table("rws-triple-zero").to_frame()

    [row] = frame.filter(frame["number"] == "17").to_dicts()
    assert row["straight_up:17"] == 35
    assert row["red"] is None
    assert row["probability"] == pytest.approx(1 / 39)


def test_payments_are_of_the_whole_game() -> None:
    told = run_here("odds", "mbs-roulette-v3", "red", "--payments", "x.csv")

    assert told.code == 2
    assert "name no wager" in told.stderr
