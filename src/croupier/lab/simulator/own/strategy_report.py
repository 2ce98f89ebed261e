"""Sessions of a strategy as a table of text and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from croupier.lab.sessions.figure_formats import percent
from croupier.lab.sessions.report import model_notes
from croupier.lab.sessions.result import LEVELS
from croupier.lab.simulator.estimates import Estimate
from croupier.lab.simulator.own.sessions import StrategySessions
from croupier.lab.simulator.record_formats import (
    quantile_row,
    quantiles_json,
    record_rows,
)
from croupier.lab.simulator.session_records import COLUMNS
from croupier.lab.simulator.simulation_report import (
    estimate_json,
    money,
    signed,
    speed_sentence,
)
from croupier.lab.simulator.stakes import SessionEnd
from croupier.rules.cents import write_cents
from croupier.rules.terms import Limits, write_limits, write_settings
from croupier.tabular import TextTable

_ENDS = {
    SessionEnd.REACHED: "target reached",
    SessionEnd.RUINED: "ruined",
    SessionEnd.STOPPED: "left the table",
    SessionEnd.PLAYING: "still playing",
}

_MEANS = ("rounds_played", "staked_cents", "net_cents")


def strategy_table(played: StrategySessions) -> TextTable:
    """Return all figures, head to notes."""
    return TextTable(
        strategy_head(played),
        ("what", ">drawn", f">{played.level * 100:g} % from", ">to"),
        list(_rows(played)),
        tuple(_notes(played)),
    )


def strategy_head(played: StrategySessions) -> str:
    """Return what was asked, in one line."""
    plan = played.plan
    target = (
        "" if plan.target_cents is None else f" to {write_cents(plan.target_cents)}"
    )
    return (
        f"{plan.game.title}: {plan.name}, from {write_cents(plan.bankroll_cents)}"
        f"{target}, {plan.rounds:,} rounds, {plan.sessions:,} sessions"
    )


def _rows(played: StrategySessions) -> Iterator[tuple[str, ...]]:
    for end, name in _ENDS.items():
        if end is not SessionEnd.REACHED or played.plan.target_cents is not None:
            yield _row(name, played.ended(end), percent)
    yield _row("ahead at the end", played.ahead, percent)
    yield _row("rounds played, mean", played.rounds_played, "{:.2f}".format)
    yield _row("staked, mean", played.staked_cents, money)
    yield _row("net result, mean", played.net_cents, money)
    if played.return_rate is not None:
        yield _row("net result of what is staked", played.return_rate, signed)
    for level in LEVELS:
        found = played.records.quantile("bankroll_cents", level, played.level)
        name = f"bankroll at the end, {float(level):.0%} quantile"
        yield quantile_row(name, "bankroll_cents", found)
    yield from record_rows(played.records, played.level)


def _row(name: str, found: Estimate, write: Callable[[float], str]) -> tuple[str, ...]:
    return name, write(found.value), write(found.low), write(found.high)


def _notes(played: StrategySessions) -> Iterator[str]:
    yield from model_notes(played.plan.model)
    yield f"Seed {played.plan.seed}: {played.spins:,} spins drawn."
    yield _limits_note(played.plan.terms.limits)
    yield "Ruined: the bankroll can't pay what is laid next."


def _limits_note(limits: Limits) -> str:
    lines = write_limits(limits)
    if not lines:
        return "At a table without limits."
    return f"Limits: {'; '.join(lines)}. What they forbid is not laid."


def strategy_speed_note(played: StrategySessions) -> str:
    """Return who played, and how fast; the compilation apart."""
    return speed_sentence(
        played.engine, played.spins, played.seconds, played.compile_seconds
    )


def strategy_json(played: StrategySessions) -> dict[str, Any]:
    """Return nothing of who played: the same seed gives the same document."""
    plan, rate = played.plan, played.return_rate
    return {
        **plan.model.document(),
        "strategy": plan.name,
        "bankroll_cents": plan.bankroll_cents,
        "target_cents": plan.target_cents,
        "stop_loss_cents": plan.stop_loss_cents,
        "limits": list(write_limits(plan.terms.limits)),
        "settings": list(write_settings(plan.terms.settings)),
        "rounds": plan.rounds,
        "sessions": plan.sessions,
        "seed": plan.seed,
        "spins": played.spins,
        "level": played.level,
        **{end.name.lower(): estimate_json(played.ended(end)) for end in SessionEnd},
        "ahead": estimate_json(played.ahead),
        **{name: estimate_json(getattr(played, name)) for name in _MEANS},
        "return": None if rate is None else estimate_json(rate),
        "means": {name: played.mean(name) for name in COLUMNS[1:]},
        "quantiles": {
            name: quantiles_json(played.records, name, played.level)
            for name in COLUMNS[1:]
        },
    }
