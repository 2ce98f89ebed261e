"""`croupier dossier`: everything that a laboratory asks of a game, in one folder."""

from __future__ import annotations

import json
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.cli.running import run_here
from tests.golden_tables import GAMES

FILES = {
    *("SHA256SUMS", "document.json", "draws.txt", "game.txt", "hashes.json"),
    *("layout.json", "layout.svg", "odds.json", "outcomes.csv", "par-sheet.html"),
    *("readings.json", "rng-report.json", "rows-and-traces.json"),
    *("rows-and-traces.txt", "rulebook.html", "sbom.cdx.json"),
}


@pytest.mark.parametrize("game", GAMES)
def test_every_part_is_there_with_its_hash(tmp_path: Path, game: str) -> None:
    folder = tmp_path / "dossier"

    ran = run_here("dossier", game, "--draws", "20000", "--output", folder)

    assert (ran.code, ran.stderr) == (0, ""), ran
    assert {path.name for path in folder.iterdir()} == FILES
    sums = (folder / "SHA256SUMS").read_text().splitlines()
    assert {line[66:] for line in sums} == FILES - {"SHA256SUMS"}
    for line in sums:
        assert sha256((folder / line[66:]).read_bytes()).hexdigest() == line[:64]
        assert (folder / line[66:]).stat().st_size > 50, line
    assert json.loads((folder / "rng-report.json").read_text())["draws"] == 20_000
    assert len((folder / "draws.txt").read_text().splitlines()) == 20_000
    told = json.loads((folder / "hashes.json").read_text())
    assert told["games"] == json.loads(run_here("version", "--json").stdout)["games"]
    bill = json.loads((folder / "sbom.cdx.json").read_text())
    named = {each["name"]: each["version"] for each in bill["components"]}
    assert named["click"] == version("click")


def test_the_table_of_outcomes_pays_as_the_document_says(tmp_path: Path) -> None:
    folder = tmp_path / "dossier"

    run_here("dossier", "mbs-roulette-v3", "--draws", "20000", "--output", folder)

    head, *rows = (folder / "outcomes.csv").read_text().splitlines()
    at_17 = dict(zip(head.split(","), rows[17].split(","), strict=True))
    assert at_17["number"] == "17"
    assert (at_17["straight_up:17"], at_17["split:17/20"], at_17["dozen:2"]) == (
        *("35", "17"),
        "2",
    )
    assert (at_17["straight_up:18"], at_17["red"], at_17["black"]) == ("", "", "1")


def test_a_document_that_differs_from_the_rows_is_named(tmp_path: Path) -> None:
    document, folder = tmp_path / "rules.txt", tmp_path / "dossier"
    document.write_text("4.1 A Straight Up wager shall pay 36 to 1.\n")

    ran = run_here(
        *("dossier", "mbs-roulette-v3", "--draws", "20000"),
        *("--document", document, "--output", folder),
    )

    assert ran.code == 1
    assert ran.stdout.endswith("- rulebook.html: a check has failed\n")
    said = json.loads((folder / "document.json").read_text())
    assert said["sha256"] == sha256(document.read_bytes()).hexdigest()


def test_a_folder_that_is_there_is_left_alone(tmp_path: Path) -> None:
    ran = run_here("dossier", "mbs-roulette-v3", "--output", tmp_path)

    assert ran.is_one_sentence
    assert list(tmp_path.iterdir()) == []
