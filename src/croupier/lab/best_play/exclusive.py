"""The best stakes on any set of areas that never win together.

A play keeps r chips and spreads s chips over areas. The value that an area adds depends
only on r and its own stake, so the best spread of s is that of s - x, and x on one more
area. The first search may use an area repeatedly, which is more than the layout
allows. If such a spread is the best for a bankroll, its r is searched again, now with
the sizes of the areas, which add up to at most the wheel. So the value found is never
below the best, and a set that does not exist on the layout is never chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from croupier.lab.best_play.area_kinds import AreaKind, StakedArea, place_apart
from croupier.lab.best_play.search import (
    SETTLED,
    Choose,
    Floats,
    reaching,
    useful_chips,
)

Indices = np.ndarray[Any, np.dtype[np.int_]]

_BLOCK = 64
"""Columns calculated together if sizes are counted."""


class ExclusiveAreas:
    """Any areas that never win together, with any stakes within the limits."""

    def __init__(self, kinds: Sequence[AreaKind], target: int, wheel: int) -> None:
        self._kinds = [kind for kind in kinds if kind.gains and kind.least < target]
        self._target = target
        self._wheel = wheel
        self._crowded: set[int] = set()
        """Chips kept whose best spread was larger than the wheel; there are few."""
        self.roundings = 32 + 4 * wheel

    def best(self, values: Floats, margin: float = 0.0) -> tuple[Floats, Choose]:
        table = _SpreadTable(self._kinds, values, self._target, self._wheel)
        table.count_sizes(self._crowded)
        while True:
            found, spent = table.best(values, margin)
            crowded = table.crowded(found, spent, values) - self._crowded
            if not crowded:
                break
            table.count_sizes(crowded)
            self._crowded |= crowded

        def choose(bankroll: int) -> tuple[StakedArea, ...]:
            total = int(spent[bankroll])
            pieces = table.pieces(bankroll - total, total)
            return place_apart(pieces) or ()

        return found, choose


class _SpreadTable:
    """By chips kept and chips spread, the value that the best spread adds."""

    def __init__(
        self, kinds: Sequence[AreaKind], values: Floats, target: int, wheel: int
    ) -> None:
        self._kinds = kinds
        self._target = target
        self._wheel = wheel
        self._added = [_added_values(kind, values, target) for kind in kinds]
        self._columns: dict[int, Floats] = {}
        """By chips kept: the values by size and total, with sizes counted."""
        spread = np.full((target, target), -np.inf)
        spread[0] = 0.0
        for total in range(1, target):
            kept = target - total
            row = spread[total, :kept]
            for kind, added in zip(kinds, self._added, strict=True):
                count = min(len(added), total - kind.least + 1)
                if count > 0:
                    last = total - kind.least
                    rest = spread[last - count + 1 : last + 1, :kept][::-1]
                    np.maximum(row, (added[:count, :kept] + rest).max(axis=0), out=row)
        self._spread = spread

    def best(self, values: Floats, margin: float) -> tuple[Floats, Indices]:
        """Return the greatest value of each bankroll, and the chips staked for it."""
        target = self._target
        found, spent = np.zeros(target), np.zeros(target, dtype=int)
        for total in range(1, target):
            kept = target - total
            worth = values[:kept] + self._spread[total, :kept]
            better = worth > found[total:] * (1 + margin)
            found[total:][better] = worth[better]
            spent[total:][better] = total
        return found, spent

    def crowded(self, found: Floats, spent: Indices, values: Floats) -> set[int]:
        """Return the chips kept whose best spread is larger than the wheel."""
        better = (found > values[: self._target] + SETTLED).nonzero()[0].tolist()
        places = {(at - int(spent[at]), int(spent[at])) for at in better}
        return {
            kept
            for kept, total in places
            if kept not in self._columns
            and sum(piece.kind.size for piece in self.pieces(kept, total)) > self._wheel
        }

    def count_sizes(self, columns: Iterable[int]) -> None:
        """Calculate these columns again, with spreads no larger than the wheel."""
        order = sorted(columns)
        for first in range(0, len(order), _BLOCK):
            self._count_sizes(order[first : first + _BLOCK])

    def _count_sizes(self, columns: list[int]) -> None:
        target, wheel = self._target, self._wheel
        longest = target - columns[0]
        sized = np.full((wheel + 1, longest, len(columns)), -np.inf)
        sized[:, 0] = 0.0
        for total in range(1, longest):
            for kind, added in zip(self._kinds, self._added, strict=True):
                count = min(len(added), total - kind.least + 1)
                if count > 0:
                    last = total - kind.least
                    rest = sized[: wheel + 1 - kind.size, last - count + 1 : last + 1]
                    adds = added[:count, columns][::-1]
                    row = sized[kind.size :, total]
                    np.maximum(row, (rest + adds).max(axis=1), out=row)
        for place, kept in enumerate(columns):
            self._columns[kept] = sized[:, :, place]
            self._spread[: target - kept, kept] = sized[wheel, : target - kept, place]

    def pieces(self, kept: int, total: int) -> list[StakedArea]:
        """Return the stakes that make up the best spread."""
        pieces: list[StakedArea] = []
        sized = self._columns.get(kept)
        size = self._wheel
        while total > 0:
            worth = self._spread[:, kept] if sized is None else sized[size]
            piece = self._last_piece(kept, total, size, worth[total])
            pieces.append(piece)
            total -= piece.chips
            size -= piece.kind.size
        return pieces

    def _last_piece(self, kept: int, total: int, size: int, worth: float) -> StakedArea:
        """Return the last piece of the spread with this value."""
        sized = self._columns.get(kept)
        for kind, added in zip(self._kinds, self._added, strict=True):
            if sized is None:
                before = self._spread[:, kept]
            elif kind.size <= size:
                before = sized[size - kind.size]
            else:
                continue
            stake = _last_stake(worth, added[:, kept], before, kind.least, total)
            if stake is not None:
                return StakedArea(kind, stake)
        raise AssertionError("a spread is made of pieces")


def _added_values(kind: AreaKind, values: Floats, target: int) -> Floats:
    """Return the value added by each stake on an area, by chips kept."""
    stakes = range(kind.least, min(useful_chips(kind, target), target - 1) + 1)
    extended = reaching(values, (1 + max(kind.gains)) * (stakes[-1] + 1))
    added = np.zeros((len(stakes), target))
    for place, stake in enumerate(stakes):
        for gain, chance in zip(kind.gains, kind.chances, strict=True):
            first = (1 + gain) * stake
            won = extended[first : first + target] - values[:target]
            added[place] += float(chance) * won
    return added


def _last_stake(
    worth: float, added: Floats, before: Floats, least: int, total: int
) -> int | None:
    """Return the largest last stake that gives this value; None if there is none.

    `added` and `before` are the columns of one number of chips kept.
    """
    count = min(len(added), total - least + 1)
    if count <= 0:
        return None
    last = total - least
    rest = before[last - count + 1 : last + 1][::-1]
    same = ((added[:count] + rest) == worth).nonzero()[0]
    return least + int(same[-1]) if same.size else None
