"""A house opens for play only on software that a laboratory has approved."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from croupier.house.records.fingerprint import PACKAGE
from croupier.journal.log.entries import entry_of
from croupier.journal.stores import open_store
from tests.cli.running import run_here
from tests.house_server.server import House, new_database, prepare_house
from tests.waiting import wait_for

LABORATORY, INSTALLER = "lab.example", "mira@casino.example"


@pytest.fixture
def house(tmp_path: Path) -> House:
    return prepare_house(new_database("sqlite", tmp_path), tmp_path)


def _note(folder: Path, word: str, name: str) -> tuple[str, str]:
    """Sign this version, and return the note's file and the key that checks it."""
    key, note = folder / f"{word}.key", folder / f"{word}.note"
    run_here("journal", "key", key)
    signed = run_here("version", "--sign", word, key, name)
    note.write_text(signed.stdout)
    return str(note), signed.stderr.strip()


def test_approved_software_plays_and_the_log_names_the_installer(
    house: House, tmp_path: Path
) -> None:
    approved = _note(tmp_path, "approved", LABORATORY)
    installed = _note(tmp_path, "installed", INSTALLER)

    house.start("--approved", *approved, "--installed", *installed)
    house.buy_in("v3", "Anna-v3")
    assert house.end() == 0

    with open_store(house.url) as store:
        [row] = store.events("house", kinds=("ServerStarted",))
        [waiting] = store.pending_entries(1)
        entry = json.loads(entry_of(row, waiting.salt, ()))
    started = json.loads(row.body)
    for said in (started, entry):
        assert said["approved_by"] == LABORATORY
        assert said["installed_by"] == INSTALLER


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("Z\n", "Y\n", "is not as lab.example signed it"),
        ("approved\n", "installed\n", "is not as lab.example signed it"),
        ("croupier", "croupiers", "is not as lab.example signed it"),
        ("— lab", "lab", "holds no signed note"),
    ],
)
def test_a_note_that_was_changed_opens_the_house_for_reading_only(
    house: House, tmp_path: Path, old: str, new: str, said: str
) -> None:
    note, key = _note(tmp_path, "approved", LABORATORY)
    text = Path(note).read_text()
    Path(note).write_text(text.replace(old, new, 1))

    house.start("--approved", note, key)
    ready = house.http("GET", "/ready")
    assert house.end() == 0

    sentence = (
        "the house is open for reading only, because its software is not approved"
        f" ({note} {said}): install a version that is"
    )
    assert (ready.status, ready.json["error"]) == (503, sentence)


def test_a_note_of_another_word_or_key_approves_nothing(tmp_path: Path) -> None:
    installed, key = _note(tmp_path, "installed", LABORATORY)
    approved, of_another = _note(tmp_path, "approved", LABORATORY)

    as_installed = run_here("version", "--signed", "approved", installed, key)
    by_another = run_here("version", "--signed", "approved", approved, key)
    as_it_is = run_here("version", "--signed", "approved", approved, of_another)

    assert [each.code for each in (as_installed, by_another, as_it_is)] == [1, 1, 0]
    assert f"is not approved in {installed}" in as_installed.stdout
    assert f"{approved} is not as lab.example signed it" in by_another.stdout


def test_one_changed_byte_of_the_program_opens_the_house_for_reading_only(
    house: House, tmp_path: Path
) -> None:
    note, key = _note(tmp_path, "approved", LABORATORY)
    house.start("--approved", note, key)
    assert house.end() == 0
    copy = tmp_path / "site"
    shutil.copytree(PACKAGE, copy / "croupier")
    changed = copy / "croupier" / "rules" / "settlement.py"
    content = bytearray(changed.read_bytes())
    content[content.index(b".")] = ord("!")
    changed.write_bytes(content)
    log = tmp_path / "served.log"

    with log.open("w") as file:
        served = subprocess.Popen(
            [
                *(sys.executable, "-m", "croupier", "serve", "--database", house.url),
                *("--port", "0", "--approved", note, key, "--log", "json"),
            ],
            stdout=file,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONPATH": str(copy)},
        )
    try:
        wait_for(lambda: "The house is open" in log.read_text(), 60)
    finally:
        served.terminate()
        served.wait()

    logged = [
        json.loads(line) for line in log.read_text().splitlines() if line[0] == "{"
    ]
    [error] = [each["event"] for each in logged if each["level"] == "error"]
    assert error.startswith(
        "the house is open for reading only, because its software is not approved"
    )
