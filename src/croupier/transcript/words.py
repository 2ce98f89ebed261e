"""The words of a transcript's line, and the people who act in it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from croupier.errors import CroupierError
from croupier.rules import commands
from croupier.rules.game import Game
from croupier.rules.notation import (
    AreaText,
    NotationError,
    WagerText,
    read_cents,
    read_number,
    read_wager,
    shown,
)
from croupier.rules.operator import Person, Role
from croupier.rules.reasons import Reason, did_you_mean
from croupier.rules.wheel import Number
from croupier.transcript.reasons import TranscriptReason

_MAXIMUM_LINE = 4_000
"""Characters; a longer line is refused unread."""
_WORD = re.compile(r"\S+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class TranscriptError(CroupierError):
    """A line that is not an act: its place, and what to write instead."""

    def __init__(self, reason: Reason, line: int, column: int = 1) -> None:
        super().__init__(str(reason))
        self.reason = reason
        self.line = line
        self.column = column

    def at(self, source: str) -> str:
        """Return `file:line:column: message`."""
        return f"{source}:{self.line}:{self.column}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    column: int


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a line that remain to be read."""

    line: int
    words: tuple[Word, ...]
    end: int
    """The column behind the last word."""

    def __len__(self) -> int:
        return len(self.words)

    def texts(self) -> tuple[str, ...]:
        return tuple(word.text for word in self.words)

    def starts_with(self, *texts: str) -> bool:
        return self.texts()[: len(texts)] == texts

    def after(self, count: int) -> Words:
        return Words(self.line, self.words[count:], self.end)

    def before(self, count: int) -> Words:
        if count >= len(self.words):
            return self
        return Words(self.line, self.words[:count], self.words[count].column)

    def error(self, reason: Reason, place: int = 0) -> TranscriptError:
        """Return an error at the word of that place, or behind the last one."""
        inside = place < len(self.words)
        column = self.words[place].column if inside else self.end
        return TranscriptError(reason, self.line, column)

    def expect(self, count: int, form: str) -> tuple[str, ...]:
        """Return the words; raise an error with the form if there are not `count`."""
        if len(self.words) != count:
            raise self.error(
                TranscriptReason.WRITE(form=form), min(count, len(self.words))
            )
        return self.texts()


def split_line(text: str, line: int, start: int = 1) -> Words:
    """Return the words of a line, without its comment."""
    if len(text) > _MAXIMUM_LINE:
        raise TranscriptError(TranscriptReason.LINE_TOO_LONG(count=_MAXIMUM_LINE), line)
    control = _CONTROL.search(text)
    if control is not None:
        raise TranscriptError(
            TranscriptReason.CONTROL_CHARACTER(text=repr(control.group())),
            line,
            start + control.start(),
        )
    body = text.partition("#")[0]
    found = tuple(
        Word(match.group(), start + match.start()) for match in _WORD.finditer(body)
    )
    return Words(line, found, start + len(body.rstrip()))


_ID = re.compile(r"[A-Za-z0-9_.-]{1,40}")
_COUNT = re.compile(r"0|[1-9][0-9]{0,5}")


@dataclass(frozen=True, slots=True)
class ReadAct:
    """A command as it was written."""

    words: str
    """The act's name in a refusal: `no more bets`, `lay`."""
    command: commands.Command
    wager_id: str | None = None


@dataclass(frozen=True, slots=True)
class ActReader:
    """Reads the words of acts for one game and the people of one line."""

    game: Game
    player: str | None
    is_sensor: bool = False

    def number(self, words: Words, place: int) -> Number:
        numbers = self.game.numbers
        return _noted(words, place, lambda text: read_number(text, numbers))

    def cents(self, words: Words, place: int) -> int:
        return _noted(words, place, read_cents)

    def wager(self, words: Words, place: int) -> WagerText:
        further, numbers = self.game.multiples, self.game.numbers
        return _noted(words, place, lambda text: read_wager(text, further, numbers))

    def count(self, words: Words, place: int) -> int:
        if place >= len(words) or not _COUNT.fullmatch(words.words[place].text):
            raise words.error(TranscriptReason.NOT_A_COUNT(), place)
        return int(words.words[place].text)

    def wager_id(self, words: Words, place: int) -> str:
        if place >= len(words) or not _ID.fullmatch(words.words[place].text):
            raise words.error(TranscriptReason.NOT_A_WAGER_ID(), place)
        return words.words[place].text

    def treatment(self, words: Words, verb: str) -> commands.Treatment:
        """Read `return`, `amount 3` or an area."""
        match words.texts():
            case ("return",):
                return commands.ReturnIt()
            case ("amount", _):
                return commands.GiveAmount(self.cents(words, 1))
            case (_,):
                area = self.wager(words, 0)
                if isinstance(area, AreaText):
                    return commands.GivePosition(area)
                raise words.error(TranscriptReason.RULING_ON_ONE_AREA(act=verb))
        form = f"{verb} w1 return, {verb} w1 amount 3 or {verb} w1 red"
        raise words.error(TranscriptReason.WRITE(form=form))


T = TypeVar("T")


def _noted(words: Words, place: int, read: Callable[[str], T]) -> T:
    """Read the word at `place`; raise errors of notation with its column."""
    if place >= len(words):
        raise words.error(TranscriptReason.WORD_MISSING(), place)
    try:
        return read(words.words[place].text)
    except NotationError as error:
        raise words.error(error.reason, place) from error


_ROLES = {role.value: role for role in Role if role not in {Role.PLAYER, Role.CASHIER}}
_HOLDS, _ACTS = "as", "acting"
_ALMOST = {name.casefold(): name for name in _ROLES}
_NAME = re.compile(r"[^\W_][\w .'-]{0,39}")


@dataclass(frozen=True, slots=True)
class _Actors:
    """The people of an act, and the Player that they act for."""

    people: tuple[Person, ...]
    player: str | None
    """The owner of the wager: the acting Player, or the one that staff act for."""

    @property
    def is_sensor(self) -> bool:
        return self.people[0].role is Role.SENSOR


def read_who(text: str, line: int) -> _Actors:
    """Read `Anna`, `Dealer for Ben`, `Zoe as Dealer + Ann acting Pit Manager`."""
    doers, is_for, player = text.partition(" for ")
    people = tuple(_read_person(part.strip(), line) for part in doers.split("+"))
    if is_for:
        return _Actors(people, read_name(player.strip(), line))
    first = people[0]
    return _Actors(people, first.name if first.role is Role.PLAYER else None)


def _read_person(text: str, line: int) -> Person:
    if text in _ROLES:
        return Person(text, _ROLES[text])
    for word in (_HOLDS, _ACTS):
        name, is_there, position = text.partition(f" {word} ")
        if is_there:
            return _named_person(name, position, line, acting=word == _ACTS)
    return Person(read_name(text, line), Role.PLAYER)


def _named_person(name: str, position: str, line: int, *, acting: bool) -> Person:
    """Read a person who holds a position (A49), or acts in it (v3 6.3)."""
    person = Person(name, _ROLES.get(position, Role.PLAYER), acting)
    if not person.is_of_house:
        reason = TranscriptReason.NOT_A_POSITION(text=shown(position))
        raise TranscriptError(reason, line)
    read_name(name, line)
    return person


def read_name(text: str, line: int) -> str:
    """Read the name of a Player or person; a position is not a name."""
    almost = _ALMOST.get(text.casefold())
    if almost is not None:
        reason = TranscriptReason.NOT_A_PLAYERS_NAME(text=shown(text))
        raise TranscriptError(did_you_mean(reason, almost), line)
    ends_early = text.rpartition(" ")[2] in {"for", _HOLDS, _ACTS}
    if ends_early or not _NAME.fullmatch(text):
        raise TranscriptError(TranscriptReason.NOT_A_NAME(text=shown(text)), line)
    return text
