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
from croupier.cli.output import check_options, print_columns, print_json, print_picture
from croupier.rules.cents import write_cents
from croupier.rules.clause import Rule
from croupier.rules.events import SettledWager
from croupier.rules.game import Game
from croupier.rules.notation import shown, split_stake
from croupier.rules.round import RoundOfPlay
from croupier.transcript import PracticeTable
from croupier.transcript.results import round_json, totals

_PLAYER = "You"


@click.command("settle")
@game_argument
@click.argument("outcome", metavar="OUTCOME")
@click.argument("wagers", nargs=-1, required=True, metavar="WAGER@STAKE…")
@click.option(
    "--bonus",
    metavar="NUMBERS",
    help="The Bonus Numbers, joined by commas, where the game draws them.",
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
    setting: tuple[str, ...],
    as_json: bool,
    svg: bool,
    theme: str | None,
    output: Path | None,
) -> None:
    """Settle one Player's wagers on one outcome.

    Example: croupier settle mbs-roulette-v3 17 17@10 red@50 17/20@5
    """
    check_options(as_json=as_json, svg=svg, theme=theme, output=output)
    table = PracticeTable(game, limits=limits, settings=setting)
    state = _play(table, outcome, wagers, bonus)
    if svg:
        from croupier.drawing import Theme, draw_round

        print_picture(draw_round(state, theme=Theme(theme or "dark")), output)
    elif as_json:
        print_json(_json(state))
    else:
        _print(state)


def _play(
    table: PracticeTable, outcome: str, wagers: tuple[str, ...], bonus: str | None
) -> RoundOfPlay:
    """Play the whole round, from opening to settlement."""
    game = table.game
    word = "lay" if game.provides(Rule.CHIPS_ON_LAYOUT) else "place"
    table.act("Dealer: place your bets")
    split = [split_stake(_word(text)) for text in wagers]
    table.act_together(
        f"{_PLAYER}: {word} {wager} {stake} as w{place}"
        for place, (wager, stake) in enumerate(split, start=1)
    )
    table.act("Dealer: spin")
    table.act("Dealer: no more bets")
    if bonus is not None:
        table.act(f"RNG: bonus numbers {_word(bonus).replace(',', ' ')}")
    table.act(f"Dealer: outcome {_word(outcome)}")
    table.act("Dealer: settle")
    return table.state


def _word(text: str) -> str:
    """Return the one word: it goes into an act's line, and nothing may come with it."""
    if not text or "#" in text or len(text.split()) != 1 or text != text.strip():
        raise click.UsageError(f"{shown(text)} is not one word, such as red@5 or 17")
    return text


def _json(state: RoundOfPlay) -> dict[str, Any]:
    """Return the round as in a transcript, without what only several Players need."""
    round_object = round_json(state, ())
    wagers = [
        {key: value for key, value in wager.items() if key not in {"id", "player"}}
        for wager in round_object.pop("wagers")
    ]
    del round_object["players"]
    sums = totals(piece for wager in _settled(state) for piece in wager.pieces)
    return {"game": state.game.name, **round_object, "wagers": wagers, **sums}


def _settled(state: RoundOfPlay) -> tuple[SettledWager, ...]:
    assert state.settled is not None
    return state.settled.wagers


def _print(state: RoundOfPlay) -> None:
    rows: list[tuple[str, ...]] = []
    for wager in _settled(state):
        if len(wager.pieces) > 1:
            rows.append(_row(wager.wager, totals(wager.pieces), ""))
        for piece in wager.pieces:
            indent = "  " if len(wager.pieces) > 1 else ""
            rows.append(_row(indent + piece.area, totals([piece]), piece.clause))
    every = totals(piece for wager in _settled(state) for piece in wager.pieces)
    rows.append(_row("total", every, ""))
    print_columns(
        ("wager", ">stake", ">paid", ">collected", ">returned", "clause"), rows
    )


def _row(name: str, sums: Any, clause: str) -> tuple[str, ...]:
    return (name, *(write_cents(cents) for cents in sums.values()), clause)
