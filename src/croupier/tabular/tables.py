"""A table as text, as CSV and as HTML; values as documents that JSON can hold."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

from croupier.extras import needing

Item = TypeVar("Item")


@dataclass(frozen=True)
class TextTable:
    """Headings and rows of text; a heading that begins with `>` is right-aligned.

    If all headings are empty, the table is shown without a line of headings.
    """

    title: str
    headings: tuple[str, ...]
    rows: Sequence[tuple[str, ...]]
    notes: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        title: str,
        items: Iterable[Item],
        columns: Mapping[str, Callable[[Item], str]],
        notes: tuple[str, ...] = (),
    ) -> TextTable:
        """Return a row for each item; `columns` maps headings to cell texts."""
        rows = [tuple(show(item) for show in columns.values()) for item in items]
        return cls(title, tuple(columns), rows, notes)

    @property
    def names(self) -> tuple[str, ...]:
        """The headings without their `>`."""
        return tuple(heading.removeprefix(">") for heading in self.headings)

    @property
    def is_right(self) -> tuple[bool, ...]:
        return tuple(heading.startswith(">") for heading in self.headings)

    def lines(self) -> list[str]:
        """Return the columns, two spaces apart, below their headings."""
        table = [self.names, *self.rows] if any(self.names) else list(self.rows)
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        return [
            "  ".join(
                cell.rjust(width) if right else cell.ljust(width)
                for cell, width, right in zip(row, widths, self.is_right, strict=True)
            ).rstrip()
            for row in table
        ]

    def csv(self) -> str:
        return csv_text(self.names, self.rows)

    def __str__(self) -> str:
        """Return title, rows and notes, with blank lines between them."""
        notes = ["", *self.notes] if self.notes else []
        return "\n".join([self.title, "", *self.lines(), *notes])

    def __html__(self) -> str:
        """Return the table without the style sheet, for use in a page."""
        from croupier.tabular.pages import render

        return render("table.html", table=self)

    def _repr_html_(self) -> str:
        from croupier.tabular.pages import render

        return render("notebook.html", table=self)


class Tabled:
    """A value that prints as its table."""

    __slots__ = ()

    def table(self) -> TextTable:
        raise NotImplementedError

    def __str__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


class _Lines(list[str]):
    """A file in memory for the csv writer."""

    write = list.append


_FORMULA = re.compile(r"[=+\-@\t\r](?![\d.,]*\s?%?$)")


def csv_text(
    names: Iterable[str], rows: Iterable[Iterable[Any]], *, line_end: str = "\n"
) -> str:
    """Return names and rows as CSV; formulas are quoted."""
    lines = _Lines()
    plain = ([harmless_cell(cell) for cell in row] for row in [names, *rows])
    csv.writer(lines, lineterminator=line_end).writerows(plain)
    return "".join(lines)


def harmless_cell(cell: object) -> object:
    """Return the cell, quoted if a spreadsheet would run it as a formula."""
    is_formula = isinstance(cell, str) and _FORMULA.match(cell)
    return f"'{cell}" if is_formula else cell


def data_frame(rows: Iterable[Mapping[str, Any]]) -> Any:
    """Return a Polars frame with fractions as floats; raise `MissingExtra`."""
    with needing("batch"):
        import polars as pl
    plain = [
        {name: float(v) if isinstance(v, Fraction) else v for name, v in row.items()}
        for row in rows
    ]
    return pl.DataFrame(plain, infer_schema_length=None)


def as_document(value: object) -> Any:
    """Return the value in plain types that JSON can hold.

    A fraction becomes the text `a/b`, an enum member its value.
    """
    from msgspec import to_builtins

    return to_builtins(value, enc_hook=_as_known)


def _as_known(value: object) -> object:
    return dict(value) if isinstance(value, Mapping) else str(value)
