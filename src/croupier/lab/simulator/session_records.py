"""Records of single sessions: a column for each figure."""

from __future__ import annotations

from collections.abc import Callable, MutableSequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from croupier.lab.sessions import SessionError
from croupier.lab.simulator.plain import course
from croupier.lab.simulator.plan import SimulationPlan
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
"""In the order of the rows in which a loop writes them."""
_PEAK, LOW, _DEEPEST, LONGEST, RUN = range(5)
"""Places of the marks, which are the last columns, but for the run.

The run counts the rounds while the bankroll is below its highest.
"""
MARKS = 5


def mark_bankroll(marks: Marks, bankroll: int) -> None:
    """Note a bankroll: the highest, the lowest, the deepest and the longest fall."""
    if bankroll >= marks[_PEAK]:
        marks[_PEAK] = bankroll
        marks[RUN] = 0
        return
    marks[RUN] += 1
    marks[LOW] = min(marks[LOW], bankroll)
    marks[_DEEPEST] = max(marks[_DEEPEST], marks[_PEAK] - bankroll)
    marks[LONGEST] = max(marks[LONGEST], marks[RUN])


def begin_marks(marks: Marks, bankroll: int) -> None:
    """Note the bankroll before the first round."""
    marks[_PEAK] = marks[LOW] = bankroll
    marks[_DEEPEST] = marks[LONGEST] = marks[RUN] = 0


_MOST_RECORDED = 1_000_000
_MOST_ROUNDS = 1_000_000_000
"""Of all recorded sessions together: some ten seconds."""


def record_plan(plan: SimulationPlan) -> SessionRecords:
    """Play the first sessions of a plan once more, and record each of them.

    All engines play the same sessions, so that it does not matter who has played.
    """
    count = min(plan.sessions, _MOST_RECORDED, max(1, _MOST_ROUNDS // plan.rounds))
    columns: Integers = np.zeros((len(COLUMNS), count), np.int64)
    _recorder(plan)(0, columns)
    columns[COLUMNS.index("staked_cents")] *= plan.unit
    for name in COLUMNS:
        if name.endswith("_cents"):
            columns[COLUMNS.index(name)] *= plan.grain_cents
    return SessionRecords(0, columns)


def _recorder(plan: SimulationPlan) -> Callable[[int, Integers], None]:
    try:
        from croupier.lab.simulator.cpu.round_loop import course_recorder
    except ImportError:
        return partial(record_plainly, plan)
    return course_recorder(plan)


def record_plainly(plan: SimulationPlan, first: int, into: Integers) -> None:
    """Record sessions in grains and units, in plain Python."""
    for place in range(into.shape[1]):
        marks = [0] * MARKS
        for step in course(plan, first + place):
            if step.rounds == 0:
                begin_marks(marks, step.bankroll)
            else:
                mark_bankroll(marks, step.bankroll)
        played = [step.end, step.rounds, step.staked, step.bankroll]
        into[:, place] = [*played, *marks[: MARKS - 1]]


@dataclass(frozen=True, eq=False, repr=False)
class SessionRecords:
    """A row for each session: how it ended, and the course of its bankroll.

    The peak and the low include the bankroll at the start. The drawdown is the deepest
    fall below the highest bankroll so far, and how many rounds in a row it was below.
    """

    first: int
    """The number of the first session."""
    columns: Integers
    """By name of `COLUMNS`, then by session."""

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
        try:
            import pyarrow as pa  # type: ignore[import-untyped]
        except ImportError as error:
            raise SessionError(
                "a frame needs pyarrow: pip install 'croupier[parquet]'"
            ) from error
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

    def polars(self) -> pl.DataFrame:
        """Return the records as a Polars frame."""
        try:
            import polars
        except ImportError as error:
            raise SessionError(
                "a Polars frame needs polars: pip install 'croupier[batch]'"
            ) from error
        found = polars.from_arrow(self.arrow())
        assert isinstance(found, polars.DataFrame)
        return found

    def quantile(self, name: str, level: Fraction, confidence: float) -> RankedValue:
        """Return a quantile of a column, with its interval by ranks."""
        ranked, count = np.sort(self.column(name)), len(self)
        low, high = quantile_ranks(count, float(level), confidence)
        wanted = -(-level.numerator * count // level.denominator)
        return RankedValue(
            int(ranked[max(wanted, 1) - 1]),
            int(ranked[low - 1]) if low else None,
            int(ranked[high - 1]) if high <= count else None,
        )


@dataclass(frozen=True, slots=True)
class RankedValue:
    """A quantile over sessions, and where it may lie; None: further than was seen."""

    value: int
    low: int | None
    high: int | None
