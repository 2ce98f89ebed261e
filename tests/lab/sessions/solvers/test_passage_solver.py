"""Flat play until it ends: against closed forms, and against fractions."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from random import Random

import pytest

from croupier.lab.sessions import STRATEGIES, session
from croupier.lab.sessions.chain import ChainEnd
from croupier.lab.sessions.request import SessionWords, read_request
from croupier.lab.sessions.solvers.exact_solver import solve_by_elimination
from croupier.lab.sessions.solvers.passage_solver import (
    FlatWalk,
    can_pass,
    solve_passage,
)
from tests.lab.sessions.questions import asked, chain_of, ends_of, quiet

V3 = "mbs-roulette-v3"
ODDS = Fraction(19, 18)
"""Of losing on red."""
NEAR = Fraction(1, 10**30)


def near(found: Fraction, true: Fraction) -> bool:
    return abs(found - true) <= NEAR * true


def test_a_target_twice_as_far_is_reached_once_in_a_googol_and_more() -> None:
    result = session(V3, "red@1", bankroll=20_000, target=40_000)

    reached = 1 / (1 + ODDS**20_000)
    assert Fraction(1, 10**470) < reached < Fraction(1, 10**469)
    assert near(result.reached.value, reached)
    assert result.reached.error <= 2 * NEAR * reached
    assert near(result.rounds_played.value, 37 * (20_000 - 40_000 * reached))
    assert near(result.ruined.value, 1 - reached)


def test_ten_million_units_rarely_win_fifty_more() -> None:
    result = session(V3, "red@1", bankroll=10**7, target=10**7 + 50)

    with localcontext(prec=60):
        odds = Decimal(19) / 18
        reached = (1 - odds ** -(10**7)) / (odds**50 - odds ** -(10**7))
    assert f"{float(result.reached):.5f}" == "0.06698"
    assert abs(result.reached.value - Fraction(reached)) < Fraction(1, 10**28)
    assert result.reached.error < Fraction(1, 10**29)


def test_a_tiny_probability_is_printed_as_a_bound() -> None:
    result = session(V3, "red@1", bankroll=10**6, target=2 * 10**6)

    assert result.reached.value == 0
    assert 0 < result.reached.error <= Fraction(1, 10**3999)
    assert near(result.ruined.value, Fraction(1))
    assert near(result.rounds_played.value, Fraction(37 * 10**6))


def test_a_stop_loss_is_the_other_end() -> None:
    result = session(V3, "red@1", bankroll=9000, target=9100, stop_loss=6000)

    reached = (1 - ODDS**6000) / (1 - ODDS**6100)
    assert near(result.reached.value, reached)
    assert near(result.stopped_by_loss.value, 1 - reached)
    assert result.ruined.value == 0


WAGERS = [
    (V3, "red@1"),
    (V3, "17@1"),
    (V3, "dozen:1@2"),
    (V3, "17@1 + dozen:2@1"),
    (V3, "red@1 + black@1"),
    (V3, "red@2 + 17@1"),
    ("mbs-complete-bet-v2", "tiers@1"),
    ("rws-triple-zero", "street:1/2/3@1"),
    ("rws-triple-zero", "17/20@2 + red@3"),
]


@pytest.mark.parametrize(("game", "wager"), WAGERS)
def test_small_sessions_agree_with_fractions(game: str, wager: str) -> None:
    random = Random(f"{game} {wager}")
    for _ in range(3):
        bankroll = random.randint(12, 40)
        words: SessionWords = {
            "bankroll": bankroll,
            "target": bankroll + random.randint(1, 60),
            "stop_loss": random.choice([None, random.randint(1, bankroll)]),
        }
        chain = chain_of(read_request(game, wager, **words))

        exact, found = solve_by_elimination(chain, quiet), solve_passage(chain)

        true = ends_of(chain, exact)
        assert ends_of(chain, found).keys() == true.keys(), words
        for key, chance in ends_of(chain, found).items():
            assert near(chance, true[key]), (words, key)
        assert near(found.rounds, exact.rounds)
        assert near(found.units, exact.units)


def test_intervals_of_any_length_are_joined() -> None:
    """From the lowest of n points, up or down one: n + 1 to one that it goes down."""
    walk = FlatWalk([(1, 1), (-1, 1), (0, 3)])
    with localcontext(prec=40):
        rows = {length: walk.interval(length)[0] for length in range(1, 40)}

    for length, row in rows.items():
        down, up, rounds = map(Fraction, row)
        assert near(down, Fraction(length, length + 1))
        assert near(up, Fraction(1, length + 1))
        # Two and a half rounds for each step, of which there are n on average.
        assert near(rounds, Fraction(5 * length, 2))


def test_only_flat_play_of_moderate_steps_is_taken() -> None:
    assert can_pass(chain_of(asked(STRATEGIES["flat"], rounds=None)))
    assert not can_pass(chain_of(asked(STRATEGIES["martingale"], rounds=None)))
    wide = read_request("mbs-fast-action-v2", "17@1", bankroll=50, target=90)
    assert not can_pass(chain_of(wide))


def test_a_wager_that_never_wins_ends_in_ruin() -> None:
    chain = chain_of(read_request(V3, "red@1 + black@1", bankroll=9000, target=9001))

    solved = solve_passage(chain)

    assert list(solved.ended[ChainEnd.RUINED].values()) == [1]
    assert near(solved.rounds, Fraction(37 * 4500))
