"""A simulation as a table of text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from croupier.lab.sessions.figure_formats import percent
from croupier.lab.sessions.report import (
    FIGURES,
    arithmetic_note,
    model_notes,
    request_head,
    request_json,
    rules_notes,
)
from croupier.lab.simulator.estimates import Estimate, QuantileEstimate
from croupier.lab.simulator.record_formats import record_rows, records_json
from croupier.lab.simulator.simulation import Simulation
from croupier.rules.cents import write_cents
from croupier.tabular import TextTable, as_document

_MOST_BINS = 1_000
"""In JSON; neighbours are put together until there are no more."""


def simulation_head(simulation: Simulation) -> str:
    """Return what was asked, in one line."""
    return f"{request_head(simulation.request)}, {simulation.sessions:,} sessions"


def simulation_table(simulation: Simulation, *, extremes: bool = False) -> TextTable:
    """Return the whole simulation, head to notes; extremes are asked for apart."""
    level = f"{simulation.level * 100:g} %"
    rows, notes = list(_simulation_rows(simulation)), _simulation_notes(simulation)
    if extremes:
        found = record_rows(simulation.records, simulation.level)
        rows += [(*row, "", "") for row in found]
    recorded = len(simulation.records) if extremes else simulation.sessions
    some = f"Highest, lowest and drawdown are of the first {recorded:,} sessions."
    return TextTable(
        simulation_head(simulation),
        ("what", ">drawn", f">{level} from", ">to", ">exact", "inside"),
        rows,
        (*notes, *([some] if recorded < simulation.sessions else [])),
    )


def _simulation_rows(simulation: Simulation) -> Iterator[tuple[str, ...]]:
    """Yield what came of it, line by line."""
    request = simulation.request
    if request.target_cents is not None:
        yield _row("target reached", simulation.reached, percent)
    yield _row("ruined", simulation.ruined, percent)
    stopped = simulation.stopped
    if stopped.value or stopped.exact is None or stopped.exact.value:
        yield _row("left the table", stopped, percent)
    yield _row("still playing", simulation.playing, percent)
    yield _row("ahead at the end", simulation.ahead, percent)
    yield _row("rounds played, mean", simulation.rounds_played, "{:.2f}".format)
    yield _row("staked, mean", simulation.staked_cents, money)
    yield _row("net result, mean", simulation.net_cents, money)
    yield _row("net result of what is staked", simulation.return_rate, signed)
    for level, quantile in simulation.quantiles.items():
        name = f"bankroll at the end, {float(level):.0%} quantile"
        yield _quantile_row(name, quantile)


def _row(name: str, figure: Estimate, write: Callable[[float], str]) -> tuple[str, ...]:
    exact = "" if figure.exact is None else write(float(figure.exact))
    bounds = write(figure.low), write(figure.high)
    return name, write(figure.value), *bounds, exact, _inside(figure.is_inside)


def _quantile_row(name: str, quantile: QuantileEstimate) -> tuple[str, ...]:
    known = quantile.exact_cents
    cents = quantile.cents, quantile.low_cents, quantile.high_cents
    exact = "" if known is None else write_cents(known)
    return name, *map(write_cents, cents), exact, _inside(quantile.is_inside)


def _inside(is_inside: bool | None) -> str:
    return "" if is_inside is None else "yes" if is_inside else "no"


def money(cents: float) -> str:
    return write_cents(round(cents))


def signed(rate: float) -> str:
    return f"{rate * 100:.4f} %"


def _simulation_notes(simulation: Simulation) -> Iterator[str]:
    """Yield how it was drawn, and what the words mean."""
    request = simulation.request
    yield from model_notes(request.model)
    yield f"Seed {simulation.seed}: {simulation.spins:,} spins drawn."
    yield from _exact_notes(simulation)
    width = simulation.histogram.width_cents
    if width:
        yield (
            f"Bankrolls were counted in steps of {write_cents(width)}: a target, or a"
            " maximum by the limits, makes them finer."
        )
    yield from rules_notes(request.strategy)


def _exact_notes(simulation: Simulation) -> Iterator[str]:
    if simulation.exact is None:
        yield f"No exact answer beside: {simulation.beside.why_not}."
        return
    yield arithmetic_note(simulation.exact)
    inside = [row[-1] == "yes" for row in _simulation_rows(simulation)]
    outside = 1 - simulation.level
    yield (
        f"{sum(inside)} of {len(inside)} exact answers lie inside; by chance up to"
        f" about 1 in {1 / outside:.0f} does not."
    )


def speed_note(simulation: Simulation) -> str:
    """Return who played, and how fast."""
    return speed_sentence(
        simulation.engine,
        simulation.spins,
        simulation.seconds,
        simulation.compile_seconds,
    )


def speed_sentence(engine: str, spins: int, seconds: float, compiling: float) -> str:
    """Return how fast an engine has played; what was compiled before is told apart."""
    before = f", after compiling for {compiling:.1f} s" if compiling >= 0.05 else ""
    rate = spins / max(seconds, 1e-9)
    return (
        f"Played by the engine {engine} in {seconds:.1f} s{before},"
        f" {rate:,.0f} spins a second."
    )


def simulation_json(
    simulation: Simulation, *, extremes: bool = False
) -> dict[str, Any]:
    """Return nothing of who played: the same seed gives the same document."""
    request, exact = simulation.request, simulation.exact
    asked = (
        {"extremes": records_json(simulation.records, simulation.level)}
        if extremes
        else {}
    )
    return {
        **request_json(request),
        "sessions": simulation.sessions,
        "seed": simulation.seed,
        "spins": simulation.spins,
        "level": simulation.level,
        "exact": None
        if exact is None
        else {"arithmetic": exact.arithmetic.value, "error": float(exact.error)},
        "why_not_exact": simulation.beside.why_not or None,
        **{name: estimate_json(getattr(simulation, name)) for name in FIGURES},
        "return": estimate_json(simulation.return_rate),
        "quantiles": [
            {"level": float(level), **as_document(found), "inside": found.is_inside}
            for level, found in simulation.quantiles.items()
        ],
        **_bankrolls_json(simulation),
        **asked,
    }


def estimate_json(figure: Estimate) -> dict[str, Any]:
    """Return the number, its interval, and the exact answer where it is known."""
    told: dict[str, Any] = {
        "value": figure.value,
        "low": figure.low,
        "high": figure.high,
    }
    if figure.deviation is not None:
        told["standard_deviation"] = figure.deviation
    if figure.exact is not None:
        told["exact"] = float(figure.exact)
        told["inside"] = figure.is_inside
    return told


def _bankrolls_json(simulation: Simulation) -> dict[str, Any]:
    found = simulation.histogram_of(_MOST_BINS)
    return {
        "bin_width_cents": found.width_cents,
        "bankrolls": [
            {"bankroll_cents": int(cents), "sessions": int(count)}
            for cents, count in zip(found.cents, found.sessions, strict=True)
        ],
    }
