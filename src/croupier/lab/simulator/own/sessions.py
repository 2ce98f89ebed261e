"""`play_strategy`: sessions of a strategy that chooses its wagers round by round."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, nextafter
from time import perf_counter
from typing import Any, Protocol

import numpy as np

from croupier.lab.sessions import Figure, SessionError
from croupier.lab.sessions.result import Progress, silent
from croupier.lab.simulator.engines import Chunks, check_engine_name, check_workers
from croupier.lab.simulator.estimates import Estimate, Mean, proportion
from croupier.lab.simulator.intervals import ratio_interval
from croupier.lab.simulator.own.plain import PlainTable
from croupier.lab.simulator.own.plan import Choose, OwnPlan, read_plan
from croupier.lab.simulator.own.seat import MOST_CENTS
from croupier.lab.simulator.session_records import (
    COLUMNS,
    Integers,
    SessionRecords,
)
from croupier.lab.simulator.simulation import LEVEL, check_level
from croupier.lab.simulator.stakes import SessionEnd
from croupier.odds.model import Model
from croupier.rules.cents import write_cents
from croupier.rules.game import Game, Settings
from croupier.rules.notation import Amount
from croupier.rules.terms import Limits
from croupier.tabular import Plot

SESSIONS = 10_000
"""Where no number is given."""
_TRIED_ROUNDS = 100


class SeatTable(Protocol):
    """Where sessions are played."""

    def play(self, first: int, into: Integers) -> None:
        """Play the sessions from `first` on, and record each in a column of `into`."""


@dataclass(frozen=True, repr=False)
class StrategySessions:
    """The played sessions of a strategy, and figures with intervals."""

    plan: OwnPlan
    records: SessionRecords
    level: float
    engine: str
    seconds: float
    """How long the sessions took, without the compilation."""
    compile_seconds: float

    def __repr__(self) -> str:
        return f"<StrategySessions of {self.plan.name}: {len(self.records):,} sessions>"

    @property
    def spins(self) -> int:
        """How many outcomes were drawn: one for each round of each session."""
        return int(self.records.column("rounds").sum())

    def ended(self, end: SessionEnd) -> Estimate:
        """Return how likely a session ends so."""
        return self._proportion(self.records.column("end") == end)

    @property
    def ahead(self) -> Estimate:
        """The probability of more than the bankroll at the end."""
        return self._proportion(
            self.records.column("bankroll_cents") > self.plan.bankroll_cents
        )

    def _proportion(self, those: np.ndarray[Any, np.dtype[np.bool_]]) -> Estimate:
        return proportion(int(those.sum()), len(self.records), self.level, None)

    def mean(self, column: str) -> float:
        """Return the mean of a column over the sessions."""
        return float(self.records.column(column).mean())

    @property
    def rounds_played(self) -> Estimate:
        """Expected."""
        rounds = self._mean("rounds", (0.0, self.plan.rounds))
        return rounds.estimate(self.level, None)

    @property
    def net_cents(self) -> Estimate:
        """Expected: the bankroll at the end, less that at the start."""
        net = self._net.estimate(self.level, None)
        edge = float(min(self.plan.edges))
        if edge <= 0:
            return net
        # The House keeps its edge of what is staked, whatever the strategy lays.
        least = self._staked.estimate(self.level, None).low
        return replace(net, high=min(net.high, max(net.value, -edge * least)))

    @property
    def staked_cents(self) -> Estimate:
        """Expected, over the whole session."""
        staked = self._staked.estimate(self.level, None)
        edge = float(min(self.plan.edges))
        if edge <= 0:
            return staked
        most = -self._net.estimate(self.level, None).low / edge
        return replace(staked, high=min(staked.high, max(staked.value, most)))

    @property
    def return_rate(self) -> Estimate | None:
        """The part of each cent staked that is won or lost; None if none was staked.

        It lies between the edges of the areas, and is exact if they are all alike.
        """
        net, staked, edges = self._net, self._staked, self.plan.edges
        if not staked.mean:
            return None
        value = float(net.mean / staked.mean)
        least = nextafter(float(-max(edges)), -inf)
        greatest = nextafter(float(-min(edges)), inf)
        bounds = min(value, least), max(value, greatest)
        low, high = ratio_interval(
            net.moments, staked.moments, len(self.records), self.level, bounds
        )
        is_known = min(edges) == max(edges)
        return Estimate(value, low, high, Figure(-edges[0]) if is_known else None)

    @cached_property
    def _net(self) -> Mean:
        bankrolls = self._mean("bankroll_cents", (0.0, self.plan.highest_cents))
        return bankrolls.plus(-self.plan.bankroll_cents)

    @cached_property
    def _staked(self) -> Mean:
        most = self.plan.rounds * self.plan.highest_cents
        return self._mean("staked_cents", (0.0, most))

    def _mean(self, column: str, bounds: tuple[float, float]) -> Mean:
        return Mean.of_values(self.records.column(column).tolist(), bounds)

    def plot(self) -> Plot:
        """Return some sessions and all their ends, for a notebook or a file."""
        from croupier.lab.simulator.plots import plot_strategy

        return Plot(plot_strategy(self))

    def json(self) -> dict[str, Any]:
        """Return what `croupier simulate --json` prints of such a strategy."""
        from croupier.lab.simulator.simulation_report import simulation_json

        return simulation_json(self)

    def __str__(self) -> str:
        from croupier.lab.simulator.simulation_report import simulation_table

        return str(simulation_table(self))

    def _repr_html_(self) -> str:
        from croupier.lab.simulator.simulation_report import simulation_table

        return simulation_table(self)._repr_html_()


def play_strategy(
    game: str | Game | Model,
    strategy: Choose,
    *,
    bankroll: Amount,
    rounds: int,
    target: Amount | None = None,
    stop_loss: Amount | None = None,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
    sessions: int = SESSIONS,
    seed: int | None = None,
    level: float = LEVEL,
    engine: str = "cpu",
    workers: int | None = None,
    cluster: str | None = None,
    progress: Progress | None = None,
    compiling: Callable[[], None] | None = None,
) -> StrategySessions:
    """Play sessions of a strategy at a table, and record each.

    The strategy is a function of a `Seat`: it looks at the last outcomes, the bankroll
    and its own memory, and lays chips on as many areas as it likes, within the limits.
    The engines `"cpu"` and `"gpu"` compile it, `"plain"` plays it as it is; all play
    the same sessions, also on a `cluster`. Raises `SessionError`, and `NotationError`
    for text that is none.
    """
    plan = read_plan(
        game,
        strategy,
        bankroll=bankroll,
        rounds=rounds,
        sessions=sessions,
        seed=seed,
        target=target,
        stop_loss=stop_loss,
        limits=limits,
        settings=settings,
    )
    check_level(level)
    check_workers(workers)
    check_engine_name(engine)
    begun = compiled = perf_counter()
    if cluster is None:
        if compiling is not None and engine != "plain":
            compiling()
        table = table_for(plan, engine, workers)
        compiled = perf_counter()
        columns = _played(plan, table, progress or silent)
    else:
        from croupier.lab.simulator.cluster import record_on_cluster

        PlainTable(plan).record(0, _TRIED_ROUNDS)
        columns = record_on_cluster(plan, cluster, engine, workers, progress or silent)
        _check_growth(plan, columns)
    return StrategySessions(
        plan,
        SessionRecords(0, columns),
        level,
        engine,
        perf_counter() - compiled,
        compiled - begun,
    )


def table_for(plan: OwnPlan, engine: str, workers: int | None) -> SeatTable:
    """Return who plays; a few rounds are tried plainly first, for their mistakes."""
    plain = PlainTable(plan)
    plain.record(0, _TRIED_ROUNDS)
    if engine == "plain":
        return plain
    table: SeatTable = (
        _gpu_table(plan) if engine == "gpu" else _cpu_table(plan, workers)
    )
    # The first session compiles the loop.
    table.play(0, np.zeros((len(COLUMNS), 1), np.int64))
    return table


def _cpu_table(plan: OwnPlan, workers: int | None) -> SeatTable:
    try:
        from croupier.lab.simulator.cpu.seat_sessions import SeatEngine
    except ImportError as error:
        raise SessionError(
            "the engine cpu needs numba: pip install 'croupier[simulator]'"
        ) from error
    return SeatEngine(plan, workers)


def _gpu_table(plan: OwnPlan) -> SeatTable:
    from croupier.lab.simulator.gpu.engine import own_sessions

    table: SeatTable = own_sessions().GpuSeatTable(plan)
    return table


def _played(plan: OwnPlan, table: SeatTable, tell: Progress) -> Integers:
    """Play all sessions in chunks of about a second; any chunks give the same."""
    columns: Integers = np.zeros((len(COLUMNS), plan.sessions), np.int64)
    chunks = Chunks(plan)
    while chunks.left:
        first, count = chunks.next()
        part = columns[:, first : first + count]
        begun = perf_counter()
        table.play(first, part)
        _check_growth(plan, part)
        chunks.took(count, perf_counter() - begun)
        tell(first + count, plan.sessions)
    return columns


def _check_growth(plan: OwnPlan, part: Integers) -> None:
    reached = part[COLUMNS.index("end")] == SessionEnd.REACHED
    if plan.target_cents is None and reached.any():
        raise SessionError(
            f"a bankroll of {plan.name} has grown beyond {write_cents(MOST_CENTS)}: set"
            " a target, or fewer rounds"
        )
