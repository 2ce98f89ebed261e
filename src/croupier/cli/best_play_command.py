"""`croupier best-play GAME`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

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

if TYPE_CHECKING:
    from croupier.odds import Model


@click.command("best-play")
@game_argument
@click.option(
    "--bankroll", required=True, metavar="MONEY", help="What the Player begins with."
)
@click.option("--target", metavar="MONEY", help="What it is to become.")
@click.option(
    "--growth",
    is_flag=True,
    help="Instead of a target: the stakes with which the bankroll grows fastest.",
)
@click.option(
    "--chance",
    "chances",
    multiple=True,
    metavar="'NUMBER P'",
    help="How likely a number is on this wheel: '17 1/30'. May be repeated; the other"
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
    game: Game,
    *,
    bankroll: str,
    target: str | None,
    growth: bool,
    chances: tuple[str, ...],
    over: str | None,
    areas: tuple[str, ...],
    limits: tuple[str, ...],
    setting: tuple[str, ...],
    what_if: Path | None,
    chip: str,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Find the play with the greatest probability of a target.

    The table has the wager for each bankroll that the play can come to; --json
    has it for every bankroll below the target.

    With --growth it finds the stakes with which the bankroll grows fastest (Kelly)
    on a wheel that favours some numbers: --chance, or chances in a --what-if file.

    Example: croupier best-play mbs-roulette-v3 --bankroll 20 --target 50
    """
    check_plot(plot)
    _check_options(target, over, growth=growth)
    model = _model(game, what_if, chances)
    with progress_shown() as progress:
        from croupier.lab.best_play import best_play, growth_play

        asked: dict[str, Any] = {
            "bankroll": bankroll,
            "areas": areas,
            "limits": limits,
            "settings": setting,
            "chip": chip,
        }
        best = (
            growth_play(model, **asked)
            if target is None
            else best_play(
                model,
                target=target,
                over=over or "one-area",
                progress=progress,
                **asked,
            )
        )
    if as_json:
        print_json(best.json())
    else:
        if not model.is_approved:
            print_label(model)
        click.echo(str(best))
    write_plot(best.plot, plot)


def _check_options(target: str | None, over: str | None, *, growth: bool) -> None:
    """Refuse options that don't go together."""
    if target is None and not growth:
        raise click.UsageError("Missing option '--target' (or '--growth').")
    if target is not None and growth:
        raise click.UsageError("choose one of --target and --growth")
    if growth and over:
        raise click.UsageError("--over goes with --target")


def _model(game: Game, what_if: Path | None, chances: tuple[str, ...]) -> Model:
    """Return the game on the wheel that the options tell of."""
    if not chances:
        return model_for(game, what_if)
    if what_if is not None:
        raise click.UsageError("choose one of --chance and --what-if")
    from croupier.lab.best_play import favourable_wheel

    given: dict[str, str] = {}
    for text in chances:
        number, _, chance = text.strip().partition(" ")
        if not chance or number in given:
            raise click.UsageError(
                "--chance has a number, each once, and its chance: '17 1/30'"
            )
        given[number] = chance.strip()
    return favourable_wheel(game, given)
