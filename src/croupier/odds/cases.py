"""The cases of a round: outcomes that every wager takes alike, each with its weight."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from croupier.odds.draws import all_draws, count_draws
from croupier.odds.model import Model
from croupier.rules.bonus import Outcome, winning_areas
from croupier.rules.game import Status
from croupier.rules.wheel import Number


@dataclass(frozen=True, slots=True)
class Case:
    """A winning number with every draw of Bonus Numbers that counts alike for it."""

    outcome: Outcome
    """One of these outcomes."""
    weight: int
    """Out of `total_weight(model)`."""
    status: Status
    scatter: bool
    winning: Mapping[str, int]
    """The areas that win, with what they pay to one."""

    @property
    def number(self) -> Number:
        return self.outcome.winning_number

    @property
    def name(self) -> str:
        """`17`; in a game that draws Bonus Numbers also `17 bonus`, `17 scatter`."""
        words = [self.number]
        if self.status is not Status.NON_BONUS:
            words.append(Number(self.status.value))
        return " ".join([*words, "scatter"] if self.scatter else words)


def total_weight(model: Model) -> int:
    """All the outcomes: compartments by their weights, times draws."""
    return model.total_weight * all_draws(model.game)


def chance_of(model: Model, case: Case) -> Fraction:
    return Fraction(case.weight, total_weight(model))


@lru_cache(maxsize=64)
def cases_of(model: Model) -> tuple[Case, ...]:
    """Every case that can come up, numbers in layout order."""
    game = model.game
    cases: list[Case] = []
    for number in game.numbers:
        for draws in count_draws(game, number):
            outcome = Outcome(number, draws.example)
            weight = model.weights[number] * draws.count
            winning = winning_areas(game, outcome)
            case = Case(outcome, weight, draws.status, draws.scatter, winning)
            cases.append(case)
    assert sum(case.weight for case in cases) == total_weight(model)
    return tuple(case for case in cases if case.weight)
