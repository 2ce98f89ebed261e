"""`croupier layout GAME`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from croupier.cli.options import game_argument, json_option, picture_options
from croupier.cli.output import (
    check_options,
    print_columns,
    print_json,
    print_picture,
    print_table,
)
from croupier.rules.clause import Refusal, WagerRefused
from croupier.rules.game import Game, Pays, Settings
from croupier.rules.layout import BettingArea
from croupier.rules.notation import MultipleText, read_wager
from croupier.rules.pieces import Placement, find_placement
from croupier.rules.wheel import in_layout_order
from croupier.tabular import TextTable


@click.command("layout")
@game_argument
@click.argument("wagers", nargs=-1, metavar="[WAGER…]")
@json_option
@picture_options
def layout_command(
    game: Game,
    wagers: tuple[str, ...],
    *,
    as_json: bool,
    svg: bool,
    theme: str | None,
    output: Path | None,
) -> None:
    """List every betting area of GAME: name, type, numbers, pays.

    With WAGER…, list only the areas that their pieces lie on.

    Example: croupier layout mbs-complete-bet-v2 tiers complete:17 --svg
    """
    check_options(as_json=as_json, svg=svg, theme=theme, output=output)
    areas = [area for text in wagers for area in _pieces(game, text)]
    if svg:
        from croupier.drawing import DrawnChips, Theme, draw_table

        chips = [DrawnChips(area.name, _UNIT_CENTS) for area in areas]
        picture = draw_table(game, chips=chips, theme=Theme(theme or "dark"))
        print_picture(picture, output)
    elif as_json:
        print_json({"game": game.name, "areas": _json(game, areas or game.areas)})
    else:
        _print_areas(game, areas or game.areas)
        if game.multiples and not areas:
            click.echo()
            _print_multiples(game)


_UNIT_CENTS = 100


def _pieces(game: Game, text: str) -> tuple[BettingArea, ...]:
    wager = read_wager(text, game.multiples, game.numbers)
    found = find_placement(game, Settings(), wager)
    if isinstance(found, Refusal):
        raise WagerRefused(found)
    return found.areas


def _json(game: Game, areas: Sequence[BettingArea]) -> list[dict[str, Any]]:
    return [
        {
            "area": area.name,
            "type": area.wager_type,
            "numbers": in_layout_order(area.numbers),
            "pays": game.pay_table[area.wager_type],
        }
        for area in areas
    ]


def _print_areas(game: Game, areas: Sequence[BettingArea]) -> None:
    table = TextTable.of(
        "",
        areas,
        {
            "area": lambda area: area.name,
            "type": lambda area: area.wager_type.title,
            "numbers": lambda area: " ".join(in_layout_order(area.numbers)),
            ">pays": lambda area: _pays_text(game.pay_table[area.wager_type]),
        },
    )
    print_table(table)


def _pays_text(pays: Pays) -> str:
    if isinstance(pays, int):
        return f"{pays} to 1"
    return " / ".join(str(to_one) for to_one in pays.values()) + " to 1"


def _print_multiples(game: Game) -> None:
    """Print the multiple-piece wagers, with the pieces of those without a number."""
    rows: list[tuple[str, ...]] = []
    for word, (row, _) in game.multiples.items():
        found = find_placement(game, Settings(), MultipleText(word, ()))
        if isinstance(found, Placement):
            pieces = " ".join(area.name.partition(":")[2] for area in found.areas)
            rows.append((word, str(len(found.areas)), pieces))
        else:
            rows.append((f"{word}:…", "", row.says))
    print_columns(("multiple-piece wager", ">pieces", "on"), rows)
