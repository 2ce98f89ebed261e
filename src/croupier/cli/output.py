"""Output of the commands: JSON, tables, pictures, plots, progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click

from croupier.tabular import Plot, TextTable, as_document

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.lab.simulator.session_records import SessionRecords
    from croupier.odds import Model


def tell(sentence: str) -> None:
    click.echo(sentence, err=True)


def print_json(value: object, *, indent: int | None = 1) -> None:
    """Print one JSON document; `tabular` converts fractions, enums and structs."""
    import json

    text = json.dumps(as_document(value), indent=indent, ensure_ascii=False)
    click.echo(text)


def print_table(table: TextTable) -> None:
    """Print the columns, their headings bold."""
    lines = table.lines()
    if any(table.names):
        lines[0] = click.style(lines[0], bold=True)
    click.echo("\n".join(lines))


def print_columns(headings: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> None:
    """Print a table; a heading that begins with `>` is right-aligned."""
    print_table(TextTable("", headings, rows))


def print_titled(table: TextTable) -> None:
    """Print title, columns and notes, after a blank line."""
    click.echo(f"\n{table.title}" if table.title else "")
    print_table(table)
    for note in table.notes:
        click.echo(note)


def print_tables(model: Model, tables: Iterable[TextTable]) -> None:
    print_label(model)
    for table in tables:
        print_titled(table)


def print_result(model: Model, table: TextTable) -> None:
    """Print title, columns and notes; first the label if the game is not approved."""
    if not model.is_approved:
        print_label(model)
    click.echo(f"{table.title}\n")
    print_table(table)
    click.echo("\n" + "\n".join(table.notes))


def print_label(model: Model) -> None:
    """Print the game that the figures are for, and the changes to it."""
    game = model.game
    if not model.changes:
        label = "" if model.is_approved else "No approved game: "
        click.echo(f"{label}{game.document}, in effect from {game.effective}")
        return
    title = f"“{model.title}”, " if model.title else ""
    click.echo(f"No approved game: {title}{model.based_on}, in which")
    for change in model.changes:
        click.echo(f"  {change}")


class ProgressBar:
    """Shows progress and the time left on standard error."""

    def __init__(self, *, is_shown: bool) -> None:
        self._is_shown = is_shown
        self._bar: Any = None
        self._has_told = False

    def __call__(self, done: int, of: int) -> None:
        if self._bar is None:
            self._bar = click.progressbar(
                length=of, width=24, file=sys.stderr, hidden=not self._is_shown
            )
        self._bar.update(done - self._bar.pos)

    def compiling(self) -> None:
        """Announce once that loops are compiled, which takes some seconds."""
        if self._is_shown and not self._has_told:
            tell("Compiling, once …")
        self._has_told = True

    def finish(self) -> None:
        if self._bar is not None:
            self._bar.render_finish()


@contextmanager
def progress_shown(*, is_hidden: bool = False) -> Iterator[ProgressBar]:
    """Show progress on standard error if it is a terminal."""
    bar = ProgressBar(is_shown=sys.stderr.isatty() and not is_hidden)
    try:
        yield bar
    finally:
        bar.finish()


def check_options(
    *, as_json: bool, svg: bool, theme: str | None, output: Path | None
) -> None:
    """Refuse options that would have no effect."""
    if svg and as_json:
        raise click.UsageError("choose one of --svg and --json")
    if not svg and (theme or output):
        raise click.UsageError("--theme and --output go with --svg")


def print_picture(svg: str, output: Path | None) -> None:
    if output is None:
        click.echo(svg)
    else:
        write_text(output, svg)


def write_text(path: Path, text: str | bytes) -> None:
    """Write a file, and say so on standard error."""
    with _writing(path):
        path.write_bytes(text if isinstance(text, bytes) else text.encode())


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it can't be written"
        raise click.UsageError(f"{path}: {reason}") from error
    click.echo(f"wrote {path}", err=True)


def write_records(records: SessionRecords, path: Path) -> None:
    """Write a row for each session."""
    table = records.arrow()
    if path.suffix == ".csv":
        from pyarrow import csv  # type: ignore[import-untyped]

        with _writing(path):
            csv.write_csv(table, path)
    else:
        from pyarrow import parquet

        with _writing(path):
            parquet.write_table(table, path)


def write_plot(draw: Callable[[], Plot], path: Path | None) -> None:
    """Draw and write a plot if `path` is given; call it after printing the figures."""
    if path is None:
        return
    plot = draw()
    with _writing(path):
        plot.save(path)
