"""A model: a game, the chances of its compartments, and the cases of a round.

A case is a set of outcomes that no wager tells apart, with its weight.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache, lru_cache
from math import lcm
from typing import Any

from msgspec import Struct

from croupier.games import as_game, is_approved
from croupier.rules.bonus import Outcome, all_draws, count_draws, winning_areas
from croupier.rules.game import Game, Status
from croupier.rules.wheel import Number

NO_APPROVED_GAME = "no approved game"
"""Printed beside all figures that are not those of a document."""


class Model(Struct, frozen=True, eq=False):
    """A game with a whole-number weight for each number, and a what-if's changes."""

    game: Game
    weights: Mapping[Number, int]
    changes: tuple[str, ...] = ()
    """The changes of a what-if in words; empty for the game itself."""
    title: str = ""
    """The title of the what-if."""
    based_on: str = ""
    """The name of the changed game."""

    def __repr__(self) -> str:
        return f"<Model of {self.game.name}>"

    @property
    def is_approved(self) -> bool:
        return not self.changes and is_approved(self.game)

    @property
    def why_not_approved(self) -> tuple[str, ...]:
        """The changes; without changes, the document if it is not an approved one."""
        return self.changes or (self.game.document,)

    @property
    def total_weight(self) -> int:
        return sum(self.weights.values())

    @property
    def has_equal_chances(self) -> bool:
        return len(set(self.weights.values())) == 1

    def document(self) -> dict[str, Any]:
        """Return the game's names for JSON, with its changes and its approval."""
        named = {"game": self.game.name, "document": self.game.document}
        if self.is_approved:
            return {**named, "effective": self.game.effective, "approved": True}
        return {
            **named,
            "effective": None if self.changes else self.game.effective,
            "approved": False,
            "label": NO_APPROVED_GAME,
            "based_on": self.based_on,
            "title": self.title,
            "changes": list(self.changes),
        }

    def chance(self, number: Number) -> Fraction:
        return Fraction(self.weights[number], self.total_weight)


def model_of(game: str | Game | Model) -> Model:
    """Return the model of a game; a name and a model are accepted too.

    Raises `UnknownGame`.
    """
    if isinstance(game, Model):
        return game
    return _as_it_is(as_game(game))


@cache
def _as_it_is(game: Game) -> Model:
    """Return the model with equal chances (readings A24)."""
    return Model(game, dict.fromkeys(game.numbers, 1))


def whole_weights(weights: Mapping[Number, Fraction]) -> Mapping[Number, int]:
    common = lcm(*(weight.denominator for weight in weights.values()))
    return {number: int(weight * common) for number, weight in weights.items()}


class Case(Struct, frozen=True):
    """A winning number with all equivalent draws of Bonus Numbers."""

    outcome: Outcome
    """One of these outcomes."""
    weight: int
    """Out of `total_weight(model)`."""
    status: Status
    scatter: bool
    winning: Mapping[str, int]
    """The winning areas, with their pay to one."""

    @property
    def number(self) -> Number:
        return self.outcome.winning_number

    @property
    def name(self) -> str:
        """`17`; with Bonus Numbers also `17 bonus` or `17 scatter`."""
        words = [self.number]
        if self.status is not Status.NON_BONUS:
            words.append(Number(self.status.value))
        return " ".join([*words, "scatter"] if self.scatter else words)


def total_weight(model: Model) -> int:
    return model.total_weight * all_draws(model.game)


def chance_of(model: Model, case: Case) -> Fraction:
    return Fraction(case.weight, total_weight(model))


@lru_cache(maxsize=64)
def cases_of(model: Model) -> tuple[Case, ...]:
    """Return every possible case, with the numbers in layout order."""
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
