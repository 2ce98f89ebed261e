"""Sessions of users' own strategies on a CUDA device, one thread for each.

Laws of this file:
- The functions of the engine cpu are compiled for the device, so sessions are the same.
- This file has no rule of a session, only its thread and the place of its result.
- An error ends its thread. The session is then played in plain Python, which names the
  error.
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
from croupier.lab.simulator.cpu.own_loops import (
    Names,
    check_whole,
    first_sentence,
    function_names,
    seat_names,
    unwatched,
)
from croupier.lab.simulator.cpu.round_loop import (
    Drawing,
    SessionTerms,
    drawing,
    play_session,
    record,
    session_terms,
    with_names,
)
from croupier.lab.simulator.cpu.session_counts import (
    NO_BIN,
    CountTerms,
    Share,
    bin_of,
    count_figures,
    count_terms,
)
from croupier.lab.simulator.own.plan import Choose, OwnPlan
from croupier.lab.simulator.own.seat import MOST_WAGERS, ROOMS, SEEN, TABLES, Seat
from croupier.lab.simulator.plain import course
from croupier.lab.simulator.plan import (
    MEMORY,
    WORDS,
    OwnFunction,
    SessionPlan,
    SessionTally,
    SimulationPlan,
)
from croupier.lab.simulator.session_records import MARKS, Integers

IS_SIMULATED = bool(numba.config.ENABLE_CUDASIM)  # type: ignore[attr-defined]
"""Whether numba simulates the device in Python, as in tests."""
if IS_SIMULATED:
    COUNTED = 1

    def checked(numbers: Any) -> Any:
        return numbers

    def seat_at(*given: Any) -> Any:
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
"""The sessions that each multiprocessor plays at once."""
_NOT_PLAYED = -1
_SEAT_MEMORY = ROOMS["memory"]

Arguments = TypeVar("Arguments", bound=tuple[Any, ...])


def check_device() -> None:
    if not cuda.is_available():
        said = " ".join(str(cuda.cuda_error() or "none was found").split())
        raise SessionError(f"there is no CUDA device: {said}")


def record_seats(plan: OwnPlan, first: int, into: Integers) -> None:
    """Play the sessions from `first` on, and record each in a column of `into`."""
    check_device()
    count = into.shape[1]
    records = cuda.to_device(np.full(into.shape, _NOT_PLAYED, np.int64))
    tables = (*(getattr(plan, name) for name in TABLES), plan.is_limited)
    given = _on_device((session_terms(plan), drawing(plan), tables))
    with _compiling(plan.name):
        kernel = _seat_kernel(plan.function)
        kernel[-(-count // _THREADS), _THREADS](*given, first, records)
    into[:] = records.copy_to_host()
    for place in np.flatnonzero(into[0] == _NOT_PLAYED)[:1]:
        raise _failed(plan, first + int(place))


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
        raise _failed(plan, int(session))
    tally = SessionTally(count, words.copy_to_host().sum(0), bins.copy_to_host())
    return tally.checked()


def _failed(plan: SessionPlan, session: int) -> SessionError:
    """Raise the error of a failed session in plain Python, or return another."""
    for _ in course(plan, session):
        pass
    return SessionError(
        f"session {session} of {plan.own.name} fails on the GPU and not in plain"
        " Python: please report this, and take the engine cpu"
    )


def _most_threads() -> int:
    if IS_SIMULATED:
        return _THREADS
    return int(cuda.get_current_device().MULTIPROCESSOR_COUNT) * _THREADS_EACH


def _on_device(values: Arguments) -> Arguments:
    """Return a copy whose arrays lie on the device."""
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
    """Turn an error of the compiler into a `SessionError` of one sentence."""
    try:
        with _divisions_told(), warnings.catch_warnings():
            # The first and the last chunk are too small to fill the device.
            warnings.filterwarnings("ignore", message=".*Grid size")
            yield
    except NumbaError as error:
        raise SessionError(
            f"the strategy {name} can't be compiled for the GPU:"
            f" {first_sentence(error)}; the engine cpu may play it"
        ) from error


@contextmanager
def _divisions_told() -> Iterator[None]:
    """Make a division by zero an error, as it is on the CPU.

    On a device numba returns 0, unless it compiles for a debugger.
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
        # Compiled first by itself, so that an error names only the user's function.
        asked.compile_device((seat_type(),))
    play = _device_loop(seat_names(asked))
    seat_here = _device_function(seat_at)

    def play_seats(
        terms: SessionTerms, drawn: Drawing, tables: Any, first: int, into: Integers
    ) -> None:
        place = cuda.grid(1)
        if place >= into.shape[1]:
            return
        pays, numbers, least, most, is_limited = tables
        seat = seat_here(
            pays,
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
        end, rounds, staked, bankroll = play(
            terms, drawn, seat, session, results, marks
        )
        record(into, place, end, rounds, staked, bankroll, marks)

    return cuda.jit(play_seats)


@lru_cache(maxsize=8)
def _function_kernel(function: Callable[..., int], name: str) -> Any:
    """Compile a function once for all bankrolls and limits."""
    asked = _device_function(function)
    if not IS_SIMULATED:
        whole = (numba.int64,) * 4
        compiled = asked.compile_device((*whole, memory_type()))
        check_whole(name, compiled.signature.return_type)
    play = _device_loop({**function_names(asked), "watch": unwatched})

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


def _device_loop(names: Names) -> Any:
    given = {name: _device_function(each) for name, each in names.items()}
    return _device_function(with_names(play_session, **given))


def _device_function(function: Callable[..., Any]) -> Any:
    """Compile for the device; take the Python source of a function of the CPU."""
    return cuda.jit(device=True)(getattr(function, "py_func", function))
