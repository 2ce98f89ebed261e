"""Reading a transcript: head lines, then rounds of acts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from croupier.games import UnknownGame, find_game
from croupier.rules.commands import Act, PlaceWager
from croupier.rules.game import CompleteDozen, FinaleZero, Game, Settings
from croupier.rules.layout import WagerType
from croupier.rules.limits import Limit, Limits
from croupier.rules.notation import (
    NotationError,
    read_cents,
    read_number,
    shown,
    suggestion,
)
from croupier.rules.wheel import Number
from croupier.transcript.acts import read_act
from croupier.transcript.lines import TranscriptError, Words, split_line
from croupier.transcript.people import read_who
from croupier.transcript.words import Reader


@dataclass(frozen=True, slots=True)
class Line:
    """One act of a transcript."""

    number: int
    text: str
    words: str
    act: Act
    wager_id: str | None


@dataclass(frozen=True, slots=True)
class Transcript:
    """A table's head and the acts of its rounds, in order."""

    game: Game
    limits: Limits = field(default_factory=Limits)
    settings: Settings = field(default_factory=Settings)
    rounds: tuple[tuple[Line, ...], ...] = ()


def read_transcript(lines: Iterable[str]) -> Transcript:
    """The transcript; raises `TranscriptError` at the first line that is none."""
    return _Reading().read(lines)


def read_line(game: Game, text: str, number: int = 1) -> Line:
    """One act, as in a transcript."""
    return _read_act_line(game, text, split_line(text, number))


class _Reading:
    """The transcript as read so far."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._limits = Limits()
        self._settings = Settings()
        self._rounds: list[list[Line]] = []
        self._ids: set[str] = set()
        self._last = 0

    def read(self, lines: Iterable[str]) -> Transcript:
        for number, text in enumerate(lines, start=1):
            self._last = number
            words = split_line(text.removeprefix("\ufeff").rstrip("\r\n"), number)
            if words:
                self._read_line(text, words)
        if self._game is None:
            raise TranscriptError("a transcript begins with: game NAME", 1)
        rounds = tuple(tuple(lines) for lines in self._rounds)
        return Transcript(self._game, self._limits, self._settings, rounds)

    def _read_line(self, text: str, words: Words) -> None:
        first = words.texts()[0]
        if self._game is None:
            self._game = _read_game(words)
        elif words.texts() == ("round",):
            self._rounds.append([])
            self._ids.clear()
        elif first in {"limits", "setting", "game"}:
            self._read_head(self._game, words)
        elif not self._rounds:
            raise words.error("a round begins with a line: round")
        else:
            self._rounds[-1].append(self._read_act(self._game, text, words))

    def _read_head(self, game: Game, words: Words) -> None:
        if self._rounds or words.texts()[0] == "game":
            raise words.error(f"{words.texts()[0]} belongs once, before the rounds")
        if words.texts()[0] == "limits":
            self._limits = add_limit(self._limits, words.after(1))
        else:
            self._settings = add_setting(game, self._settings, words.after(1))

    def _read_act(self, game: Game, text: str, words: Words) -> Line:
        line = _read_act_line(game, text, words)
        if isinstance(line.act.command, PlaceWager):
            assert line.wager_id is not None
            if line.wager_id in self._ids:
                raise words.error(
                    f"{line.wager_id} has been used in this round; ids are unique"
                )
            self._ids.add(line.wager_id)
        return line


def _read_act_line(game: Game, text: str, words: Words) -> Line:
    body = text.removeprefix("\ufeff").partition("#")[0]
    doer, colon, rest = body.partition(":")
    if not colon:
        raise words.error(
            f"{shown(body.strip())} is not an act; write: Dealer: place your bets"
        )
    who = read_who(doer.strip(), words.line)
    act_words = split_line(rest, words.line, start=len(doer) + 2)
    read = read_act(Reader(game, who.player), act_words)
    act = Act(who.people, read.command)
    return Line(words.line, body.strip(), read.words, act, read.wager_id)


def _read_game(words: Words) -> Game:
    texts = words.texts()
    if texts[0] != "game":
        raise words.error("a transcript begins with: game NAME")
    words.expect(2, "game mbs-roulette-v3")
    try:
        return find_game(texts[1])
    except UnknownGame as error:
        raise words.error(str(error), 1) from error


def _types(text: str, words: Words, place: int) -> WagerType | None:
    """A wager type, or None for `*`."""
    known = {each.value: each for each in WagerType}
    if text == "*":
        return None
    if text not in known:
        close = suggestion(text, known)
        hint = f"; did you mean {close}?" if close else ""
        raise words.error(f"{shown(text)} is not a wager type{hint}", place)
    return known[text]


def _cents(words: Words, place: int, least: int = 1) -> int:
    try:
        return read_cents(words.texts()[place], least=least)
    except NotationError as error:
        raise words.error(str(error), place) from error


def add_limit(limits: Limits, words: Words) -> Limits:
    """`* 5 1000` or `straight_up 5 100`, added to the limits."""
    texts = words.expect(3, "limits straight_up 5 100")
    wager_type = _types(texts[0], words, 0)
    limit = Limit(_cents(words, 1, least=0), _cents(words, 2))
    if limit.minimum_cents > limit.maximum_cents:
        raise words.error("the minimum is above the maximum", 1)
    if wager_type is None:
        if limits.general is not None:
            raise words.error("limits * has been given already")
        return replace(limits, general=limit)
    if wager_type in limits.by_type:
        raise words.error(f"limits {texts[0]} has been given already")
    return replace(limits, by_type={**limits.by_type, wager_type: limit})


def add_setting(game: Game, settings: Settings, words: Words) -> Settings:
    """`complete_dozen inside`, `area_maximum straight_up 500`, `ring 0 000 …`."""
    if not words:
        raise words.error(f"name a setting: {', '.join(game.settings)}")
    name, *values = words.texts()
    if name not in game.settings:
        raise words.error(
            f"{game.name} has no setting {shown(name)};"
            f" it has {', '.join(game.settings)}"
        )
    if name == "area_maximum":
        return _area_maximum(settings, words)
    if name == "ring":
        return replace(settings, ring=_ring(game, words))
    words.expect(2, f"setting {name} {_CHOICES[name][0]}")
    if values[0] not in _CHOICES[name]:
        raise words.error(f"{name} is one of: {', '.join(_CHOICES[name])}", 1)
    if name == "complete_dozen":
        return replace(settings, complete_dozen=CompleteDozen(values[0]))
    return replace(settings, finale_zero=FinaleZero(values[0]))


_CHOICES = {
    "complete_dozen": [each.value for each in CompleteDozen],
    "finale_zero": [each.value for each in FinaleZero],
}


def _area_maximum(settings: Settings, words: Words) -> Settings:
    if len(words) not in {2, 3}:
        raise words.error("write: setting area_maximum 500", len(words))
    last = len(words) - 1
    wager_type = _types(words.texts()[1], words, 1) if last > 1 else None
    caps = {**settings.area_maximum_cents, wager_type: _cents(words, last)}
    return replace(settings, area_maximum_cents=caps)


def _ring(game: Game, words: Words) -> tuple[Number, ...]:
    try:
        ring = tuple(read_number(text) for text in words.texts()[1:])
    except NotationError as error:
        raise words.error(str(error), 1) from error
    if sorted(ring) != sorted(game.numbers):
        raise words.error(f"a ring names each number of {game.name} once", 1)
    return ring
