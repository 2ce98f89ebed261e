"""`rng`: what was written is what is told, and looks like fair draws."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest

from tests.figures.command import figures
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.statistics import chi_square_tail, twice_the_smaller_tail

ONE_IN = 1e-9
"""A fair generator fails each of these once in a thousand million times."""


def is_even(counts: list[int]) -> bool:
    expected = sum(counts) / len(counts)
    statistic = sum((count - expected) ** 2 / expected for count in counts)
    return chi_square_tail(statistic, len(counts) - 1) > ONE_IN


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_spins_of_the_virtual_wheel(table: Table, tmp_path: Path) -> None:
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


def test_draws_of_bonus_numbers(tmp_path: Path) -> None:
    table = TABLES["mbs-fast-action-v2"]
    file = tmp_path / "bonus.txt"

    told = figures(
        "rng", table.name, "--draws", "5000", "--kind", "bonus", "--output", str(file)
    )

    draws = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    assert (told["kind"], told["draws"]) == ("bonus", 5000)
    assert len(draws) == 5000
    assert all(len(draw) == len(set(draw)) == 10 for draw in draws)
    counts = Counter(number for draw in draws for number in draw)
    assert told["counts"] == {number: counts[number] for number in table.numbers}
    everywhere = sum(all(set(link) & set(d) for link in table.links) for d in draws)
    a_whole_link = sum(any(set(link) <= set(d) for link in table.links) for d in draws)
    # 4**10 of 847,660,528 draws light every link. Ten times C(36, 6) light a given one
    # whole, less the pairs: two whole links leave two numbers of 32.
    assert twice_the_smaller_tail(5000, 4**10 / 847_660_528, everywhere) > ONE_IN
    whole = (10 * 1_947_792 - 45 * 496) / 847_660_528
    assert twice_the_smaller_tail(5000, whole, a_whole_link) > ONE_IN


def test_raw_bytes(tmp_path: Path) -> None:
    file = tmp_path / "raw.bin"

    told = figures("rng", "mbs-roulette-v3", "--raw", "100000", "--output", str(file))

    written = file.read_bytes()
    assert told["kind"] == "raw"
    assert told["bytes"] == len(written) == 100_000
    assert told["sha256"] == hashlib.sha256(written).hexdigest()
    counts = Counter(written)
    assert is_even([counts[value] for value in range(256)])
