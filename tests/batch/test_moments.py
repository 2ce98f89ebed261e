"""Times in columns are the times that are read one by one."""

from __future__ import annotations

import numpy as np
import pytest

from croupier.batch.compiled import Integers
from croupier.batch.moments import NO_TIME, read_moments
from croupier.batch.table_format import TableError


def _read(times: list[str]) -> Integers | None:
    return read_moments(None, times, lambda row: f"w.csv:{row + 2}")


@pytest.mark.parametrize("zone", ["", "Z"])
def test_times_written_alike_are_those_read_one_by_one(zone: str) -> None:
    rng = np.random.default_rng(3)
    seconds = rng.integers(0, 253_402_300_799, 400)
    times = [
        str(np.datetime64(int(second), "s")).replace("T", " T"[row % 2]) + zone
        for row, second in enumerate(seconds)
    ]

    found = _read(times)

    assert found is not None
    assert found.tolist() == [int(second) * 1000 for second in seconds]
    one_by_one = _read([*times, "2026-01-01T10:00"])
    assert one_by_one is not None
    assert found.tolist() == one_by_one[:-1].tolist()


@pytest.mark.parametrize(
    "time",
    [
        "2026-02-30 10:00:00",
        "2026-13-01 10:00:00",
        "2026-01-01 24:00:01",
        "2026-01-01 10:60:00",
        "2026-01-01 10:00:60",
        "2026/01/01 10:00:00",
        "2026-01-0٣ 10:00:00",
        "1969-12-31 23:59:59",
    ],
)
def test_a_malformed_time_is_refused_with_its_line(time: str) -> None:
    times = ["2026-01-01 10:00:00", time]

    with pytest.raises(TableError, match=r"^w\.csv:3: "):
        _read(times)


def test_times_written_in_several_ways_are_read_one_by_one() -> None:
    times = ["2026-01-01 10:00:00", "2026-01-01 12:00:00+02:00", "2026-01-01T10:00"]

    found = _read(times)

    assert found is not None
    assert len(set(found.tolist())) == 1


def test_a_row_without_a_time_has_none() -> None:
    found = _read(["2026-01-01 10:00:00", ""])

    assert found is not None
    assert found.tolist() == [1_767_261_600_000, NO_TIME]
