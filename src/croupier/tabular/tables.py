"""A table as text, as CSV and as HTML; values as documents that JSON can hold."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class TextTable:
    """Headings and rows of text; a heading that begins with `>` is right-aligned.

    Where all headings are empty, the table is shown without a line of headings.
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
        """Return a row for each item; a column is its heading and what it shows."""
        rows = [tuple(show(item) for show in columns.values()) for item in items]
        return cls(title, tuple(columns), rows, notes)

    @property
    def names(self) -> tuple[str, ...]:
        """The headings as they are shown."""
        return tuple(heading.removeprefix(">") for heading in self.headings)

    @property
    def is_right(self) -> tuple[bool, ...]:
        """Whether each column is right-aligned."""
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
        """Return title, columns and notes, with blank lines between them."""
        notes = ["", *self.notes] if self.notes else []
        return "\n".join([self.title, "", *self.lines(), *notes])

    def __html__(self) -> str:
        """Return the table for a page, which has the style sheet already."""
        from croupier.tabular.pages import render

        return render("table.html", table=self)

    def _repr_html_(self) -> str:
        """Return the table for a notebook."""
        from croupier.tabular.pages import render

        return render("notebook.html", table=self)


class _Lines(list[str]):
    """A file to write to that stays in memory."""

    write = list.append


_FORMULA = re.compile(r"[=+\-@\t\r](?![\d.,]*\s?%?$)")


def csv_text(
    names: Iterable[str], rows: Iterable[Iterable[Any]], *, line_end: str = "\n"
) -> str:
    """Return the rows as CSV below their names, with no cell that is a formula."""
    import csv

    lines = _Lines()
    plain = ([harmless_cell(cell) for cell in row] for row in [names, *rows])
    csv.writer(lines, lineterminator=line_end).writerows(plain)
    return "".join(lines)


def harmless_cell(cell: object) -> object:
    """Return the cell, quoted where a spreadsheet would run it; numbers stay."""
    is_formula = isinstance(cell, str) and _FORMULA.match(cell)
    return f"'{cell}" if is_formula else cell


def as_document(value: object) -> Any:
    """Return the value in plain types, structures by their fields.

    A fraction becomes the text `a/b`, an enumeration's member its value.
    """
    from msgspec import to_builtins

    return to_builtins(value, enc_hook=_as_known)


def _as_known(value: object) -> object:
    """Return what msgspec does not know by itself as something that it does."""
    return dict(value) if isinstance(value, Mapping) else str(value)
