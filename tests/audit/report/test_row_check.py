"""Rows of a file settled again: what differs is listed, and nothing else is."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from croupier.audit.report import file_rounds
from croupier.audit.report.days import read_span
from croupier.audit.report.file_rounds import RowDifferences
from croupier.audit.report.return_report import ReportRequest, ReturnReport, make_report
from croupier.batch import settle_file
from croupier.games import find_game
from croupier.rules.bonus import Outcome, winning_areas
from croupier.rules.clause import Rule
from croupier.rules.terms import read_limits
from croupier.rules.wheel import Number
from tests.golden_tables import GAMES

LIMITS = ("* 5 100",)
FIGURES = ("paid_cents", "collected_cents", "returned_cents")


def _report(
    path: Path, rows: list[dict[str, Any]], game: str = "mbs-roulette-v3", **asked: Any
) -> ReturnReport:
    pl.DataFrame(rows).write_csv(path / "settled.csv")
    request = ReportRequest(game=find_game(game), **asked)
    return make_report(str(path / "settled.csv"), request)


def _differences(path: Path, *rows: dict[str, Any], **asked: Any) -> RowDifferences:
    found = _report(path, list(rows), **asked).differences
    assert found is not None
    return found


def _figures(*cents: int | None) -> dict[str, int | None]:
    return dict(zip((*FIGURES, "at_risk_cents"), cents, strict=True))


def _row(**changes: Any) -> dict[str, Any]:
    """Anna lost 10.00 on red at 8."""
    return {
        "round": 1,
        "area": "red",
        "stake_cents": 1_000,
        "outcome": "8",
        "paid_cents": 0,
        "collected_cents": 1_000,
        "returned_cents": 0,
        **changes,
    }


def _played(name: str, seed: int) -> list[dict[str, Any]]:
    """Rounds settled by hand."""
    game, rng = find_game(name), np.random.default_rng(seed)
    areas, rows = [area.name for area in game.areas], []
    for number in range(1, 80):
        drawn = frozenset(
            Number(str(n)) for n in rng.choice(game.numbers, 10, replace=False)
        )
        outcome = Number(str(rng.choice(game.numbers)))
        winning = winning_areas(game, Outcome(outcome, drawn))
        for _ in range(int(rng.integers(1, 4))):
            area, stake = str(rng.choice(areas)), 100 * int(rng.integers(1, 20))
            pays = winning.get(area)
            lost = stake if pays is None else 0
            paid = stake * pays if pays is not None else 0
            rows.append(
                {
                    "round": number,
                    "area": area,
                    "stake_cents": stake,
                    "outcome": str(outcome),
                    **({"bonus_numbers": " ".join(drawn)} if "fast" in name else {}),
                    "paid_cents": paid,
                    "collected_cents": lost,
                    "returned_cents": stake - lost,
                }
            )
    return rows


@pytest.mark.parametrize("name", GAMES)
def test_each_row_that_was_changed_is_listed_and_no_other(
    tmp_path: Path, name: str
) -> None:
    rng = np.random.default_rng(len(name))
    rows = _played(name, 3)
    clean = _differences(tmp_path, *rows, game=name)
    changed = {}
    for place in rng.choice(len(rows), 20, replace=False).tolist():
        row = changed[place + 1] = rows[place]
        if row["collected_cents"] and rng.random() < 0.5:
            # A lost wager was given back, and paid besides.
            row["collected_cents"], row["returned_cents"] = 0, row["stake_cents"]
            row["paid_cents"] = 100
        else:
            row["paid_cents"] += int(rng.integers(1, 10)) * 41 * row["stake_cents"] + 1

    found = _differences(tmp_path, *rows, game=name)

    assert (clean.rows, clean.count) == (len(rows), 0)
    assert (found.rows, found.count) == (len(rows), 20)
    assert {each.row for each in found.kept} == set(changed)
    for each in found.kept:
        row = changed[each.row]
        assert each.area == row["area"]
        assert each.stake_cents == row["stake_cents"]
        paid, collected, returned = (row[figure] for figure in FIGURES)
        assert each.found == _figures(paid, collected, returned, None)
        assert each.expected is not None
        assert each.expected["paid_cents"] < row["paid_cents"]


def test_a_difference_has_the_correct_figures(tmp_path: Path) -> None:
    rows = [
        _row(outcome="17", paid_cents=1_000, collected_cents=0, returned_cents=1_000),
        _row(round=2, area="black", stake_cents=500, outcome="17",
             paid_cents=999_999, collected_cents=0, returned_cents=500),
        _row(round=3),
        _row(round=4, returned_cents=1),
    ]  # fmt: skip

    report = _report(tmp_path, rows)

    assert report.differs
    assert report.differences is not None
    one, two, three = report.differences.kept
    assert one.expected == _figures(0, 1_000, 0, 1_000)
    assert two.expected == _figures(500, 0, 500, 500)
    assert str(one) == (
        "paid 10.00, not 0.00; collected 0.00, not 10.00; returned 10.00, not 0.00"
    )
    assert str(two) == "paid 9999.99, not 5.00"
    assert str(three) == "returned 0.01, not 0.00"
    # The report is of what was found.
    assert report.whole.group.win_cents == 2 * 1_000 - 1_000 - 999_999


PARTS = {
    # Above a maximum of 100.00, where the game lets chips lie (A10).
    "a part won": _row(area="black", stake_cents=30_000, paid_cents=10_000,
                       collected_cents=0, returned_cents=30_000),
    "a part lost": _row(stake_cents=30_000, collected_cents=10_000,
                        returned_cents=20_000),
}  # fmt: skip


@pytest.mark.parametrize("name", PARTS)
def test_a_part_of_the_stake_is_at_risk_only_by_limits_and_game(
    tmp_path: Path, name: str
) -> None:
    row = PARTS[name]

    allowed = _differences(tmp_path, row, limits=LIMITS)
    unlimited = _differences(tmp_path, row)
    refused = _differences(tmp_path, row, game="rws-triple-zero", limits=LIMITS)

    assert allowed.count == 0
    assert (unlimited.count, refused.count) == (1, 1)


@pytest.mark.parametrize("name", ["mbs-roulette-v3", "rws-triple-zero"])
def test_settle_file_agrees_with_the_rules(tmp_path: Path, name: str) -> None:
    rng = np.random.default_rng(8)
    areas = ["red", "17", "17/20", "dozen:1", "corner:1/2/4/5", "low"]
    wagers = [
        {
            "round": number,
            "player": str(rng.choice(["Anna", "Ben"])),
            "area": str(rng.choice(areas)),
            "stake_cents": 100 * int(rng.integers(1, 200)),
            "outcome": str(rng.integers(1, 37)),
            "void": number % 7 == 0,
        }
        for number in range(1, 200)
    ]
    source, target = tmp_path / "wagers.csv", tmp_path / "out.csv"
    pl.DataFrame(wagers).write_csv(source)
    settle_file(find_game(name), source, target, limits=read_limits(LIMITS))
    rows = pl.read_csv(target).to_dicts()
    bare = [{k: v for k, v in row.items() if k != "at_risk_cents"} for row in rows]

    for told in (rows, bare):
        assert _differences(tmp_path, *told, game=name, limits=LIMITS).count == 0
    rows[50]["at_risk_cents"] //= 2
    [found] = _differences(tmp_path, *rows, game=name, limits=LIMITS).kept
    assert (found.row, str(found)[:8]) == (51, "at risk ")


def test_limits_check_amounts_at_risk_too(tmp_path: Path) -> None:
    # 100.00 of 300.00 were at risk, and all of it was collected.
    row = _row(stake_cents=30_000, collected_cents=30_000)

    assert _differences(tmp_path, row).count == 0
    [found] = _differences(tmp_path, row, limits=LIMITS).kept

    assert found.expected == _figures(0, 10_000, 20_000, 10_000)
    assert found.found == _figures(0, 30_000, 0, None)


def test_a_wager_that_the_limits_refuse_is_a_difference(tmp_path: Path) -> None:
    row = _row(stake_cents=30_000, collected_cents=30_000)

    [found] = _differences(tmp_path, row, game="rws-triple-zero", limits=LIMITS).kept

    assert found.expected is None
    assert "outside" in str(found)


def test_a_void_round_returns_every_stake(tmp_path: Path) -> None:
    rows = [
        _row(void=False),
        _row(round=2, outcome="", void=True, collected_cents=0, returned_cents=1_000),
        _row(round=3, outcome="", void=True),
    ]

    [found] = _differences(tmp_path, *rows).kept

    assert found.row == 3
    assert found.expected == _figures(0, 0, 1_000, 0)


def test_a_wager_of_several_pieces_is_checked_by_its_sums(tmp_path: Path) -> None:
    # Tiers: six splits of 10.00; 8 wins one of them, 5/8 (17 to 1).
    right = _row(area="tiers", paid_cents=17_000, collected_cents=5_000,
                 returned_cents=1_000)  # fmt: skip
    wrong = {**right, "round": 2, "paid_cents": 17_001}

    report = _report(tmp_path, [right, wrong], game="mbs-complete-bet-v2")

    assert report.differences is not None
    [found] = report.differences.kept
    assert found.expected == _figures(17_000, 5_000, 1_000, 6_000)
    assert found.row == 2
    assert report.whole.group.win_cents == 2 * (5_000 - 17_000) - 1


def test_only_days_of_the_report_are_checked(tmp_path: Path) -> None:
    rows = [_row(day="2026-11-14", paid_cents=1), _row(round=2, day="2026-11-15")]

    found = _differences(tmp_path, *rows, span=read_span("2026-11-15", None))

    assert (found.rows, found.count) == (1, 0)


def test_many_differences_are_counted_and_the_first_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_rounds, "MOST_KEPT", 3)
    rows = [_row(round=number, paid_cents=5) for number in range(1, 9)]

    found = _differences(tmp_path, *rows)

    assert (found.count, [each.row for each in found.kept]) == (8, [1, 2, 3])


def test_pieces_above_a_maximum_need_the_limits(tmp_path: Path) -> None:
    """None of the five games has both; another may."""
    v3, complete = find_game("mbs-roulette-v3"), find_game("mbs-complete-bet-v2")
    game = replace(complete, clauses=(*complete.clauses, v3.row(Rule.OVER_MAXIMUM)))
    # Six splits of 10.00, of which 5.00 each are at risk.
    cut = _row(area="tiers", paid_cents=8_500, collected_cents=2_500,
               returned_cents=3_500)  # fmt: skip
    pl.DataFrame([cut]).write_csv(tmp_path / "settled.csv")
    path = str(tmp_path / "settled.csv")

    unlimited = make_report(path, ReportRequest(game=game))
    limited = make_report(path, ReportRequest(game=game, limits=("* 1 5",)))

    assert unlimited.differs
    assert not limited.differs
    assert limited.whole.group.at_risk_cents == 3_000
