"""`simulate`: the exact answers beside it, its sums, its intervals, and its draws."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from tests.figures.checks.simulate import (
    ONE_IN,
    check_beside_session,
    check_simulation,
)
from tests.figures.command import figures
from tests.figures.oracle.statistics import (
    clopper_pearson,
    twice_the_smaller_tail,
)


@pytest.mark.parametrize("block", range(3))
def test_simulations_at_random(block: int) -> None:
    for seed in range(12 * block, 12 * block + 12):
        check_simulation(seed)


def test_every_calculated_session_can_be_simulated() -> None:
    answered = [check_beside_session(seed) for seed in range(7000, 7030)]

    assert sum(answered) >= 20


@pytest.mark.parametrize("seed", range(6))
def test_one_round_of_one_wager_has_an_interval_between_its_two_ends(seed: int) -> None:
    sessions = 20 + 30 * seed

    told = figures(
        *("simulate", "mbs-roulette-v3", "-w", "17@10", "--bankroll", "10"),
        *("--rounds", "1", "--sessions", str(sessions), "--seed", str(seed)),
        *("--level", "0.95", "--engine", "plain"),
    )

    won = sum(
        row["sessions"] for row in told["bankrolls"] if row["bankroll_cents"] > 1000
    )
    low, high = clopper_pearson(sessions, won, 0.95)
    assert told["net_cents"]["low"] == pytest.approx(36_000 * low - 1000, abs=1e-3)
    assert told["net_cents"]["high"] == pytest.approx(36_000 * high - 1000, abs=1e-3)
    assert told["return"]["low"] >= -1
    assert told["return"]["low"] == pytest.approx(36 * low - 1, abs=1e-6)
    assert told["return"]["high"] == pytest.approx(36 * high - 1, abs=1e-6)


FUNCTION = '''
def streak(round, bankroll, net, units, memory):
    """Stake one more after each win, up to four, and leave after five losses."""
    if net < 0:
        memory[0] += 1
    if memory[0] == 5:
        return 0
    return min(4, units + 1) if net > 0 else 1
'''


def streak_ends(rounds: int) -> Fraction:
    """Return how likely a streak has left the table: losses and units in a table."""
    alive = {(0, 1): Fraction(1)}
    left = Fraction(0)
    for _ in range(rounds):
        following: dict[tuple[int, int], Fraction] = {}
        for (losses, units), weight in alive.items():
            won, lost = (losses, min(4, units + 1)), (losses + 1, 1)
            following[won] = following.get(won, Fraction(0)) + weight * Fraction(18, 37)
            if losses == 4:
                left += weight * Fraction(19, 37)
            else:
                part = weight * Fraction(19, 37)
                following[lost] = following.get(lost, Fraction(0)) + part
        alive = following
    return left


def test_a_function_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "streak.py"
    file.write_text(FUNCTION, encoding="utf-8")

    told = figures(
        *("simulate", "mbs-roulette-v3", "-w", "red@1", "--bankroll", "1000"),
        *("--rounds", "12", "--strategy", f"{file}:streak", "--seed", "3"),
        *("--limits", "* 1 10", "--sessions", "5000", "--engine", "plain"),
    )

    count = round(told["stopped"]["value"] * 5000)
    assert twice_the_smaller_tail(5000, float(streak_ends(12)), count) > ONE_IN
