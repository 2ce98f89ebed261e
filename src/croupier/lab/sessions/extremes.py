"""The peak of a session's bankroll, and its deepest drawdown below a peak."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil
from typing import Any

from croupier.extras import needing
from croupier.lab.sessions.chain import Chain, compile_chain
from croupier.lab.sessions.report import from_to, plot_chances
from croupier.lab.sessions.result import (
    LEVELS,
    Arithmetic,
    SessionResult,
    checkpoints,
    quantile_bounds,
)
from croupier.lab.sessions.solver import solve_session
from croupier.lab.sessions.solvers.exact_solver import (
    QUICK_STEPS,
    Mark,
    exact_extremes,
    mark_drawdown,
    mark_peak,
)
from croupier.numeric.figure import Figure
from croupier.rules.cents import write_cents
from croupier.tabular import Plot, Tabled, TextTable, data_frame
from croupier.tabular.figure_formats import figure_json, rounded_up

_AMOUNTS = 50
"""The most amounts besides the quantiles."""
_SWEPT_STEPS = 20_000_000
"""With more single steps, sessions with nearer targets are solved instead."""
_FAINT = Fraction(1, 10**15)
_FEW_ROWS = 20
"""A chain with more rows takes long to compile for each target."""

_Ask = Callable[[Sequence[int]], list[Figure]]
"""Returns the chance of attaining each of these points."""


@dataclass(frozen=True, slots=True, repr=False)
class ExtremeDistribution(Tabled):
    """The distribution of the peak or the drawdown."""

    name: str
    """`peak` or `drawdown`."""
    at_least: Mapping[int, Figure]
    """By amount in cents, rising, the probability of at least this amount."""
    quantile_bounds: Mapping[Fraction, tuple[int, int]]
    """The cents that bound each quantile; they are equal unless it is in doubt."""
    is_whole: bool
    """True if `at_least` has every possible amount."""

    def to_frame(self) -> Any:
        """Return a Polars frame: the probability of at least each amount."""
        return data_frame(
            {f"{self.name}_cents": cents, "at_least": each.value, "error": each.error}
            for cents, each in self.at_least.items()
        )

    def plot(self) -> Plot:
        """Draw the probability of at least each amount."""
        money = {cents / 100: chance for cents, chance in self.at_least.items()}
        return plot_chances("at least so much", self.name, money)

    def table(self) -> TextTable:
        title = self.name.capitalize()
        return TextTable(title, ("", ""), list(self.rows()), tuple(self.notes()))

    def rows(self) -> Iterator[tuple[str, str]]:
        for level, bounds in self.quantile_bounds.items():
            yield (
                f"{self.name}, {float(level):.0%} quantile",
                from_to(bounds, write_cents),
            )

    def notes(self) -> Iterator[str]:
        error = max(figure.error for figure in self.at_least.values())
        if error:
            title = self.name.capitalize()
            yield f"{title}: no probability is off by more than {rounded_up(error)}."

    def json(self) -> dict[str, Any]:
        cents = f"{self.name}_cents"
        return {
            "quantiles": [
                {"level": float(level), cents: least, "at_most_cents": greatest}
                for level, (least, greatest) in self.quantile_bounds.items()
            ],
            "at_least": [
                {cents: amount, **figure_json(chance)}
                for amount, chance in self.at_least.items()
            ],
            "is_whole": self.is_whole,
        }

    def __repr__(self) -> str:
        least, most = min(self.at_least), max(self.at_least)
        return f"<ExtremeDistribution of the {self.name}: {least} to {most} cents>"


def find_peak(result: SessionResult) -> ExtremeDistribution:
    """Return the distribution of the highest bankroll, the first one included."""
    start = _start(result)

    def cents(more: int) -> int:
        return result.lattice.cents(start + more)

    return _find("peak", result, mark_peak, _peaks, cents)


def find_drawdown(result: SessionResult) -> ExtremeDistribution:
    step = result.lattice.step_cents
    return _find("drawdown", result, mark_drawdown, _drawdowns, step.__mul__)


def _find(
    name: str,
    result: SessionResult,
    mark: Mark,
    search: Callable[[SessionResult, Chain], _Search],
    cents: Callable[[int], int],
) -> ExtremeDistribution:
    """Return every amount in fractions if that is quick, else search for amounts."""
    chain, rounds = compile_chain(result.request), result.request.rounds
    if rounds is not None:
        chances = exact_extremes(chain, rounds, mark, QUICK_STEPS)
        if chances is not None:
            return _whole(name, chances, cents)
    return search(result, chain).distribution(name, cents)


def _whole(
    name: str, chances: Mapping[int, Fraction], cents: Callable[[int], int]
) -> ExtremeDistribution:
    """Return the distribution with every possible amount."""
    left = Fraction(1)
    at_least = {cents(0): Figure(left)}
    for points, chance in chances.items():
        at_least[cents(points)] = Figure(left)
        left -= chance
    bounds = quantile_bounds(chances.items(), lambda _: Fraction(0))
    return ExtremeDistribution(name, at_least, _in_cents(bounds, cents), is_whole=True)


def _in_cents(
    bounds: Mapping[Fraction, tuple[int, int]], cents: Callable[[int], int]
) -> dict[Fraction, tuple[int, int]]:
    return {level: (cents(low), cents(high)) for level, (low, high) in bounds.items()}


def _drawdowns(result: SessionResult, chain: Chain) -> _Search:
    """Return a search for depths.

    If there is no target and the states are few, a peak that is almost never passed
    serves as the target: the bankrolls reach far, and such a peak is quickly found.
    Other strategies need all bankrolls that they meet.
    """
    with needing("odds", "numpy", "scipy"):
        from croupier.lab.sessions.extreme_sweep import (
            MOST_STEPS,
            ExtremeSweep,
            extreme_too_long,
        )
        from croupier.lab.sessions.flat_drawdowns import FlatDrawdowns

    request, beyond = result.request, Fraction(0)
    if request.target_cents is None and len(chain.rows) <= _FEW_ROWS:
        peaks = _peaks(result, chain)
        more = peaks.first_below(_FAINT)
        beyond = peaks.at_least(more).greatest
        target = result.lattice.cents(_start(result) + more)
        request = replace(request, target_cents=target)
        chain = compile_chain(request)
    drawdowns: FlatDrawdowns | ExtremeSweep
    if request.rounds is None and chain.is_flat:
        drawdowns = FlatDrawdowns(chain)
    else:
        longest = result.rounds_played.greatest
        drawdowns = ExtremeSweep(chain, request.rounds, longest, of_depths=True)
    deepest = drawdowns.most
    # Begin with a depth that few sessions pass.
    lost = abs(result.net_cents.value) + 4 * result.net_deviation_cents.value
    deep = min(max(ceil(lost * 5 / 4 / result.lattice.step_cents), 1), deepest)
    if drawdowns.cost(deep) > MOST_STEPS:
        raise extreme_too_long("drawdown")

    def at_least(depths: Sequence[int]) -> list[Figure]:
        found = drawdowns.at_least(depths)
        return [Figure(each.value, each.error + beyond) for each in found]

    search = _Search(at_least, deepest, MOST_STEPS // drawdowns.cost(deepest))
    search.at_least(deep)
    return search


def _start(result: SessionResult) -> int:
    return result.lattice.first_at(result.request.bankroll_cents)


def _peaks(result: SessionResult, chain: Chain) -> _Search:
    """Return a search for peaks, by one sweep or by sessions with nearer targets."""
    request, start = result.request, _start(result)
    greatest = max(max(map(result.lattice.first_at, result.bankrolls)) - start, 0)
    rounds, is_float = request.rounds, result.arithmetic is Arithmetic.FLOAT64
    if chain.is_flat or (rounds is None and not is_float):
        return _Search(_nearer_sessions(result), greatest)
    with needing("odds", "numpy", "scipy"):
        from croupier.lab.sessions.extreme_sweep import MOST_STEPS, ExtremeSweep
        from croupier.lab.sessions.solvers.float_solver import slides

    steps = chain.edges * (rounds or 0)
    if steps > _SWEPT_STEPS and slides(chain):
        return _Search(_nearer_sessions(result), greatest, MOST_STEPS // steps)
    sweep = ExtremeSweep(chain, rounds, result.rounds_played.greatest, of_depths=False)
    search = _Search(sweep.at_least, greatest, MOST_STEPS // sweep.cost(greatest))
    if request.target_cents is not None:
        goal = result.lattice.first_at(request.target_cents) - start
        if goal <= greatest:
            search.known[goal] = result.reached
    return search


def _nearer_sessions(result: SessionResult) -> _Ask:
    """Take the chance of each amount from a session with that target."""
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
    """The chances of an extreme of at least some points, each calculated once."""

    def __init__(self, ask: _Ask, greatest: int, amounts: int = _AMOUNTS) -> None:
        self._ask, self._greatest = ask, greatest
        self._amounts = min(amounts, _AMOUNTS, greatest)
        self.known = {0: Figure(Fraction(1)), greatest + 1: Figure(Fraction(0))}

    def at_least(self, points: int) -> Figure:
        self._find([points])
        return self.known[points]

    def _find(self, points: Iterable[int]) -> None:
        wanted = sorted({*points} - self.known.keys())
        found = (figure.clipped for figure in self._ask(wanted))
        self.known.update(zip(wanted, found, strict=True))

    def first_below(self, chance: Fraction) -> int:
        """Return the least number of points whose chance is surely at most this."""
        self._narrow([chance])
        return self._around(chance, least=False)[1]

    def distribution(
        self, name: str, cents: Callable[[int], int]
    ) -> ExtremeDistribution:
        """Return evenly spread amounts and the quantiles."""
        if self._amounts:
            self._find(checkpoints(self._greatest, self._amounts))
        self._narrow([1 - level for level in LEVELS])
        bounds = {
            level: (
                self._around(1 - level, least=True)[0],
                self._around(1 - level, least=False)[0],
            )
            for level in LEVELS
        }
        known = sorted(self.known)[:-1]
        return ExtremeDistribution(
            name,
            {cents(points): self.known[points] for points in known},
            _in_cents(bounds, cents),
            len(known) == self._greatest + 1,
        )

    def _narrow(self, chances: Sequence[Fraction]) -> None:
        """Calculate more points until each chance lies between two neighbours."""
        halves = False
        while wanted := {
            (low + high) // 2 if halves else self._guess(low, high, chance)
            for chance in chances
            for least in (True, False)
            for low, high in [self._around(chance, least=least)]
            if high - low > 1
        }:
            self._find(wanted)
            halves = not halves

    def _around(self, chance: Fraction, *, least: bool) -> tuple[int, int]:
        """Return the last known points with a greater chance, and the next ones."""
        low = max(
            points
            for points, known in self.known.items()
            if (known.least if least else known.greatest) > chance
        )
        return low, min(points for points in self.known if points > low)

    def _guess(self, low: int, high: int, chance: Fraction) -> int:
        above, below = self.known[low].value, self.known[high].value
        part = (above - chance) / (above - below) if above > below else Fraction(1, 2)
        return min(max(low + round(part * (high - low)), low + 1), high - 1)
