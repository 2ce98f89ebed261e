"""What is drawn agrees with what is calculated: every game, every strategy."""

from __future__ import annotations

from typing import Any

import pytest

from croupier.lab.sessions import STRATEGIES
from croupier.lab.simulator import Simulation, simulate

LEVEL = 0.9999
FIGURES = (
    "ruined", "reached", "stopped", "playing", "ahead",
    "rounds_played", "staked_cents", "net_cents", "return_rate",
)  # fmt: skip


def assert_agrees(drawn: Simulation) -> None:
    assert drawn.exact is not None
    for name in FIGURES:
        figure = getattr(drawn, name)
        assert figure.is_inside, (name, figure)
    for level, quantile in drawn.quantiles.items():
        assert quantile.is_inside, (level, quantile)


def drawn(game: str, wager: str, **words: Any) -> Simulation:
    usual = {
        "bankroll": 50,
        "rounds": 60,
        "sessions": 20_000,
        "seed": 20,
        "level": LEVEL,
    }
    return simulate(game, wager, **{**usual, **words})


@pytest.mark.parametrize(
    ("game", "wager"),
    [
        ("mbs-roulette-v2", "1/2/4/5@5"),
        ("mbs-roulette-v3", "17@5 + dozen:1@10"),
        ("mbs-complete-bet-v2", "tiers@5"),
        ("mbs-fast-action-v2", "17@5 + bonus_win@10"),
        ("rws-triple-zero", "grand_series@2"),
    ],
)
@pytest.mark.parametrize("name", ["flat", "martingale"])
def test_every_game(game: str, wager: str, name: str) -> None:
    assert_agrees(drawn(game, wager, bankroll=200, target=400, strategy=name))


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("target", [None, 80])
def test_every_strategy(name: str, target: int | None) -> None:
    found = drawn(
        "mbs-roulette-v3", "red@1", strategy=name, target=target, limits=["* 1 40"]
    )

    assert_agrees(found)


@pytest.mark.parametrize("rule", ["stake-allowed", "start-again", "stop"])
def test_every_rule(rule: str) -> None:
    found = drawn(
        "rws-triple-zero",
        "dozen:1@2",
        strategy="oscars-grind",
        bankroll=30,
        over_maximum=rule,
        over_bankroll=rule,
        limits=["* 1 8"],
    )

    assert_agrees(found)


@pytest.mark.parametrize("name", ["oscars-grind", "labouchere", "d-alembert"])
def test_long_sessions_of_many_states(name: str) -> None:
    found = drawn(
        "mbs-roulette-v3", "red@1", strategy=name, bankroll=60, target=90, rounds=400
    )

    assert_agrees(found)


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("target", [None, 80])
def test_a_stop_loss(name: str, target: int | None) -> None:
    found = drawn(
        "mbs-roulette-v3", "red@2", stop_loss=33, strategy=name, target=target
    )

    assert_agrees(found)
    assert found.exact is not None
    assert 0 < found.exact.stopped_by_loss.value <= found.exact.stopped.value
    assert found.stopped.value > 0.01


def test_a_session_too_long_to_calculate_says_so() -> None:
    found = drawn(
        "mbs-roulette-v3", "red@1", strategy="d-alembert", limits=["* 1 40"],
        rounds=100_000, sessions=20,
    )  # fmt: skip

    assert found.exact is None
    assert found.beside.why_not == "calculating it would take too long"


@pytest.mark.parametrize(
    "words",
    [
        {"rounds": 200_000, "sessions": 20},
        {"rounds": 1_000, "bankroll": 10**8, "sessions": 200},
    ],
)
def test_flat_play_has_its_exact_answer_however_long_or_rich(
    words: dict[str, Any],
) -> None:
    assert_agrees(drawn("mbs-roulette-v3", "17@10", **{"bankroll": 10_000, **words}))
