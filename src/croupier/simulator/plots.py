"""A simulation drawn: the courses of some sessions, and the bankrolls at the end."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from croupier.odds.sessions.plots import draw_fan, draw_target, new_figure
from croupier.simulator.plain import course
from croupier.simulator.report import simulation_head
from croupier.simulator.simulation import Simulation

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_MOST_SPINS = 60_000
_MOST_SESSIONS = 100
_FEWEST_SESSIONS = 20
_BARS = 80
_TOWERING = 20
"""A bar so many times as high as the usual one would leave nothing of the others."""
_LINE, _FILL, _EXACT = "#6b6b6b", "#2f5fa7", "#d99a1c"


def plot_simulation(simulation: Simulation) -> Figure:
    """Draw two pictures; raise `SessionError` without matplotlib."""
    figure = new_figure(9, 7)
    courses, ends = figure.subplots(2, 1)
    _draw_courses(courses, simulation)
    _draw_ends(ends, simulation)
    figure.suptitle(simulation_head(simulation), fontsize=10)
    return figure


def _draw_courses(axes: Axes, simulation: Simulation) -> None:
    """Draw the first sessions, over the exact fan where it is known."""
    if simulation.exact is None:
        draw_target(axes, simulation.request)
    else:
        draw_fan(axes, simulation.exact)
    lines = _courses(simulation)
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
    axes.legend(loc="upper left", fontsize=8)


def _courses(simulation: Simulation) -> list[list[float]]:
    """Return bankrolls of the first sessions, for as many rounds as play quickly."""
    plan = simulation.plan
    rounds = min(plan.rounds, _MOST_SPINS // _FEWEST_SESSIONS)
    count = min(simulation.sessions, _MOST_SESSIONS, _MOST_SPINS // rounds)
    return [
        [
            step.bankroll * plan.grain_cents / 100
            for step in islice(course(plan, session), rounds + 1)
        ]
        for session in range(count)
    ]


def _draw_ends(axes: Axes, simulation: Simulation) -> None:
    """Draw bars of the bankrolls at the end, in percent of the sessions."""
    found = simulation.histogram
    low, high = int(found.cents[0]), int(found.cents[-1]) + 1
    width = max(1, found.width_cents, -(-(high - low) // _BARS))
    bars = -(-(high - low) // width)
    heights = np.zeros(bars)
    np.add.at(heights, (found.cents - low) // width, found.sessions.astype(float))
    edges = (low + width * np.arange(bars)) / 100
    axes.bar(
        edges,
        100 * heights / simulation.sessions,
        width=width / 100,
        align="edge",
        color=_FILL,
        alpha=0.45,
        label="drawn",
    )
    if simulation.exact is not None:
        exact = np.zeros(bars)
        for cents, chance in simulation.exact.bankrolls.items():
            if low <= cents < low + bars * width:
                exact[(cents - low) // width] += 100 * float(chance)
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
    axes.legend(loc="upper right", fontsize=8)
