"""`croupier session GAME`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from croupier.cli.model_options import (
    chip_option,
    money_options,
    strategy_options,
    terms_options,
    wager_option,
)
from croupier.cli.options import game_argument, json_option, plot_option
from croupier.cli.output import print_json, print_result, progress_shown, write_plot
from croupier.lab.sessions import session
from croupier.lab.sessions.report import session_json, session_table
from croupier.odds.model import Model


@click.command("session")
@game_argument
@wager_option(required=True)
@money_options
@click.option(
    "--rounds",
    type=int,
    metavar="N",
    help="At most N rounds; without it, until it ends.",
)
@strategy_options("or FILE.toml: a table of states.")
@terms_options
@chip_option
@click.option(
    "--arithmetic",
    type=click.Choice(["exact", "float64"]),
    help="Without it: exact if that takes a few seconds at most.",
)
@click.option(
    "--patience",
    type=int,
    default=1,
    metavar="N",
    help="Accept a session that takes up to N times as long to calculate.",
)
@click.option(
    "--durations",
    is_flag=True,
    help="Also print the number of rounds: deviation and quantiles.",
)
@click.option(
    "--peak", is_flag=True, help="Also print quantiles of the highest bankroll."
)
@click.option(
    "--drawdown",
    is_flag=True,
    help="Also print quantiles of the deepest fall below the highest bankroll.",
)
@json_option
@plot_option
def session_command(
    model: Model,
    *,
    durations: bool,
    peak: bool,
    drawdown: bool,
    as_json: bool,
    plot: Path | None,
    **words: Any,
) -> None:
    """Calculate a session: ruin, target, cost, final bankroll.

    A session ends if the bankroll can't pay the next wager (ruin) or reaches the
    target, if the strategy leaves the table, or after its rounds.

    Example: croupier session mbs-roulette-v3 -w red@1 --bankroll 9 --rounds 9
    """
    # Threads of BLAS wait for each other on busy cores; numpy reads this at import.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with progress_shown() as progress:
        result = session(model, progress=progress, **words)
    details = result.details(durations=durations, peak=peak, drawdown=drawdown)
    if as_json:
        print_json(session_json(result, details))
    else:
        told = session_table(result, "what", ">how much", details=details)
        print_result(model, told)
    write_plot(lambda: result.plot(peak=peak, drawdown=drawdown), plot)
