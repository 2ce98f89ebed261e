"""The lines on which the keys of a TOML text stand; tomllib gives values only.

Laws of this file:
- it goes through whatever tomllib reads, and more: what is wrong tomllib will say;
- it goes through the text once, and refuses what is so deep or long that reading it
  would take unbounded time: so it runs before tomllib does.
"""

from __future__ import annotations

import re
import tomllib
from bisect import bisect_right
from collections.abc import Mapping
from contextlib import suppress

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
