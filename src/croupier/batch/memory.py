"""Memory for columns that come and go."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]


def pooled_column(rows: int, kind: Any) -> np.ndarray[Any, Any]:
    """An empty column of Arrow's pool, which keeps what is freed for the next one.

    It begins at a cache line. New pages of the operating system would cost more than
    what is written to them.
    """
    size = np.dtype(kind).itemsize * rows
    return np.frombuffer(pa.allocate_buffer(size), kind, rows)
