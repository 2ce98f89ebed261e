"""`make soak`: the exploration of the core to a greater depth, with its counts.

Run from the repository's root: `python -m tools.soak.exploration --depth 5`.
"""

from __future__ import annotations

import time

import click

from croupier.games import all_games
from tests.rules.exploration.search import ALL_BEGINS, explore


@click.command()
@click.option("--depth", default=5, help="Acts after each step of the course.")
def soak(depth: int) -> None:
    """Explore every game from every step of a course, and print what was seen."""
    failed = 0
    for game in all_games():
        began = time.monotonic()
        found = explore(game, depth)
        failed += len(found.breaches)
        for breach in found.breaches[:5]:
            click.echo(str(breach))
        click.echo(
            f"{game.name}: {found.sequences:,} sequences of up to {depth} acts after"
            f" each of {len(ALL_BEGINS)} beginnings, judged as {found.steps:,} steps"
            f" between {len(found.leads_to):,} states, {time.monotonic() - began:.0f} s"
        )
    if failed:
        raise click.ClickException(f"{failed} breaches")


if __name__ == "__main__":
    soak()
