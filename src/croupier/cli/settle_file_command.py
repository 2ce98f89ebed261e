"""`croupier settle-file IN -o OUT --game GAME`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli.options import (
    PATH,
    json_option,
    limits_option,
    required_game_option,
    setting_option,
)
from croupier.cli.output import print_json, print_table, progress_shown
from croupier.extras import needing
from croupier.rules.game import Game
from croupier.tabular import as_document

if TYPE_CHECKING:
    from croupier.batch import Summary


@click.command("settle-file")
@click.argument("source", type=PATH, metavar="IN")
@click.option(
    "-o",
    "--output",
    "target",
    type=PATH,
    required=True,
    metavar="OUT",
    help="The settled wagers, as .parquet, .csv or .jsonl.",
)
@required_game_option
@limits_option()
@setting_option()
@click.option(
    "--rejects",
    type=PATH,
    metavar="FILE",
    help="Write rejected rows here; OUT with .rejects.csv if not given.",
)
@click.option(
    "--allow-rejected", is_flag=True, help="Exit with 0 even if rows were rejected."
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@json_option
@click.pass_context
def settle_file_command(
    ctx: click.Context,
    source: Path,
    *,
    target: Path,
    game: Game,
    limits: tuple[str, ...],
    settings: tuple[str, ...],
    rejects: Path | None,
    allow_rejected: bool,
    force: bool,
    as_json: bool,
) -> None:
    """Settle a file of wagers of any size.

    The file is IN.parquet, IN.csv or IN.jsonl.

    Exit status 1 if rows were rejected.

    Example: croupier settle-file in.csv -o out.csv --game mbs-roulette-v3
    """
    with needing("batch", "numba"), progress_shown() as progress:
        from croupier.batch import settle_file

        summary = settle_file(
            game,
            source,
            target,
            limits=limits,
            settings=settings,
            rejects=rejects,
            force=force,
            progress=progress,
        )
    if as_json:
        print_json(_json(game, target, summary))
    else:
        print_table(summary.table())
        click.echo(f"\nsettled rows: {target}")
        if summary.rejects is not None:
            click.echo(f"rejected rows, with reasons: {summary.rejects}")
    if summary.totals.rejected and not allow_rejected:
        click.echo(_rejected(summary), err=True)
        ctx.exit(1)


def _rejected(summary: Summary) -> str:
    totals = summary.totals
    were = "row was" if totals.rejected == 1 else "rows were"
    return (
        f"{totals.rejected:,} {were} rejected of {totals.rows:,}: exit status 1, or 0"
        " with --allow-rejected"
    )


def _json(game: Game, target: Path, summary: Summary) -> dict[str, object]:
    return {
        "game": game.name,
        **as_document(summary.totals),
        "output": target,
        "rejects": summary.rejects,
    }
