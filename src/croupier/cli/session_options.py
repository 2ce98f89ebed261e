"""What the commands about many rounds share: mistakes, progress, pictures."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from croupier.cli.odds_options import mistakes_told

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SUFFIXES = (".svg", ".png")

chip_option = click.option(
    "--chip",
    default="1",
    show_default=True,
    metavar="MONEY",
    help="The chip unit: every stake is a whole number of it.",
)
plot_option = click.option(
    "--plot",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Draw it, as FILE.svg or FILE.png.",
)


@contextmanager
def session_mistakes_told() -> Iterator[None]:
    """A session or a play that makes no sense, in one sentence."""
    from croupier.odds.sessions.strategy import SessionError

    with mistakes_told():
        try:
            yield
        except SessionError as error:
            raise click.UsageError(str(error)) from error


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
