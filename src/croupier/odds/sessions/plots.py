"""A session drawn: the fan of the bankroll, and the curves of its ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.odds.sessions.chain import ChainEnd
from croupier.odds.sessions.report import request_head
from croupier.odds.sessions.request import SessionRequest
from croupier.odds.sessions.result import SessionResult
from croupier.odds.sessions.strategy import SessionError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_BANDS = ((0, 4, 0.25, "5 – 95 %"), (1, 3, 0.45, "25 – 75 %"))
_MEDIAN = 2
_COLOURS = {
    ChainEnd.RUINED: "#b3261e",
    ChainEnd.REACHED: "#1b7f4d",
    ChainEnd.STOPPED: "#6b6b6b",
}


def plot_session(result: SessionResult) -> Figure:
    """Draw two pictures; raise `SessionError` without matplotlib."""
    figure = new_figure(9, 7)
    fan, curves = figure.subplots(2, 1, sharex=True)
    draw_fan(fan, result)
    _draw_curves(curves, result)
    figure.suptitle(request_head(result.request), fontsize=10)
    return figure


def new_figure(width: float, height: float) -> Figure:
    """Return an empty figure that needs no screen."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise SessionError(
            "drawing needs matplotlib: pip install 'croupier[odds]'"
        ) from error
    return Figure(figsize=(width, height), layout="constrained")


def draw_fan(axes: Axes, result: SessionResult) -> None:
    """Draw bands of the bankroll over the rounds."""
    start = result.request.bankroll_cents / 100
    rounds = [0, *(snapshot.round for snapshot in result.snapshots)]
    lines = [
        [start, *(result.lattice.cents(s.points[k]) / 100 for s in result.snapshots)]
        for k in range(5)
    ]
    for low, high, alpha, label in _BANDS:
        axes.fill_between(
            rounds,
            lines[low],
            lines[high],
            color="#2f5fa7",
            alpha=alpha,
            linewidth=0,
            step="post",
            label=label,
        )
    axes.step(rounds, lines[_MEDIAN], where="post", color="#16325c", label="median")
    draw_target(axes, result.request)
    axes.set_ylabel("bankroll")
    axes.legend(loc="upper left", fontsize=8)


def draw_target(axes: Axes, request: SessionRequest) -> None:
    """Draw a line at the target, if there is one."""
    if request.target_cents is not None:
        goal = request.target_cents / 100
        axes.axhline(
            goal, color=_COLOURS[ChainEnd.REACHED], linewidth=0.8, label="target"
        )


def _draw_curves(axes: Axes, result: SessionResult) -> None:
    rounds = [0, *(snapshot.round for snapshot in result.snapshots)]
    curves = {
        ChainEnd.RUINED: [snapshot.ruined for snapshot in result.snapshots],
        ChainEnd.REACHED: [snapshot.reached for snapshot in result.snapshots],
        ChainEnd.STOPPED: [snapshot.stopped for snapshot in result.snapshots],
    }
    names = {
        ChainEnd.RUINED: "ruined",
        ChainEnd.REACHED: "target reached",
        ChainEnd.STOPPED: "left",
    }
    for end, curve in curves.items():
        if any(curve):
            values = [0.0, *(100 * float(chance) for chance in curve)]
            axes.plot(rounds, values, color=_COLOURS[end], label=names[end])
    axes.set_xlabel("rounds")
    axes.set_ylabel("probability by then, %")
    axes.set_ylim(bottom=0)
    if axes.get_legend_handles_labels()[0]:
        axes.legend(loc="upper left", fontsize=8)
