"""`croupier best-play GAME`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from croupier.cli.model_options import chip_option, terms_options
from croupier.cli.options import game_argument, json_option, plot_option
from croupier.cli.output import print_json, print_label, progress_shown, write_plot
from croupier.lab.best_play import best_play, favourable_wheel, growth_play
from croupier.odds.model import Model


@click.command("best-play")
@game_argument
@click.option(
    "--bankroll",
    required=True,
    metavar="MONEY",
    help="The Player's bankroll at the start.",
)
@click.option("--target", metavar="MONEY", help="The bankroll to reach.")
@click.option(
    "--growth",
    is_flag=True,
    help="Instead of a target: find the stakes that make the bankroll grow fastest.",
)
@click.option(
    "--chance",
    "chances",
    multiple=True,
    metavar="'NUMBER P'",
    help="A number's probability on this wheel: '17 1/30'. May be repeated; the other"
    " numbers share the rest.",
)
@click.option(
    "--over",
    type=click.Choice(["one-area", "several-areas"]),
    help="With --target: one betting area a round (the default), or any set of areas"
    " that never win together.",
)
@click.option(
    "--area",
    "areas",
    multiple=True,
    metavar="AREA",
    help="With one-area and --growth: only this area. May be repeated.",
)
@terms_options
@chip_option
@json_option
@plot_option
def best_play_command(
    model: Model,
    *,
    target: str | None,
    growth: bool,
    chances: tuple[str, ...],
    over: str | None,
    as_json: bool,
    plot: Path | None,
    **words: Any,
) -> None:
    """Find the play that is most likely to reach a target.

    The table has the wager at each bankroll that the play can reach; --json has it
    at every bankroll below the target.

    With --growth it finds the stakes that make the bankroll grow fastest (Kelly) on a
    wheel that favours some numbers: --chance, or chances in a --what-if file.

    Example: croupier best-play mbs-roulette-v3 --bankroll 20 --target 50
    """
    if (target is None) is not growth:
        wrong = "choose one of --target and --growth"
        raise click.UsageError(
            wrong if growth else "Missing option '--target' (or '--growth')."
        )
    if growth and over:
        raise click.UsageError("--over goes with --target")
    if chances:
        model = _favourable(model, chances)
    with progress_shown() as progress:
        best = (
            growth_play(model, **words)
            if target is None
            else best_play(
                model,
                target=target,
                over=over or "one-area",
                progress=progress,
                **words,
            )
        )
    if as_json:
        print_json(best.json())
    else:
        if not model.is_approved:
            print_label(model)
        click.echo(str(best))
    write_plot(best.plot, plot)


def _favourable(model: Model, chances: tuple[str, ...]) -> Model:
    """Return the game on a wheel with the probabilities of `--chance`."""
    if model.changes:
        raise click.UsageError("choose one of --chance and --what-if")
    given: dict[str, str] = {}
    for text in chances:
        number, _, chance = text.strip().partition(" ")
        if not chance or number in given:
            raise click.UsageError(
                "--chance has a number, each once, and its chance: '17 1/30'"
            )
        given[number] = chance.strip()
    return favourable_wheel(model.game, given)
