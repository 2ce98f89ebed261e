"""Loops as machine code: compiled, cached on disk, and divided among the cores.

Numba's own cache checks only the file of a loop, not those of the loops and constants
that it includes. So the cache here is a folder named by a digest of all sources.

Loading numba and a first loop takes half a second, and compiling a loop some seconds.
So a loop runs as Python, a hundred times slower, until its rows pay for machine code;
without numba it always runs as Python. That is enough for the audit of a journal;
commands for millions of rows need numba.

Threads are our own and loops release Python's lock: numba's parallel loops may not be
entered from two threads at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, cached_property, update_wrapper, wraps
from hashlib import sha256
from importlib.util import find_spec
from itertools import chain, pairwise
from pathlib import Path
from threading import Lock
from types import FunctionType
from typing import Any, TypeVar, cast

import numpy as np

Loop = TypeVar("Loop", bound=Callable[..., object])
Result = TypeVar("Result")
Column = TypeVar("Column", bound=np.ndarray[Any, Any])

_HERE = Path(__file__).parent
_SOURCES = (_HERE, _HERE.parent / "lab" / "simulator")


_HAS_NUMBA = find_spec("numba") is not None
ROWS_AS_WRITTEN = 1 << 16
"""Up to this sum of rows, loading numba for a loop does not pay."""
_MANY_ROWS = 1 << 14
"""Fewer rows may still lie in the caches when they are used again."""
_FEW_ROWS = 1 << 15
"""The rows that are settled before another thread has begun."""
LINE = 8
"""The numbers of 64 bits in a cache line."""


def machine_code(function: Loop, **options: Any) -> Loop:
    """Return the function, compiled for each kind of arguments that it is given."""
    if not _HAS_NUMBA:
        return _as_written(function)
    import numba

    config: Any = numba.config
    folder, before = _kept_in(), config.CACHE_DIR
    config.CACHE_DIR = str(folder)
    try:
        compiled = numba.njit(nogil=True, cache=folder is not None, **options)(function)
    finally:
        config.CACHE_DIR = before
    return cast("Loop", compiled)


@contextmanager
def compilations_told(tell: Callable[[], None]) -> Iterator[None]:
    """Call `tell` if a loop is compiled, not if its code is loaded from disk."""
    from numba.core import event

    class Compilations(event.Listener):
        def on_start(self, _: object) -> None:
            tell()

        def on_end(self, _: object) -> None:
            """Do nothing: only the beginning matters."""

    with event.install_listener("numba:compile", Compilations()):
        yield


@cache
def _kept_in() -> Path | None:
    """Return a folder beside this file or in a user's caches, or None."""
    import numba

    name = f"loops-{digest_of(_SOURCES)}"
    if numba.config.BOUNDSCHECK:  # type: ignore[attr-defined]
        name += "-checked"
    home = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    for parent in (_HERE / "__pycache__", Path(home, "croupier").expanduser()):
        folder = parent / name
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError:
            continue
        if os.access(folder, os.W_OK):
            return folder
    return None


def digest_of(folders: Iterable[Path]) -> str:
    """Return a digest of all Python sources in the folders."""
    digest = sha256()
    for path in sorted(each for folder in folders for each in folder.rglob("*.py")):
        text = path.read_bytes()
        digest.update(f"{path.name} {len(text)}\n".encode() + text)
    return digest.hexdigest()[:16]


def _as_written(function: Loop) -> Loop:
    """Return the Python loop; its numbers wrap around as in machine code."""

    @wraps(function)
    def run(*given: object) -> object:
        with np.errstate(over="ignore"):
            return function(*given)

    return cast("Loop", run)


class _LateLoop:
    """A loop that is compiled once it has been given many rows."""

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        self._function = function
        self._options = options
        self._written = _as_written(function)
        self._rows = 0
        self._lock = Lock()

    def __call__(self, *given: object) -> object:
        if self._rows <= ROWS_AS_WRITTEN or not _HAS_NUMBA:
            self._rows += _rows(given)
            if self._rows <= ROWS_AS_WRITTEN or not _HAS_NUMBA:
                return self._written(*given)
        return self.compiled(*given)

    @cached_property
    def compiled(self) -> Callable[..., Any]:
        """The machine code, which includes that of each loop that it calls."""
        with self._lock:
            function = self._function
            called = {
                name: value.compiled
                for name in function.__code__.co_names
                if isinstance(value := function.__globals__.get(name), _LateLoop)
            }
            given = {**function.__globals__, **called}
            own = FunctionType(function.__code__, given, function.__name__)
            return self._make(update_wrapper(own, function))

    def _make(self, function: Callable[..., Any]) -> Callable[..., Any]:
        return machine_code(function, **self._options)


class _LateInline(_LateLoop):
    def _make(self, function: Callable[..., Any]) -> Callable[..., Any]:
        import numba

        return cast(
            "Callable[..., Any]", numba.njit(nogil=True, forceinline=True)(function)
        )


def _rows(given: Iterable[object]) -> int:
    """Return the length of the longest column among the arguments."""
    columns = chain.from_iterable(
        each if isinstance(each, tuple) else (each,) for each in given
    )
    return max((len(c) for c in columns if isinstance(c, np.ndarray)), default=0)


def is_compiled_for(rows: int) -> bool:
    if rows < _MANY_ROWS or not _HAS_NUMBA:
        return False
    return rows > ROWS_AS_WRITTEN or "numba" in sys.modules


def compiled_now(loop: Loop) -> Loop:
    """Return the machine code of a loop at once, after any number of rows."""
    assert isinstance(loop, _LateLoop)
    return cast("Loop", loop.compiled)


def compiled_loop(function: Loop) -> Loop:
    return cast("Loop", _LateLoop(function))


def inlined_loop(function: Loop) -> Loop:
    return cast("Loop", _LateInline(function))


def only_read(column: Column) -> Column:
    """Return a view that may not be written.

    Numba compiles a loop for each kind of column; if all are views, only once.
    """
    view = column.view()
    view.flags.writeable = False
    return view


def is_aligned(column: np.ndarray[Any, np.dtype[np.int64]]) -> bool:
    return column.flags.c_contiguous and column.ctypes.data % (8 * LINE) == 0


def _store_line(  # type: ignore[no-untyped-def]
    _context, column, row, block, place
):
    """Return the signature and the generator of code for `store_line`."""
    import numba
    from llvmlite import ir  # type: ignore[import-untyped]

    def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
        line = ir.VectorType(ir.IntType(64), LINE).as_pointer()
        into, at, given, start = arguments
        target = context.make_array(signature.args[0])(context, builder, into)
        source = context.make_array(signature.args[2])(context, builder, given)
        target_at = builder.bitcast(builder.gep(target.data, [at]), line)
        source_at = builder.bitcast(builder.gep(source.data, [start]), line)
        loaded = builder.load(source_at, align=8)
        stored = builder.store(loaded, target_at, align=8 * LINE)
        past = builder.module.add_metadata([ir.Constant(ir.IntType(32), 1)])
        stored.set_metadata("nontemporal", past)
        return context.get_dummy_value()

    return numba.types.void(column, row, block, place), generate


class _LateIntrinsic(_LateLoop):
    def _make(self, _: Callable[..., Any]) -> Callable[..., Any]:
        from numba.extending import intrinsic

        return cast("Callable[..., Any]", intrinsic(_store_line))


def _copy_line(column: Any, row: int, block: Any, place: int) -> None:
    column[row : row + LINE] = block[place : place + LINE]


store_line = _LateIntrinsic(_copy_line)
"""Write a cache line from a place of a block to a row of a column, past the caches.

A usual store reads a line before writing it; these reads would be a third of all bytes
that are moved. The row must be at the beginning of a line.
"""


def cores() -> int:
    """Return the number of cores to use: one if loops run as Python."""
    if not _HAS_NUMBA:
        return 1
    import numba

    return int(numba.get_num_threads())


@cache
def _helpers() -> ThreadPoolExecutor:
    """Return lasting threads, one for each further core."""
    return ThreadPoolExecutor(max(1, cores() - 1), "settling")


if hasattr(os, "register_at_fork"):
    # A process that was forked has none of its parent's threads.
    os.register_at_fork(after_in_child=_helpers.cache_clear)


def share_out(rows: int, work: Callable[[int, int], Result]) -> list[Result]:
    """Call `work` on parts of the rows, one for each core; return their results."""
    parts = 1 if rows < 2 * _FEW_ROWS else min(cores(), rows // _FEW_ROWS)
    # Parts begin at whole cache lines in columns of any width.
    bounds = [rows * part // parts & ~63 for part in range(parts)] + [rows]
    helped = [
        _helpers().submit(work, start, stop) for start, stop in pairwise(bounds[1:])
    ]
    own = work(bounds[0], bounds[1])
    return [own, *(each.result() for each in helped)]
