"""A simulation in whole numbers, as engines play and count it.

Money is counted in grains. A grain is the largest amount that divides the bankroll, its
bounds, the unit and every result of the unit. A strategy is a table of states.

A tally has only whole numbers, so sessions may be counted in any order. Its words have
64 bits. A sum takes two words, for the lower 32 bits and the rest, and can't overflow.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from croupier.errors import CroupierError
from croupier.lab.sessions import SessionError, Shortfall
from croupier.lab.simulator.stakes import NO_TARGET, SessionEnd, StakeRules
from croupier.lab.simulator.stream import Dice

_MOST_BINS = 2**20
_LARGEST_SQUARED = 2**31
"""Larger values lose their last bits before squaring: see `SimulationPlan.shifts`."""
MOST_UNITS = 2**36
"""The maximum if the table has none."""
_MOST_AMOUNT = 2**57
"""Grains, cents or units: sums over the rounds of a step must fit 64 bits."""
MEMORY = 16
"""The whole numbers that a user's own function can keep."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A strategy as a table: the stake of each state, and the states after it.

    Rows beyond the states are for stakes that the bankroll has cut. `short` has, for
    each state, the row of a stake of one unit; the rows of two and more units follow
    it. It is -1 if a cut stake leads to the same states as a whole one.
    """

    units: tuple[int, ...]
    """By state, under the table's maximum; 0 leaves the table. State 0 is the first."""
    after: tuple[tuple[int, ...], ...]
    """By row: the state after each kind of result."""
    short: tuple[int, ...]
    over_bankroll: Shortfall
    positions: int = 0
    """An upper bound on the pairs of a state and a bankroll."""

    @property
    def greatest(self) -> int:
        return max(self.units)

    @property
    def over_maximum(self) -> Shortfall:
        # Never applied: no state stakes more than the maximum.
        return Shortfall.STAKE_ALLOWED


@dataclass(frozen=True, slots=True)
class OwnFunction:
    """A strategy as the user's own Python function, which can be compiled.

    `function(round, bankroll, net, units, memory)` returns the units to stake. The last
    round's net cents and units are 0 before the first; so is the session's `memory`.
    """

    name: str
    function: Callable[..., int]
    greatest: int
    """The table's maximum, in units."""
    over_maximum: Shortfall
    over_bankroll: Shortfall
    """The function itself starts again; a stake that can't be paid then is ruin."""


@dataclass(frozen=True, kw_only=True)
class SessionPlan(ABC):
    """The sessions to play, their outcomes, and the bounds of their bankrolls."""

    seed: int
    sessions: int
    rounds: int
    dice: Dice
    ends: tuple[int, ...]
    """By kind of result, the first outcome beyond it; the last is the dice's size."""
    bankroll: int
    target: int | None
    floor: int
    """The session stops if the bankroll is not above this; below 0: no bound."""
    grain_cents: int = 1
    nets: tuple[int, ...] = ()
    """By kind of result, the net result of one unit, in grains."""

    @property
    @abstractmethod
    def rules(self) -> StakeRules: ...

    @property
    @abstractmethod
    def own(self) -> Any:
        """The user's own strategy, with `function` and `name`, or None."""


@dataclass(frozen=True, kw_only=True)
class SimulationPlan(SessionPlan):
    """Sessions with one wager; the strategy chooses the number of units."""

    unit: int
    """The stake of one unit, in grains."""
    machine: Machine | OwnFunction
    summit: int | None = None
    """The highest bankroll that the strategy can reach, in grains, if known."""

    @property
    def own(self) -> OwnFunction | None:
        return None if isinstance(self.machine, Machine) else self.machine

    @cached_property
    def rules(self) -> StakeRules:
        machine = self.machine
        return StakeRules(
            unit=self.unit,
            target=NO_TARGET if self.target is None else self.target,
            floor=self.floor,
            greatest=machine.greatest,
            stops_over_maximum=machine.over_maximum is Shortfall.STOP,
            stops_over_bankroll=machine.over_bankroll is Shortfall.STOP,
            starts_again=machine.over_bankroll is Shortfall.START_AGAIN,
        )

    @cached_property
    def highest(self) -> int:
        """An upper bound of all bankrolls, in grains."""
        gain = self.machine.greatest * max(*self.nets, 0)
        bounds = [self.bankroll + self.rounds * gain]
        if self.target is not None:
            bounds.append(self.target + gain)
        return min(bounds if self.summit is None else [*bounds, self.summit])

    @property
    def lowest(self) -> int:
        """A lower bound of all bankrolls, in grains."""
        return max(0, self.bankroll - self.most_staked * -min(*self.nets, 0))

    @cached_property
    def bin_shift(self) -> int:
        """The width of a bin of bankrolls, as a power of 2."""
        return max(0, (self.highest // _MOST_BINS).bit_length())

    @property
    def bins(self) -> int:
        return (self.highest >> self.bin_shift) + 1

    @property
    def most_staked(self) -> int:
        return self.rounds * self.machine.greatest

    @cached_property
    def shifts(self) -> tuple[int, int, int]:
        """The shifts of rounds, units staked and bankroll before squaring."""
        greatest = (self.rounds, self.most_staked, self.highest)
        return tuple(  # type: ignore[return-value]
            max(0, (value // _LARGEST_SQUARED).bit_length()) for value in greatest
        )


def check_amounts(plan: SimulationPlan) -> None:
    """Check that the plan's amounts fit compiled loops; raise `SessionError`."""
    assert plan.bankroll <= plan.highest
    assert min(plan.nets) >= -plan.unit
    greatest = plan.machine.greatest * max(plan.unit, *plan.nets)
    # A user's own function gets cents.
    scale = plan.grain_cents if isinstance(plan.machine, OwnFunction) else 1
    if max(plan.highest * scale, greatest * scale, plan.most_staked) > _MOST_AMOUNT:
        raise SessionError(
            "the amounts can grow too large for compiled play: give the table a"
            " maximum, the session a target, or fewer rounds"
        )


AHEAD = len(SessionEnd)
"""The word after the ends counts the sessions that end above their first bankroll."""
SUMS = AHEAD + 1
"""The first word of the sums; each has two words, low bits first."""
ROUNDS, STAKED, BANKROLL = range(3)
"""The order of the sums; the sums of their squares follow in the same order."""
WORDS = SUMS + 2 * 6

Words = np.ndarray[Any, np.dtype[np.uint64]]


class TallyError(CroupierError):
    """An engine has not counted every session that it has played."""


@dataclass(frozen=True, eq=False)
class SessionTally:
    """The counts of some sessions of a plan."""

    sessions: int
    words: Words
    bins: Words
    """By bin, the number of sessions that ended with such a bankroll."""

    @classmethod
    def empty(cls, plan: SimulationPlan) -> SessionTally:
        return cls(0, np.zeros(WORDS, np.uint64), np.zeros(plan.bins, np.uint64))

    def __add__(self, other: SessionTally) -> SessionTally:
        """Add both; the words become Python's own numbers, of any size."""
        return SessionTally(
            self.sessions + other.sessions,
            self.words.astype(object) + other.words.astype(object),
            self.bins + other.bins,
        )

    def checked(self) -> SessionTally:
        """Return the tally if every session is in it once; raise `TallyError`."""
        ended = sum(int(count) for count in self.words[:AHEAD])
        binned = int(self.bins.sum())
        if not self.sessions == ended == binned:
            raise TallyError(
                f"of {self.sessions:,} sessions {ended:,} have an end and {binned:,}"
                " a bankroll within the plan's bounds: please report this"
            )
        return self

    def ended(self, end: SessionEnd) -> int:
        return int(self.words[end])

    @property
    def ahead(self) -> int:
        return int(self.words[AHEAD])

    def total(self, what: int) -> int:
        """Return the sum of rounds, units staked, or grains of the bankroll."""
        low, high = self.words[SUMS + 2 * what : SUMS + 2 * what + 2]
        return int(low) + (int(high) << 32)

    def squares(self, what: int) -> int:
        """Return the sum of the squares, each value shifted as the plan says."""
        return self.total(3 + what)
