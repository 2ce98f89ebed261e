"""The best stakes on one set of areas that never win together, each used once at most.

Where few areas are named, every largest set of them is looked at by itself. Then what
is found is the best, not a bound: nothing has to be placed afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from croupier.lab.best_play.area_kinds import AreaKind, StakedArea
from croupier.lab.best_play.search import Choose
from croupier.lab.best_play.spreads import added_values, best_totals, last_stake

if TYPE_CHECKING:
    from croupier.lab.best_play.search import Floats

_MOST_SETS = 64
_MOST_WORK = 4_000_000_000
"""In areas times the cube of the target; some seconds."""


def apart_sets(
    kinds: Sequence[AreaKind], target: int
) -> list[tuple[StakedArea, ...]] | None:
    """Return the largest sets of areas that never win together; None: too many.

    Each area comes with its least stake.
    """
    every = [
        StakedArea(kind, kind.least, place)
        for kind in kinds
        if kind.gains
        for place in range(len(kind.areas))
    ]
    wins = [area.kind.wins[area.place] for area in every]
    apart = [
        frozenset(other for other, won in enumerate(wins) if not won & mine)
        for mine in wins
    ]
    found: list[tuple[StakedArea, ...]] = []
    work = 0
    for places in _largest((), frozenset(range(len(every))), frozenset(), apart):
        found.append(tuple(every[place] for place in sorted(places)))
        work += len(places) * target**3
        if len(found) > _MOST_SETS or work > _MOST_WORK:
            return None
    return found


def _largest(
    chosen: tuple[int, ...],
    may: frozenset[int],
    done: frozenset[int],
    apart: Sequence[frozenset[int]],
) -> Iterator[tuple[int, ...]]:
    """Yield the largest sets, by Bron and Kerbosch's search with a pivot."""
    if not may and not done:
        yield chosen
        return
    pivot = max(may | done, key=lambda place: len(apart[place] & may), default=None)
    beside = frozenset() if pivot is None else apart[pivot]
    for place in sorted(may - beside):
        yield from _largest(
            (*chosen, place), may & apart[place], done & apart[place], apart
        )
        may, done = may - {place}, done | {place}


class ApartAreas:
    """Any of these areas at once, each with any stake within its limits."""

    def __init__(self, areas: Sequence[StakedArea], target: int) -> None:
        self._areas = [area for area in areas if area.kind.least < target]
        self._target = target
        self.roundings = 32 + 4 * len(areas)

    def best(self, values: Floats, margin: float = 0.0) -> tuple[Floats, Choose]:
        """Return what no stakes make more of than this, and the stakes that do."""
        import numpy as np

        target = self._target
        spread = np.full((target, target), -np.inf)
        spread[0] = 0.0
        stages = [spread]
        added = [added_values(area.kind, values, target) for area in self._areas]
        for area, adds in zip(self._areas, added, strict=True):
            before, spread = spread, spread.copy()
            for stake, gain in enumerate(adds, start=area.kind.least):
                with_it = before[: target - stake] + gain
                np.maximum(spread[stake:], with_it, out=spread[stake:])
            stages.append(spread)
        found, spent = best_totals(spread, values, margin)

        def choose(bankroll: int) -> tuple[StakedArea, ...]:
            total = int(spent[bankroll])
            kept = bankroll - total
            pieces: list[StakedArea] = []
            for place in range(len(self._areas), 0, -1):
                worth = stages[place][total, kept]
                if worth == stages[place - 1][total, kept]:
                    continue
                area, adds = self._areas[place - 1], added[place - 1][:, kept]
                before = stages[place - 1][:, kept]
                stake = last_stake(worth, adds, before, area.kind.least, total)
                assert stake is not None, "a spread is made of pieces"
                pieces.append(StakedArea(area.kind, stake, area.place))
                total -= stake
            return tuple(pieces)

        return found, choose
