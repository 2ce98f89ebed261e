"""`croupier exposure GAME PLAYER:WAGER@STAKE…`."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.cli.mistakes import read_text
from croupier.cli.options import (
    FILE,
    game_argument,
    json_option,
    model_for,
    terms_options,
)
from croupier.cli.output import print_json, print_label, print_titled
from croupier.errors import CroupierError
from croupier.odds.chips import Chips, read_chips
from croupier.odds.exposure import exposure_of
from croupier.odds.liability import maximum_liability
from croupier.rules.game import Game
from croupier.rules.notation import shown
from croupier.transcript.words import read_name

_MOST_PLAYERS = 1_000_000


@click.command("exposure")
@game_argument
@click.argument("wagers", nargs=-1, metavar="[PLAYER:WAGER@STAKE…]")
@terms_options
@click.option(
    "--wagers",
    "file",
    type=FILE,
    metavar="FILE",
    help="Further wagers, a line for each Player: 'Anna: red@50 17@10'.",
)
@click.option(
    "--players",
    type=click.IntRange(1, _MOST_PLAYERS),
    default=1,
    metavar="N",
    help="With --limits: N Players, each at the maximum.",
)
@click.option(
    "--placed",
    is_flag=True,
    help="Wagers are placed electronically, not laid.",
)
@json_option
def exposure_command(
    game: Game,
    wagers: tuple[str, ...],
    *,
    limits: tuple[str, ...],
    setting: tuple[str, ...],
    what_if: Path | None,
    file: Path | None,
    players: int,
    placed: bool,
    as_json: bool,
) -> None:
    """Print what the House pays at each outcome, and the worst of it.

    With --limits also the maximum liability that the limits allow: N Players with
    the maximum on every area that wins.

    Example: croupier exposure mbs-roulette-v3 Anna:17@10 Ben:red@50
    """
    model = model_for(game, what_if)
    chips = _read(wagers, file)
    if not chips and not limits:
        raise click.UsageError("give wagers, such as Anna:red@50, or --limits")
    laid = False if placed else None
    exposure = most = None
    if chips:
        exposure = exposure_of(model, chips, limits=limits, settings=setting, laid=laid)
    if limits:
        most = maximum_liability(
            model, limits=limits, settings=setting, players=players
        )
    if as_json:
        found = model.document()
        if exposure is not None:
            found["exposure"] = exposure.as_json()
        if most is not None:
            found["liability"] = most.as_json()
        print_json(found)
        return
    print_label(model)
    if exposure is not None:
        print_titled(exposure.table())
    if most is not None:
        print_titled(most.table())


def _read(wagers: tuple[str, ...], file: Path | None) -> list[Chips]:
    chips = [_read_one(text) for text in wagers]
    for number, line in enumerate(read_text(file).splitlines() if file else (), 1):
        words = line.partition("#")[0].strip()
        if not words:
            continue
        player, colon, rest = words.partition(": ")
        if not colon:
            raise click.UsageError(
                f"{file}:{number}: {shown(words)} is not PLAYER: WAGER@STAKE…"
            )
        try:
            chips += [_chips(text, player.strip()) for text in rest.split()]
        except CroupierError as error:
            raise click.UsageError(f"{file}:{number}: {error}") from error
    return chips


def _read_one(text: str) -> Chips:
    player, colon, wager = text.partition(":")
    if not colon or not player:
        raise click.UsageError(
            f"{shown(text)} is not PLAYER:WAGER@STAKE, such as Anna:red@5"
        )
    return _chips(wager, player)


def _chips(text: str, player: str) -> Chips:
    return read_chips(text, read_name(player, 0))
