"""Times of rows, as milliseconds since 1970; a time without a zone is UTC."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

import numpy as np

from croupier.batch.compiled import Integers
from croupier.journal.sources import SourceError
from croupier.rules.notation import shown

_END_OF_TIME = 253_402_300_800_000
"""Milliseconds from 1970 to the year 10000, the end of Python's calendar."""
_SECONDS = len("2026-11-15 20:30:00")


def read_moment(at_ms: object, time: object) -> int | None:
    """Return a row's time, or None if both cells are empty; raises `SourceError`."""
    given = time if at_ms is None or at_ms == "" else at_ms
    if given is None or given == "":
        return None
    try:
        found = _milliseconds(given) if given is time else int(str(given))
    except (ValueError, OverflowError) as error:
        raise SourceError(
            f"{shown(str(given))} is no time; write it as 2026-11-15 20:30:00"
        ) from error
    if not 0 <= found < _END_OF_TIME:
        raise SourceError(f"{found} is no time: it is before 1970 or too late")
    return found


def _milliseconds(time: object) -> int:
    moment = time if isinstance(time, datetime) else datetime.fromisoformat(str(time))
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)


def read_moments(
    at_ms: Sequence[Any] | None,
    times: Sequence[Any] | None,
    where: Callable[[int], str],
) -> Integers | None:
    """Return each row's time, or None without such columns; raises `SourceError`."""
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
            moment = read_moment(*cells)
        except SourceError as error:
            raise SourceError(f"{where(row)}: {error}") from error
        if moment is None:
            raise SourceError(f"{where(row)}: the time is missing")
        found[row] = moment
    return found


def _numpy_moments(times: Sequence[Any]) -> Integers | None:
    """Return times that are all written to the second, without a zone."""
    if set(map(type, times)) != {str} or set(map(len, times)) != {_SECONDS}:
        return None
    try:
        seconds = np.array(times, dtype="datetime64[s]").astype(np.int64)
    except ValueError:
        return None
    return seconds * 1000 if seconds.min() >= 0 else None
