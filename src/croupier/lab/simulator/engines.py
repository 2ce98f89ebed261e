"""Engines by name, and the chunks of sessions that they are given to play."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, runtime_checkable

from croupier.errors import plain_int
from croupier.lab.sessions import SessionError
from croupier.lab.simulator.compiler import one_line
from croupier.lab.simulator.plan import (
    OwnFunction,
    SessionTally,
    SimulationPlan,
    TallyError,
)
from croupier.rules.notation import shown

ENGINES = ("cpu", "gpu", "plain")


FIRST_SPINS = 20_000
"""Of the first chunk, about."""
_CHUNK_SECONDS = 1.0
_MOST_GROWTH = 16
_LARGEST_CHUNK = 2**31
"""Sums of so many sessions fit the words in which an engine counts."""


class Engine(Protocol):
    """Plays sessions and counts them; all engines count the same."""

    def run(self, plan: SimulationPlan, first: int, count: int) -> SessionTally:
        """Play the sessions `first`, `first + 1`, … of the plan."""


@runtime_checkable
class _CompilingEngine(Engine, Protocol):
    """An engine that compiles its loops when it first plays a plan."""

    def prepare(self, plan: SimulationPlan, tell: Callable[[], None]) -> None:
        """Compile what the plan needs, so that playing is nothing but play.

        `tell` is called if there is anything to compile.
        """


def prepare_engine(
    engine: Engine, plan: SimulationPlan, tell: Callable[[], None]
) -> None:
    """Let an engine compile, if it does; tell of a user's errors in one sentence."""
    if isinstance(engine, _CompilingEngine):
        with _one_sentence(plan):
            engine.prepare(plan, tell)


def engine_named(name: str, workers: int | None = None) -> Engine:
    """Return an engine; raise `SessionError` where it is not there."""
    match name:
        case "cpu":
            return _cpu(workers)
        case "gpu":
            from croupier.lab.simulator.gpu.engine import GpuEngine

            return GpuEngine()
        case "plain":
            from croupier.lab.simulator.plain import PlainEngine

            return PlainEngine()
    raise _no_engine(name)


def check_engine_name(name: str) -> None:
    if name not in ENGINES:
        raise _no_engine(name)


def _no_engine(name: str) -> SessionError:
    return SessionError(
        f"there is no engine {shown(str(name))}; there are {', '.join(ENGINES)}"
    )


def check_workers(workers: int | None) -> None:
    if workers is not None and (type(plain_int(workers)) is not int or workers < 1):
        raise SessionError(f"at least one worker is needed, not {shown(str(workers))}")


def run_engine(
    engine: Engine, plan: SimulationPlan, first: int, count: int
) -> SessionTally:
    """Run the engine; tell an error of a user's own function in one sentence."""
    with _one_sentence(plan):
        return engine.run(plan, first, count)


@contextmanager
def _one_sentence(plan: SimulationPlan) -> Iterator[None]:
    try:
        yield
    except Exception as error:
        is_ours = isinstance(error, SessionError | TallyError)
        if is_ours or not isinstance(plan.machine, OwnFunction):
            raise
        raise SessionError(f"{plan.machine.name} failed: {one_line(error)}") from error


def _cpu(workers: int | None) -> Engine:
    try:
        from croupier.lab.simulator.cpu.engine import CpuEngine
    except ImportError as error:
        raise SessionError(
            "the engine cpu needs numba: pip install 'croupier[simulator]'"
        ) from error
    return CpuEngine(workers)


class _CountedPlan(Protocol):
    """Any plan of sessions."""

    @property
    def sessions(self) -> int: ...

    @property
    def rounds(self) -> int: ...


class Chunks:
    """Sessions of a plan, cut into chunks by how long the last one took."""

    def __init__(self, plan: _CountedPlan, seconds: float = _CHUNK_SECONDS) -> None:
        self._sessions, self._seconds = plan.sessions, seconds
        self._first = 0
        self._size = max(1, FIRST_SPINS // plan.rounds)

    @property
    def left(self) -> int:
        return self._sessions - self._first

    def next(self) -> tuple[int, int]:
        """Return the first session of the next chunk, and how many it has."""
        first, count = self._first, min(self._size, self.left)
        self._first += count
        return first, count

    def took(self, count: int, seconds: float) -> None:
        """Note that so many sessions took so long."""
        factor = min(self._seconds / max(seconds, 1e-9), _MOST_GROWTH)
        self._size = min(max(1, int(count * factor)), _LARGEST_CHUNK)
