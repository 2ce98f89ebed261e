"""The same sessions on many machines: dask sends chunks, and returns their results.

A chunk is a task of some seconds that depends only on the plan and on its place in it.
Any worker may play it, and another may play it again if the first dies.
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
from croupier.extras import needing
from croupier.lab.sessions import SessionError
from croupier.lab.sessions.result import Progress
from croupier.lab.simulator.compiler import one_line
from croupier.lab.simulator.engines import Chunks, engine_named, play_part
from croupier.lab.simulator.own.files import MODULE
from croupier.lab.simulator.plan import SessionPlan
from croupier.rules.notation import shown

LOCAL = "local"
"""The address that stands for worker processes on this machine."""
_TASK_SECONDS = 2.0
_TASKS_EACH = 2
"""Tasks in hand for each worker, so that none waits for its next one."""
_PATIENCE_SECONDS = 10
_LOOK_SECONDS = 2
"""The workers are counted after this long without a result."""
_LOST_SECONDS = 120
"""The play fails after this long without any worker."""

_one_at_a_time = Lock()

_Chunk = tuple[int, int, Any, float]
"""The first session, their count, their result, and the seconds that it took."""


def play_on_cluster(
    plan: SessionPlan,
    address: str,
    engine: str,
    workers: int | None,
    tell: Progress,
) -> Iterator[tuple[int, Any]]:
    """Yield the plan's parts, each with its first session; or raise `SessionError`."""
    with _client(address, workers) as client:
        yield from _Play(client, plan, engine, tell).all_chunks()


class _Play:
    """Keeps the workers busy until all sessions have been played."""

    def __init__(
        self, client: Any, plan: SessionPlan, engine: str, tell: Progress
    ) -> None:
        self._client, self._engine, self._tell = client, engine, tell
        self._sessions, self._packed = plan.sessions, _packed(plan)
        self._chunks = Chunks(plan, _TASK_SECONDS)
        self._seen = perf_counter()

    def all_chunks(self) -> Iterator[tuple[int, Any]]:
        """Yield the first session and the result of each chunk."""
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
        """Return the finished chunks; an empty set if none finishes for a while."""
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
        """Return a chunk's result; dask plays it again if its worker has died."""
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
) -> _Chunk:
    """Play a chunk on a worker; return its result and its seconds."""
    if version != __version__:
        raise SessionError(
            f"a worker has croupier {__version__}, and not {version} as here"
        )
    plan = _unpacked(packed)
    with _one_at_a_time:
        player, begun = _engine(engine), perf_counter()
        part = play_part(player, plan, first, count)
        return first, count, part, perf_counter() - begun


@lru_cache(maxsize=1)
def _engine(name: str) -> Any:
    return engine_named(name, _distributed().get_worker().state.nthreads)


def _packed(plan: SessionPlan) -> bytes:
    """Return the plan as bytes, with the file of a user's function."""
    cloudpickle = import_module("cloudpickle")
    home = getattr(getattr(plan.own, "function", None), "__module__", "")
    if home.startswith(MODULE):
        cloudpickle.register_pickle_by_value(sys.modules[home])
    return bytes(cloudpickle.dumps(plan))


@lru_cache(maxsize=1)
def _unpacked(packed: bytes) -> Any:
    # Cached: the next chunk reuses the plan and its compiled loops.
    return pickle.loads(packed)  # noqa: S301 - the workers trust their scheduler


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
    with needing("cluster"):
        return import_module("distributed")
