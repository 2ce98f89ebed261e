"""`croupier odds GAME [WAGER…]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from croupier import __version__
from croupier.cli.options import (
    FILE,
    game_argument,
    json_option,
    model_for,
    terms_options,
)
from croupier.cli.output import (
    print_columns,
    print_json,
    print_label,
    print_table,
    print_titled,
    write_text,
)
from croupier.rules.cents import write_cents
from croupier.rules.game import Game
from croupier.rules.notation import is_at_maximum
from croupier.tabular import TextTable

if TYPE_CHECKING:
    from fractions import Fraction
    from pathlib import Path

    from croupier.odds.chips import LayoutTerms
    from croupier.odds.chips_odds import Correlation
    from croupier.odds.model import Model
    from croupier.odds.sheet import ParSheet
    from croupier.odds.wager_odds import Odds

_SHOWN_PAIRS = 28
"""Every two of eight wagers."""


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
    if as_json + as_csv + (html is not None) > 1:
        raise click.UsageError("choose one of --json, --csv and --html")
    model = model_for(game, what_if)
    staked = any("@" in text for text in wagers)
    if (placed or warned) and not staked:
        raise click.UsageError("--placed and --warned go with stakes, as in red@5")
    if limits and wagers and not staked and not any(map(is_at_maximum, wagers)):
        raise click.UsageError(
            "--limits do nothing for wagers without stakes: give stakes (red@5), a"
            " complete maximum wager, or no wager for the whole sheet"
        )
    if staked and (as_csv or html):
        raise click.UsageError("--csv and --html are for wagers without stakes")
    from croupier.odds.chips import read_terms
    from croupier.odds.sheet import sheet_of, whole_sheet

    terms = read_terms(
        model.game,
        limits=limits,
        settings=setting,
        laid=False if placed else None,
        warned=warned,
    )
    if staked:
        _layout(model, wagers, terms, as_json=as_json)
        return
    pairs: list[Correlation] = []
    if len(wagers) > 1:
        from croupier.odds.chips_odds import correlations

        pairs = correlations(model, wagers, terms)
    sheet = sheet_of(model, wagers, terms) if wagers else whole_sheet(model, terms)
    if html is not None:
        write_text(html, sheet.html(f"Reckoned by croupier {__version__}."))
    elif as_csv:
        from croupier.odds.sheet_formats import csv_table

        click.echo(csv_table(sheet).csv(), nl=False)
    elif as_json:
        _print_sheet_json(sheet, pairs)
    else:
        _print_sheet(sheet, pairs)


def _layout(
    model: Model,
    wagers: tuple[str, ...],
    terms: LayoutTerms,
    *,
    as_json: bool,
) -> None:
    """Print the odds of one Player's chips, together and each for itself."""
    from croupier.odds.chips import read_chips
    from croupier.odds.chips_odds import layout_parts

    chips = [read_chips(text) for text in wagers]
    every, alone, pairs = layout_parts(model, chips, terms)
    if as_json:
        from croupier.odds.sheet_formats import correlation_json, layout_json

        print_json(
            {
                **model.document(),
                "wagers": [odds.as_laid_json() for odds in alone],
                "layout": layout_json(every, tuple(map(str, chips))),
                "correlations": [correlation_json(pair) for pair in pairs],
            }
        )
        return
    print_label(model)
    click.echo()
    _print_layout(every)
    if len(alone) > 1:
        click.echo()
        _print_alone(alone)
        _print_pairs(pairs)


def _print_layout(odds: Odds) -> None:
    from croupier.odds.wager_odds import exact

    figures = [
        ("stake", write_cents(int(odds.stake))),
        ("at risk", write_cents(int(odds.at_risk))),
        ("return", exact(odds.return_to_player)),
        *odds.edge_lines(),
        ("hit frequency", exact(odds.hit_frequency)),
        ("ends ahead", exact(odds.ahead_probability)),
        ("standard deviation", f"{odds.standard_deviation / 100:.4f}"),
        ("skewness", f"{odds.skewness:.4f}"),
        ("maximum win", write_cents(int(odds.maximum_win))),
    ]
    click.echo("\n".join(TextTable("", ("", ""), figures).lines()))
    click.echo()
    print_columns(
        (">net", ">probability", "exactly"),
        [
            (write_cents(int(value)), f"{float(chance):.6f}", str(chance))
            for value, chance in odds.net.outcomes
        ],
    )


def _print_alone(alone: list[Odds]) -> None:
    """Print each wager by itself, per unit staked on it."""
    table = TextTable.of(
        "",
        [odds.per_unit for odds in alone],
        {
            "alone": lambda odds: odds.name,
            ">win probability": lambda odds: str(odds.win_probability),
            ">return": lambda odds: str(odds.return_to_player),
            ">house edge": lambda odds: str(odds.house_edge),
            ">variance": lambda odds: str(odds.variance),
            ">at risk": lambda odds: str(odds.at_risk),
            ">edge at risk": lambda odds: _or_none(odds.house_edge_at_risk),
        },
    )
    print_table(table)


def _or_none(edge: Fraction | None) -> str:
    return "none" if edge is None else str(edge)


def _print_pairs(pairs: list[Correlation]) -> None:
    if not pairs:
        return
    table = TextTable.of(
        "",
        pairs[:_SHOWN_PAIRS],
        {
            "together": lambda pair: pair.one.name,
            "": lambda pair: pair.other.name,
            ">covariance": lambda pair: str(pair.covariance),
            ">correlation": lambda pair: f"{pair.coefficient:.6f}",
        },
    )
    click.echo()
    print_table(table)
    if len(pairs) > _SHOWN_PAIRS:
        click.echo(f"and {len(pairs) - _SHOWN_PAIRS} more pairs, in --json")


def _print_sheet(sheet: ParSheet, pairs: list[Correlation]) -> None:
    from croupier.odds.sheet_formats import (
        METHODS,
        band_tables,
        kind_table,
        wager_table,
    )

    print_label(sheet.model)
    for table in (wager_table(sheet), kind_table(sheet), *band_tables(sheet)):
        print_titled(table)
    _print_pairs(pairs)
    if sheet.liability is not None:
        click.echo(f"\nLiability of a round: {sheet.liability}")
    cited = ", ".join(each.number for each in (*sheet.clauses, *sheet.readings))
    click.echo(f"\nBy {cited}\n\n{click.wrap_text(METHODS, 88)}")


def _print_sheet_json(sheet: ParSheet, pairs: list[Correlation]) -> None:
    from croupier.odds.sheet_formats import correlation_json, sheet_json

    found = sheet_json(sheet)
    if pairs:
        found["correlations"] = [correlation_json(pair) for pair in pairs]
    print_json(found)
