"""`croupier odds GAME [WAGER…]`."""

from __future__ import annotations

from pathlib import Path

import click

from croupier import __version__
from croupier.cli.model_options import terms_options
from croupier.cli.options import FILE, game_argument, json_option, refuse_if
from croupier.cli.output import print_json, print_tables, write_text
from croupier.odds.chips import read_terms
from croupier.odds.chips_odds import correlations
from croupier.odds.layout_formats import LayoutSheet
from croupier.odds.model import Model
from croupier.odds.payments import payment_table
from croupier.odds.sheet import sheet_of, whole_sheet
from croupier.odds.sheet_formats import sheet_csv, sheet_json, sheet_notes, sheet_tables
from croupier.rules.notation import is_at_maximum

_FOOTER = f"Calculated by croupier {__version__}."


@click.command("odds")
@game_argument
@click.argument("wagers", nargs=-1, metavar="[WAGER…]")
@terms_options
@click.option(
    "--placed",
    is_flag=True,
    help="With stakes: wagers are placed electronically, not laid.",
)
@click.option(
    "--warned",
    is_flag=True,
    help="With stakes: the Player has been warned of a wager under the minimum.",
)
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Every wager as a line of CSV.")
@click.option(
    "--html", type=FILE, metavar="FILE", help="Write the sheet as one page, with plots."
)
@click.option(
    "--xlsx", type=FILE, metavar="FILE", help="Write the sheet as a workbook."
)
@click.option(
    "--payments",
    type=FILE,
    metavar="FILE.csv",
    help="Write each area's payment at every outcome, and print the file's SHA-256.",
)
def odds_command(
    model: Model,
    wagers: tuple[str, ...],
    *,
    limits: tuple[str, ...],
    settings: tuple[str, ...],
    placed: bool,
    warned: bool,
    as_json: bool,
    as_csv: bool,
    html: Path | None,
    xlsx: Path | None,
    payments: Path | None,
) -> None:
    """Print the exact odds of GAME, its PAR sheet, or of some wagers.

    Wagers without stakes are calculated one by one, per unit staked. Wagers with
    stakes (17@10 red@50) are calculated together, as one Player's chips.

    Example: croupier odds mbs-roulette-v3 17 red
    """
    staked = any("@" in text for text in wagers)
    refuse_if(
        {
            "choose one of --json, --csv, --html, --xlsx and --payments": sum(
                map(bool, (as_json, as_csv, html, xlsx, payments))
            )
            > 1,
            "--placed and --warned go with stakes, as in red@5": (placed or warned)
            and not staked,
            "--limits do nothing for wagers without stakes: give stakes (red@5), a"
            " complete maximum wager, or no wager for the whole sheet": limits
            and wagers
            and not (staked or any(map(is_at_maximum, wagers))),
            "--csv, --html and --xlsx are for wagers without stakes": staked
            and (as_csv or html or xlsx),
            "--payments covers the whole game: name no wager": wagers and payments,
        }
    )
    if payments is not None:
        table = payment_table(model)
        write_text(payments, table.csv)
        click.echo(f"sha256 {table.sha256}")
        return
    terms = read_terms(
        model.game,
        limits=limits,
        settings=settings,
        laid=False if placed else None,
        warned=warned,
    )
    if staked:
        layout = LayoutSheet.of(model, wagers, terms)
        if as_json:
            print_json(layout.json())
        else:
            print_tables(model, layout.tables())
        return
    sheet = sheet_of(model, wagers, terms) if wagers else whole_sheet(model, terms)
    if html is not None:
        write_text(html, sheet.html(_FOOTER))
    elif xlsx is not None:
        write_text(xlsx, sheet.xlsx(_FOOTER))
    elif as_csv:
        click.echo(sheet_csv(sheet), nl=False)
    else:
        pairs = correlations(model, wagers, terms) if len(wagers) > 1 else []
        if as_json:
            print_json(sheet_json(sheet, pairs))
        else:
            print_tables(model, sheet_tables(sheet, pairs))
            click.echo("\n" + "\n\n".join(sheet_notes(sheet)))
