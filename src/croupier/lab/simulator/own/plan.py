"""Sessions of a strategy that chooses its wagers: read from words, and drawn."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from croupier.lab.sessions import SessionError
from croupier.lab.sessions.request import MAXIMUM_ROUNDS, maximum_cents
from croupier.lab.simulator.compiler import checked_number, checked_seed
from croupier.lab.simulator.own.seat import MOST_CENTS, NO_MAXIMUM, Seat
from croupier.lab.simulator.stream import Dice
from croupier.odds.chips import LayoutTerms, read_terms
from croupier.odds.model import Case, Model, cases_of, model_of, total_weight
from croupier.rules.cents import write_cents
from croupier.rules.game import Game, Settings
from croupier.rules.notation import Amount, read_amount
from croupier.rules.terms import Limits

MAXIMUM_SESSIONS = 10_000_000
"""Each of them is recorded."""

Cents = np.ndarray[Any, np.dtype[np.int64]]
Choose = Callable[[Seat], object]
"""A strategy: looks at its seat, and lays chips there."""


@dataclass(frozen=True)
class OwnPlan:
    """Which sessions are played at a table, and by whom."""

    model: Model
    terms: LayoutTerms
    name: str
    choose: Choose
    bankroll_cents: int
    target_cents: int | None
    stop_loss_cents: int | None
    rounds: int
    sessions: int
    seed: int

    @property
    def game(self) -> Game:
        return self.model.game

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        """The cases that can come up: each number, with what a draw makes of it."""
        return cases_of(self.model)

    @cached_property
    def dice(self) -> Dice:
        return Dice(max(total_weight(self.model), 2))

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The first outcome beyond each case."""
        scale = self.dice.sides // total_weight(self.model)
        return tuple(accumulate(scale * case.weight for case in self.cases))

    @cached_property
    def pays(self) -> Cents:
        """By case, then by area: what a cent there wins, or -1."""
        names = [area.name for area in self.game.areas]
        rows = [[case.winning.get(name, -1) for name in names] for case in self.cases]
        return np.array(rows, np.int64)

    @cached_property
    def edges(self) -> tuple[Fraction, ...]:
        """By area: the part of a cent staked that the House keeps on average."""
        weights = np.array([case.weight for case in self.cases], object)
        won = weights @ self.pays.astype(object)
        return tuple(Fraction(-each, int(weights.sum())) for each in won)

    @property
    def highest_cents(self) -> int:
        """No bankroll is above this: one below the target can win once more."""
        return min(self.target, MOST_CENTS) * (1 + int(self.pays.max()))

    @cached_property
    def wins(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """By area, then by case: whether it has won."""
        return np.ascontiguousarray(self.pays.T >= 0).reshape(-1)

    @cached_property
    def numbers(self) -> Cents:
        """By case: the code of its number."""
        codes = {number: code for code, number in enumerate(self.game.numbers)}
        return np.array([codes[case.number] for case in self.cases], np.int64)

    @cached_property
    def least(self) -> Cents:
        """By area: the least cents that may lie there."""
        limits = (self.terms.limits.of(area.wager_type) for area in self.game.areas)
        found = (1 if limit is None else limit.minimum_cents for limit in limits)
        return np.array([max(cents, 1) for cents in found], np.int64)

    @cached_property
    def most(self) -> Cents:
        """By area: the most cents that one Player may have there."""
        found = (maximum_cents(self.terms, area.wager_type) for area in self.game.areas)
        return np.array([NO_MAXIMUM if c is None else c for c in found], np.int64)

    @property
    def is_limited(self) -> bool:
        """Whether any area has a minimum or a maximum."""
        return bool((self.least > 1).any() or (self.most < NO_MAXIMUM).any())

    @property
    def target(self) -> int:
        """The bankroll that ends the session: its target, or more than it may be."""
        return MOST_CENTS + 1 if self.target_cents is None else self.target_cents

    @property
    def floor_cents(self) -> int:
        """The bankroll at which, and below, the stop-loss ends the session; or -1."""
        lost = self.stop_loss_cents
        return -1 if lost is None else self.bankroll_cents - lost


def read_plan(
    game: str | Game | Model,
    choose: Choose,
    *,
    bankroll: Amount,
    rounds: int,
    sessions: int,
    seed: int | None,
    target: Amount | None,
    stop_loss: Amount | None,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
) -> OwnPlan:
    """Read and check the words; raise `SessionError`, `NotationError`."""
    model = model_of(game)
    if not callable(choose):
        raise SessionError("a strategy that chooses its wagers is a function of a seat")
    plan = OwnPlan(
        model,
        read_terms(model.game, limits=limits, settings=settings),
        getattr(choose, "__name__", type(choose).__name__),
        getattr(choose, "py_func", choose),
        read_amount(bankroll),
        None if target is None else read_amount(target),
        None if stop_loss is None else read_amount(stop_loss),
        checked_number(rounds, MAXIMUM_ROUNDS, "a session", "rounds"),
        checked_number(sessions, MAXIMUM_SESSIONS, "a simulation", "sessions"),
        checked_seed(seed),
    )
    _check(plan)
    return plan


def _check(plan: OwnPlan) -> None:
    bankroll, target, lost = (
        plan.bankroll_cents,
        plan.target_cents,
        plan.stop_loss_cents,
    )
    if max(bankroll, target or 0) > MOST_CENTS:
        raise SessionError(
            f"bankroll and target are at most {write_cents(MOST_CENTS)} here"
        )
    if target is not None and target <= bankroll:
        raise SessionError(
            f"the target of {write_cents(target)} is not above the bankroll of"
            f" {write_cents(bankroll)}"
        )
    if lost is not None and lost > bankroll:
        raise SessionError(
            f"the stop-loss of {write_cents(lost)} is above the bankroll of"
            f" {write_cents(bankroll)}"
        )
