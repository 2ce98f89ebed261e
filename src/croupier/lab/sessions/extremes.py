"""How high a session comes, and how far it falls from there: peak and drawdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from croupier.lab.sessions.chain import compile_chain
from croupier.lab.sessions.result import (
    LEVELS,
    Arithmetic,
    Figure,
    SessionResult,
    checkpoints,
    quantile_bounds,
)
from croupier.lab.sessions.solver import need_numpy, solve_session
from croupier.lab.sessions.solvers.exact_solver import exact_extremes, mark_drawdown
from croupier.lab.sessions.solvers.passage_solver import is_flat

_MOST = 50
"""So many amounts are looked at besides the quantiles."""
_QUICK_STEPS = 20_000
"""A session of so few single steps is solved exactly for each amount."""
_EXACT_STEPS = 300_000
_FAINT = Fraction(1, 10**15)
_FEW_ROWS = 20
"""A chain of more takes long to be compiled with one target after the other."""
_SEARCHED = 15
"""So many depths are looked at for the quantiles, about."""
_MAXIMUM_STEPS = 10_000_000_000
"""What these may cost, in single steps: some fifteen seconds."""
_GRID_STEPS = 500_000_000
"""What the drawdowns besides the quantiles may cost, in single steps."""


@dataclass(frozen=True, slots=True)
class ExtremeDistribution:
    """How likely a peak or a drawdown is at least so much."""

    at_least: Mapping[int, Figure]
    """By rising cents."""
    quantile_bounds: Mapping[Fraction, tuple[int, int]]
    """Between which cents each quantile lies; they differ where it is close."""
    is_whole: bool
    """Every amount that can occur is among them."""

    def __repr__(self) -> str:
        least, most = min(self.at_least), max(self.at_least)
        return f"<ExtremeDistribution from {least} to {most} cents>"


def find_peak(result: SessionResult) -> ExtremeDistribution:
    """Return the highest bankroll of a session, the one it starts with included."""
    lattice, start = result.lattice, _start(result)
    peaks = _peaks(result)
    return peaks.distribution(lambda more: lattice.cents(start + more), _MOST)


def find_drawdown(result: SessionResult) -> ExtremeDistribution:
    """Return how far a session falls below its highest bankroll, at the deepest.

    All depths at once in fractions, where that is quick; or one after the other.
    """
    request = result.request
    if request.rounds is not None:
        found = exact_extremes(
            compile_chain(request), request.rounds, mark_drawdown, _EXACT_STEPS
        )
        if found is not None:
            return _whole(found, result.lattice.step_cents)
    return _search_drawdown(result)


def _whole(chances: Mapping[int, Fraction], step: int) -> ExtremeDistribution:
    """Return the distribution of which every depth is known."""
    left = Fraction(1)
    at_least = {0: Figure(left)}
    for depth, chance in chances.items():
        at_least[depth * step] = Figure(left)
        left -= chance
    bounds = quantile_bounds(chances.items(), lambda _: Fraction(0))
    return ExtremeDistribution(
        at_least,
        {
            level: (least * step, greatest * step)
            for level, (least, greatest) in bounds.items()
        },
        is_whole=True,
    )


def _search_drawdown(result: SessionResult) -> ExtremeDistribution:
    """Look for the quantiles.

    Without a target, what few pass is taken for one where the states are few: there the
    bankrolls reach far, and it is soon found. Other strategies need all that they meet.
    """
    need_numpy()
    from croupier.lab.sessions.drawdowns import Drawdowns, too_long
    from croupier.lab.sessions.flat_drawdowns import FlatDrawdowns
    from croupier.lab.sessions.round_drawdowns import RoundDrawdowns

    request, beyond = result.request, Figure(Fraction(0))
    chain = compile_chain(request)
    if request.target_cents is None and len(chain.rows) <= _FEW_ROWS:
        peaks = _peaks(result)
        more = peaks.first_below(_FAINT)
        beyond = peaks.at_least(more)
        target = result.lattice.cents(_start(result) + more)
        request = replace(request, target_cents=target)
        chain = compile_chain(request)
    drawdowns: FlatDrawdowns | Drawdowns | RoundDrawdowns
    if request.rounds is not None:
        drawdowns = RoundDrawdowns(chain, request.rounds)
    else:
        drawdowns = FlatDrawdowns(chain) if is_flat(chain) else Drawdowns(chain)
    deepest = drawdowns.deepest
    deep = min(max(_likely_depth(result), 1), deepest)
    if _SEARCHED * drawdowns.cost(deep) > _MAXIMUM_STEPS:
        raise too_long()

    def at_least(depth: int) -> Figure:
        found = drawdowns.at_least(depth)
        return Figure(found.value, found.error + beyond.greatest)

    most = _GRID_STEPS // max(drawdowns.cost(deepest), 1)
    step = result.lattice.step_cents
    search = _Search(at_least, deepest)
    search.at_least(deep)
    return search.distribution(lambda depth: depth * step, min(most, _MOST))


def _likely_depth(result: SessionResult) -> int:
    """Return a depth, in points, that few sessions will pass: where to begin."""
    cents = abs(result.net_cents.value) + 4 * result.net_deviation_cents.value
    return ceil(cents * 5 / 4 / result.lattice.step_cents)


def _start(result: SessionResult) -> int:
    return result.lattice.first_at(result.request.bankroll_cents)


def _peaks(result: SessionResult) -> _Search:
    """Return the peaks: a bankroll is reached if the session has it as its target."""
    request, lattice, start = result.request, result.lattice, _start(result)
    highest = max(lattice.first_at(cents) for cents in result.bankrolls)
    wanted = None
    if request.rounds is not None:
        steps = compile_chain(request).edges * request.rounds
        wanted = None if steps <= _QUICK_STEPS else Arithmetic.FLOAT64

    def at_least(more: int) -> Figure:
        cents = lattice.cents(start + more)
        if request.target_cents is not None and cents >= request.target_cents:
            return result.probability(lambda bankroll: bankroll >= cents)
        nearer = replace(request, target_cents=cents)
        return solve_session(nearer, arithmetic=wanted).reached

    return _Search(at_least, max(highest - start, 0))


class _Search:
    """Asks how likely an extreme is at least so many points, each number once."""

    def __init__(self, ask: Callable[[int], Figure], greatest: int) -> None:
        self._ask, self._greatest = ask, greatest
        self._known = {0: Figure(Fraction(1)), greatest + 1: Figure(Fraction(0))}

    def at_least(self, points: int) -> Figure:
        if points not in self._known:
            self._known[points] = self._ask(points)
        return self._known[points]

    def first_below(self, chance: Fraction) -> int:
        """Return the first points that are surely attained no more often."""
        return self._first(chance, lambda figure: figure.greatest)

    def distribution(
        self, cents: Callable[[int], int], most: int
    ) -> ExtremeDistribution:
        """Return the quantiles, and up to so many amounts evenly spread."""
        quantiles = {level: self._quantile(level) for level in LEVELS}
        if most and self._greatest:
            for points in checkpoints(self._greatest, most):
                self.at_least(points)
        known = sorted(self._known)[:-1]
        return ExtremeDistribution(
            {cents(points): self._known[points] for points in known},
            {
                level: (cents(least), cents(greatest))
                for level, (least, greatest) in quantiles.items()
            },
            len(known) == self._greatest + 1,
        )

    def _quantile(self, level: Fraction) -> tuple[int, int]:
        """Return the points that are passed no more often, perhaps and surely."""
        return (
            self._first(1 - level, lambda figure: figure.least) - 1,
            self._first(1 - level, lambda figure: figure.greatest) - 1,
        )

    def _first(self, chance: Fraction, bound: Callable[[Figure], Fraction]) -> int:
        """Return the first points with a chance this small, between known ones."""
        low = max(p for p, known in self._known.items() if bound(known) > chance)
        high = min(p for p, known in self._known.items() if bound(known) <= chance)
        is_even = False
        while high - low > 1:
            middle = (low + high) // 2 if is_even else self._guess(low, high, chance)
            if bound(self.at_least(middle)) > chance:
                low = middle
            else:
                high = middle
            is_even = not is_even
        return high

    def _guess(self, low: int, high: int, chance: Fraction) -> int:
        """Return where the chance would be on a straight line between two known."""
        above, below = self._known[low].value, self._known[high].value
        part = (above - chance) / (above - below) if above > below else Fraction(1, 2)
        return min(max(low + round(part * (high - low)), low + 1), high - 1)
