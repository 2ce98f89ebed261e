"""`simulate`: random sessions from a seed, and their figures with intervals."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from time import perf_counter
from typing import Any, Unpack

import numpy as np

from croupier.lab.sessions import Figure, SessionError, SessionResult
from croupier.lab.sessions.request import (
    SessionRequest,
    SessionWords,
    Wager,
    read_request,
    with_session_words,
)
from croupier.lab.sessions.result import LEVELS, Progress
from croupier.lab.sessions.solver import solve_session
from croupier.lab.sessions.strategy import FunctionStrategy
from croupier.lab.simulator.compiler import compile_plan
from croupier.lab.simulator.engines import check_words, play_parts, record_plan
from croupier.lab.simulator.estimates import (
    Estimate,
    Mean,
    QuantileEstimate,
    proportion,
    squares_of,
)
from croupier.lab.simulator.intervals import (
    PlanReach,
    bankroll_bounds,
    ratio_interval,
    reach_of,
)
from croupier.lab.simulator.plan import (
    BANKROLL,
    ROUNDS,
    STAKED,
    Machine,
    OwnFunction,
    SessionPlan,
    SessionTally,
    SimulationPlan,
)
from croupier.lab.simulator.session_records import SessionRecords, ranked_value
from croupier.lab.simulator.simulation_report import (
    simulation_frame,
    simulation_json,
    simulation_table,
)
from croupier.lab.simulator.stakes import SessionEnd
from croupier.odds.model import Model
from croupier.rules.cents import write_cents
from croupier.rules.game import Game
from croupier.tabular import Plot

Counts = np.ndarray[Any, np.dtype[Any]]


_MOST_STATE_ROUNDS = 600_000
_MOST_STEPS = 2_000_000_000
"""Limits in counts, not seconds, so that every machine prints the same answer."""
SESSIONS = 100_000
LEVEL = 0.99


@dataclass(frozen=True)
class Histogram:
    """The number of sessions by bankroll at the end."""

    cents: Counts
    """The smallest bankroll of each bin, rising; empty bins are left out."""
    sessions: Counts
    width_cents: int
    """The width of a bin; 0 if each bin is a single bankroll."""


@dataclass(frozen=True, kw_only=True, repr=False)
class PlayedSessions(ABC):
    """Played sessions and their figures, each with its interval at `level`."""

    request: Any
    plan: SessionPlan
    level: float
    engine: str
    seconds: float
    """The time of play without compilation; not part of the figures."""
    compile_seconds: float = 0.0

    @property
    def seed(self) -> int:
        return self.plan.seed

    @property
    def sessions(self) -> int:
        return self.plan.sessions

    @property
    @abstractmethod
    def spins(self) -> int:
        """The number of outcomes drawn: one for each round of each session."""

    @property
    def ruined(self) -> Estimate:
        """The probability that the bankroll can't pay the next wager."""
        return self._ended(SessionEnd.RUINED)

    @property
    def reached(self) -> Estimate:
        """The probability that the target is reached or passed."""
        return self._ended(SessionEnd.REACHED)

    @property
    def stopped(self) -> Estimate:
        """The probability that the strategy or the stop-loss leaves the table."""
        return self._ended(SessionEnd.STOPPED)

    @property
    def playing(self) -> Estimate:
        """The probability that the session is still going on after its rounds."""
        return self._ended(SessionEnd.PLAYING)

    @property
    def ahead(self) -> Estimate:
        return self._proportion(self._count_ahead(), "ahead")

    @property
    def rounds_played(self) -> Estimate:
        """The expected rounds of a session."""
        return self._mean(self._rounds, "rounds_played")

    @property
    def staked_cents(self) -> Estimate:
        """The expected sum of a session's stakes."""
        return self._mean(self._staked, "staked_cents")

    @property
    def net_cents(self) -> Estimate:
        """The expected change of the bankroll."""
        return self._mean(self._net, "net_cents")

    @property
    @abstractmethod
    def return_rate(self) -> Estimate | None:
        """Net result per cent staked; None if nothing was staked."""

    def json(self, *, extremes: bool = False) -> dict[str, Any]:
        """Return the document of `croupier simulate --json`."""
        return simulation_json(self, extremes=extremes)

    def to_frame(self) -> Any:
        """Return a Polars frame with a row for each figure."""
        return simulation_frame(self)

    def plot(self) -> Plot:
        """Plot the course of some sessions and the ends of all."""
        from croupier.lab.simulator.plots import plot_simulation

        return Plot(plot_simulation(self))

    def __str__(self) -> str:
        return str(simulation_table(self))

    def _repr_html_(self) -> str:
        return simulation_table(self)._repr_html_()

    @cached_property
    def quantiles(self) -> Mapping[Fraction, QuantileEstimate]:
        """Quantiles of the bankroll at the end, by probability."""
        return {level: self._quantile(level) for level in LEVELS}

    @property
    @abstractmethod
    def records(self) -> SessionRecords:
        """A row for each session."""

    @property
    @abstractmethod
    def histogram(self) -> Histogram:
        """Bankrolls at the end."""

    @property
    @abstractmethod
    def _rounds(self) -> Mean: ...

    @property
    @abstractmethod
    def _staked(self) -> Mean: ...

    @property
    @abstractmethod
    def _net(self) -> Mean: ...

    @abstractmethod
    def _quantile(self, level: Fraction) -> QuantileEstimate: ...

    @abstractmethod
    def _count(self, end: SessionEnd) -> int: ...

    @abstractmethod
    def _count_ahead(self) -> int: ...

    @property
    def exact(self) -> SessionResult | None:
        return None

    def _figure(self, name: str) -> Figure | None:
        return None if self.exact is None else getattr(self.exact, name)

    def _ended(self, end: SessionEnd) -> Estimate:
        return self._proportion(self._count(end), end.name.lower())

    def _proportion(self, count: int, name: str) -> Estimate:
        return proportion(count, self.sessions, self.level, self._figure(name))

    def _mean(self, mean: Mean, name: str) -> Estimate:
        return mean.estimate(self.level, self._figure(name))


@dataclass(frozen=True, kw_only=True, repr=False)
class Simulation(PlayedSessions):
    """Played sessions of one wager, counted by `tally`."""

    request: SessionRequest
    plan: SimulationPlan
    tally: SessionTally

    @property
    def spins(self) -> int:
        return self.tally.total(ROUNDS)

    @property
    def strategy(self) -> str:
        return self.request.strategy.name

    @property
    def return_rate(self) -> Estimate:
        """Net result per cent staked; its expectation is less the House edge.

        The interval allows for the worst dependence of net result and stakes.
        """
        net, staked, wager = self._net, self._staked, self.request.wager
        rates = [net / wager.stake_cents for net in self.request.nets]
        low, high = ratio_interval(
            net.moments,
            staked.moments,
            self.sessions,
            self.level,
            (min(rates), max(rates)),
        )
        return Estimate(float(net.mean / staked.mean), low, high, Figure(-wager.edge))

    @cached_property
    def histogram(self) -> Histogram:
        """Bankrolls at the end, in the bins in which they were counted."""
        [kept] = np.nonzero(self.tally.bins)
        shift, grain = self.plan.bin_shift, self.plan.grain_cents
        width = (grain << shift) if shift else 0
        return Histogram((kept << shift) * grain, self.tally.bins[kept], width)

    def histogram_of(self, most: int) -> Histogram:
        """Return the histogram in at most `most` bins, joining neighbours."""
        found, width = self.histogram, self.plan.grain_cents << self.plan.bin_shift
        if len(found.cents) <= most:
            return found
        while len(np.unique(found.cents // width)) > most:
            width *= 2
        places, where = np.unique(found.cents // width, return_inverse=True)
        counts = np.zeros(len(places), np.uint64)
        np.add.at(counts, where, found.sessions)
        return Histogram(places * width, counts, width)

    @cached_property
    def records(self) -> SessionRecords:
        """A row for each session, up to a million sessions or 10⁹ rounds.

        The sessions are played again at the first access.
        """
        return record_plan(self.plan)

    @property
    def exact(self) -> SessionResult | None:
        """The exact session, if `croupier.session` solves it within seconds."""
        return self.beside.result

    @cached_property
    def beside(self) -> ExactAnswer:
        return _find_exact_answer(self.request, self.plan)

    @cached_property
    def _cumulated(self) -> Counts:
        return np.cumsum(self.histogram.sessions.astype(np.uint64))

    @cached_property
    def _reach(self) -> PlanReach:
        return reach_of(self.plan)

    @property
    def _rounds(self) -> Mean:
        return self._counted(ROUNDS, (1.0, self.plan.rounds))

    @property
    def _staked(self) -> Mean:
        units = self._counted(STAKED, (1.0, self._reach.most_staked))
        return units.times(self.request.wager.stake_cents)

    @property
    def _net(self) -> Mean:
        bounds = bankroll_bounds(self.plan, self._reach, self.sessions, self.level)
        money = self._counted(BANKROLL, bounds).times(self.plan.grain_cents)
        return money.plus(-self.request.bankroll_cents)

    def _counted(self, what: int, bounds: tuple[float, float]) -> Mean:
        squares = squares_of(self.tally, what, self.plan.shifts[what])
        return Mean.of(self.tally.total(what), squares, self.sessions, bounds)

    def _count(self, end: SessionEnd) -> int:
        return self.tally.ended(end)

    def _count_ahead(self) -> int:
        return self.tally.ahead

    def _quantile(self, level: Fraction) -> QuantileEstimate:
        found, grain = self.histogram, self.plan.grain_cents
        cents, low, high = ranked_value(found.cents, self._cumulated, level, self.level)
        if high is not None:
            high += max(0, found.width_cents - 1)
        return QuantileEstimate(
            cents,
            self._reach.lowest * grain if low is None else low,
            self._reach.highest * grain if high is None else high,
            None if self.exact is None else self.exact.quantiles[level],
        )

    def __repr__(self) -> str:
        asked = self.request
        return (
            f"<Simulation of {self.sessions:,} sessions of {asked.wager.text} from"
            f" {write_cents(asked.bankroll_cents)}, seed {self.seed}>"
        )


@dataclass(frozen=True, slots=True)
class ExactAnswer:
    """The exact session, or the reason that there is none."""

    result: SessionResult | None
    why_not: str = ""


def _find_exact_answer(request: SessionRequest, plan: SimulationPlan) -> ExactAnswer:
    """Solve the session unless that is impossible or takes too long."""
    if isinstance(request.strategy, FunctionStrategy):
        return ExactAnswer(None, "a function has no states to calculate with")
    if isinstance(plan.machine, OwnFunction) or _takes_too_long(plan, plan.machine):
        return ExactAnswer(None, "calculating it would take too long")
    try:
        return ExactAnswer(solve_session(request))
    except SessionError as error:
        return ExactAnswer(None, str(error))


def _takes_too_long(plan: SimulationPlan, machine: Machine) -> bool:
    if machine.units == (1,):
        return False  # Flat play of any length is solved quickly.
    if machine.positions * len(plan.nets) * plan.rounds > _MOST_STEPS:
        return True
    # Without a target the bankrolls of every state are followed round by round.
    states = len(machine.units)
    return plan.target is None and states * plan.rounds > _MOST_STATE_ROUNDS


@with_session_words
def simulate(
    game: str | Game | Model,
    wager: Wager,
    *,
    sessions: int = SESSIONS,
    seed: int | None = None,
    level: float = LEVEL,
    engine: str = "cpu",
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
    compiling: Callable[[], None] | None = None,
    **words: Unpack[SessionWords],
) -> Simulation:
    """Play random sessions from a seed, and return their figures with intervals.

    The other arguments are those of `croupier.session`; `rounds` is required.
    `strategy` may also be your own function, and `stop_loss` ends a session that has
    lost that much. The same seed gives the same sessions on every `engine` (`"cpu"`,
    `"gpu"`, `"plain"`), with any number of `workers`, and on a `cluster`. `level` is
    the confidence level of the intervals. `compiling` is called before loops are
    compiled. Raises `SessionError`, `NotationError` and `WagerRefused`.
    """
    request = read_request(game, wager, **words)
    plan = compile_plan(request, sessions=sessions, seed=seed)
    check_words(level, workers, engine)
    begun = perf_counter()
    parts = play_parts(
        plan,
        engine,
        workers=workers,
        cluster=cluster,
        progress=progress,
        compiling=compiling,
    )
    compiled = perf_counter()
    tally = sum((part for _, part in parts), SessionTally.empty(plan)).checked()
    return Simulation(
        request=request,
        plan=plan,
        tally=tally,
        level=level,
        engine=engine,
        seconds=perf_counter() - compiled,
        compile_seconds=compiled - begun,
    )
