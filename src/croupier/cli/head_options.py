"""The heads that a journal is held against, and the keys they are signed by."""

from __future__ import annotations

from pathlib import Path

import click

head_option = click.option(
    "--head",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="A signed head that was kept elsewhere.",
)
public_keys_option = click.option(
    "--public-key",
    "public_keys",
    type=click.Path(path_type=Path),
    multiple=True,
    metavar="FILE",
    help="A key that heads are signed by. May be repeated.",
)
