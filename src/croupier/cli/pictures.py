"""Options and output of the commands that draw."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def picture_options(command: Command) -> Command:
    """`--svg`, `--theme` and `--output`."""
    for option in (
        click.option(
            "--output",
            type=click.Path(dir_okay=False, path_type=Path),
            metavar="FILE",
            help="With --svg: write the picture to a file.",
        ),
        click.option(
            "--theme",
            type=click.Choice(["dark", "light"]),
            help="With --svg: the picture's colours; dark by default.",
        ),
        click.option("--svg", is_flag=True, help="A picture, as SVG."),
    ):
        command = option(command)
    return command


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
