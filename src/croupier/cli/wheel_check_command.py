"""`croupier wheel-check SOURCE`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli.mistakes import needing
from croupier.cli.options import game_option, json_option, plot_option, setting_option
from croupier.cli.output import check_plot, print_json, print_table, write_plot
from croupier.rules.game import Game

if TYPE_CHECKING:
    from croupier.audit.wheel.check import WheelCheck


@click.command("wheel-check")
@click.argument("source", metavar="FILE|DATABASE")
@game_option
@click.option("--table", metavar="NAME", help="The table, where there are several.")
@setting_option("The table's ring, where it is another: 'ring 0 000 …'.")
@click.option(
    "--level",
    type=click.FloatRange(0.1, 10),
    default=1,
    show_default=True,
    metavar="PERCENT",
    help="How often a fair wheel may be suspected, over all tests.",
)
@json_option
@plot_option
def wheel_check_command(
    source: str,
    *,
    game: Game | None,
    table: str | None,
    setting: tuple[str, ...],
    level: float,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Test recorded outcomes for a biased wheel.

    FILE is a list of numbers, a table with a column outcome (CSV or Parquet), or
    an export of a journal; DATABASE is a journal.

    Example: croupier wheel-check samples/wheel.csv --game rws-triple-zero
    """
    check_plot(plot)
    with needing("batch", "numba", "numpy", "scipy"):
        from croupier.audit.wheel.check import check_wheel
        from croupier.audit.wheel.formats import check_json, plot_wheel
        from croupier.audit.wheel.outcomes import read_wheel
        from croupier.audit.wheel.record import CheckPlan

        record = read_wheel(source, game=game, table=table, settings=setting)
        check = check_wheel(record, CheckPlan(level=level / 100))
        write_plot(lambda: plot_wheel(check), plot)
    if as_json:
        print_json(check_json(check))
    else:
        _print(check)


def _print(check: WheelCheck) -> None:
    from croupier.audit.wheel.formats import check_table, verdict_lines

    table = check_table(check)
    click.echo(f"{table.title}\n")
    if check.judged:
        print_table(table)
        click.echo()
    first, *rest = verdict_lines(check)
    click.echo(click.style(first, bold=True))
    click.echo("\n".join(rest))
    if check.judged:
        click.echo("\n" + "\n".join(table.notes))
