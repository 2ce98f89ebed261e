"""Variances, against the enumeration of all sequences of outcomes."""

from __future__ import annotations

from fractions import Fraction

from croupier.lab.sessions import Figure, session
from croupier.lab.sessions.result import exact_sum, quantile_bounds

V3 = "mbs-roulette-v3"


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


def test_a_quantile_in_doubt_lies_between_two_bankrolls() -> None:
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
