"""One `[[tables]]` of a house file."""

from __future__ import annotations

from pathlib import Path

from croupier.games import UnknownGame, find_game
from croupier.house.plan import Lights, Money, TablePlan, WheelSource
from croupier.house.section import Section
from croupier.house.terms_in_file import (
    read_chips_in,
    read_limits_in,
    read_settings_in,
)
from croupier.journal.store import HOUSE_STREAM
from croupier.rules.clause import Rule
from croupier.rules.game import Game
from croupier.rules.notation import shown

MOST_SEATS = 1_000
LONGEST_COUNTDOWN = 600
LONGEST_PATH = 250
_USUAL = TablePlan(name="", game="", wheel=WheelSource.CONSOLE)


def read_table(table: Section, money: Money, folder: Path | None) -> TablePlan:
    """The table's plan; its game is empty where there is none of that name."""
    game = _read_game(table)
    wheel = table.choice("wheel", WheelSource)
    automatic = table.flag("automatic_dealer")
    countdown = table.whole(
        "countdown_seconds", _USUAL.countdown_seconds, least=0, most=LONGEST_COUNTDOWN
    )
    _check_wheel(table, money, wheel)
    if automatic:
        _check_automatic_dealer(table, money, wheel, countdown)
    return TablePlan(
        name=_read_name(table),
        game=game.name if game else "",
        wheel=wheel or _USUAL.wheel,
        lights=_read_lights(table, game) if game else None,
        countdown_seconds=countdown,
        limits=read_limits_in(table, game) if game else (),
        settings=read_settings_in(table, game) if game else (),
        chips=read_chips_in(table, _USUAL.chips),
        seats=table.whole("seats", _USUAL.seats, least=1, most=MOST_SEATS),
        automatic_dealer=automatic,
        rules_file=_read_rules_file(table, folder),
    )


def _read_name(table: Section) -> str:
    name = table.text("name")
    if "/" in name:
        table.note("a table's name has no /", "name")
    if name.casefold() == HOUSE_STREAM:
        table.note(f"no table is named {HOUSE_STREAM}: the house itself is", "name")
    return name


def _read_game(table: Section) -> Game | None:
    name = table.text("game", most=LONGEST_PATH)
    if not name:
        return None
    try:
        return find_game(name)
    except UnknownGame as error:
        table.note(str(error), "game")
        return None


def _read_lights(table: Section, game: Game) -> Lights | None:
    """Who confirms the lights; the Dealer, unless the file says the device."""
    if game.provides(Rule.BONUS_DRAW):
        return table.choice("lights", Lights) if "lights" in table else Lights.DEALER
    if "lights" in table:
        table.note(f"{game.name} draws no Bonus Numbers: it has no lights", "lights")
    return None


def _check_wheel(table: Section, money: Money, wheel: WheelSource | None) -> None:
    if money is Money.REAL and wheel is WheelSource.VIRTUAL:
        table.note("a virtual wheel is no document's wheel: no real money", "wheel")


def _check_automatic_dealer(
    table: Section, money: Money, wheel: WheelSource | None, countdown: int
) -> None:
    key = "automatic_dealer"
    if money is Money.REAL:
        table.note("an automatic dealer deals for no real money", key)
    if wheel not in {None, WheelSource.VIRTUAL}:
        table.note('an automatic dealer needs wheel = "virtual"', key)
    if countdown == 0:
        table.note("an automatic dealer needs a countdown", "countdown_seconds")


def _read_rules_file(table: Section, folder: Path | None) -> str | None:
    if "rules_file" not in table:
        return None
    name = table.text("rules_file", most=LONGEST_PATH)
    if name and folder is not None and not _is_file(folder / name):
        table.note(f"there is no file {shown(name)}", "rules_file")
    return name


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False
