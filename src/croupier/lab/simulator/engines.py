"""Engines by name, and the chunks of sessions that they play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import numpy as np

from croupier.errors import check_type, plain_int
from croupier.extras import MissingExtra, needing
from croupier.lab.sessions import SessionError
from croupier.lab.sessions.result import Progress, silent
from croupier.lab.simulator.compiler import one_line
from croupier.lab.simulator.plain import PlainEngine
from croupier.lab.simulator.plan import (
    SessionPlan,
    SimulationPlan,
    TallyError,
)
from croupier.lab.simulator.session_records import COLUMNS, Integers, SessionRecords
from croupier.rules.notation import shown

ENGINES = ("cpu", "gpu", "plain")

FIRST_SPINS = 20_000
"""The approximate spins of the first chunk."""
_CHUNK_SECONDS = 1.0
_MOST_GROWTH = 16
_LARGEST_CHUNK = 2**31
"""A tally's words can hold the sums of this many sessions."""
_MOST_RECORDED = 1_000_000
_MOST_ROUNDS = 1_000_000_000
"""The rounds of all recorded sessions: about ten seconds."""


def engine_named(name: str, workers: int | None = None) -> Any:
    """Return one of `ENGINES`; raise `MissingExtra`.

    Each has `run`, which plays and counts sessions; all but the GPU can `record` them,
    and those that compile have `prepare`.
    """
    if name == "plain":
        return PlainEngine()
    if name == "gpu":
        from croupier.lab.simulator.gpu.engine import GpuEngine

        return GpuEngine()
    with needing("simulator", "numba"):
        from croupier.lab.simulator.cpu.engine import CpuEngine
    return CpuEngine(workers)


def check_words(level: float, workers: int | None, engine: str) -> None:
    """Check the arguments that all simulations share; raise `SessionError`."""
    check_type("level", "a number, such as 0.99", level, float, int)
    if not 0.5 <= level < 1:
        raise SessionError(
            f"a level of confidence is from 0.5 to less than 1, not {shown(str(level))}"
        )
    if workers is not None and (type(plain_int(workers)) is not int or workers < 1):
        raise SessionError(f"at least one worker is needed, not {shown(str(workers))}")
    check_type("engine", "a name, such as 'cpu'", engine, str)
    if engine not in ENGINES:
        raise SessionError(
            f"there is no engine {shown(str(engine))}; there are {', '.join(ENGINES)}"
        )


def play_parts(
    plan: SessionPlan,
    engine: str,
    *,
    workers: int | None,
    cluster: str | None,
    progress: Progress | None,
    compiling: Callable[[], None] | None,
) -> Iterator[tuple[int, Any]]:
    """Compile the plan's loops; return pairs of a first session and a played part.

    A part takes about a second. The division into parts does not change their sum.
    """
    tell = progress or silent
    if engine == "gpu" and plan.own is not None:
        raise SessionError(
            f"the engine gpu plays tables of states, and {plan.own.name} is a function"
            " here: choose the engine cpu"
        )
    if cluster is not None:
        from croupier.lab.simulator.cluster import play_on_cluster

        return play_on_cluster(plan, cluster, engine, workers, tell)
    player = engine_named(engine, workers)
    if hasattr(player, "prepare"):
        with one_sentence(plan):
            player.prepare(plan, compiling or (lambda: None))
    return _parts(plan, player, tell)


def _parts(plan: SessionPlan, engine: Any, tell: Progress) -> Iterator[tuple[int, Any]]:
    chunks = Chunks(plan)
    while chunks.left:
        first, count = chunks.next()
        begun = perf_counter()
        yield first, play_part(engine, plan, first, count)
        chunks.took(count, perf_counter() - begun)
        tell(first + count, plan.sessions)


def play_part(engine: Any, plan: SessionPlan, first: int, count: int) -> Any:
    """Return the tally of some sessions, or their records if the plan has no tally."""
    with one_sentence(plan):
        if isinstance(plan, SimulationPlan):
            return engine.run(plan, first, count)
        columns: Integers = np.zeros((len(COLUMNS), count), np.int64)
        engine.record(plan, first, columns)
        return columns


def record_plan(plan: SimulationPlan) -> SessionRecords:
    """Play the first sessions of a plan again, on any engine, and record each."""
    count = min(plan.sessions, _MOST_RECORDED, max(1, _MOST_ROUNDS // plan.rounds))
    columns: Integers = np.zeros((len(COLUMNS), count), np.int64)
    try:
        engine = engine_named("cpu")
    except MissingExtra:
        engine = PlainEngine()
    engine.record(plan, 0, columns)
    columns[COLUMNS.index("staked_cents")] *= plan.unit
    for name in COLUMNS:
        if name.endswith("_cents"):
            columns[COLUMNS.index(name)] *= plan.grain_cents
    return SessionRecords(0, columns)


@contextmanager
def one_sentence(plan: SessionPlan) -> Iterator[None]:
    """Turn an error of a user's own function into a `SessionError` of one line."""
    try:
        yield
    except Exception as error:
        is_ours = isinstance(error, SessionError | TallyError)
        if is_ours or plan.own is None:
            raise
        raise SessionError(f"{plan.own.name} failed: {one_line(error)}") from error


class Chunks:
    """Divides a plan's sessions; the speed of one chunk sets the size of the next."""

    def __init__(self, plan: SessionPlan, seconds: float = _CHUNK_SECONDS) -> None:
        self._sessions, self._seconds = plan.sessions, seconds
        self._first = 0
        self._size = max(1, FIRST_SPINS // plan.rounds)

    @property
    def left(self) -> int:
        return self._sessions - self._first

    def next(self) -> tuple[int, int]:
        """Return the first session of the next chunk, and its number of sessions."""
        first, count = self._first, min(self._size, self.left)
        self._first += count
        return first, count

    def took(self, count: int, seconds: float) -> None:
        factor = min(self._seconds / max(seconds, 1e-9), _MOST_GROWTH)
        self._size = min(max(1, int(count * factor)), _LARGEST_CHUNK)
