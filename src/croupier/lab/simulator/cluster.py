"""The same sessions on many machines, by dask: chunks out, tallies or records back.

A chunk is a task of some seconds that depends on the plan and its place alone. So it
does not matter which worker plays it, nor whether one dies and another plays it again.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from threading import Lock
from time import perf_counter
from types import ModuleType
from typing import Any

import numpy as np

from croupier import __version__
from croupier.lab.sessions import SessionError
from croupier.lab.sessions.result import Progress
from croupier.lab.simulator.compiler import one_line
from croupier.lab.simulator.engines import Chunks, Engine, engine_named, run_engine
from croupier.lab.simulator.own.files import MODULE
from croupier.lab.simulator.own.plan import OwnPlan
from croupier.lab.simulator.own.sessions import SeatTable, table_for
from croupier.lab.simulator.plan import OwnFunction, SessionTally, SimulationPlan
from croupier.lab.simulator.session_records import COLUMNS, Integers
from croupier.rules.notation import shown

LOCAL = "local"
"""The address that asks for worker processes on this machine."""
_TASK_SECONDS = 2.0
_TASKS_EACH = 2
"""For each worker, so that none waits for the next."""
_PATIENCE_SECONDS = 10
_LOOK_SECONDS = 2
"""After this long without news, the workers are counted."""
_LOST_SECONDS = 120
"""So long may all workers be gone: others are started instead of them."""

_one_at_a_time = Lock()

_Chunk = tuple[int, int, Any, float]
"""The first session, how many, what came of them, and the seconds that it took."""


def play_on_cluster(
    plan: SimulationPlan,
    address: str,
    engine: str | Engine,
    workers: int | None,
    tell: Progress,
) -> SessionTally:
    """Play all sessions of the plan; raise `SessionError` if there is no cluster."""
    if not isinstance(engine, str):
        raise SessionError("a cluster takes an engine by its name: cpu, gpu or plain")
    total = SessionTally.empty(plan)
    with _client(address, workers) as client:
        for _, tally in _Play(client, plan, (_play_chunk, engine), tell).all_chunks():
            total += tally
    return total.checked()


def record_on_cluster(
    plan: OwnPlan, address: str, engine: str, workers: int | None, tell: Progress
) -> Integers:
    """Play and record all sessions of a strategy that chooses its wagers."""
    columns: Integers = np.zeros((len(COLUMNS), plan.sessions), np.int64)
    with _client(address, workers) as client:
        for first, part in _Play(
            client, plan, (_record_chunk, engine), tell
        ).all_chunks():
            columns[:, first : first + part.shape[1]] = part
    return columns


class _Play:
    """Keeps the workers busy until all sessions have been played."""

    def __init__(
        self,
        client: Any,
        plan: SimulationPlan | OwnPlan,
        work: tuple[Callable[..., _Chunk], str],
        tell: Progress,
    ) -> None:
        self._client, self._work, self._tell = client, work, tell
        self._sessions, self._packed = plan.sessions, _packed(plan)
        self._chunks = Chunks(plan, _TASK_SECONDS)
        self._seen = perf_counter()

    def all_chunks(self) -> Iterator[tuple[int, Any]]:
        """Yield the first session of each chunk, and what came of it."""
        try:
            yield from self._all_chunks()
        except SessionError:
            raise
        except Exception as error:
            raise SessionError(f"the cluster failed: {one_line(error)}") from error

    def _all_chunks(self) -> Iterator[tuple[int, Any]]:
        played, coming = 0, {self._submit()}
        while coming:
            for done in self._finished(coming):
                coming.remove(done)
                first, count, part, seconds = self._result(done)
                self._chunks.took(count, seconds)
                yield first, part
                played += count
                self._tell(played, self._sessions)
            while self._chunks.left and len(coming) < self._wanted():
                coming.add(self._submit())

    def _finished(self, coming: set[Any]) -> set[Any]:
        """Return those that are done, when any is; none while workers are there."""
        try:
            found = _distributed().wait(
                coming, timeout=_LOOK_SECONDS, return_when="FIRST_COMPLETED"
            )
        except TimeoutError:
            self._check_workers()
            return set()
        done: set[Any] = found.done
        return done

    def _result(self, done: Any) -> _Chunk:
        """Return what came of a chunk; it is played again if its worker has died."""
        while True:
            try:
                result: _Chunk = done.result(timeout=_LOOK_SECONDS)
            except TimeoutError:
                self._check_workers()
            else:
                return result

    def _check_workers(self) -> None:
        """Raise `SessionError` if there have been no workers for a while."""
        if self._client.nthreads():
            self._seen = perf_counter()
        elif perf_counter() - self._seen > _LOST_SECONDS:
            raise SessionError("all workers of the cluster are gone, and none came")

    def _wanted(self) -> int:
        threads: dict[str, int] = self._client.nthreads()
        return _TASKS_EACH * max(1, sum(threads.values()))

    def _submit(self) -> Any:
        # A worker that dies takes its chunk along: the scheduler hands it to another.
        work, engine = self._work
        return self._client.submit(
            work,
            __version__,
            self._packed,
            engine,
            *self._chunks.next(),
            pure=False,
        )


def _play_chunk(
    version: str, packed: bytes, engine: str, first: int, count: int
) -> _Chunk:
    """Play a chunk on a worker; return its tally, and how long it took."""
    _check_version(version)
    plan = _unpacked(packed)
    with _one_at_a_time:
        player, begun = _engine(engine), perf_counter()
        tally = run_engine(player, plan, first, count)
        return first, count, tally, perf_counter() - begun


def _record_chunk(
    version: str, packed: bytes, engine: str, first: int, count: int
) -> _Chunk:
    """Play a chunk of a strategy that chooses its wagers; return its records."""
    _check_version(version)
    into: Integers = np.zeros((len(COLUMNS), count), np.int64)
    with _one_at_a_time:
        table, begun = _table(packed, engine), perf_counter()
        table.play(first, into)
        return first, count, into, perf_counter() - begun


def _check_version(version: str) -> None:
    if version != __version__:
        raise SessionError(
            f"a worker has croupier {__version__}, and not {version} as here"
        )


@lru_cache(maxsize=1)
def _engine(name: str) -> Engine:
    return engine_named(name, _threads())


@lru_cache(maxsize=1)
def _table(packed: bytes, engine: str) -> SeatTable:
    return table_for(_unpacked(packed), engine, _threads())


def _threads() -> int:
    threads: int = _distributed().get_worker().state.nthreads
    return threads


def _packed(plan: SimulationPlan | OwnPlan) -> bytes:
    """Return the plan as bytes; a user's function goes with the file it is in."""
    cloudpickle = import_module("cloudpickle")
    function: Any = None
    if isinstance(plan, OwnPlan):
        function = plan.choose
    elif isinstance(plan.machine, OwnFunction):
        function = plan.machine.function
    home = getattr(function, "__module__", "")
    if home.startswith(MODULE):
        cloudpickle.register_pickle_by_value(sys.modules[home])
    return bytes(cloudpickle.dumps(plan))


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Any:
    """Return the plan, kept for the next chunk with what an engine has compiled."""
    return pickle.loads(packed)  # noqa: S301 - whoever asks is trusted by the workers


@contextmanager
def _client(address: str, workers: int | None) -> Iterator[Any]:
    distributed = _distributed()
    if address == LOCAL:
        with (
            distributed.LocalCluster(
                n_workers=workers,
                threads_per_worker=1,
                processes=True,
                dashboard_address=":0",
            ) as cluster,
            distributed.Client(cluster) as client,
        ):
            yield client
        return
    try:
        client = distributed.Client(address, timeout=_PATIENCE_SECONDS)
    except (OSError, ValueError, TypeError) as error:
        raise SessionError(
            f"there is no cluster at {shown(address)}: {one_line(error)}"
        ) from error
    with client:
        _wait_for_workers(client, address)
        yield client


def _wait_for_workers(client: Any, address: str) -> None:
    try:
        client.wait_for_workers(1, timeout=_PATIENCE_SECONDS)
    except TimeoutError as error:
        raise SessionError(f"the cluster at {shown(address)} has no workers") from error


def _distributed() -> ModuleType:
    try:
        return import_module("distributed")
    except ImportError as error:
        raise SessionError(
            "a cluster needs distributed: pip install 'croupier[cluster]'"
        ) from error
