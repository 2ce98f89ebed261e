"""An operator's table of wagers: every row whose figures differ is reported."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import polars as pl
import pytest

from croupier.audit.journal.auditor import AuditReport
from croupier.audit.journal.rounds import RoundTerms
from croupier.audit.journal.wager_file import audit_wagers
from croupier.batch import TableError
from croupier.games import find_game
from croupier.journal.findings import FindingKind
from croupier.rules.game import Settings
from croupier.rules.terms import read_limits
from tests.audit.floor import DRAW

V3 = RoundTerms(find_game("mbs-roulette-v3"), read_limits(["* 5 100"]), Settings())
FAST = RoundTerms(find_game("mbs-fast-action-v2"), read_limits(["* 5 100"]), Settings())
COLUMNS = (
    "table",
    "round",
    "player",
    "order",
    "area",
    "stake_cents",
    "outcome",
    "void",
    "paid_cents",
    "collected_cents",
    "returned_cents",
)
RIGHT = (
    # 4.1: 35 to 1, and the stake back; the others lose.
    ("t1", 1, "Anna", 1, "straight_up:17", 1_000, "17", False, 35_000, 0, 1_000),
    ("t1", 1, "Ben", 2, "red", 5_000, "17", False, 0, 5_000, 0),
    # 5.16 and A10: 100 of 120 count, in the order of placing.
    ("t1", 2, "Anna", 1, "black", 9_000, "17", False, 9_000, 0, 9_000),
    ("t1", 2, "Anna", 2, "black", 3_000, "17", False, 1_000, 0, 3_000),
    # 5.15 and A9: under the minimum once, and not again.
    ("t1", 3, "Ben", 1, "red", 200, "17", False, 0, 200, 0),
    ("t1", 4, "Ben", 1, "red", 200, "17", False, 0, 0, 200),
    # A14: a void round returns everything.
    ("t2", 1, "Cara", 1, "even", 2_000, None, True, 0, 0, 2_000),
)


def _written(
    tmp_path: Path, name: str, rows: Sequence[tuple[object, ...]] = RIGHT
) -> Path:
    frame = pl.DataFrame(list(rows), COLUMNS, orient="row")
    path = tmp_path / name
    if path.suffix == ".csv":
        frame.write_csv(path)
    elif path.suffix == ".jsonl":
        frame.write_ndjson(path)
    else:
        frame.write_parquet(path)
    return path


def _with(row: int, **figures: int) -> list[tuple[object, ...]]:
    rows = [dict(zip(COLUMNS, each, strict=True)) for each in RIGHT]
    rows[row - 1].update(figures)
    return [tuple(each.values()) for each in rows]


def _told(report: AuditReport) -> list[tuple[FindingKind, int | None]]:
    return [(finding.kind, finding.sequence) for finding in report.findings]


@pytest.mark.parametrize("name", ["wagers.csv", "wagers.jsonl", "wagers.parquet"])
def test_figures_as_the_rules_give_them_are_clean(name: str, tmp_path: Path) -> None:
    report = audit_wagers(_written(tmp_path, name), V3)

    assert report.is_clean
    assert report.findings == ()
    assert report.looked_at["rows"] == len(RIGHT)
    assert report.looked_at["rounds"] == 5
    assert report.looked_at["paid_cents"] == 45_000


@pytest.mark.parametrize("name", ["wagers.csv", "wagers.jsonl", "wagers.parquet"])
@pytest.mark.parametrize(
    ("row", "figures"),
    [
        (1, {"paid_cents": 36_000}),
        (1, {"returned_cents": 0}),
        (2, {"collected_cents": 4_999}),
        (4, {"paid_cents": 3_000}),
        (5, {"collected_cents": 0, "returned_cents": 200}),
        (6, {"collected_cents": 200, "returned_cents": 0}),
        (7, {"collected_cents": 2_000, "returned_cents": 0}),
    ],
    ids=str,
)
def test_a_row_with_other_figures_is_reported(
    name: str, row: int, figures: dict[str, int], tmp_path: Path
) -> None:
    path = _written(tmp_path, name, _with(row, **figures))

    report = audit_wagers(path, V3)

    assert _told(report) == [(FindingKind.ROW_DIFFERS, row)]
    assert report.findings[0].round_number == RIGHT[row - 1][1]
    assert report.findings[0].stream == RIGHT[row - 1][0]


def test_a_finding_has_the_players_correct_and_actual_sums(
    tmp_path: Path,
) -> None:
    path = _written(tmp_path, "wagers.csv", _with(1, paid_cents=36_000))

    [finding] = audit_wagers(path, V3).findings

    assert (finding.expected_cents, finding.found_cents) == (36_000, 37_000)
    assert str(finding) == (
        "t1 row 1 round 1 wager straight_up:17: Anna: paid 360.00, not 350.00"
    )


def test_a_cell_without_an_amount_differs(tmp_path: Path) -> None:
    path = _written(tmp_path, "wagers.csv")
    path.write_text(path.read_text().replace(",35000,", ",much,"))

    [finding] = audit_wagers(path, V3).findings

    assert str(finding.problem).endswith("paid no amount, not 350.00")


def test_a_row_that_is_no_wager_is_reported_and_the_others_are_settled(
    tmp_path: Path,
) -> None:
    rows: list[tuple[object, ...]] = [*RIGHT]
    rows[1] = (*rows[1][:4], "purple", *rows[1][5:])

    report = audit_wagers(_written(tmp_path, "wagers.parquet", rows), V3)

    assert _told(report) == [(FindingKind.ROW_REJECTED, 2)]
    assert "purple" in report.findings[0].problem


def test_all_differing_rows_are_reported_and_those_beyond_the_most_are_counted(
    tmp_path: Path,
) -> None:
    rows = [
        ("t1", number, "Anna", 1, "red", 1_000, "17", False, 0, 999, 1)
        for number in range(1, 51)
    ]

    report = audit_wagers(_written(tmp_path, "wagers.parquet", rows), V3, most_kept=7)

    assert [finding.sequence for finding in report.findings] == list(range(1, 8))
    assert report.counts == {FindingKind.ROW_DIFFERS: 50}


def test_bonus_numbers_decide_what_is_paid(tmp_path: Path) -> None:
    drawn = DRAW.partition("numbers ")[2]
    frame = pl.DataFrame(
        {
            "round": [1, 1, 2],
            "area": ["straight_up:17", "bonus_win", "straight_up:36"],
            "stake_cents": [1_000] * 3,
            "outcome": ["17", "17", "36"],
            "bonus_numbers": [drawn] * 3,
            # 4.1: 40 to 1 on a Bonus Number, 35 on any other; Bonus Win pays 2.
            "paid_cents": [40_000, 2_000, 40_000],
        }
    )
    frame.write_csv(tmp_path / "fast.csv")

    report = audit_wagers(tmp_path / "fast.csv", FAST)

    assert _told(report) == [(FindingKind.ROW_DIFFERS, 3)]
    assert report.findings[0].expected_cents == 35_000


def test_the_amount_at_risk_is_audited_if_the_table_has_it(tmp_path: Path) -> None:
    frame = pl.DataFrame(list(RIGHT), COLUMNS, orient="row").with_columns(
        pl.Series("at_risk_cents", [1_000, 5_000, 9_000, 3_000, 200, 0, 0])
    )
    frame.write_csv(tmp_path / "wagers.csv")

    report = audit_wagers(tmp_path / "wagers.csv", V3)

    # Of the second 30.00 on black 10.00 lay within the maximum.
    assert _told(report) == [(FindingKind.ROW_DIFFERS, 4)]
    assert "at risk 30.00, not 10.00" in str(report.findings[0].problem)


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({"round": [1], "area": ["red"], "stake": ["5"], "outcome": ["1"]}, "nothing"),
        ({"round": [1], "stake": ["5"], "paid_cents": [1]}, "no column area"),
    ],
    ids=["no figures", "no area"],
)
def test_a_table_that_can_t_be_audited_is_refused_in_a_sentence(
    columns: dict[str, list[object]], sentence: str, tmp_path: Path
) -> None:
    pl.DataFrame(columns).write_csv(tmp_path / "wagers.csv")

    with pytest.raises(TableError, match=sentence):
        audit_wagers(tmp_path / "wagers.csv", V3)


@pytest.mark.parametrize("name", ["wagers.parquet", "wagers.jsonl"])
def test_a_truncated_table_is_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    path = _written(tmp_path, name)
    path.write_bytes(path.read_bytes()[:-20])

    with pytest.raises(TableError, match=name):
        audit_wagers(path, V3)
