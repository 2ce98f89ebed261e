"""Very many flat rounds, by blocks: within the bound that is stated."""

from __future__ import annotations

from fractions import Fraction
from math import comb, exp, fsum, lgamma, log

import pytest

from croupier.lab.sessions import STRATEGIES, session
from croupier.lab.sessions.chain import ChainEnd
from croupier.lab.sessions.request import read_request
from croupier.lab.sessions.result import checkpoints
from croupier.lab.sessions.solvers.exact_solver import solve_exactly
from croupier.lab.sessions.solvers.flat_solver import solve_flat, takes_blocks
from tests.lab.sessions.questions import asked, assert_within_the_bound, chain_of, quiet

V3 = "mbs-roulette-v3"
BETWEEN = [
    (V3, "red@1", 40, 70, None, 301),
    (V3, "red@1", 90, 400, 80, 300),
    (V3, "17@1", 50, 500, None, 250),
    (V3, "17@1", 10, 11, None, 600),
    (V3, "dozen:1@2", 60, None, 50, 300),
    (V3, "17@1 + dozen:2@1", 60, 200, None, 200),
    (V3, "red@1 + black@1", 60, 90, None, 200),
    ("mbs-complete-bet-v2", "tiers@1", 50, 120, 40, 150),
    ("rws-triple-zero", "17/20@2 + red@3", 60, 90, 40, 150),
]


@pytest.mark.parametrize(
    ("game", "wager", "bankroll", "target", "stop_loss", "rounds"), BETWEEN
)
@pytest.mark.parametrize("decay", [52.0, 30.0])
def test_it_stays_within_its_bound(
    game: str,
    wager: str,
    bankroll: int,
    target: int | None,
    stop_loss: int | None,
    rounds: int,
    decay: float,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With a nearer view of what is far, blocks are used far from the ends too."""
    monkeypatch.setattr("croupier.lab.sessions.solvers.flat_solver._DECAY", decay)
    missed = Fraction(5 * exp(-decay))
    monkeypatch.setattr("croupier.lab.sessions.solvers.flat_solver._MISSED", missed)
    request = read_request(
        game,
        wager,
        bankroll=bankroll,
        target=target,
        stop_loss=stop_loss,
        rounds=rounds,
    )
    chain = chain_of(request)
    looks = checkpoints(rounds, 7)

    blocks = solve_flat(chain, rounds, looks, quiet)
    exact = solve_exactly(chain, rounds, looks, quiet)

    assert_within_the_bound(request, exact, blocks)
    assert blocks.relative_error < Fraction(1, 10**10)
    assert blocks.lost_mass < Fraction(1, 10**10)
    for one, other in zip(blocks.snapshots, exact.snapshots, strict=True):
        assert (one.round, one.points) == (other.round, other.points)
        for name in ("ruined", "reached", "stopped"):
            true = getattr(other, name)
            off = abs(getattr(one, name) - true)
            assert off <= blocks.relative_error * true + blocks.lost_mass


def ruined_by(units: int, pays: int, covers: int, rounds: int) -> float:
    """By Kemperman: P(ruin in round n) = units/n · P(all lost after n rounds)."""
    win, lose = log(covers / 37), log(1 - covers / 37)
    terms = []
    for wins in range((rounds - units) // (pays + 1) + 1):
        n = units + (pays + 1) * wins
        ways = lgamma(n + 1) - lgamma(wins + 1) - lgamma(n - wins + 1)
        terms.append(units / n * exp(ways + wins * win + (n - wins) * lose))
    return fsum(terms)


@pytest.mark.parametrize(
    ("wager", "units", "pays", "covers"),
    [("red", 1000, 1, 18), ("dozen:2", 900, 2, 12), ("17", 700, 35, 1)],
)
def test_ruin_within_many_rounds_is_a_hitting_time(
    wager: str, units: int, pays: int, covers: int
) -> None:
    rounds = 40_000

    result = session(V3, f"{wager}@1", bankroll=units, rounds=rounds)

    ruined = ruined_by(units, pays, covers, rounds)
    assert 0.3 < ruined < 1
    assert abs(float(result.ruined) - ruined) < 1e-8
    assert result.ruined.error < Fraction(1, 10**9)
    assert abs(float(result.ruined) + float(result.playing) - 1) < 1e-9


def test_a_million_rounds_far_from_both_ends_are_binomial() -> None:
    rounds = 1_000_000

    result = session(V3, "red@1", bankroll=10**7, target=2 * 10**7, rounds=rounds)

    assert result.ruined.value == result.reached.value == 0
    assert abs(float(result.rounds_played) - rounds) < 1e-3
    assert abs(float(result.net_cents) / 100 + rounds / 37) < 1e-3
    for wins in (486_486, 485_000, 488_000):
        ways = lgamma(rounds + 1) - lgamma(wins + 1) - lgamma(rounds - wins + 1)
        chance = exp(ways + wins * log(18 / 37) + (rounds - wins) * log(19 / 37))
        found = result.bankrolls[100 * (10**7 + 2 * wins - rounds)]
        assert abs(float(found) / chance - 1) < 1e-7


def test_blocks_and_single_rounds_agree_exactly_away_from_the_ends() -> None:
    request = asked(STRATEGIES["flat"], bankroll=5000, target=None, rounds=128)
    chain = chain_of(request)

    blocks = solve_flat(chain, 128, [], quiet)

    p = Fraction(18, 37)
    for wins in range(128):
        true = comb(128, wins) * p**wins * (1 - p) ** (128 - wins)
        found = blocks.playing.get(5000 + 2 * wins - 128, Fraction(0))
        assert abs(found - true) <= blocks.relative_error * true + blocks.lost_mass
    assert not any(blocks.ended[end] for end in ChainEnd)


def test_only_flat_play_is_taken() -> None:
    assert takes_blocks(chain_of(asked(STRATEGIES["flat"])))
    assert not takes_blocks(chain_of(asked(STRATEGIES["martingale"])))
