"""Times in columns are the times that are read one by one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from croupier.audit.report.days import read_moment
from croupier.audit.wheel.moments import read_moments
from croupier.audit.wheel.outcome_columns import OutcomeColumns
from croupier.audit.wheel.record import WheelError


def _columns(times: list[str]) -> OutcomeColumns:
    return OutcomeColumns(Path("w.csv"), range(2, len(times) + 2), {"time": times})


def test_times_written_alike_are_those_read_one_by_one() -> None:
    rng = np.random.default_rng(3)
    seconds = rng.integers(0, 253_402_300_799, 400)
    times = [
        str(np.datetime64(int(second), "s")).replace("T", " T"[row % 2])
        for row, second in enumerate(seconds)
    ]

    found = read_moments(_columns(times))

    assert found is not None
    assert found.tolist() == [int(second) * 1000 for second in seconds]
    assert found.tolist() == [read_moment(None, time) for time in times]


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
def test_a_time_that_is_none_is_told_with_its_line(time: str) -> None:
    times = ["2026-01-01 10:00:00", time]

    with pytest.raises(WheelError, match=r"^w\.csv:3: "):
        read_moments(_columns(times))


def test_times_written_in_several_ways_are_read_one_by_one() -> None:
    times = ["2026-01-01 10:00:00", "2026-01-01 12:00:00+02:00", "2026-01-01T10:00"]

    found = read_moments(_columns(times))

    assert found is not None
    assert len(set(found.tolist())) == 1


def test_a_row_without_a_time_leaves_all_as_they_stand() -> None:
    assert read_moments(_columns(["2026-01-01 10:00:00", ""])) is None
