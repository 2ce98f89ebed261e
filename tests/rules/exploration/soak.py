"""`make soak`: the exploration of the core to a greater depth, with its counts.

Run from the repository's root: `python -m tests.rules.exploration.soak --depth 4`.
"""

from __future__ import annotations

import time

import click

from croupier.games import all_games
from tests.rules.exploration.search import COURSE, explore


@click.command()
@click.option("--depth", default=4, help="Acts after each step of the course.")
def soak(depth: int) -> None:
    """Explore every game from every step of a course, and print what was seen."""
    failed = 0
    for game in all_games():
        began = time.monotonic()
        runs = [explore(game, depth, begin=begin) for begin in range(len(COURSE) + 1)]
        failed += sum(len(run.breaches) for run in runs)
        for breach in [each for run in runs for each in run.breaches][:5]:
            click.echo(str(breach))
        click.echo(
            f"{game.name}: depth {depth} after {len(runs)} beginnings,"
            f" {sum(run.sequences for run in runs):,} sequences as"
            f" {sum(run.steps for run in runs):,} steps"
            f" from {sum(run.states for run in runs):,} states,"
            f" {time.monotonic() - began:.0f} s"
        )
    if failed:
        raise click.ClickException(f"{failed} breaches")


if __name__ == "__main__":
    soak()
