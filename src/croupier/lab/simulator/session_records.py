"""Records of single sessions: a column for each figure."""

from __future__ import annotations

from collections.abc import MutableSequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from croupier.extras import needing
from croupier.lab.sessions import SessionError
from croupier.lab.simulator.stakes import SessionEnd
from croupier.numeric.probability import quantile_ranks

if TYPE_CHECKING:
    import polars as pl

Integers = np.ndarray[Any, np.dtype[np.int64]]

Marks = MutableSequence[int] | Integers

COLUMNS = (
    "end",
    "rounds",
    "staked_cents",
    "bankroll_cents",
    "peak_cents",
    "low_cents",
    "drawdown_cents",
    "drawdown_rounds",
)
"""The order in which the loops write them."""
_PEAK, LOW, _DEEPEST, LONGEST, RUN = range(5)
"""Places of the marks; all but the run become the last columns.

The run counts the rounds since the bankroll was last at its highest.
"""
MARKS = 5


def mark_bankroll(marks: Marks, bankroll: int) -> None:
    """Update the peak, the low, and the deepest and the longest fall."""
    if bankroll >= marks[_PEAK]:
        marks[_PEAK] = bankroll
        marks[RUN] = 0
        return
    marks[RUN] += 1
    marks[LOW] = min(marks[LOW], bankroll)
    marks[_DEEPEST] = max(marks[_DEEPEST], marks[_PEAK] - bankroll)
    marks[LONGEST] = max(marks[LONGEST], marks[RUN])


def begin_marks(marks: Marks, bankroll: int) -> None:
    marks[_PEAK] = marks[LOW] = bankroll
    marks[_DEEPEST] = marks[LONGEST] = marks[RUN] = 0


@dataclass(frozen=True, eq=False, repr=False)
class SessionRecords:
    """A row for each session: its end, and the extremes of its bankroll.

    The peak and the low include the bankroll at the start. The drawdown is the deepest
    fall below the highest bankroll so far; its rounds are the longest run below it.
    """

    first: int
    """The number of the first session."""
    columns: Integers
    """A row for each name of `COLUMNS`, a column for each session."""

    def __len__(self) -> int:
        return int(self.columns.shape[1])

    def __repr__(self) -> str:
        return f"<SessionRecords of {len(self):,} sessions>"

    def column(self, name: str) -> Integers:
        """Return a column by its name; raise `SessionError` if there is none."""
        if name not in COLUMNS:
            raise SessionError(
                f"there is no column {name!r}; there are {', '.join(COLUMNS)}"
            )
        found: Integers = self.columns[COLUMNS.index(name)]
        return found

    def arrow(self) -> Any:
        """Return the records as a `pyarrow.Table`."""
        with needing("parquet", "pyarrow"):
            import pyarrow as pa  # type: ignore[import-untyped]
        names = pa.array([end.name.lower() for end in SessionEnd])
        ends = pa.array(self.column("end").astype(np.int8))
        sessions = np.arange(self.first, self.first + len(self))
        columns = {name: self.column(name) for name in COLUMNS[1:]}
        return pa.table(
            {
                "session": sessions,
                "end": pa.DictionaryArray.from_arrays(ends, names),
                **columns,
            }
        )

    def to_frame(self) -> pl.DataFrame:
        """Return the records as a Polars frame."""
        with needing("batch", "polars"):
            import polars
        found = polars.from_arrow(self.arrow())
        assert isinstance(found, polars.DataFrame)
        return found

    def quantile(self, name: str, level: Fraction, confidence: float) -> RankedValue:
        ranked, sessions = np.unique(self.column(name), return_counts=True)
        return ranked_value(ranked, np.cumsum(sessions), level, confidence)


class RankedValue(NamedTuple):
    """A quantile over sessions and its interval; None: the end is beyond the data."""

    value: int
    low: int | None
    high: int | None


def ranked_value(
    values: Integers, cumulated: Integers, level: Fraction, confidence: float
) -> RankedValue:
    """Return a quantile of rising values, given the number of sessions up to each."""
    count = int(cumulated[-1])
    low, high = quantile_ranks(count, float(level), confidence)
    wanted = max(1, -(-level.numerator * count // level.denominator))

    def ranked(rank: int) -> int | None:
        if not 1 <= rank <= count:
            return None
        return int(values[np.searchsorted(cumulated, rank, side="left")])

    found = ranked(wanted)
    assert found is not None
    return RankedValue(found, ranked(low), ranked(high))
