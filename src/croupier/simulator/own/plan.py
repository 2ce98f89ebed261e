"""Sessions of a strategy that chooses its wagers: read from words, and drawn."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Any

import numpy as np

from croupier.odds.model import Model, model_of
from croupier.odds.sessions import SessionError
from croupier.odds.sessions.request import MAXIMUM_ROUNDS
from croupier.rules.bonus import Outcome, winning_areas
from croupier.rules.cents import write_cents
from croupier.rules.clause import Rule
from croupier.rules.game import Game
from croupier.rules.notation import Amount, read_amount, shown
from croupier.simulator.compiler import MAXIMUM_SEED
from croupier.simulator.own.seat import MOST_CENTS, Seat
from croupier.simulator.stream import Dice

MAXIMUM_SESSIONS = 10_000_000
"""Each of them is recorded."""
_DRAWN_BITS = 48

Cents = np.ndarray[Any, np.dtype[np.int64]]
Choose = Callable[[Seat], object]
"""A strategy: looks at its seat, and lays chips there."""


@dataclass(frozen=True)
class OwnPlan:
    """Which sessions are played at a table without limits, and by whom."""

    model: Model
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
    def dice(self) -> Dice:
        return Dice(max(self.model.total_weight, 2))

    @cached_property
    def ends(self) -> tuple[int, ...]:
        """The first outcome beyond each number."""
        scale = self.dice.sides // self.model.total_weight
        weights = (self.model.weights[number] for number in self.game.numbers)
        return tuple(scale * end for end in accumulate(weights))

    @cached_property
    def pays(self) -> Cents:
        """By number, then by area: what a cent there wins, or -1."""
        names = [area.name for area in self.game.areas]
        winning = (winning_areas(self.game, Outcome(n)) for n in self.game.numbers)
        return np.array(
            [[paid.get(name, -1) for name in names] for paid in winning], np.int64
        )

    @cached_property
    def wins(self) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
        """By area, then by number: whether it has won."""
        return np.ascontiguousarray(self.pays.T >= 0).reshape(-1)

    @property
    def target(self) -> int:
        """The bankroll that ends the session: its target, or more than it may be."""
        return MOST_CENTS + 1 if self.target_cents is None else self.target_cents

    @property
    def floor(self) -> int:
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
) -> OwnPlan:
    """Read and check the words; raise `SessionError`, `NotationError`."""
    model = model_of(game)
    if model.game.provides(Rule.BONUS_DRAW):
        raise SessionError(
            f"{model.game.document} draws Bonus Numbers, which a strategy that chooses"
            " its wagers can't be simulated with: name a wager, and choose its units"
        )
    if not callable(choose):
        raise SessionError("a strategy that chooses its wagers is a function of a seat")
    plan = OwnPlan(
        model,
        getattr(choose, "__name__", type(choose).__name__),
        getattr(choose, "py_func", choose),
        read_amount(bankroll),
        None if target is None else read_amount(target),
        None if stop_loss is None else read_amount(stop_loss),
        _checked(rounds, MAXIMUM_ROUNDS, "a session", "rounds"),
        _checked(sessions, MAXIMUM_SESSIONS, "a simulation", "sessions"),
        int.from_bytes(os.urandom(_DRAWN_BITS // 8), "big") if seed is None else seed,
    )
    _check(plan)
    return plan


def _checked(number: int, most: int, what: str, of: str) -> int:
    if type(number) is not int or not 1 <= number <= most:
        raise SessionError(f"{what} has 1 to {most:,} {of}, not {shown(str(number))}")
    return number


def _check(plan: OwnPlan) -> None:
    bankroll, target, lost = (
        plan.bankroll_cents,
        plan.target_cents,
        plan.stop_loss_cents,
    )
    if type(plan.seed) is not int or not 0 <= plan.seed <= MAXIMUM_SEED:
        raise SessionError(
            f"a seed is a whole number from 0 to {MAXIMUM_SEED}, not"
            f" {shown(str(plan.seed))}"
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
