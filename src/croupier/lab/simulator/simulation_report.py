"""Played sessions as a table of text and as JSON, of any strategy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

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
from croupier.lab.simulator.plan import SimulationPlan
from croupier.lab.simulator.session_records import COLUMNS
from croupier.lab.simulator.stakes import SessionEnd
from croupier.rules.cents import write_cents
from croupier.rules.terms import write_limits, write_settings
from croupier.tabular import TextTable, as_document, data_frame
from croupier.tabular.figure_formats import figure_percent

if TYPE_CHECKING:
    from croupier.lab.simulator.simulation import PlayedSessions, Simulation

_MOST_BINS = 1_000
"""The bins in JSON; neighbours are joined if there are more."""
_ROWS: dict[str, tuple[str, Callable[[float], str]]] = {
    "reached": ("target reached", figure_percent),
    "ruined": ("ruined", figure_percent),
    "stopped": ("left the table", figure_percent),
    "playing": ("still playing", figure_percent),
    "ahead": ("ahead at the end", figure_percent),
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


def _is_own(played: PlayedSessions) -> bool:
    return not isinstance(played.plan, SimulationPlan)


def simulation_head(played: PlayedSessions) -> str:
    if not _is_own(played):
        return f"{request_head(played.request)}, {played.sessions:,} sessions"
    asked, target = played.request, played.request.target_cents
    goal = "" if target is None else f" to {write_cents(target)}"
    return (
        f"{asked.game.title}: {asked.name}, from {write_cents(asked.bankroll_cents)}"
        f"{goal}, {asked.rounds:,} rounds, {asked.sessions:,} sessions"
    )


def simulation_table(played: PlayedSessions, *, extremes: bool = False) -> TextTable:
    """Return all figures as a table with notes.

    A strategy that chooses its wagers always has extremes, and has no exact answers.
    """
    is_own = _is_own(played)
    rows, notes = list(_rows(played)), list(_notes(played))
    if extremes or is_own:
        for column, name in _EXTREMES.items():
            rows += _ranked_rows(played, column, name, _SHOWN)
        recorded = len(played.records)
        if recorded < played.sessions:
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


def _rows(played: PlayedSessions) -> Iterator[tuple[str, ...]]:
    for figure, (name, write) in _ROWS.items():
        found: Estimate | None = getattr(played, figure)
        if found is not None and _is_told(played, figure, found):
            exact = None if found.exact is None else float(found.exact)
            numbers = found.value, found.low, found.high, exact
            yield _row(name, write, numbers, found.is_inside)
    for level, each in played.quantiles.items():
        name = f"bankroll at the end, {float(level):.0%} quantile"
        cents = each.cents, each.low_cents, each.high_cents, each.exact_cents
        yield _row(name, write_cents, cents, each.is_inside)


def _is_told(played: PlayedSessions, figure: str, found: Estimate) -> bool:
    """Return whether the text has the figure; it leaves out impossible ends."""
    if figure == "reached":
        return played.request.target_cents is not None
    is_possible = found.exact is None or bool(found.exact.value)
    return figure != "stopped" or bool(found.value) or is_possible


def _ranked_rows(
    played: PlayedSessions, column: str, name: str, levels: Iterable[Fraction]
) -> Iterator[tuple[str, ...]]:
    """Yield quantiles of a column; an interval's end beyond the data is blank."""
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


def _notes(played: Any) -> Iterator[str]:
    """Yield notes on the seed and the method, and explanations of the words."""
    yield from model_notes(played.request.model)
    yield f"Seed {played.seed}: {played.spins:,} spins drawn."
    if _is_own(played):
        limits = "; ".join(write_limits(played.request.terms.limits))
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


def speed_note(played: PlayedSessions) -> str:
    """Return a sentence on the engine and its speed, without the compilation."""
    compiling, seconds = played.compile_seconds, played.seconds
    before = f", after compiling for {compiling:.1f} s" if compiling >= 0.05 else ""
    rate = played.spins / max(seconds, 1e-9)
    return (
        f"Played by the engine {played.engine} in {seconds:.1f} s{before},"
        f" {rate:,.0f} spins a second."
    )


def simulation_json(
    played: PlayedSessions, *, extremes: bool = False
) -> dict[str, Any]:
    """Return the figures without the engine: equal seeds give equal documents."""
    figures: Iterable[str] = FIGURES
    if not _is_own(played):
        simulation: Any = played
        asked, exact = request_json(played.request), _exact_json(simulation)
        more = _bankrolls_json(simulation)
        if extremes:
            found = {name: _ranked_json(played, name) for name in _EXTREMES}
            more["extremes"] = {"sessions": len(played.records), **found}
    else:
        asked, exact = _own_json(played.request), {}
        # The ends come first, in the order of `SessionEnd`.
        figures = dict.fromkeys([*_ENDS, *FIGURES])
        more = {
            "means": {
                name: float(played.records.column(name).mean()) for name in COLUMNS[1:]
            },
            "quantiles": {name: _ranked_json(played, name) for name in COLUMNS[1:]},
        }
    return {
        **asked,
        "sessions": played.sessions,
        "seed": played.seed,
        "spins": played.spins,
        "level": played.level,
        **exact,
        **{name: _estimate_json(getattr(played, name)) for name in figures},
        "return": _estimate_json(played.return_rate),
        **more,
    }


def simulation_frame(played: PlayedSessions) -> Any:
    """Return a row for each figure; the exact answer is null if it is not known."""
    found: dict[str, Estimate | None] = {name: getattr(played, name) for name in _ROWS}
    return data_frame(
        {
            "figure": name,
            "value": each.value,
            "low": each.low,
            "high": each.high,
            "exact": None if each.exact is None else float(each.exact),
        }
        for name, each in found.items()
        if each is not None
    )


def _own_json(plan: Any) -> dict[str, Any]:
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
    """Return the number, its interval, and the exact answer if it is known."""
    if found is None:
        return None
    told: dict[str, Any] = {"value": found.value, "low": found.low, "high": found.high}
    if found.deviation is not None:
        told["standard_deviation"] = found.deviation
    if found.exact is not None:
        told["exact"] = float(found.exact)
        told["inside"] = found.is_inside
    return told


def _ranked_json(played: PlayedSessions, column: str) -> list[dict[str, Any]]:
    """Return the quantiles of a column; an interval's end beyond the data is null."""
    records, sure = played.records, played.level
    found = ((level, records.quantile(column, level, sure)) for level in LEVELS)
    return [{"level": float(level), **each._asdict()} for level, each in found]


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
