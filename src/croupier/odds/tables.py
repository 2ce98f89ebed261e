"""A table of text: for the terminal, for a page, for a notebook."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape


@dataclass(frozen=True)
class TextTable:
    """Headings and rows of text; a heading that begins with `>` is right-aligned."""

    title: str
    headings: tuple[str, ...]
    rows: list[tuple[str, ...]]

    def html(self) -> str:
        sides = [" class=r" if h.startswith(">") else "" for h in self.headings]
        names = [heading.removeprefix(">") for heading in self.headings]
        head = "".join(
            f"<th scope=col{side}>{escape(name)}</th>"
            for name, side in zip(names, sides, strict=True)
        )
        body = "".join(f"<tr>{_cells(row, sides)}</tr>" for row in self.rows)
        return (
            f"<div class=scroll><table><caption>{escape(self.title)}</caption>"
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )


def _cells(row: tuple[str, ...], sides: list[str]) -> str:
    first, *rest = (escape(cell) for cell in row)
    others = zip(rest, sides[1:], strict=True)
    cells = "".join(f"<td{side}>{cell}</td>" for cell, side in others)
    return f"<th scope=row{sides[0]}>{first}</th>{cells}"
