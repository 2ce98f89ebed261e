"""`croupier journal`: read, verify, sign, export, back up and restore a journal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import click

from croupier.cli.journal_keys import (
    check_key,
    commit_key_command,
    key_command,
    keys_command,
    revoke_command,
    rotate_command,
    seal_command,
)
from croupier.cli.journal_log import log_command, recall_command
from croupier.cli.options import (
    PATH,
    checkpoint_option,
    json_option,
    open_journal,
    public_keys_option,
)
from croupier.cli.output import print_json, write_text
from croupier.house.records.house_record import now_ms
from croupier.house.records.house_snapshot import house_folds
from croupier.journal.addresses import file_of
from croupier.journal.export import (
    backup_journal,
    export_journal,
    import_journal,
    restore_journal,
)
from croupier.journal.findings import table_line
from croupier.journal.log.publishing import publish
from croupier.journal.signing_keys import read_private_key, read_public_key
from croupier.journal.store import JournalError, Store
from croupier.journal.stores import grant_server, open_beside, open_store
from croupier.journal.verification import VerificationReport, verify
from croupier.tabular.figures import counted

_database = click.argument("database", metavar="DATABASE")


@click.group("journal")
def journal_command() -> None:
    """Read, verify, sign, export, import, back up, restore a journal.

    DATABASE is a file, or the address of a PostgreSQL database:
    postgresql://user@host/name.

    Example: croupier journal verify --help
    """


for _each in (
    *(key_command, keys_command, rotate_command, revoke_command),
    *(log_command, recall_command, commit_key_command, seal_command),
):
    journal_command.add_command(_each)


@journal_command.command("verify")
@_database
@checkpoint_option
@public_keys_option
@json_option
@click.pass_context
def verify_command(
    ctx: click.Context,
    database: str,
    *,
    checkpoint: str | None,
    public_keys: tuple[Path, ...],
    as_json: bool,
) -> None:
    """Find every change that was not made through the journal.

    Exit status 1 with findings. Example: croupier journal verify house.db
    """
    keys = [read_public_key(path) for path in public_keys]
    with open_journal(database) as store:
        report = verify(
            store, outside=checkpoint, public_keys=keys, folds=house_folds()
        )
    if as_json:
        print_json(_report_json(report))
    else:
        _print_report(report)
    if not report.is_clean:
        ctx.exit(1)


@journal_command.command("checkpoint")
@_database
@click.option(
    "--key", type=PATH, required=True, metavar="FILE", help="The private key."
)
@click.option(
    "--output", type=PATH, metavar="FILE", help="Write it to a file, to keep elsewhere."
)
def checkpoint_command(database: str, *, key: Path, output: Path | None) -> None:
    """Sign the log with the ends of all streams, and print the checkpoint.

    Example: croupier journal checkpoint house.db --key house.key
    --output today.checkpoint
    """
    private = read_private_key(key)
    if output is not None and output.exists():
        raise JournalError(f"{output} is there already")
    with open_beside(database) as store:
        state = check_key(store, key)
        signed = publish(store, private, now_ms(), state.incarnation)
    if output is None:
        click.echo(signed, nl=False)
    else:
        write_text(output, signed)


@journal_command.command("export")
@_database
@click.option(
    "-o",
    "--output",
    type=PATH,
    required=True,
    metavar="FILE.jsonl|FOLDER",
    help="JSON Lines, or, for analysis, a folder with a Parquet file for each table.",
)
def export_command(database: str, *, output: Path) -> None:
    """Export the journal as of one moment; JSON Lines can rebuild it.

    Example: croupier journal export house.db -o house.jsonl
    """
    with open_journal(database) as store:
        export_journal(store, output)
    click.echo(f"wrote {output}", err=True)


@journal_command.command("import")
@click.argument("export", type=PATH, metavar="FILE.jsonl")
@_database
def import_command(export: Path, database: str) -> None:
    """Rebuild a journal from an export in an empty database; all of it, or nothing.

    Example: croupier journal import house.jsonl postgresql://localhost/house
    """
    with _filled(database) as store:
        report = import_journal(store, export)
    click.echo(f"imported {_counted(report)}; it is clean")


@journal_command.command("backup")
@_database
@click.argument("file", type=PATH, metavar="FILE")
@click.pass_context
def backup_command(ctx: click.Context, database: str, file: Path) -> None:
    """Copy the journal to a file while its tables run, and verify the copy.

    Example: croupier journal backup house.db 2026-11-15.db
    """
    with open_journal(database) as store:
        report = backup_journal(store, file)
    click.echo(f"wrote {file}", err=True)
    _print_report(report)
    if not report.is_clean:
        ctx.exit(1)


@journal_command.command("restore")
@click.argument("file", type=PATH, metavar="FILE")
@_database
def restore_command(file: Path, database: str) -> None:
    """Rebuild a journal from a backup in an empty database; all of it, or nothing.

    Example: croupier journal restore 2026-11-15.db house.db
    """
    if not file.is_file():
        raise JournalError(f"{file}: there is no such file")
    with _filled(database) as store:
        report = restore_journal(store, file)
    click.echo(f"restored {_counted(report)}; it is clean")


@journal_command.command("grant")
@_database
@click.argument("role", metavar="ROLE")
def grant_command(database: str, role: str) -> None:
    """Let a PostgreSQL role serve a journal: it can add events, not change them.

    The owner of the journal runs it once, and again after each update of croupier.

    Example: croupier journal grant postgresql://owner@localhost/house server
    """
    grant_server(database, role)
    click.echo(f"{role} may serve this journal: add to it, and change no event")


@contextmanager
def _filled(database: str) -> Iterator[Store]:
    """Open an empty journal to fill; leave no new file if that fails."""
    path = file_of(database)
    is_new = path is not None and not path.exists()
    try:
        with open_store(database) as store:
            yield store
    except BaseException:
        if path is not None and is_new:
            path.unlink(missing_ok=True)
        raise


def _print_report(report: VerificationReport) -> None:
    for finding in report.findings:
        click.echo(table_line(finding))
    if report.more_findings:
        click.echo(f"and {report.more_findings} more")
    count = len(report.findings) + report.more_findings
    verdict = counted(count, "finding") if count else "clean"
    click.echo(click.style(f"{verdict}: {_counted(report)}", bold=True))
    click.echo(f"house head: {report.house_head}")
    if report.keys:
        used = ", ".join(
            f"{e.id} ({e.checkpoints:,}, {e.state.value})" for e in report.keys
        )
        click.echo(f"checkpoints signed with: {used}")
    if report.is_clean and report.proven is not None:
        proven = report.proven
        said = f"{proven.size:,} entries of the log, signed with {proven.key}"
        if proven.ends is not None:
            ends = ", ".join(f"{e.stream} {e.sequence}" for e in proven.ends.streams)
            at = datetime.fromtimestamp(proven.ends.at_ms // 1000, UTC).isoformat()
            said = f"{said}, and as of {at} up to: {ends}"
        click.echo(f"proven by a checkpoint from outside: {said}")
    if report.unproven:
        click.echo("not proven:")
    for sentence in report.unproven:
        click.echo(f"- {sentence}")


def _counted(report: VerificationReport) -> str:
    return ", ".join(
        f"{count:,} {name.replace('_', ' ')}" for name, count in report.checked.items()
    )


def _report_json(report: VerificationReport) -> dict[str, object]:
    proven = report.proven if report.is_clean else None
    ends = None if proven is None else proven.ends
    shown = ("table", "stream", "sequence", "problem")
    return {
        "clean": report.is_clean,
        "findings": [
            {name: getattr(finding, name) for name in shown}
            for finding in report.findings
        ],
        "more_findings": report.more_findings,
        "checked": report.checked,
        "house_head": report.house_head,
        "keys": report.keys,
        "unproven": list(map(str, report.unproven)),
        "proven": proven
        and {
            "size": proven.size,
            "key": proven.key,
            "at_ms": ends and ends.at_ms,
            "streams": {e.stream: e.sequence for e in ends.streams} if ends else {},
        },
    }
