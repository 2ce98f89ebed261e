"""`croupier audit SOURCE…`: an inspector's second opinion."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli.options import (
    FILE,
    game_option,
    head_option,
    json_option,
    limits_option,
    public_keys_option,
    setting_option,
)
from croupier.cli.output import print_json, progress_shown
from croupier.extras import needing
from croupier.rules.game import Game
from croupier.rules.terms import read_limits, read_settings

if TYPE_CHECKING:
    from croupier.audit.journal.auditor import AuditReport

_Audit = Callable[[str, Callable[[int, int], None]], "AuditReport"]


@click.command("audit")
@click.argument("sources", nargs=-1, required=True, metavar="DATABASE|EXPORT|WAGERS…")
@click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=1,
    show_default=True,
    help="Processes that share the tables of a journal.",
)
@click.option(
    "--findings",
    "findings_file",
    type=FILE,
    metavar="FILE.csv",
    help="Write every finding to a table.",
)
@head_option
@public_keys_option
@game_option
@limits_option("With --game: a limit of the table, '* 5 1000'.")
@setting_option("With --game: a table setting. May be repeated.")
@json_option
@click.pass_context
def audit_command(
    ctx: click.Context,
    sources: tuple[str, ...],
    *,
    workers: int,
    findings_file: Path | None,
    head: str | None,
    public_keys: tuple[Path, ...],
    game: Game | None,
    limits: tuple[str, ...],
    setting: tuple[str, ...],
    as_json: bool,
) -> None:
    """Settle every round again, and report all differences.

    DATABASE is a journal: a file, or postgresql://user@host/name. EXPORT is one
    that was exported: FILE.jsonl, FILE.parquet, or a folder. WAGERS, with --game, is
    an operator's table: that of settle-file, with what was paid.

    Exit status 1 with findings. Example: croupier audit samples/house.jsonl
    """
    if findings_file is not None and len(sources) > 1:
        raise click.UsageError("--findings takes one source at a time")
    if game is None and (limits or setting or _is_csv(sources)):
        raise click.UsageError(
            "a table of wagers needs --game, as limits and settings do"
        )
    _ask_for_packages(needs_batch=game is not None)
    from croupier.journal.findings import MOST_KEPT

    most_kept = MOST_KEPT if findings_file is None else None
    if game is not None:
        audit = _of_wagers(game, limits, setting, most_kept)
    else:
        audit = _of_journals(workers, head, public_keys, most_kept)
    clean = True
    for source in sources:
        with progress_shown() as progress:
            report = audit(source, progress)
        clean = clean and report.is_clean
        _print(source, report, as_json=as_json)
        if findings_file is not None:
            _write(report, findings_file)
    if not clean:
        ctx.exit(1)


def _ask_for_packages(*, needs_batch: bool) -> None:
    """Refuse with the extra that is missing; a journal needs far less than a table."""
    if needs_batch:
        with needing("batch", "numba", "pyarrow"):
            return
    with needing("audit", "numpy"):
        return


def _is_csv(sources: tuple[str, ...]) -> bool:
    """Return whether one is CSV: no journal is kept or exported so."""
    return any(source.lower().endswith(".csv") for source in sources)


def _of_journals(
    workers: int, head: str | None, public_keys: tuple[Path, ...], most: int | None
) -> _Audit:
    from croupier.audit.journal.auditor import AuditOptions, audit_journal

    options = AuditOptions(
        workers=workers, most_kept=most, outside_head=head, public_keys=public_keys
    )
    return lambda source, progress: audit_journal(source, options, progress)


def _of_wagers(
    game: Game, limits: tuple[str, ...], setting: tuple[str, ...], most: int | None
) -> _Audit:
    from croupier.audit.journal.rounds import RoundTerms
    from croupier.audit.journal.wager_file import audit_wagers

    rules = RoundTerms(game, read_limits(limits, game), read_settings(game, setting))
    return lambda source, progress: audit_wagers(
        Path(source), rules, most_kept=most, progress=progress
    )


def _print(source: str, report: AuditReport, *, as_json: bool) -> None:
    from croupier.audit.journal.audit_text import report_json, report_lines, verdict_of

    if as_json:
        print_json({"source": source, **report_json(report)}, indent=None)
        return
    click.echo(click.style(f"{source}: {verdict_of(report)}", bold=True))
    for line in report_lines(report):
        click.echo(line)


def _write(report: AuditReport, path: Path) -> None:
    from croupier.audit.journal.audit_text import write_findings

    write_findings(report, path)
    click.echo(f"wrote {path}", err=True)
