"""The conformance suite: true of our engine, and quick to notice a broken row."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import jsonschema_rs
import pytest

import croupier.games
from croupier.games.readings import READINGS
from croupier.rules.game import Game
from croupier.rules.layout import WagerType
from tools.conformance import FOLDERS, SUITE, suite_files

CONFORMANCE = SUITE.parent
PAGES = CONFORMANCE.parent / "pages"
ADAPTERS = CONFORMANCE / "adapters"


@cache
def _module(path: Path) -> ModuleType:
    spec = spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _vectors(*levels: str) -> list[dict[str, Any]]:
    read = _module(CONFORMANCE / "run.py").read
    return [vector for level in levels for vector in read(level)]


def _answers(vectors: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Answer in this process, so that a test can plant a fault."""
    ours = _module(ADAPTERS / "croupier_engine.py")
    states = json.loads((SUITE / "states.json").read_text("utf-8"))
    answers = []
    for vector in vectors:
        ask = {"game": vector["game"], **vector["ask"]}
        if "after" in ask:
            ask["after"] = states[ask["game"]][ask["after"]]
        answers.append({**ours.ANSWERS[ask["do"]](ask), "id": vector["id"]})
    return answers


def _wrong(vectors: list[dict[str, Any]]) -> list[str]:
    _, wrong = _module(CONFORMANCE / "run.py").score(vectors, _answers(vectors))
    assert isinstance(wrong, list)
    return wrong


def test_the_suite_is_what_the_golden_tables_and_transcripts_say() -> None:
    written = {path for path in SUITE.rglob("*.json*") if path.name != "schema.json"}

    files = suite_files()

    assert set(files) == written
    stale = [path.name for path in files if path.read_text("utf-8") != files[path]]
    assert stale == [], "run `python -m tools.conformance`"


def test_every_vector_is_as_its_schema_says_and_has_an_id_of_its_own() -> None:
    schema = json.loads((SUITE / "schema.json").read_text("utf-8"))
    validator = jsonschema_rs.validator_for(schema)

    vectors = _vectors(*FOLDERS)

    assert [each["id"] for each in vectors if not validator.is_valid(each)] == []
    assert len({each["id"] for each in vectors}) == len(vectors) >= 5_000
    for each in vectors:  # a count of sequences is of the whole course, not of a clause
        game = croupier.games.find_game(each["game"])
        is_stated = each.get("clause") in {row.number for row in game.clauses}
        is_read = each.get("reading") in {reading.id for reading in READINGS}
        assert is_stated or is_read or each["ask"]["do"] == "count_sequences", each[
            "id"
        ]
    listed = (CONFORMANCE / "README.md").read_text("utf-8").replace(",", "")
    counts = Counter(each["id"].partition("/")[0] for each in vectors)
    for level, count in counts.items():
        assert f"| `{level}` | {count} |" in listed
    assert f"{len(vectors)} questions" in listed


def test_our_engine_answers_every_vector_as_the_documents_say() -> None:
    done = subprocess.run(
        [
            *(sys.executable, str(CONFORMANCE / "run.py"), "--"),
            *(sys.executable, str(ADAPTERS / "croupier_engine.py")),
        ],
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert [line.split()[2:] for line in done.stdout.splitlines()[1:]] == [
        ["0", "0"] for _ in FOLDERS
    ]


def _pays_36(game: Game) -> Game:
    rows = []
    for row in game.clauses:
        pays = dict(row.pays)
        if isinstance(pays.get(WagerType.STRAIGHT_UP), int):
            pays[WagerType.STRAIGHT_UP] = 36
        rows.append(replace(row, pays=pays))
    return replace(game, clauses=tuple(rows))


def _lacks_5_12(game: Game) -> Game:
    return game.without("5.12")


def _swaps_a_link(game: Game) -> Game:
    first, second, *rest = game.layout.links
    swapped = ((second[0], *first[1:]), (first[0], *second[1:]), *rest)
    return replace(game, layout=replace(game.layout, links=swapped))


@pytest.mark.parametrize(
    ("plant", "name", "level"),
    [
        (_pays_36, "mbs-roulette-v3", "settlement"),
        (_lacks_5_12, "mbs-roulette-v3", "exceptional"),
        (_swaps_a_link, "mbs-fast-action-v2", "settlement"),
    ],
)
def test_a_broken_row_is_noticed(
    plant: Any, name: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    vectors = [each for each in _vectors(level) if each["game"] == name]
    load = croupier.games._load
    broken = plant(croupier.games.find_game(name))
    monkeypatch.setattr(
        croupier.games,
        "_load",
        lambda module, game: (
            broken if load(module, game).name == name else load(module, game)
        ),
    )
    _module(ADAPTERS / "croupier_engine.py").series_after.cache_clear()

    wrong = _wrong(vectors)

    _module(ADAPTERS / "croupier_engine.py").series_after.cache_clear()
    assert wrong


def _built(source: str, folder: Path) -> list[str]:
    """Compile an example engine; return its command."""
    if source.endswith(".c"):
        compiler = shutil.which("cc")
        assert compiler is not None, "the example in C needs a C compiler on the PATH"
        command = [compiler, "-o", str(folder / "engine"), str(ADAPTERS / source)]
        run = [str(folder / "engine")]
    else:
        node = shutil.which(
            "node",
            path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        )
        assert node is not None, "the example in TypeScript needs Node: `make pages`"
        types = PAGES / "node_modules/@types"
        command = [node, str(PAGES / "node_modules/typescript/bin/tsc")]
        command += ["--target", "es2022", "--module", "nodenext", "--types", "node"]
        command += ["--typeRoots", str(types), "--outDir", str(folder)]
        command.append(str(ADAPTERS / source))
        run = [node, str(folder / "engine.js")]
    subprocess.run(command, check=True)
    return run


@pytest.mark.parametrize("source", ["engine.c", "engine.ts"])
def test_a_small_engine_in_another_language_passes_its_levels(
    source: str, tmp_path: Path
) -> None:
    runner = _module(CONFORMANCE / "run.py")
    vectors = _vectors("settlement", "odds")

    scores, wrong = runner.score(
        vectors, runner.answers_of(_built(source, tmp_path), vectors)
    )

    assert wrong == []
    assert scores["settlement", "right"] == 731
    assert scores["odds", "right"] == 106
    assert len((ADAPTERS / source).read_text("utf-8").splitlines()) < 150
