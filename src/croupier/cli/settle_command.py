"""`croupier settle GAME OUTCOME WAGER@STAKE…`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from croupier.cli.options import (
    game_argument,
    json_option,
    limits_option,
    picture_options,
    setting_option,
)
from croupier.cli.output import check_options, print_json, print_picture, print_table
from croupier.rules.game import Game
from croupier.transcript import Settlement, settle
from croupier.transcript.results import round_json, totals


@click.command("settle")
@game_argument
@click.argument("outcome", metavar="OUTCOME")
@click.argument("wagers", nargs=-1, required=True, metavar="WAGER@STAKE…")
@click.option(
    "--bonus",
    metavar="NUMBERS",
    help="The Bonus Numbers, joined by commas, if the game draws them.",
)
@limits_option()
@setting_option()
@json_option
@picture_options
def settle_command(
    game: Game,
    outcome: str,
    wagers: tuple[str, ...],
    *,
    bonus: str | None,
    limits: tuple[str, ...],
    settings: tuple[str, ...],
    as_json: bool,
    svg: bool,
    theme: str | None,
    output: Path | None,
) -> None:
    """Settle one Player's wagers on one outcome.

    Example: croupier settle mbs-roulette-v3 17 17@10 red@50 17/20@5
    """
    check_options(as_json=as_json, svg=svg, theme=theme, output=output)
    settled = settle(
        game, outcome, wagers, bonus=bonus or (), limits=limits, settings=settings
    )
    if svg:
        from croupier.drawing import Theme, draw_round

        print_picture(draw_round(settled.state, theme=Theme(theme or "dark")), output)
    elif as_json:
        print_json(_json(settled))
    else:
        print_table(settled.table())


def _json(settled: Settlement) -> dict[str, Any]:
    """Return the round as in a transcript, without the names of Players."""
    round_object = round_json(settled.state, ())
    wagers = [
        {key: value for key, value in wager.items() if key not in {"id", "player"}}
        for wager in round_object.pop("wagers")
    ]
    del round_object["players"]
    sums = totals(settled.pieces)
    return {"game": settled.state.game.name, **round_object, "wagers": wagers, **sums}
