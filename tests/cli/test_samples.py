from __future__ import annotations

from pathlib import Path

from croupier.house.configuration.house_file import read_house_file
from croupier.journal.events.plan import Money
from tests.cli.running import ROOT, run_here


def _files(folder: Path) -> dict[str, bytes]:
    paths = [path for path in folder.rglob("*") if path.is_file()]
    paths = [path for path in paths if "__pycache__" not in path.parts]
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_samples_are_written_whole(tmp_path: Path) -> None:
    folder = tmp_path / "of" / "mine"

    ran = run_here("samples", folder, "--json")

    written = _files(folder)
    demonstration = written.pop("demonstration.toml")
    assert sorted(ran.json()["files"]) == sorted([*written, "demonstration.toml"])
    assert written == _files(ROOT / "samples")
    assert demonstration.decode() == run_here("house", "sample").stdout


def test_the_sample_houses_are_of_both_moneys(tmp_path: Path) -> None:
    run_here("samples", tmp_path)

    moneys = {
        name: read_house_file(tmp_path / name).house.money
        for name in ("demonstration.toml", "real-money.toml")
    }

    assert moneys["demonstration.toml"] is Money.DEMONSTRATION
    assert moneys["real-money.toml"] is Money.REAL


def test_what_is_there_is_written_over_with_force_alone(tmp_path: Path) -> None:
    mine = tmp_path / "wagers.csv"
    mine.write_text("mine\n")

    refused = run_here("samples", tmp_path)

    assert (refused.code, refused.stdout) == (2, "")
    assert f"{mine} is there already" in refused.stderr
    assert _files(tmp_path) == {"wagers.csv": b"mine\n"}
    assert run_here("samples", tmp_path, "--force").code == 0
    assert mine.read_text() != "mine\n"


def test_each_sample_says_what_it_is(tmp_path: Path) -> None:
    table = run_here("samples", tmp_path).table()

    assert len(table) == len(_files(tmp_path)) + 1
    assert all(len(row) == 2 for row in table)
