"""Chips and a table's terms, as values and read from text."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from croupier.errors import CroupierError, items_of, plain_int
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Settings
from croupier.rules.notation import read_cents, split_stake
from croupier.rules.terms import Limits, read_limits, read_settings

PLAYER = "Player"


class ChipsError(CroupierError):
    """The value can't be read as chips; the message says what would be right."""


class Chips(Struct, frozen=True):
    """A Player's wager: its notation and the stake on each piece."""

    wager: str
    stake_cents: int | None
    """None for a complete maximum wager: the limits set its stakes (A6)."""
    player: str = PLAYER

    def __str__(self) -> str:
        if self.stake_cents is None:
            return self.wager
        units, cents = divmod(self.stake_cents, 100)
        return f"{self.wager}@{units}" + (f".{cents:02}" if cents else "")


WAGERS = "text such as 'red@10', or a list of it"


def read_chips(text: str, player: str = PLAYER) -> Chips:
    wager, stake = split_stake(text)
    return Chips(wager, read_cents(stake) if stake else None, player)


def chips_of(wagers: str | Iterable[str | Chips]) -> list[Chips]:
    """Return the chips; a text has them separated by spaces."""
    if isinstance(wagers, str):
        return [read_chips(each) for each in wagers.split()]
    return [as_chips(each) for each in items_of("wagers", WAGERS, wagers)]


def as_chips(given: object) -> Chips:
    """Return chips as given, or read from text; raise `ChipsError` for others."""
    if isinstance(given, str):
        return read_chips(given.strip())
    if isinstance(given, Chips):
        return replace(given, stake_cents=plain_int(given.stake_cents))
    raise ChipsError(
        f"{given!r:.60} is no wager: write it as text, such as 'red@10', or as Chips"
    )


class LayoutTerms(Struct, frozen=True):
    """The terms of a table: its limits, its settings, and its way of placing chips."""

    limits: Limits
    settings: Settings
    laid: bool | None = None
    """True: chips on the layout. False: placed electronically. None: as in the game."""
    warned: frozenset[str] = frozenset()
    """Players who have already had an under-minimum wager stand once (A9)."""

    def electronic(self, game: Game) -> bool:
        if self.laid is None:
            return not game.provides(Rule.CHIPS_ON_LAYOUT)
        return not self.laid


def read_terms(
    game: Game,
    *,
    limits: Limits | Iterable[str] | None = None,
    settings: Settings | Iterable[str] | None = None,
    laid: bool | None = None,
    warned: bool | Iterable[str] = False,
) -> LayoutTerms:
    """Read terms from values or from text: `["* 5 1000"]`; raise `NotationError`."""
    if isinstance(warned, bool):
        warned = [PLAYER] if warned else []
    return LayoutTerms(
        read_limits(() if limits is None else limits, game),
        read_settings(game, () if settings is None else settings),
        laid,
        frozenset(warned),
    )
