"""`croupier simulate GAME`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from croupier.cli.model_options import (
    chip_option,
    money_options,
    strategy_options,
    terms_options,
    wager_option,
)
from croupier.cli.options import OutputFile, game_argument, json_option, plot_option
from croupier.cli.output import (
    print_json,
    print_result,
    progress_shown,
    write_plot,
    write_records,
)
from croupier.extras import needing
from croupier.odds.model import Model

if TYPE_CHECKING:
    from croupier.lab.simulator import Simulation, StrategySessions


@click.command("simulate")
@game_argument
@wager_option(required=False, more=" Leave it out if FILE.py:NAME chooses the wagers.")
@money_options
@click.option(
    "--rounds", type=int, required=True, metavar="N", help="At most N rounds."
)
@click.option(
    "--sessions",
    type=int,
    default=100_000,
    show_default=True,
    metavar="N",
    help="The number of sessions.",
)
@strategy_options(
    "FILE.toml: a table of states, or FILE.py:NAME: a function or class of your own."
)
@terms_options
@chip_option
@click.option(
    "--seed", type=int, metavar="N", help="Replays a simulation; drawn if not given."
)
@click.option(
    "--level",
    type=float,
    default=0.99,
    show_default=True,
    metavar="P",
    help="The confidence level of the intervals.",
)
@click.option(
    "--engine",
    type=click.Choice(["cpu", "gpu", "plain"]),
    default="cpu",
    show_default=True,
    help="All engines give the same figures.",
)
@click.option(
    "--workers",
    type=int,
    metavar="N",
    help="Use N cores, or N processes of a local cluster; all if not given.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="A dask scheduler, such as tcp://host:8786, or the word local.",
)
@click.option(
    "--records",
    type=OutputFile(".parquet", ".csv", needs=("parquet", "pyarrow")),
    metavar="FILE",
    help="Write a row for each session, as FILE.parquet or FILE.csv.",
)
@click.option(
    "--extremes",
    is_flag=True,
    help="Also print quantiles of the highest and lowest bankroll and the drawdown.",
)
@json_option
@plot_option
def simulate_command(
    model: Model,
    *,
    wager: str,
    strategy: Any,
    records: Path | None,
    extremes: bool,
    as_json: bool,
    plot: Path | None,
    **words: Any,
) -> None:
    """Simulate thousands or billions of sessions.

    Each figure has an interval and, if `croupier session` can calculate it, the exact
    answer beside it. The same seed gives the same figures again.

    Example: croupier simulate mbs-roulette-v3 -w red@1 --bankroll 9 --rounds 9
    """
    is_own = isinstance(strategy, str) and (
        ".py:" in strategy or strategy.endswith(".py")
    )
    if not wager:
        _check_chooser(is_own=is_own)
    with needing("simulator", "numba", "numpy"):
        from croupier.lab.simulator import simulate
        from croupier.lab.simulator.simulation_report import (
            simulation_json,
            simulation_table,
            speed_note,
        )
    played: Simulation | StrategySessions
    if is_own:
        from croupier.lab.simulator.own.files import load_own

        strategy = load_own(strategy, is_chooser=not wager)
    with progress_shown() as progress:
        words |= {"progress": progress, "compiling": progress.compiling}
        if wager:
            played = simulate(model, wager, strategy=strategy, **words)
        else:
            from croupier.lab.simulator.own.sessions import play_strategy

            asked = {
                name: each for name, each in words.items() if name not in _OF_A_WAGER
            }
            played = play_strategy(model, strategy, **asked)
    if as_json:
        print_json(simulation_json(played, extremes=extremes))
    else:
        print_result(model, simulation_table(played, extremes=extremes))
        click.echo(speed_note(played))
    if records is not None:
        write_records(played.records, records)
    write_plot(played.plot, plot)


_OF_A_WAGER = ("over_maximum", "over_bankroll", "chip")
"""Options that go with a wager."""


def _check_chooser(*, is_own: bool) -> None:
    """Refuse options that need a wager if none is named."""
    if not is_own:
        raise click.UsageError("name a wager with its stake, such as -w red@10")
    ctx = click.get_current_context()
    for parameter in ctx.command.params:
        name = parameter.name or ""
        given = ctx.get_parameter_source(name)
        if name in _OF_A_WAGER and given is not ParameterSource.DEFAULT:
            raise click.UsageError(
                f"{max(parameter.opts, key=len)} goes with a --wager, and not with a"
                " strategy that chooses its own"
            )
