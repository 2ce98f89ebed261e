"""Sessions by strategies of the user's own on a CUDA device: one thread a session.

Laws of this file:
- A session is that of the engine cpu: the same functions, compiled for the device.
- No rule of a session is written here, only who plays which one, and where it is kept.
- What raises an error ends its thread. Such a session is played once more in plain
  Python, which says what was wrong.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, TypeVar, cast
from unittest.mock import patch

import numba
import numpy as np
from numba import cuda
from numba.core.errors import NumbaError

from croupier.lab.sessions import SessionError
from croupier.lab.simulator.cpu.function_sessions import (
    check_whole,
    clear,
    first_sentence,
    stake_of,
    unwatched,
)
from croupier.lab.simulator.cpu.round_loop import (
    Drawing,
    SessionTerms,
    drawing,
    play_session,
    session_terms,
    with_names,
)
from croupier.lab.simulator.cpu.seat_sessions import (
    SeatTerms,
    seat_terms,
    session_of_seat,
)
from croupier.lab.simulator.cpu.session_counts import (
    NO_BIN,
    CountTerms,
    Share,
    bin_of,
    count_figures,
    count_terms,
)
from croupier.lab.simulator.own.plain import PlainTable
from croupier.lab.simulator.own.plan import Choose, OwnPlan
from croupier.lab.simulator.own.seat import MOST_WAGERS, ROOMS, SEEN, TABLES, Seat
from croupier.lab.simulator.plain import course
from croupier.lab.simulator.plan import (
    MEMORY,
    WORDS,
    OwnFunction,
    SessionTally,
    SimulationPlan,
)
from croupier.lab.simulator.session_records import MARKS, Integers

IS_SIMULATED = bool(numba.config.ENABLE_CUDASIM)  # type: ignore[attr-defined]
"""Whether numba plays the device in Python, as the tests have it."""
if IS_SIMULATED:
    COUNTED = 1

    def checked(numbers: Any) -> Any:
        """Return the numbers: Python checks by itself."""
        return numbers

    def seat_at(*given: Any) -> Any:
        """Return a seat of Python's, which has its own counts."""
        return Seat(*given[:-1])

else:
    from numba.cuda.core import callconv

    from croupier.lab.simulator.gpu.device_types import (
        COUNTED,
        checked,
        memory_type,
        seat_at,
        seat_type,
    )

_THREADS = 128
_MOST_PER_BLOCK = 32
"""Rounds of a block of random words: four words of eight outcomes at most."""
_THREADS_EACH = 512
"""For each multiprocessor: so many sessions are counted side by side."""
_NOT_PLAYED = -1
_SEAT_MEMORY = ROOMS["memory"]

Arguments = TypeVar("Arguments", bound=tuple[Any, ...])


def check_device() -> None:
    """Raise `SessionError` where there is no device to be had."""
    if not cuda.is_available():
        said = " ".join(str(cuda.cuda_error() or "none was found").split())
        raise SessionError(f"no CUDA device is to be had: {said}")


class GpuSeatTable:
    """Plays sessions at a table on all of one device."""

    def __init__(self, plan: OwnPlan) -> None:
        """Compile the strategy; raise `SessionError` where it can't be."""
        check_device()
        self._plan = plan
        with _compiling(plan.name):
            self._kernel = _seat_kernel(plan.choose)
        self._terms = _on_device(seat_terms(plan))
        self._drawn = _on_device(drawing(plan))
        tables = tuple(getattr(plan, name) for name in TABLES)
        self._tables = (*_on_device(tables), plan.is_limited)

    def play(self, first: int, into: Integers) -> None:
        """Play the sessions from `first` on, and record each in a column of `into`."""
        count = into.shape[1]
        records = cuda.to_device(np.full(into.shape, _NOT_PLAYED, np.int64))
        with _compiling(self._plan.name):
            self._kernel[-(-count // _THREADS), _THREADS](
                self._terms, self._drawn, self._tables, first, records
            )
        into[:] = records.copy_to_host()
        for place in np.flatnonzero(into[0] == _NOT_PLAYED):
            PlainTable(self._plan).record(first + int(place))
            raise _astray(self._plan.name, first + int(place))


def play_function(
    plan: SimulationPlan, own: OwnFunction, first: int, count: int
) -> SessionTally:
    """Play and count sessions by a function of units."""
    check_device()
    threads = min(count, _most_threads())
    blocks = -(-threads // _THREADS)
    words = cuda.to_device(np.zeros((blocks * _THREADS, WORDS), np.uint64))
    bins = cuda.to_device(np.zeros(plan.bins, np.uint64))
    playing = cuda.to_device(np.full(blocks * _THREADS, _NOT_PLAYED, np.int64))
    share = Share(np.uint64(plan.seed), first, count, words, bins)
    terms, drawn = _on_device(session_terms(plan)), _on_device(drawing(plan))
    with _compiling(own.name):
        kernel = _function_kernel(own.function, own.name)
        kernel[blocks, _THREADS](terms, drawn, count_terms(plan), share, playing)
    left = playing.copy_to_host()
    for session in np.sort(left[left != _NOT_PLAYED])[:1]:
        for _ in course(plan, int(session)):
            pass
        raise _astray(own.name, int(session))
    tally = SessionTally(count, words.copy_to_host().sum(0), bins.copy_to_host())
    return tally.checked()


def _astray(name: str, session: int) -> SessionError:
    return SessionError(
        f"session {session} of {name} fails on the GPU and not in plain Python: please"
        " report this, and take the engine cpu"
    )


def _most_threads() -> int:
    if IS_SIMULATED:
        return _THREADS
    return int(cuda.get_current_device().MULTIPROCESSOR_COUNT) * _THREADS_EACH


def _on_device(values: Arguments) -> Arguments:
    """Return the same with its arrays on the device, once for all chunks."""
    made = [
        cuda.to_device(each)
        if isinstance(each, np.ndarray)
        else _on_device(each)
        if isinstance(each, tuple)
        else each
        for each in values
    ]
    if hasattr(values, "_make"):
        return cast("Arguments", values._make(made))
    return cast("Arguments", tuple(made))


@contextmanager
def _compiling(name: str) -> Iterator[None]:
    """Compile what is called first here; tell of what can't be in one sentence."""
    try:
        with _divisions_told(), warnings.catch_warnings():
            # The first sessions and the last ones are few, and need no device's all.
            warnings.filterwarnings("ignore", message=".*Grid size")
            yield
    except NumbaError as error:
        raise SessionError(
            f"the strategy {name} can't be compiled for the GPU:"
            f" {first_sentence(error)}; the engine cpu may play it"
        ) from error


@contextmanager
def _divisions_told() -> Iterator[None]:
    """Let a division by zero be an error, as it is for the CPU.

    Numba would have it be 0 on a device, and has no option for it but to compile for
    a debugger.
    """
    if IS_SIMULATED:
        yield
        return
    with patch.dict(callconv.error_models, numpy=callconv.PythonErrorModel):
        yield


@lru_cache(maxsize=8)
def _seat_kernel(choose: Choose) -> Any:
    asked = _device_function(choose)
    if not IS_SIMULATED:
        # By itself first: so what the compiler does not like is told of it alone.
        asked.compile_device((seat_type(),))
    play_session = _device_function(session_of_seat(asked))
    seat_here = _device_function(seat_at)

    def play_seats(
        terms: SeatTerms, drawn: Drawing, tables: Any, first: int, into: Integers
    ) -> None:
        place = cuda.grid(1)
        if place >= into.shape[1]:
            return
        wins, numbers, least, most, is_limited = tables
        seat = seat_here(
            wins,
            numbers,
            least,
            most,
            is_limited,
            cuda.local.array(_SEAT_MEMORY, numba.int64),
            cuda.local.array(MOST_WAGERS, numba.int64),
            cuda.local.array(MOST_WAGERS, numba.int64),
            cuda.local.array(SEEN, numba.int64),
            cuda.local.array(COUNTED, numba.int64),
        )
        results = cuda.local.array(_MOST_PER_BLOCK, numba.int64)
        marks = cuda.local.array(MARKS, numba.int64)
        session = np.uint64(first + place)
        play_session(terms, drawn, seat, session, results, marks, into, place)

    return cuda.jit(play_seats)


@lru_cache(maxsize=8)
def _function_kernel(function: Callable[..., int], name: str) -> Any:
    """Compile it once, whatever bankroll and limits bound its stakes."""
    asked = _device_function(function)
    if not IS_SIMULATED:
        whole = (numba.int64,) * 4
        compiled = asked.compile_device((*whole, memory_type()))
        check_whole(name, compiled.signature.return_type)
    names: dict[str, Callable[..., Any]] = {
        "sit_down": clear,
        "stake": stake_of(asked),
        "watch": unwatched,
    }
    given = {name: _device_function(each) for name, each in names.items()}
    play = _device_function(with_names(play_session, **given))

    def play_functions(
        terms: SessionTerms,
        drawn: Drawing,
        by: CountTerms,
        share: Share,
        playing: Integers,
    ) -> None:
        me = cuda.grid(1)
        memory = checked(cuda.local.array(MEMORY, numba.int64))
        results = cuda.local.array(_MOST_PER_BLOCK, numba.int64)
        marks = cuda.local.array(MARKS, numba.int64)
        words = share.words[me]
        for place in range(me, share.sessions, cuda.gridsize(1)):
            session = share.first + place
            playing[me] = session
            end, rounds, staked, bankroll = play(
                terms, drawn, memory, np.uint64(session), results, marks
            )
            count_figures(end, rounds, staked, bankroll, by, words)
            kept = bin_of(bankroll, by)
            if kept != NO_BIN:
                cuda.atomic.add(share.bins, kept, np.uint64(1))
            playing[me] = _NOT_PLAYED

    return cuda.jit(play_functions)


def _device_function(function: Callable[..., Any]) -> Any:
    """Return a function for the device; one that the CPU has, from its source."""
    return cuda.jit(device=True)(getattr(function, "py_func", function))
