"""The same sessions on many machines, by dask: chunks out, tallies back.

A chunk is a task of some seconds that depends on the plan and its place alone. So it
does not matter which worker plays it, nor whether one dies and another plays it again.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib import import_module
from threading import Lock
from time import perf_counter
from types import ModuleType
from typing import Any

from croupier import __version__
from croupier.odds.sessions import SessionError
from croupier.odds.sessions.result import Progress
from croupier.rules.notation import shown
from croupier.simulator.compiler import MODULE, one_line
from croupier.simulator.engines import Chunks, Engine, engine_named, run_engine
from croupier.simulator.plan import OwnFunction, SessionTally, SimulationPlan

LOCAL = "local"
"""The address that asks for worker processes on this machine."""
_TASK_SECONDS = 2.0
_TASKS_EACH = 2
"""For each worker, so that none waits for the next."""
_PATIENCE_SECONDS = 10

_one_at_a_time = Lock()


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
    with _client(address, workers) as client:
        try:
            return _Play(client, plan, engine, tell).all_chunks()
        except SessionError:
            raise
        except Exception as error:
            raise SessionError(f"the cluster failed: {one_line(error)}") from error


class _Play:
    """Keeps the workers busy until all sessions have been played."""

    def __init__(
        self, client: Any, plan: SimulationPlan, engine: str, tell: Progress
    ) -> None:
        self._client, self._engine, self._tell = client, engine, tell
        self._plan, self._packed = plan, _packed(plan)
        self._chunks = Chunks(plan, _TASK_SECONDS)

    def all_chunks(self) -> SessionTally:
        total = SessionTally.empty(self._plan)
        coming = _distributed().as_completed([self._submit()])
        for done in coming:
            tally, seconds = done.result()
            self._chunks.took(tally.sessions, seconds)
            total += tally
            self._tell(total.sessions, self._plan.sessions)
            while self._chunks.left and coming.count() < self._wanted():
                coming.add(self._submit())
        return total.checked()

    def _wanted(self) -> int:
        threads: dict[str, int] = self._client.nthreads()
        return _TASKS_EACH * max(1, sum(threads.values()))

    def _submit(self) -> Any:
        # A worker that dies takes its chunk along: the scheduler hands it to another.
        return self._client.submit(
            _play_chunk,
            __version__,
            self._packed,
            self._engine,
            *self._chunks.next(),
            pure=False,
        )


def _play_chunk(
    version: str, packed: bytes, engine: str, first: int, count: int
) -> tuple[SessionTally, float]:
    """Play a chunk on a worker; return its tally, and how long it took."""
    if version != __version__:
        raise SessionError(
            f"a worker has croupier {__version__}, and not {version} as here"
        )
    plan = _unpacked(packed)
    with _one_at_a_time:
        player, begun = _engine(engine), perf_counter()
        return run_engine(player, plan, first, count), perf_counter() - begun


@lru_cache(maxsize=1)
def _engine(name: str) -> Engine:
    return engine_named(name, _distributed().get_worker().state.nthreads)


def _packed(plan: SimulationPlan) -> bytes:
    """Return the plan as bytes; a user's function goes with the file it is in."""
    cloudpickle = import_module("cloudpickle")
    if isinstance(plan.machine, OwnFunction):
        home = plan.machine.function.__module__
        if home.startswith(MODULE):
            cloudpickle.register_pickle_by_value(sys.modules[home])
    return bytes(cloudpickle.dumps(plan))


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> SimulationPlan:
    """Return the plan, kept for the next chunk with what an engine has compiled."""
    plan = pickle.loads(packed)  # noqa: S301 - whoever asks is trusted by the workers
    assert isinstance(plan, SimulationPlan)
    return plan


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
