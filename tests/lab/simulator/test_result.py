"""Figures from the sums: against the same sessions, played one by one."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from statistics import mean, stdev
from typing import Any

import numpy as np
import pytest
from matplotlib.patches import Rectangle

from croupier.extras import MissingExtra
from croupier.lab.simulator import Simulation, simulate
from croupier.lab.simulator.plain import PlayedSession, course
from croupier.lab.simulator.plan import STAKED
from croupier.lab.simulator.stakes import SessionEnd

SESSIONS = 500


def played(**more: Any) -> Simulation:
    usual = {"bankroll": 60, "rounds": 25, "strategy": "d-alembert", "seed": 6}
    words = {"sessions": SESSIONS, "engine": "plain", **usual, **more}
    return simulate("mbs-roulette-v3", "dozen:1@2", **words)


def one_by_one(simulation: Simulation) -> list[PlayedSession]:
    return [[*course(simulation.plan, n)][-1] for n in range(simulation.sessions)]


@pytest.fixture(scope="module")
def simulation() -> Simulation:
    return played(target=90, stop_loss=50)


def test_proportions_and_means_are_those_of_the_sessions(
    simulation: Simulation,
) -> None:
    each = one_by_one(simulation)
    grain = simulation.plan.grain_cents
    nets = [one.bankroll * grain - 6000 for one in each]
    stakes = [one.staked * 200 for one in each]

    for name, end in (
        ("ruined", SessionEnd.RUINED), ("reached", SessionEnd.REACHED),
        ("stopped", SessionEnd.STOPPED), ("playing", SessionEnd.PLAYING),
    ):  # fmt: skip
        share = sum(one.end is end for one in each) / SESSIONS
        assert getattr(simulation, name).value == share
    assert simulation.ahead.value == sum(net > 0 for net in nets) / SESSIONS
    assert simulation.rounds_played.value == mean(one.rounds for one in each)
    assert simulation.net_cents.value == pytest.approx(mean(nets))
    assert simulation.net_cents.deviation == pytest.approx(stdev(nets))
    assert simulation.staked_cents.value == pytest.approx(mean(stakes))
    assert simulation.staked_cents.deviation == pytest.approx(stdev(stakes))
    assert simulation.return_rate.value == pytest.approx(sum(nets) / sum(stakes))
    assert simulation.spins == sum(one.rounds for one in each)


def test_an_interval_of_a_mean_is_a_little_wider_than_its_standard_error(
    simulation: Simulation,
) -> None:
    net = simulation.net_cents

    assert net.deviation is not None
    half = 2.5758293 * net.deviation / SESSIONS**0.5
    assert half < net.high - net.value < 1.2 * half
    assert 0.95 * half < net.value - net.low < 1.2 * half


def test_the_interval_of_the_return_is_wider_than_that_of_the_ratio(
    simulation: Simulation,
) -> None:
    each = one_by_one(simulation)
    grain, rate = simulation.plan.grain_cents, simulation.return_rate
    left = [o.bankroll * grain - 6000 - rate.value * o.staked * 200 for o in each]
    staked = mean(one.staked * 200 for one in each)

    half = 2.5758293 * stdev(left) / SESSIONS**0.5 / staked

    assert half <= rate.high - rate.value < 3 * half
    assert rate.is_inside


def test_quantiles_are_those_of_the_sorted_sessions(simulation: Simulation) -> None:
    grain = simulation.plan.grain_cents
    money = sorted(one.bankroll * grain for one in one_by_one(simulation))

    for level, found in simulation.quantiles.items():
        place = -(-level * SESSIONS // 1)
        assert found.cents == money[int(place) - 1]
        assert found.low_cents <= found.cents <= found.high_cents
        assert found.low_cents in money
        assert found.high_cents in money


def test_too_few_sessions_leave_a_quantile_without_a_bound() -> None:
    few = played(sessions=3)

    middle = few.quantiles[Fraction(1, 2)]

    assert middle.low_cents == 0
    assert middle.high_cents == few.plan.highest * few.plan.grain_cents


def test_a_quantile_without_a_bound_is_not_below_what_can_be_left() -> None:
    rich = simulate(
        "mbs-roulette-v3", "red@10", bankroll=10**6, rounds=30, sessions=3, seed=1
    )

    lowest = min(found.low_cents for found in rich.quantiles.values())
    assert lowest == 100 * (10**6 - 300)


def test_one_session_has_no_deviation_and_an_interval_all_the_same() -> None:
    one = played(sessions=1)

    assert one.net_cents.deviation == 0
    assert one.net_cents.low < one.net_cents.value < one.net_cents.high
    assert one.rounds_played.low >= 0


def test_the_histogram_has_every_session(simulation: Simulation) -> None:
    grain = simulation.plan.grain_cents
    money = [one.bankroll * grain for one in one_by_one(simulation)]

    found = simulation.histogram

    assert found.width_cents == 0
    assert dict(zip(found.cents.tolist(), found.sessions.tolist(), strict=True)) == {
        cents: money.count(cents) for cents in money
    }


def test_a_histogram_of_fewer_bins_has_every_session_too(
    simulation: Simulation,
) -> None:
    found = simulation.histogram_of(5)

    assert 1 <= len(found.cents) <= 5
    assert found.sessions.sum() == SESSIONS
    assert (found.cents % found.width_cents == 0).all()


def test_bankrolls_too_many_to_count_are_counted_in_steps() -> None:
    fine, wide = played(), played()
    bins = np.zeros(wide.plan.bins // 4 + 1, np.uint64)
    np.add.at(bins, np.arange(wide.plan.bins) // 4, wide.tally.bins)
    plan = replace(wide.plan)
    plan.__dict__["bin_shift"] = 2
    wide = replace(wide, plan=plan, tally=replace(wide.tally, bins=bins))

    width = 4 * plan.grain_cents

    assert wide.histogram.width_cents == width
    for level, quantile in wide.quantiles.items():
        exact = fine.quantiles[level]
        assert quantile.cents <= exact.cents < quantile.cents + width
        assert quantile.low_cents <= exact.low_cents
        assert quantile.high_cents >= exact.high_cents
    assert f"counted in steps of {width / 100:.2f}" in str(wide)


def test_squares_of_large_values_lose_little() -> None:
    exact = played()
    shift = 2
    units = [one.staked for one in one_by_one(exact)]
    words = exact.tally.words.copy()
    lost = sum((value >> shift) ** 2 for value in units)
    words[5 + 2 * (3 + STAKED) : 7 + 2 * (3 + STAKED)] = lost, 0
    plan = replace(exact.plan)
    plan.__dict__["shifts"] = (0, shift, 0)

    rough = replace(exact, plan=plan, tally=replace(exact.tally, words=words))

    assert rough.staked_cents.value == exact.staked_cents.value
    assert rough.staked_cents.deviation == pytest.approx(
        exact.staked_cents.deviation, rel=0.02
    )


def test_it_is_told_in_lines_and_as_a_table(simulation: Simulation) -> None:
    text, page = str(simulation), simulation._repr_html_()

    assert text.startswith(
        "Roulette: d-alembert with dozen:1@2, from 60.00 to 90.00, 25 rounds,"
        " a stop-loss of 50.00, 500 sessions\n"
    )
    assert f"Seed 6: {simulation.spins:,} spins drawn." in text
    assert "Exact: calculated in fractions." in text
    assert "Ruined: the bankroll can't pay the next wager." in text
    assert page.count("<tr>") == len(text.split("\n\n")[1].splitlines())
    assert "<script" not in page


def test_the_exact_answer_stands_beside() -> None:
    found = played(level=0.95)

    text = str(found)

    assert "95 % from" in text
    assert "answers lie inside; by chance up to about 1 in 20 does not." in text
    assert found.exact is not None
    assert f"{float(found.exact.ruined) * 100:.4f} %" in text


def test_it_is_drawn_with_the_exact_answer_and_without() -> None:
    for found in (played(), played(stop_loss=50, target=90)):
        figure = found.plot().figure

        courses, ends = figure.axes
        _, labels = courses.get_legend_handles_labels()
        assert "the first 100 sessions" in labels
        heights = [
            bar.get_height() for bar in ends.patches if isinstance(bar, Rectangle)
        ]
        assert sum(heights) == pytest.approx(100)


def test_all_sessions_alike_are_drawn_too() -> None:
    figure = played(sessions=1, rounds=1).plot().figure

    assert len(figure.axes) == 2


def test_without_matplotlib_a_picture_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, simulation: Simulation
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.figure", None)

    with pytest.raises(MissingExtra, match=r"pip install 'croupier\[odds\]'"):
        simulation.plot()


def test_figures_are_a_frame_of_a_row_each() -> None:
    words: dict[str, Any] = {"bankroll": 9, "rounds": 9, "sessions": 50, "seed": 1}
    simulation = simulate("mbs-roulette-v3", "red@1", **words)

    rows = {row["figure"]: row for row in simulation.to_frame().to_dicts()}

    net = simulation.net_cents
    assert net.exact is not None
    assert rows["net_cents"] == {
        "figure": "net_cents",
        "value": net.value,
        "low": net.low,
        "high": net.high,
        "exact": float(net.exact),
    }
    assert rows.keys() >= {"ruined", "playing", "staked_cents", "return_rate"}
