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

from croupier.lab.best_play.area_kinds import AreaKind, StakedArea, outcomes
from croupier.lab.sessions.result import UNIT, Figure, Progress

if TYPE_CHECKING:
    import numpy as np

    Floats = np.ndarray[Any, np.dtype[np.float64]]


Choose = Callable[[int], tuple[StakedArea, ...]]
"""The pieces to place with a bankroll; nothing where no play is known."""


_PlacedAreas = list[tuple[StakedArea, ...]]
"""The pieces to place at each bankroll below the target; nothing where none can win."""
_ROUNDS = 200
SETTLED = 2e-15
"""A better play than this would be rounding."""
_MORE = 1 + 1e-9
"""So many times a small probability is better, too."""
_MARGIN = 1e-13
"""Plays as close as this count as equal when the plan is written down."""


class _Search(Protocol):
    """A set of plays to choose from."""

    roundings: int
    """More than there are, one after the other, in a play's worth."""

    def best(self, values: Floats, margin: float = 0.0) -> tuple[Floats, Choose]:
        """Return the greatest worth of each bankroll, and the play that has it.

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

    roundings = 32

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


class CombinedSearch:
    """A play of any of several searches."""

    def __init__(self, searches: Sequence[_Search]) -> None:
        self._searches = searches
        self.roundings = max(search.roundings for search in searches)

    def best(self, values: Floats, margin: float = 0.0) -> tuple[Floats, Choose]:
        import numpy as np

        every = [search.best(values, margin) for search in self._searches]
        found = np.array([worth for worth, _ in every])
        which = found.argmax(axis=0)

        def choose(bankroll: int) -> tuple[StakedArea, ...]:
            return every[int(which[bankroll])][1](bankroll)

        return found.max(axis=0), choose


@dataclass(frozen=True, slots=True)
class Optimum:
    """The values of the best play, a plan that has them, and what they are off by."""

    values: tuple[float, ...]
    plan: _PlacedAreas
    excess: Fraction
    """For each chip of the bankroll, what the best play may be worth beyond."""


def bold_plan(kinds: Sequence[AreaKind], target: int) -> _PlacedAreas:
    """Return a plan to begin with: all that is allowed and needed, on some area."""

    def play(bankroll: int) -> tuple[StakedArea, ...]:
        for kind in kinds:
            highest = max(kind.gains, default=0)
            if highest and kind.least <= bankroll:
                needed = max(kind.least, -(-(target - bankroll) // highest))
                most = bankroll if kind.most is None else min(bankroll, kind.most)
                return (StakedArea(kind, min(needed, most)),)
        return ()

    return [play(bankroll) for bankroll in range(target)]


def optimise(
    search: _Search, plan: _PlacedAreas, falls: Fraction, progress: Progress
) -> Optimum:
    """Return the best play, beginning with a plan; `falls` is a round's least loss."""
    import numpy as np

    target = len(plan)
    plan = list(plan)
    values = np.append(_plan_values(plan), 1.0)
    for done in range(_ROUNDS):
        if not _better(search, values, plan):
            break
        values[:target] = _plan_values(plan)
        progress(done + 1, _ROUNDS)
    values = np.maximum.accumulate(values)
    found, _ = search.best(values)
    _, choose = search.best(values, _MARGIN)
    off = max(0.0, float(np.abs(found - values[:target]).max()))
    excess = (Fraction(off) + search.roundings * UNIT) / falls
    boldest = [choose(at) or pieces for at, pieces in enumerate(plan)]
    return Optimum(tuple(values.tolist()), boldest, excess)


def _better(search: _Search, values: Floats, plan: _PlacedAreas) -> bool:
    """Put better plays into the plan; return whether there were any."""
    found, choose = search.best(values)
    now = values[: len(plan)]
    is_better = False
    more = (found - now > SETTLED) | (found > now * _MORE)
    for at in more.nonzero()[0].tolist():
        pieces = choose(at)
        if pieces and pieces != plan[at]:
            plan[at] = pieces
            is_better = True
    return is_better


def _plan_values(plan: _PlacedAreas) -> Floats:
    """Return the probability of the target from each bankroll, in float64."""
    import numpy as np

    gain = np.zeros(len(plan))
    for at, pieces in enumerate(plan):
        won = outcomes(at, pieces) if pieces else ()
        gain[at] = float(sum(chance for after, chance in won if after >= len(plan)))
    return _solve_plan(plan, gain).clip(0.0, 1.0)


def expected_sums(
    plan: _PlacedAreas, gains: Sequence[int], falls: Fraction
) -> tuple[Figure, ...]:
    """Return what the gains add up to from each bankroll until the plan ends.

    The sums s are solved in float64, and what a round makes of them is calculated in
    fractions. If that is nowhere off by more than r, s + r/falls·b is never less
    than what it becomes on average, and s - r/falls·b never more: the true sums lie
    between the two.
    """
    import numpy as np

    target = len(plan)
    sums = [
        Fraction(each)
        for each in _solve_plan(plan, np.array(gains, dtype=float)).tolist()
    ]
    off = Fraction(0)
    for at, pieces in enumerate(plan):
        after = outcomes(at, pieces) if pieces else ()
        made = sum(
            (chance * sums[then] for then, chance in after if then < target),
            Fraction(gains[at]),
        )
        off = max(off, abs(made - sums[at]))
    return tuple(Figure(each, off / falls * at) for at, each in enumerate(sums))


def _solve_plan(plan: _PlacedAreas, gain: Floats) -> Floats:
    """Return the sum of gains on the way from each bankroll to the plan's end.

    A bankroll without a wager is an end.
    """
    import numpy as np
    from scipy.sparse import csc_array  # type: ignore[import-untyped]
    from scipy.sparse.linalg import splu  # type: ignore[import-untyped]

    target = len(plan)
    entries = [(at, at, 1.0) for at in range(target)]
    for at, pieces in enumerate(plan):
        if pieces:
            entries += [
                (at, after, -float(chance))
                for after, chance in outcomes(at, pieces)
                if after < target
            ]
    rows, columns, cells = zip(*entries, strict=True)
    matrix = csc_array((cells, (rows, columns)), shape=(target, target))
    solved: Floats = np.asarray(splu(matrix).solve(gain))
    return solved
