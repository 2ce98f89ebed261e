"""What a simulated house takes from its one seed: dice, the time, random bytes."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")

MORNING_MS = 1_767_225_600_000
"""When every simulated house begins; no clock of the machine is ever read."""


class Dice:
    """Chance that can be thrown again."""

    def __init__(self, seed: object) -> None:
        self.random = Random(str(seed))

    def one(self, some: Sequence[T]) -> T:
        return some[self.random.randrange(len(some))]

    def is_one_in(self, many: int) -> bool:
        """Throw the dice; never true if `many` is 0."""
        return many > 0 and self.random.randrange(many) == 0

    def below(self, end: int) -> int:
        return self.random.randrange(end)


class SimulatedClock:
    """Milliseconds that pass when a test says so, or by a tick at every look."""

    def __init__(self, now_ms: int = MORNING_MS, tick_ms: int = 0) -> None:
        self.now_ms, self._tick_ms = now_ms, tick_ms

    def __call__(self) -> int:
        self.now_ms += self._tick_ms
        return self.now_ms

    def pass_by(self, milliseconds: int) -> None:
        assert milliseconds >= 0
        self.now_ms += milliseconds


class WanderingClock:
    """The clock that the house reads, which is set forward and back."""

    def __init__(self, steady: SimulatedClock, dice: Dice) -> None:
        self.steps_back = 0
        self._steady, self._dice = steady, dice
        self._ahead_ms = 0

    def __call__(self) -> int:
        return self._steady() + self._ahead_ms

    def wander(self) -> None:
        """Be set, now and then, by up to half an hour either way."""
        if self._dice.is_one_in(40):
            before = self._ahead_ms
            self._ahead_ms = self._dice.below(1_800_000)
            self.steps_back += self._ahead_ms < before


class SeededEntropy:
    """Bytes that look random and are the same for the same seed."""

    def __init__(self, seed: object) -> None:
        self._random = Random(f"entropy {seed}")

    def read(self, count: int) -> bytes:
        return self._random.randbytes(count)
