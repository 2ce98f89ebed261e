"""`croupier version`: what runs here, and whether it is what was delivered."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from base64 import urlsafe_b64encode
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

import croupier
from croupier.games import all_games
from croupier.games.digest import game_digest
from croupier.house.records.fingerprint import (
    PACKAGE,
    CodeFiles,
    game_digests,
    read_code,
    terms_in_force,
)
from croupier.house.records.house_record import HouseRecord
from croupier.journal.events.house import PlayerDefined
from croupier.journal.store import HOUSE_STREAM
from croupier.journal.stores.sqlite import SqliteStore
from croupier.rules.game import Game
from croupier.table import commands as ask
from croupier.table.answers import Accepted
from tests.cli.running import ROOT, Ran, run_here
from tests.journal.scene import SUPERVISOR, Clock, Driver


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A journal with tables `a`, whose terms were changed, and `b`; with snapshots."""
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "house.db"
    with SqliteStore(path) as store:
        clock = Clock()
        first = Driver(store, "a", clock, snapshot_every=3)
        _change_terms(first, "* 2 200")
        first.round("17")
        assert store.snapshot("a") is not None
        _change_terms(first, "* 5 500")
        Driver(store, "b", clock)
        record = HouseRecord(store, clock, snapshot_every=1)
        record.write(PlayerDefined("Ina", "Anna"))
        assert store.snapshot(HOUSE_STREAM) is not None
    return path


def _change_terms(driver: Driver, *limits: str) -> None:
    changed = driver.ask(ask.ChangeTerms(limits, ()), SUPERVISOR)
    assert isinstance(changed, Accepted)


def version(*args: str | Path) -> Ran:
    return run_here("version", *args)


def test_the_version_alone_is_one_line() -> None:
    assert version() == Ran(0, f"croupier {croupier.__version__}\n", "")


def test_the_hashes_are_those_of_sha256sum() -> None:
    shown = version("--json").json()

    paths = sorted((PACKAGE / "games").glob("*.py"))
    lines = [
        f"{sha256(path.read_bytes()).hexdigest()}  games/{path.name}\n"
        for path in paths
    ]
    assert shown["version"] == croupier.__version__
    assert (
        shown["code"]["packages"]["games"]
        == sha256("".join(lines).encode()).hexdigest()
    )
    assert shown["games"] == game_digests()
    assert (shown["compared"], shown["differences"]) == ([], [])


def test_every_source_file_counts_and_nothing_compiled(tmp_path: Path) -> None:
    folder = tmp_path / "croupier"
    shutil.copytree(PACKAGE, folder)
    before = read_code(folder)

    (folder / "rules" / "__pycache__").mkdir(exist_ok=True)
    (folder / "rules" / "__pycache__" / "game.cpython-311.pyc").write_bytes(b"x")
    assert read_code(folder) == before

    for path in before.files:
        with (folder / path).open("ab") as file:
            file.write(b" ")
    after = read_code(folder)
    assert after.files.keys() == before.files.keys()
    packages = before.packages
    for path, digest in after.files.items():
        assert digest != before.files[path]
        alone = CodeFiles({**before.files, path: digest})
        changed = {n for n, d in alone.packages.items() if packages[n] != d}
        assert len(changed) == 1
        assert alone.digest != before.digest


def test_the_hashes_are_the_same_in_every_process() -> None:
    program = (
        "import json; from croupier.house.records import fingerprint as f;"
        "print(json.dumps([f.read_code().digest, f.game_digests()]))"
    )
    printed = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            cwd=ROOT,
        ).stdout
        for seed in ("0", "1", "2")
    }

    assert len(printed) == 1
    [text] = printed
    assert json.loads(text)[1] == game_digests()


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.name)
def test_every_row_of_a_game_counts(game: Game) -> None:
    digests = {game_digest(game.without(row.number)) for row in game.clauses}

    assert len(digests) == len({row.number for row in game.clauses})
    assert game_digest(game) not in digests


def test_the_games_differ() -> None:
    assert len(set(game_digests().values())) == len(all_games())


def test_the_terms_in_force_are_those_of_the_next_round(house: Path) -> None:
    with SqliteStore(house) as store:
        terms = terms_in_force(store)

    assert {name: each.limits for name, each in terms.items()} == {
        "a": ("* 5 500",),
        "b": ("* 1 10000",),
    }
    assert terms["a"].digest != terms["b"].digest


def test_the_terms_are_printed_and_the_journal_is_left_alone(house: Path) -> None:
    with SqliteStore(house) as store:
        heads = store.heads()

    shown = version("--database", house, "--json").json()

    assert shown["tables"]["a"]["limits"] == ["* 5 500"]
    assert shown["tables"]["b"]["game"] == "rws-triple-zero"
    with SqliteStore(house) as store:
        assert store.heads() == heads
        assert shown["tables"]["a"]["digest"] == terms_in_force(store)["a"].digest


def test_an_editable_install_can_not_be_compared() -> None:
    verified = version("--verify")

    assert (verified.code, verified.stderr) == (0, "")
    assert "not compared with the wheel" in verified.stdout
    assert "the same" not in verified.stdout


Change = Callable[[dict[str, Any]], None]


def _set(*path: str, value: object = "other") -> Change:
    def change(document: dict[str, Any]) -> None:
        for name in path[:-1]:
            document = document[name]
        if value is None:
            del document[path[-1]]
        else:
            document[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (_set("version"), "version: expected other, is 0"),
        (_set("code", "packages", "rules"), "code rules: expected other, is "),
        (_set("code", "packages", "more"), "code more: expected other, is none"),
        (_set("code", "packages", "cli", value=None), "code cli: expected none, is "),
        (_set("games", "mbs-roulette-v3"), "game mbs-roulette-v3: expected other"),
        (_set("tables", "a", "digest"), "table a: expected other, is "),
        (_set("tables", "a", value=None), "table a: expected none, is "),
    ],
    ids=map(str, range(7)),
)
def test_each_difference_from_a_file_is_named(
    house: Path, change: Change, named: str
) -> None:
    document = version("--database", house, "--json").json()
    change(document)
    Path("expected.json").write_text(json.dumps(document))

    compared = version("--against", "expected.json", "--database", house)

    assert (compared.code, compared.stderr) == (1, "")
    [difference] = [e for e in compared.stdout.splitlines() if e.startswith("- ")]
    assert named in difference
    assert compared.stdout.endswith("\n1 difference\n")


def test_what_was_printed_is_the_same_again(house: Path) -> None:
    Path("expected.json").write_text(version("--json").stdout)

    same = version("--against", "expected.json")
    with_tables = version("--against", "expected.json", "--database", house)

    for ran in (same, with_tables):
        assert (ran.code, ran.stderr) == (0, "")
        assert ran.stdout.endswith("compared with expected.json\nthe same\n")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (b"", "is not what --json prints"),
        (b"\xff", "byte 0 is not UTF-8 text"),
        (b"[]", "is not what --json prints"),
        (b"[" * 100_000, "is not what --json prints"),
        (b'{"version": 1, "code": 2, "games": 3}', "is not what --json prints"),
        (b'{"version": 1, "code": {"packages": []}, "games": {}}', "is not what"),
        (b'{"version": 1, "code": {}, "games": {}, "tables": {}}', "give --database"),
    ],
    ids=map(str, range(7)),
)
def test_a_wrong_file_is_one_sentence(
    text: bytes, why: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("wrong.json").write_bytes(text)

    ran = version("--against", "wrong.json")

    assert (ran.code, ran.stdout) == (2, "")
    assert why in ran.stderr
    assert len(ran.stderr.splitlines()) == 1


def test_what_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    for option in ("--against", "--database"):
        ran = version(option, tmp_path / "nothing")

        assert (ran.code, ran.stdout) == (2, "")
        assert ran.stderr.startswith(f"croupier: {tmp_path / 'nothing'}: ")


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder in which the package lies as a wheel's installer leaves it."""
    shutil.copytree(
        PACKAGE, tmp_path / "croupier", ignore=shutil.ignore_patterns("__pycache__")
    )
    lines = []
    for path in sorted((tmp_path / "croupier").rglob("*")):
        if path.is_file():
            digest = urlsafe_b64encode(sha256(path.read_bytes()).digest()).decode()
            place = path.relative_to(tmp_path).as_posix()
            lines.append(f"{place},sha256={digest.rstrip('=')},{path.stat().st_size}\n")
    info = tmp_path / f"croupier-{croupier.__version__}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.4\nName: croupier\nVersion: {croupier.__version__}\n"
    )
    lines += [f"{info.name}/METADATA,,\n", f"{info.name}/RECORD,,\n"]
    (info / "RECORD").write_text("".join(lines))
    return tmp_path


def _verified(site: Path, *compared: str) -> Ran:
    words = compared or ("--verify",)
    done = subprocess.run(
        [sys.executable, "-B", "-m", "croupier", "version", *words],
        env={**os.environ, "PYTHONPATH": str(site)},
        capture_output=True,
        check=False,
        cwd=site,
        timeout=60,
    )
    return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())


def test_an_installed_wheel_is_as_it_was_delivered(site: Path) -> None:
    verified = _verified(site)

    assert (verified.code, verified.stderr) == (0, "")
    assert verified.stdout.endswith("compared with the wheel\nthe same\n")


def test_a_release_is_signed_and_an_installed_wheel_is_compared_with_it(
    site: Path, tmp_path: Path
) -> None:
    run_here("journal", "key", tmp_path / "release.key")
    signed = run_here(
        "version", "--sign", "released", tmp_path / "release.key", "croupier.example"
    )
    (tmp_path / "croupier.note").write_text(signed.stdout)
    compared = ("--signed", "released", "croupier.note", signed.stderr.strip())

    as_it_was = _verified(site, *compared)
    with (site / "croupier" / "py.typed").open("a") as file:
        file.write("#")
    changed = _verified(site, *compared)

    assert as_it_was.stdout.endswith("compared with croupier.note\nthe same\n")
    assert changed.code == 1
    assert "is not released in croupier.note" in changed.stdout


def test_what_was_done_to_an_installed_wheel_is_named(site: Path) -> None:
    package = site / "croupier"
    game = package / "games" / "rws_triple_zero.py"
    game.write_text(game.read_text("utf-8") + "# 36 to 1\n", "utf-8")
    (package / "py.typed").unlink()
    (package / "rules" / "backdoor.py").write_text("")

    verified = _verified(site)

    assert (verified.code, verified.stderr) == (1, "")
    assert [e for e in verified.stdout.splitlines() if e.startswith("- ")] == [
        "- croupier/games/rws_triple_zero.py was changed",
        "- croupier/py.typed is missing",
        "- croupier/rules/backdoor.py is not from the wheel",
    ]
    assert verified.stdout.endswith("\n3 differences\n")
