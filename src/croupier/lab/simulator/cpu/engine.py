"""The engine of the processor's cores: sessions shared out among threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from croupier.batch.kernels import compilations_told, cores
from croupier.lab.simulator.cpu.position_sessions import (
    PositionPlan,
    new_position_lanes,
    play_positions,
)
from croupier.lab.simulator.cpu.position_table import (
    MOST_PLACES,
    SPINS_A_PLACE,
    PositionTable,
    position_table,
)
from croupier.lab.simulator.cpu.random_words import LANES, pattern_cuts
from croupier.lab.simulator.cpu.round_loop import (
    drawing,
    new_memory,
    new_room,
    session_terms,
)
from croupier.lab.simulator.cpu.session_counts import Share, count_terms
from croupier.lab.simulator.cpu.step_table import group_size, plan_terms, table
from croupier.lab.simulator.cpu.table_sessions import CompiledPlan, new_lanes, play
from croupier.lab.simulator.engines import FIRST_SPINS
from croupier.lab.simulator.plan import (
    Machine,
    OwnFunction,
    SessionTally,
    SimulationPlan,
    check_amounts,
)

Work = Callable[[int, int, SessionTally], None]
"""Plays so many sessions from one on, and counts them into a tally's arrays."""

_LEAST_SPINS = 1 << 22
"""A share has about so many, if there are: a thread is not worth fewer."""
_SHARES_EACH = 8
"""Shares for each thread, so that none waits long for another."""


class CpuEngine:
    """Plays on all cores, or on as many as it is told."""

    def __init__(
        self, workers: int | None = None, *, most_places: int | None = None
    ) -> None:
        """Play on so many threads, with so many places in a table of positions at most.

        If it is not told, a table has as many as its setting up is worth.
        """
        self._workers = cores() if workers is None else workers
        self._most_places = most_places

    def prepare(self, plan: SimulationPlan, tell: Callable[[], None]) -> None:
        """Compile what the first chunk of the plan needs, and the largest."""
        check_amounts(plan)
        every = plan.sessions * plan.rounds
        with compilations_told(tell):
            for spins in {min(FIRST_SPINS, every), every}:
                self._work(plan, spins)(0, 1, SessionTally.empty(plan))

    def run(self, plan: SimulationPlan, first: int, count: int) -> SessionTally:
        """Play the sessions `first`, `first + 1`, … of the plan."""
        check_amounts(plan)
        work = self._work(plan, count * plan.rounds)
        shares = deque(self._shares(plan, first, count))
        threads = max(1, min(self._workers, len(shares)))

        def play_shares(tally: SessionTally) -> SessionTally:
            played = 0
            for start, size in _taken(shares):
                work(start, size, tally)
                played += size
            return SessionTally(played, tally.words, tally.bins)

        tallies = [SessionTally.empty(plan) for _ in range(threads)]
        with ThreadPoolExecutor(threads) as pool:
            parts = pool.map(play_shares, tallies)
            return sum(parts, SessionTally.empty(plan)).checked()

    def _work(self, plan: SimulationPlan, spins: int) -> Work:
        if isinstance(plan.machine, OwnFunction):
            return _by_function(plan, plan.machine)
        places = self._most_places
        if places is None:
            places = min(MOST_PLACES, spins // SPINS_A_PLACE)
        found = position_table(plan, plan.machine, places)
        if found is None:
            return _by_steps(plan, plan.machine)
        return _by_positions(plan, found)

    def _shares(
        self, plan: SimulationPlan, first: int, count: int
    ) -> list[tuple[int, int]]:
        """Return first sessions, and how many: whole rows of lanes but for the last."""
        least = _LEAST_SPINS // plan.rounds
        size = max(least, -(-count // (self._workers * _SHARES_EACH)), 1)
        size = -(-size // LANES) * LANES
        return [
            (first + start, min(size, count - start)) for start in range(0, count, size)
        ]


def _taken(shares: deque[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield shares, as long as no other thread has taken the last."""
    while True:
        try:
            share = shares.popleft()
        except IndexError:
            return
        yield share


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
        table(plan, machine, group),
        plan_terms(plan, group),
        pattern_cuts(plan, group),
        count_terms(plan),
    )
    seed = np.uint64(plan.seed)

    def work(first: int, count: int, tally: SessionTally) -> None:
        lanes = new_lanes(rules.terms.steps)
        play(rules, lanes, Share(seed, first, count, tally.words, tally.bins))

    return work


def _by_function(plan: SimulationPlan, own: OwnFunction) -> Work:
    from croupier.lab.simulator.cpu.function_sessions import compile_own

    play_own = compile_own(own, is_counted=True)
    terms, drawn, figures = session_terms(plan), drawing(plan), count_terms(plan)

    def work(first: int, count: int, tally: SessionTally) -> None:
        share = Share(drawn.seed, first, count, tally.words, tally.bins)
        room = new_room(drawn)
        play_own(terms, drawn, new_memory(), room, first, count, (figures, share))

    return work
