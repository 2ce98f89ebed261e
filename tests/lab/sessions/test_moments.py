"""Variances, against the enumeration of all sequences of outcomes."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from croupier.lab.sessions import STRATEGIES, Figure, session
from croupier.lab.sessions.request import SessionRequest
from croupier.lab.sessions.result import exact_sum, quantile_bounds
from croupier.lab.sessions.solver import solve_session
from tests.lab.sessions.questions import Tree, asked

V3 = "mbs-roulette-v3"
WAGERS = [
    ("mbs-roulette-v3", "red@1"),
    ("mbs-roulette-v2", "dozen:1@2"),
    ("mbs-complete-bet-v2", "orphelins@1"),
    ("mbs-fast-action-v2", "17@1"),
    ("rws-triple-zero", "red@1 + 17@1"),
]


def random_requests(seed: int, count: int) -> list[SessionRequest]:
    """Short sessions of any strategy, game and bounds."""
    chance = random.Random(seed)
    requests = []
    for _ in range(count):
        game, wager = chance.choice(WAGERS)
        bankroll = chance.randint(30, 45)
        requests.append(
            asked(
                STRATEGIES[chance.choice([*STRATEGIES])],
                game=game,
                wager=wager,
                bankroll=bankroll,
                target=chance.choice([None, bankroll + chance.randint(1, 30)]),
                stop_loss=chance.choice([None, chance.randint(1, bankroll)]),
                rounds=chance.randint(1, 5),
            )
        )
    return requests


def holds(figure: Figure, true: Fraction) -> bool:
    return figure.least <= true <= figure.greatest


@pytest.mark.parametrize("request_", random_requests(13, 40))
def test_the_variance_of_the_net_result(request_: SessionRequest) -> None:
    tree = Tree(request_)
    start = request_.bankroll_cents
    nets = [(cents - start, chance) for (_, cents), chance in tree.ends.items()]
    mean = sum((net * chance for net, chance in nets), Fraction(0))
    true = sum(((net - mean) ** 2 * chance for net, chance in nets), Fraction(0))

    exact = solve_session(request_, arithmetic="exact")
    floats = solve_session(request_, arithmetic="float64")

    assert exact.net_variance == Figure(true)
    assert holds(floats.net_variance, true)
    assert floats.net_variance.error <= Fraction(1, 10**6)
    for result in (exact, floats):
        deviation = result.net_deviation_cents
        assert deviation.least**2 <= true <= deviation.greatest**2
        assert deviation.error < Fraction(1, 10**4)
    assert sum(net * chance for net, chance in exact.nets.items()) == mean


def test_the_variance_of_a_session_that_is_played_until_it_ends() -> None:
    """Two ends: the variance is that of a coin."""
    won = Fraction(18, 37)
    ratio = (1 - won) / won
    reached = (1 - ratio**5) / (1 - ratio**15)

    result = session(V3, "red@1", bankroll=5, target=15)

    assert result.net_variance.value == reached * (1 - reached) * 1500**2


def test_a_result_without_doubt_has_no_deviation() -> None:
    from croupier.odds import read_what_if

    always = "[chances]\n" + "".join(f"{n} = 0\n" for n in range(36)) + "36 = 1\n"
    result = session(read_what_if(V3, always), "red@1", bankroll=5, rounds=3)

    assert result.net_deviation_cents == Figure(Fraction(0))


def test_a_quantile_that_is_too_close_lies_between_two() -> None:
    half = Fraction(1, 2)
    weights = [(1, half), (2, half)]

    sure = quantile_bounds(weights, lambda _: Fraction(0))
    close = quantile_bounds(weights, lambda _: Fraction(1, 10**9))

    assert sure[half] == (1, 1)
    assert close[half] == (1, 2)
    assert sure[Fraction(3, 4)] == close[Fraction(3, 4)] == (2, 2)


def test_a_sum_of_fractions_is_their_sum() -> None:
    terms = [Fraction(1, 3), Fraction(5, 2**70), Fraction(-2, 9), Fraction(4)]

    assert exact_sum(terms) == sum(terms, Fraction(0))
    assert exact_sum([]) == 0
