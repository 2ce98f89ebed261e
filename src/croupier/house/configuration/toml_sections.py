"""One table of a house file, read key by key; what is wrong is noted, not raised.

A reader that finds a value wrong notes the problem and returns a stand-in, so that one
reading finds every problem of the file.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from croupier.rules.notation import shown, suggestion

MOST_PROBLEMS = 200
LONGEST_NAME = 40

Choice = TypeVar("Choice", bound=Enum)


class HouseFileError(Exception):
    """The house file is wrong; the message has a line for each problem."""

    def __init__(self, problems: Iterable[str]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(self.problems))


@dataclass(frozen=True, slots=True)
class Written:
    """A number with a point or an exponent, as written: it never becomes a float."""

    text: str


class HouseFileProblems:
    """What is wrong with a file, found so far."""

    def __init__(self, file: str, lines: Mapping[KeyPath, int]) -> None:
        self._file = file
        self._lines = lines
        self._found: list[tuple[int, str]] = []

    def note(self, path: KeyPath, sentence: str) -> None:
        """One more; raises `HouseFileError` where that is one too many."""
        self._found.append((line_of(self._lines, path), sentence))
        if len(self._found) == MOST_PROBLEMS:
            last = (
                f"{self._file}: there may be more; these are the first {MOST_PROBLEMS}"
            )
            raise HouseFileError([*self._sorted(), last])

    def raise_if_any(self) -> None:
        if self._found:
            raise HouseFileError(self._sorted())

    def _sorted(self) -> Iterator[str]:
        for line, sentence in sorted(self._found, key=lambda each: each[0]):
            yield f"{self._file}:{line}: {sentence}"


class TomlSection:
    """The keys of one table, those that are known, and where the table stands."""

    def __init__(
        self,
        problems: HouseFileProblems,
        path: KeyPath,
        values: Mapping[str, object],
        known: Iterable[str],
    ) -> None:
        self._problems = problems
        self._path = path
        self._values = values
        self._known = tuple(known)
        for key in values:
            if key not in self._known:
                self.note(self._unknown(key), key)

    def __contains__(self, key: str) -> bool:
        return key in self._values

    def has(self, key: str) -> bool:
        """Whether the key is given something that is not empty."""
        return bool(self._values.get(key))

    def note(self, sentence: str, *path: str | int) -> None:
        self._problems.note((*self._path, *path), sentence)

    def given(self, key: str) -> object:
        """The value; None, and a problem, where there is none."""
        if key not in self._values:
            self.note(f"{key} is missing")
        return self._values.get(key)

    def text(self, key: str, *, most: int = LONGEST_NAME) -> str:
        """A line of printable text, spaced as people write; empty where it is not."""
        value = self.given(key)
        if value is None:
            return ""
        if not isinstance(value, str) or not value:
            self.note(f"{key} must be a text, not {said(value)}", key)
        elif len(value) > most:
            self.note(f"{key} has more than {most} characters", key)
        elif not value.isprintable() or " ".join(value.split()) != value:
            self.note(f"{key} must be printable, without spare spaces", key)
        else:
            return value
        return ""

    def whole(self, key: str, usual: int, *, least: int, most: int) -> int:
        """A whole number within bounds, or the usual one."""
        value = self._values.get(key, usual)
        if type(value) is int and least <= value <= most:
            return value
        bounds = f"from {least} to {most}"
        self.note(f"{key} must be a whole number {bounds}, not {said(value)}", key)
        return usual

    def flag(self, key: str) -> bool:
        value = self._values.get(key, False)
        if isinstance(value, bool):
            return value
        self.note(f"{key} must be true or false, not {said(value)}", key)
        return False

    def choice(self, key: str, kind: type[Choice]) -> Choice | None:
        """One word of several; None, and a problem, where it is none of them."""
        value = self.given(key)
        if value is None:
            return None
        return self._one_of({each.value: each for each in kind}, value, key)

    def choices(self, key: str, known: Iterable[Choice]) -> tuple[Choice, ...]:
        """A list of different words, in the order in which they are known."""
        words = {each.value: each for each in known}
        chosen: list[Choice] = []
        for place, value in self.items(key) or ():
            one = self._one_of(words, value, key, place)
            if one in chosen:
                self.note(f"{said(value)} is named twice", key, place)
            elif one is not None:
                chosen.append(one)
        return tuple(each for each in words.values() if each in chosen)

    def items(self, key: str) -> list[tuple[int, object]] | None:
        """The items of a list with their places; None where it is no list."""
        value = self._values.get(key, [])
        if isinstance(value, list):
            return list(enumerate(value))
        self.note(f"{key} must be a list, not {said(value)}", key)
        return None

    def section(self, key: str, known: Iterable[str]) -> TomlSection | None:
        """The table under a key, empty where it is missing; None where it is none."""
        value = self._values.get(key, {})
        if isinstance(value, dict):
            return TomlSection(self._problems, (*self._path, key), value, known)
        self.note(f"{key} must be a table, not {said(value)}", key)
        return None

    def sections(self, key: str, known: Iterable[str]) -> Iterator[TomlSection]:
        """The tables of a list of tables."""
        for place, value in self.items(key) or ():
            if isinstance(value, dict):
                path = (*self._path, key, place)
                yield TomlSection(self._problems, path, value, known)
            else:
                self.note(f"write [[{key}]], not {said(value)}", key, place)

    def __iter__(self) -> Iterator[tuple[str, object]]:
        """The known keys that are given, with their values."""
        return ((key, self._values[key]) for key in self._known if key in self._values)

    def _one_of(
        self, words: Mapping[str, Choice], value: object, *path: str | int
    ) -> Choice | None:
        if isinstance(value, str) and value in words:
            return words[value]
        close = suggestion(value, words) if isinstance(value, str) else None
        hint = f"did you mean {close}?" if close else f"choose {_either(words)}"
        self.note(f"{path[0]} can't be {said(value)}; {hint}", *path)
        return None

    def _unknown(self, key: str) -> str:
        close = suggestion(key, self._known)
        hint = f"did you mean {close}?" if close else f"known: {', '.join(self._known)}"
        return f"{shown(key)} is no key here; {hint}"


def said(value: object) -> str:
    """A value of the file as a sentence names it."""
    match value:
        case str():
            return shown(value)
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)[:LONGEST_NAME]
        case Written():
            return value.text[:LONGEST_NAME]
        case list():
            return "a list"
        case dict():
            return "a table"
        case _:
            return "a date or time"


def _either(words: Iterable[str]) -> str:
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


KeyPath = tuple[str | int, ...]
"""Keys from the top, and the places in lists: `("tables", 2, "limits", "*", 0)`."""

_DEEPEST = 20
_LONGEST_BARE = 100
_BLANK = re.compile(r"(?:[ \t\r\n]+|#[^\n]*)*+")
_SPACES = re.compile(r"[ \t]*+")
_REST = re.compile(r"[^\n]*+")
_BARE_KEY = re.compile(r"[^\s.=\[\]{},\"'#]++")
_BARE_VALUE = re.compile(r"[^,\]}#\n]++")
_QUOTED = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']|'{1,2}(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*+"'
    r"|'[^'\n]*+'",
    re.DOTALL,
)


class TooMuch(Exception):
    """A place that is nested too deeply, or a bare value that is too long."""

    def __init__(self, sentence: str, line: int) -> None:
        super().__init__(sentence)
        self.line = line


def key_lines(text: str) -> Mapping[KeyPath, int]:
    """Each key, header and list item with its line, counted from 1.

    Where the text is no TOML, those before the fault. Raises `TooMuch`.
    """
    scanner = _Scanner(text.replace("\r\n", "\n"))
    with suppress(_NoToml):
        scanner.read_all()
    return scanner.lines


def line_of(lines: Mapping[KeyPath, int], path: KeyPath) -> int:
    """The line of the path, else of what holds it, else the first."""
    while path and path not in lines:
        path = path[:-1]
    return lines.get(path, 1)


class _NoToml(Exception):
    """The text stops being TOML here."""


class _Scanner:
    """A text, how far it is read, and the lines found so far."""

    def __init__(self, text: str) -> None:
        self.lines: dict[KeyPath, int] = {}
        self._text = text
        self._at = 0
        self._breaks = [found.start() for found in re.finditer("\n", text)]
        self._header: KeyPath = ()
        self._lengths: dict[KeyPath, int] = {}

    def read_all(self) -> None:
        while self._next() != "":
            if self._take("[["):
                self._begin(self._key(()), is_list=True)
            elif self._take("["):
                self._begin(self._key(()), is_list=False)
            else:
                self._pair(self._header)
            self._match(_REST)

    def _begin(self, key: KeyPath, *, is_list: bool) -> None:
        """A header: in a list of tables, its latest one is meant."""
        path: KeyPath = ()
        for part in key:
            if path in self._lengths:
                path = (*path, self._lengths[path] - 1)
            path = (*path, part)
            self._note(path)
        if is_list:
            place = self._lengths.get(path, 0)
            self._lengths[path] = place + 1
            path = (*path, place)
            self._note(path)
        self._header = path

    def _pair(self, above: KeyPath) -> None:
        line = self._line()
        path = above
        for part in self._key(above):
            path = (*path, part)
            self.lines.setdefault(path, line)
        self._expect("=")
        self._value(path)

    def _key(self, above: KeyPath) -> KeyPath:
        """One key, dotted or not, without what is above it."""
        parts: KeyPath = ()
        while True:
            self._match(_SPACES)
            quoted = self._match(_QUOTED)
            parts = (*parts, _unquoted(quoted) if quoted else self._bare_key())
            self._check_depth((*above, *parts))
            self._match(_SPACES)
            if not self._take("."):
                return parts

    def _bare_key(self) -> str:
        key = self._match(_BARE_KEY)
        if not key:
            raise _NoToml
        return key

    def _value(self, path: KeyPath) -> None:
        self._check_depth(path)
        self._match(_SPACES)
        if self._take("["):
            self._list(path)
        elif self._take("{"):
            self._inline_table(path)
        elif not self._match(_QUOTED):
            self._bare_value()

    def _bare_value(self) -> None:
        line = self._line()
        value = self._match(_BARE_VALUE).strip()
        if not value:
            raise _NoToml
        if len(value) > _LONGEST_BARE:
            raise TooMuch("a value this long can only be text, in quotes", line)

    def _list(self, path: KeyPath) -> None:
        place = 0
        while self._next() != "]":
            self._note((*path, place))
            self._value((*path, place))
            place += 1
            if self._next() != "]":
                self._expect(",")
        self._expect("]")

    def _inline_table(self, path: KeyPath) -> None:
        while self._next() != "}":
            self._pair(path)
            if self._next() != "}":
                self._expect(",")
        self._expect("}")

    def _check_depth(self, path: KeyPath) -> None:
        if len(path) > _DEEPEST:
            raise TooMuch("this is nested too deeply", self._line())

    def _note(self, path: KeyPath) -> None:
        self.lines.setdefault(path, self._line())

    def _line(self) -> int:
        return bisect_right(self._breaks, self._at - 1) + 1

    def _next(self) -> str:
        """The next character that is neither blank nor comment; none at the end."""
        self._match(_BLANK)
        return self._text[self._at : self._at + 1]

    def _match(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self._text, self._at)
        if found is None:
            return ""
        self._at = found.end()
        return found.group()

    def _take(self, mark: str) -> bool:
        if not self._text.startswith(mark, self._at):
            return False
        self._at += len(mark)
        return True

    def _expect(self, mark: str) -> None:
        if not self._take(mark):
            raise _NoToml


def _unquoted(token: str) -> str:
    try:
        text = tomllib.loads(f"key = {token}")["key"]
    except tomllib.TOMLDecodeError as error:
        raise _NoToml from error
    assert isinstance(text, str)
    return text
