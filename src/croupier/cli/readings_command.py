"""`croupier readings`."""

import click

from croupier.cli.options import json_option
from croupier.cli.output import print_json
from croupier.games.readings import READINGS


@click.command("readings")
@json_option
def readings_command(*, as_json: bool) -> None:
    """Print how we read the documents where they are silent, garbled or open.

    Example: croupier readings
    """
    if as_json:
        print_json({"readings": READINGS})
        return
    for reading in READINGS:
        setting = f"  [setting {reading.setting}]" if reading.setting else ""
        heading = click.style(f"{reading.id}  {reading.question}", bold=True)
        click.echo(heading + setting)
        click.echo(click.wrap_text(reading.answer, 84, "    ", "    "))
