"""From what is asked, in words, to the plan that an engine carries out."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import accumulate
from math import gcd
from typing import Any

from croupier.odds.chips import Chips
from croupier.odds.model import Model, model_of
from croupier.odds.sessions import SessionError, Shortfall, Strategy
from croupier.odds.sessions.exploration import SessionTerms
from croupier.odds.sessions.solver import session_terms
from croupier.rules.cents import write_cents
from croupier.rules.game import Game, Settings
from croupier.rules.limits import Limits
from croupier.rules.notation import read_cents, shown
from croupier.simulator.machine import MOST_UNITS, explore_strategy
from croupier.simulator.plan import Machine, OwnFunction, SimulationPlan
from croupier.simulator.stream import Dice
from croupier.simulator.user_strategy import (
    FunctionStrategy,
    function_strategy,
    is_function,
    try_function,
)

MAXIMUM_SESSIONS = 10**12
MAXIMUM_SEED = 2**64 - 1
_DRAWN_BITS = 48
"""Of a seed that nobody has given: not too long to write down."""
_HIGHEST = 2**62
"""In grains: bankrolls beyond it are no longer counted exactly."""


@dataclass(frozen=True, slots=True)
class SimulationRequest:
    """A simulation as it was asked for, and what is carried out."""

    model: Model
    terms: SessionTerms
    stop_loss_cents: int | None
    plan: SimulationPlan
    positions: int | None
    """Pairs of a state and a bankroll, where the strategy has states."""


def compile_plan(
    game: str | Game | Model,
    wager: str | Iterable[str | Chips],
    *,
    bankroll: int | str,
    rounds: int,
    sessions: int,
    strategy: str | Strategy | Callable[..., Any] = "flat",
    target: int | str | None = None,
    stop_loss: int | str | None = None,
    seed: int | None = None,
    over_maximum: str | Shortfall | None = None,
    over_bankroll: str | Shortfall | None = None,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
    chip: int | str = 1,
) -> SimulationRequest:
    """What `simulate` is asked for; raises what `croupier.session` raises."""
    model = model_of(game)
    rules = over_maximum, over_bankroll
    if not isinstance(strategy, str) and is_function(strategy):
        strategy = function_strategy(strategy, *rules)  # type: ignore[arg-type]
        rules = None, None
    terms = session_terms(
        model,
        wager,
        bankroll=bankroll,
        target=target,
        rounds=rounds,
        strategy=strategy,  # type: ignore[arg-type]
        over_maximum=rules[0],
        over_bankroll=rules[1],
        limits=limits,
        settings=settings,
        chip=chip,
    )
    lost = None if stop_loss is None else _read_stop_loss(stop_loss, terms)
    if terms.rounds is None:
        raise SessionError("a simulation needs a number of rounds")
    floor = -1 if lost is None else terms.bankroll_cents - lost
    numbers = {"sessions": _checked_sessions(sessions), "seed": _checked_seed(seed)}
    if isinstance(terms.strategy, FunctionStrategy):
        own = _own_function(terms, terms.strategy)
        plan = _checked(_plan(terms, floor, own, **numbers))
        try_function(plan, own)
        return SimulationRequest(model, terms, lost, plan, None)
    found = explore_strategy(terms, floor)
    plan = _plan(terms, floor, found.machine, **numbers)
    plan = replace(plan, summit=found.summit_cents // plan.grain_cents)
    return SimulationRequest(model, terms, lost, _checked(plan), found.positions)


def _read_stop_loss(stop_loss: int | str, terms: SessionTerms) -> int:
    cents, bankroll = read_cents(str(stop_loss)), terms.bankroll_cents
    if cents > bankroll:
        raise SessionError(
            f"the stop-loss of {write_cents(cents)} is above the bankroll of"
            f" {write_cents(bankroll)}"
        )
    return cents


def _checked(plan: SimulationPlan) -> SimulationPlan:
    if plan.highest >= _HIGHEST:
        raise SessionError(
            "the bankrolls can grow too large to be counted: give the table a maximum,"
            " the session a target, or fewer rounds"
        )
    return plan


def _checked_sessions(sessions: int) -> int:
    if type(sessions) is not int or not 1 <= sessions <= MAXIMUM_SESSIONS:
        raise SessionError(
            f"a simulation has 1 to {MAXIMUM_SESSIONS:,} sessions, not"
            f" {shown(str(sessions))}"
        )
    return sessions


def _checked_seed(seed: int | None) -> int:
    if seed is None:
        return int.from_bytes(os.urandom(_DRAWN_BITS // 8), "big")
    if type(seed) is not int or not 0 <= seed <= MAXIMUM_SEED:
        raise SessionError(
            f"a seed is a whole number from 0 to {MAXIMUM_SEED}, not {shown(str(seed))}"
        )
    return seed


def _plan(
    terms: SessionTerms,
    floor: int,
    machine: Machine | OwnFunction,
    *,
    sessions: int,
    seed: int,
) -> SimulationPlan:
    assert terms.rounds is not None
    result, unit = terms.wager.result, terms.wager.stake_cents
    nets = [int(value) for value in result.values]
    bounds = [cents for cents in (terms.target_cents, floor) if cents and cents > 0]
    grain = gcd(terms.bankroll_cents, unit, *nets, *bounds)
    # A die has two sides or more, also where only one thing can happen.
    sides = max(result.denominator, 2)
    scale = sides // result.denominator
    return SimulationPlan(
        seed,
        sessions,
        terms.rounds,
        Dice(sides),
        tuple(scale * end for end in accumulate(result.numerators)),
        tuple(net // grain for net in nets),
        unit // grain,
        terms.bankroll_cents // grain,
        None if terms.target_cents is None else terms.target_cents // grain,
        floor // grain,
        machine,
        grain,
    )


def _own_function(terms: SessionTerms, strategy: FunctionStrategy) -> OwnFunction:
    most, over_maximum = terms.wager.maximum_units, strategy.over_maximum
    if most is None:
        most, over_maximum = MOST_UNITS, strategy.over_bankroll
    if terms.target_cents is not None and over_maximum is strategy.over_bankroll:
        # No bankroll below the target pays for more.
        most = min(most, terms.target_cents // terms.wager.stake_cents + 1)
    return OwnFunction(
        strategy.name,
        strategy.function,
        min(most, MOST_UNITS),
        over_maximum,
        strategy.over_bankroll,
    )
