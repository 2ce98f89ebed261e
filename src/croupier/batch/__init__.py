"""A game compiled to arrays: the settlement of millions of wagers.

    >>> import polars as pl
    >>> from croupier.batch import settle_frame
    >>> wagers = pl.DataFrame(
    ...     {"round": [1, 1], "area": ["17", "red"], "stake": ["10", "50"],
    ...      "outcome": ["17", "17"]}
    ... )
    >>> settle_frame("mbs-roulette-v3", wagers).settled["paid_cents"].to_list()
    [35000, 0]

Names are loaded when they are first used, because numba and pyarrow load slowly.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.lazy_names import lazy_names

if TYPE_CHECKING:
    from croupier.batch.column_settlement import Settled, settle_columns
    from croupier.batch.compiled import ColumnError, CompiledGame, compile_game
    from croupier.batch.decoder import outcome_rows
    from croupier.batch.frames import SettledFrame, Summary, settle_file, settle_frame
    from croupier.batch.risk import Risk, risk_columns
    from croupier.batch.table_format import TableError
    from croupier.batch.table_settlement import Totals

__all__ = [
    "ColumnError",
    "CompiledGame",
    "Risk",
    "Settled",
    "SettledFrame",
    "Summary",
    "TableError",
    "Totals",
    "compile_game",
    "outcome_rows",
    "risk_columns",
    "settle_columns",
    "settle_file",
    "settle_frame",
]

__getattr__ = lazy_names(
    __name__,
    {
        "column_settlement": "Settled settle_columns",
        "compiled": "ColumnError CompiledGame compile_game",
        "decoder": "outcome_rows",
        "frames": "SettledFrame Summary settle_file settle_frame",
        "risk": "Risk risk_columns",
        "table_format": "TableError",
        "table_settlement": "Totals",
    },
)


def __dir__() -> list[str]:
    return list(__all__)
