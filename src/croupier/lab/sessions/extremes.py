"""How high a session comes, and how far it falls from there: peak and drawdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from croupier.lab.sessions.chain import Chain, compile_chain
from croupier.lab.sessions.result import (
    LEVELS,
    Arithmetic,
    Figure,
    SessionResult,
    checkpoints,
    exact_sum,
    quantile_bounds,
)
from croupier.lab.sessions.solver import need_numpy, solve_session
from croupier.lab.sessions.solvers.exact_solver import (
    exact_extremes,
    mark_drawdown,
    mark_peak,
)
from croupier.lab.sessions.solvers.passage_solver import is_flat

_MOST = 50
"""So many amounts are looked at besides the quantiles."""
_AT_ONCE = 8
"""So many amounts are looked for in one sweep."""
_EXACT_STEPS = 300_000
"""Steps in whole numbers that are done without asking."""
_SWEPT_STEPS = 20_000_000
"""A session of so few single steps is swept for many amounts at a time."""
_FAINT = Fraction(1, 10**15)
_FEW_ROWS = 20
"""A chain of more takes long to be compiled with one target after the other."""
_MOST_STEPS = 600_000_000
"""What one amount may cost, and all of those besides the quantiles, in single steps."""

_Ask = Callable[[Sequence[int]], list[Figure]]
"""Returns how likely each of these points is attained, or passed."""


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
    return _peaks(result).distribution(lambda more: lattice.cents(start + more))


def find_drawdown(result: SessionResult) -> ExtremeDistribution:
    """Return how far a session falls below its highest bankroll, at the deepest.

    All depths at once in fractions, if that is quick; otherwise in float64.
    """
    request, step = result.request, result.lattice.step_cents
    if request.rounds is not None:
        found = exact_extremes(
            compile_chain(request), request.rounds, mark_drawdown, _EXACT_STEPS
        )
        if found is not None:
            return _whole(found, step)
    return _search_drawdown(result).distribution(lambda depth: depth * step)


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


def _search_drawdown(result: SessionResult) -> _Search:
    """Look for the quantiles.

    Without a target, what few pass is taken for one where the states are few: there the
    bankrolls reach far, and it is soon found. Other strategies need all that they meet.
    """
    need_numpy()
    from croupier.lab.sessions.flat_drawdowns import FlatDrawdowns
    from croupier.lab.sessions.sweeps import Sweep, too_long

    request, beyond = result.request, Figure(Fraction(0))
    longest = result.rounds_played.greatest
    chain = compile_chain(request)
    if request.target_cents is None and len(chain.rows) <= _FEW_ROWS:
        peaks = _peaks(result)
        more = peaks.first_below(_FAINT)
        beyond = peaks.at_least(more)
        target = result.lattice.cents(_start(result) + more)
        request = replace(request, target_cents=target)
        chain = compile_chain(request)
    drawdowns: FlatDrawdowns | Sweep
    if request.rounds is None and is_flat(chain):
        drawdowns = FlatDrawdowns(chain)
    else:
        drawdowns = Sweep(chain, request.rounds, longest, of_depths=True)
    deepest = drawdowns.most
    deep = min(max(_likely_depth(result), 1), deepest)
    if drawdowns.cost(deep) > _MOST_STEPS:
        raise too_long("drawdown")

    def at_least(depths: Sequence[int]) -> list[Figure]:
        found = drawdowns.at_least(depths)
        return [Figure(each.value, each.error + beyond.greatest) for each in found]

    most = _MOST_STEPS // max(drawdowns.cost(deepest), 1)
    search = _Search(at_least, deepest, most, _AT_ONCE)
    search.at_least(deep)
    return search


def _likely_depth(result: SessionResult) -> int:
    """Return a depth, in points, that few sessions will pass: where to begin."""
    cents = abs(result.net_cents.value) + 4 * result.net_deviation_cents.value
    return ceil(cents * 5 / 4 / result.lattice.step_cents)


def _start(result: SessionResult) -> int:
    return result.lattice.first_at(result.request.bankroll_cents)


def _peaks(result: SessionResult) -> _Search:
    """Return the peaks, in one sweep; or by sessions with nearer targets."""
    rounds, chain = result.request.rounds, compile_chain(result.request)
    points = map(result.lattice.first_at, result.bankrolls)
    greatest = max(max(points) - _start(result), 0)
    if rounds is not None:
        chances = exact_extremes(chain, rounds, mark_peak, _EXACT_STEPS)
        if chances is not None:
            return _Search(_exactly(chances), greatest)
    if not _is_quick_by_targets(result, chain):
        from croupier.lab.sessions.sweeps import Sweep

        longest = result.rounds_played.greatest
        sweep = Sweep(chain, rounds, longest, of_depths=False)
        most = _MOST_STEPS // max(sweep.cost(greatest), 1)
        return _Search(sweep.at_least, greatest, most, _AT_ONCE)
    return _Search(_nearer_sessions(result), greatest)


def _exactly(chances: Mapping[int, Fraction]) -> _Ask:
    def at_least(amounts: Sequence[int]) -> list[Figure]:
        return [
            Figure(exact_sum(c for each, c in chances.items() if each >= amount))
            for amount in amounts
        ]

    return at_least


def _is_quick_by_targets(result: SessionResult, chain: Chain) -> bool:
    """Return whether nearer targets are quicker than a sweep: by blocks or slices."""
    if result.arithmetic is not Arithmetic.FLOAT64:
        return True
    from croupier.lab.sessions.solvers.float_solver import slides

    if result.request.rounds is None:
        return is_flat(chain)
    is_long = chain.edges * result.request.rounds > _SWEPT_STEPS
    return slides(chain) or (is_flat(chain) and is_long)


def _nearer_sessions(result: SessionResult) -> _Ask:
    """_Ask for each amount whether a session with that target reaches it."""
    request, lattice, start = result.request, result.lattice, _start(result)
    wanted = None if request.rounds is None else Arithmetic.FLOAT64

    def reached(more: int) -> Figure:
        cents = lattice.cents(start + more)
        if request.target_cents is not None and cents >= request.target_cents:
            return result.probability(lambda bankroll: bankroll >= cents)
        nearer = replace(request, target_cents=cents)
        return solve_session(nearer, arithmetic=wanted).reached

    return lambda amounts: [reached(each) for each in amounts]


class _Search:
    """Asks how likely an extreme is at least so many points, each number once."""

    def __init__(
        self, ask: _Ask, greatest: int, amounts: int = _MOST, at_once: int = 1
    ) -> None:
        self._ask, self._greatest = ask, greatest
        self._amounts, self._at_once = min(amounts, _MOST), at_once
        self._known = {0: Figure(Fraction(1)), greatest + 1: Figure(Fraction(0))}

    def at_least(self, points: int) -> Figure:
        self._find([points])
        return self._known[points]

    def _find(self, points: Sequence[int]) -> None:
        wanted = sorted({*points} - self._known.keys())
        for first in range(0, len(wanted), self._at_once):
            together = wanted[first : first + self._at_once]
            self._known.update(zip(together, self._ask(together), strict=True))

    def first_below(self, chance: Fraction) -> int:
        """Return the first points that are surely attained no more often."""
        return self._first(chance, lambda figure: figure.greatest)

    def distribution(self, cents: Callable[[int], int]) -> ExtremeDistribution:
        """Return the quantiles, and some amounts evenly spread.

        If many are found at once, the amounts come first and narrow the search.
        """
        amounts: Sequence[int] = ()
        if self._amounts and self._greatest:
            amounts = checkpoints(self._greatest, self._amounts)
        if self._at_once > 1:
            self._find(amounts)
        quantiles = {level: self._quantile(level) for level in LEVELS}
        self._find(amounts)
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
