"""A game as arrays: the pay of each area at each outcome.

An outcome is a number; in a game that draws Bonus Numbers it also has the number's
status, and whether the draw is a scatter. The tables are filled from the game's own
rows, and the tests compare every cell with the plain settlement.

A column is an array of whole numbers, a row for each wager.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import Any

import numpy as np

from croupier.errors import CroupierError
from croupier.rules.bonus import Outcome, is_scatter, paying_areas, status_of
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Status
from croupier.rules.wheel import Number

LOSES = -1
"""The pay of an area that loses."""

Pays = np.ndarray[Any, np.dtype[np.int16]]
Masks = np.ndarray[Any, np.dtype[np.uint64]]


@dataclass(frozen=True, eq=False)
class CompiledGame:
    """The areas and the outcomes of a game by index, and a table of both."""

    game: Game
    pays: Pays
    """The pay to one, or `LOSES`, by outcome and then by area."""

    @cached_property
    def area_index(self) -> Mapping[str, int]:
        return {area.name: place for place, area in enumerate(self.game.areas)}

    @cached_property
    def number_index(self) -> Mapping[Number, int]:
        return {number: place for place, number in enumerate(self.game.numbers)}

    @property
    def draws_bonus_numbers(self) -> bool:
        return self.game.provides(Rule.BONUS_DRAW)

    @property
    def variants(self) -> int:
        return len(_variants(self.game))

    def outcome_index(self, outcome: Outcome) -> int:
        """Return the row of an outcome in the table."""
        status = status_of(self.game, outcome)
        scatter = is_scatter(self.game, outcome.bonus_numbers)
        variant = _variants(self.game).index((status, scatter))
        return self.number_index[outcome.winning_number] * self.variants + variant

    @cached_property
    def link_masks(self) -> Masks:
        """The links of Bonus Numbers, a bit for each number's index."""
        index = self.number_index
        links = self.game.layout.links if self.draws_bonus_numbers else ()
        masks = [sum(1 << index[number] for number in link) for link in links]
        return np.array(masks, dtype=np.uint64)


@lru_cache(maxsize=64)
def compile_game(game: Game) -> CompiledGame:
    """Return the tables of a game; compiled once."""
    rows = [
        _row(game, number, *variant)
        for number, variant in product(game.numbers, _variants(game))
    ]
    pays = np.array(rows, dtype=np.int16)
    pays.setflags(write=False)
    return CompiledGame(game, pays)


def _row(game: Game, number: Number, status: Status, scatter: bool) -> list[int]:
    paying = paying_areas(game, number, status, scatter)
    return [paying.get(area.name, LOSES) for area in game.areas]


def _variants(game: Game) -> tuple[tuple[Status, bool], ...]:
    """Return each status and scatter that a draw can give a number."""
    if not game.provides(Rule.BONUS_DRAW):
        return ((Status.NON_BONUS, False),)
    return tuple(product(Status, (False, True)))


Column = np.ndarray[Any, np.dtype[Any]]
"""Whole numbers of any width."""
Integers = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Cents = Integers
Flags = np.ndarray[Any, np.dtype[np.bool_]]
Codes = np.ndarray[Any, np.dtype[np.uint8]]


class ColumnError(CroupierError, ValueError):
    """The columns cannot be settled; the message says which one and why."""


def check_columns(columns: Mapping[str, Column | None], rows: int) -> None:
    """Check that each column that is not None has this many whole numbers."""
    for name, column in columns.items():
        if column is None:
            continue
        if column.ndim != 1 or column.dtype.kind not in "biu":
            raise ColumnError(f"the column {name} must hold whole numbers")
        if len(column) != rows:
            raise ColumnError(
                f"the column {name} has {len(column)} rows where another has {rows}"
            )


def unsigned(index: Column) -> Column:
    """Return the same bytes without a sign: a number below 0 becomes too large."""
    return index.view(f"u{index.dtype.itemsize}")


def pooled_column(rows: int, kind: Any) -> np.ndarray[Any, Any]:
    """Return an empty column from Arrow's pool, or from numpy without Arrow.

    It begins at a cache line. The pool reuses memory: new pages from the operating
    system would cost more than writing to them.
    """
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
    except ImportError:
        return np.empty(rows, kind)
    size = np.dtype(kind).itemsize * rows
    return np.frombuffer(pa.allocate_buffer(size), kind, rows)
