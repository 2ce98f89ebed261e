"""The engine `cpu`: compiled loops on all cores."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

import numpy as np

from croupier.batch.kernels import compilations_told, cores
from croupier.lab.simulator.cpu.positions import (
    MOST_PLACES,
    SPINS_A_PLACE,
    PositionPlan,
    PositionTable,
    new_position_lanes,
    play_positions,
    position_table,
)
from croupier.lab.simulator.cpu.random_words import LANES, pattern_cuts
from croupier.lab.simulator.cpu.round_loop import (
    drawing,
    new_room,
    player_of,
    session_terms,
)
from croupier.lab.simulator.cpu.session_counts import Share, count_terms
from croupier.lab.simulator.cpu.steps import (
    CompiledPlan,
    group_size,
    new_lanes,
    plan_terms,
    play,
    step_table,
)
from croupier.lab.simulator.engines import FIRST_SPINS
from croupier.lab.simulator.plan import (
    Machine,
    OwnFunction,
    SessionPlan,
    SessionTally,
    SimulationPlan,
    check_amounts,
)
from croupier.lab.simulator.session_records import COLUMNS, Integers

Work = Callable[[int, int, SessionTally], None]
"""Plays sessions, from the first on, and counts them into a tally's arrays."""
Part = TypeVar("Part")

_LEAST_SPINS = 1 << 22
"""A smaller share does not repay a thread."""
_LEAST_ROUNDS = 1 << 18
"""The same for sessions played round by round, in rounds."""
_SHARES_EACH = 8
"""Shares for each thread, so that none waits long at the end."""


class CpuEngine:
    """Plays on all cores, or on `workers` threads.

    `most_places` bounds a table of positions; by default, as many places as are worth
    their building.
    """

    def __init__(
        self, workers: int | None = None, *, most_places: int | None = None
    ) -> None:
        self._workers = cores() if workers is None else workers
        self._most_places = most_places

    def prepare(self, plan: SessionPlan, tell: Callable[[], None]) -> None:
        """Compile the loops for the first and the largest chunk of the plan."""
        with compilations_told(tell):
            if not isinstance(plan, SimulationPlan):
                self.record(plan, 0, np.zeros((len(COLUMNS), 1), np.int64))
                return
            check_amounts(plan)
            every = plan.sessions * plan.rounds
            for spins in {min(FIRST_SPINS, every), every}:
                self._work(plan, spins)(0, 1, SessionTally.empty(plan))

    def run(self, plan: SimulationPlan, first: int, count: int) -> SessionTally:
        """Play the sessions `first`, `first + 1`, … of the plan."""
        check_amounts(plan)
        work = self._work(plan, count * plan.rounds)

        def play_shares(shares: Iterator[tuple[int, int]]) -> SessionTally:
            tally, played = SessionTally.empty(plan), 0
            for start, size in shares:
                work(first + start, size, tally)
                played += size
            return SessionTally(played, tally.words, tally.bins)

        # Every share but the last fills whole rows of lanes.
        least = -(-_LEAST_SPINS // plan.rounds // LANES) * LANES
        parts = self._in_threads(play_shares, count, least)
        return sum(parts, SessionTally.empty(plan)).checked()

    def record(self, plan: SessionPlan, first: int, into: Integers) -> None:
        """Play the sessions from `first` on, and record each in a column of `into`."""
        loop, sit = player_of(plan, is_counted=False)
        terms, drawn = session_terms(plan), drawing(plan)

        def play_shares(shares: Iterator[tuple[int, int]]) -> None:
            player = sit()
            for start, size in shares:
                part = np.zeros((len(COLUMNS), size), np.int64)
                loop(terms, drawn, player, new_room(drawn), first + start, size, part)
                into[:, start : start + size] = part

        self._in_threads(play_shares, into.shape[1], _LEAST_ROUNDS // plan.rounds)

    def _in_threads(
        self,
        play_shares: Callable[[Iterator[tuple[int, int]]], Part],
        count: int,
        least: int,
    ) -> list[Part]:
        """Play the sessions in threads, in shares of at least `least` sessions."""
        size = max(least, -(-count // (self._workers * _SHARES_EACH)), 1)
        shares = deque(
            (start, min(size, count - start)) for start in range(0, count, size)
        )
        threads = max(1, min(self._workers, len(shares)))
        with ThreadPoolExecutor(threads) as pool:
            parts = [pool.submit(play_shares, _taken(shares)) for _ in range(threads)]
            return [part.result() for part in parts]

    def _work(self, plan: SimulationPlan, spins: int) -> Work:
        if isinstance(plan.machine, OwnFunction):
            return _by_function(plan)
        places = self._most_places
        if places is None:
            places = min(MOST_PLACES, spins // SPINS_A_PLACE)
        found = position_table(plan, plan.machine, places)
        if found is None:
            return _by_steps(plan, plan.machine)
        return _by_positions(plan, found)


def _taken(shares: deque[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield shares until none is left; other threads take from the same queue."""
    with suppress(IndexError):
        while True:
            yield shares.popleft()


def _by_positions(plan: SimulationPlan, table: PositionTable) -> Work:
    group = len(table.weights)
    rules = PositionPlan(
        table,
        pattern_cuts(plan, group),
        count_terms(plan),
        plan.rounds,
        plan.dice.per_block,
    )
    seed = np.uint64(plan.seed)

    def work(first: int, count: int, tally: SessionTally) -> None:
        lanes = new_position_lanes(plan.dice.per_block // group)
        play_positions(rules, lanes, Share(seed, first, count, tally.words, tally.bins))

    return work


def _by_steps(plan: SimulationPlan, machine: Machine) -> Work:
    group = group_size(plan, machine)
    rules = CompiledPlan(
        step_table(plan, machine, group),
        plan_terms(plan, group),
        pattern_cuts(plan, group),
        count_terms(plan),
    )
    seed = np.uint64(plan.seed)

    def work(first: int, count: int, tally: SessionTally) -> None:
        lanes = new_lanes(rules.terms.steps)
        play(rules, lanes, Share(seed, first, count, tally.words, tally.bins))

    return work


def _by_function(plan: SimulationPlan) -> Work:
    loop, sit = player_of(plan, is_counted=True)
    terms, drawn, figures = session_terms(plan), drawing(plan), count_terms(plan)

    def work(first: int, count: int, tally: SessionTally) -> None:
        share = Share(drawn.seed, first, count, tally.words, tally.bins)
        loop(terms, drawn, sit(), new_room(drawn), first, count, (figures, share))

    return work
