"""A session as a table of text, as JSON, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from croupier.lab.sessions.chain import ChainEnd
from croupier.lab.sessions.figure_formats import (
    at_most,
    count,
    figure_json,
    money,
    percent,
)
from croupier.lab.sessions.request import SessionRequest
from croupier.lab.sessions.result import NO_DETAILS, Details, SessionResult
from croupier.lab.sessions.strategy import (
    SessionError,
    Shortfall,
    Strategy,
    name_of,
    rule_over_bankroll,
    rule_over_maximum,
)
from croupier.odds.model import Model
from croupier.rules.cents import write_cents
from croupier.tabular import TextTable
from croupier.tabular.plots import legend_above, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Plot

    from croupier.lab.sessions.durations import SessionDurations
    from croupier.lab.sessions.extremes import ExtremeDistribution


_ENDS = ("reached", "ruined", "stopped", "playing", "ahead")
FIGURES = (*_ENDS, "rounds_played", "staked_cents", "net_cents")
"""Of a session, whether it is calculated or drawn."""
_DONE = {
    Shortfall.STAKE_ALLOWED: "it stakes what is allowed",
    Shortfall.START_AGAIN: "it starts again",
    Shortfall.STOP: "it leaves the table",
}


def request_head(request: SessionRequest) -> str:
    """Return a session's request, in one line."""
    target, rounds = request.target_cents, request.rounds
    goal = "" if target is None else f" to {write_cents(target)}"
    length = "until it ends" if rounds is None else f"{rounds} rounds"
    lost = request.stop_loss_cents
    bound = "" if lost is None else f", a stop-loss of {write_cents(lost)}"
    return (
        f"{request.model.game.title}: {name_of(request.strategy)} with"
        f" {request.wager.text}, from {write_cents(request.bankroll_cents)}{goal},"
        f" {length}{bound}"
    )


def _session_rows(result: SessionResult) -> Iterator[tuple[str, str]]:
    """Yield what came of it, line by line."""
    if result.request.target_cents is not None:
        yield "target reached", percent(result.reached)
    yield "ruined", percent(result.ruined)
    if result.stopped.value:
        yield "left the table", percent(result.stopped)
    if result.request.stop_loss_cents is not None:
        yield "left by the stop-loss", percent(result.stopped_by_loss)
    if result.request.rounds is not None:
        yield "still playing", percent(result.playing)
    yield "ahead at the end", percent(result.ahead)
    yield "rounds played, expected", count(result.rounds_played)
    yield "staked, expected", money(result.staked_cents)
    yield "net result, expected", money(result.net_cents)
    yield "net result, standard deviation", money(result.net_deviation_cents)
    for level, bounds in result.quantile_bounds.items():
        name = f"bankroll at the end, {float(level):.0%} quantile"
        yield name, _from_to(bounds, write_cents)


def _duration_rows(durations: SessionDurations) -> Iterator[tuple[str, str]]:
    """Yield how many rounds it takes, line by line."""
    yield "rounds played, standard deviation", count(durations.deviation)
    for level, bounds in durations.quantile_bounds.items():
        yield f"rounds played, {float(level):.0%} quantile", _from_to(bounds, str)


def _duration_notes(durations: SessionDurations) -> Iterator[str]:
    """Yield what the rounds may be off by, where they are not exact."""
    if durations.error:
        yield f"Rounds: no probability is off by more than {at_most(durations.error)}."
    if not durations.squared.is_exact:
        off = durations.deviation.error
        yield f"Rounds: the standard deviation is off by no more than {at_most(off)}."


def _extreme_rows(
    name: str, distribution: ExtremeDistribution
) -> Iterator[tuple[str, str]]:
    """Yield the quantiles of a peak or a drawdown, line by line."""
    for level, bounds in distribution.quantile_bounds.items():
        yield f"{name}, {float(level):.0%} quantile", _from_to(bounds, write_cents)


def _extreme_notes(name: str, distribution: ExtremeDistribution) -> Iterator[str]:
    """Yield what a peak or a drawdown may be off by, where it is not exact."""
    error = max(figure.error for figure in distribution.at_least.values())
    if error:
        title = name.capitalize()
        yield f"{title}: no probability is off by more than {at_most(error)}."


def _from_to(bounds: tuple[int, int], write: Callable[[int], str]) -> str:
    """Return a quantile; or its bounds, where it is too close to tell."""
    return " to ".join(write(bound) for bound in sorted({*bounds}))


def _session_notes(result: SessionResult) -> Iterator[str]:
    """Yield how it was calculated, and what the words mean."""
    yield from model_notes(result.model)
    yield arithmetic_note(result)
    yield from rules_notes(result.request.strategy)


def model_notes(model: Model) -> Iterator[str]:
    """Yield why, if it is no approved game."""
    if not model.is_approved:
        yield "No approved game: " + "; ".join(model.why_not_approved) + "."


def arithmetic_note(result: SessionResult) -> str:
    """Return how it was calculated."""
    if result.is_exact:
        return "Exact: calculated in fractions."
    staked, net = result.staked_cents.error / 100, result.net_cents.error / 100
    return (
        f"Calculated in {result.arithmetic.value}: no probability is off by more than"
        f" {at_most(result.error)}, the expected rounds by"
        f" {at_most(result.rounds_played.error)}, what is staked by {at_most(staked)}"
        f" and the net result by {at_most(net)}."
    )


def rules_notes(strategy: Strategy) -> Iterator[str]:
    """Yield what the strategy does about stakes not allowed, and what ruin is."""
    yield _rules(strategy)
    yield "Ruined: the bankroll can't pay the next wager."


def _rules(strategy: Strategy) -> str:
    over_maximum = _DONE[rule_over_maximum(strategy)]
    over_bankroll = _DONE[rule_over_bankroll(strategy)]
    if over_maximum == over_bankroll:
        return f"Over the table's maximum or the bankroll {over_maximum}."
    return (
        f"Over the table's maximum {over_maximum}, over the bankroll {over_bankroll}."
    )


def session_table(
    result: SessionResult, *headings: str, asked: Details = NO_DETAILS
) -> TextTable:
    """Return the whole session, head to notes; the headings are two."""
    rows, notes = list(_session_rows(result)), list(_session_notes(result))
    if asked.durations:
        rows.extend(_duration_rows(result.durations))
        notes.extend(_duration_notes(result.durations))
    for name, extreme in asked.extremes(result).items():
        rows.extend(_extreme_rows(name, extreme))
        notes.extend(_extreme_notes(name, extreme))
    return TextTable(
        request_head(result.request), headings or ("", ""), rows, tuple(notes)
    )


def request_json(request: SessionRequest) -> dict[str, Any]:
    """Return what was asked."""
    strategy = request.strategy
    return {
        **request.model.document(),
        "wager": request.wager.text,
        "unit_cents": request.wager.stake_cents,
        "maximum_units": request.wager.maximum_units,
        "strategy": name_of(strategy),
        "over_maximum": rule_over_maximum(strategy).value,
        "over_bankroll": rule_over_bankroll(strategy).value,
        "bankroll_cents": request.bankroll_cents,
        "target_cents": request.target_cents,
        "rounds": request.rounds,
        "stop_loss_cents": request.stop_loss_cents,
    }


def _durations_json(durations: SessionDurations) -> dict[str, Any]:
    """Return the quantiles of the rounds, and how likely so many are enough."""
    return {
        "variance": figure_json(durations.variance),
        "deviation": figure_json(durations.deviation),
        "quantiles": [
            {"level": float(level), "rounds": least, "at_most_rounds": greatest}
            for level, (least, greatest) in durations.quantile_bounds.items()
        ],
        "ended": [
            {"rounds": rounds, **figure_json(chance)}
            for rounds, chance in durations.course
        ],
    }


def _extreme_json(name: str, distribution: ExtremeDistribution) -> dict[str, Any]:
    """Return the quantiles of a peak or a drawdown, and how likely so much is."""
    cents = f"{name}_cents"
    return {
        "quantiles": [
            {"level": float(level), cents: least, "at_most_cents": greatest}
            for level, (least, greatest) in distribution.quantile_bounds.items()
        ],
        "at_least": [
            {cents: amount, **figure_json(chance)}
            for amount, chance in distribution.at_least.items()
        ],
        "is_whole": distribution.is_whole,
    }


def session_json(result: SessionResult, asked: Details = NO_DETAILS) -> dict[str, Any]:
    """Return the whole session, with the details that are asked for."""
    more = {
        name: _extreme_json(name, extreme)
        for name, extreme in asked.extremes(result).items()
    }
    if asked.durations:
        more["durations"] = _durations_json(result.durations)
    return {
        **request_json(result.request),
        "arithmetic": result.arithmetic.value,
        "error": float(result.error),
        **{name: figure_json(getattr(result, name)) for name in FIGURES},
        "stopped_by_loss": figure_json(result.stopped_by_loss),
        "net_variance": figure_json(result.net_variance),
        "net_deviation_cents": figure_json(result.net_deviation_cents),
        "bankrolls": [
            {
                "bankroll_cents": cents,
                "net_cents": cents - result.request.bankroll_cents,
                "probability": float(chance),
            }
            for cents, chance in result.bankrolls.items()
        ],
        "course": _course_json(result),
        **more,
    }


def _course_json(result: SessionResult) -> list[dict[str, Any]]:
    """Return how it stood after some rounds; nothing where that takes too long.

    What was asked for is the session, and it is solved.
    """
    try:
        snapshots = result.snapshots
    except SessionError:
        return []
    return [
        {
            "round": snapshot.round,
            "reached": float(snapshot.reached),
            "ruined": float(snapshot.ruined),
            "stopped": float(snapshot.stopped),
            "bankroll_quantiles_cents": [
                result.lattice.cents(point) for point in snapshot.points
            ],
        }
        for snapshot in snapshots
    ]


_BANDS = ((0, 4, 0.25, "5 – 95 %"), (1, 3, 0.45, "25 – 75 %"))
_MEDIAN = 2
_AMOUNT_COLOURS = {
    "bankroll at the end": "#16325c",
    "peak": "#1b7f4d",
    "drawdown": "#b3261e",
}
_COLOURS = {
    ChainEnd.RUINED: "#b3261e",
    ChainEnd.REACHED: "#1b7f4d",
    ChainEnd.STOPPED: "#6b6b6b",
}


def plot_session(result: SessionResult, asked: Details = NO_DETAILS) -> Plot:
    """Draw three pictures; raise `MissingExtra` without matplotlib."""
    figure = new_figure(9, 10)
    fan = figure.add_subplot(3, 1, 1)
    curves = figure.add_subplot(3, 1, 2, sharex=fan)
    draw_fan(fan, result)
    _draw_curves(curves, result)
    _draw_amounts(figure.add_subplot(3, 1, 3), result, asked)
    figure.suptitle(request_head(result.request), fontsize=10)
    return figure


def _draw_amounts(axes: Axes, result: SessionResult, asked: Details) -> None:
    """Draw how likely the bankroll at the end is at least so much, and the extremes."""
    left = Fraction(1)
    ends = []
    for cents, chance in result.bankrolls.items():
        ends.append((cents, left))
        left -= chance
    lines = {"bankroll at the end": ends}
    for name, extreme in asked.extremes(result).items():
        lines[name] = [(c, figure.value) for c, figure in extreme.at_least.items()]
    for name, line in lines.items():
        most = line[-1][0] / 100
        axes.step(
            [*(cents / 100 for cents, _ in line), most],
            [*(100 * float(chance) for _, chance in line), 0.0],
            where="pre",
            color=_AMOUNT_COLOURS[name],
            label=name,
        )
    axes.set_xlabel("money")
    axes.set_ylabel("probability of at least so much, %")
    axes.set_ylim(0, 105)
    legend_above(axes)


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
    draw_bounds(axes, result.request)
    axes.set_ylabel("bankroll")
    legend_above(axes)


class _BoundedSession(Protocol):
    """Whatever says where a session ends."""

    @property
    def target_cents(self) -> int | None: ...

    @property
    def stop_loss_cents(self) -> int | None: ...

    @property
    def floor_cents(self) -> int: ...


def draw_bounds(axes: Axes, request: _BoundedSession) -> None:
    """Draw lines at the target and at the stop-loss, where there are any."""
    if request.target_cents is not None:
        goal = request.target_cents / 100
        axes.axhline(
            goal, color=_COLOURS[ChainEnd.REACHED], linewidth=0.8, label="target"
        )
    if request.stop_loss_cents is not None:
        floor = request.floor_cents / 100
        axes.axhline(
            floor, color=_COLOURS[ChainEnd.STOPPED], linewidth=0.8, label="stop-loss"
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
        legend_above(axes)
