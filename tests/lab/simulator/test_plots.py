"""Bars of the bankrolls at the end: on their lattice, under a legend beside them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from croupier.lab.simulator import Simulation, simulate
from croupier.lab.simulator.plots import bars_of, plot_simulation


def ended(wager: str, **words: Any) -> Simulation:
    usual = {"bankroll": 1000, "rounds": 200, "sessions": 20_000, "seed": 1}
    return simulate("mbs-roulette-v3", wager, **{**usual, **words})


@pytest.mark.parametrize(
    ("wager", "words", "apart"),
    [
        ("red@10", {}, 2_000),
        ("red@10", {"rounds": 201, "target": 1100, "stop_loss": 300}, 2_000),
        ("17@5", {"bankroll": 5000, "rounds": 1_000}, 18_000),
        ("17/20@5", {"rounds": 101}, 9_000),
    ],
)
@pytest.mark.parametrize("most", [80, 9])
def test_each_bar_has_as_many_points_of_the_lattice(
    wager: str, words: dict[str, Any], apart: int, most: int
) -> None:
    found = ended(wager, **words).histogram

    first, width, bars = bars_of(found, most)

    heights = np.bincount((found.cents - first) // width, found.sessions, bars)
    assert width % apart == 0
    assert len(heights) == bars <= most + 1
    assert heights.sum() == 20_000
    # No stripes: where many sessions end, no bar is empty.
    likely = np.flatnonzero(heights > 200)
    assert heights[likely[0] : likely[-1] + 1].min() > 0


def test_sessions_that_all_end_alike_have_a_bar() -> None:
    found = ended("red@10", rounds=1, bankroll=10, target=20, sessions=1).histogram

    first, width, bars = bars_of(found, 80)

    assert first <= found.cents[0] < first + bars * width


def test_no_legend_covers_what_is_drawn() -> None:
    figure = plot_simulation(ended("red@10", target=1100, sessions=500))

    figure.draw_without_rendering()

    for axes in figure.axes:
        legend = axes.get_legend()
        assert legend is not None
        assert not legend.get_window_extent().overlaps(axes.get_window_extent())
