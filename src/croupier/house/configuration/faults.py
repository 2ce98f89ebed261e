"""The faults of a house file, found while msgspec converts its values, by their path.

msgspec stops at the first fault of a value. So each field of a table is converted by
itself, and one reading finds every fault of the file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from typing import Annotated, Any, get_args, get_type_hints

import msgspec

from croupier.errors import CroupierError
from croupier.rules.notation import shown, suggestion

MOST_FAULTS = 200
_LONGEST_NUMBER = 40
_WORDS = {
    "`object`": "a table",
    "`array`": "a list",
    "`str`": "a text",
    "`int`": "a whole number",
    "`bool`": "true or false",
}


class HouseFileError(CroupierError):
    """The house file is wrong; the message has a line for each fault."""

    def __init__(self, faults: Iterable[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(self.faults))


@dataclass(frozen=True, slots=True)
class WrittenNumber:
    """A number with a point or an exponent, as written: it never becomes a float."""

    text: str


def whole(least: int, most: int) -> Any:
    """Return the type of a whole number within bounds."""
    said_as = f"a whole number from {least} to {most}"
    return Annotated[int, msgspec.Meta(ge=least, le=most, description=said_as)]


class Faults:
    """The faults of a file found so far."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._found: list[str] = []

    def note(self, path: str, sentence: str) -> None:
        """Add a fault; raises `HouseFileError` where that is one too many."""
        self._found.append(f"{self._file}: {path}: {sentence}")
        if len(self._found) == MOST_FAULTS:
            more = f"{self._file}: there may be more; these are the first {MOST_FAULTS}"
            raise HouseFileError([*self._found, more])

    def raise_if_any(self) -> None:
        if self._found:
            raise HouseFileError(self._found)

    def check_keys(self, path: str, given: Iterable[str], known: Iterable[str]) -> None:
        """Note every key that is not among the known ones."""
        known = tuple(known)
        for key in given:
            if key not in known:
                close = suggestion(key, known)
                hint = f"did you mean {close}?" if close else f"known: {_listed(known)}"
                self.note(path, f"{shown(key)} is no key here; {hint}")

    def items(self, path: str, value: object) -> Iterator[tuple[str, Any]]:
        """Yield the items of a list, each with its path."""
        if isinstance(value, list):
            for place, each in enumerate(value):
                yield f"{path}[{place}]", each
        else:
            self.note(path, f"must be a list, not {said(value)}")

    def convert(
        self, path: str, value: object, kind: type[Any], types: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Return the fields of a plan that a table of the file has right.

        `types` has narrower types than the plan's own. Every fault is noted.
        """
        if not isinstance(value, dict):
            self.note(path, f"must be a table, not {said(value)}")
            return {}
        hints = {**get_type_hints(kind), **types}
        self.check_keys(path, value, hints)
        given: dict[str, Any] = {}
        for field in fields(kind):
            name, where = field.name, f"{path}.{field.name}"
            if name in value:
                try:
                    given[name] = msgspec.convert(value[name], hints[name])
                except msgspec.ValidationError as error:
                    self._note_error(where, error, hints[name], value[name])
            elif field.default is MISSING:
                self.note(where, "is missing")
            if not is_plain(given.get(name)):
                self.note(where, "must be printable, without spare spaces")
        return given

    def _note_error(
        self, path: str, error: msgspec.ValidationError, kind: Any, value: object
    ) -> None:
        message, _, inner = str(error).partition(" - at `$")
        path += inner.rstrip("`")
        description = getattr(kind, "__metadata__", (msgspec.Meta(),))[0].description
        if description is not None:
            self.note(path, f"must be {description}, not {said(value)}")
        elif message.startswith("Invalid enum value"):
            wrong = message.removeprefix("Invalid enum value ")
            self.note(path, f"can't be {wrong}; choose {_listed(_choices(kind))}")
        else:
            expected, got, _ = message.removeprefix("Expected ").partition(", got ")
            for name, word in _WORDS.items():
                expected = expected.replace(name, word)
            but = f", not {said(value)}" if got else ""
            self.note(path, f"must be {expected}{but}")


def said(value: object) -> str:
    """Return a value of the file as a sentence names it."""
    match value:
        case str():
            return shown(value)
        case bool():
            return "true" if value else "false"
        case int():
            # Python refuses to write a whole number of thousands of digits.
            return str(value) if abs(value) < 10**_LONGEST_NUMBER else "so large"
        case WrittenNumber():
            return value.text[:_LONGEST_NUMBER]
        case list():
            return "a list"
        case dict():
            return "a table"
        case _:
            return "a date or time"


def is_plain(value: object) -> bool:
    """Return whether a text, if it is one, is a line spaced as people write."""
    if not isinstance(value, str):
        return True
    return value.isprintable() and " ".join(value.split()) == value


def _choices(kind: Any) -> tuple[str, ...]:
    """Return the words of an enumeration, of a Literal, or of a list of either."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(each.value for each in kind)
    first, *_ = parts = get_args(kind)
    return parts if isinstance(first, str) else _choices(first)


def _listed(words: Iterable[str]) -> str:
    return ", ".join(words)
