"""Plots of a checked wheel: counts, the Player's edge, sectors, and drift."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.batch.compiled import Floats
from croupier.lab.wheel.check import WheelCheck
from croupier.lab.wheel.check_text import head
from croupier.lab.wheel.drift import ChangeScan, counts_until, number_scan, sector_scan
from croupier.lab.wheel.monte_carlo import random_orders
from croupier.lab.wheel.record import WheelError
from croupier.lab.wheel.single_tests import deviations, fair_furthest, ring_arc
from croupier.numeric.probability import least_above
from croupier.rules.wheel import Colour, colour_of
from croupier.tabular.plots import BLACK, BLUE, GREEN, RED, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FILLS = {Colour.RED: RED, Colour.BLACK: BLACK, Colour.GREEN: GREEN}
_BAND: dict[str, Any] = {"color": BLUE, "alpha": 0.18, "linewidth": 0}
_LINE: dict[str, Any] = {"color": BLUE, "linewidth": 1}
_OUTSIDE = 0.99
"""The part of fair wheels that stays wholly within a band."""
_LINES = 5
_ORDERS = 999
"""Random orders of the record that the band of drift is drawn from."""


def plot_wheel(check: WheelCheck) -> Figure:
    """Draw all plots in one figure; raise `MissingExtra` without matplotlib."""
    if not check.judged:
        raise WheelError(f"{check.record.spins} outcomes are too few to draw")
    record, pictures = check.record, [_draw_counts, _draw_edges]
    scans = [number_scan(record)]
    if record.knows_ring:
        pictures.append(_draw_sectors)
        scans.append(sector_scan(record))
    pictures += [partial(_draw_drift, scan=scan) for scan in scans]
    figure = new_figure(10, 3.2 * len(pictures))
    axes = figure.subplots(len(pictures), 1)
    for draw, axis in zip(pictures, axes, strict=True):
        draw(axis, check)
    figure.suptitle(f"{head(check.record)}\n{check.verdict.value}", fontsize=10)
    return figure


def _round_the_wheel(axes: Axes, check: WheelCheck) -> Floats:
    """Label the axis with the numbers of the ring, and return their places."""
    places = np.arange(check.record.compartments)
    axes.set_xticks(places, check.record.ring, fontsize=8)
    axes.set_xlim(-0.6, check.record.compartments - 0.4)
    return np.asarray(places, dtype=np.float64)


def _fills(check: WheelCheck) -> list[str]:
    return [_FILLS[colour_of(number)] for number in check.record.ring]


def _draw_counts(axes: Axes, check: WheelCheck) -> None:
    """Draw a bar for each number, and the band of a fair wheel for all at once."""
    record = check.record
    # The probability outside the band is shared by both sides of all numbers.
    tail = (1 - _OUTSIDE) / record.compartments / 2
    chance = 1 / record.compartments
    high = least_above(record.spins, chance, tail) - 1
    low = record.spins - least_above(record.spins, 1 - chance, tail) + 1
    said = f"{_OUTSIDE * 100:.0f} % of fair wheels, or more, lie wholly in here"
    axes.axhspan(low, high, label=said, **_BAND)
    axes.axhline(record.expected, **_LINE)
    places = _round_the_wheel(axes, check)
    axes.bar(places, record.counts, color=_fills(check), width=0.75)
    axes.set_ylabel("came up")
    order = "round the wheel" if record.knows_ring else "in an illustrative order (W2)"
    axes.set_title(f"Counts, {order}", fontsize=9)
    # Leave room above the bars for the legend.
    axes.set_ylim(0, max(int(record.counts.max()), high) * 1.2)
    axes.legend(loc="upper right", fontsize=8)


def _draw_edges(axes: Axes, check: WheelCheck) -> None:
    """Draw the Player's edge on each number, with its interval."""
    edges = [each.edge for each in check.intervals.numbers]
    places = _round_the_wheel(axes, check)
    fills = _fills(check)
    lows = [100 * edge.low for edge in edges]
    highs = [100 * edge.high for edge in edges]
    axes.axhline(0, **_LINE)
    axes.vlines(places, lows, highs, colors=fills, linewidth=1.4)
    axes.scatter(places, [100 * edge.value for edge in edges], c=fills, s=14, zorder=3)
    axes.set_ylabel("of the stake, in %")
    axes.set_title(
        "The Player's edge on each number, straight up; all intervals hold at once with"
        f" {check.confidence * 100:g} %",
        fontsize=9,
    )


def _draw_sectors(axes: Axes, check: WheelCheck) -> None:
    """Draw, for each number, the greatest deviation of the arcs around it."""
    record = check.record
    table = deviations(record.counts[np.newaxis])[0]
    middle = np.zeros(record.compartments)
    for row, of_length in enumerate(table):
        around = np.roll(of_length, (row + 2) // 2)
        middle = np.where(np.abs(around) > np.abs(middle), around, middle)
    drawn = fair_furthest(record.spins, record.compartments, check.plan)
    edge = float(np.quantile(drawn, _OUTSIDE))
    axes.axhspan(-edge, edge, **_BAND)
    axes.axhline(0, **_LINE)
    axes.bar(_round_the_wheel(axes, check), middle, color="#7a5c00", width=0.75)
    axes.set_ylabel("standard deviations")
    axes.set_title("Sectors: the furthest arc about each number", fontsize=9)


def _draw_drift(axes: Axes, check: WheelCheck, scan: ChangeScan) -> None:
    """Draw the leads of numbers or sectors that moved most; sectors don't overlap."""
    timeline = counts_until(check.record, scan.edges)
    arcs = [
        (float(np.abs(path).max()), first, length, path)
        for length in scan.lengths
        for first, path in enumerate(scan.deviations(timeline, length))
    ]
    named: list[tuple[str, Floats]] = []
    taken: set[str] = set()
    for _, first, length, path in sorted(arcs, key=lambda arc: -arc[0]):
        numbers = ring_arc(check.record, first, length)
        if len(named) < _LINES and not taken & set(numbers):
            taken |= set(numbers)
            named.append((_ends(numbers), path))
    what = "numbers" if scan.lengths == (1,) else "sectors"
    axes.set_title(f"Drift: the {what} that moved most", fontsize=9)
    _draw_paths(axes, check, scan, named)


def _ends(numbers: tuple[str, ...]) -> str:
    return " ".join(numbers) if len(numbers) <= 3 else f"{numbers[0]} … {numbers[-1]}"


def _draw_paths(
    axes: Axes, check: WheelCheck, scan: ChangeScan, named: list[tuple[str, Floats]]
) -> None:
    """Draw paths over the band that random orders of the record stay in."""
    generator = np.random.default_rng(check.plan.seed)
    orders = random_orders(scan.totals, scan.edges, _ORDERS, generator)
    edge = float(np.quantile(scan.of_orders(orders), _OUTSIDE))
    axes.axhspan(-edge, edge, **_BAND)
    axes.axhline(0, **_LINE)
    for name, inside in named:
        path: Any = np.concatenate([[0.0], inside, [0.0]])
        axes.plot(scan.edges, path, label=name, linewidth=1.2)
    # Leave room above the band and the paths for the legend.
    low, high = axes.get_ylim()
    axes.set_ylim(low, high + 0.15 * (high - low))
    axes.set_xlim(0, scan.spins)
    axes.set_xlabel("outcomes")
    axes.set_ylabel("ahead, weighed")
    axes.legend(loc="upper left", fontsize=8, ncols=_LINES)
