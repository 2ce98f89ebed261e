"""`croupier completion SHELL`."""

import click
from click.shell_completion import get_completion_class


@click.command("completion")
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion_command(shell: str) -> None:
    """Print the completion script for SHELL: bash, zsh or fish.

    Example: eval "$(croupier completion bash)"
    """
    kind = get_completion_class(shell)
    assert kind is not None
    from croupier.cli.group import croupier

    click.echo(kind(croupier, {}, "croupier", "_CROUPIER_COMPLETE").source())
