"""The record of a wheel: its outcomes in the order of play, and the plan of a check.

What a test's statistic comes to by chance is drawn here too. Monte Carlo draws counts,
not spins: the cost depends on the number of compartments, not on the length of the
record. The same plan draws the same wheels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property

import numpy as np

from croupier.batch.compiled import Floats, Integers
from croupier.rules.game import Game
from croupier.rules.wheel import Number


class WheelError(Exception):
    """The outcomes can't be read; the message says why, in a sentence."""


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """How a wheel is tested; the same plan gives the same figures."""

    level: float = 0.01
    """The probability of a false alarm over all tests together."""
    trials: int = 9_999
    """Fair wheels drawn wherever a p-value is found by Monte Carlo."""
    seed: int = 37


@dataclass(frozen=True, eq=False)
class WheelRecord:
    """The outcomes of one wheel, each by its place on the ring."""

    game: Game
    ring: tuple[Number, ...]
    places: Integers
    times_ms: Integers | None
    """When each came up, where that is recorded."""
    source: str

    @classmethod
    def of(
        cls,
        game: Game,
        numbers: Iterable[Number],
        *,
        times_ms: Iterable[int] | None = None,
        source: str = "",
        ring: tuple[Number, ...] | None = None,
    ) -> WheelRecord:
        """From the numbers themselves, each of the game; put in order where timed."""
        ring = ring or game.ring
        index = {number: place for place, number in enumerate(ring)}
        places = np.array([index[number] for number in numbers], dtype=np.int64)
        if times_ms is None:
            return cls(game, ring, places, None, source)
        times = np.array(list(times_ms), dtype=np.int64)
        order = np.argsort(times, kind="stable")
        return cls(game, ring, places[order], times[order], source)

    @property
    def spins(self) -> int:
        return len(self.places)

    @property
    def compartments(self) -> int:
        return len(self.ring)

    @property
    def knows_ring(self) -> bool:
        """Whether the order of the compartments is more than a picture (W2)."""
        return not self.game.illustrative_ring

    @property
    def expected(self) -> float:
        """How often a fair wheel brings each number, on average (A24)."""
        return self.spins / self.compartments

    @cached_property
    def counts(self) -> Integers:
        """How often each number came up, round the ring."""
        return np.bincount(self.places, minlength=self.compartments).astype(np.int64)

    def when(self, place: int) -> str:
        """Which outcome it was, in words, with its time where that is known."""
        said = f"outcome {place + 1:,}"
        if self.times_ms is None:
            return said
        moment = datetime.fromtimestamp(int(self.times_ms[place]) / 1000, UTC)
        return f"{said} ({moment:%Y-%m-%d %H:%M} UTC)"


@dataclass(frozen=True, slots=True)
class WheelTest:
    """One test of a fair wheel: what was seen, and how rarely chance does that."""

    name: str
    statistic: float
    p_value: float
    method: str
    """How the p-value was found."""
    corrected_for: str
    """What it has already paid for; empty where one thing alone was looked at."""
    seen: str
    """What was seen and where, as a sentence that stands whether it is much or not."""
    named: tuple[Number, ...] = ()
    """The numbers that it is about, where it is about some."""


_CELLS = 1_000_000
"""About as many counts are drawn at a time."""


def fair_statistics(
    statistic: Callable[[Integers], Floats],
    sizes: tuple[int, ...],
    compartments: int,
    plan: CheckPlan,
) -> Floats:
    """Return each fair wheel's statistic, of counts by wheel, block, compartment."""
    drawn = _drawn(sizes, compartments, plan)
    return np.concatenate([statistic(counts) for counts in drawn])


def _drawn(
    sizes: tuple[int, ...], compartments: int, plan: CheckPlan
) -> Iterator[Integers]:
    generator = np.random.default_rng(plan.seed)
    chances = np.full(compartments, 1 / compartments)
    piece = max(_CELLS // (len(sizes) * compartments), 1)
    for first in range(0, plan.trials, piece):
        wheels = min(piece, plan.trials - first)
        shape = (wheels, len(sizes))
        yield generator.multinomial(sizes, chances, size=shape).astype(np.int64)


def monte_carlo(seen: float, drawn: Floats) -> float:
    """How rarely fair wheels show as much; the one seen counts too, so never 0."""
    # A sum of rounded terms must not make a tie a difference.
    as_much = int(np.count_nonzero(drawn >= seen * (1 - 1e-12)))
    return (1 + as_much) / (1 + len(drawn))


def monte_carlo_method(plan: CheckPlan) -> str:
    return f"Monte Carlo, {plan.trials:,} fair wheels, seed {plan.seed}"
