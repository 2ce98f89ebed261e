"""The same settlement as others would do it: numpy take, a Polars join, a DuckDB join.

Each has the columns in the form it likes best before the clock starts, and gives back
three columns of 64 bits: paid, collected, returned.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any

import duckdb
import numpy as np
import polars as pl
import pyarrow as pa

Columns = tuple[Any, Any, Any]
Work = Callable[[], Columns]


def numpy_take(pays: Any, area: Any, outcome: Any, stake: Any) -> Work:
    """One thread, as numpy has it; `pays` is -1 if an area loses."""
    flat, areas = pays.ravel(), pays.shape[1]

    def settle() -> Columns:
        cell = outcome.astype(np.int32) * areas + area
        now = flat.take(cell)
        wins = now >= 0
        stakes = stake.astype(np.int64)
        paid = np.where(wins, stakes * now, 0)
        collected = np.where(wins, 0, stakes)
        return paid, collected, stakes - collected

    return settle


def pay_frame(pays: Any) -> pl.DataFrame:
    outcomes, areas = pays.shape
    return pl.DataFrame(
        {
            "outcome": np.repeat(np.arange(outcomes, dtype=np.int16), areas),
            "area": np.tile(np.arange(areas, dtype=np.int16), outcomes),
            "pays": pays.ravel().astype(np.int64),
        }
    )


def polars_join(pays: Any, area: Any, outcome: Any, stake: Any) -> Work:
    """All cores, as Polars has it."""
    wagers = pl.DataFrame({"area": area, "outcome": outcome, "stake": stake})
    table = pay_frame(pays)
    stakes = pl.col("stake").cast(pl.Int64)
    lost = pl.when(pl.col("pays") < 0).then(stakes).otherwise(0)
    query = (
        wagers.lazy()
        .join(table.lazy(), on=["outcome", "area"], maintain_order="left")
        .select(
            paid=stakes * pl.max_horizontal("pays", 0),
            collected=lost,
            returned=stakes - lost,
        )
    )

    def settle() -> Columns:
        done = query.collect()
        return done["paid"], done["collected"], done["returned"]

    return settle


def duckdb_join(pays: Any, area: Any, outcome: Any, stake: Any) -> Work:
    """All cores, as DuckDB has it; the rows may come in any order."""
    connection = duckdb.connect()
    connection.execute("set preserve_insertion_order = false")
    connection.register(
        "wagers", pa.table({"area": area, "outcome": outcome, "stake": stake})
    )
    connection.register("pay_table", pay_frame(pays).to_arrow())

    def settle() -> Columns:
        done = connection.sql(
            """
            select
                stake::bigint * greatest(pays, 0) as paid,
                case when pays < 0 then stake else 0 end::bigint as collected,
                case when pays < 0 then 0 else stake end::bigint as returned
            from wagers join pay_table using (outcome, area)
            """
        ).to_arrow_table()
        return done["paid"], done["collected"], done["returned"]

    return settle


def memory_copy(moved: int, threads: int) -> Callable[[], None]:
    """Return a copy that reads and writes `moved` bytes, half and half."""
    size = moved // 2
    source, target = np.ones(size, np.uint8), np.zeros(size, np.uint8)
    bounds = [size * part // threads for part in range(threads + 1)]
    parts = [slice(a, b) for a, b in pairwise(bounds)]
    pool = ThreadPoolExecutor(threads)

    def copy() -> None:
        list(pool.map(lambda part: np.copyto(target[part], source[part]), parts))

    return copy
