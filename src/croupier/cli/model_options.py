"""Options of the commands that calculate: the game's model, wagers, strategies."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from croupier.cli.options import (
    FILE,
    Command,
    limits_option,
    read_text,
    setting_option,
    together,
)
from croupier.odds.model import Model, model_of
from croupier.odds.what_if import WhatIfError, read_what_if
from croupier.rules.game import Game

if TYPE_CHECKING:
    from croupier.lab.sessions import Strategy

_RULES = click.Choice(["stake-allowed", "start-again", "stop"])

chip_option = click.option(
    "--chip",
    default="1",
    show_default=True,
    metavar="MONEY",
    help="The chip unit: every stake is a whole number of it.",
)


def wager_option(*, required: bool, more: str = "") -> Callable[[Command], Command]:
    """Return `--wager`; the command gets all wagers as one text."""
    return click.option(
        "-w",
        "--wager",
        multiple=True,
        required=required,
        metavar="WAGER@STAKE",
        callback=lambda _ctx, _param, wagers: " + ".join(wagers),
        help="One unit of the stake. May be repeated; red@10 + 17@5 stakes both."
        + more,
    )


money_options = together(
    click.option(
        "--bankroll",
        required=True,
        metavar="MONEY",
        help="The Player's bankroll at the start.",
    ),
    click.option(
        "--target", metavar="MONEY", help="The session ends at this bankroll."
    ),
    click.option(
        "--stop-loss", metavar="MONEY", help="The session stops at this loss."
    ),
)


class _StrategyName(click.ParamType["str | Strategy"]):
    """The name of a strategy, or a TOML file with its table of states."""

    name = "NAME"

    def convert(
        self, value: Any, _param: click.Parameter | None, _ctx: click.Context | None
    ) -> str | Strategy:
        if not str(value).endswith(".toml"):
            return str(value)
        from croupier.lab.sessions import SessionError, read_strategy

        try:
            return read_strategy(read_text(Path(value)))
        except SessionError as error:
            raise SessionError(f"{value}: {error}") from error


def strategy_options(files: str) -> Callable[[Command], Command]:
    """Return `--strategy` and its stake rules; `files` names the files it accepts."""
    return together(
        click.option(
            "--strategy",
            type=_StrategyName(),
            default="flat",
            show_default=True,
            help="flat, martingale, grand-martingale, paroli, d-alembert,"
            f" fibonacci, oscars-grind, 1-3-2-6, labouchere, {files}",
        ),
        click.option(
            "--over-maximum",
            type=_RULES,
            help="The rule for a stake above the table's maximum.",
        ),
        click.option(
            "--over-bankroll",
            type=_RULES,
            help="The rule for a stake above the bankroll.",
        ),
    )


def terms_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of a game's terms; the command gets a `Model`, not a `Game`."""

    @wraps(command)
    def with_model(
        game: Game, *given: Any, what_if: Path | None, **options: Any
    ) -> None:
        command(model_for(game, what_if), *given, **options)

    return limits_option()(setting_option()(what_if_option(with_model)))


what_if_option = click.option(
    "--what-if",
    type=FILE,
    metavar="FILE",
    help="Another pay table, ring or wheel, as TOML: not an approved game.",
)


def model_for(game: Game, what_if: Path | None) -> Model:
    if what_if is None:
        return model_of(game)
    text = read_text(what_if)
    try:
        return read_what_if(game, text)
    except WhatIfError as error:
        place = what_if if error.line is None else f"{what_if}:{error.line}"
        raise click.UsageError(f"{place}: {error}") from error
