"""A journal is audited with numpy alone; what needs more says so."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from croupier.batch import compile_game, settle_columns
from croupier.games import find_game
from tests.cli.running import ROOT, run_here

SAMPLE = ROOT / "samples" / "house.jsonl"
_MISSING = ("numba", "llvmlite", "pyarrow", "polars", "scipy", "matplotlib")
_WITHOUT = f"import sys; sys.modules.update(dict.fromkeys({_MISSING}))\n"
_AUDIT = "from croupier.cli import main; main()"
_SETTLE = """
import numpy as np
from croupier.batch.column_settlement import settle_columns
from croupier.batch.compiled import compile_game
from croupier.games import find_game
rows = np.load(sys.argv[1])
settled = settle_columns(compile_game(find_game('mbs-roulette-v3')), *rows)
np.save(sys.argv[2], np.stack(settled))
"""


def _without(code: str, *args: str | Path) -> tuple[int, str, str]:
    """Run the code in a process in which the packages are missing."""
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _WITHOUT + code, *args],
        cwd=ROOT,
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )
    return done.returncode, done.stdout, done.stderr


def _altered(folder: Path) -> Path:
    """The sample, in which a settlement pays one cent more than it should."""
    text = SAMPLE.read_text("utf-8")
    paid = '[\\"split:14/17\\",500,8500,'
    assert paid in text
    altered = folder / "altered.jsonl"
    altered.write_text(text.replace(paid, paid.replace("8500", "8501"), 1), "utf-8")
    return altered


@pytest.mark.parametrize("name", ["clean", "altered"])
def test_an_audit_finds_the_same_with_numpy_alone(name: str, tmp_path: Path) -> None:
    source = SAMPLE if name == "clean" else _altered(tmp_path)
    usual = run_here("audit", source, "--json")

    code, output, errors = _without(_AUDIT, "audit", source, "--json")

    assert (code, errors) == (usual.code, "")
    assert json.loads(output) == json.loads(usual.stdout)
    assert usual.code == (0 if name == "clean" else 1)


def test_loops_of_python_settle_as_compiled_ones_do(tmp_path: Path) -> None:
    compiled = compile_game(find_game("mbs-roulette-v3"))
    outcomes, areas = compiled.pays.shape
    random = np.random.default_rng(1)
    count = 17_000
    rows = np.stack(
        [
            random.integers(0, areas, count),
            random.integers(0, outcomes, count),
            random.integers(1, 10**6, count),
        ]
    )
    np.save(tmp_path / "rows.npy", rows)

    ended = _without(_SETTLE, tmp_path / "rows.npy", tmp_path / "settled.npy")

    assert ended == (0, "", "")
    expected = np.stack(settle_columns(compiled, *rows))
    assert (np.load(tmp_path / "settled.npy") == expected).all()


@pytest.mark.parametrize(
    ("words", "extra"),
    [
        ("audit samples/wagers.csv --game mbs-roulette-v3", "batch"),
        ("settle-file samples/wagers.csv --game mbs-roulette-v3 -o x.csv", "batch"),
        (
            "simulate mbs-roulette-v3 --wager red@10 --bankroll 50 --rounds 9",
            "simulator",
        ),
    ],
)
def test_a_missing_package_names_its_extra(words: str, extra: str) -> None:
    code, output, errors = _without(_AUDIT, *words.split())

    assert (code, output) == (2, "")
    assert errors.startswith("croupier: this needs ")
    assert f"pip install 'croupier[{extra}]'" in errors
