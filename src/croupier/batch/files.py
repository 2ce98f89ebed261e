"""`settle_file`: a file of wagers in, a file of settled wagers out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from croupier.batch.compiled import compile_game
from croupier.batch.table_files import TableSource, new_tables, open_table
from croupier.batch.table_format import TableError, check_format, errors_named_by
from croupier.batch.table_settlement import SettledPart, TableSettlement, Totals
from croupier.rules.game import Game, Settings
from croupier.rules.limits import Limits

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Summary:
    """What became of a file's rows."""

    totals: Totals
    rejects: Path | None
    """Where the rejected rows are; None: there are none."""


def rejects_path(target: Path) -> Path:
    """Return where rejected rows go unless said otherwise: `wagers.rejects.csv`."""
    return target.with_suffix(".rejects.csv")


def settle_file(
    game: Game,
    source: Path,
    target: Path,
    *,
    limits: Limits | None = None,
    settings: Settings | None = None,
    rejects: Path | None = None,
    progress: Progress | None = None,
) -> Summary:
    """Settle the wagers of a file; raise `TableError`, and then leaves nothing."""
    rejected = rejects or rejects_path(target)
    _check_apart(source, target, rejected)
    compiled = compile_game(game)
    settlement = TableSettlement(compiled, limits or Limits(), settings or Settings())
    with new_tables(target, rejected) as (settled_rows, rejected_rows):
        table = open_table(source)
        with errors_named_by(source):
            check_format(compiled, table.schema)
        settled_rows.write(settlement.empty(table.schema))
        for part in _settled(settlement, source, table, progress):
            settled_rows.write(part.settled)
            if part.rejected is not None:
                rejected_rows.write(part.rejected)
    return Summary(settlement.totals, rejected if settlement.totals.rejected else None)


def _settled(
    settlement: TableSettlement,
    path: Path,
    table: TableSource,
    progress: Progress | None,
) -> Iterator[SettledPart]:
    """Yield the parts of the table, settled one after the other."""
    with closing(table.batches) as batches:
        for batch in batches:
            with errors_named_by(path):
                parts = list(settlement.take(batch))
            yield from parts
            if progress is not None:
                progress(*table.progress())
    yield from settlement.finish()


def _check_apart(source: Path, target: Path, rejected: Path) -> None:
    places = [path.resolve() for path in (source, target, rejected)]
    if len(set(places)) < len(places):
        raise TableError(
            f"{source}, {target} and {rejected} must be three different files"
        )
