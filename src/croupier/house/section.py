"""One table of a house file, read key by key; what is wrong is noted, not raised.

A reader that finds a value wrong notes the problem and returns a stand-in, so that one
reading finds every problem of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TypeVar

from croupier.house.toml_lines import KeyPath, line_of
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


class Problems:
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


class Section:
    """The keys of one table, those that are known, and where the table stands."""

    def __init__(
        self,
        problems: Problems,
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

    def section(self, key: str, known: Iterable[str]) -> Section | None:
        """The table under a key, empty where it is missing; None where it is none."""
        value = self._values.get(key, {})
        if isinstance(value, dict):
            return Section(self._problems, (*self._path, key), value, known)
        self.note(f"{key} must be a table, not {said(value)}", key)
        return None

    def sections(self, key: str, known: Iterable[str]) -> Iterator[Section]:
        """The tables of a list of tables."""
        for place, value in self.items(key) or ():
            if isinstance(value, dict):
                path = (*self._path, key, place)
                yield Section(self._problems, path, value, known)
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
