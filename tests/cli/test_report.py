"""`croupier report`: tables, a page, CSV, JSON, and bad input."""

from __future__ import annotations

import csv
import io
import json
import re
import sys
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest

from tests.cli.running import ROOT, run_here

SAMPLE = ROOT / "samples" / "settled.csv"
V3 = ("--game", "mbs-roulette-v3")


@pytest.fixture(scope="module")
def sample() -> pl.DataFrame:
    """The rounds of the sample that have an outcome."""
    frame = pl.read_csv(SAMPLE, schema_overrides={"outcome": pl.String})
    return frame.filter(~pl.col("void"))


def _cells(stdout: str, title: str) -> list[list[str]]:
    """The rows of the table under a title, without its head."""
    lines = stdout.split(f"\n{title}\n")[1].split("\n\n", maxsplit=1)[0].splitlines()
    return [re.split(r"\s{2,}", line.strip()) for line in lines[1:]]


def test_the_report_is_told_in_tables(sample: pl.DataFrame) -> None:
    told = run_here("report", SAMPLE, *V3)

    assert (told.code, told.stderr) == (0, "")
    assert told.stdout.startswith("Roulette (MBS) v3: ")
    rows = _cells(told.stdout, "By table: the return to Players")
    for table, part in sorted(sample.group_by("table")):
        won = int((part["collected_cents"] - part["paid_cents"]).sum())
        stake = int(part["stake_cents"].sum())
        [row] = [row for row in rows if row[0] == table[0]]
        assert row[2:5] == [f"{len(part)}", f"{stake / 100:,.2f}", f"{won / 100:,.2f}"]
        assert row[5:7] == [f"{(1 - won / stake) * 100:.2f} %", "97.30 %"]
    meters = _cells(told.stdout, "Meters")
    assert meters[-1][:3] == ["all", "179", "1"]
    assert "All together: a return of 63.31 %, against 97.30 %" in told.stdout
    assert "Gaming days are as the source writes them." in told.stdout


def test_the_report_as_json(sample: pl.DataFrame) -> None:
    found = run_here("report", SAMPLE, *V3, "--json").json()

    every = found["all"]
    assert every["stake_cents"] == every["at_risk_cents"] == sample["stake_cents"].sum()
    assert Fraction(every["theoretical_return"]) == Fraction(36, 37)
    assert Fraction(every["expected_win_cents"]) == Fraction(every["stake_cents"], 37)
    low, high = every["win_bounds"]
    assert high["low"] <= low["low"] <= every["house_win_cents"] <= low["high"]
    assert {bound["method"] for bound in every["win_bounds"]} == {"convolution"}
    assert [section["by"] for section in found["sections"]] == [
        ["table"],
        ["day"],
        ["type"],
    ]
    assert found["games"] == ["mbs-roulette-v3"]
    assert sum(meter["rounds"] for meter in found["meters"]) == 179


def test_the_report_as_csv(tmp_path: Path, sample: pl.DataFrame) -> None:
    path = tmp_path / "report.csv"

    told = run_here("report", SAMPLE, *V3, "--by", "table,day", "--csv", path)

    assert (told.code, told.stderr) == (0, f"wrote {path}\n")
    rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8"))))
    groups = {(r["table"], r["day"]): r for r in rows if r["by"] == "table,day"}
    assert len(groups) == 6
    for key, part in sample.group_by("table", "day"):
        row = groups[str(key[0]), str(key[1])]
        assert int(row["paid_cents"]) == part["paid_cents"].sum()
        assert int(row["rounds"]) == part["round"].n_unique()
        assert int(row["win_bounds_99_low"]) <= int(row["house_win_cents"])
    assert [r["by"] for r in rows].count("meters") == 6
    assert rows[0]["by"] == "all"


class _Page(HTMLParser):
    """What a page would fetch or run, and its tables' captions."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.fetched: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.fetched += [f"{k}={v}" for k, v in attrs if k in ("src", "href")]


def test_the_page_needs_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "report.html"

    told = run_here("report", SAMPLE, *V3, "--html", path)

    text = path.read_text("utf-8")
    page = _Page()
    page.feed(text)
    assert told.stderr == f"wrote {path}\n"
    assert page.fetched == []
    assert "script" not in page.tags
    assert "url(" not in text
    assert page.tags.count("svg") == 4
    assert page.tags.count("table") == 4 * 3 + 1
    assert "63.31 %" in text
    assert "6,350.00" in text
    assert "Calculated by croupier" in text


def test_hostile_names_are_text_on_the_page(tmp_path: Path) -> None:
    source, path = tmp_path / "settled.csv", tmp_path / "report.html"
    text = SAMPLE.read_text("utf-8").replace('\n"A",', '\n"<script>A</script>",')
    source.write_text(text, "utf-8")

    run_here("report", source, *V3, "--html", path)

    page = _Page()
    page.feed(path.read_text("utf-8"))
    assert "script" not in page.tags
    assert "&lt;script&gt;A&lt;/script&gt;" in path.read_text("utf-8")


def test_rows_that_differ_are_listed_and_the_exit_status_says_so(
    tmp_path: Path,
) -> None:
    source = tmp_path / "settled.csv"
    page, table = tmp_path / "report.html", tmp_path / "report.csv"
    lines = SAMPLE.read_text("utf-8").splitlines()
    at = lines[0].split(",").index('"paid_cents"')
    fields = lines[1].split(",")
    fields[at] = "999999"
    source.write_text("\n".join([lines[0], ",".join(fields), *lines[2:]]), "utf-8")

    told = run_here("report", source, *V3, "--html", page, "--csv", table)
    found = run_here("report", source, *V3, "--json")

    assert (told.code, found.code) == (1, 1)
    [row] = _cells(told.stdout, "Rows that differ from the rules")
    assert row[0] == "1"
    assert row[-1].startswith("paid 9999.99, not ")
    assert (
        "Of 345 rows, 1 differs from the rules; no --limits were given." in told.stdout
    )
    document = json.loads(found.stdout)
    [difference] = document["differences"]
    assert difference["found"]["paid_cents"] == 999_999
    assert difference["says"] == row[-1]
    assert document["rows_differing"] == 1
    assert "paid 9999.99, not " in page.read_text("utf-8")
    assert "paid 9999.99, not " in table.read_text("utf-8")


@pytest.mark.parametrize("package", ["numba", "numpy", "pyarrow"])
def test_a_package_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    told = run_here("report", SAMPLE, *V3)

    assert told.code == 2
    assert f"this needs {package}: pip install 'croupier[batch]'" in told.stderr


def test_days_are_chosen(sample: pl.DataFrame) -> None:
    words = ("--from", "2026-11-13", "--to", "2026-11-13", "--by", "day")

    found = run_here("report", SAMPLE, *V3, *words, "--json").json()

    [section] = found["sections"]
    [group] = section["groups"]
    part = sample.filter(pl.col("day") == "2026-11-13")
    assert group["day"] == "2026-11-13"
    assert group["wagers"] == len(part)
    assert found["all"]["paid_cents"] == part["paid_cents"].sum()
