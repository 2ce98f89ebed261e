"""Records of sessions as rows of text and as JSON: quantiles with their intervals."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from croupier.lab.sessions.result import LEVELS
from croupier.lab.simulator.session_records import RankedValue, SessionRecords
from croupier.rules.cents import write_cents
from croupier.tabular import as_document

_TOLD = {
    "peak_cents": "highest bankroll",
    "low_cents": "lowest bankroll",
    "drawdown_cents": "deepest drawdown",
    "drawdown_rounds": "longest drawdown, rounds",
}
_SHOWN = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))
"""In the text; JSON has all of `LEVELS`."""


def record_rows(records: SessionRecords, level: float) -> Iterator[tuple[str, ...]]:
    """Yield quantiles of the peak, the low and the drawdown, line by line."""
    for column, name in _TOLD.items():
        for share in _SHOWN:
            found = records.quantile(column, share, level)
            yield quantile_row(f"{name}, {float(share):.0%} quantile", column, found)


def quantile_row(name: str, column: str, found: RankedValue) -> tuple[str, ...]:
    """Return a quantile and its interval; an end that was not seen is left open."""
    write: Callable[[int], str] = (
        write_cents if column.endswith("_cents") else "{:,}".format
    )
    ends = ("" if end is None else write(end) for end in (found.low, found.high))
    return name, write(found.value), *ends


def records_json(records: SessionRecords, level: float) -> dict[str, Any]:
    """Return all quantiles, and of how many sessions they are."""
    return {
        "sessions": len(records),
        **{column: quantiles_json(records, column, level) for column in _TOLD},
    }


def quantiles_json(
    records: SessionRecords, column: str, level: float
) -> list[dict[str, Any]]:
    """Return the quantiles of a column; an end that was not seen is null."""
    found = ((share, records.quantile(column, share, level)) for share in LEVELS)
    return [{"level": float(share), **as_document(each)} for share, each in found]
