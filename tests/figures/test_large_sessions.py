"""`session` with large numbers: by closed forms, and by a walk on an array."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest

from tests.figures.checks.large_sessions import check_red, holds
from tests.figures.command import croupier, figures
from tests.figures.oracle.closed_forms import ahead_after, gamblers_ruin, walk

RED = Fraction(18, 37)
RED_TRIPLE = Fraction(18, 39)


@pytest.mark.parametrize(
    ("game", "chance", "units", "target"),
    [
        ("mbs-roulette-v3", RED, 1000, 1010),
        ("mbs-roulette-v3", RED, 5000, 10_000),
        ("mbs-roulette-v3", RED, 20_000, 40_000),
        ("mbs-roulette-v2", RED, 10_000_000, 10_000_050),
        ("rws-triple-zero", RED_TRIPLE, 123_456, 123_500),
    ],
)
def test_red_until_it_ends(
    game: str, chance: Fraction, units: int, target: int
) -> None:
    check_red(game, chance, units, target)


def test_the_text_of_a_probability_too_small_for_a_double() -> None:
    text = croupier(
        *("session", "mbs-roulette-v3", "-w", "red@1"),
        *("--bankroll", "20000", "--target", "40000"),
    ).out

    percent = gamblers_ruin(RED, 20_000, 40_000).reached * 100
    assert f"{percent:.3e} %" in text


@pytest.mark.parametrize(
    ("units", "target", "rounds"), [(50, 100, 700), (100, 130, 2000), (300, 600, 900)]
)
def test_red_for_many_rounds(units: int, target: int, rounds: int) -> None:
    told = figures(
        *("session", "mbs-roulette-v3", "-w", "red@1", "--rounds", str(rounds)),
        *("--bankroll", str(units), "--target", str(target)),
    )

    reached, ruined = walk(RED, units, target, rounds)
    for end, mine in (("reached", reached), ("ruined", ruined)):
        off = abs(told[end]["value"] - mine)
        assert off <= told[end]["error"] + 1e-12 * max(mine, 1e-6), end


@pytest.mark.parametrize(
    ("bankroll", "rounds"), [(10**9, 100), (2_000_000, 100_000), (10**7, 1_000_000)]
)
def test_red_without_an_end(bankroll: int, rounds: int) -> None:
    told = figures(
        *("session", "mbs-roulette-v3", "-w", "red@1"),
        *("--bankroll", str(bankroll), "--rounds", str(rounds)),
    )

    mine = ahead_after(RED, rounds)
    assert told["ruined"]["value"] == 0
    assert holds(told["rounds_played"], Decimal(rounds))
    assert abs(told["ahead"]["value"] - mine) <= told["ahead"]["error"] + 1e-10 * mine
    assert told["net_cents"]["value"] == pytest.approx(-100 * rounds / 37, rel=1e-9)


@pytest.mark.parametrize(
    ("units", "stop_loss", "target"), [(1000, 200, 1100), (50_000, 3000, 50_100)]
)
def test_a_stop_loss_makes_a_small_bankroll_of_a_large_one(
    units: int, stop_loss: int, target: int
) -> None:
    told = figures(
        *("session", "mbs-roulette-v3", "-w", "red@1", "--stop-loss", str(stop_loss)),
        *("--bankroll", str(units), "--target", str(target)),
    )

    mine = gamblers_ruin(RED, stop_loss, stop_loss + target - units)
    assert holds(told["reached"], mine.reached)
    assert holds(told["stopped_by_loss"], 1 - mine.reached)
    assert holds(told["stopped"], 1 - mine.reached)
    assert holds(told["rounds_played"], mine.rounds)
    assert told["ruined"]["value"] == 0


def test_a_stop_loss_a_target_and_rounds() -> None:
    told = figures(
        *("session", "mbs-roulette-v3", "-w", "red@1", "--stop-loss", "40"),
        *("--bankroll", "500", "--target", "560", "--rounds", "800"),
    )

    reached, lost = walk(RED, 40, 100, 800)
    assert told["reached"]["value"] == pytest.approx(reached, rel=1e-11)
    assert told["stopped_by_loss"]["value"] == pytest.approx(lost, rel=1e-11)
    assert told["playing"]["value"] == pytest.approx(1 - reached - lost, rel=1e-9)
