"""`croupier odds` and `croupier exposure`: tables, JSON, CSV, a page, bad input."""

from __future__ import annotations

import csv
import io
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import croupier
from tests.cli.running import run, run_here
from tests.golden_tables import GAMES

V3, FAST, TRIPLE = "mbs-roulette-v3", "mbs-fast-action-v2", "rws-triple-zero"
EDGES = {
    "mbs-roulette-v2": {"1/37"},
    V3: {"1/37"},
    "mbs-complete-bet-v2": {"1/37"},
    FAST: {"97169/1462240", "1/4", "136/703", "7038047/52978783"},
    TRIPLE: {"1/13"},
}
WHAT_IF = 'title = "Loose"\n[pays]\nstraight_up = 36\n[chances]\n17 = 2\n'


@pytest.fixture
def what_if(tmp_path: Path) -> Path:
    path = tmp_path / "loose.toml"
    path.write_text(WHAT_IF, "utf-8")
    return path


@pytest.mark.parametrize("game", GAMES)
def test_the_sheet_is_one_json_document(game: str) -> None:
    found = run("odds", game, "--json").json()

    listed = run_here("layout", game, "--json").json()["areas"]
    assert found["game"] == game
    assert [row["wager"] for row in found["wagers"]] == [a["area"] for a in listed]
    every = [*found["wagers"], *found["multiple_piece_wagers"]]
    assert {row["house_edge"] for row in every} == EDGES[game]


def test_a_named_wager_has_its_row() -> None:
    found = run_here("odds", V3, "17/20", "--json").json()

    [row] = found["wagers"]
    assert row["wager"] == "split:17/20"
    assert row["win_probability"] == "2/37"
    assert row["return"] == "36/37"
    assert row["house_edge"] == "1/37"
    assert row["variance"] == str(Fraction(18**2 * 2 * 35, 37**2))


def test_multiple_piece_wagers_are_for_the_whole_stake() -> None:
    found = run_here("odds", "mbs-complete-bet-v2", "tiers", "orphelins", "--json")

    tiers, orphelins = found.json()["wagers"]
    assert tiers["win_probability"] == "12/37"
    # Twelve numbers win 17 - 5 = 12 of six pieces, the others lose all six.
    assert Fraction(tiers["variance"]) == Fraction(3**2 * 12 * 25, 37**2)
    assert orphelins["win_probability"] == "8/37"
    assert orphelins["maximum_win"] == "31/5"
    assert found.json()["correlations"][0]["wagers"] == ["tiers", "orphelins"]


def test_a_complete_maximum_is_staked_by_the_limits() -> None:
    found = run_here(
        *("odds", "mbs-complete-bet-v2", "complete_maximum:17", "--json"),
        *("--limits", "* 1 100"),
    )

    [row] = found.json()["wagers"]
    assert row["pieces"] == 12
    assert row["house_edge"] == "1/37"


def test_people_get_tables() -> None:
    told = run_here("odds", V3)

    assert (told.code, told.stderr) == (0, "")
    assert told.stdout.startswith("Roulette (MBS) v3, in effect from 2019-08-14\n")
    rows = told.table()
    assert ["straight_up:17", "1/37", "36/37", "1/37", "46656/1369"] in rows
    assert any(row[:2] == ["Split (split:0/1 …)", "60"] for row in rows)
    assert "Return of 99 % of all spells of play" in told.stdout
    assert "A24" in told.stdout


def test_a_layout_of_chips_is_calculated_whole() -> None:
    found = run_here("odds", V3, "17@10", "red@50", "--json").json()

    layout = found["layout"]
    assert layout["stake_cents"] == layout["at_risk_cents"] == 6000
    assert layout["house_edge"] == "1/37"
    assert layout["distribution"] == [
        {"net_cents": -6000, "probability": "18/37"},
        {"net_cents": 4000, "probability": "18/37"},
        {"net_cents": 30000, "probability": "1/37"},
    ]
    assert [row["wager"] for row in found["wagers"]] == ["straight_up:17", "red"]
    [pair] = found["correlations"]
    assert pair["covariance"] == "-1296/1369"


def test_a_layout_is_told_to_people() -> None:
    rows = run_here("odds", V3, "17@10", "red@50").table()

    assert ["stake", "60.00"] in rows
    assert ["-60.00", "0.486486", "18/37"] in rows
    assert ["maximum win", "300.00"] in rows


def test_of_many_pairs_the_first_are_told() -> None:
    chips = [f"{number}@1" for number in range(1, 11)]

    told = run_here("odds", V3, *chips)
    found = run_here("odds", V3, *chips, "--json").json()

    assert told.stdout.endswith("and 17 more pairs, in --json\n")
    assert len(found["correlations"]) == 45


def test_the_limits_cap_what_was_laid() -> None:
    limits = ("--limits", "* 5 100")

    capped = run_here("odds", V3, "17@500", *limits, "--json").json()["layout"]
    first = run_here("odds", V3, "red@2", *limits, "--json").json()["layout"]
    later = run_here("odds", V3, "red@2", *limits, "--warned", "--json")
    refused = run_here("odds", V3, "17@500", *limits, "--placed")

    assert (capped["stake_cents"], capped["at_risk_cents"]) == (50_000, 10_000)
    assert capped["maximum_win_cents"] == 350_000
    assert first["maximum_win_cents"] == 200
    assert later.json()["layout"]["distribution"] == [
        {"net_cents": 0, "probability": "1"}
    ]
    assert refused.code == 2
    assert "[3.3.1]" in refused.stderr


def test_csv_has_a_line_for_each_wager() -> None:
    told = run_here("odds", FAST, "--csv")

    rows = list(csv.DictReader(io.StringIO(told.stdout)))
    assert len(rows) == 43
    assert rows[0]["game"] == FAST
    assert {row["house_edge"] for row in rows} == EDGES[FAST]


def test_the_page_is_written_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "sheet.html"

    told = run_here("odds", TRIPLE, "--html", path)

    assert (told.code, told.stdout, told.stderr) == (0, "", f"wrote {path}\n")
    page = path.read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    assert f"<footer>Calculated by croupier {croupier.__version__}.</footer>" in page


def test_the_workbook_is_written_to_a_file(tmp_path: Path) -> None:
    path = tmp_path / "sheet.xlsx"

    told = run_here("odds", TRIPLE, "--xlsx", path)

    assert (told.code, told.stdout, told.stderr) == (0, "", f"wrote {path}\n")
    assert path.read_bytes()[:2] == b"PK"


def test_a_what_if_is_labelled_everywhere(what_if: Path, tmp_path: Path) -> None:
    args = ("odds", V3, "--what-if", what_if)
    page = tmp_path / "page.html"

    text = run_here(*args)
    found = run_here(*args, "--json").json()
    layout = run_here(*args, "17@5")
    table = run_here(*args, "--csv")
    written = run_here(*args, "--html", page)
    house = run_here("exposure", V3, "Anna:17@5", "--what-if", what_if)

    for told in (text, layout, house):
        assert told.stdout.startswith(
            "No approved game: “Loose”, mbs-roulette-v3, in which\n"
            "  straight_up pays 36 to 1, not 35 to 1\n"
        )
    assert found["approved"] is False
    assert "no approved game" in found["game"]
    assert table.stdout.count("no approved game") == 2 * 157
    assert written.code == 0
    assert "No approved game." in page.read_text("utf-8")


def test_exposure_is_told_and_printed_as_json() -> None:
    args = ("exposure", V3, "Anna:17@10", "Ben:red@50", "--limits", "* 5 100")

    told = run_here(*args)
    found = run_here(*args, "--players", "3", "--json").json()

    assert "60.00 on the layout" in told.stdout
    assert ["350.00", "50.00", "300.00", "0.027027", "17"] in told.table()
    assert "The House may have to pay at most 17200.00 to one Player" in told.stdout
    assert found["exposure"]["worst"]["net_cents"] == 30_000
    assert len(found["exposure"]["cases"]) == 37
    assert found["liability"]["players"] == 3
    assert found["liability"]["maximum_liability_cents"] == sum(
        area["paid_cents"] for area in found["liability"]["worst"]["areas"]
    )


def test_wagers_of_many_players_come_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "wagers.txt"
    path.write_text("Anna: 17@10 split:17/20@5  # hers\n\nBen: red@50\n", "utf-8")

    found = run_here("exposure", V3, "--wagers", path, "Cara:0@1", "--json").json()

    assert found["exposure"]["stake_cents"] == 6600
    assert found["exposure"]["worst"]["net_cents"] == 35_000 + 8_500 - 5_000 - 100


def test_outcomes_alike_are_told_together_and_cut_short() -> None:
    rows = run_here("exposure", FAST, "Anna:bonus_win@1").table()

    lost = next(row for row in rows if row[:3] == ["0.00", "1.00", "-1.00"])
    names, _, more = lost[4].partition(" and ")
    assert lost[3] == "0.750000"
    assert names.startswith("0, 0 scatter, 00, 00 scatter, 1, 1 scatter")
    assert names.count(", ") + 1 + int(more.split()[0]) == 80


def test_placed_wagers_are_held_to_the_limits() -> None:
    args = ("exposure", V3, "Anna:17@500", "--limits", "* 5 100")

    laid = run_here(*args, "--json").json()
    placed = run_here(*args, "--placed")

    assert laid["exposure"]["worst"]["paid_cents"] == 350_000
    assert placed.is_one_sentence, placed
    assert "[3.3.1]" in placed.stderr


def test_the_sheet_has_the_liability_where_the_limits_bound_it() -> None:
    bound = run_here("odds", V3, "--limits", "* 5 100", "--json").json()
    told = run_here("odds", V3, "--limits", "* 5 100")
    open_ = run_here("odds", V3, "--limits", "red 5 100", "--json").json()

    assert bound["liability"]["maximum_liability_cents"] == 1_720_000
    assert "Liability of a round: at most 17200.00 to one Player, at 2" in told.stdout
    assert open_["liability"] is None


def test_only_limits_give_the_liability_alone() -> None:
    found = run_here("exposure", FAST, "--limits", "* 1 10", "--json").json()

    assert "exposure" not in found
    assert found["liability"]["maximum_liability_cents"] == 742_000


@pytest.mark.parametrize(
    ("text", "place"),
    [
        (b"[pays]\nred = = 2\n", ":2: "),
        (b"[pays]\nrde = 2\n", ":2: "),
        (b"[chances]\n17 = 1\n99 = 2\n", ":3: "),
        (b"title = 'x'\npays = { red = 2, rde = 3 }\n", ":2: "),
        (b"title = 'x'\npays.rde = 3\n", ":2: "),
        (b"", ": nothing is changed"),
        (b"\xff\xfe", ": byte 0 is not UTF-8 text"),
        (b"[chances]\n17 = 1e99999999999\n", ": '1e99999999999' is not"),
    ],
)
def test_a_bad_what_if_is_told_with_file_and_line(
    text: bytes, place: str, tmp_path: Path
) -> None:
    path = tmp_path / "bad.toml"
    path.write_bytes(text)

    ran = run_here("odds", V3, "--what-if", path)

    assert ran.is_one_sentence, ran
    assert f"croupier: {path}{place}" in ran.stderr


@pytest.mark.parametrize(
    ("text", "place"),
    [("Anna red@5\n", ":1: "), ("A: red@5\nB: rde\n", ":2: "), ("A: 5@x\n", ":1: ")],
)
def test_bad_wagers_are_told_with_file_and_line(
    text: str, place: str, tmp_path: Path
) -> None:
    path = tmp_path / "wagers.txt"
    path.write_text(text, "utf-8")

    ran = run_here("exposure", V3, "--wagers", path)

    assert ran.is_one_sentence, ran
    assert f"croupier: {path}{place}" in ran.stderr


HOSTILE = ["x" * 100_000, "red@5\nblue", "\udcff", ":" * 5_000 + "@5", "@" * 5_000, "@"]


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_text_is_answered_in_one_sentence_too(text: str) -> None:
    for args in (
        ("odds", V3, text),
        ("odds", V3, "red@5", text),
        ("exposure", V3, f"Anna:{text}"),
        ("odds", V3, "--limits", text),
    ):
        ran = run_here(*args)

        assert ran.is_one_sentence, (args[:2], ran)


def test_a_sheet_needs_nothing_beyond_the_base_installation(tmp_path: Path) -> None:
    program = (
        "import sys\n"
        "for name in ('numpy', 'matplotlib', 'scipy', 'pandas'):\n"
        "    sys.modules[name] = None\n"
        f"sys.argv = ['croupier', 'odds', {FAST!r}, '--html', 'page.html']\n"
        "from croupier.cli import main\n"
        "main()\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )

    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "page.html").stat().st_size > 10_000


def test_the_json_is_one_document_and_nothing_else() -> None:
    told = run("odds", FAST, "scatter_bonus", "--json")

    assert told.stderr == ""
    assert json.loads(told.stdout)["wagers"][0]["house_edge"] == "7038047/52978783"


def test_limits_of_wagers_without_stakes_do_nothing_and_that_is_said() -> None:
    ran = run_here("odds", "mbs-roulette-v3", "17", "--limits", "* 5 100")

    assert (ran.code, ran.stdout) == (2, "")
    assert ran.stderr.startswith("croupier: --limits do nothing for wagers without")
