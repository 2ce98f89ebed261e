"""Times of rows, as milliseconds since 1970; a time without a zone is UTC.

Times of one form, to the second, are read by numpy at once; others one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from croupier.batch.compiled import Integers
from croupier.batch.table_format import TableError
from croupier.rules.notation import shown

_END_OF_TIME = 253_402_300_800_000
"""Milliseconds from 1970 to the year 10000, the end of Python's calendar."""
_SECONDS = len("2026-11-15 20:30:00")
NO_TIME = -1


def read_moments(
    at_ms: Sequence[Any] | None,
    times: Sequence[Any] | None,
    where: Callable[[int], str],
) -> Integers | None:
    """Return each row's time, or `NO_TIME` if its cells are empty.

    Return None without such columns; raise `TableError` for a cell that is no time.
    """
    if at_ms is None and times is None:
        return None
    if at_ms is None and times is not None:
        read_at_once = _numpy_moments(times)
        if read_at_once is not None:
            return read_at_once
    rows = len(at_ms or times or ())
    nothing = [None] * rows
    found: Integers = np.zeros(rows, np.int64)
    for row, cells in enumerate(zip(at_ms or nothing, times or nothing, strict=True)):
        try:
            found[row] = _read_moment(*cells)
        except TableError as error:
            raise TableError(f"{where(row)}: {error}") from error
    return found


def _numpy_moments(times: Sequence[Any]) -> Integers | None:
    """Return times that are all written to the second, as UTC or without a zone."""
    if set(map(type, times)) != {str}:
        return None
    texts = [time.removesuffix("Z") for time in times]
    if set(map(len, texts)) != {_SECONDS}:
        return None
    try:
        seconds = np.array(texts, dtype="datetime64[s]").astype(np.int64)
    except ValueError:
        return None
    return seconds * 1000 if seconds.min() >= 0 else None


def _read_moment(at_ms: object, time: object) -> int:
    given = time if at_ms is None or at_ms == "" else at_ms
    if given is None or given == "":
        return NO_TIME
    try:
        found = _milliseconds(given) if given is time else int(str(given))
    except (ValueError, OverflowError) as error:
        raise TableError(
            f"{shown(str(given))} is no time; write it as 2026-11-15 20:30:00"
        ) from error
    if not 0 <= found < _END_OF_TIME:
        raise TableError(f"{found} is no time: it is before 1970 or too late")
    return found


def _milliseconds(time: object) -> int:
    moment = time if isinstance(time, datetime) else datetime.fromisoformat(str(time))
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)
