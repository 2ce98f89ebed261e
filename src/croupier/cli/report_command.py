"""`croupier report SOURCE`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier import __version__
from croupier.cli.options import (
    FILE,
    game_option,
    json_option,
    limits_option,
    setting_option,
)
from croupier.cli.output import print_json, print_titled, write_text
from croupier.extras import needing
from croupier.rules.game import Game

if TYPE_CHECKING:
    from croupier.audit.report.return_report import ReturnReport


@click.command("report")
@click.argument("source", metavar="FILE|DATABASE")
@click.option(
    "--by",
    multiple=True,
    metavar="table|day|type|dealer",
    help="Group by this; table,day is both at once. May be repeated.",
)
@click.option(
    "--level",
    "levels",
    type=float,
    multiple=True,
    metavar="PERCENT",
    help="A level of the bounds, as 99.9; 95 and 99 if not given. May be repeated.",
)
@click.option("--from", "first", metavar="DAY", help="The first gaming day.")
@click.option("--to", "last", metavar="DAY", help="The last gaming day.")
@game_option
@click.option(
    "--time-zone",
    metavar="NAME",
    help="Of the gaming days; the house's own if not given.",
)
@click.option(
    "--day-start",
    type=click.IntRange(0, 23),
    metavar="HOUR",
    help="The start of a gaming day; the house's own if not given.",
)
@limits_option("A limit of a file's table, to check its rows by: '* 5 1000'.")
@setting_option(
    "A setting of a file's table: 'complete_dozen inside'. May be repeated."
)
@click.option("--html", type=FILE, metavar="FILE", help="Write the report as one page.")
@click.option(
    "--csv", "as_csv", type=FILE, metavar="FILE", help="Write the report as CSV."
)
@json_option
@click.pass_context
def report_command(
    ctx: click.Context,
    source: str,
    *,
    by: tuple[str, ...],
    levels: tuple[float, ...],
    first: str | None,
    last: str | None,
    game: Game | None,
    time_zone: str | None,
    day_start: int | None,
    limits: tuple[str, ...],
    settings: tuple[str, ...],
    html: Path | None,
    as_csv: Path | None,
    as_json: bool,
) -> None:
    """Compare actual returns with theory, and read the meters.

    FILE is a file of settled wagers, such as settle-file writes, or an export of a
    journal; DATABASE is a journal.

    Each row of a file is settled again; exit status 1 if any differs.

    Example: croupier report samples/settled.csv --game mbs-roulette-v3
    """
    with needing("batch", "numba", "numpy", "pyarrow", "scipy"):
        from croupier.audit.report.days import chosen_days, read_span
        from croupier.audit.report.return_report import (
            ReportRequest,
            make_report,
            read_groupings,
            read_levels,
        )

        asked = ReportRequest(
            by=read_groupings(by),
            levels=read_levels(levels),
            span=read_span(first, last),
            days=chosen_days(time_zone, day_start),
            game=game,
            limits=limits,
            settings=settings,
        )
        report = make_report(source, asked)
    if html is not None:
        from croupier.audit.report.page import report_page

        page = report_page(report, f"Calculated by croupier {__version__}.")
        write_text(html, page.html())
    if as_csv is not None:
        from croupier.audit.report.documents import report_csv

        write_text(as_csv, report_csv(report))
    if as_json:
        from croupier.audit.report.documents import report_json

        print_json(report_json(report))
    else:
        _print(report)
    if report.differs:
        ctx.exit(1)


_MOST_SHOWN = 20
"""Differing rows in the text; the page and the CSV have more."""


def _print(report: ReturnReport) -> None:
    from croupier.audit.report.report_text import (
        METHODS,
        day_note,
        drop_note,
        head,
        report_tables,
        verdict,
    )

    click.echo(head(report))
    for table in report_tables(report, _MOST_SHOWN):
        print_titled(table)
    said = "\n".join((*verdict(report), day_note(report), drop_note(report)))
    click.echo(f"\n{said}\n\n{click.wrap_text(METHODS, 88)}")
