"""Several areas at once; `tests/figures` tries every way of staking one by one."""

from __future__ import annotations

from fractions import Fraction

import pytest

from croupier.lab.best_play import best_play
from croupier.lab.sessions import SessionError

V3 = "mbs-roulette-v3"


@pytest.mark.parametrize("limits", [(), ("* 1 3",), ("* 2 9", "straight_up 1 2")])
@pytest.mark.parametrize(
    "game", [V3, "mbs-complete-bet-v2", "mbs-fast-action-v2", "rws-triple-zero"]
)
def test_several_areas_are_no_worse_than_one(
    game: str, limits: tuple[str, ...]
) -> None:
    one, several = (
        best_play(game, bankroll=31, target=60, over=over, limits=limits)
        for over in ("one-area", "several-areas")
    )

    assert several.attained is not None
    assert one.attained is not None
    slack = several.probability.error
    assert several.attained >= one.attained - slack
    assert slack < Fraction(1, 10**9)
    assert several.probability.greatest <= Fraction(31, 60)


def test_two_areas_of_a_plan_never_win_together() -> None:
    from croupier.odds.model import cases_of, model_of

    cases = cases_of(model_of(V3))
    for limits in ((), ("* 1 2",), ("* 5 20",)):
        best = best_play(
            V3, bankroll=50, target=100, over="several-areas", limits=limits
        )
        for cents, chips, _ in best.plan():
            names = {each.wager for each in chips}
            assert len(names) == len(chips)
            assert sum(each.stake_cents or 0 for each in chips) <= cents
            for case in cases:
                assert len(names & set(case.winning)) <= 1


def test_the_bound_is_at_most_the_fair_probability() -> None:
    """From half the target nothing with an edge has more than one half."""
    best = best_play(V3, bankroll=10, target=20, over="several-areas")

    assert best.probability.greatest <= Fraction(1, 2)


def test_too_many_chips_for_several_areas() -> None:
    with pytest.raises(SessionError, match="500 or fewer"):
        best_play(V3, bankroll=10, target=501, over="several-areas")


def test_the_text_names_the_searched_plays() -> None:
    told = str(best_play(V3, bankroll=100, target=200, chip=10, over="several-areas"))

    assert "street:0/1/2@" in told or "split:0/1@" in told
    assert (
        "Searched: any of 157 betting areas at once of which no two can win together,"
        " each with any stake in whole chips that the limits allow." in told
    )
