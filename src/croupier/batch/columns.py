"""Columns: arrays of whole numbers, a row for each wager, and what they must be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

Column = np.ndarray[Any, np.dtype[Any]]
"""Whole numbers of any width."""
Integers = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Cents = Integers
Flags = np.ndarray[Any, np.dtype[np.bool_]]
Codes = np.ndarray[Any, np.dtype[np.uint8]]


class ColumnError(ValueError):
    """The columns cannot be settled; the message says which one and why."""


def check_columns(columns: Mapping[str, Column | None], rows: int) -> None:
    """Check that each column has whole numbers and so many rows; None is left out."""
    for name, column in columns.items():
        if column is None:
            continue
        if column.ndim != 1 or column.dtype.kind not in "biu":
            raise ColumnError(f"the column {name} must hold whole numbers")
        if len(column) != rows:
            raise ColumnError(
                f"the column {name} has {len(column)} rows where another has {rows}"
            )


def pooled_column(rows: int, kind: Any) -> np.ndarray[Any, Any]:
    """Return an empty column of Arrow's pool, which keeps what is freed.

    It begins at a cache line. New pages of the operating system would cost more than
    what is written to them.
    """
    size = np.dtype(kind).itemsize * rows
    return np.frombuffer(pa.allocate_buffer(size), kind, rows)
