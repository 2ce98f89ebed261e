"""Played sessions as a table of text and as JSON, of any strategy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from croupier.lab.sessions.figure_formats import percent
from croupier.lab.sessions.report import (
    FIGURES,
    arithmetic_note,
    model_notes,
    request_head,
    request_json,
    rules_notes,
)
from croupier.lab.sessions.result import LEVELS
from croupier.lab.simulator.estimates import Estimate
from croupier.lab.simulator.session_records import COLUMNS
from croupier.lab.simulator.simulation import Simulation
from croupier.lab.simulator.stakes import SessionEnd
from croupier.rules.cents import write_cents
from croupier.rules.terms import write_limits, write_settings
from croupier.tabular import TextTable, as_document

if TYPE_CHECKING:
    from croupier.lab.simulator.own.plan import OwnPlan
    from croupier.lab.simulator.own.sessions import StrategySessions

Played: TypeAlias = "Simulation | StrategySessions"

_MOST_BINS = 1_000
"""In JSON; neighbours are put together until there are no more."""
_ROWS: dict[str, tuple[str, Callable[[float], str]]] = {
    "reached": ("target reached", percent),
    "ruined": ("ruined", percent),
    "stopped": ("left the table", percent),
    "playing": ("still playing", percent),
    "ahead": ("ahead at the end", percent),
    "rounds_played": ("rounds played, mean", "{:.2f}".format),
    "staked_cents": ("staked, mean", lambda cents: write_cents(round(cents))),
    "net_cents": ("net result, mean", lambda cents: write_cents(round(cents))),
    "return_rate": ("net result of what is staked", lambda r: f"{r * 100:.4f} %"),
}
_ENDS = tuple(end.name.lower() for end in SessionEnd)
_EXTREMES = {
    "peak_cents": "highest bankroll",
    "low_cents": "lowest bankroll",
    "drawdown_cents": "deepest drawdown",
    "drawdown_rounds": "longest drawdown, rounds",
}
_SHOWN = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))
"""Quantiles of the extremes in the text; JSON has all of `LEVELS`."""


def simulation_head(played: Played) -> str:
    """Return what was asked, in one line."""
    if isinstance(played, Simulation):
        return f"{request_head(played.request)}, {played.sessions:,} sessions"
    plan, target = played.plan, played.plan.target_cents
    goal = "" if target is None else f" to {write_cents(target)}"
    return (
        f"{plan.game.title}: {plan.name}, from {write_cents(plan.bankroll_cents)}"
        f"{goal}, {plan.rounds:,} rounds, {plan.sessions:,} sessions"
    )


def simulation_table(played: Played, *, extremes: bool = False) -> TextTable:
    """Return all figures, head to notes.

    A strategy that chooses its wagers has its extremes always, and no exact answers.
    """
    is_own = not isinstance(played, Simulation)
    rows, notes = list(_rows(played)), list(_notes(played))
    if extremes or is_own:
        for column, name in _EXTREMES.items():
            rows += _ranked_rows(played, column, name, _SHOWN)
        recorded = len(played.records)
        if recorded < played.plan.sessions:
            some = f"Highest, lowest and drawdown are of the first {recorded:,}"
            notes.append(f"{some} sessions.")
    bounds = f">{played.level * 100:g} % from", ">to"
    heads = ("what", ">drawn", *bounds, ">exact", "inside")
    width = 4 if is_own else len(heads)
    return TextTable(
        simulation_head(played),
        heads[:width],
        [row[:width] for row in rows],
        tuple(notes),
    )


def _rows(played: Played) -> Iterator[tuple[str, ...]]:
    for figure, (name, write) in _ROWS.items():
        found = _estimate(played, figure)
        if found is not None and _is_told(played, figure, found):
            exact = None if found.exact is None else float(found.exact)
            numbers = found.value, found.low, found.high, exact
            yield _row(name, write, numbers, found.is_inside)
    if not isinstance(played, Simulation):
        name = "bankroll at the end"
        yield from _ranked_rows(played, "bankroll_cents", name, LEVELS)
        return
    for level, each in played.quantiles.items():
        name = f"bankroll at the end, {float(level):.0%} quantile"
        cents = each.cents, each.low_cents, each.high_cents, each.exact_cents
        yield _row(name, write_cents, cents, each.is_inside)


def _estimate(played: Played, figure: str) -> Estimate | None:
    """Return a figure; None is a rate of nothing staked."""
    if not isinstance(played, Simulation) and figure in _ENDS:
        return played.ended(SessionEnd[figure.upper()])
    found: Estimate | None = getattr(played, figure)
    return found


def _is_told(played: Played, figure: str, found: Estimate) -> bool:
    """Return whether the text has the figure: not an end that can't come."""
    if figure == "reached":
        asked = played.request if isinstance(played, Simulation) else played.plan
        return asked.target_cents is not None
    is_possible = found.exact is None or bool(found.exact.value)
    return figure != "stopped" or bool(found.value) or is_possible


def _ranked_rows(
    played: Played, column: str, name: str, levels: Iterable[Fraction]
) -> Iterator[tuple[str, ...]]:
    """Yield quantiles of a column; an end that was not seen is left open."""
    write = write_cents if column.endswith("_cents") else "{:,}".format
    for level in levels:
        found = played.records.quantile(column, level, played.level)
        numbers = found.value, found.low, found.high, None
        yield _row(f"{name}, {float(level):.0%} quantile", write, numbers)


def _row(
    name: str,
    write: Callable[[Any], str],
    numbers: Iterable[float | None],
    is_inside: bool | None = None,
) -> tuple[str, ...]:
    cells = ("" if number is None else write(number) for number in numbers)
    return name, *cells, "" if is_inside is None else "yes" if is_inside else "no"


def _notes(played: Played) -> Iterator[str]:
    """Yield how the sessions were drawn, and what the words mean."""
    asked = played.request if isinstance(played, Simulation) else played.plan
    yield from model_notes(asked.model)
    yield f"Seed {played.plan.seed}: {played.spins:,} spins drawn."
    if not isinstance(played, Simulation):
        limits = "; ".join(write_limits(played.plan.terms.limits))
        forbidden = f"Limits: {limits}. What they forbid is not laid."
        yield forbidden if limits else "At a table without limits."
        yield "Ruined: the bankroll can't pay what is laid next."
        return
    yield from _exact_notes(played)
    width = played.histogram.width_cents
    if width:
        yield (
            f"Bankrolls were counted in steps of {write_cents(width)}: a target, or a"
            " maximum by the limits, makes them finer."
        )
    yield from rules_notes(played.request.strategy)


def _exact_notes(simulation: Simulation) -> Iterator[str]:
    if simulation.exact is None:
        yield f"No exact answer beside: {simulation.beside.why_not}."
        return
    yield arithmetic_note(simulation.exact)
    inside = [row[-1] == "yes" for row in _rows(simulation)]
    outside = 1 - simulation.level
    yield (
        f"{sum(inside)} of {len(inside)} exact answers lie inside; by chance up to"
        f" about 1 in {1 / outside:.0f} does not."
    )


def speed_note(played: Played) -> str:
    """Return which engine played, and how fast; the compilation apart."""
    compiling, seconds = played.compile_seconds, played.seconds
    before = f", after compiling for {compiling:.1f} s" if compiling >= 0.05 else ""
    rate = played.spins / max(seconds, 1e-9)
    return (
        f"Played by the engine {played.engine} in {seconds:.1f} s{before},"
        f" {rate:,.0f} spins a second."
    )


def simulation_json(played: Played, *, extremes: bool = False) -> dict[str, Any]:
    """Return nothing of the engine: the same seed gives the same document."""
    figures: Iterable[str] = FIGURES
    if isinstance(played, Simulation):
        asked, exact = request_json(played.request), _exact_json(played)
        more = _bankrolls_json(played)
        if extremes:
            found = {name: _ranked_json(played, name) for name in _EXTREMES}
            more["extremes"] = {"sessions": len(played.records), **found}
    else:
        asked, exact = _own_json(played.plan), {}
        # The ends in the order in which they are counted.
        figures = dict.fromkeys([*_ENDS, *FIGURES])
        more = {
            "means": {name: played.mean(name) for name in COLUMNS[1:]},
            "quantiles": {name: _ranked_json(played, name) for name in COLUMNS[1:]},
        }
    return {
        **asked,
        "sessions": played.plan.sessions,
        "seed": played.plan.seed,
        "spins": played.spins,
        "level": played.level,
        **exact,
        **{name: _estimate_json(_estimate(played, name)) for name in figures},
        "return": _estimate_json(played.return_rate),
        **more,
    }


def _own_json(plan: OwnPlan) -> dict[str, Any]:
    return {
        **plan.model.document(),
        "strategy": plan.name,
        "bankroll_cents": plan.bankroll_cents,
        "target_cents": plan.target_cents,
        "stop_loss_cents": plan.stop_loss_cents,
        "limits": list(write_limits(plan.terms.limits)),
        "settings": list(write_settings(plan.terms.settings)),
        "rounds": plan.rounds,
    }


def _exact_json(simulation: Simulation) -> dict[str, Any]:
    found = simulation.exact
    return {
        "exact": None
        if found is None
        else {"arithmetic": found.arithmetic.value, "error": float(found.error)},
        "why_not_exact": simulation.beside.why_not or None,
    }


def _estimate_json(found: Estimate | None) -> dict[str, Any] | None:
    """Return the number, its interval, and the exact answer where it is known."""
    if found is None:
        return None
    told: dict[str, Any] = {"value": found.value, "low": found.low, "high": found.high}
    if found.deviation is not None:
        told["standard_deviation"] = found.deviation
    if found.exact is not None:
        told["exact"] = float(found.exact)
        told["inside"] = found.is_inside
    return told


def _ranked_json(played: Played, column: str) -> list[dict[str, Any]]:
    """Return the quantiles of a column; an end that was not seen is null."""
    records, sure = played.records, played.level
    found = ((level, records.quantile(column, level, sure)) for level in LEVELS)
    return [{"level": float(level), **as_document(each)} for level, each in found]


def _bankrolls_json(simulation: Simulation) -> dict[str, Any]:
    found = simulation.histogram_of(_MOST_BINS)
    return {
        "quantiles": [
            {"level": float(level), **as_document(each), "inside": each.is_inside}
            for level, each in simulation.quantiles.items()
        ],
        "bin_width_cents": found.width_cents,
        "bankrolls": [
            {"bankroll_cents": int(cents), "sessions": int(count)}
            for cents, count in zip(found.cents, found.sessions, strict=True)
        ],
    }
