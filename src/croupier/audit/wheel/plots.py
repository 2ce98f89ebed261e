"""Plots of a checked wheel: counts round the ring, sectors, and drift."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.audit.wheel.check import WheelCheck
from croupier.audit.wheel.drift import block_counts, bridges, fair_bridges, moments
from croupier.audit.wheel.formats import head
from croupier.audit.wheel.record import WheelError
from croupier.audit.wheel.single_tests import deviations, fair_furthest
from croupier.batch.compiled import Floats
from croupier.odds.probability import least_above
from croupier.rules.wheel import Colour, colour_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_FILLS = {Colour.RED: "#b3261e", Colour.BLACK: "#2b2b2b", Colour.GREEN: "#1b7f4d"}
_BAND: dict[str, Any] = {"color": "#2f5fa7", "alpha": 0.18, "linewidth": 0}
_LINE: dict[str, Any] = {"color": "#2f5fa7", "linewidth": 1}
_OUTSIDE = 0.99
"""Of fair wheels, so many stay wholly within a band."""
_LINES = 5


def plot_wheel(check: WheelCheck) -> Figure:
    """Pictures one above the other; raises `WheelError` without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise WheelError(
            "drawing needs matplotlib: pip install 'croupier[odds]'"
        ) from error
    if not check.judged:
        raise WheelError(f"{check.record.spins} outcomes are too few to draw")
    pictures = [_draw_counts, _draw_drift]
    if check.record.knows_ring:
        pictures.insert(1, _draw_sectors)
    figure = Figure(figsize=(10, 3.4 * len(pictures)), layout="constrained")
    axes = figure.subplots(len(pictures), 1)
    for draw, axis in zip(pictures, axes, strict=True):
        draw(axis, check)
    figure.suptitle(f"{head(check)}\n{check.verdict.value}", fontsize=10)
    return figure


def _draw_counts(axes: Axes, check: WheelCheck) -> None:
    """Draw a bar for each number, and the band of a fair wheel for all at once."""
    record = check.record
    fills = [_FILLS[colour_of(number)] for number in record.ring]
    places = np.arange(record.compartments)
    # Each side of each number has its part of what is left outside the band.
    tail = (1 - _OUTSIDE) / record.compartments / 2
    chance = 1 / record.compartments
    high = least_above(record.spins, chance, tail) - 1
    low = record.spins - least_above(record.spins, 1 - chance, tail) + 1
    said = f"{_OUTSIDE * 100:.0f} % of fair wheels, or more, lie wholly in here"
    axes.axhspan(low, high, label=said, **_BAND)
    axes.axhline(record.expected, **_LINE)
    axes.bar(places, record.counts, color=fills, width=0.75)
    axes.set_xticks(places, record.ring, fontsize=8)
    axes.set_xlim(-0.6, record.compartments - 0.4)
    axes.set_ylabel("came up")
    order = "round the wheel" if record.knows_ring else "in an illustrative order (W2)"
    axes.set_title(f"Counts, {order}", fontsize=9)
    # Below the bars there is room for a legend, above them there may be none.
    axes.set_ylim(0, max(int(record.counts.max()), high) * 1.2)
    axes.legend(loc="upper right", fontsize=8)


def _edge(drawn: Floats) -> float:
    return float(np.quantile(drawn, _OUTSIDE))


def _draw_sectors(axes: Axes, check: WheelCheck) -> None:
    """For each number, the furthest of the arcs that it is the middle of."""
    record = check.record
    table = deviations(record.counts[np.newaxis])[0]
    middle = np.zeros(record.compartments)
    for row, of_length in enumerate(table):
        around = np.roll(of_length, (row + 2) // 2)
        middle = np.where(np.abs(around) > np.abs(middle), around, middle)
    edge = _edge(fair_furthest(record.spins, record.compartments, check.plan))
    places = np.arange(record.compartments)
    axes.axhspan(-edge, edge, **_BAND)
    axes.axhline(0, **_LINE)
    axes.bar(places, middle, color="#7a5c00", width=0.75)
    axes.set_xticks(places, record.ring, fontsize=8)
    axes.set_xlim(-0.6, record.compartments - 0.4)
    axes.set_ylabel("standard deviations")
    axes.set_title("Sectors: the furthest arc about each number", fontsize=9)


def _draw_drift(axes: Axes, check: WheelCheck) -> None:
    """How far the numbers that moved most are ahead of their even share."""
    record = check.record
    sizes = moments(record)
    paths = bridges(block_counts(record, sizes)[np.newaxis])[0]
    edge = _edge(fair_bridges(sizes, record.compartments, check.plan))
    spins = np.concatenate([[0], np.cumsum(sizes)])
    shown = np.argsort(-np.abs(paths).max(axis=0), kind="stable")[:_LINES]
    axes.axhspan(-edge, edge, **_BAND)
    axes.axhline(0, **_LINE)
    for column in shown:
        path: Any = np.concatenate([[0.0], paths[:, column], [0.0]])
        axes.plot(spins, path, label=record.ring[int(column)], linewidth=1.2)
    axes.set_xlim(0, record.spins)
    axes.set_xlabel("outcomes")
    axes.set_ylabel("ahead of its share")
    axes.set_title("Drift: the numbers that moved most", fontsize=9)
    axes.legend(loc="upper left", fontsize=8, ncols=_LINES)
