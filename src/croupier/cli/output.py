"""What the commands print and write: JSON, tables, pictures, plots, progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

    from croupier.odds import Model

_SUFFIXES = (".svg", ".png")


def print_json(value: object, *, indent: int | None = 1) -> None:
    import json

    click.echo(json.dumps(value, indent=indent, ensure_ascii=False))


def print_table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Columns for a person; a heading that begins with `>` is right-aligned."""
    names = tuple(heading.removeprefix(">") for heading in headings)
    widths = [max(len(row[i]) for row in (names, *rows)) for i in range(len(names))]
    for place, row in enumerate((names, *rows)):
        cells = [
            cell.rjust(width) if heading.startswith(">") else cell.ljust(width)
            for cell, width, heading in zip(row, widths, headings, strict=True)
        ]
        line = "  ".join(cells).rstrip()
        click.echo(click.style(line, bold=True) if place == 0 else line)


def print_label(model: Model) -> None:
    """What the figures are of; first of all, if it is no approved game."""
    game = model.game
    if model.is_approved:
        click.echo(f"{game.document}, in effect from {game.effective}")
        return
    title = f"“{model.title}”, " if model.title else ""
    click.echo(f"No approved game: {title}{model.based_on}, in which")
    for change in model.changes:
        click.echo(f"  {change}")


@contextmanager
def progress_shown() -> Iterator[Callable[[int, int], None]]:
    """How far it has got, on standard error, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _done, _of: None
        return
    told = ""

    def tell(done: int, of: int) -> None:
        nonlocal told
        now = f"{100 * done // of} %"
        if now != told:
            told = now
            click.echo(f"\r{now:>5} ", err=True, nl=False)

    yield tell
    if told:
        click.echo("\r      \r", err=True, nl=False)


def check_options(
    *, as_json: bool, svg: bool, theme: str | None, output: Path | None
) -> None:
    """An option that would do nothing is a mistake."""
    if svg and as_json:
        raise click.UsageError("choose one of --svg and --json")
    if not svg and (theme or output):
        raise click.UsageError("--theme and --output go with --svg")


def print_picture(svg: str, output: Path | None) -> None:
    if output is None:
        click.echo(svg)
        return
    try:
        output.write_text(svg, encoding="utf-8")
    except OSError as error:
        reason = error.strerror or "it can't be written"
        raise click.UsageError(f"{output}: {reason}") from error
    click.echo(f"wrote {output}", err=True)


def check_plot(path: Path | None) -> None:
    """The name says which kind of picture it is to be."""
    if path is not None and path.suffix not in _SUFFIXES:
        raise click.UsageError(f"{path} must end in .svg or .png")


def write_plot(figure: Figure, path: Path) -> None:
    import matplotlib as mpl

    # The same session gives the same file.
    told: dict[str, Any] = {"Date": None} if path.suffix == ".svg" else {}
    try:
        with mpl.rc_context({"svg.hashsalt": "croupier"}):
            figure.savefig(path, metadata=told)
    except OSError as error:
        reason = error.strerror or "it can't be written"
        raise click.UsageError(f"{path}: {reason}") from error
    click.echo(f"wrote {path}", err=True)
