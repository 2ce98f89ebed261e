"""`play_strategy`: sessions of a strategy that chooses its wagers round by round."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import islice
from math import inf, nextafter
from time import perf_counter
from typing import Any

import numpy as np

from croupier.lab.sessions import Figure, SessionError
from croupier.lab.sessions.result import Progress
from croupier.lab.simulator.engines import check_words, one_sentence, play_parts
from croupier.lab.simulator.estimates import Estimate, Mean, QuantileEstimate
from croupier.lab.simulator.intervals import ratio_interval
from croupier.lab.simulator.own.plan import Choose, OwnPlan, read_plan
from croupier.lab.simulator.own.seat import MOST_CENTS
from croupier.lab.simulator.plain import course
from croupier.lab.simulator.session_records import COLUMNS, Integers, SessionRecords
from croupier.lab.simulator.simulation import LEVEL, Histogram, PlayedSessions
from croupier.lab.simulator.stakes import SessionEnd
from croupier.odds.model import Model
from croupier.rules.cents import write_cents
from croupier.rules.game import Game, Settings
from croupier.rules.notation import Amount
from croupier.rules.terms import Limits

SESSIONS = 10_000
_TRIED_ROUNDS = 100


@dataclass(frozen=True, kw_only=True, repr=False)
class StrategySessions(PlayedSessions):
    """Played sessions of a strategy that chooses its wagers."""

    plan: OwnPlan
    columns: Integers
    """A column for each session."""

    @cached_property
    def records(self) -> SessionRecords:
        return SessionRecords(0, self.columns)

    @property
    def spins(self) -> int:
        return int(self.records.column("rounds").sum())

    def _count(self, end: SessionEnd) -> int:
        return int((self.records.column("end") == end).sum())

    def _count_ahead(self) -> int:
        ends = self.records.column("bankroll_cents")
        return int((ends > self.plan.bankroll).sum())

    @cached_property
    def histogram(self) -> Histogram:
        ends = self.records.column("bankroll_cents")
        return Histogram(*np.unique(ends, return_counts=True), 0)

    def _quantile(self, level: Fraction) -> QuantileEstimate:
        # An interval's end beyond the data stays None.
        found: Any = self.records.quantile("bankroll_cents", level, self.level)
        return QuantileEstimate(*found)

    @property
    def net_cents(self) -> Estimate:
        net, edge = super().net_cents, float(min(self.plan.edges))
        if edge <= 0:
            return net
        # Under any strategy the House expects its edge of the stakes.
        least = super().staked_cents.low
        return replace(net, high=min(net.high, max(net.value, -edge * least)))

    @property
    def staked_cents(self) -> Estimate:
        staked, edge = super().staked_cents, float(min(self.plan.edges))
        if edge <= 0:
            return staked
        most = -super().net_cents.low / edge
        return replace(staked, high=min(staked.high, max(staked.value, most)))

    @property
    def return_rate(self) -> Estimate | None:
        """Net result per cent staked; None if nothing was staked.

        It lies between the edges of the areas, and is exact if these are all equal.
        """
        net, staked, edges = self._net, self._staked, self.plan.edges
        if not staked.mean:
            return None
        value = float(net.mean / staked.mean)
        least = nextafter(float(-max(edges)), -inf)
        greatest = nextafter(float(-min(edges)), inf)
        bounds = min(value, least), max(value, greatest)
        low, high = ratio_interval(
            net.moments, staked.moments, self.sessions, self.level, bounds
        )
        is_known = min(edges) == max(edges)
        return Estimate(value, low, high, Figure(-edges[0]) if is_known else None)

    @property
    def _rounds(self) -> Mean:
        return self._mean_of("rounds", (0.0, self.plan.rounds))

    @cached_property
    def _net(self) -> Mean:
        bankrolls = self._mean_of("bankroll_cents", (0.0, self.plan.highest))
        return bankrolls.plus(-self.plan.bankroll)

    @cached_property
    def _staked(self) -> Mean:
        most = self.plan.rounds * self.plan.highest
        return self._mean_of("staked_cents", (0.0, most))

    def _mean_of(self, column: str, bounds: tuple[float, float]) -> Mean:
        values = self.records.column(column).tolist()
        squares = Fraction(sum(value * value for value in values))
        return Mean.of(sum(values), squares, self.sessions, bounds)

    def __repr__(self) -> str:
        return f"<StrategySessions of {self.plan.name}: {len(self.records):,} sessions>"


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

    The strategy is a function of a `Seat`: it reads the last outcomes, the bankroll and
    its own memory, and lays chips on any areas within the limits. The engine `"cpu"`
    compiles it, `"plain"` calls it; both play the same sessions, also on a `cluster`.
    Raises `SessionError` and `NotationError`.
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
    check_words(level, workers, engine)
    # A few rounds in plain Python first, to find mistakes of the strategy.
    with one_sentence(plan):
        for _ in islice(course(plan, 0), _TRIED_ROUNDS + 1):
            pass
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
    columns: Integers = np.zeros((len(COLUMNS), plan.sessions), np.int64)
    for first, part in parts:
        _check_growth(plan, part)
        columns[:, first : first + part.shape[1]] = part
    return StrategySessions(
        request=plan,
        plan=plan,
        columns=columns,
        level=level,
        engine=engine,
        seconds=perf_counter() - compiled,
        compile_seconds=compiled - begun,
    )


def _check_growth(plan: OwnPlan, part: Integers) -> None:
    reached = part[COLUMNS.index("end")] == SessionEnd.REACHED
    if plan.target is None and reached.any():
        raise SessionError(
            f"a bankroll of {plan.name} has grown beyond {write_cents(MOST_CENTS)}: set"
            " a target, or fewer rounds"
        )
