"""The record of a wheel: its outcomes in the order of play, and the plan of a check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum, unique
from functools import cached_property

import numpy as np

from croupier.batch.compiled import Integers
from croupier.errors import CroupierError
from croupier.rules.game import Game
from croupier.rules.wheel import Number

LEAST_OUTCOMES = 10
"""Fewer are not tested at all."""


class WheelError(CroupierError):
    """The outcomes can't be read; the message says why, in a sentence."""


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """The plan of a wheel's tests; the same plan gives the same figures."""

    level: float = 0.01
    """The probability of a false alarm over all tests together."""
    trials: int = 9_999
    """Fair wheels drawn wherever a p-value is found by Monte Carlo."""
    orders: int = 4_999
    """Random orders of the record drawn at most, wherever those are compared."""
    enough: int = 50
    """As many orders that show as much end the drawing: the p-value is no small one."""
    seed: int = 37


@unique
class OutcomeLabel(Enum):
    """By what outcomes can be told apart; the value is the column's name."""

    TABLE = "table"
    WHEEL = "wheel"
    DEALER = "dealer"


@dataclass(frozen=True, slots=True, eq=False)
class RowLabels:
    """The name that each outcome has in one column."""

    names: tuple[str, ...]
    """Each once, as they come."""
    codes: Integers
    """Which of the names; -1 where none is told."""

    @classmethod
    def of(cls, told: Sequence[str | None]) -> RowLabels:
        codes: dict[str | None, int] = {
            name: code
            for code, name in enumerate(
                name for name in dict.fromkeys(told) if name is not None
            )
        }
        names = tuple(name for name in codes if name is not None)
        codes[None] = -1
        return cls(names, np.array([codes[name] for name in told], dtype=np.int64))

    def rows(self, kept: Integers) -> RowLabels:
        """Return those of some outcomes, in their order."""
        return RowLabels(self.names, self.codes[kept])


@dataclass(frozen=True, eq=False)
class WheelRecord:
    """The outcomes of one wheel, each by its place on the ring."""

    game: Game
    ring: tuple[Number, ...]
    places: Integers
    times_ms: Integers | None
    """When each came up, where that is recorded."""
    source: str
    labels: Mapping[OutcomeLabel, RowLabels] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        game: Game,
        numbers: Iterable[Number],
        *,
        times_ms: Iterable[int] | None = None,
        source: str = "",
        ring: tuple[Number, ...] | None = None,
        labels: Mapping[OutcomeLabel, RowLabels] | None = None,
    ) -> WheelRecord:
        """From the numbers themselves, each of the game; put in order where timed."""
        index = {number: place for place, number in enumerate(ring or game.ring)}
        return cls.placed(
            game,
            np.array([index[number] for number in numbers], dtype=np.int64),
            times_ms=None if times_ms is None else np.array(list(times_ms), np.int64),
            source=source,
            ring=ring,
            labels=labels,
        )

    @classmethod
    def placed(
        cls,
        game: Game,
        places: Integers,
        *,
        times_ms: Integers | None = None,
        source: str = "",
        ring: tuple[Number, ...] | None = None,
        labels: Mapping[OutcomeLabel, RowLabels] | None = None,
    ) -> WheelRecord:
        """From places on the ring; put in order where timed."""
        whole = cls(game, ring or game.ring, places, times_ms, source, labels or {})
        if times_ms is None:
            return whole
        return whole.part(np.argsort(times_ms, kind="stable"), source)

    def part(self, kept: Integers, source: str) -> WheelRecord:
        """Return some of the outcomes, in that order."""
        times = self.times_ms
        return WheelRecord(
            self.game,
            self.ring,
            self.places[kept],
            None if times is None else times[kept],
            source,
            {label: told.rows(kept) for label, told in self.labels.items()},
        )

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
        """The times that a fair wheel brings each number, on average (A24)."""
        return self.spins / self.compartments

    @cached_property
    def counts(self) -> Integers:
        """The times that each number came up, round the ring."""
        return np.bincount(self.places, minlength=self.compartments).astype(np.int64)

    def count_of(
        self, numbers: Iterable[Number], first: int = 0, last: int | None = None
    ) -> int:
        """Return how often any of the numbers came up between two places."""
        chosen = [self.ring.index(number) for number in numbers]
        return int(np.isin(self.places[first:last], chosen).sum())

    def when(self, place: int) -> str:
        """Say which outcome it was, with its time where that is known."""
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
    """The looks that it has already paid for; empty where there was one alone."""
    seen: str
    """The observation, as a sentence that stands whether it is much or not."""
    named: tuple[Number, ...] = ()
    """The numbers that it is about, where it is about some."""
    is_together: bool = True
    """Whether it is about the numbers as one, not about each by itself."""
    since_outcome: int | None = None
    """The outcome, from 1, since which they came up so, where it is about a change."""
    looks: int = 1
    """How many numbers or sectors, and moments, were looked at."""


def times(count: int) -> str:
    """Say how often, in figures: `1 time`, `1,052 times`."""
    return f"{count:,} time{'' if count == 1 else 's'}"
