"""`croupier learn`: the training room on this machine."""

from __future__ import annotations

import click

from croupier.cli.serve_command import serve_command


@click.command("learn")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="8000, or any free port, if not given.",
)
@click.pass_context
def learn_command(ctx: click.Context, port: int | None) -> None:
    """Open the training room for Dealers; it needs no network.

    It is the page /learn of a demonstration house that this command serves.

    Example: croupier learn --help
    """
    click.echo("Open the address below, followed by /learn.", err=True)
    ctx.invoke(serve_command, demonstration=True, log_level="warning", port=port)
