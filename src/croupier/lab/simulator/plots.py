"""Plots of simulated sessions: the course of some, and the ends of all."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from croupier.lab.sessions.report import draw_bounds, draw_fan
from croupier.lab.sessions.result import SessionResult
from croupier.lab.simulator.plain import course
from croupier.lab.simulator.plan import SessionPlan
from croupier.lab.simulator.simulation import Histogram, PlayedSessions
from croupier.lab.simulator.simulation_report import simulation_head
from croupier.tabular.plots import AMBER, BLUE, GREY, legend_above, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_SPINS = 60_000
_MOST_SESSIONS = 100
_FEWEST_SESSIONS = 20
_BARS = 80
_TOWERING = 20
"""The scale is logarithmic if a bar is this many times as high as the median."""
_LINE, _FILL, _EXACT = GREY, BLUE, AMBER


def plot_simulation(played: PlayedSessions) -> Figure:
    """Draw two pictures; raise `MissingExtra` without matplotlib."""
    figure = new_figure(9, 7)
    courses, ends = figure.subplots(2, 1)
    # Over the exact fan, if it is known.
    if played.exact is None:
        draw_bounds(courses, played.request.target_cents, played.request.floor_cents)
    else:
        draw_fan(courses, played.exact)
    _draw_courses(courses, _courses(played.plan))
    _draw_ends(ends, played.histogram, played.exact)
    figure.suptitle(simulation_head(played), fontsize=10)
    return figure


def _courses(plan: SessionPlan) -> list[list[float]]:
    """Return the bankrolls of some sessions, over as many rounds as play quickly."""
    rounds = min(plan.rounds, _MOST_SPINS // _FEWEST_SESSIONS)
    count = min(plan.sessions, _MOST_SESSIONS, _MOST_SPINS // rounds)
    return [
        [
            step.bankroll * plan.grain_cents / 100
            for step in islice(course(plan, session), rounds + 1)
        ]
        for session in range(count)
    ]


def _draw_courses(axes: Axes, lines: list[list[float]]) -> None:
    for place, money in enumerate(lines):
        axes.step(
            range(len(money)),
            money,
            where="post",
            color=_LINE,
            alpha=max(0.15, 3 / (len(lines) + 2)),
            linewidth=0.8,
            label=f"the first {len(lines)} sessions" if place == 0 else None,
        )
    axes.set_xlabel("rounds")
    axes.set_ylabel("bankroll")
    legend_above(axes)


def bars_of(found: Histogram, most: int) -> tuple[int, int, int]:
    """Return the start of the bars, their width, and their number, about `most`.

    Bankrolls differ by multiples of the difference between a win and a loss. Every bar
    covers the same number of these places: otherwise some bars would be empty. Ruined
    sessions and those at the target lie apart from the others, at the ends.
    """
    cents = found.cents.astype(np.int64)
    low, high = int(cents[0]), int(cents[-1])
    inner = cents[1:-1] if len(cents) > 3 else cents
    apart = max(int(np.gcd.reduce(np.diff(inner), initial=0)), found.width_cents, 1)
    width = apart * -(-((high - low) // apart + 2) // most)
    first = int(inner[0]) - apart // 2
    first -= -(-(first - low) // width) * width
    return first, width, (high - first) // width + 1


def _draw_ends(axes: Axes, found: Histogram, known: SessionResult | None) -> None:
    """Draw bars of the bankrolls at the end, in percent of the sessions."""
    first, width, bars = bars_of(found, _BARS)
    heights = np.zeros(bars)
    np.add.at(heights, (found.cents - first) // width, found.sessions.astype(float))
    edges = (first + width * np.arange(bars)) / 100
    axes.bar(
        edges,
        100 * heights / heights.sum(),
        width=width / 100,
        align="edge",
        color=_FILL,
        alpha=0.45,
        label="drawn",
    )
    if known is not None:
        exact = np.zeros(bars)
        for cents, chance in known.bankrolls.items():
            if first <= cents < first + bars * width:
                exact[(cents - first) // width] += 100 * float(chance)
        axes.plot(
            edges + width / 200,
            exact,
            linestyle="none",
            marker="_",
            color=_EXACT,
            label="exact",
        )
    axes.set_xlabel("bankroll at the end")
    axes.set_ylabel("sessions, %")
    filled = heights[heights > 0]
    if filled.max() > _TOWERING * np.median(filled):
        axes.set_yscale("log")
    else:
        axes.set_ylim(bottom=0)
    legend_above(axes)
