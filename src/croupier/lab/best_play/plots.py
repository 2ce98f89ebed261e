"""Plots of best play and of stakes for growth."""

from __future__ import annotations

from math import expm1
from typing import TYPE_CHECKING

from croupier.lab.best_play.growth import GrowthPlay
from croupier.lab.best_play.play import BestPlay
from croupier.tabular.plots import GREY, NAVY, RED, legend_above, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def plot_best_play(best: BestPlay) -> Figure:
    """Draw the plan in three pictures; raise `MissingExtra` without matplotlib."""
    figure = new_figure(9, 10)
    reached, stakes, rounds = figure.subplots(
        3, 1, sharex=True, height_ratios=(2, 3, 2)
    )
    rows = list(best.plan())
    money = [cents / 100 for cents, _, _ in rows]
    fair = [min(100.0, 100 * cents / best.target_cents) for cents, _, _ in rows]
    reached.plot(money, fair, color=GREY, linewidth=0.8, label="a fair game")
    found = [100 * value for _, _, value in rows]
    reached.step(money, found, where="post", color=NAVY, label="best play")
    _mark(reached, best, 100 * float(best.probability))
    reached.set_ylabel("target reached, %")
    legend_above(reached)
    _draw_stakes(stakes, best)
    expected = [float(each) for each in best.durations]
    rounds.step(money, expected, where="post", color=NAVY)
    _mark(rounds, best, float(best.rounds_played))
    rounds.set_ylabel("rounds to the end,\nexpected")
    rounds.set_ylim(bottom=0)
    rounds.set_xlabel("bankroll")
    rounds.set_xlim(0, best.target_cents / 100)
    figure.suptitle(best.head, fontsize=10)
    return figure


def _mark(axes: Axes, best: BestPlay, at: float) -> None:
    bankroll = best.bankroll_cents / 100
    axes.plot([bankroll], [at], "o", color=RED, label="this bankroll", zorder=5)


def _draw_stakes(axes: Axes, best: BestPlay) -> None:
    """Draw each bankroll's stake; those that the plan can reach stand out."""
    placed = [
        (cents, sum(each.stake_cents or 0 for each in chips) / 100)
        for cents, chips, _ in best.plan()
        if chips
    ]
    for label, colour, on_the_way in (
        ("at other bankrolls", GREY, False),
        ("where the plan can come to", NAVY, True),
    ):
        there = [each for each in placed if (each[0] in best.on_the_way) is on_the_way]
        money, stakes = [cents / 100 for cents, _ in there], [each for _, each in there]
        axes.scatter(money, stakes, s=14, color=colour, label=label)
    axes.set_ylabel("staked in all")
    axes.set_ylim(bottom=0)
    legend_above(axes)


_STEPS = 200
_MOST_MULTIPLE = 3


def plot_growth(play: GrowthPlay) -> Figure:
    """Draw the stakes, and the growth at multiples of them."""
    figure = new_figure(9, 7)
    stakes, curve = figure.subplots(2, 1)
    names = [choice.name.replace("straight_up:", "") for choice in play.choices]
    unit, places = play.chip_cents / 100, range(len(names))
    stakes.bar(places, [chips * unit for chips in play.found.stakes], color=NAVY)
    stakes.set_xticks(list(places), names, fontsize=7, rotation=90)
    stakes.set_ylabel("stake")
    stakes.set_ylim(bottom=0)
    _draw_curve(curve, play)
    figure.suptitle(play.head, fontsize=10)
    return figure


def _draw_curve(axes: Axes, play: GrowthPlay) -> None:
    """Draw the growth over multiples of the stakes."""
    multiples = [place / _STEPS for place in range(_MOST_MULTIPLE * _STEPS + 1)]
    found = [(each, play.growth_at(each)) for each in multiples]
    points = [(each, 100 * expm1(g)) for each, g in found if g is not None]
    axes.plot(*zip(*points, strict=True), color=NAVY, label="growth a round")
    axes.plot([1.0], [play.percent_a_round], "o", color=RED, label="these stakes")
    axes.axhline(0, color=GREY, linewidth=0.8)
    axes.set_xlabel("multiple of these stakes")
    axes.set_ylabel("growth a round, %")
    axes.set_xlim(0, _MOST_MULTIPLE)
    legend_above(axes)
