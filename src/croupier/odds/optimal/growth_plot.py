"""Stakes for growth drawn: what lies where, and what more or less of it would do."""

from __future__ import annotations

from math import expm1
from typing import TYPE_CHECKING

from croupier.odds.optimal.growth import GrowthPlay
from croupier.odds.optimal.growth_report import growth_head
from croupier.odds.optimal.plot import DARK, LIGHT, PlotColours, colour_figure
from croupier.odds.sessions.report import legend_above, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_STEPS = 200
_MOST_MULTIPLE = 3


def plot_growth(play: GrowthPlay, *, dark: bool = False) -> Figure:
    """Draw two pictures; raise `SessionError` without matplotlib."""
    colours = DARK if dark else LIGHT
    figure = new_figure(9, 7)
    stakes, curve = figure.subplots(2, 1)
    _draw_stakes(stakes, play, colours)
    _draw_curve(curve, play, colours)
    figure.suptitle(growth_head(play), fontsize=10, color=colours.ink)
    colour_figure(figure, colours)
    return figure


def _draw_stakes(axes: Axes, play: GrowthPlay, colours: PlotColours) -> None:
    """Draw a bar for each area's stake, and the best in parts of chips."""
    unit = play.chip_cents / 100
    names = [choice.name.replace("straight_up:", "") for choice in play.choices]
    places = range(len(names))
    axes.bar(
        places,
        [chips * unit for chips in play.found.stakes],
        color=colours.line,
        label="in whole chips",
    )
    axes.plot(
        places,
        [chips * unit for chips in play.found.in_parts],
        "_",
        color=colours.mark,
        markersize=9,
        label="in parts of chips, without minima",
    )
    axes.set_xticks(list(places), names, fontsize=7, rotation=90)
    axes.set_ylabel("stake")
    axes.set_ylim(bottom=0)
    legend_above(axes)


def _draw_curve(axes: Axes, play: GrowthPlay, colours: PlotColours) -> None:
    """Draw the growth over multiples of the stakes."""
    multiples = [place / _STEPS for place in range(_MOST_MULTIPLE * _STEPS + 1)]
    found = [(each, play.growth_at(each)) for each in multiples]
    points = [(each, 100 * expm1(g)) for each, g in found if g is not None]
    axes.plot(
        [each for each, _ in points],
        [growth for _, growth in points],
        color=colours.line,
        label="growth a round",
    )
    axes.plot(
        [1.0], [play.percent_a_round], "o", color=colours.mark, label="these stakes"
    )
    axes.axhline(0, color=colours.quiet, linewidth=0.8)
    axes.set_xlabel("so many times these stakes")
    axes.set_ylabel("growth a round, %")
    axes.set_xlim(0, _MOST_MULTIPLE)
    legend_above(axes)
