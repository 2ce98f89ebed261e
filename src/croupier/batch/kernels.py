"""Loops as machine code: compiled, kept on disk, and shared out among the cores.

By itself numba looks at one file to see whether what it has kept is out of date: that
of the loop, not those of the loops and constants that became a part of it. So what is
kept here lies in a folder named after all the sources together.

Without numba the loops run as they are written: right, and a hundred times slower. The
audit of a journal does with that; commands for millions of rows ask for numba.

Threads are our own and loops release Python's lock; numba's parallel loops may not be
entered from two threads at once.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, wraps
from hashlib import sha256
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from typing import Any, TypeVar, cast

import numpy as np

Loop = TypeVar("Loop", bound=Callable[..., object])
Result = TypeVar("Result")
Column = TypeVar("Column", bound=np.ndarray[Any, Any])

_HERE = Path(__file__).parent
_SOURCES = (_HERE, _HERE.parent / "simulator")


HAS_NUMBA = find_spec("numba") is not None
_FEW_ROWS = 1 << 15
"""As many rows are settled before another thread has begun."""
LINE = 8
"""So many numbers of 64 bits are a cache line."""


def machine_code(function: Loop, **options: Any) -> Loop:
    """Return the function, compiled for each kind of arguments that it is given."""
    if not HAS_NUMBA:
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
    """Call `tell` when a loop is compiled; one that is kept on disk is only loaded."""
    from numba.core import event

    class Compilations(event.Listener):
        def on_start(self, _: object) -> None:
            tell()

        def on_end(self, _: object) -> None:
            """Tell nobody of the end."""

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
    """Return a name for all Python sources in the folders."""
    digest = sha256()
    for path in sorted(each for folder in folders for each in folder.rglob("*.py")):
        text = path.read_bytes()
        digest.update(f"{path.name} {len(text)}\n".encode() + text)
    return digest.hexdigest()[:16]


def _as_written(function: Loop) -> Loop:
    """Return the loop of Python, in which numbers wrap around as they do compiled."""

    @wraps(function)
    def run(*given: object) -> object:
        with np.errstate(over="ignore"):
            return function(*given)

    return cast("Loop", run)


def compiled_loop(function: Loop) -> Loop:
    """Return the function as machine code, compiled for each kind of column."""
    return machine_code(function)


def inlined_loop(function: Loop) -> Loop:
    """Return the same, as a part of every compiled loop that calls it."""
    if not HAS_NUMBA:
        return _as_written(function)
    import numba

    return cast("Loop", numba.njit(nogil=True, forceinline=True)(function))


def only_read(column: Column) -> Column:
    """Return the column as one that may not be written, whether it may or not.

    A loop is compiled for either kind; this way it is compiled once.
    """
    view = column.view()
    view.flags.writeable = False
    return view


def is_aligned(column: np.ndarray[Any, np.dtype[np.int64]]) -> bool:
    return column.flags.c_contiguous and column.ctypes.data % (8 * LINE) == 0


def _store_line(  # type: ignore[no-untyped-def]
    _context, column, row, block, place
):
    """Say how `store_line` is compiled."""
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


def _line_writer() -> Callable[[Any, int, Any, int], None]:
    if not HAS_NUMBA:
        return _copy_line
    from numba.extending import intrinsic

    return cast("Callable[[Any, int, Any, int], None]", intrinsic(_store_line))


def _copy_line(column: Any, row: int, block: Any, place: int) -> None:
    column[row : row + LINE] = block[place : place + LINE]


store_line = _line_writer()
"""Write a cache line from a place of a block to a row of a column, past the caches.

A usual store reads the line before it is written, which would be a third of all bytes
that are moved. The row must be at the beginning of a line.
"""


def cores() -> int:
    """Return how many cores this process may use; loops of Python take turns."""
    if not HAS_NUMBA:
        return 1
    import numba

    return int(numba.get_num_threads())


@cache
def _helpers() -> ThreadPoolExecutor:
    """Return threads that stay, one for each further core."""
    return ThreadPoolExecutor(max(1, cores() - 1), "settling")


if hasattr(os, "register_at_fork"):
    # A process that was forked has none of its parent's threads.
    os.register_at_fork(after_in_child=_helpers.cache_clear)


def share_out(rows: int, work: Callable[[int, int], Result]) -> list[Result]:
    """Call `work` on parts of the rows, one for each core; what each gave back."""
    parts = min(cores(), max(1, rows // _FEW_ROWS))
    # Parts begin at whole cache lines, whatever the width of a column.
    bounds = [rows * part // parts & ~63 for part in range(parts)] + [rows]
    helped = [
        _helpers().submit(work, start, stop) for start, stop in pairwise(bounds[1:])
    ]
    own = work(bounds[0], bounds[1])
    return [own, *(each.result() for each in helped)]
