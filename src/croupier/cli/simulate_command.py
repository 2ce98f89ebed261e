"""`croupier simulate GAME`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from croupier.cli.options import (
    FILE,
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
    check_records,
    print_json,
    print_result,
    progress_shown,
    write_plot,
    write_records,
)
from croupier.extras import needing
from croupier.rules.game import Game

if TYPE_CHECKING:
    from croupier.lab.sessions import Strategy
    from croupier.odds import Model


@click.command("simulate")
@game_argument
@wager_option(
    required=False, more=" Without it FILE.py:NAME chooses the wagers itself."
)
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
    help="All engines draw the same.",
)
@click.option(
    "--workers",
    type=int,
    metavar="N",
    help="N cores, or processes of a local cluster; if not given, all.",
)
@click.option(
    "--cluster",
    metavar="ADDRESS",
    help="A dask scheduler, such as tcp://host:8786; or local.",
)
@click.option(
    "--records",
    type=FILE,
    metavar="FILE",
    help="Write a row for each session, as FILE.parquet or FILE.csv.",
)
@click.option(
    "--extremes",
    is_flag=True,
    help="Also the highest and lowest bankroll, and the drawdown: their quantiles.",
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
    records: Path | None,
    extremes: bool,
    as_json: bool,
    plot: Path | None,
    **words: Any,
) -> None:
    """Simulate sessions by the thousand, or billion.

    Figures come with intervals, and with the exact answer of `croupier session`
    beside them where it has one. The seed alone gives the same figures again.

    Example: croupier simulate mbs-roulette-v3 -w red@1 --bankroll 9 --rounds 9
    """
    check_plot(plot)
    check_records(records)
    model = model_for(game, what_if)
    if not wagers:
        _check_chooser(strategy)
        asked = {**words, "settings": setting}
        _play_chooser(model, strategy, asked, (records, plot), as_json=as_json)
        return
    with needing("simulator", "numba", "numpy"):
        from croupier.lab.simulator import simulate
    with progress_shown() as progress:
        simulation = simulate(
            model,
            " + ".join(wagers),
            strategy=_strategy(strategy),
            settings=setting,
            progress=progress,
            compiling=progress.compiling,
            **words,
        )
    if as_json:
        print_json(simulation.json(extremes=extremes))
    else:
        from croupier.lab.simulator.simulation_report import (
            simulation_table,
            speed_note,
        )

        print_result(model, simulation_table(simulation, extremes=extremes))
        click.echo(speed_note(simulation))
    if records is not None:
        write_records(simulation.records, records)
    write_plot(simulation.plot, plot)


_OF_A_WAGER = (
    "over_maximum",
    "over_bankroll",
    "chip",
)
"""Options that go with a wager."""


def _check_chooser(strategy: str) -> None:
    """Refuse options that need a wager if none is named."""
    ctx = click.get_current_context()
    if not _is_python(strategy):
        raise click.UsageError("name a wager with its stake, such as -w red@10")
    for parameter in ctx.command.params:
        name = parameter.name or ""
        given = ctx.get_parameter_source(name)
        if name in _OF_A_WAGER and given is not ParameterSource.DEFAULT:
            raise click.UsageError(
                f"{max(parameter.opts, key=len)} goes with a --wager, and not with a"
                " strategy that chooses its own"
            )


def _play_chooser(
    model: Model,
    strategy: str,
    words: dict[str, Any],
    files: tuple[Path | None, Path | None],
    *,
    as_json: bool,
) -> None:
    """Play a strategy that chooses its wagers, and print the result."""
    with needing("simulator"):
        from croupier.lab.simulator import load_own, play_strategy
        from croupier.lab.simulator.simulation_report import (
            simulation_table,
            speed_note,
        )
    asked = {name: each for name, each in words.items() if name not in _OF_A_WAGER}
    with progress_shown() as progress:
        played = play_strategy(
            model,
            load_own(strategy, is_chooser=True),
            progress=progress,
            compiling=progress.compiling,
            **asked,
        )
    if as_json:
        print_json(played.json())
    else:
        print_result(model, simulation_table(played))
        click.echo(speed_note(played))
    records, plot = files
    if records is not None:
        write_records(played.records, records)
    write_plot(played.plot, plot)


def _is_python(text: str) -> bool:
    return ".py:" in text or text.endswith(".py")


def _strategy(text: str) -> str | Strategy | Callable[..., Any]:
    """Return a name, a table of states in a file, or what a Python file defines."""
    if not _is_python(text):
        return strategy_in(text)
    from croupier.lab.simulator import load_own

    found: Strategy | Callable[..., Any] = load_own(text)
    return found
