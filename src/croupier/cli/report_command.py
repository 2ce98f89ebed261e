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
    help="What to group by; table,day is both at once. May be repeated.",
)
@click.option(
    "--level",
    "levels",
    type=float,
    multiple=True,
    metavar="PERCENT",
    help="Of the bounds, as 99.9; 95 and 99 if none is given. May be repeated.",
)
@click.option("--from", "first", metavar="DAY", help="The first gaming day.")
@click.option("--to", "last", metavar="DAY", help="The last gaming day.")
@game_option
@click.option(
    "--time-zone", metavar="NAME", help="Of the gaming days; as the house has it."
)
@click.option(
    "--day-start",
    type=click.IntRange(0, 23),
    metavar="HOUR",
    help="When a gaming day begins; as the house has it.",
)
@limits_option("Of a file's table: its rows are checked by them as well.")
@setting_option("Of a file's table: 'complete_dozen inside'. May be repeated.")
@click.option("--html", type=FILE, metavar="FILE", help="Write it as one page.")
@click.option("--csv", "as_csv", type=FILE, metavar="FILE", help="Write it as CSV.")
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
    setting: tuple[str, ...],
    html: Path | None,
    as_csv: Path | None,
    as_json: bool,
) -> None:
    """Compare actual returns with theory, and read the meters.

    FILE is a file of settled wagers, such as settle-file writes, or an export of a
    journal; DATABASE is a journal.

    Each row of a file is settled again; exit status 1 where one differs.

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
            settings=setting,
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
"""Differing rows in the text; files have all that are kept."""


def _print(report: ReturnReport) -> None:
    from croupier.audit.report.report_text import (
        METHODS,
        day_note,
        difference_table,
        drop_note,
        head,
        hit_table,
        meter_table,
        money_table,
        return_table,
        verdict,
        whole_section,
    )

    whole = whole_section(report)
    tables = [return_table(whole), money_table(whole), hit_table(whole)]
    for section in report.sections:
        tables += [return_table(section), hit_table(section)]
    click.echo(head(report))
    if report.differs:
        tables.insert(0, difference_table(report, _MOST_SHOWN))
    for table in (*tables, meter_table(report)):
        print_titled(table)
    click.echo()
    for sentence in (*verdict(report), day_note(report), drop_note(report)):
        click.echo(sentence)
    click.echo(f"\n{click.wrap_text(METHODS, 88)}")
