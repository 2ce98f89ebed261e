"""Games that other installed packages add, by entry points.

This is the only module of `games` that reads the disk. It imports the slow
`importlib.metadata` only if an installed package names our entry point.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from enum import unique
from functools import cache
from typing import TYPE_CHECKING

from croupier.errors import CroupierError
from croupier.rules.game import Game
from croupier.rules.reasons import Reason, ReasonCode

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@unique
class GameReason(ReasonCode):
    """A reason why a game can't be used."""

    NO_SUCH_GAME = "there is no game {text}"
    GAMES_ARE = "there is no game {text}; there are {names}"
    NO_GAME_OF_DOCUMENT = "no installed game carries out {text}"
    GAME_FAILS = "the installed game {name} can't be loaded: {text}"
    GAME_FAULTY = "the installed game {name} is left out: {text}"
    GAME_NAME_TAKEN = "the installed game {name} is left out: there is a {text} already"
    NOT_A_GAME = "{name} is installed as a game, but is none"


class UnknownGame(CroupierError):
    """No game of that name is installed, or it can't be loaded."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


ENTRY_POINT_GROUP = "croupier.games"
"""A package adds a game by an entry point of this group that names a `Game`."""
_MARK = f"[{ENTRY_POINT_GROUP}]".encode()


@dataclass(frozen=True, slots=True)
class InstalledGames:
    """The games of other packages, and by entry point why others are left out."""

    games: tuple[Game, ...] = ()
    left_out: Mapping[str, Reason] = field(default_factory=dict)


@cache
def installed_games(taken: frozenset[str]) -> InstalledGames:
    """Return the games of other packages; leave out a game whose name is taken."""
    if not any(_MARK in text for text in _entry_point_files()):
        return InstalledGames()
    from importlib.metadata import entry_points

    games: dict[str, Game] = {}
    left_out: dict[str, Reason] = {}
    for point in entry_points(group=ENTRY_POINT_GROUP):
        found = _load(point, taken | games.keys())
        if isinstance(found, Game):
            games[found.name] = found
        else:
            left_out[point.name] = found
    return InstalledGames(tuple(games[each] for each in sorted(games)), left_out)


def _load(point: EntryPoint, taken: Collection[str]) -> Game | Reason:
    """Return the game, or the reason to leave it out; a faulty game harms no other."""
    from croupier.games.validation import game_faults

    try:
        game = point.load()
        if not isinstance(game, Game):
            return GameReason.NOT_A_GAME(name=point.value)
        faults = game_faults(game)
    except Exception as error:  # noqa: BLE001 - another package's code may do anything
        text = f"{type(error).__name__}: {error}"
        return GameReason.GAME_FAILS(name=point.value, text=text)
    if faults:
        text = "; ".join(map(str, faults))
        return GameReason.GAME_FAULTY(name=point.value, text=text)
    if game.name in taken:
        return GameReason.GAME_NAME_TAKEN(name=point.value, text=game.name)
    return game


def _entry_point_files() -> Iterator[bytes]:
    for folder in dict.fromkeys(sys.path):
        try:
            names = os.listdir(folder or ".")
        except OSError:
            continue
        for name in names:
            if name.endswith((".dist-info", ".egg-info")):
                yield _read(os.path.join(folder, name, "entry_points.txt"))


def _read(path: str) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""
