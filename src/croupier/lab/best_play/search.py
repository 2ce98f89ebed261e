"""The search for the best play, by policy iteration.

Bankrolls are counted in chips; `values[b]` is the probability of the target from b, and
the last value, of the target itself, is 1. Two kinds of stakes are left out: those
larger than the target needs, since the rest is better kept, and those that can't win.

A plan is evaluated and improved until no improvement is left. Both bounds come from one
inequality. A round lowers the bankroll, on average, by the edge times the stake. So if
no play raises the values v to more than v + r, then v(b) + d·b never rises on average
for d = r/(edge × least stake), and it bounds the probability of the target.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from scipy.sparse import csc_array  # type: ignore[import-untyped]
from scipy.sparse.linalg import splu  # type: ignore[import-untyped]

from croupier.lab.best_play.area_kinds import AreaKind, StakedArea, outcomes
from croupier.lab.sessions.result import UNIT, Progress
from croupier.numeric.figure import Figure

Floats = np.ndarray[Any, np.dtype[np.float64]]


Choose = Callable[[int], tuple[StakedArea, ...]]
"""Returns the pieces to place with a bankroll; empty if no play is known."""


_PlacedAreas = list[tuple[StakedArea, ...]]
"""By bankroll below the target, the pieces to place; empty if none can win."""
_ROUNDS = 200
SETTLED = 2e-15
"""Smaller improvements are rounding errors."""
_MORE = 1 + 1e-9
"""A better play multiplies a small probability by at least this factor."""
_MARGIN = 1e-13
"""Plays as close as this count as equal in the final plan."""


class _Search(Protocol):
    """A set of plays to choose from."""

    roundings: int
    """A bound on the successive roundings in the value of a play."""

    def best(self, values: Floats, margin: float = 0.0) -> tuple[Floats, Choose]:
        """Return the greatest value of each bankroll, and the play that has it.

        Plays within the relative margin of each other count as equal; the boldest of
        them is taken.
        """


def useful_chips(kind: AreaKind, target: int) -> int:
    """Return the largest useful stake: any win with it reaches the target."""
    enough = max(kind.least, -(-target // (1 + min(kind.gains))))
    return enough if kind.most is None else min(enough, kind.most)


def reaching(values: Floats, beyond: int) -> Floats:
    """Return the values, then a 1 for each chip beyond the target."""
    return np.concatenate([values, np.ones(beyond)])


class OneArea:
    """One area a round, any of the kinds, any stake within the limits."""

    roundings = 32

    def __init__(self, kinds: Sequence[AreaKind], target: int) -> None:
        self._kinds = [kind for kind in kinds if kind.gains]
        self._target = target

    def best(self, values: Floats, margin: float = 0.0) -> tuple[Floats, Choose]:
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


@dataclass(frozen=True, slots=True)
class Optimum:
    """The values of the best play, its plan, and the error of the values."""

    values: tuple[float, ...]
    plan: _PlacedAreas
    excess: Fraction
    """Per chip of the bankroll, the most by which a play could exceed the value."""


def bold_plan(kinds: Sequence[AreaKind], target: int) -> _PlacedAreas:
    """Return a first plan: on one area, as much as is allowed and useful."""

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
    searches: Sequence[_Search],
    plan: _PlacedAreas,
    least_loss: Fraction,
    progress: Progress,
) -> Optimum:
    """Return the best play of any search, beginning with a plan.

    `least_loss` is the least expected loss of a round with a wager.
    """
    target = len(plan)
    plan = list(plan)
    values = np.append(_plan_values(plan), 1.0)
    for done in range(_ROUNDS):
        if not _better(searches, values, plan):
            break
        values[:target] = _plan_values(plan)
        progress(done + 1, _ROUNDS)
    values = np.maximum.accumulate(values)
    found, _ = _best(searches, values)
    _, choose = _best(searches, values, _MARGIN)
    off = max(0.0, float(np.abs(found - values[:target]).max()))
    roundings = max(search.roundings for search in searches)
    excess = (Fraction(off) + roundings * UNIT) / least_loss
    boldest = [choose(at) or pieces for at, pieces in enumerate(plan)]
    return Optimum(tuple(values.tolist()), boldest, excess)


def _best(
    searches: Sequence[_Search], values: Floats, margin: float = 0.0
) -> tuple[Floats, Choose]:
    """Return the greatest value of each bankroll in any search, and its play."""
    every = [search.best(values, margin) for search in searches]
    found = np.array([worth for worth, _ in every])
    which = found.argmax(axis=0)
    return found.max(axis=0), lambda at: every[int(which[at])][1](at)


def _better(searches: Sequence[_Search], values: Floats, plan: _PlacedAreas) -> bool:
    """Put better plays into the plan; return False if there are none."""
    found, choose = _best(searches, values)
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
    gain = np.zeros(len(plan))
    for at, pieces in enumerate(plan):
        won = outcomes(at, pieces) if pieces else ()
        gain[at] = float(sum(chance for after, chance in won if after >= len(plan)))
    return _solve_plan(plan, gain).clip(0.0, 1.0)


def expected_sums(
    plan: _PlacedAreas, gains: Sequence[int], least_loss: Fraction
) -> tuple[Figure, ...]:
    """Return the sum of the gains from each bankroll until the plan ends.

    The sums s are solved in float64, and their residuals are calculated in fractions.
    If no residual exceeds r, then s + r/least_loss·b never rises on average over a
    round, gains included, and s - r/least_loss·b never falls: the true sums lie between
    the two.
    """
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
    return tuple(Figure(each, off / least_loss * at) for at, each in enumerate(sums))


def _solve_plan(plan: _PlacedAreas, gain: Floats) -> Floats:
    """Return the expected sum of gains from each bankroll to the plan's end.

    A bankroll without a wager is an end.
    """
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
