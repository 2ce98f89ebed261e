"""The faults of a house file, each with its path, found while msgspec converts values.

msgspec stops at the first fault of a value. So each field of a table is converted by
itself, and one reading finds every fault of the file.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, Any, get_args

import msgspec

from croupier.errors import CroupierError
from croupier.games import UnknownGame
from croupier.house.records.house_record import NotDone
from croupier.rules.notation import NotationError, shown, suggestion

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
    """The text of a number with a point or an exponent, never converted to a float."""

    text: str


def whole(least: int, most: int) -> Any:
    described = f"a whole number from {least} to {most}"
    return Annotated[int, msgspec.Meta(ge=least, le=most, description=described)]


class Faults:
    """The faults of a file found so far."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._found: list[str] = []

    def note(self, path: str, sentence: str) -> None:
        """Add a fault; raise `HouseFileError` at `MOST_FAULTS`."""
        self._found.append(f"{self._file}: {path}: {sentence}")
        if len(self._found) == MOST_FAULTS:
            more = f"{self._file}: there may be more; these are the first {MOST_FAULTS}"
            raise HouseFileError([*self._found, more])

    def raise_if_any(self) -> None:
        if self._found:
            raise HouseFileError(self._found)

    @contextmanager
    def noted(self, path: str, more: str = "") -> Iterator[None]:
        """Turn a refusal by the rules or the house into a fault."""
        try:
            yield
        except (NotationError, UnknownGame, NotDone) as error:
            self.note(path, f"{error}{more}")

    def check_keys(
        self, path: str, given: Iterable[str], known: Collection[str]
    ) -> None:
        """Note every unknown key."""
        for key in given:
            if key not in known:
                close = suggestion(key, known)
                choices = f"known: {', '.join(known)}"
                hint = f"did you mean {close}?" if close else choices
                self.note(path, f"{shown(key)} is no key here; {hint}")

    def items(self, path: str, value: object) -> Iterator[tuple[str, Any]]:
        """Yield the items of a list with their paths."""
        if isinstance(value, list):
            for place, each in enumerate(value):
                yield f"{path}[{place}]", each
        else:
            self.note(path, f"must be a list, not {said(value)}")

    def table(
        self,
        path: str,
        value: object,
        kinds: Mapping[str, Any],
        needed: Collection[str] = (),
    ) -> dict[str, Any]:
        """Return the valid fields of a table; note every fault."""
        if not isinstance(value, dict):
            self.note(path, f"must be a table, not {said(value)}")
            return {}
        self.check_keys(path, value, kinds)
        found: dict[str, Any] = {}
        for name, kind in kinds.items():
            where = f"{path}.{name}"
            if name in value:
                try:
                    found[name] = msgspec.convert(value[name], kind)
                except msgspec.ValidationError as error:
                    self._note_error(where, error, kind, value[name])
            elif name in needed:
                self.note(where, "is missing")
            if not is_plain(found.get(name)):
                self.note(where, "must be printable, without spare spaces")
        return found

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
            self.note(path, f"can't be {wrong}; choose {', '.join(_choices(kind))}")
        else:
            expected, got, _ = message.removeprefix("Expected ").partition(", got ")
            for name, word in _WORDS.items():
                expected = expected.replace(name, word)
            but = f", not {said(value)}" if got else ""
            self.note(path, f"must be {expected}{but}")


def said(value: object) -> str:
    """Return a value of the file as text for a sentence."""
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
    """Return False for a text with control characters or extra spaces."""
    if not isinstance(value, str):
        return True
    return value.isprintable() and " ".join(value.split()) == value


def _choices(kind: Any) -> tuple[str, ...]:
    """Return the words of an enumeration, of a Literal, or of a list of either."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return tuple(each.value for each in kind)
    first, *_ = parts = get_args(kind)
    return parts if isinstance(first, str) else _choices(first)
