"""Output of the commands: JSON, tables, pictures, plots, progress."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING

import click

from croupier.extras import needing
from croupier.tabular import Plot, TextTable, as_document

if TYPE_CHECKING:
    from pathlib import Path

    from croupier.lab.simulator.session_records import SessionRecords
    from croupier.odds import Model

_SUFFIXES = (".svg", ".png")
_BAR = 24
"""Width of a progress bar."""
_BLOCK = 4
"""Width of the moving block in an indeterminate progress bar."""
_MOMENT = 0.2
"""Seconds between two of its positions."""


def tell(sentence: str) -> None:
    """Say a sentence on standard error, as it is."""
    click.echo(sentence, err=True)


def print_json(value: object, *, indent: int | None = 1) -> None:
    """Print one document; fractions, enumerations and structures go by `tabular`."""
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
    """Print a table of these; a heading that begins with `>` is right-aligned."""
    print_table(TextTable("", headings, rows))


def print_titled(table: TextTable) -> None:
    """Print title, columns and notes, after a blank line."""
    click.echo(f"\n{table.title}" if table.title else "")
    print_table(table)
    for note in table.notes:
        click.echo(note)


def print_result(model: Model, table: TextTable) -> None:
    """Print a title, the columns and the notes; the label of no approved game first."""
    if not model.is_approved:
        print_label(model)
    click.echo(f"{table.title}\n")
    print_table(table)
    click.echo("\n" + "\n".join(table.notes))


def print_label(model: Model) -> None:
    """Print the model of the figures, and whether it is an approved game."""
    game = model.game
    if not model.changes:
        label = "" if model.is_approved else "No approved game: "
        click.echo(f"{label}{game.document}, in effect from {game.effective}")
        return
    title = f"“{model.title}”, " if model.title else ""
    click.echo(f"No approved game: {title}{model.based_on}, in which")
    for change in model.changes:
        click.echo(f"  {change}")


class _MovingBar(Thread):
    """Shows that work of unknown length goes on, and for how long."""

    def __init__(self, what: str, tell: Callable[[str], None]) -> None:
        super().__init__(daemon=True)
        self._what, self._tell = what, tell
        self._begun, self._is_over = perf_counter(), Event()

    def run(self) -> None:
        """Move a block of the bar to and fro."""
        for turn in count():
            at = abs(turn % (2 * (_BAR - _BLOCK)) - (_BAR - _BLOCK))
            bar = f"{'.' * (_BAR - _BLOCK - at)}{'#' * _BLOCK}{'.' * at}"
            seconds = perf_counter() - self._begun
            self._tell(f"{self._what} [{bar}] {seconds:.0f} s")
            if self._is_over.wait(_MOMENT):
                return

    def end(self) -> None:
        """Return when nothing more will be told."""
        self._is_over.set()
        self.join()


class ProgressBar:
    """Shows progress and the time left on standard error."""

    def __init__(self, *, is_shown: bool) -> None:
        self._is_shown, self._told = is_shown, ""
        self._first: tuple[int, float | None] = 0, None
        self._clock: _MovingBar | None = None

    def __call__(self, done: int, of: int) -> None:
        self._end_compilation()
        now = perf_counter()
        first, begun = self._first
        # What the first part took may have had a compilation in it.
        if begun is None:
            self._first = done, now
        share = done / of
        filled = int(share * _BAR)
        left = ""
        if begun is not None and done > first:
            left = f"{(now - begun) * (of - done) / (done - first):.0f} s left"
        bar = f"[{'#' * filled}{'.' * (_BAR - filled)}]"
        self._tell(f"{bar} {100 * done // of:>3} % {left}")

    def compiling(self) -> None:
        """Say that loops are compiled, and for how long, until there is progress."""
        if self._is_shown and self._clock is None:
            self._clock = _MovingBar("Compiling, once …", self._tell)
            self._clock.start()

    def _end_compilation(self) -> None:
        if self._clock is not None:
            self._clock.end()
            self._clock = None

    def clear(self) -> None:
        self._end_compilation()
        if self._told:
            click.echo(f"\r{' ' * len(self._told)}\r", err=True, nl=False)

    def _tell(self, text: str) -> None:
        if not self._is_shown or text == self._told:
            return
        click.echo(f"\r{text.ljust(len(self._told))}", err=True, nl=False)
        self._told = text


@contextmanager
def progress_shown() -> Iterator[ProgressBar]:
    """Show progress on standard error if it is a terminal."""
    bar = ProgressBar(is_shown=sys.stderr.isatty())
    try:
        yield bar
    finally:
        bar.clear()


def check_options(
    *, as_json: bool, svg: bool, theme: str | None, output: Path | None
) -> None:
    """Refuse an option that would do nothing."""
    if svg and as_json:
        raise click.UsageError("choose one of --svg and --json")
    if not svg and (theme or output):
        raise click.UsageError("--theme and --output go with --svg")


def print_picture(svg: str, output: Path | None) -> None:
    if output is None:
        click.echo(svg)
    else:
        write_text(output, svg)


def write_text(path: Path, text: str) -> None:
    """Write a file, and say so on standard error."""
    with _writing(path):
        path.write_text(text, encoding="utf-8")


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it can't be written"
        raise click.UsageError(f"{path}: {reason}") from error
    click.echo(f"wrote {path}", err=True)


def check_plot(path: Path | None) -> None:
    """Refuse a picture that could not be written, before anything is calculated."""
    if path is None:
        return
    if path.suffix not in _SUFFIXES:
        raise click.UsageError(f"{path} must end in .svg or .png")
    if not path.parent.is_dir():
        raise click.UsageError(f"{path}: there is no such folder")
    with needing("odds", "matplotlib"):
        return


_RECORDS = (".parquet", ".csv")


def check_records(path: Path | None) -> None:
    """Refuse a file of records that can't be written, before anything is played."""
    if path is None:
        return
    if path.suffix not in _RECORDS:
        raise click.UsageError(f"{path} must end in .parquet or .csv")
    if not path.parent.is_dir():
        raise click.UsageError(f"{path}: there is no such folder")
    with needing("parquet", "pyarrow"):
        return


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
    """Draw and write a plot, if one was asked for; after the figures are printed."""
    if path is None:
        return
    plot = draw()
    with _writing(path):
        plot.save(path)
