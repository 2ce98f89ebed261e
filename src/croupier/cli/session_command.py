"""`croupier session GAME`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

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
    wager_option,
)
from croupier.cli.output import (
    check_plot,
    print_json,
    print_result,
    progress_shown,
    write_plot,
)
from croupier.lab.sessions import session
from croupier.lab.sessions.report import session_json, session_table
from croupier.lab.sessions.result import Details
from croupier.rules.game import Game


@click.command("session")
@game_argument
@wager_option(required=True)
@money_options
@click.option(
    "--rounds",
    type=int,
    metavar="N",
    help="At most N rounds; else until it ends.",
)
@strategy_options("or FILE.toml: a table of states.")
@terms_options
@chip_option
@click.option(
    "--arithmetic",
    type=click.Choice(["exact", "float64"]),
    help="If not given, exact if that takes seconds at most.",
)
@click.option(
    "--patience",
    type=int,
    default=1,
    metavar="N",
    help="Let it take N times as long before it is refused.",
)
@click.option(
    "--durations",
    is_flag=True,
    help="Also the number of rounds: deviation and quantiles.",
)
@click.option("--peak", is_flag=True, help="Also the highest bankroll: its quantiles.")
@click.option(
    "--drawdown",
    is_flag=True,
    help="Also the deepest fall below the highest bankroll: its quantiles.",
)
@json_option
@plot_option
def session_command(
    game: Game,
    *,
    wagers: tuple[str, ...],
    strategy: str,
    setting: tuple[str, ...],
    what_if: Path | None,
    durations: bool,
    peak: bool,
    drawdown: bool,
    as_json: bool,
    plot: Path | None,
    **words: Any,
) -> None:
    """Calculate a session: ruin, target, what it costs, what is left.

    Ends in ruin when the bankroll can't pay the next wager, at the target, when
    the strategy leaves the table, or after the rounds.

    Example: croupier session mbs-roulette-v3 -w red@1 --bankroll 9 --rounds 9
    """
    # Threads of BLAS wait for each other on busy cores. It reads this with numpy.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    check_plot(plot)
    model = model_for(game, what_if)
    with progress_shown() as progress:
        result = session(
            model,
            " + ".join(wagers),
            strategy=strategy_in(strategy),
            settings=setting,
            progress=progress,
            **words,
        )
    asked = Details(durations, peak, drawdown)
    if as_json:
        print_json(session_json(result, asked))
    else:
        print_result(model, session_table(result, "what", ">how much", asked=asked))
    write_plot(lambda: result.plot(peak=asked.peak, drawdown=asked.drawdown), plot)
