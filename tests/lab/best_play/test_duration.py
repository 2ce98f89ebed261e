"""How long a plan takes: closed forms, and a session that follows the plan."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.lab.best_play import BestPlay, best_play
from croupier.lab.best_play.play import Over
from croupier.lab.sessions import session
from croupier.lab.sessions.strategy import Strategy

V3 = "mbs-roulette-v3"
P, Q = Fraction(18, 37), Fraction(19, 37)


def test_half_the_target_takes_one_round() -> None:
    best = best_play(V3, bankroll=12, target=24, areas=["red"])

    assert best.rounds_played.value == 1
    assert best.staked_cents.value == 1200


def test_a_third_of_the_target() -> None:
    """One round, a second after a win, and after a loss there all over again."""
    best = best_play(V3, bankroll=10, target=30, areas=["red"])

    rounds = (1 + P) / (1 - P * Q)
    assert best.rounds_played.value == rounds
    assert best.rounds_played.is_exact
    assert best.staked_cents.value == 1000 * rounds


@pytest.mark.parametrize("bankroll", [1, 7, 19])
def test_timid_play_is_the_gambler_s_ruin(bankroll: int) -> None:
    best = best_play(V3, bankroll=bankroll, target=20, areas=["red"], limits=["* 1 1"])

    r = Q / P
    reached = (1 - r**bankroll) / (1 - r**20)
    assert best.attained == reached
    assert best.rounds_played.value == (bankroll - 20 * reached) / (Q - P)
    assert best.staked_cents.value == 100 * best.rounds_played.value


class Following:
    """The plan as a strategy on one even chance: the state is the bankroll."""

    def __init__(self, best: BestPlay) -> None:
        self._best = best
        self.start = best.bankroll_cents // 100

    def stake(self, state: int) -> int:
        return (
            sum(each.stake_cents or 0 for each in self._best.wager(state * 100)) // 100
        )

    def after(self, state: int, net: Fraction) -> int:
        return state + int(net)


def test_a_session_that_follows_the_plan_attains_it_and_takes_as_long() -> None:
    best = best_play(V3, bankroll=21, target=50, areas=["red"], limits=["* 1 8"])
    following: Strategy = Following(best)

    result = session(
        V3, "red@1", bankroll=21, target=50, strategy=following, limits=["* 1 8"]
    )

    assert result.reached.value == best.attained
    assert result.rounds_played.value == best.rounds_played.value
    assert result.staked_cents.value == best.staked_cents.value


@pytest.mark.parametrize("over", list(Over))
@pytest.mark.parametrize("limits", [(), ("* 1 2",)])
def test_float64_is_within_its_error(over: Over, limits: tuple[str, ...]) -> None:
    best = best_play(V3, bankroll=40, target=70, over=over, limits=limits)

    exact, floats = best.rounds_played, best.durations[best.start]

    assert exact.is_exact
    assert floats.least <= exact.value <= floats.greatest
    assert floats.error < Fraction(1, 10**7)


def test_a_plan_too_long_for_fractions_has_bounds(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("croupier.lab.best_play.play.QUICK_PRODUCTS", 1000)
    best = best_play(V3, bankroll=500, target=1000, areas=["red"], limits=["* 1 1"])

    r = Fraction(19, 18)
    reached = (1 - r**500) / (1 - r**1000)
    rounds = (500 - 1000 * reached) / (Q - P)
    assert best.attained is None
    assert best.probability.least <= reached <= best.probability.greatest
    assert best.rounds_played.least <= rounds <= best.rounds_played.greatest
    assert best.rounds_played.error < Fraction(1, 1000)
    assert "target reached           below" in str(best)


def test_the_text_has_the_duration() -> None:
    best = best_play(V3, bankroll=10, target=30, areas=["red"])

    told, found = str(best), best.json()

    assert "rounds played, expected  1.98" in told
    assert "staked, expected         19.81" in told
    assert Fraction(found["rounds_played"]["fraction"]) == (1 + P) / (1 - P * Q)
    assert found["plan"][10]["rounds_played"] == pytest.approx(1.98149951)
    assert found["plan"][0]["rounds_played"] == 0
    assert 0 < found["plan"][10]["reached_error"] < 1e-10
    assert found["plan"][10]["rounds_error"] < 1e-10
