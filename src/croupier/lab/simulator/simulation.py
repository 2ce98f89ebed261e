"""`simulate`: sessions drawn by a seed, and their figures with intervals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from time import perf_counter
from typing import Any, Unpack

import numpy as np

from croupier.errors import check_type
from croupier.lab.sessions import Figure, SessionError, SessionResult
from croupier.lab.sessions.request import (
    SessionRequest,
    SessionWords,
    Wager,
    read_request,
    with_session_words,
)
from croupier.lab.sessions.result import LEVELS, Progress, silent
from croupier.lab.sessions.solver import solve_session
from croupier.lab.sessions.strategy import FunctionStrategy, name_of
from croupier.lab.simulator.compiler import compile_plan
from croupier.lab.simulator.engines import (
    Chunks,
    Engine,
    check_workers,
    engine_named,
    prepare_engine,
    run_engine,
)
from croupier.lab.simulator.estimates import (
    Estimate,
    Mean,
    QuantileEstimate,
    proportion,
)
from croupier.lab.simulator.intervals import bankroll_bounds, ratio_interval
from croupier.lab.simulator.plan import (
    BANKROLL,
    ROUNDS,
    STAKED,
    Machine,
    OwnFunction,
    SessionTally,
    SimulationPlan,
)
from croupier.lab.simulator.reach import PlanReach, reach_of
from croupier.lab.simulator.session_records import SessionRecords, record_plan
from croupier.lab.simulator.stakes import SessionEnd
from croupier.numeric.probability import quantile_ranks
from croupier.odds.model import Model
from croupier.rules.cents import write_cents
from croupier.rules.game import Game
from croupier.rules.notation import shown
from croupier.tabular import Plot

Counts = np.ndarray[Any, np.dtype[Any]]


_MOST_STATE_ROUNDS = 600_000
_MOST_STEPS = 2_000_000_000
"""By counts and not by the clock, so that the same is told on any machine."""
SESSIONS = 100_000
"""Where no number is given."""
LEVEL = 0.99


@dataclass(frozen=True)
class Histogram:
    """How many sessions ended with which bankroll."""

    cents: Counts
    """The least bankroll of each bin, rising; bins without a session are left out."""
    sessions: Counts
    width_cents: int
    """Of a bin; where it has one bankroll alone, this is 0."""


@dataclass(frozen=True)
class Simulation:
    """The figures of a simulation; each with its interval at `level`."""

    request: SessionRequest
    plan: SimulationPlan
    tally: SessionTally
    level: float
    engine: str
    seconds: float
    """How long the sessions took, compiled; no part of the figures."""
    compile_seconds: float = 0.0

    @property
    def seed(self) -> int:
        return self.plan.seed

    @property
    def sessions(self) -> int:
        return self.tally.sessions

    @property
    def spins(self) -> int:
        """How many outcomes were drawn: one for each round of each session."""
        return self.tally.total(ROUNDS)

    @property
    def strategy(self) -> str:
        return name_of(self.request.strategy)

    @property
    def ruined(self) -> Estimate:
        """The probability that the bankroll can't pay the next wager."""
        return self._proportion(self.tally.ended(SessionEnd.RUINED), "ruined")

    @property
    def reached(self) -> Estimate:
        """The probability that the target is reached, or passed."""
        return self._proportion(self.tally.ended(SessionEnd.REACHED), "reached")

    @property
    def stopped(self) -> Estimate:
        """The probability that the strategy or the stop-loss leaves the table."""
        return self._proportion(self.tally.ended(SessionEnd.STOPPED), "stopped")

    @property
    def playing(self) -> Estimate:
        """The probability that the session is still going on after its rounds."""
        return self._proportion(self.tally.ended(SessionEnd.PLAYING), "playing")

    @property
    def ahead(self) -> Estimate:
        """The probability of more than the bankroll at the end."""
        return self._proportion(self.tally.ahead, "ahead")

    @property
    def rounds_played(self) -> Estimate:
        """Expected."""
        return self._mean(self._rounds, "rounds_played")

    @property
    def staked_cents(self) -> Estimate:
        """Expected, over the whole session."""
        return self._mean(self._staked, "staked_cents")

    @property
    def net_cents(self) -> Estimate:
        """Expected: the bankroll at the end, less that at the start."""
        return self._mean(self._net, "net_cents")

    @property
    def return_rate(self) -> Estimate:
        """The part of each cent staked that is won or lost; on average the edge.

        The interval is on the safe side: it is as wide as if what is won and what is
        staked went together in the worst way.
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
    def quantiles(self) -> Mapping[Fraction, QuantileEstimate]:
        """The least bankrolls that are not exceeded with these probabilities."""
        return {level: self._quantile(level) for level in LEVELS}

    @cached_property
    def histogram(self) -> Histogram:
        """Bankrolls at the end, as finely as they were counted."""
        [kept] = np.nonzero(self.tally.bins)
        shift, grain = self.plan.bin_shift, self.plan.grain_cents
        width = (grain << shift) if shift else 0
        return Histogram((kept << shift) * grain, self.tally.bins[kept], width)

    def histogram_of(self, most: int) -> Histogram:
        """Return the same in no more bins than that: neighbours are put together."""
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
        """A row for each session, up to a million of them or of their rounds 10⁹.

        They are played once more when this is first asked for.
        """
        return record_plan(self.plan)

    @property
    def exact(self) -> SessionResult | None:
        """The exact session, if `croupier.session` solves it within seconds."""
        return self.beside.result

    @cached_property
    def beside(self) -> ExactAnswer:
        """The exact answer, or why there is none."""
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
        return Mean.of(self.tally, self.plan, what, bounds)

    def _figure(self, name: str) -> Figure | None:
        return None if self.exact is None else getattr(self.exact, name)

    def _proportion(self, count: int, name: str) -> Estimate:
        return proportion(count, self.sessions, self.level, self._figure(name))

    def _mean(self, mean: Mean, name: str) -> Estimate:
        return mean.estimate(self.level, self._figure(name))

    def _quantile(self, level: Fraction) -> QuantileEstimate:
        low, high = quantile_ranks(self.sessions, float(level), self.level)
        wanted = -(-level.numerator * self.sessions // level.denominator)
        return QuantileEstimate(
            self._ranked(wanted),
            self._ranked(low) if low else self._reach.lowest * self.plan.grain_cents,
            self._ranked(high) + max(0, self.histogram.width_cents - 1)
            if high <= self.sessions
            else self._reach.highest * self.plan.grain_cents,
            None if self.exact is None else self.exact.quantiles[level],
        )

    def _ranked(self, rank: int) -> int:
        """Return the bankroll of the session of that rank, in cents."""
        place = np.searchsorted(self._cumulated, rank, side="left")
        return int(self.histogram.cents[place])

    def json(self, *, extremes: bool = False) -> dict[str, Any]:
        """Return what `croupier simulate --json` prints, or with `--extremes`."""
        from croupier.lab.simulator.simulation_report import simulation_json

        return simulation_json(self, extremes=extremes)

    def plot(self) -> Plot:
        """Return some sessions and all their ends, for a notebook or a file."""
        from croupier.lab.simulator.plots import plot_simulation

        return Plot(plot_simulation(self))

    def __repr__(self) -> str:
        asked = self.request
        return (
            f"<Simulation of {self.sessions:,} sessions of {asked.wager.text} from"
            f" {write_cents(asked.bankroll_cents)}, seed {self.seed}>"
        )

    def __str__(self) -> str:
        from croupier.lab.simulator.simulation_report import simulation_table

        return str(simulation_table(self))

    def _repr_html_(self) -> str:
        from croupier.lab.simulator.simulation_report import simulation_table

        return simulation_table(self)._repr_html_()


@dataclass(frozen=True, slots=True)
class ExactAnswer:
    """The exact session, or why there is none."""

    result: SessionResult | None
    why_not: str = ""


def _find_exact_answer(request: SessionRequest, plan: SimulationPlan) -> ExactAnswer:
    """Solve the session, unless that takes too long or can't be done."""
    if isinstance(request.strategy, FunctionStrategy):
        return ExactAnswer(None, "a function has no states to reckon with")
    if isinstance(plan.machine, OwnFunction) or _takes_too_long(plan, plan.machine):
        return ExactAnswer(None, "reckoning it would take too long")
    try:
        return ExactAnswer(solve_session(request))
    except SessionError as error:
        return ExactAnswer(None, str(error))


def _takes_too_long(plan: SimulationPlan, machine: Machine) -> bool:
    if machine.units == (1,):
        return False  # Flat play is solved quickly, however long it is.
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
    engine: str | Engine = "cpu",
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
    compiling: Callable[[], None] | None = None,
    **words: Unpack[SessionWords],
) -> Simulation:
    """Draw sessions by the seed, and return what becomes of the bankroll in each.

    The words are those of `croupier.session`, with a number of `rounds`. `strategy`
    may also be a function of one's own, and `stop_loss` ends a session that has lost so
    much. The seed alone replays the simulation, on any `engine` (`"cpu"`, `"gpu"`,
    `"plain"`), with any number of `workers`, and on a `cluster`. `level` is that of the
    intervals. `compiling` is called before loops are compiled. Raises `SessionError`,
    `NotationError` for text that is none, and `WagerRefused`.
    """
    request = read_request(game, wager, **words)
    plan = compile_plan(request, sessions=sessions, seed=seed)
    check_level(level)
    check_workers(workers)
    if not hasattr(engine, "run"):
        check_type("engine", "a name, such as 'cpu', or an Engine", engine, str)
    tell = progress or silent
    begun = compiled = perf_counter()
    if cluster is None:
        chosen = engine_named(engine, workers) if isinstance(engine, str) else engine
        prepare_engine(chosen, plan, compiling or _silent)
        compiled = perf_counter()
        tally = _play(plan, chosen, tell)
    else:
        from croupier.lab.simulator.cluster import play_on_cluster

        tally = play_on_cluster(plan, cluster, engine, workers, tell)
    name = engine if isinstance(engine, str) else type(engine).__name__
    seconds = perf_counter() - compiled
    return Simulation(request, plan, tally, level, name, seconds, compiled - begun)


def _silent() -> None:
    """Ignore that loops are compiled."""


def check_level(level: float) -> None:
    check_type("level", "a number, such as 0.99", level, float, int)
    if not 0.5 <= level < 1:
        raise SessionError(
            f"a level of confidence is from 0.5 to less than 1, not {shown(str(level))}"
        )


def _play(plan: SimulationPlan, engine: Engine, tell: Progress) -> SessionTally:
    """Play all sessions in chunks of about a second; any chunks give the same."""
    total = SessionTally.empty(plan)
    chunks = Chunks(plan)
    while chunks.left:
        first, count = chunks.next()
        begun = perf_counter()
        total += run_engine(engine, plan, first, count)
        chunks.took(count, perf_counter() - begun)
        tell(total.sessions, plan.sessions)
    return total.checked()
