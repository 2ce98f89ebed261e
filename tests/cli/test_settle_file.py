"""`croupier settle-file`: whole files by the command line."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from tests.cli.running import ROOT, run, run_here
from tests.golden_tables import GAMES, golden_rows

HEAD = "round,player,area,stake_cents,outcome"


def write(path: Path, *lines: str) -> Path:
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl"])
def test_golden_settlements_come_out_of_the_file(
    game: str, suffix: str, tmp_path: Path
) -> None:
    golden = [row.split() for row in golden_rows(f"{game}.settle")]
    rows = [
        {
            "round": place,
            "area": area,
            "stake_cents": int(stake),
            "outcome": number,
            "bonus_numbers": " ".join(bonus).replace(",", " "),
        }
        for place, (_, area, number, stake, _, _, *bonus) in enumerate(golden)
    ]
    source, target = tmp_path / f"golden{suffix}", tmp_path / "settled.parquet"
    frame = pl.DataFrame(rows)
    if suffix == ".parquet":
        frame.write_parquet(source)
    elif suffix == ".csv":
        frame.write_csv(source)
    else:
        frame.write_ndjson(source)

    told = run_here("settle-file", source, "-o", target, "--game", game, "--json")

    settled = pl.read_parquet(target)
    assert told.json()["rejected"] == 0
    assert settled.select("paid_cents", "collected_cents").rows() == [
        (int(paid), int(collected)) for _, _, _, _, paid, collected, *_ in golden
    ]


def test_the_settled_sample_is_what_the_command_writes(tmp_path: Path) -> None:
    sample = ROOT / "samples" / "settled.csv"
    wagers, settled = tmp_path / "wagers.csv", tmp_path / "settled.csv"
    results = ("paid_cents", "collected_cents", "returned_cents", "at_risk_cents")
    pl.read_csv(sample, infer_schema=False).drop(results).write_csv(wagers)

    run_here("settle-file", wagers, "-o", settled, "--game", "mbs-roulette-v3")

    assert settled.read_bytes() == sample.read_bytes()


def test_the_summary_counts_every_row_and_says_where_the_rows_are(
    tmp_path: Path,
) -> None:
    source = write(
        tmp_path / "in.csv",
        HEAD,
        "1,Anna,17,1000,17",
        "1,Ben,red,500,17",
        "2,Ben,x,1,1",
    )
    target = tmp_path / "out.csv"

    told = run("settle-file", source, "-o", target, "--game", "mbs-roulette-v3")

    assert told.code == 1
    assert told.stderr == (
        "1 row was rejected of 3: exit status 1, or 0 with --allow-rejected\n"
    )
    table = dict(line.split(maxsplit=1) for line in told.stdout.splitlines()[1:9])
    assert table == {
        "rows": "3",
        "settled": "2",
        "rejected": "1",
        "rounds": "2",
        "stake": "15.00",
        "paid": "350.00",
        "collected": "5.00",
        "returned": "10.00",
    }
    assert str(target) in told.stdout
    assert str(tmp_path / "out.rejects.csv") in told.stdout


def test_json_is_one_object_with_cents(tmp_path: Path) -> None:
    source = write(tmp_path / "in.csv", HEAD, "1,Anna,17,1000,17")
    target, rejects = tmp_path / "out.jsonl", tmp_path / "bad.jsonl"
    options = ("--game", "mbs-roulette-v3", "--rejects", str(rejects), "--json")

    told = run_here("settle-file", source, "-o", target, *options).json()

    assert told == {
        "game": "mbs-roulette-v3",
        "rows": 1,
        "settled": 1,
        "rejected": 0,
        "rounds": 1,
        "stake_cents": 1000,
        "paid_cents": 35000,
        "collected_cents": 0,
        "returned_cents": 1000,
        "output": str(target),
        "rejects": None,
    }
    assert json.loads(target.read_text("utf-8"))["paid_cents"] == 35000


def test_limits_and_settings_are_those_of_a_transcript(tmp_path: Path) -> None:
    source = write(
        tmp_path / "in.csv", HEAD, "1,A,red,60000,2", "2,A,complete:dozen:1,100,0"
    )
    options = ("--limits", "red 5 500", "--setting", "complete_dozen inside")

    told = run_here(
        "settle-file",
        source,
        "-o",
        tmp_path / "out.csv",
        "--game",
        "mbs-complete-bet-v2",
        *options,
        "--allow-rejected",
        "--json",
    ).json()

    # A11 refuses 600 on red; A7: 42 pieces lie wholly inside a dozen.
    assert (told["rejected"], told["stake_cents"]) == (1, 4200)
    assert "[A11]" in (tmp_path / "out.rejects.csv").read_text("utf-8")


def test_files_that_are_there_are_written_over_by_force_alone(tmp_path: Path) -> None:
    source = write(tmp_path / "in.csv", HEAD, "1,Anna,17,1000,17")
    target = write(tmp_path / "out.csv", "older")
    old = write(tmp_path / "out.rejects.csv", "row,reason", "7,of an older run")
    words = ("settle-file", source, "-o", target, "--game", "mbs-roulette-v3")

    refused = run_here(*words)
    kept = target.read_text("utf-8")
    forced = run_here(*words, "--force")

    assert (refused.code, kept) == (2, "older\n")
    assert refused.stderr.endswith("is there already: --force writes over it\n")
    assert (forced.code, forced.stderr) == (0, "")
    assert "35000" in target.read_text("utf-8")
    assert not old.exists()


def test_the_game_must_be_named(tmp_path: Path) -> None:
    told = run_here("settle-file", tmp_path / "in.csv", "-o", tmp_path / "out.csv")

    assert told.code == 2
    assert "--game" in told.stderr


def test_a_package_that_is_missing_is_named_with_what_installs_it(
    tmp_path: Path,
) -> None:
    source = write(tmp_path / "in.csv", HEAD, "1,Anna,17,1000,17")
    blocked = tmp_path / "blocked"
    blocked.mkdir()
    hides = "import sys\nsys.modules['numba'] = None"
    write(blocked / "sitecustomize.py", hides)
    options = ("-o", tmp_path / "out.csv", "--game", "mbs-roulette-v3")

    told = run(
        "settle-file", source, *options, environment={"PYTHONPATH": str(blocked)}
    )

    assert told.code == 2
    assert told.stderr == (
        "croupier: this needs numba: pip install 'croupier[batch]'\n"
    )
