"""The plan as a picture: what is in it, on light and on dark ground."""

from __future__ import annotations

import numpy as np

from croupier.lab.best_play import best_play

V3 = "mbs-roulette-v3"


def test_three_pictures_share_the_bankroll() -> None:
    best = best_play(V3, bankroll=10, target=20)

    reached, stakes, rounds = best.plot().figure.axes

    assert rounds.get_xlabel() == "bankroll"
    assert reached.get_ylabel() == "target reached, %"
    assert stakes.get_ylabel() == "staked in all"
    assert len(reached.lines) == 3
    assert len(rounds.lines) == 2


def test_every_bankroll_has_its_stake_in_the_picture() -> None:
    best = best_play(V3, bankroll=100, target=200, chip=10, over="several-areas")

    _, stakes, *_ = best.plot().figure.axes

    drawn = {
        (float(x), float(y))
        for points in stakes.collections
        for x, y in np.asarray(points.get_offsets())
    }
    assert drawn == {
        (cents / 100, sum(each.stake_cents or 0 for each in chips) / 100)
        for cents, chips, _ in best.plan()
        if chips
    }
