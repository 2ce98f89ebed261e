"""A model: a game, and how likely each of its compartments is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any

from croupier.games import find_game
from croupier.rules.game import Game
from croupier.rules.wheel import Number

NO_APPROVED_GAME = "no approved game"
"""Stands wherever figures are shown that are not those of a document."""


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """A game with a whole-number weight for each number, and what was changed in it."""

    game: Game
    weights: Mapping[Number, int]
    changes: tuple[str, ...] = ()
    """What a what-if has changed, in words; nothing in an approved game."""
    title: str = ""
    """What the what-if is called by whoever wrote it."""
    based_on: str = ""
    """The name of the game that was changed."""

    def __repr__(self) -> str:
        return f"<Model of {self.game.name}>"

    @property
    def is_approved(self) -> bool:
        return not self.changes

    @property
    def total_weight(self) -> int:
        return sum(self.weights.values())

    @property
    def has_equal_chances(self) -> bool:
        return len(set(self.weights.values())) == 1

    def document(self) -> dict[str, Any]:
        """Return for JSON which game this is, and whether it is an approved one."""
        named = {"game": self.game.name, "document": self.game.document}
        if self.is_approved:
            return {**named, "effective": self.game.effective, "approved": True}
        return {
            **named,
            "effective": None,
            "approved": False,
            "label": NO_APPROVED_GAME,
            "based_on": self.based_on,
            "title": self.title,
            "changes": list(self.changes),
        }

    def chance(self, number: Number) -> Fraction:
        """Return the probability that the ball comes to rest at the number."""
        return Fraction(self.weights[number], self.total_weight)


def model_of(game: str | Game | Model) -> Model:
    """Return the model of a game, which is given by its name or itself, or as a model.

    Raises `UnknownGame` for a name that there is not.
    """
    if isinstance(game, Model):
        return game
    return _as_approved(find_game(game) if isinstance(game, str) else game)


@cache
def _as_approved(game: Game) -> Model:
    """Return every compartment as likely as any other (readings A24)."""
    return Model(game, dict.fromkeys(game.numbers, 1))


def whole_weights(weights: Mapping[Number, Fraction]) -> Mapping[Number, int]:
    """Return the same proportions in whole numbers."""
    common = lcm(*(weight.denominator for weight in weights.values()))
    return {number: int(weight * common) for number, weight in weights.items()}
