"""`croupier wheel-check SOURCE`."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.cli.options import game_option, json_option, plot_option, setting_option
from croupier.cli.output import print_json, print_table, print_titled, write_plot
from croupier.extras import needing
from croupier.rules.game import Game
from croupier.tabular import TextTable


@click.command("wheel-check")
@click.argument("source", metavar="FILE|DATABASE")
@game_option
@click.option("--table", metavar="NAME", help="The table, if there are several.")
@click.option("--wheel", metavar="NAME", help="The wheel, if there are several.")
@setting_option("The table's ring, if it differs: 'ring 0 000 …'.")
@click.option(
    "--by",
    type=click.Choice(["dealer", "wheel", "table"]),
    multiple=True,
    help="Check each one separately, corrected for their number. May be repeated.",
)
@click.option(
    "--level",
    type=click.FloatRange(0.1, 10),
    default=1,
    show_default=True,
    metavar="PERCENT",
    help="The probability that a fair wheel is suspected, over all tests.",
)
@click.option(
    "--intervals",
    is_flag=True,
    help="Also print intervals for the probability and the Player's edge, by number and"
    " by sector.",
)
@json_option
@plot_option
def wheel_check_command(
    source: str,
    *,
    game: Game | None,
    table: str | None,
    wheel: str | None,
    settings: tuple[str, ...],
    by: tuple[str, ...],
    level: float,
    intervals: bool,
    as_json: bool,
    plot: Path | None,
) -> None:
    """Test recorded outcomes for a biased wheel.

    FILE is a list of numbers, a table with a column outcome (CSV or Parquet), or
    an export of a journal; DATABASE is a journal.

    Example: croupier wheel-check samples/wheel.csv --game rws-triple-zero
    """
    if by and (plot or intervals):
        raise click.UsageError("--plot and --intervals are for one wheel, without --by")
    with needing("batch", "numpy", "scipy", "pyarrow"):
        from croupier.lab.wheel import check_text
        from croupier.lab.wheel.check import check_groups, check_wheel
        from croupier.lab.wheel.outcomes import read_wheel
        from croupier.lab.wheel.record import CheckPlan, OutcomeLabel
    labels = tuple(dict.fromkeys(map(OutcomeLabel, by)))
    record = read_wheel(
        source, game=game, table=table, wheel=wheel, settings=settings, by=labels
    )
    plan = CheckPlan(level=level / 100)
    if labels:
        groups = check_groups(record, labels, plan)
        if as_json:
            print_json(check_text.groups_json(groups))
        else:
            _print(check_text.groups_table(groups), check_text.groups_verdict(groups))
        return
    check = check_wheel(record, plan)
    if as_json:
        print_json(check_text.check_json(check))
    else:
        _print(check_text.check_table(check), check_text.verdict_lines(check))
        for each in check_text.interval_tables(check) if intervals else ():
            print_titled(each)
    write_plot(check.plot, plot)


def _print(table: TextTable, verdict: list[str]) -> None:
    """Print the tests, the verdict and the notes; too few outcomes have no tests."""
    click.echo(f"{table.title}\n")
    if table.rows:
        print_table(table)
        click.echo()
    first, *rest = verdict
    click.echo(click.style(first, bold=True))
    click.echo("\n".join(rest))
    if table.rows and table.notes:
        click.echo("\n" + "\n".join(table.notes))
