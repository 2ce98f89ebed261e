"""The record of a wheel: its outcomes in the order of play, and the plan of a check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
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
"""Fewer are not tested."""


class WheelError(CroupierError):
    """The outcomes can't be read; the message says why, in a sentence."""


@dataclass(frozen=True, slots=True)
class CheckPlan:
    """The plan of a wheel's tests; the same plan gives the same figures."""

    level: float = 0.01
    """The probability of a false alarm over all tests together."""
    trials: int = 9_999
    """Fair wheels for a p-value by Monte Carlo."""
    orders: int = 4_999
    """The most random orders of the record that are drawn."""
    enough: int = 50
    """Drawing ends once this number of orders reach the record's statistic."""
    seed: int = 37


@unique
class OutcomeLabel(Enum):
    """A column that divides outcomes into groups; the value is its name."""

    TABLE = "table"
    WHEEL = "wheel"
    DEALER = "dealer"


@dataclass(frozen=True, slots=True, eq=False)
class RowLabels:
    """The names in one column, by outcome."""

    names: tuple[str, ...]
    """The distinct names, in the order of their first use."""
    codes: Integers
    """By outcome, the index of its name; -1 without a name."""

    def rows(self, kept: Integers) -> RowLabels:
        return RowLabels(self.names, self.codes[kept])


@dataclass(frozen=True, eq=False)
class WheelRecord:
    """The outcomes of one wheel, each by its place on the ring."""

    game: Game
    ring: tuple[Number, ...]
    places: Integers
    times_ms: Integers | None
    """The time of each outcome; None if times are not recorded."""
    source: str
    labels: Mapping[OutcomeLabel, RowLabels] = field(default_factory=dict)

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
        """Make a record from places on the ring, sorted by time if there are times."""
        whole = cls(game, ring or game.ring, places, times_ms, source, labels or {})
        if times_ms is None:
            return whole
        return whole.part(np.argsort(times_ms, kind="stable"), source)

    def part(self, kept: Integers, source: str) -> WheelRecord:
        """Return the outcomes at the places `kept`, in that order."""
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
        # Reading W2: some orders are only illustrative.
        return not self.game.illustrative_ring

    @property
    def expected(self) -> float:
        # Reading A24: a fair wheel gives all compartments the same chance.
        return self.spins / self.compartments

    @cached_property
    def counts(self) -> Integers:
        """Counts in the order of the ring."""
        return np.bincount(self.places, minlength=self.compartments).astype(np.int64)

    def count_of(
        self, numbers: Iterable[Number], first: int = 0, last: int | None = None
    ) -> int:
        """Count the occurrences of any of the numbers between two places."""
        chosen = [self.ring.index(number) for number in numbers]
        return int(np.isin(self.places[first:last], chosen).sum())

    def when(self, place: int) -> str:
        """Name an outcome by its number, with its time if that is known."""
        said = f"outcome {place + 1:,}"
        if self.times_ms is None:
            return said
        moment = datetime.fromtimestamp(int(self.times_ms[place]) / 1000, UTC)
        return f"{said} ({moment:%Y-%m-%d %H:%M} UTC)"


@dataclass(frozen=True, slots=True)
class WheelTest:
    """One test of a fair wheel: the observation and its p-value."""

    name: str
    statistic: float
    p_value: float
    method: str
    """How the p-value was found."""
    corrected_for: str
    """The comparisons that its p-value is corrected for; empty if only one."""
    seen: str
    """The observation in a sentence, without a judgement."""
    named: tuple[Number, ...] = ()
    """The numbers that it is about, if any."""
    is_together: bool = True
    """Whether it is about the numbers as a group, not about each one."""
    since_outcome: int | None = None
    """The first outcome, from 1, after a change; None if it is about no change."""
    looks: int = 1
    """The numbers or sectors that were compared, times the moments."""
