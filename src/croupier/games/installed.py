"""Games that other installed packages add, by entry points.

The one module of `games` that looks at the disk: it asks the installed packages, and
importing `importlib.metadata` for that is worth it only if one of them answers.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from enum import unique
from typing import TYPE_CHECKING

from croupier.rules.game import Game
from croupier.rules.reasons import Reason, ReasonCode

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


@unique
class GameReason(ReasonCode):
    """Why a game can't be had."""

    NO_SUCH_GAME = "there is no game {text}"
    GAMES_ARE = "there is no game {text}; there are {names}"
    NO_GAME_OF_DOCUMENT = "no installed game carries out {text}"
    GAME_FAILS = "the installed game {name} fails: {text}"
    NOT_A_GAME = "{name} is installed as a game, but is none"


class UnknownGame(Exception):
    """No game of that name is installed, or it can't be loaded."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


ENTRY_POINT_GROUP = "croupier.games"
"""A package adds a game by an entry point of this group that names a `Game`."""
_MARK = f"[{ENTRY_POINT_GROUP}]".encode()


def installed_games() -> list[Game]:
    """Return the games of other packages, by name."""
    if not any(_MARK in text for text in _entry_point_files()):
        return []
    from importlib.metadata import entry_points

    games = [_load(point) for point in entry_points(group=ENTRY_POINT_GROUP)]
    return sorted(games, key=lambda game: game.name)


def _load(point: EntryPoint) -> Game:
    try:
        game = point.load()
    except Exception as error:
        reason = GameReason.GAME_FAILS(name=point.value, text=str(error))
        raise UnknownGame(reason) from error
    if not isinstance(game, Game):
        raise UnknownGame(GameReason.NOT_A_GAME(name=point.value))
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
