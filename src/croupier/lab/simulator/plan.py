"""A simulation as whole numbers: all that an engine needs, and nothing else.

Money is counted in grains: the largest amount that the bankroll, its bounds, the unit
and every result of the unit are whole multiples of. A strategy is a table of states.

A tally counts over many sessions in whole numbers, so that any order gives the same.
An engine counts in words of 64 bits. A sum is kept as two of them, of the lower 32 bits
and of the rest of each value, so that none overflows.
"""

from __future__ import annotations

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
"""The maximum where the table has none."""
_MOST_AMOUNT = 2**57
"""Grains, cents or units: sums over the rounds of a step must fit 64 bits."""
MEMORY = 16
"""How many whole numbers a function of the user's own can keep."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A strategy as a table: what each state stakes, and what comes after it.

    Rows beyond the states are those of stakes that the bankroll has cut: `short` has
    for each state the row of one unit, and the rows after it are of two, three and so
    on; or it has -1 where a cut stake is followed by the same states as a whole one.
    """

    units: tuple[int, ...]
    """By state, under the table's maximum; 0 leaves the table. State 0 is the first."""
    after: tuple[tuple[int, ...], ...]
    """By row: the state after each kind of result."""
    short: tuple[int, ...]
    over_bankroll: Shortfall
    positions: int = 0
    """Pairs of a state and a bankroll, at most."""

    @property
    def greatest(self) -> int:
        return max(self.units)

    @property
    def over_maximum(self) -> Shortfall:
        """Never asked for: no state stakes more than the maximum."""
        return Shortfall.STAKE_ALLOWED


@dataclass(frozen=True, slots=True)
class OwnFunction:
    """A strategy as a Python function of the user's own, which can be compiled.

    `function(round, bankroll, net, units, memory)` returns the units to stake: what
    the last round won or lost, in cents, and what was staked in it are 0 before the
    first; `memory` is an array of the session's own, all 0 at first.
    """

    name: str
    function: Callable[..., int]
    greatest: int
    """The table's maximum, in units."""
    over_maximum: Shortfall
    over_bankroll: Shortfall
    """To start again is up to the function; what can't be paid then is ruin."""


@dataclass(frozen=True)
class SimulationPlan:
    """Which sessions are played, and by what."""

    seed: int
    sessions: int
    rounds: int
    dice: Dice
    ends: tuple[int, ...]
    """The first outcome beyond each kind of result; the last is all of them."""
    nets: tuple[int, ...]
    """By kind of result, in grains: what one unit wins or loses."""
    unit: int
    """What one unit stakes, in grains."""
    bankroll: int
    target: int | None
    floor: int
    """The session stops when no more is left than this; below 0: no such bound."""
    machine: Machine | OwnFunction
    grain_cents: int
    summit: int | None = None
    """No bankroll is above this, in grains, if it is known from the strategy."""

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
        """No bankroll is above this, in grains."""
        gain = self.machine.greatest * max(*self.nets, 0)
        bounds = [self.bankroll + self.rounds * gain]
        if self.target is not None:
            bounds.append(self.target + gain)
        return min(bounds if self.summit is None else [*bounds, self.summit])

    @property
    def lowest(self) -> int:
        """No bankroll is below this, in grains."""
        most_lost = self.most_staked * -min(*self.nets, 0)
        return max(0, self.bankroll - most_lost)

    @cached_property
    def bin_shift(self) -> int:
        """Bankrolls are counted in bins of so many powers of two."""
        return max(0, (self.highest // _MOST_BINS).bit_length())

    @property
    def bins(self) -> int:
        return (self.highest >> self.bin_shift) + 1

    @property
    def most_staked(self) -> int:
        """No session stakes more units than this."""
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
    # A function of the user's own is told cents.
    told = plan.grain_cents if isinstance(plan.machine, OwnFunction) else 1
    if max(plan.highest * told, greatest * told, plan.most_staked) > _MOST_AMOUNT:
        raise SessionError(
            "the amounts can grow too large for compiled play: give the table a"
            " maximum, the session a target, or fewer rounds"
        )


AHEAD = len(SessionEnd)
"""The place after the ends: sessions that end above their bankroll."""
SUMS = AHEAD + 1
"""From here on: a pair of words for each sum, low bits first."""
ROUNDS, STAKED, BANKROLL = range(3)
"""What is summed, and after it in the same order its squares."""
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
    """How many sessions ended with a bankroll in each bin."""

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
        return self._sum(what)

    def squares(self, what: int) -> int:
        """Return the sum of the squares, each value shifted as the plan says."""
        return self._sum(3 + what)

    def _sum(self, place: int) -> int:
        low, high = self.words[SUMS + 2 * place : SUMS + 2 * place + 2]
        return int(low) + (int(high) << 32)
