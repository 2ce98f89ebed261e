"""The best set of areas of which no two win together, with any stakes.

With r chips kept, s chips are spread over areas, each of which adds to r's value by its
own stake alone: the best spread of s is that of s - x, and x on one more. What is
looked at first is more than can be placed: areas may be used again and again. Where
that comes out best for a bankroll, the chips kept there are looked at once more with
the sizes of the areas counted, which together are at most the wheel. So what is found
is no less than the best, and a set that has no place on the layout is never chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from croupier.lab.best_play.area_kinds import AreaKind, StakedArea, place_apart
from croupier.lab.best_play.search import SETTLED, Choose, reaching, useful_chips

if TYPE_CHECKING:
    import numpy as np

    from croupier.lab.best_play.search import Floats

    Indices = np.ndarray[Any, np.dtype[np.int_]]

_BLOCK = 64
"""Columns that are looked at together with sizes counted."""


class ExclusiveAreas:
    """Any areas of the kinds that never win together, any stakes within the limits."""

    def __init__(self, kinds: Sequence[AreaKind], target: int, wheel: int) -> None:
        self._kinds = [kind for kind in kinds if kind.gains and kind.least < target]
        self._target = target
        self._wheel = wheel
        self._crowded: set[int] = set()
        """Chips kept with which too many areas came out best; they stay few."""
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
    """The value that the best spread of so many chips adds to that of those kept."""

    def __init__(
        self, kinds: Sequence[AreaKind], values: Floats, target: int, wheel: int
    ) -> None:
        import numpy as np

        self._kinds = kinds
        self._target = target
        self._wheel = wheel
        self._added = [_added_values(kind, values, target) for kind in kinds]
        self._columns: dict[int, Floats] = {}
        """With sizes counted: by size and total, for chips kept."""
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
        """Return the greatest worth of each bankroll, and what is spent for it."""
        return _best_totals(self._spread, values, margin)

    def crowded(self, found: Floats, spent: Indices, values: Floats) -> set[int]:
        """Return the chips kept where the best spread is larger than the wheel."""
        better = (found > values[: self._target] + SETTLED).nonzero()[0].tolist()
        places = {(at - int(spent[at]), int(spent[at])) for at in better}
        return {
            kept
            for kept, total in places
            if kept not in self._columns
            and sum(piece.kind.size for piece in self.pieces(kept, total)) > self._wheel
        }

    def count_sizes(self, columns: Iterable[int]) -> None:
        """Calculate these chips kept again, with no more areas than the wheel has."""
        order = sorted(columns)
        for first in range(0, len(order), _BLOCK):
            self._count_sizes(order[first : first + _BLOCK])

    def _count_sizes(self, columns: list[int]) -> None:
        import numpy as np

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
        """Return the piece that makes this of what is left without it."""
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
    """Return what each stake on an area adds to the value of what is kept."""
    import numpy as np

    stakes = range(kind.least, min(useful_chips(kind, target), target - 1) + 1)
    extended = reaching(values, (1 + max(kind.gains)) * (stakes[-1] + 1))
    added = np.zeros((len(stakes), target))
    for place, stake in enumerate(stakes):
        for gain, chance in zip(kind.gains, kind.chances, strict=True):
            first = (1 + gain) * stake
            won = extended[first : first + target] - values[:target]
            added[place] += float(chance) * won
    return added


def _best_totals(
    spread: Floats, values: Floats, margin: float
) -> tuple[Floats, Indices]:
    """Return the greatest worth of each bankroll, and what is spent for it."""
    import numpy as np

    target = len(spread)
    found, spent = np.zeros(target), np.zeros(target, dtype=int)
    for total in range(1, target):
        worth = values[: target - total] + spread[total, : target - total]
        better = worth > found[total:] * (1 + margin)
        found[total:][better] = worth[better]
        spent[total:][better] = total
    return found, spent


def _last_stake(
    worth: float, added: Floats, before: Floats, least: int, total: int
) -> int | None:
    """Return the largest stake that makes this worth of the spread before it.

    `added` and `before` are of one count of chips kept; None where there is none.
    """
    count = min(len(added), total - least + 1)
    if count <= 0:
        return None
    last = total - least
    rest = before[last - count + 1 : last + 1][::-1]
    same = ((added[:count] + rest) == worth).nonzero()[0]
    return least + int(same[-1]) if same.size else None
