"""The plan of a strategy that chooses its wagers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from operator import index
from typing import Any

import numpy as np

from croupier.lab.sessions import SessionError
from croupier.lab.sessions.request import MAXIMUM_ROUNDS, check_bounds, maximum_cents
from croupier.lab.simulator.compiler import checked_number, checked_seed
from croupier.lab.simulator.own.seat import MOST_CENTS, NO_MAXIMUM, ROOMS, TABLES, Seat
from croupier.lab.simulator.plan import SessionPlan
from croupier.lab.simulator.stakes import StakeRules
from croupier.lab.simulator.stream import Dice
from croupier.odds.chips import LayoutTerms, read_terms
from croupier.odds.model import Case, Model, cases_of, model_of, total_weight
from croupier.rules.cents import write_cents
from croupier.rules.game import Game, Settings
from croupier.rules.notation import Amount, read_amount
from croupier.rules.terms import Limits

MAXIMUM_SESSIONS = 10_000_000
"""Lower than for other strategies, because each session is recorded."""

Cents = np.ndarray[Any, np.dtype[np.int64]]
Choose = Callable[[Seat], object]
"""A strategy: it reads its seat, and lays chips there."""


@dataclass(frozen=True, kw_only=True)
class OwnPlan(SessionPlan):
    """Sessions at a table, in cents, by a strategy that chooses its wagers."""

    model: Model
    terms: LayoutTerms
    name: str
    function: Choose

    @property
    def own(self) -> OwnPlan:
        return self

    @cached_property
    def rules(self) -> StakeRules:
        # A seat judges its own stakes: these rules only know the target and the floor.
        target = MOST_CENTS + 1 if self.target is None else self.target
        return StakeRules(0, target, self.floor, 0, *[False] * 3)

    @property
    def bankroll_cents(self) -> int:
        return self.bankroll

    @property
    def target_cents(self) -> int | None:
        return self.target

    @property
    def stop_loss_cents(self) -> int | None:
        return None if self.floor < 0 else self.bankroll - self.floor

    @property
    def floor_cents(self) -> int:
        return self.floor

    @property
    def game(self) -> Game:
        return self.model.game

    @cached_property
    def cases(self) -> tuple[Case, ...]:
        return cases_of(self.model)

    @cached_property
    def pays(self) -> Cents:
        """By area, then by case: the win of a cent there, or -1."""
        names = [area.name for area in self.game.areas]
        pays = [[case.winning.get(name, -1) for case in self.cases] for name in names]
        return np.array(pays, np.int64).reshape(-1)

    @cached_property
    def edges(self) -> tuple[Fraction, ...]:
        weights = np.array([case.weight for case in self.cases], object)
        won = self.pays.reshape(-1, len(weights)).astype(object) @ weights
        return tuple(Fraction(-each, int(weights.sum())) for each in won)

    @property
    def highest(self) -> int:
        """An upper bound of bankrolls: one below the target can still win once."""
        return min(self.rules.target, MOST_CENTS) * (1 + int(self.pays.max()))

    @cached_property
    def numbers(self) -> Cents:
        """By case, the code of its number."""
        codes = {number: code for code, number in enumerate(self.game.numbers)}
        return np.array([codes[case.number] for case in self.cases], np.int64)

    @cached_property
    def least(self) -> Cents:
        limits = (self.terms.limits.of(area.wager_type) for area in self.game.areas)
        found = (1 if limit is None else limit.minimum_cents for limit in limits)
        return np.array([max(cents, 1) for cents in found], np.int64)

    @cached_property
    def most(self) -> Cents:
        """By area, one Player's maximum in cents."""
        found = (maximum_cents(self.terms, area.wager_type) for area in self.game.areas)
        return np.array([NO_MAXIMUM if c is None else c for c in found], np.int64)

    @property
    def is_limited(self) -> bool:
        return bool((self.least > 1).any() or (self.most < NO_MAXIMUM).any())

    @cached_property
    def plain_tables(self) -> Any:
        return tuple(getattr(self, name).tolist() for name in TABLES)


class _WholeSeat(Seat):
    """A seat that refuses parts of a cent, as the compiled one does."""

    def lay(self, area: int, cents: int) -> bool:
        return super().lay(index(area), index(cents))


def plain_player(plan: Any) -> tuple[Callable[..., Any], Callable[..., int]]:
    """Return the functions by which a strategy stakes and is paid in plain Python."""
    rooms = ([0] * size for size in ROOMS.values())
    held: list[Any] = [*plan.plain_tables, plan.is_limited, *rooms]
    seat = _WholeSeat(*held)
    seat.sit_down(plan.bankroll)
    choose, judge, settle = plan.function, seat.stake, seat.settle

    def stake(_r: int, _b: int, _w: int, _u: int, _c: int) -> tuple[int, int]:
        choose(seat)
        return judge()

    return stake, lambda _units, case: settle(case)


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
    terms = read_terms(model.game, limits=limits, settings=settings)
    cents = read_amount(bankroll)
    goal = None if target is None else read_amount(target)
    lost = None if stop_loss is None else read_amount(stop_loss)
    # A die has two sides or more, even if there is only one result.
    weight = total_weight(model)
    dice = Dice(max(weight, 2))
    scale = dice.sides // weight
    plan = OwnPlan(
        seed=checked_seed(seed),
        sessions=checked_number(sessions, MAXIMUM_SESSIONS, "a simulation", "sessions"),
        rounds=checked_number(rounds, MAXIMUM_ROUNDS, "a session", "rounds"),
        dice=dice,
        ends=tuple(accumulate(scale * case.weight for case in cases_of(model))),
        bankroll=cents,
        target=goal,
        floor=-1 if lost is None else cents - lost,
        model=model,
        terms=terms,
        name=getattr(choose, "__name__", type(choose).__name__),
        function=getattr(choose, "py_func", choose),
    )
    if max(cents, goal or 0) > MOST_CENTS:
        raise SessionError(
            f"bankroll and target are at most {write_cents(MOST_CENTS)} here"
        )
    check_bounds(cents, goal, lost)
    return plan
