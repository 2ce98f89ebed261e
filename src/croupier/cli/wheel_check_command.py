"""`croupier wheel-check SOURCE`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli.options import game_option, json_option, plot_option, setting_option
from croupier.cli.output import (
    check_plot,
    print_json,
    print_table,
    print_titled,
    write_plot,
)
from croupier.extras import needing
from croupier.rules.game import Game

if TYPE_CHECKING:
    from croupier.lab.wheel.check import WheelCheck
    from croupier.lab.wheel.record import CheckPlan, OutcomeLabel, WheelRecord


@click.command("wheel-check")
@click.argument("source", metavar="FILE|DATABASE")
@game_option
@click.option("--table", metavar="NAME", help="The table, where there are several.")
@click.option("--wheel", metavar="NAME", help="The wheel, where there are several.")
@setting_option("The table's ring, where it is another: 'ring 0 000 …'.")
@click.option(
    "--by",
    type=click.Choice(["dealer", "wheel", "table"]),
    multiple=True,
    help="Check each by itself, corrected for all of them. May be repeated.",
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
    help="Each number's probability and the Player's edge, and the sectors'.",
)
@json_option
@plot_option
def wheel_check_command(
    source: str,
    *,
    game: Game | None,
    table: str | None,
    wheel: str | None,
    setting: tuple[str, ...],
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
    check_plot(plot)
    if by and (plot or intervals):
        raise click.UsageError("--plot and --intervals are of one wheel, without --by")
    with needing("batch", "numpy", "scipy", "pyarrow"):
        from croupier.lab.wheel.outcomes import read_wheel
        from croupier.lab.wheel.record import CheckPlan, OutcomeLabel

        labels = tuple(dict.fromkeys(map(OutcomeLabel, by)))
        record = read_wheel(
            source,
            game=game,
            table=table,
            wheel=wheel,
            settings=setting,
            by=labels,
        )
        plan = CheckPlan(level=level / 100)
        if labels:
            _tell_groups(record, labels, plan, as_json=as_json)
        else:
            _tell(record, plan, as_json=as_json, intervals=intervals, plot=plot)


def _tell(
    record: WheelRecord,
    plan: CheckPlan,
    *,
    as_json: bool,
    intervals: bool,
    plot: Path | None,
) -> None:
    from croupier.lab.wheel.check import check_wheel
    from croupier.lab.wheel.check_text import check_json, interval_tables

    check = check_wheel(record, plan)
    if as_json:
        print_json(check_json(check))
    else:
        _print(check)
        for table in interval_tables(check) if intervals else ():
            print_titled(table)
    write_plot(check.plot, plot)


def _print(check: WheelCheck) -> None:
    from croupier.lab.wheel.check_text import check_table, verdict_lines

    table = check_table(check)
    click.echo(f"{table.title}\n")
    if check.judged:
        print_table(table)
        click.echo()
    _print_verdict(verdict_lines(check))
    if check.judged:
        click.echo("\n" + "\n".join(table.notes))


def _print_verdict(lines: list[str]) -> None:
    first, *rest = lines
    click.echo(click.style(first, bold=True))
    click.echo("\n".join(rest))


def _tell_groups(
    record: WheelRecord,
    labels: tuple[OutcomeLabel, ...],
    plan: CheckPlan,
    *,
    as_json: bool,
) -> None:
    from croupier.lab.wheel.check_text import (
        groups_json,
        groups_table,
        groups_verdict,
    )
    from croupier.lab.wheel.groups import check_groups

    grouped = check_groups(record, labels, plan)
    if as_json:
        print_json(groups_json(grouped))
        return
    table = groups_table(grouped)
    click.echo(f"{table.title}\n")
    print_table(table)
    click.echo()
    _print_verdict(groups_verdict(grouped))
    if table.notes:
        click.echo("\n" + "\n".join(table.notes))
