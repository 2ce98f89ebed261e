"""How many rounds a session takes: its quantiles, its variance, when it has ended."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from croupier.lab.sessions.chain import Chain, compile_chain, most_until_the_end
from croupier.lab.sessions.request import MAXIMUM_ROUNDS, SessionRequest
from croupier.lab.sessions.result import (
    LEVELS,
    Figure,
    checkpoints,
    exact_sum,
    relative_bound,
)
from croupier.lab.sessions.solver import has_numpy, need_numpy
from croupier.lab.sessions.solvers.exact_solver import exact_steps, walk_of
from croupier.lab.sessions.strategy import SessionError

_EXACT_STEPS = 400_000
"""Steps in whole numbers that are done without asking."""
_PATIENCE = 10
"""A session until its end is followed so many times as long as others are."""
_ROUNDINGS_OF_A_SUM = 64
"""In a row, when numpy adds up an array by halves; and a few to spare."""
_CHECKPOINTS = 1_000
_FOLLOWED = (1 - LEVELS[-1]) / 2
"""A session until its end is followed as long as more than so many go on."""
_MOST_BLOCK_ROUNDS = 10**8

_ErrorOf = Callable[[int, Fraction], Fraction]
"""What a probability after so many rounds may be off by."""
_Survival = tuple[Sequence[Fraction | float], _ErrorOf]


@dataclass(frozen=True)
class SessionDurations:
    """How likely the session still goes on after each of its rounds.

    One that is played until it ends is followed as long as one in forty goes on.
    """

    rounds: int | None
    """After which the session ends in any case."""
    survival: Sequence[Fraction | float]
    """After 0, 1, 2 … rounds; none of them is the last."""
    error_of: _ErrorOf
    squared: Figure
    """The expected square of the rounds."""
    mean: Figure

    @property
    def variance(self) -> Figure:
        """Of the rounds played."""
        mean = self.mean
        doubt = mean.error * (2 * abs(mean.value) + mean.error)
        variance = self.squared.value - mean.value**2
        return Figure(variance, self.squared.error + doubt).not_negative

    @property
    def deviation(self) -> Figure:
        """The standard deviation of the rounds played."""
        return self.variance.root()

    @property
    def error(self) -> Fraction:
        """The most that any probability here is off by; 0 where it is exact."""
        return self.error_of(len(self.survival) - 1, Fraction(1))

    @property
    def is_exact(self) -> bool:
        return self.error == 0 and self.squared.is_exact

    def ended(self, rounds: int) -> Figure:
        """Return how likely the session takes so many rounds at most."""
        if rounds == self.rounds:
            return Figure(Fraction(1))
        left = Fraction(self.survival[rounds])
        return Figure(1 - left, self.error_of(rounds, left))

    @property
    def last(self) -> int:
        """The last number of rounds of which it is known how likely it is enough."""
        return self.rounds or len(self.survival) - 1

    @cached_property
    def quantile_bounds(self) -> Mapping[Fraction, tuple[int, int]]:
        """Between which rounds each quantile lies; they differ where it is close."""
        every = range(self.last + 1)
        return {
            level: (
                bisect_left(every, level, key=lambda n: self.ended(n).greatest),
                bisect_left(every, level, key=lambda n: self.ended(n).least),
            )
            for level in LEVELS
        }

    @property
    def course(self) -> Iterator[tuple[int, Figure]]:
        """Up to a thousand numbers of rounds, and how likely it takes no more."""
        for rounds in checkpoints(self.last, _CHECKPOINTS):
            yield rounds, self.ended(rounds)


def find_durations(request: SessionRequest, mean: Figure) -> SessionDurations:
    """Return the durations of a session that takes so many rounds on average.

    Raises `SessionError` where that takes too long.
    """
    chain = compile_chain(request)
    likely = request.rounds or 4 * int(mean.value) + 4
    is_quick = exact_steps(chain, likely) <= _EXACT_STEPS
    if not is_quick and has_numpy():
        from croupier.lab.sessions.solvers.flat_solver import takes_blocks

        if takes_blocks(chain):
            return _durations_by_blocks(request, chain, mean)
    follow = _follow_exactly if is_quick else _follow_in_floats
    survival, error_of = follow(chain, request.rounds, likely)
    squared = (
        _square_until_the_end(request, chain)
        if request.rounds is None
        else _square(survival, error_of)
    )
    return SessionDurations(request.rounds, survival, error_of, squared, mean)


def _durations_by_blocks(
    request: SessionRequest, chain: Chain, mean: Figure
) -> SessionDurations:
    from croupier.lab.sessions.solvers.flat_solver import BlockSurvival

    if request.rounds is None:
        likely = 4 * int(mean.value) + 4
        if likely > _MOST_BLOCK_ROUNDS:
            raise _too_long()
        squared = _square_until_the_end(request, chain)
        survival = BlockSurvival.until(chain, _FOLLOWED, likely)
    else:
        survival = BlockSurvival(chain, request.rounds)
        squared = survival.squared_rounds()
    return SessionDurations(request.rounds, survival, survival.error_of, squared, mean)


def _square(survival: Sequence[Fraction | float], error_of: _ErrorOf) -> Figure:
    """Return the expected square of the rounds: the odd numbers, while it goes on."""
    squares = exact_sum((2 * n + 1) * Fraction(s) for n, s in enumerate(survival))
    last = len(survival) - 1
    lost = error_of(last, Fraction(0))
    relative = error_of(last, Fraction(1)) - lost
    return Figure(squares, squares * relative + lost * len(survival) ** 2)


def _square_until_the_end(request: SessionRequest, chain: Chain) -> Figure:
    from croupier.lab.sessions.solvers.linear_solver import squared_rounds

    if chain.live_size > most_until_the_end(request):
        raise _too_long()
    return squared_rounds(chain)


def _too_long() -> SessionError:
    return SessionError(
        "the durations of this session take too long to calculate: set a nearer target,"
        " stake a larger unit, or give it fewer rounds"
    )


def _is_followed(done: int, rounds: int | None, left: Fraction | float) -> bool:
    """Return whether another round has to be looked at."""
    if rounds is None:
        return left > _FOLLOWED
    return done < rounds - 1


def _follow_exactly(chain: Chain, rounds: int | None, _likely: int) -> _Survival:
    walk = walk_of(chain)
    survival = [Fraction(1)]
    while _is_followed(walk.round, rounds, survival[-1]):
        walk.play_round()
        survival.append(walk.chance(walk.live.values()))
    return survival, lambda _rounds, _chance: Fraction(0)


def _follow_in_floats(chain: Chain, rounds: int | None, likely: int) -> _Survival:
    need_numpy()
    from croupier.lab.sessions.solvers.float_solver import FloatWalk, takes_too_long

    is_long = likely > 4 * MAXIMUM_ROUNDS
    if is_long or takes_too_long(chain, likely, _PATIENCE):
        raise _too_long()
    walk = FloatWalk(chain)
    survival = [1.0]
    while _is_followed(walk.rounds, rounds, survival[-1]):
        walk.play()
        survival.append(float(walk.now.sum()))
    lost = walk.lost()

    def error_of(done: int, chance: Fraction) -> Fraction:
        relative = relative_bound(done * (chain.in_degree + 1) + _ROUNDINGS_OF_A_SUM)
        return chance * relative / (1 - relative) + lost

    return survival, error_of
