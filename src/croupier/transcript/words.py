"""Reading the words of an act: numbers, amounts, wagers, ids."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from croupier.rules import commands as do
from croupier.rules.game import Game
from croupier.rules.notation import (
    AreaText,
    NotationError,
    WagerText,
    read_cents,
    read_number,
    read_wager,
)
from croupier.rules.wheel import Number
from croupier.transcript.lines import Words

_ID = re.compile(r"[A-Za-z0-9_.-]{1,40}")
_COUNT = re.compile(r"0|[1-9][0-9]{0,5}")


@dataclass(frozen=True, slots=True)
class ReadAct:
    """A command as it was written."""

    words: str
    """The act's words, as refusals name it: `no more bets`, `lay`."""
    command: do.Command
    wager_id: str | None = None


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads the words of acts; knows the game and whose line it is."""

    game: Game
    player: str | None

    def number(self, words: Words, place: int) -> Number:
        return _noted(words, place, read_number)

    def cents(self, words: Words, place: int) -> int:
        return _noted(words, place, read_cents)

    def wager(self, words: Words, place: int) -> WagerText:
        further = self.game.multiples
        return _noted(words, place, lambda text: read_wager(text, further))

    def count(self, words: Words, place: int) -> int:
        if place >= len(words) or not _COUNT.fullmatch(words.words[place].text):
            raise words.error("a whole number belongs here", place)
        return int(words.words[place].text)

    def wager_id(self, words: Words, place: int) -> str:
        if place >= len(words) or not _ID.fullmatch(words.words[place].text):
            raise words.error(
                "a wager's id belongs here: letters, digits, - and _", place
            )
        return words.words[place].text

    def treatment(self, words: Words) -> do.Treatment:
        """`return`, `amount 3` or an area."""
        match words.texts():
            case ("return",):
                return do.ReturnIt()
            case ("amount", _):
                return do.GiveAmount(self.cents(words, 1))
            case (_,):
                area = self.wager(words, 0)
                if isinstance(area, AreaText):
                    return do.GivePosition(area)
                raise words.error("a ruling names one area")
        raise words.error("write: return, amount 3, or an area")


T = TypeVar("T")


def _noted(words: Words, place: int, read: Callable[[str], T]) -> T:
    """The word of that place, read; a fault of notation points to it."""
    if place >= len(words):
        raise words.error("something is missing here", place)
    try:
        return read(words.words[place].text)
    except NotationError as error:
        raise words.error(str(error), place) from error
