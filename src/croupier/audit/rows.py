"""A file or frame of settled wagers, each row settled again by the rules.

The caller gives the table's limits and settings. Without limits the whole stake is at
risk: the file's own figure proves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa  # type: ignore[import-untyped]

from croupier.audit.journal.problems import difference_text
from croupier.batch.compiled import CompiledGame, Integers
from croupier.batch.frames import settled_parts, wager_source
from croupier.batch.table_format import (
    ADDED,
    AREA,
    ROUND,
    SETTLED,
    TABLE,
    TableError,
    check_format,
    check_named_once,
    errors_named_by,
)
from croupier.batch.table_settlement import SettledPart, TableSettlement
from croupier.batch.text_columns import whole_numbers
from croupier.rules.game import Settings
from croupier.rules.terms import Limits


class WagerFile:
    """Reads a file of wagers and settles it again, part by part."""

    def __init__(
        self,
        source: Path | Any,
        compiled: CompiledGame,
        limits: Limits,
        settings: Settings,
        *,
        needed: Iterable[str] = (),
        by_area: bool = False,
    ) -> None:
        """Open the file, or a frame, and check its columns; raises `TableError`."""
        self.name = str(source) if isinstance(source, Path) else "the table"
        self.settlement = TableSettlement(compiled, limits, settings, by_area=by_area)
        self._table = wager_source(source)
        self.names: list[str] = self._table.schema.names
        self.figures = tuple(name for name in ADDED if name in self.names)
        """The figures that the file has."""
        wagers = [field for field in self._table.schema if field.name not in ADDED]
        with errors_named_by(self.name):
            check_named_once(self.names)
            for name in needed:
                if name not in self.figures:
                    raise TableError(
                        f"there is no column {name}: it is no file of settled wagers,"
                        " such as croupier settle-file writes"
                    )
            if not self.figures:
                raise TableError(
                    f"there is nothing to audit: it has none of {', '.join(ADDED)}"
                )
            check_format(compiled, pa.schema(wagers))

    def parts(
        self, progress: Callable[[int, int], None] | None = None
    ) -> Iterator[CheckedPart]:
        """Yield the parts of the file in order; raises `TableError`."""
        parts = settled_parts(self.settlement, self._table, self.name, progress)
        return (CheckedPart(part, self.figures) for part in parts)


@dataclass(frozen=True, slots=True)
class RowDifference:
    """A row that differs from the rules; figures are by the names of `ADDED`."""

    row: int
    """Its number in the file, from 1."""
    table: str
    round: str
    area: str
    stake_cents: int
    """Collected and returned together."""
    expected: Mapping[str, int] | None
    """None: the rules refuse the wager, and `reason` says why."""
    found: Mapping[str, int | None]
    """None if the file lacks the column; below 0 if a cell is no amount."""
    reason: str = ""

    def __str__(self) -> str:
        """`paid 9999.99, not 5.00; …`, or why the wager is refused."""
        if self.expected is None:
            return self.reason
        return difference_text(self.expected, self.found)


@dataclass(frozen=True)
class CheckedPart:
    """Some rows of whole rounds, with their settlement by the rules."""

    settled: SettledPart
    names: tuple[str, ...]

    @property
    def first_row(self) -> int:
        return self.settled.part.first_row

    @cached_property
    def found(self) -> Mapping[str, Integers]:
        """The file's figures by name and row; below 0 if a cell is no amount."""
        batch = self.settled.part.batch
        return {name: whole_numbers(batch.column(name)) for name in self.names}

    def text(self, name: str, row: int) -> str:
        """Return a cell as text; the empty text if there is none."""
        batch = self.settled.part.batch
        value = batch.column(name)[row].as_py() if name in batch.schema.names else None
        return "" if value is None else str(value)

    @cached_property
    def _rows(self) -> Integers:
        return np.flatnonzero(self.settled.rejects.accepted)

    @property
    def differing(self) -> list[int]:
        """The places of the rows that differ or that the rules refuse, in order."""
        due = dict(zip(ADDED, self.settled.columns, strict=True))
        differs = np.logical_or.reduce(
            [column[self._rows] != due[name] for name, column in self.found.items()]
        )
        return sorted({*self._rows[differs].tolist(), *self.settled.rejects.reasons})

    def difference(self, row: int) -> RowDifference:
        """Return the difference of one of these rows."""
        table, round_, area = (self.text(name, row) for name in (TABLE, ROUND, AREA))
        found = {
            name: int(self.found[name][row]) if name in self.found else None
            for name in ADDED
        }
        due, reason = None, self.settled.rejects.reasons.get(row, "")
        if not reason:
            place = np.searchsorted(self._rows, row)
            figures = zip(ADDED, self.settled.columns, strict=True)
            due = {name: int(column[place]) for name, column in figures}
        _, collected, returned = (found[name] or 0 for name in SETTLED)
        stake = collected + returned
        return RowDifference(
            self.first_row + row, table, round_, area, stake, due, found, reason
        )
