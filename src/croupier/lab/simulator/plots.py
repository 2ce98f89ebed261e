"""Sessions drawn: the courses of the first ones, and how all of them end."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from croupier.lab.sessions.report import (
    draw_bounds,
    draw_fan,
)
from croupier.lab.sessions.result import SessionResult
from croupier.lab.simulator.lattice_bins import bins_on_lattice
from croupier.lab.simulator.own.plain import course_cents
from croupier.lab.simulator.own.sessions import StrategySessions
from croupier.lab.simulator.plain import course
from croupier.lab.simulator.simulation import Histogram, Simulation
from croupier.lab.simulator.simulation_report import simulation_head
from croupier.tabular.plots import legend_above, new_figure

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
    """Draw two pictures; raise `MissingExtra` without matplotlib."""
    figure = new_figure(9, 7)
    courses, ends = figure.subplots(2, 1)
    # Over the exact fan, where it is known.
    if simulation.exact is None:
        draw_bounds(courses, simulation.request)
    else:
        draw_fan(courses, simulation.exact)
    _draw_courses(courses, _courses(simulation))
    _draw_ends(ends, simulation.histogram, simulation.exact)
    figure.suptitle(simulation_head(simulation), fontsize=10)
    return figure


def plot_strategy(played: StrategySessions) -> Figure:
    """Draw the same of a strategy that chooses its wagers."""
    figure, plan = new_figure(9, 7), played.plan
    courses, ends = figure.subplots(2, 1)
    draw_bounds(courses, plan)
    rounds, count = _drawn(plan.rounds, plan.sessions)
    lines = [
        [cents / 100 for cents in course_cents(plan, session, rounds)]
        for session in range(count)
    ]
    _draw_courses(courses, lines)
    cents, sessions = np.unique(
        played.records.column("bankroll_cents"), return_counts=True
    )
    _draw_ends(ends, Histogram(cents, sessions, 0), None)
    figure.suptitle(simulation_head(played), fontsize=10)
    return figure


def _drawn(rounds: int, sessions: int) -> tuple[int, int]:
    """Return how many rounds of how many sessions play quickly."""
    rounds = min(rounds, _MOST_SPINS // _FEWEST_SESSIONS)
    return rounds, min(sessions, _MOST_SESSIONS, _MOST_SPINS // rounds)


def _courses(simulation: Simulation) -> list[list[float]]:
    """Return bankrolls of the first sessions, for as many rounds as play quickly."""
    plan = simulation.plan
    rounds, count = _drawn(plan.rounds, simulation.sessions)
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


def _draw_ends(axes: Axes, found: Histogram, known: SessionResult | None) -> None:
    """Draw bars of the bankrolls at the end, in percent of the sessions."""
    first, width, bars = bins_on_lattice(found, _BARS)
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
