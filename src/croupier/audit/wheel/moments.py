"""The times of many rows at once, as milliseconds since 1970.

Times written alike, `2026-11-15 20:30:00`, are read digit by digit in columns. Every
other way to write them is read row by row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from croupier.audit.journal.sources import SourceError
from croupier.audit.report.days import read_moment
from croupier.audit.wheel.outcome_columns import OutcomeColumns
from croupier.audit.wheel.record import WheelError
from croupier.batch.compiled import Integers

_LAYOUT = "dddd-dd-dd dd:dd:dd"
_DIGITS = [place for place, sign in enumerate(_LAYOUT) if sign == "d"]


def read_moments(columns: OutcomeColumns) -> Integers | None:
    """Return each row's time; None where a row has none. Raises `WheelError`."""
    at_ms, times = columns.column("at_ms"), columns.column("time")
    if at_ms is None and times is None:
        return None
    if at_ms is None and times is not None:
        alike = _alike(times)
        if alike is not None:
            return alike
    nothing = [None] * len(columns)
    told = zip(at_ms or nothing, times or nothing, strict=True)
    found = []
    for row, (ms, time) in enumerate(told):
        try:
            found.append(read_moment(ms, time))
        except SourceError as error:
            raise WheelError(f"{columns.where(row)}: {error}") from error
    if any(moment is None for moment in found):
        return None
    return np.array(found, dtype=np.int64)


def _alike(times: Sequence[Any]) -> Integers | None:
    """Return times that are all written alike; None where one is not, or is none."""
    if not times or set(map(type, times)) != {str} or set(map(len, times)) != {19}:
        return None
    text = "".join(times)
    if not text.isascii():
        return None
    signs = np.frombuffer(text.encode(), np.uint8).reshape(-1, len(_LAYOUT))
    digits = signs[:, _DIGITS].astype(np.int64) - ord("0")
    rest = {place: sign for place, sign in enumerate(_LAYOUT) if sign != "d"}
    of_layout = [
        (signs[:, place] == ord(sign)) | ((sign == " ") & (signs[:, place] == ord("T")))
        for place, sign in rest.items()
    ]
    if not (np.all(of_layout) and ((digits >= 0) & (digits <= 9)).all()):
        return None
    tens, ones = digits[:, 0::2], digits[:, 1::2]
    century, year, month, day, hour, minute, second = (tens * 10 + ones).T
    if hour.max() > 23 or minute.max() > 59 or second.max() > 59:
        return None
    dates, of_rows = np.unique(
        ((century * 100 + year) * 100 + month) * 100 + day, return_inverse=True
    )
    try:
        days = np.array([_midnight(int(date)) for date in dates], dtype=np.int64)
    except SourceError:
        return None
    return np.asarray(
        days[of_rows] + ((hour * 60 + minute) * 60 + second) * 1000, dtype=np.int64
    )


def _midnight(date: int) -> int:
    year, month, day = date // 10_000, date // 100 % 100, date % 100
    moment = read_moment(None, f"{year:04}-{month:02}-{day:02}")
    assert moment is not None
    return moment
