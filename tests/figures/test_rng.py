"""`rng`: what was written is what is told, and looks like fair draws."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from tests.figures.checks.rng import ONE_IN, check_bytes, check_spins, check_wheel
from tests.figures.command import figures
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.statistics import twice_the_smaller_tail


@pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)
def test_spins_of_the_virtual_wheel(table: Table, tmp_path: Path) -> None:
    check_spins(table, tmp_path)


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
    check_bytes(tmp_path)


def test_the_report_of_a_virtual_wheel(tmp_path: Path) -> None:
    check_wheel(tmp_path)
