"""float64 stays within the bound that it states, whichever way it goes."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from croupier.lab.sessions import STRATEGIES, Arithmetic, session
from croupier.lab.sessions.result import UNIT, checkpoints, relative_bound
from croupier.lab.sessions.solvers.exact_solver import solve_exactly
from croupier.lab.sessions.solvers.float_solver import slides, solve_in_floats
from croupier.odds import read_what_if
from tests.lab.sessions.questions import (
    asked,
    assert_within_the_bound,
    chain_of,
    quiet,
)

LONG = [
    ("flat", "red@1", 3000, 6000, 80, "scatters"),
    ("flat", "17@1", 60_000, 200_000, 60, "slides"),
    ("flat", "dozen:1@1", 300, 600, 300, "scatters"),
    ("paroli", "red@1", 2000, 5000, 60, "slides"),
    ("martingale", "red@1", 300, 400, 120, "scatters"),
    ("martingale", "red@1", 3000, 4000, 120, "slides"),
    ("d-alembert", "red@1", 150, 300, 60, "scatters"),
    ("d-alembert", "17@1", 1500, 3000, 30, "slides"),
    ("oscars-grind", "red@1", 120, 200, 40, "scatters"),
    ("labouchere", "column:2@1", 100, 160, 25, "scatters"),
]


@pytest.mark.parametrize(("name", "wager", "bankroll", "target", "rounds", "way"), LONG)
def test_long_sessions_stay_within_the_bound(
    name: str, wager: str, bankroll: int, target: int, rounds: int, way: str
) -> None:
    request = asked(
        STRATEGIES[name],
        wager=wager,
        bankroll=bankroll,
        target=target,
        rounds=rounds,
        limits=("* 1 500",),
    )
    chain = chain_of(request)
    looks = checkpoints(rounds, 7)

    floats = solve_in_floats(chain, rounds, looks, quiet)
    exact = solve_exactly(chain, rounds, looks, quiet)

    assert slides(chain) is (way == "slides")
    assert_within_the_bound(request, exact, floats)
    assert floats.relative_error < Fraction(1, 10**9)
    assert floats.lost_mass < Fraction(1, 10**15)
    for one, other in zip(floats.snapshots, exact.snapshots, strict=True):
        assert (one.round, one.points) == (other.round, other.points)
        for name_ in ("ruined", "reached", "stopped"):
            true = getattr(other, name_)
            off = abs(getattr(one, name_) - true)
            assert off <= floats.relative_error * true + floats.lost_mass


def test_faint_positions_are_dropped_and_counted() -> None:
    request = asked(STRATEGIES["flat"], bankroll=2500, target=None, rounds=2000)
    chain = chain_of(request)

    floats = solve_in_floats(chain, 2000, [], quiet)

    every = [floats.playing, *floats.ended.values()]
    kept = sum((sum(points.values(), Fraction(0)) for points in every), Fraction(0))
    assert 0 < floats.lost_mass < Fraction(1, 10**18)
    assert 1 - kept <= 2 * floats.relative_error + floats.lost_mass
    assert kept - 1 <= 2 * floats.relative_error
    assert len(floats.playing) < 1500


def test_the_bound_is_the_textbook_one() -> None:
    """k roundings: at most k·u/(1 - k·u), and a product of ones may use it all up."""
    assert relative_bound(1000) == 1000 * UNIT / (1 - 1000 * UNIT)
    third = np.float64(1) / np.float64(3)
    product, exact = np.float64(1), Fraction(1)
    for _ in range(500):
        product, exact = product * third, exact / 3

    off = abs(Fraction(float(product)) - exact) / exact

    assert 0 < off <= relative_bound(1000)


def test_fair_and_favourable_games_until_the_end_are_bounded() -> None:
    changes = ("[chances]\n0 = 0\n", "[pays]\nred = 2\n")
    for change in changes:
        model = read_what_if("mbs-roulette-v3", change)
        exact = session(model, "red@1", bankroll=5, target=12)
        floats = session(model, "red@1", bankroll=5, target=12, arithmetic="float64")
        assert exact.is_exact
        assert floats.arithmetic is Arithmetic.FLOAT64
        for name in ("reached", "ruined", "rounds_played", "staked_cents"):
            true, found = getattr(exact, name), getattr(floats, name)
            assert abs(true.value - found.value) <= found.error < Fraction(1, 10**4)
