"""Large sessions of the built-in strategies, by a second program."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from tests.figures.command import Answer, croupier
from tests.figures.oracle.large_sessions import Expected, Positions
from tests.figures.oracle.martingales import martingale
from tests.figures.oracle.sessions import (
    PLAYING,
    REACHED,
    RUINED,
    STOPPED,
    STOPPED_BY_LOSS,
    Plan,
    first_position,
    next_round,
)
from tests.figures.oracle.strategies import STRATEGIES
from tests.figures.plans import some_plan

RED = Fraction(18, 37)


NEAR = 1e-10
"""The error of the second computation, which is in float64."""


class Named(NamedTuple):
    """A session on red with one unit, at a single zero and without limits."""

    strategy: str
    units: int
    target: int
    rounds: int | None = None

    def ask(self) -> Answer:
        rounds = () if self.rounds is None else ("--rounds", str(self.rounds))
        return croupier(
            *("session", "mbs-roulette-v3", "-w", "red@1"),
            *("--bankroll", str(self.units), "--target", str(self.target)),
            *("--strategy", self.strategy, *rounds, "--json"),
        )

    def plan(self) -> Plan:
        return Plan(
            unit_cents=100,
            nets={100: 18, -100: 19},
            bankroll=100 * self.units,
            strategy=STRATEGIES[self.strategy],
            target=100 * self.target,
            rounds=self.rounds,
        )


LARGE = [
    Named("grand-martingale", 4000, 7000),
    Named("fibonacci", 1000, 2000),
    Named("d-alembert", 500, 1000),
    Named("d-alembert", 500, 1000, 500),
    Named("fibonacci", 1000, 2000, 1000),
    Named("oscars-grind", 100, 200),
    Named("oscars-grind", 100, 200, 500),
    Named("labouchere", 100, 200, 100),
    Named("labouchere", 100, 200, 1000),
    Named("martingale", 10_000, 20_000, 1000),
]


def pairs(told: dict[str, Any], mine: Expected) -> Iterator[tuple[str, float]]:
    """Yield each printed figure with that of the second computation."""
    by_loss = mine.ends.get(STOPPED_BY_LOSS, 0.0)
    for end in (REACHED, RUINED, PLAYING):
        yield end, mine.ends.get(end, 0.0)
    yield STOPPED, mine.ends.get(STOPPED, 0.0) + by_loss
    yield STOPPED_BY_LOSS, by_loss
    yield "ahead", mine.ahead
    yield "rounds_played", mine.rounds_played
    yield "staked_cents", mine.staked_cents
    yield "net_cents", mine.net_cents


def check_expected(told: dict[str, Any], mine: Expected) -> None:
    # What is expected in cents is as near as its largest terms are.
    wide = NEAR * max(1.0, mine.staked_cents)
    for name, value in pairs(told, mine):
        near = wide if name.endswith("cents") else NEAR * max(1.0, value)
        assert abs(told[name]["value"] - value) <= told[name]["error"] + near, name


def check_named(asked: Named, most: int) -> None:
    positions = Positions.of(asked.plan(), most)
    assert positions is not None
    rounds = asked.rounds
    mine = positions.until_it_ends() if rounds is None else positions.play(rounds)
    check_expected(asked.ask().json, mine)


def check_large_plan(seed: int, *, until_it_ends: bool, most: int) -> bool:
    """Check a plan at random, unless it has too many positions."""
    size = {"most_rounds": None if until_it_ends else 400, "units": (30, 150)}
    asked = some_plan(seed, **size, most_results=6)  # type: ignore[arg-type]
    positions = Positions.of(asked.plan, most)
    if positions is None:
        return False
    answer = croupier("session", *asked.words, "--json")
    if isinstance(next_round(asked.plan, first_position(asked.plan)), str):
        assert answer.status == 2
        return False
    rounds = asked.plan.rounds
    mine = positions.until_it_ends() if rounds is None else positions.play(rounds)
    check_expected(answer.json, mine)
    return True


def check_martingale(units: int, target: int, maximum: int | None = None) -> None:
    """Check a martingale on red until it ends, by the recursion over its series."""
    limits = () if maximum is None else ("--limits", f"* 1 {maximum}")
    told = croupier(
        *("session", "mbs-roulette-v3", "-w", "red@1", "--strategy", "martingale"),
        *("--bankroll", str(units), "--target", str(target), *limits, "--json"),
    ).json
    mine = martingale(RED, units, target, maximum)
    net = target * mine.reached - units
    assert abs(net + mine.staked / 37) < Decimal(10) ** -18, "the edge of all stakes"
    for name, value in (
        ("reached", mine.reached),
        ("ahead", mine.reached),
        ("ruined", 1 - mine.reached),
        ("rounds_played", mine.rounds),
        ("staked_cents", 100 * mine.staked),
        ("net_cents", 100 * net),
    ):
        error = Decimal(told[name]["error"])
        # A double has no more digits than these.
        assert abs(Decimal(told[name]["value"]) - value) <= error + abs(value) / 10**15
