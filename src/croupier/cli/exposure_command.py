"""`croupier exposure GAME PLAYER:WAGER@STAKE…`."""

from __future__ import annotations

from pathlib import Path

import click

from croupier.cli.model_options import terms_options
from croupier.cli.options import FILE, game_argument, json_option, read_text
from croupier.cli.output import print_json, print_tables
from croupier.errors import CroupierError
from croupier.odds.chips import Chips, read_chips
from croupier.odds.exposure import exposure_of
from croupier.odds.liability import maximum_liability
from croupier.odds.model import Model
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
    "--placed", is_flag=True, help="Wagers are placed electronically, not laid."
)
@json_option
def exposure_command(
    model: Model,
    wagers: tuple[str, ...],
    *,
    limits: tuple[str, ...],
    settings: tuple[str, ...],
    file: Path | None,
    players: int,
    placed: bool,
    as_json: bool,
) -> None:
    """Print the House's payments at each outcome, and the worst case.

    With --limits, also print the maximum liability that they allow: N Players, each
    with the maximum on every winning area.

    Example: croupier exposure mbs-roulette-v3 Anna:17@10 Ben:red@50
    """
    chips = _read(wagers, file)
    if not chips and not limits:
        raise click.UsageError("give wagers, such as Anna:red@50, or --limits")
    laid = False if placed else None
    exposure = most = None
    if chips:
        exposure = exposure_of(
            model, chips, limits=limits, settings=settings, laid=laid
        )
    if limits:
        most = maximum_liability(
            model, limits=limits, settings=settings, players=players
        )
    found = {"exposure": exposure, "liability": most}
    asked = {name: each for name, each in found.items() if each is not None}
    if as_json:
        told = {name: each.as_json() for name, each in asked.items()}
        print_json({**model.document(), **told})
    else:
        print_tables(model, [each.table() for each in asked.values()])


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
