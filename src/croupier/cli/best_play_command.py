"""`croupier best-play GAME`."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.cli.options import (
    chip_option,
    game_argument,
    json_option,
    model_for,
    plot_option,
    terms_options,
)
from croupier.cli.output import (
    check_plot,
    print_json,
    print_label,
    progress_shown,
    write_plot,
)
from croupier.rules.game import Game


@click.command("best-play")
@game_argument
@click.option(
    "--bankroll", required=True, metavar="MONEY", help="What the Player begins with."
)
@click.option("--target", required=True, metavar="MONEY", help="What it is to become.")
@click.option(
    "--over",
    type=click.Choice(["one-area", "several-areas", "straight-ups"]),
    default="one-area",
    show_default=True,
    help="One betting area a round, any set of areas that never win together, or any"
    " set of straight-up wagers.",
)
@click.option(
    "--area",
    "areas",
    multiple=True,
    metavar="AREA",
    help="With one-area and several-areas: only this area. May be repeated.",
)
@terms_options
@chip_option
@json_option
@plot_option
@click.option("--dark", is_flag=True, help="With --plot: on dark ground.")
def best_play_command(
    game: Game,
    *,
    bankroll: str,
    target: str,
    over: str,
    areas: tuple[str, ...],
    limits: tuple[str, ...],
    setting: tuple[str, ...],
    what_if: Path | None,
    chip: str,
    as_json: bool,
    plot: Path | None,
    dark: bool,
) -> None:
    """Find the play with the greatest probability of a target, and print it.

    The table has the wager for each bankroll that the play can come to; --json
    has it for every bankroll below the target.

    Example: croupier best-play mbs-roulette-v3 --bankroll 20 --target 50
    """
    check_plot(plot)
    if dark and plot is None:
        raise click.UsageError("--dark goes with --plot")
    model = model_for(game, what_if)
    with progress_shown() as progress:
        from croupier.odds.optimal import best_play

        best = best_play(
            model,
            bankroll=bankroll,
            target=target,
            over=over,
            areas=areas,
            limits=limits,
            settings=setting,
            chip=chip,
            progress=progress,
        )
    write_plot(lambda: best.plot(dark=dark), plot)
    if as_json:
        print_json(best.json())
        return
    if not model.is_approved:
        print_label(model)
    click.echo(str(best))
