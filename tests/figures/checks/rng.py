"""`rng`: what was written is what is told, and looks like fair draws."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import pairwise
from pathlib import Path
from statistics import NormalDist

import pytest

from tests.figures.command import croupier, figures
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.statistics import chi_square_tail, twice_the_smaller_tail

ONE_IN = 1e-9
"""A fair generator fails each of these once in a thousand million times."""


def is_even(counts: list[int]) -> bool:
    return _chi_square(counts)[1] > ONE_IN


def check_spins(table: Table, tmp_path: Path) -> None:
    file = tmp_path / "wheel.txt"

    told = figures("rng", table.name, "--draws", "20000", "--output", str(file))

    drawn = file.read_text(encoding="utf-8").split()
    written = file.read_bytes()
    counts = Counter(drawn)
    assert (told["game"], told["kind"]) == (table.name, "wheel")
    assert told["draws"] == len(drawn) == 20_000
    assert told["bytes"] == len(written)
    assert told["sha256"] == hashlib.sha256(written).hexdigest()
    assert told["counts"] == {number: counts[number] for number in table.numbers}
    assert is_even([counts[number] for number in table.numbers])
    repeats = sum(one == other for one, other in pairwise(drawn))
    chance = 1 / len(table.numbers)
    assert twice_the_smaller_tail(len(drawn) - 1, chance, repeats) > ONE_IN


def check_bytes(tmp_path: Path) -> None:
    file = tmp_path / "raw.bin"

    told = figures("rng", "mbs-roulette-v3", "--raw", "100000", "--output", str(file))

    written = file.read_bytes()
    assert told["kind"] == "raw"
    assert told["bytes"] == len(written) == 100_000
    assert told["sha256"] == hashlib.sha256(written).hexdigest()
    counts = Counter(written)
    assert is_even([counts[value] for value in range(256)])


def check_wheel(tmp_path: Path) -> None:
    table = TABLES["rws-triple-zero"]
    file = tmp_path / "wheel.txt"
    words = ("rng", table.name, "--report", "--draws", "30000", "--output", str(file))

    told = croupier(*words, "--json").told

    drawn = [table.numbers.index(n) for n in file.read_text("utf-8").split()]
    cells, count = len(table.numbers), len(drawn)
    assert (told["game"], told["draws"], told["level"]) == (table.name, count, 0.99)
    single, pair = Counter(drawn), Counter(zip(drawn[::2], drawn[1::2], strict=True))
    low = cells // 2 / cells
    changes = sum((a < cells // 2) != (b < cells // 2) for a, b in pairwise(drawn))
    # The variance of a sum of changes: each one's, and twice that of neighbours.
    one = 2 * low * (1 - low)
    both = low * (1 - low) ** 2 + low**2 * (1 - low) - one**2
    spread = ((count - 1) * one * (1 - one) + 2 * (count - 2) * both) ** 0.5
    deviation = (changes - (count - 1) * one) / spread
    mean, variance = (cells - 1) / 2, (cells**2 - 1) / 12
    products = sum((a - mean) * (b - mean) for a, b in pairwise(drawn))
    expected = {
        "chi-square of numbers": _chi_square([single[n] for n in range(cells)]),
        "runs": _two_sided(deviation),
        "serial correlation": _two_sided(products / variance / (count - 1) ** 0.5),
        "serial pairs": _chi_square(
            [pair[a, b] for a in range(cells) for b in range(cells)]
        ),
    }
    for test in told["tests"]:
        statistic, p_value = expected.pop(test["name"])
        assert test["statistic"] == pytest.approx(statistic)
        assert test["p_value"] == pytest.approx(p_value, rel=1e-6)
        assert test["verdict"] == ("passed" if p_value >= 0.01 else "failed")
    assert not expected


def _two_sided(deviation: float) -> tuple[float, float]:
    return deviation, 2 * NormalDist().cdf(-abs(deviation))


def _chi_square(counts: list[int]) -> tuple[float, float]:
    expected = sum(counts) / len(counts)
    statistic = sum((count - expected) ** 2 / expected for count in counts)
    return statistic, chi_square_tail(statistic, len(counts) - 1)
