"""`wheel-check`: statistics, p-values and corrections, a second time."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

from tests.figures.checks.wheel_check import check_wheel, some_record
from tests.figures.command import figures
from tests.figures.oracle.games import TABLES, Table
from tests.figures.oracle.wheel import furthest_arcs


@pytest.mark.parametrize(
    ("seed", "name", "spins"),
    [
        (1, "mbs-roulette-v3", 1600),
        (2, "rws-triple-zero", 1000),
        (3, "mbs-fast-action-v2", 800),
        (4, "mbs-complete-bet-v2", 120),
        (7, "mbs-roulette-v2", 1500),
    ],
)
def test_records_at_random(seed: int, name: str, spins: int, tmp_path: Path) -> None:
    check_wheel(seed, TABLES[name], spins, tmp_path)


def test_how_likely_five_neighbours_would_be_found(tmp_path: Path) -> None:
    table, spins = TABLES["rws-triple-zero"], 1500
    file = tmp_path / "wheel.txt"
    record = some_record(0, table, spins)
    file.write_text("".join(f"{number}\n" for number in record), encoding="utf-8")

    told = figures("wheel-check", str(file), "--game", table.name)

    power, worth = told["power"][1], told["worth_exploiting"]["excess"]
    assert power["what"] == "5 neighbours"
    for excess, probability in (
        (power["excess"], power["probability"]),
        (power["excess_found"], power["with_probability"]),
        (worth, power["worthwhile_probability"]),
    ):
        by_themselves, by_any = neighbours_found(table, spins, excess, told["level"])
        # Told is how often the five themselves are far enough: others may be as well.
        assert probability == pytest.approx(by_themselves, abs=0.035)
        assert probability <= by_any + 0.03
    enough = neighbours_found(table, power["worthwhile_outcomes"], worth, told["level"])
    assert enough[0] == pytest.approx(power["with_probability"], abs=0.05)


def neighbours_found(
    table: Table, spins: int, excess: float, level: float
) -> tuple[float, float]:
    """Return how often five neighbours are found: they themselves, or any arc at all.

    Far enough is what one fair wheel in this number shows in any of nine tests.
    """
    chance, size = np.random.default_rng(20_261_118), len(table.ring)
    fair = chance.multinomial(spins, np.full(size, 1 / size), size=10_000)
    far = float(np.quantile(furthest_arcs(fair), 1 - level / 9))
    biased = np.full(size, (size - 5 * (1 + excess)) / (size - 5) / size)
    biased[:5] = (1 + excess) / size
    drawn, share = chance.multinomial(spins, biased, size=2500), 5 / size
    off = drawn[:, :5].sum(axis=1) - spins * share
    by_themselves = off >= far * math.sqrt(spins * share * (1 - share))
    return float(by_themselves.mean()), float((furthest_arcs(drawn) >= far).mean())
