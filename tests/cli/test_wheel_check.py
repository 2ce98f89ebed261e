"""`croupier wheel-check`: verdicts, pictures, and bad input."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest

from tests.cli.running import ROOT, run_here

SAMPLE = ROOT / "samples" / "wheel.csv"
ZEROS = ("--game", "rws-triple-zero")


def _list(path: Path, numbers: list[str]) -> Path:
    path.write_text("\n".join(numbers), "utf-8")
    return path


def test_the_verdict_is_told_in_sentences() -> None:
    told = run_here("wheel-check", SAMPLE, *ZEROS)

    rows = {row[0]: row for row in told.table() if row}
    assert told.stdout.startswith("Roulette Triple Zero (RWS): 2,000 outcomes of ")
    assert rows["sectors of neighbours"][-1].startswith("2 25 17 34 6 came up 371")
    assert "Evidence of bias at a level of 1 %:\n" in told.stdout
    assert "- sectors of neighbours: 2 25 17 34 6 came up" in told.stdout
    assert "Monte Carlo, 9,999 fair wheels, seed 37" in told.stdout
    assert "after Holm" in told.stdout


def test_the_check_as_json() -> None:
    found = run_here("wheel-check", SAMPLE, *ZEROS, "--json").json()

    assert found["game"] == "rws-triple-zero"
    assert (found["outcomes"], found["level"]) == (2_000, 0.01)
    assert found["verdict"] == "evidence of bias"
    lines = SAMPLE.read_text("utf-8").splitlines()[1:]
    numbers = [line.split(",")[1] for line in lines]
    assert found["counts"] == {n: numbers.count(n) for n in found["ring"]}
    expected = 2_000 / 39
    chi_square = sum((c - expected) ** 2 / expected for c in found["counts"].values())
    tests = {test["test"]: test for test in found["tests"]}
    assert tests["all compartments"]["statistic"] == pytest.approx(chi_square)
    assert tests["sectors of neighbours"]["numbers"] == ["2", "25", "17", "34", "6"]
    assert {name for name, test in tests.items() if test["evidence"]} == {
        "all compartments",
        "sectors of neighbours",
    }


def test_the_level_is_chosen_in_per_cent(tmp_path: Path) -> None:
    strict = run_here("wheel-check", SAMPLE, *ZEROS, "--level", "0.1", "--json").json()

    assert strict["level"] == 0.001
    assert len([test for test in strict["tests"] if test["evidence"]]) == 2
    assert strict["power"][0]["excess_found"] > 0.86


def test_what_is_suspected_is_told_with_the_players_edge() -> None:
    told = run_here("wheel-check", SAMPLE, *ZEROS).stdout

    # 371 of 2,000 on five numbers, 36 for 1: 371 × 36 / 5 / 2,000 - 1.
    assert "- 2 25 17 34 6: +33.6 %, between +7.7 % and +62.3 %: above 0;" in told
    assert (
        "From 2,000 outcomes 5 neighbours 20 % too likely would be found one time in"
        " seven;" in told
    )
    assert (
        "The Player has an edge straight up on numbers more than 8.3 % too likely"
        " (36 for 1 if one wins). With 2,000 outcomes" in told
    )


def test_intervals_are_printed_for_every_number_and_every_length() -> None:
    told = run_here("wheel-check", SAMPLE, *ZEROS, "--intervals")

    rows = told.table()
    numbers = next(
        place for place, row in enumerate(rows) if row and row[0].startswith("Each num")
    )
    assert rows[numbers + 2][:3] == ["0", "44", "51.3"]
    sectors = next(
        place for place, row in enumerate(rows) if row and row[0].startswith("Sectors,")
    )
    assert sectors - numbers == 39 + 3
    assert [row[0].count(" ") + 1 for row in rows[sectors + 2 :]] == list(range(2, 20))


def test_intervals_edges_and_what_would_pay_are_in_the_json() -> None:
    found = run_here("wheel-check", SAMPLE, *ZEROS, "--json").json()

    assert found["worth_exploiting"] == {
        "straight_up_return": "36",
        "excess": pytest.approx(39 / 36 - 1),
    }
    assert found["intervals"]["confidence"] == 0.99
    assert len(found["intervals"]["numbers"]) == 39
    assert len(found["intervals"]["sectors"]) == 702
    [suspected] = found["suspected"]
    assert suspected["interval"]["numbers"] == ["2", "25", "17", "34", "6"]
    assert suspected["interval"]["edge"]["value"] == pytest.approx(0.3356)
    assert suspected["since_outcome"] is None
    one, five = found["power"]
    assert 150_000 < one["worthwhile_outcomes"] < 190_000
    assert five["worthwhile_probability"] < 0.01


def test_each_dealer_is_a_row() -> None:
    told = run_here("wheel-check", SAMPLE, *ZEROS, "--by", "dealer")
    found = run_here("wheel-check", SAMPLE, *ZEROS, "--by", "dealer", "--json").json()

    rows = {row[0]: row for row in told.table() if row}
    assert [rows[name][1] for name in ("Ana", "Bo", "Cem")] == ["680", "680", "640"]
    assert "Evidence of bias at a level of 1 % over all groups:\n" in told.stdout
    assert found["by"] == ["dealer"]
    assert found["tests"] == 28
    assert [each["group"] for each in found["groups"]] == [
        {"dealer": "Ana"},
        {"dealer": "Bo"},
        {"dealer": "Cem"},
    ]
    assert sum(each["outcomes"] for each in found["groups"]) == found["outcomes"]


@pytest.mark.parametrize("suffix", ["svg", "png"])
@pytest.mark.parametrize("game", ["rws-triple-zero", "mbs-fast-action-v2"])
def test_the_check_is_drawn(tmp_path: Path, suffix: str, game: str) -> None:
    rng = np.random.default_rng(1)
    numbers = [str(n) for n in rng.integers(0, 37, 300)]
    source, plot = _list(tmp_path / "w.txt", numbers), tmp_path / f"w.{suffix}"

    told = run_here("wheel-check", source, "--game", game, "--plot", plot)

    assert (told.code, told.stderr) == (0, f"wrote {plot}\n")
    if suffix == "svg":
        assert ET.parse(plot).getroot().tag.endswith("svg")
        again = plot.read_bytes()
        run_here("wheel-check", source, "--game", game, "--plot", plot)
        assert plot.read_bytes() == again
    else:
        assert plot.read_bytes().startswith(b"\x89PNG")


def test_few_outcomes_are_told_without_a_table(tmp_path: Path) -> None:
    source = _list(tmp_path / "w.txt", ["17", "5", "0"])

    told = run_here("wheel-check", source, *ZEROS)

    assert told.code == 0
    assert "3 outcomes of" in told.stdout
    assert "Too few outcomes to say at a level of 1 %." in told.stdout
    assert "p-value" not in told.stdout


@pytest.mark.parametrize(
    ("package", "words", "said"),
    [
        ("numpy", (), "this needs numpy: pip install 'croupier[batch]'"),
        ("matplotlib", ("--plot", "w.svg"), "this needs matplotlib: pip"),
    ],
)
def test_a_package_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch, package: str, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)

    told = run_here("wheel-check", SAMPLE, *ZEROS, *words)

    assert told.code == 2
    assert said in told.stderr


def test_a_picture_of_three_outcomes_is_refused(tmp_path: Path) -> None:
    source = _list(tmp_path / "w.txt", ["17", "5", "0"])
    plot = tmp_path / "w.svg"

    told = run_here("wheel-check", source, *ZEROS, "--plot", plot)

    assert told.code == 2
    assert "3 outcomes are too few to draw" in told.stderr
    assert not plot.exists()
