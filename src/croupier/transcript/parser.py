"""The parser of transcripts: head lines, then rounds of acts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from croupier.errors import check_type
from croupier.games import UnknownGame, find_game
from croupier.rules.commands import Act, PlaceWager
from croupier.rules.game import Game, Settings
from croupier.rules.notation import NotationError, shown
from croupier.rules.terms import Limits, add_limit, add_setting
from croupier.transcript.acts import read_act
from croupier.transcript.reasons import TranscriptReason
from croupier.transcript.words import (
    ActReader,
    TranscriptError,
    Words,
    read_who,
    split_line,
)


@dataclass(frozen=True, slots=True)
class TranscriptLine:
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
    rounds: tuple[tuple[TranscriptLine, ...], ...] = ()

    def __repr__(self) -> str:
        return f"<Transcript of {self.game.name}: rounds {len(self.rounds)}>"


def read_transcript(lines: Iterable[str]) -> Transcript:
    """Read a transcript; raise `TranscriptError` at the first wrong line."""
    return _Parser().read(lines)


def read_line(game: Game, text: str, number: int = 1) -> TranscriptLine:
    return _read_act_line(game, text, split_line(text, number))


class _Parser:
    """Reads a transcript line by line, and collects its head and rounds."""

    def __init__(self) -> None:
        self._game: Game | None = None
        self._limits = Limits()
        self._settings = Settings()
        self._given: set[str] = set()
        self._rounds: list[list[TranscriptLine]] = []
        self._ids: set[str] = set()
        self._last = 0

    def read(self, lines: Iterable[str]) -> Transcript:
        check_type("lines", "lines of text", lines, Iterable)
        for number, text in enumerate(lines, start=1):
            check_type("each of lines", "text", text, str)
            self._last = number
            line = text.removeprefix("\ufeff").rstrip("\r\n")
            words = split_line(line, number)
            if words:
                self._read_line(line, words)
        if self._game is None:
            raise TranscriptError(TranscriptReason.NO_GAME_LINE(), 1)
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
            raise words.error(TranscriptReason.NO_ROUND_LINE())
        else:
            self._rounds[-1].append(self._read_act(self._game, text, words))

    def _read_head(self, game: Game, words: Words) -> None:
        if self._rounds or words.texts()[0] == "game":
            raise words.error(TranscriptReason.HEAD_LINE_LATE(word=words.texts()[0]))
        terms = words.after(1)
        try:
            if words.texts()[0] == "limits":
                self._limits = add_limit(self._limits, terms.texts(), game)
            else:
                self._settings = add_setting(
                    game, self._settings, terms.texts(), given=self._given
                )
        except NotationError as error:
            raise terms.error(error.reason, error.place) from error

    def _read_act(self, game: Game, text: str, words: Words) -> TranscriptLine:
        line = _read_act_line(game, text, words)
        if isinstance(line.act.command, PlaceWager):
            assert line.wager_id is not None
            if line.wager_id in self._ids:
                raise words.error(
                    TranscriptReason.WAGER_ID_TWICE(wager_id=line.wager_id),
                    words.texts().index("as") + 1,
                )
            self._ids.add(line.wager_id)
        return line


def _read_act_line(game: Game, text: str, words: Words) -> TranscriptLine:
    body = text.partition("#")[0]
    doer, colon, rest = body.partition(":")
    if not colon:
        raise words.error(TranscriptReason.NOT_AN_ACT_LINE(text=shown(body.strip())))
    who = read_who(doer.strip(), words.line)
    act_words = split_line(rest, words.line, start=len(doer) + 2)
    read = read_act(ActReader(game, who.player, who.is_sensor), act_words)
    act = Act(who.people, read.command)
    return TranscriptLine(words.line, body.strip(), read.words, act, read.wager_id)


def _read_game(words: Words) -> Game:
    texts = words.texts()
    if texts[0] != "game":
        raise words.error(TranscriptReason.NO_GAME_LINE())
    words.expect(2, "game mbs-roulette-v3")
    try:
        return find_game(texts[1])
    except UnknownGame as error:
        raise words.error(error.reason, 1) from error
