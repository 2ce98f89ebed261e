"""Compiled loops are kept for as long as no source of theirs changes."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from croupier import find_game
from croupier.batch import compile_game, kernels, settle_columns
from croupier.batch.kernels import digest_of
from croupier.batch.risk import risk_columns
from croupier.batch.text_columns import look_up
from croupier.rules.terms import Limit, Limits


def test_a_changed_source_changes_the_digest(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("A = 1\n")
    (tmp_path / "two.py").write_text("B = 2\n")
    before = digest_of([tmp_path])

    (tmp_path / "two.py").write_text("B = 3\n")

    assert digest_of([tmp_path]) != before


def test_no_byte_is_read_for_another_files(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text("A = 1\nB = 2\n")
    (tmp_path / "two.py").write_text("")
    before = digest_of([tmp_path])

    (tmp_path / "one.py").write_text("A = 1\n")
    (tmp_path / "two.py").write_text("B = 2\n")

    assert digest_of([tmp_path]) != before


def test_few_rows_are_settled_as_many_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops as they are written, and numpy, against machine code."""
    compiled, rows = compile_game(find_game("mbs-roulette-v3")), 700
    rng = np.random.default_rng(5)
    area = rng.integers(0, len(compiled.game.areas), rows)
    outcome = rng.integers(0, len(compiled.pays), rows).astype(np.int16)
    stake = 500 * rng.integers(1, 40, rows)

    def settled() -> list[Any]:
        risk = risk_columns(
            compiled,
            Limits(Limit(1_000, 9_000)),
            round_=np.arange(rows) // 9,
            player=np.arange(rows) % 4,
            order=None,
            area=area,
            stake_cents=stake,
        )
        paid = settle_columns(compiled, area, outcome, stake, risk.at_risk_cents)
        return [risk.at_risk_cents, risk.refusals, *paid, look_up(stake, outcome - 1)]

    by_machine = settled()
    monkeypatch.setattr(kernels, "ROWS_AS_WRITTEN", 1 << 40)
    monkeypatch.setattr(kernels, "_MANY_ROWS", 1 << 40)
    as_written = settled()

    for one, other in zip(by_machine, as_written, strict=True):
        assert one.dtype == other.dtype
        assert (one == other).all()
    assert (by_machine[0] < stake).any()


def test_a_small_file_is_settled_without_loading_numba(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from croupier import find_game;"
        " from croupier.batch import settle_file;"
        " settle_file(find_game('mbs-roulette-v3'), Path('samples/wagers.csv'),"
        f" Path({str(tmp_path / 'settled.csv')!r})); print('numba' in sys.modules)"
    )

    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )

    assert done.stdout.strip() == "False"


def test_a_loop_is_compiled_without_a_cache(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kernels, "_kept_in", lambda: None)
    config: Any = numba.config
    before = config.CACHE_DIR

    total = kernels.machine_code(_total)

    assert total(np.arange(5)) == 10
    assert before == config.CACHE_DIR


def _total(values: np.ndarray[Any, Any]) -> int:
    total = 0
    for value in values:
        total += value
    return total
