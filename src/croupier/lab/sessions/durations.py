"""The number of rounds of a session: its distribution, quantiles and variance."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from croupier.extras import needing
from croupier.lab.sessions.chain import Chain, compile_chain, most_until_the_end
from croupier.lab.sessions.report import from_to, plot_chances
from croupier.lab.sessions.request import MAXIMUM_ROUNDS, SessionRequest
from croupier.lab.sessions.result import LEVELS, checkpoints, exact_sum, rounded_off
from croupier.lab.sessions.solvers.exact_solver import QUICK_STEPS, exact_steps, walk_of
from croupier.lab.sessions.strategy import too_large
from croupier.numeric.figure import Figure
from croupier.tabular import Plot, Tabled, TextTable, data_frame
from croupier.tabular.figure_formats import figure_count, figure_json, rounded_up

if TYPE_CHECKING:
    from croupier.lab.sessions.solvers.flat_solver import FlatRounds

_PATIENCE = 10
"""Patience for a session until its end, as a multiple of that for others."""
_ROUNDINGS_OF_A_SUM = 64
"""Bound on the successive roundings when numpy adds up an array by halves."""
_CHECKPOINTS = 1_000
_FOLLOWED = (1 - LEVELS[-1]) / 2
"""A session until its end is followed until its survival is at most this."""
_MOST_BLOCK_ROUNDS = 10**8
_TAKES = "the durations of this session take too long to calculate"


@dataclass(frozen=True, repr=False)
class SessionDurations(Tabled):
    """The probability, by round, that the session is still going on.

    A session until its end is followed until that probability is 1/40.
    """

    name: ClassVar[str] = "durations"

    rounds: int | None
    """The last round; None for a session until its end."""
    survival: _Followed | _BlockSurvival
    """By rounds, the probability of going on; without the last round."""
    squared: Figure
    """The expected square of the rounds."""
    mean: Figure

    @property
    def variance(self) -> Figure:
        return self.squared.variance(self.mean)

    @property
    def deviation(self) -> Figure:
        return self.variance.root()

    @property
    def error(self) -> Fraction:
        """The greatest error of any probability; 0 if it is exact."""
        return self.survival.error

    @property
    def is_exact(self) -> bool:
        return self.error == 0 and self.squared.is_exact

    def ended(self, rounds: int) -> Figure:
        """Return the chance that the session takes at most this number of rounds."""
        if rounds == self.rounds:
            return Figure(Fraction(1))
        left = self.survival[rounds]
        return Figure(1 - left.value, left.error).clipped

    @property
    def last(self) -> int:
        """The greatest number of rounds that `ended` can take."""
        return self.rounds or len(self.survival) - 1

    @cached_property
    def quantile_bounds(self) -> Mapping[Fraction, tuple[int, int]]:
        """The rounds that bound each quantile; they are equal unless it is in doubt."""
        every = range(self.last + 1)
        return {
            level: (
                bisect_left(every, level, key=lambda n: self.ended(n).greatest),
                bisect_left(every, level, key=lambda n: self.ended(n).least),
            )
            for level in LEVELS
        }

    def to_frame(self) -> Any:
        """Return a Polars frame: the probability of having ended, by rounds."""
        return data_frame(
            {"rounds": rounds, "ended": ended.value, "error": ended.error}
            for rounds, ended in self.chances.items()
        )

    def plot(self) -> Plot:
        """Draw the probability of having ended, over the rounds."""
        return plot_chances("ended", "rounds", self.chances)

    def table(self) -> TextTable:
        rows = [("rounds played, expected", figure_count(self.mean)), *self.rows()]
        return TextTable("Rounds", ("", ""), rows, tuple(self.notes()))

    def rows(self) -> Iterator[tuple[str, str]]:
        yield "rounds played, standard deviation", figure_count(self.deviation)
        for level, bounds in self.quantile_bounds.items():
            yield f"rounds played, {float(level):.0%} quantile", from_to(bounds, str)

    def notes(self) -> Iterator[str]:
        if self.error:
            off = rounded_up(self.error)
            yield f"Rounds: no probability is off by more than {off}."
        if not self.squared.is_exact:
            off = rounded_up(self.deviation.error)
            yield f"Rounds: the standard deviation is off by no more than {off}."

    def json(self) -> dict[str, Any]:
        return {
            "variance": figure_json(self.variance),
            "deviation": figure_json(self.deviation),
            "quantiles": [
                {"level": float(level), "rounds": least, "at_most_rounds": greatest}
                for level, (least, greatest) in self.quantile_bounds.items()
            ],
            "ended": [
                {"rounds": rounds, **figure_json(chance)}
                for rounds, chance in self.chances.items()
            ],
        }

    def __repr__(self) -> str:
        return f"<SessionDurations: {float(self.mean):.2f} rounds on average>"

    @cached_property
    def chances(self) -> Mapping[int, Figure]:
        """The probability of having ended, at up to a thousand numbers of rounds."""
        return {n: self.ended(n) for n in checkpoints(self.last, _CHECKPOINTS)}


@dataclass(frozen=True, slots=True)
class _Followed:
    """The survival of a walk that was followed round by round."""

    chances: Sequence[Fraction | float]
    ways: int = 0
    """The greatest number of steps that lead to one position; 0 for exact chances."""
    lost: Fraction = Fraction(0)

    def __len__(self) -> int:
        return len(self.chances)

    def __getitem__(self, rounds: int) -> Figure:
        chance = Fraction(self.chances[rounds])
        return Figure(chance, chance * self._relative(rounds) + self.lost)

    @property
    def error(self) -> Fraction:
        return self._relative(len(self) - 1) + self.lost

    @property
    def squared(self) -> Figure:
        """The expected square: the sum of 2n + 1 over the rounds n that it goes on."""
        odd = ((2 * n + 1) * Fraction(each) for n, each in enumerate(self.chances))
        squares = exact_sum(odd)
        off = squares * self._relative(len(self) - 1) + self.lost * len(self) ** 2
        return Figure(squares, off)

    def _relative(self, rounds: int) -> Fraction:
        if not self.ways:
            return Fraction(0)
        roundings = rounds * (self.ways + 1) + _ROUNDINGS_OF_A_SUM
        return rounded_off(Fraction(1), roundings)


@dataclass(frozen=True, slots=True)
class _BlockSurvival:
    """The survival of flat play, calculated at any round on demand."""

    flat: FlatRounds
    count: int

    @classmethod
    def until(cls, flat: FlatRounds, chance: Fraction, likely: int) -> _BlockSurvival:
        """Return the survival up to the first probability of at most `chance`.

        `likely` is a guess at that number of rounds.
        """
        while flat.goes_on(likely - 1).value > chance:
            likely *= 2
        first = bisect_left(
            range(likely), True, key=lambda rounds: flat.goes_on(rounds).value <= chance
        )
        return cls(flat, first + 1)

    def __len__(self) -> int:
        return self.count

    def __getitem__(self, rounds: int) -> Figure:
        return self.flat.goes_on(rounds)

    @property
    def error(self) -> Fraction:
        return self.flat.after(self.count - 1).off(Fraction(1))

    @property
    def squared(self) -> Figure:
        """The expected square: the sum of 2n + 1 over the rounds n that it goes on.

        It has at most twice the roundings that the state counts: one more product and
        sum in each round or block.
        """
        last = self.flat.after(self.count)
        squares = 2 * Fraction(float(last.numbers[0])) + Fraction(float(last.played[0]))
        off = rounded_off(squares, 2 * last.roundings) + last.lost * self.count**2
        return Figure(squares, off)


def find_durations(request: SessionRequest, mean: Figure) -> SessionDurations:
    """Return the durations of a session; `mean` is its expected number of rounds.

    Raises `SessionError` if it would take too long.
    """
    chain, rounds = compile_chain(request), request.rounds
    survival = _survival(chain, rounds, rounds or 4 * int(mean.value) + 4)
    if rounds:
        return SessionDurations(rounds, survival, survival.squared, mean)
    with needing("odds", "numpy", "scipy"):
        from croupier.lab.sessions.solvers.linear_solver import squared_rounds

    if chain.live_size > most_until_the_end(request):
        raise too_large(_TAKES)
    return SessionDurations(rounds, survival, squared_rounds(chain), mean)


def _survival(
    chain: Chain, rounds: int | None, likely: int
) -> _Followed | _BlockSurvival:
    """Return the survival by the quickest method; raise `SessionError` without."""
    if exact_steps(chain, likely) <= QUICK_STEPS:
        exact = walk_of(chain)

        def exact_round() -> Fraction:
            exact.play_round()
            return exact.chance(exact.live.values())

        return _Followed(_followed(exact_round, rounds))
    with needing("odds", "numpy", "scipy"):
        from croupier.lab.sessions.solvers.flat_solver import FlatRounds, takes_blocks
        from croupier.lab.sessions.solvers.float_solver import FloatWalk, takes_too_long

    if takes_blocks(chain):
        if rounds is not None:
            return _BlockSurvival(FlatRounds(chain), rounds)
        if likely > _MOST_BLOCK_ROUNDS:
            raise too_large(_TAKES)
        return _BlockSurvival.until(FlatRounds(chain), _FOLLOWED, likely)
    is_long = likely > 4 * MAXIMUM_ROUNDS
    if is_long or takes_too_long(chain, likely, _PATIENCE):
        raise too_large(_TAKES)
    walk = FloatWalk(chain)

    def float_round() -> float:
        walk.play()
        return float(walk.now.sum())

    chances = _followed(float_round, rounds)
    return _Followed(chances, chain.in_degree, walk.lost())


def _followed(
    next_round: Callable[[], Fraction | float], rounds: int | None
) -> list[Fraction | float]:
    """Return the survival before the last round, or until it is at most `_FOLLOWED`."""
    chances: list[Fraction | float] = [Fraction(1)]
    while len(chances) < rounds if rounds else chances[-1] > _FOLLOWED:
        chances.append(next_round())
    return chances
