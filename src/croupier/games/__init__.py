"""The five games, and the games that other installed packages add."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from croupier.errors import check_type
from croupier.games.installed import (
    ENTRY_POINT_GROUP,
    GameReason,
    InstalledGames,
    UnknownGame,
    installed_games,
)
from croupier.rules.game import Game
from croupier.rules.reasons import Reason, did_you_mean

_OURS = {
    "mbs-roulette-v2": ("mbs_roulette_v2", "MBS_ROULETTE_V2"),
    "mbs-roulette-v3": ("mbs_roulette_v3", "MBS_ROULETTE_V3"),
    "mbs-complete-bet-v2": ("mbs_complete_bet_v2", "MBS_COMPLETE_BET_V2"),
    "mbs-fast-action-v2": ("mbs_fast_action_v2", "MBS_FAST_ACTION_V2"),
    "rws-triple-zero": ("rws_triple_zero", "RWS_TRIPLE_ZERO"),
}

__all__ = [
    "ENTRY_POINT_GROUP",
    "UnknownGame",
    "all_games",
    "find_game",
    "game_of_document",
    "games_left_out",
    "is_approved",
]


@cache
def all_games() -> tuple[Game, ...]:
    """Return the five games, then those of other packages, by name."""
    ours = [_load(*place) for place in _OURS.values()]
    return (*ours, *_installed().games)


def games_left_out() -> tuple[Reason, ...]:
    return tuple(_installed().left_out.values())


def is_approved(game: Game) -> bool:
    """Return whether the game is one of the five; a copy of one is not."""
    return game.name in _OURS and _load(*_OURS[game.name]) is game


def _installed() -> InstalledGames:
    return installed_games(frozenset(_OURS))


def find_game(name: str) -> Game:
    """Return the game of that name; raise `UnknownGame` with a reason or suggestion."""
    check_type(
        "game", "the name of a game, such as 'mbs-roulette-v3', or a Game", name, str
    )
    if name in _OURS:
        return _load(*_OURS[name])
    for game in all_games():
        if game.name == name:
            return game
    raise UnknownGame(_installed().left_out.get(name) or _no_such_game(name))


def as_game(game: str | Game) -> Game:
    return game if isinstance(game, Game) else find_game(game)


def game_of_document(document: str) -> Game:
    """Return the game that carries out the document, or raise `UnknownGame`."""
    for game in all_games():
        if game.document == document:
            return game
    raise UnknownGame(GameReason.NO_GAME_OF_DOCUMENT(text=repr(document[:60])))


@cache
def _load(module: str, constant: str) -> Game:
    game = getattr(import_module(f"croupier.games.{module}"), constant)
    assert isinstance(game, Game)
    return game


def _no_such_game(name: str) -> Reason:
    from difflib import get_close_matches

    from croupier.rules.notation import shown

    known = [game.name for game in all_games()]
    close = get_close_matches(name[:60], known, n=1, cutoff=0.4)
    if not close:
        return GameReason.GAMES_ARE(text=shown(name), names=", ".join(known))
    return did_you_mean(GameReason.NO_SUCH_GAME(text=shown(name)), close[0])
