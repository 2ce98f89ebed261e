"""`croupier odds GAME [WAGER…]`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

import click

from croupier import __version__
from croupier.cli.options import (
    FILE,
    game_argument,
    json_option,
    model_for,
    refuse_if,
    terms_options,
)
from croupier.cli.output import print_json, print_label, print_titled, write_text
from croupier.odds.chips import read_terms
from croupier.odds.chips_odds import correlations
from croupier.odds.layout_formats import LayoutSheet
from croupier.odds.model import Model
from croupier.odds.sheet import sheet_of, whole_sheet
from croupier.odds.sheet_formats import (
    csv_table,
    sheet_json,
    sheet_notes,
    sheet_tables,
)
from croupier.rules.game import Game
from croupier.rules.notation import is_at_maximum
from croupier.tabular import TextTable


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
    help="With stakes: an under-minimum wager of the Player has stood before.",
)
@json_option
@click.option("--csv", "as_csv", is_flag=True, help="Every wager as a line of CSV.")
@click.option(
    "--html",
    type=FILE,
    metavar="FILE",
    help="Write the sheet as one page, with plots.",
)
def odds_command(
    game: Game,
    wagers: tuple[str, ...],
    *,
    limits: tuple[str, ...],
    setting: tuple[str, ...],
    what_if: Path | None,
    placed: bool,
    warned: bool,
    as_json: bool,
    as_csv: bool,
    html: Path | None,
) -> None:
    """Print the exact odds of GAME, its PAR sheet, or of some wagers.

    Without stakes, each wager for itself, per unit staked. With stakes (17@10
    red@50), all of them together as one Player's chips under the limits.

    Example: croupier odds mbs-roulette-v3 17 red
    """
    staked = any("@" in text for text in wagers)
    at_maximum = any(map(is_at_maximum, wagers))
    refuse_if(
        {
            "choose one of --json, --csv and --html": as_json + as_csv + bool(html) > 1,
            "--placed and --warned go with stakes, as in red@5": (placed or warned)
            and not staked,
            "--limits do nothing for wagers without stakes: give stakes (red@5), a"
            " complete maximum wager, or no wager for the whole sheet": limits
            and wagers
            and not (staked or at_maximum),
            "--csv and --html are for wagers without stakes": staked
            and (as_csv or html),
        }
    )
    model = model_for(game, what_if)
    terms = read_terms(
        model.game,
        limits=limits,
        settings=setting,
        laid=False if placed else None,
        warned=warned,
    )
    if staked:
        layout = LayoutSheet.of(model, wagers, terms)
        _print(model, layout.json, layout.tables, as_json=as_json)
        return
    pairs = correlations(model, wagers, terms) if len(wagers) > 1 else []
    sheet = sheet_of(model, wagers, terms) if wagers else whole_sheet(model, terms)
    if html is not None:
        write_text(html, sheet.html(f"Calculated by croupier {__version__}."))
    elif as_csv:
        click.echo(csv_table(sheet).csv(), nl=False)
    else:
        document = partial(sheet_json, sheet, pairs)
        _print(model, document, partial(sheet_tables, sheet, pairs), as_json=as_json)
        if not as_json:
            click.echo("\n" + "\n\n".join(sheet_notes(sheet)))


def _print(
    model: Model,
    document: Callable[[], object],
    tables: Callable[[], Iterable[TextTable]],
    *,
    as_json: bool,
) -> None:
    if as_json:
        print_json(document())
        return
    print_label(model)
    for table in tables():
        print_titled(table)
