"""The words of a table in a game: wagers, winning numbers and draws as numbers."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from enum import unique
from functools import cached_property

import numpy as np

from croupier.batch.compiled import Cents, Column, CompiledGame
from croupier.rules.clause import Clause, Refusal, Rule, RuleViolation
from croupier.rules.game import Complete, Settings
from croupier.rules.notation import NotationError, read_number, read_wager, shown
from croupier.rules.pieces import Placement, find_placement
from croupier.rules.reasons import ReasonCode, RuleReason
from croupier.rules.terms import Limits

MISTAKES = (NotationError, RuleViolation)
"""The errors of reading a word: bad notation, or unknown in the game."""


@unique
class BatchReason(ReasonCode):
    """Why a row of a file can't be settled."""

    TOTAL_OUTSIDE_LIMITS = "{wager} puts the Player's total on an area outside limits"
    ON_FULL_AREA = "{wager} is on an area that is full"
    NO_SUCH_NUMBER = "{game} has no number {number}"
    NUMBER_UNCLEAR = (
        "the whole number {number} may be any of {numbers}: write the outcome as text"
    )
    NOT_A_FILE_DRAW = "{text} is not a draw of {count} different Bonus Numbers"
    NOT_TRUE_OR_FALSE = "{text} is not true or false"


@dataclass(frozen=True, slots=True)
class Multiple:
    """A wager of several pieces: the index of each one's area."""

    name: str
    areas: tuple[int, ...]
    maxima_cents: tuple[int, ...]
    """The stake of each piece of a complete maximum wager; else empty."""

    @property
    def is_at_maximum(self) -> bool:
        return bool(self.maxima_cents)


class GameWords:
    """Words as whole numbers; wagers of several pieces come after the areas."""

    def __init__(
        self, compiled: CompiledGame, limits: Limits, settings: Settings
    ) -> None:
        self.compiled = compiled
        self.limits = limits
        self.settings = settings
        self._known: dict[str, int] = {}
        self._codes: dict[str, int] = {}
        self.multiples: list[Multiple] = []

    @property
    def areas(self) -> int:
        return len(self.compiled.game.areas)

    def wager(self, text: str) -> int:
        """Return the index of an area, or of a multiple-piece wager from `areas` on."""
        # A wager can be written in only a few ways, so the memory stays small.
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._find(text)
        return known

    def _find(self, text: str) -> int:
        game = self.compiled.game
        wager = read_wager(text, game.multiples, game.numbers)
        found = find_placement(game, self.settings, wager)
        if isinstance(found, Refusal):
            raise RuleViolation(found)
        index = self.compiled.area_index
        if found.multiple is None:
            return index[found.name]
        return self._multiple(found)

    def _multiple(self, found: Placement) -> int:
        if found.name not in self._codes:
            maxima = self._maxima(found) if found.is_at_maximum else ()
            index = self.compiled.area_index
            areas = tuple(index[area.name] for area in found.areas)
            self._codes[found.name] = self.areas + len(self.multiples)
            self.multiples.append(Multiple(found.name, areas, maxima))
        return self._codes[found.name]

    def pieces(self) -> tuple[Column, Column, Cents]:
        """Return the count of each wager's pieces, their areas, and complete maxima."""
        singles = [(place,) for place in range(self.areas)]
        areas = [*singles, *(multiple.areas for multiple in self.multiples)]
        maxima = [0] * self.areas
        for multiple in self.multiples:
            maxima += multiple.maxima_cents or (0,) * len(multiple.areas)
        return (
            np.array([len(each) for each in areas]),
            np.array([area for each in areas for area in each], np.int16),
            np.array(maxima, np.int64),
        )

    def refusal(self, wager: int, refusal: int) -> str:
        """Return the reason why a wager was refused at its placing (A11)."""
        # Imported here: it loads numba, and reading words does not need that.
        from croupier.batch.risk import AREA_FULL

        game = self.compiled.game
        names = [area.name for area in game.areas]
        names += [multiple.name for multiple in self.multiples]
        rule, reason = Rule.LIMITS, BatchReason.TOTAL_OUTSIDE_LIMITS
        if refusal == AREA_FULL:
            rule, reason = Rule.AREA_MAXIMUM, BatchReason.ON_FULL_AREA
        refused = Refusal(game.clause(rule), reason(wager=names[wager]))
        return str(RuleViolation(refused))

    def _maxima(self, found: Placement) -> tuple[int, ...]:
        """Return each area's own maximum (A6); raise if the table states none."""
        limits = [self.limits.of(area.wager_type) for area in found.areas]
        stated = [limit.maximum_cents for limit in limits if limit is not None]
        if len(stated) == len(limits):
            return tuple(stated)
        unlimited = found.areas[limits.index(None)].name
        raise RuleViolation(
            Refusal(self.at_maximum_clause, RuleReason.NO_MAXIMUM(area=unlimited))
        )

    @property
    def at_maximum_clause(self) -> Clause:
        """The clause of the complete maximum wager; the caller knows there is one."""
        game = self.compiled.game
        [row] = [
            row
            for row, multiple in game.multiples.values()
            if isinstance(multiple, Complete) and multiple.at_maximum
        ]
        return game.cite(row.number)

    def number(self, text: str) -> int:
        """Return the index of a winning number of the game."""
        game = self.compiled.game
        number = read_number(text, game.numbers)
        if number not in self.compiled.number_index:
            clause = game.clause(Rule.NUMBERS)
            reason = BatchReason.NO_SUCH_NUMBER(game=game.title, number=number)
            raise RuleViolation(Refusal(clause, game.naming_numbers(reason)))
        return self.compiled.number_index[number]

    def whole_number(self, text: str) -> int:
        """Return the index of a number stored as an integer; raise if unclear."""
        if text in self._unclear:
            raise NotationError(
                BatchReason.NUMBER_UNCLEAR(
                    number=text, numbers=", ".join(self._unclear[text])
                )
            )
        return self.number(text)

    @cached_property
    def _unclear(self) -> dict[str, list[str]]:
        """The numbers that are the same whole number: 0, 00 and 000."""
        digits = [number for number in self.compiled.game.numbers if number.isdigit()]
        counted = Counter(int(number) for number in digits)
        return {
            str(value): [number for number in digits if int(number) == value]
            for value, times in counted.items()
            if times > 1
        }

    def draw(self, text: str) -> int:
        """Return the Bonus Numbers of a draw as a mask, a bit for each number."""
        words, wanted = text.split(), self._drawn
        places = {self.number(word) for word in words}
        if len(words) != wanted or len(places) != wanted:
            raise NotationError(
                BatchReason.NOT_A_FILE_DRAW(text=shown(text), count=wanted)
            )
        return sum(1 << place for place in places)

    @cached_property
    def _drawn(self) -> int:
        return self.compiled.game.row(Rule.BONUS_DRAW).amount
