"""The search for the best play: the best next wager, and policy iteration.

Bankrolls are counted in chips; `values[b]` is the probability of the target from b, and
the last is the target's own, 1. Stakes larger than what reaches the target are left
out: the rest is better kept. So are stakes of which nothing can be won.

A plan is valued, then bettered, until nothing betters it. Both bounds come from one
inequality. In each round the bankroll falls on average by the edge times what is
staked. So if no play makes more of the values v than v + r, then v(b) + d·b never rises
on average for d = r/(edge × least stake), and no play can reach the target with a
greater probability than that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol

from croupier.odds.optimal.area_kinds import AreaKind, StakedArea, outcomes
from croupier.odds.sessions.result import UNIT, Progress

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]


Choose = Callable[[int], tuple[StakedArea, ...]]
"""The pieces to place with a bankroll; nothing where no play is known."""


PlacedAreas = list[tuple[StakedArea, ...]]
"""The pieces to place at each bankroll below the target; nothing where none can win."""
_ROUNDS = 200
_SWEEPS = 20_000
_SETTLED = 4e-16
"""A better play than this would be rounding."""
_MARGIN = 1e-13
"""Plays as close as this count as equal when the plan is written down."""
_ROUNDINGS = 32
"""More than there are in what one piece adds to a play's worth."""


class Search(Protocol):
    """A set of plays to choose from."""

    def best(self, values: Floats, margin: float = 0.0) -> tuple[Floats, Choose]:
        """Return what no play makes more of than this, and the play that does.

        Plays within the margin of each other, as a part of their worth, count as
        equal; the boldest of them is taken.
        """


def useful_chips(kind: AreaKind, target: int) -> int:
    """Return the largest stake worth looking at: it reaches the target from nothing."""
    enough = max(kind.least, -(-target // (1 + min(kind.gains))))
    return enough if kind.most is None else min(enough, kind.most)


def reaching(values: Floats, beyond: int) -> Floats:
    """Return the values and after them a one for each chip beyond the target."""
    import numpy as np

    return np.concatenate([values, np.ones(beyond)])


class OneArea:
    """One area a round, any of the kinds, any stake within the limits."""

    def __init__(self, kinds: Sequence[AreaKind], target: int) -> None:
        self._kinds = [kind for kind in kinds if kind.gains]
        self._target = target

    def best(self, values: Floats, margin: float = 0.0) -> tuple[Floats, Choose]:
        import numpy as np

        target = self._target
        found = np.zeros(target)
        kinds, chips = np.zeros(target, dtype=int), np.zeros(target, dtype=int)
        for place, kind in enumerate(self._kinds):
            most = useful_chips(kind, target)
            extended = reaching(values, max(kind.gains) * most)
            chances = [float(chance) for chance in kind.chances]
            lost = float(1 - sum(kind.chances))
            for stake in range(min(most, target - 1), kind.least - 1, -1):
                worth = lost * values[: target - stake]
                for gain, chance in zip(kind.gains, chances, strict=True):
                    first = stake * (1 + gain)
                    worth += chance * extended[first : first + target - stake]
                better = worth > found[stake:] * (1 + margin)
                found[stake:][better] = worth[better]
                kinds[stake:][better] = place
                chips[stake:][better] = stake

        def choose(bankroll: int) -> tuple[StakedArea, ...]:
            stake = int(chips[bankroll])
            return (StakedArea(self._kinds[kinds[bankroll]], stake),) if stake else ()

        return found, choose


class StraightUps:
    """Any set of straight-up wagers, with any stakes within the limits.

    With r chips kept, s chips are spread over numbers, each of which adds to r's value
    by its own stake alone: the best spread of s is that of s - x, and x on one more.
    Spreads over more numbers than there are, are looked at too: what is found is no
    less than the best, and a play that needs them is never chosen.
    """

    def __init__(self, kind: AreaKind, target: int) -> None:
        self._kind = kind
        self._target = target

    def best(self, values: Floats, margin: float = 0.0) -> tuple[Floats, Choose]:
        import numpy as np

        target = self._target
        stakes = range(self._kind.least, useful_chips(self._kind, target) + 1)
        added = self._added(values, stakes)
        spread = np.full((target, target), -np.inf)
        spread[0] = 0.0
        found, spent = np.zeros(target), np.zeros(target, dtype=int)
        for total in range(self._kind.least, target):
            kept = target - total
            most = min(len(stakes), total - stakes[0] + 1)
            rest = spread[total - stakes[0] - most + 1 : total - stakes[0] + 1, :kept]
            spread[total, :kept] = (added[:most, :kept] + rest[::-1]).max(axis=0)
            worth = values[:kept] + spread[total, :kept]
            better = worth > found[total:] * (1 + margin)
            found[total:][better] = worth[better]
            spent[total:][better] = total

        def choose(bankroll: int) -> tuple[StakedArea, ...]:
            total = int(spent[bankroll])
            pieces = self._pieces(added, spread, bankroll - total, total)
            return pieces if len(pieces) <= len(self._kind.areas) else ()

        return found, choose

    def _added(self, values: Floats, stakes: range) -> Floats:
        """Return what each stake on a number adds to the value of what is kept."""
        import numpy as np

        kind, target = self._kind, self._target
        extended = reaching(values, (1 + max(kind.gains)) * stakes[-1])
        added = np.zeros((len(stakes), target))
        for place, stake in enumerate(stakes):
            for gain, chance in zip(kind.gains, kind.chances, strict=True):
                first = (1 + gain) * stake
                won = extended[first : first + target] - values[:target]
                added[place] += float(chance) * won
        return added

    def _pieces(
        self, added: Floats, spread: Floats, kept: int, total: int
    ) -> tuple[StakedArea, ...]:
        """Return the stakes that make up the best spread, the largest first."""
        pieces: list[StakedArea] = []
        least = self._kind.least
        while total > 0:
            most = min(len(added), total - least + 1)
            rest = spread[total - least - most + 1 : total - least + 1, kept][::-1]
            same = (added[:most, kept] + rest) == spread[total, kept]
            stake = least + int(same.nonzero()[0][-1])
            pieces.append(StakedArea(self._kind, stake))
            total -= stake
        return tuple(sorted(pieces, key=lambda piece: -piece.chips))


@dataclass(frozen=True, slots=True)
class Optimum:
    """The values of the best play, a plan that has them, and what they are off by."""

    values: tuple[float, ...]
    plan: PlacedAreas
    excess: Fraction
    """For each chip of the bankroll, what the best play may be worth beyond."""


def optimise(
    search: Search,
    target: int,
    falls: Fraction,
    progress: Progress,
    known: Optimum | None = None,
) -> Optimum:
    """Return the best play for a target in chips; `falls` is the least loss of a round.

    `known` is a play to begin with.
    """
    import numpy as np

    values = np.zeros(target + 1)
    values[target] = 1.0
    plan: PlacedAreas = [()] * target
    if known is not None:
        values, plan = np.array(known.values), list(known.plan)
    for done in range(_ROUNDS):
        if not _better(search, values, plan):
            break
        _value(plan, values)
        progress(done + 1, _ROUNDS)
    values = np.maximum.accumulate(values)
    found, _ = search.best(values)
    _, choose = search.best(values, _MARGIN)
    betters = max(0.0, float((found - values[:target]).max()))
    excess = (Fraction(betters) + _ROUNDINGS * UNIT) / falls
    boldest = [choose(at) or pieces for at, pieces in enumerate(plan)]
    return Optimum(tuple(values.tolist()), boldest, excess)


def _better(search: Search, values: Floats, plan: PlacedAreas) -> bool:
    """Put better plays into the plan; return whether there were any."""
    found, choose = search.best(values)
    is_better = False
    for at in (found - values[: len(plan)] > _SETTLED).nonzero()[0].tolist():
        pieces = choose(at)
        if pieces:
            plan[at], values[at] = pieces, found[at]
            is_better = True
    return is_better


def _value(plan: PlacedAreas, values: Floats) -> None:
    """Raise the values to those of the plan, in place."""
    import numpy as np

    target = len(plan)
    rows = [
        [(min(after, target), float(chance)) for after, chance in outcomes(at, pieces)]
        for at, pieces in enumerate(plan)
    ]
    width = max(map(len, rows))
    after = np.array([[b for b, _ in row] + [0] * (width - len(row)) for row in rows])
    chances = np.array(
        [[p for _, p in row] + [0.0] * (width - len(row)) for row in rows]
    )
    for _ in range(_SWEEPS):
        swept = (chances * values[after]).sum(axis=1)
        grown = float((swept - values[:target]).max())
        values[:target] = np.maximum(swept, values[:target])
        if grown <= _SETTLED / 4:
            return
