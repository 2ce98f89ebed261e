"""Checkpoints leave a real house, and prove its journal up to themselves."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from stat import S_IMODE
from urllib.request import urlopen

import apsw
import pytest

from croupier.journal.log.check import read_checkpoints
from croupier.journal.log.notes import Checkpoint, Note, VerifierKey
from croupier.journal.log.tree import leaf_hash, tree_root
from tests.house_server.server import House, new_database, prepare_house
from tests.journal.stores import unguarded
from tests.waiting import wait_for


def _croupier(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "croupier", *words],
        capture_output=True,
        text=True,
        check=False,
    )


def _kept(file: Path) -> list[Note]:
    return read_checkpoints(file.read_text()) if file.exists() else []


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> tuple[House, Path]:
    """A house that has written its checkpoints to a file; and that file."""
    folder = tmp_path_factory.mktemp("log")
    assert _croupier("journal", "key", str(folder / "house.key")).returncode == 0
    house = prepare_house(new_database("sqlite", folder), folder)
    file = folder / "outside.checkpoints"
    house.start(
        *("--signing-key", str(folder / "house.key"), "--checkpoints-every", "0.01"),
        *("--checkpoints-to", str(file), "--public-log"),
    )
    house.buy_in("v3", "Anna-v3")
    wait_for(lambda: len(_kept(file)) > 1)
    before = len(_kept(file))
    house.ask("POST", "/api/gaming-day/close?early=true", {}, by="Mira")
    wait_for(lambda: len(_kept(file)) > before)
    served_note = _got(house, "/log/checkpoint").decode()
    count = Checkpoint.read(Note.read(served_note).text).size
    bundle = _got(house, f"/log/tile/entries/000.p/{count}")
    tile = _got(house, f"/log/tile/0/000.p/{count}")
    page = _got(house, "/verify")
    assert house.end() == 0
    (folder / "served").write_bytes(bundle)
    (folder / "tile").write_bytes(tile)
    (folder / "note").write_text(served_note)
    (folder / "verify.html").write_bytes(page)
    return house, file


def _got(house: House, path: str) -> bytes:
    with urlopen(f"{house.address}{path}") as answer:
        return bytes(answer.read())


def test_they_are_kept_in_a_file_that_is_its_owners(served: tuple[House, Path]) -> None:
    _, file = served
    sizes = [each.checkpoint.size for each in _kept(file)]

    assert len(sizes) > 2
    assert all(one < two for one, two in pairwise(sizes))
    assert S_IMODE(file.stat().st_mode) == 0o600


def test_tiles_and_entries_lead_to_the_root_that_is_served(
    served: tuple[House, Path],
) -> None:
    house, _ = served
    checkpoint = Checkpoint.read(Note.read((house.folder / "note").read_text()).text)
    tile = (house.folder / "tile").read_bytes()
    hashes = [tile[place : place + 32] for place in range(0, len(tile), 32)]
    rest, entries = (house.folder / "served").read_bytes(), []
    while rest:
        length = int.from_bytes(rest[:2], "big")
        entries.append(rest[2 : 2 + length])
        rest = rest[2 + length :]

    assert tree_root(hashes) == checkpoint.root
    assert list(map(leaf_hash, entries)) == hashes
    assert {json.loads(entry)["kind"] for entry in entries} >= {
        "ends",
        "software",
        "key",
        "day",
    }


def test_the_page_for_receipts_names_the_key_of_the_house(
    served: tuple[House, Path],
) -> None:
    house, _ = served
    note = Note.read((house.folder / "note").read_text())
    page = (house.folder / "verify.html").read_text()
    line = page.partition("const KEYS = [")[2].partition("]")[0]

    assert VerifierKey.read(json.loads(line)).has_signed(note)


def test_they_say_up_to_where_the_journal_is_proven(served: tuple[House, Path]) -> None:
    house, file = served
    key = ("--public-key", str(house.folder / "house.key.pub"))
    words = ("journal", "verify", house.url, "--checkpoint", str(file), *key)

    told = _croupier(*words)
    shown = json.loads(_croupier(*words, "--json").stdout)

    assert told.returncode == 0, told.stdout
    assert "proven by a checkpoint from outside: " in told.stdout
    assert shown["proven"]["size"] == _kept(file)[-1].checkpoint.size
    assert shown["proven"]["streams"]["house"] == house.head("house")


def test_a_log_that_begins_again_is_found_by_any_of_them(
    served: tuple[House, Path], tmp_path: Path
) -> None:
    house, file = served
    copy = tmp_path / "copy.db"
    assert _croupier("journal", "backup", house.url, str(copy)).returncode == 0
    with unguarded(apsw.Connection(str(copy))) as database:
        database.execute("DELETE FROM checkpoints")
        database.execute("DELETE FROM log_entries WHERE stream = ''")
        database.execute("UPDATE log_entries SET leaf = -1, entry = ''")
    words = ("journal", "verify", str(copy))

    assert _croupier(*words).returncode == 0
    assert _croupier(*words, "--checkpoint", str(file)).returncode == 1


def test_a_file_with_anything_else_is_refused(
    served: tuple[House, Path], tmp_path: Path
) -> None:
    house, file = served
    bad = tmp_path / "bad.checkpoints"
    bad.write_text(file.read_text() + "{}\n")

    told = _croupier("journal", "verify", house.url, "--checkpoint", str(bad))

    assert told.returncode == 2
    assert "this is no checkpoint of a log" in told.stderr


def test_checkpoints_need_a_key() -> None:
    told = _croupier("serve", "--demonstration", "--checkpoints-to", "file")

    assert told.returncode == 2
    assert "need a --signing-key" in told.stderr
