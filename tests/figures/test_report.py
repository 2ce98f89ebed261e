"""`report`: every figure of every group, by a second convolution of the rounds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.figures.checks.report import check_differences, check_report
from tests.figures.command import figures
from tests.figures.files import (
    read_rows,
)


def test_rows_that_differ(tmp_path: Path) -> None:
    for seed in range(8):
        check_differences(seed, tmp_path)


@pytest.mark.parametrize("block", range(3))
def test_reports_at_random(block: int, tmp_path: Path) -> None:
    for seed in range(6 * block, 6 * block + 6):
        check_report(seed, tmp_path)


def flat(told: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, object]]:
    """Yield the figures of a group by the names of their columns."""
    for key, value in told.items():
        if key.endswith("_bounds"):
            for bound in value:
                for end in ("low", "high", "method"):
                    yield f"{key}_{bound['level']}_{end}", bound[end]
        elif isinstance(value, dict):
            yield from flat(value, f"{key}_")
        else:
            yield f"{prefix}{key}", value


def test_the_csv_has_the_same_figures(tmp_path: Path) -> None:
    file = tmp_path / "report.csv"

    told = figures(
        *("report", "samples/settled.csv", "--game", "mbs-roulette-v3"),
        *("--by", "table,day", "--by", "type", "--csv", str(file)),
    )

    rows = read_rows(file)
    groups = [told["all"], *(g for s in told["sections"] for g in s["groups"])]
    lines = [row for row in rows if row["by"] != "meters"]
    for row, group in zip(lines, groups, strict=True):
        mine = {key: "" if v is None else str(v) for key, v in flat(group)}
        assert {key: row[key] for key in mine} == mine
    meters = [row for row in rows if row["by"] == "meters"]
    for row, meter in zip(meters, told["meters"], strict=True):
        assert (row["table"], row["day"]) == (meter["table"], meter["day"])
        for key in set(meter) - {"table", "day"}:
            value = meter[key]
            assert row[f"meter_{key}"] == ("" if value is None else str(value))
