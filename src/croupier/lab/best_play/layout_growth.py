"""A bound on the growth of any layout: planes that touch the growth from above.

The growth is concave in all stakes together, in parts of chips and without minima. So
no layout lies above a plane that touches it. A plane is highest where the bankroll lies
on the areas on which it rises most, up to each one's maximum; a step towards there
gives the next plane (Frank and Wolfe), and the lowest of them is the bound.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import inf, log

from croupier.lab.best_play.area_kinds import stake_range
from croupier.lab.best_play.growth_search import ROUNDING
from croupier.odds.chips import LayoutTerms
from croupier.odds.model import Model, cases_of, chance_of

_STEPS = 60
_HALVINGS = 40
_CLOSE = 1e-9
"""A plane no higher than this above where it touches is low enough."""


class LayoutGrowth:
    """The growth of a bankroll, in chips, over all areas of a game."""

    def __init__(
        self, model: Model, terms: LayoutTerms, bankroll: Fraction, chip_cents: int
    ) -> None:
        areas = model.game.areas
        places = {area.name: place for place, area in enumerate(areas)}
        ranges = [stake_range(terms, area, chip_cents) for area in areas]
        self._places = places
        self._most = [inf if most is None else float(most) for _, most in ranges]
        self._bankroll = float(bankroll)
        self._cases = [
            (
                float(chance_of(model, case)),
                [(places[name], 1 + pays) for name, pays in case.winning.items()],
            )
            for case in cases_of(model)
        ]

    def bound(self, start: Mapping[str, float]) -> float:
        """Return the lowest of the planes found, beginning with these stakes."""
        at = [0.0] * len(self._most)
        for name, chips in start.items():
            at[self._places[name]] = chips
        lowest = inf
        for _ in range(_STEPS):
            growth, rises = self._touch(at)
            top = self._top(rises)
            above = sum(
                rise * (there - here)
                for rise, there, here in zip(rises, top, at, strict=True)
            )
            lowest = min(lowest, growth + max(above, 0.0) + ROUNDING)
            if above <= _CLOSE:
                break
            at = self._step(at, top)
        return lowest

    def _after(self, at: list[float]) -> list[float]:
        """Return the bankroll after each case."""
        kept = self._bankroll - sum(at)
        return [
            kept + sum(at[place] * gives for place, gives in won)
            for _, won in self._cases
        ]

    def _touch(self, at: list[float]) -> tuple[float, list[float]]:
        """Return the growth, and how the plane that touches it there rises."""
        rises = [0.0] * len(at)
        growth = given_up = 0.0
        for (chance, won), after in zip(self._cases, self._after(at), strict=True):
            growth += chance * log(after / self._bankroll)
            given_up += chance / after
            for place, gives in won:
                rises[place] += chance * gives / after
        return growth, [rise - given_up for rise in rises]

    def _top(self, rises: list[float]) -> list[float]:
        """Return the stakes at which such a plane is highest."""
        left, top = self._bankroll, [0.0] * len(rises)
        for place in sorted(range(len(rises)), key=lambda place: -rises[place]):
            if rises[place] > 0.0:
                top[place] = min(left, self._most[place])
                left -= top[place]
        return top

    def _step(self, at: list[float], top: list[float]) -> list[float]:
        """Return the best place on the way to the top, by halving."""

        def way(part: float) -> list[float]:
            pairs = zip(at, top, strict=True)
            return [here + part * (there - here) for here, there in pairs]

        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            part = (low + high) / 2
            place = way(part)
            if min(self._after(place)) <= 0.0:
                high = part
                continue
            _, rises = self._touch(place)
            rising = sum(
                rise * (there - here)
                for rise, there, here in zip(rises, top, at, strict=True)
            )
            low, high = (part, high) if rising > 0.0 else (low, part)
        return way(low)
