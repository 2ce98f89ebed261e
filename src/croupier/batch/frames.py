"""`settle_frame` and `settle_file`: tables in memory and files settled."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import pyarrow as pa  # type: ignore[import-untyped]

from croupier.batch.compiled import compile_game
from croupier.batch.table_files import TableSource, new_tables, open_table
from croupier.batch.table_format import TableError, check_format, errors_named_by
from croupier.batch.table_settlement import SettledPart, TableSettlement, Totals
from croupier.extras import needing
from croupier.games import as_game
from croupier.rules.cents import write_cents
from croupier.rules.game import Game, Settings
from croupier.rules.terms import Limits, read_limits, read_settings
from croupier.tabular import TextTable

Frame = TypeVar("Frame")

_ROWS_AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True, eq=False)
class SettledFrame(Generic[Frame]):
    """The result of `settle_frame`: two tables of the same kind as its frame."""

    settled: Frame
    """The settled rows, with cents paid, collected, returned and at risk."""
    rejects: Frame
    """The other rows, each with its number, from 1, and the reason."""
    totals: Totals

    def __repr__(self) -> str:
        totals = self.totals
        rows = f"{totals.settled:,} rows settled, {totals.rejected:,} rejected"
        return f"<SettledFrame: {rows}, paid_cents {totals.paid_cents:,}>"


def settle_frame(
    game: str | Game,
    frame: Frame,
    *,
    limits: Iterable[str] = (),
    settings: Iterable[str] = (),
) -> SettledFrame[Frame]:
    """Settle a frame of Polars or pandas, or an Arrow Table or RecordBatch.

    Any other frame with the Arrow interface gives an Arrow Table.
    `limits` and `settings` are written as in a transcript: `"* 5 1000"`. Raises
    `TableError` if it is no table of wagers, and `NotationError` for bad terms.
    """
    found = as_game(game)
    compiled = compile_game(found)
    table = as_arrow(frame)
    check_format(compiled, table.schema)
    settlement = TableSettlement(
        compiled, read_limits(limits, found), read_settings(found, settings)
    )
    settled = [settlement.empty(table.schema)]
    rejected = [settlement.empty_rejects(table.schema)]
    for batch in table.to_batches(_ROWS_AT_ONCE):
        _gather(settlement.take(batch), settled, rejected)
    _gather(settlement.finish(), settled, rejected)
    return SettledFrame(
        _back(frame, pa.Table.from_batches(settled)),
        _back(frame, pa.Table.from_batches(rejected)),
        settlement.totals,
    )


def wager_source(source: Path | Any) -> TableSource:
    """Return the table in a file, or that of a frame; raises `TableError`."""
    if isinstance(source, Path):
        return open_table(source)
    table = as_arrow(source)
    batches = (batch for batch in table.to_batches(_ROWS_AT_ONCE))
    return TableSource(table.schema, batches, lambda: (table.num_rows,) * 2)


def _gather(
    parts: Iterable[SettledPart], settled: list[Any], rejected: list[Any]
) -> None:
    for part in parts:
        settled.append(part.settled)
        if part.rejected is not None:
            rejected.append(part.rejected)


def as_arrow(frame: Any) -> Any:
    if isinstance(frame, pa.Table):
        return frame
    if isinstance(frame, pa.RecordBatch):
        return pa.Table.from_batches([frame])
    with needing("batch"):
        import polars as pl

    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, pl.DataFrame):
        return frame.to_arrow()
    if hasattr(frame, "__arrow_c_stream__"):
        return pa.table(frame)
    raise TableError(
        "give a frame of Polars or pandas, an Arrow Table, or what has its interface"
    )


def _back(given: Frame, table: Any) -> Frame:
    """Return the table as the kind that was given."""
    found: Any = table
    if isinstance(given, pa.RecordBatch):
        found = table.unify_dictionaries().combine_chunks()
        [found] = found.to_batches() or [pa.RecordBatch.from_pylist([], table.schema)]
    elif not isinstance(given, pa.Table):
        import polars as pl

        if isinstance(given, pl.DataFrame | pl.LazyFrame):
            found = pl.from_arrow(table)
            found = found.lazy() if isinstance(given, pl.LazyFrame) else found
        elif type(given).__module__.partition(".")[0] == "pandas":
            found = table.to_pandas()
    return cast("Frame", found)


Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Summary:
    """Counts and sums of a settled file."""

    totals: Totals
    rejects: Path | None
    """The file of the rejected rows; None: there are none."""

    def table(self) -> TextTable:
        """Return counts and sums as a table for people."""
        totals = self.totals
        rows = [
            ("rows", f"{totals.rows:,}"),
            ("settled", f"{totals.settled:,}"),
            ("rejected", f"{totals.rejected:,}"),
            ("rounds", f"{totals.rounds:,}"),
            ("stake", write_cents(totals.stake_cents)),
            ("paid", write_cents(totals.paid_cents)),
            ("collected", write_cents(totals.collected_cents)),
            ("returned", write_cents(totals.returned_cents)),
        ]
        return TextTable("", ("what", ">how much"), rows)


def settle_file(
    game: str | Game,
    source: str | Path,
    target: str | Path,
    *,
    limits: Limits | Iterable[str] = (),
    settings: Settings | Iterable[str] = (),
    rejects: str | Path | None = None,
    force: bool = False,
    progress: Progress | None = None,
) -> Summary:
    """Settle the wagers of a file; a `TableError` leaves no new file.

    `limits` and `settings` are written as in a transcript: `"* 5 1000"`.
    Only `force` overwrites files. Without `rejects`, rejected rows go beside the
    target: `wagers.rejects.csv`.
    """
    source, target = Path(source), Path(target)
    rejected = Path(rejects or target.with_suffix(".rejects.csv"))
    if len({path.resolve() for path in (source, target, rejected)}) < 3:
        raise TableError(
            f"{source}, {target} and {rejected} must be three different files"
        )
    found = as_game(game)
    compiled = compile_game(found)
    settlement = TableSettlement(
        compiled, read_limits(limits, found), read_settings(found, settings)
    )
    with new_tables(target, rejected, force=force) as (settled_rows, rejected_rows):
        table = open_table(source)
        with errors_named_by(source):
            check_format(compiled, table.schema)
        settled_rows.write(settlement.empty(table.schema))
        for part in settled_parts(settlement, table, str(source), progress):
            settled_rows.write(part.settled)
            if part.rejected is not None:
                rejected_rows.write(part.rejected)
    return Summary(settlement.totals, rejected if settlement.totals.rejected else None)


def settled_parts(
    settlement: TableSettlement,
    table: TableSource,
    name: str,
    progress: Progress | None = None,
) -> Iterator[SettledPart]:
    """Yield the settled parts of a table; a `TableError` names the table."""
    with closing(table.batches) as batches:
        for batch in batches:
            with errors_named_by(name):
                parts = list(settlement.take(batch))
            yield from parts
            if progress is not None:
                progress(*table.progress())
    yield from settlement.finish()
