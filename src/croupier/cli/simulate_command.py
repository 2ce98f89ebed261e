"""`croupier simulate GAME`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from croupier.cli.mistakes import needing
from croupier.cli.options import (
    chip_option,
    game_argument,
    json_option,
    model_for,
    money_options,
    plot_option,
    strategy_in,
    strategy_options,
    terms_options,
)
from croupier.cli.output import (
    check_plot,
    print_json,
    print_result,
    progress_shown,
    write_plot,
)
from croupier.rules.game import Game

if TYPE_CHECKING:
    from croupier.odds.sessions import Strategy


@click.command("simulate")
@game_argument
@money_options
@click.option(
    "--rounds", type=int, required=True, metavar="N", help="At most so many rounds."
)
@click.option(
    "--sessions",
    type=int,
    default=100_000,
    show_default=True,
    metavar="N",
    help="How many are played.",
)
@strategy_options(
    "FILE.toml: a table of states, or FILE.py:NAME: a function or class of your own."
)
@terms_options
@chip_option
@click.option(
    "--seed", type=int, metavar="N", help="Replays a simulation; if not given, drawn."
)
@click.option(
    "--level",
    type=float,
    default=0.99,
    show_default=True,
    metavar="P",
    help="Of confidence, for the intervals.",
)
@click.option(
    "--engine",
    type=click.Choice(["cpu", "gpu", "plain"]),
    default="cpu",
    show_default=True,
    help="What plays; all draw the same.",
)
@click.option(
    "--workers",
    type=int,
    metavar="N",
    help="So many cores, or processes of a local cluster; if not given, all.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="A dask scheduler, such as tcp://host:8786; or local.",
)
@json_option
@plot_option
def simulate_command(
    game: Game,
    *,
    wagers: tuple[str, ...],
    strategy: str,
    setting: tuple[str, ...],
    what_if: Path | None,
    as_json: bool,
    plot: Path | None,
    **words: Any,
) -> None:
    """Play a Player's sessions by the thousand, or billion: drawn, not reckoned.

    Figures come with intervals, and with the exact answer of `croupier session`
    beside them where it has one. The seed alone gives the same figures again.

    Example: croupier simulate mbs-roulette-v3 -w red@1 --bankroll 9 --rounds 9
    """
    check_plot(plot)
    model = model_for(game, what_if)
    with needing("simulator"):
        from croupier.simulator import simulate
    with progress_shown() as progress:
        simulation = simulate(
            model,
            " + ".join(wagers),
            strategy=_strategy(strategy),
            settings=setting,
            progress=progress,
            **words,
        )
    if as_json:
        print_json(simulation.json())
    else:
        from croupier.simulator.report import simulation_table, speed_note

        print_result(model, simulation_table(simulation))
        click.echo(speed_note(simulation))
    write_plot(simulation.plot, plot)


def _strategy(text: str) -> str | Strategy | Callable[..., Any]:
    """Return a name, a table of states in a file, or what a Python file defines."""
    if ".py:" not in text and not text.endswith(".py"):
        return strategy_in(text)
    from croupier.simulator import load_own

    return load_own(text)
