"""`croupier audit SOURCE…`: an inspector's second opinion."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli.options import (
    OutputFile,
    checkpoint_option,
    game_option,
    json_option,
    limits_option,
    public_keys_option,
    setting_option,
)
from croupier.cli.output import print_json, progress_shown
from croupier.extras import needing
from croupier.journal.findings import MOST_KEPT
from croupier.rules.game import Game
from croupier.rules.terms import read_limits, read_settings

if TYPE_CHECKING:
    from croupier.audit.journal.auditor import AuditReport


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
    type=OutputFile(),
    metavar="FILE.csv",
    help="Write every finding to a table.",
)
@checkpoint_option
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
    checkpoint: str | None,
    public_keys: tuple[Path, ...],
    game: Game | None,
    limits: tuple[str, ...],
    settings: tuple[str, ...],
    as_json: bool,
) -> None:
    """Settle every round again, and report all differences.

    DATABASE is a journal: a file, or postgresql://user@host/name. EXPORT is an
    exported journal: FILE.jsonl. WAGERS, with --game, is an operator's
    table: that of settle-file with the amounts paid.

    Exit status 1 with findings. Example: croupier audit samples/house.jsonl
    """
    if findings_file is not None and len(sources) > 1:
        raise click.UsageError("--findings takes one source at a time")
    # No journal is kept or exported as CSV.
    is_csv = any(source.lower().endswith(".csv") for source in sources)
    if game is None and (limits or settings or is_csv):
        raise click.UsageError(
            "a table of wagers needs --game, as limits and settings do"
        )
    most_kept = MOST_KEPT if findings_file is None else None
    # A journal needs far less than a table of wagers.
    with needing(*(("batch", "numba", "pyarrow") if game else ("audit", "numpy"))):
        from croupier.audit.journal.audit_text import (
            report_json,
            report_lines,
            verdict_of,
            write_findings,
        )

        audit: Callable[..., AuditReport]
        if game is None:
            from croupier.audit.journal.auditor import AuditOptions, audit_journal

            options = AuditOptions(workers, most_kept, checkpoint, public_keys)
            audit = partial(audit_journal, options=options)
        else:
            from croupier.audit.journal.rounds import RoundTerms
            from croupier.audit.journal.wager_file import audit_wagers

            known = read_limits(limits, game), read_settings(game, settings)
            terms = RoundTerms(game, *known)
            audit = partial(audit_wagers, terms=terms, most_kept=most_kept)
    clean = True
    for source in sources:
        with progress_shown() as progress:
            report = audit(source, progress=progress)
        clean = clean and report.is_clean
        if as_json:
            print_json({"source": source, **report_json(report)}, indent=None)
        else:
            click.echo(click.style(f"{source}: {verdict_of(report)}", bold=True))
            click.echo("\n".join(report_lines(report)))
        if findings_file is not None:
            write_findings(report, findings_file)
            click.echo(f"wrote {findings_file}", err=True)
    if not clean:
        ctx.exit(1)
