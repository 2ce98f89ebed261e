"""JSON that remembers which of its keys were told, and which of them were read.

A key is written with all that it lies in, and a list as `[]`: `bands[].rounds`. What is
compared as a whole is read as a whole.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

MAPS = {"chances", "counts"}
"""Objects whose keys are data: numbers of a wheel."""

told: defaultdict[str, set[str]] = defaultdict(set)
"""Of each command, the keys that it printed."""

read: defaultdict[str, set[str]] = defaultdict(set)
"""Of each command, the keys whose values were asked for."""


class ReadObject(dict[str, Any]):
    """A JSON object that remembers what is read of it."""

    def __init__(self, command: str, path: str, values: Mapping[str, Any]) -> None:
        self.command = command
        self.paths = {key: _path(path, key) for key in values}
        super().__init__(
            {key: _tracked(command, self.paths[key], v) for key, v in values.items()}
        )
        told[command] |= set(self.paths.values())

    def __getitem__(self, key: str) -> Any:
        value = super().__getitem__(key)
        read[self.command].add(self.paths[key])
        return value

    def get(self, key: str, default: Any = None) -> Any:
        if key not in self:
            return default
        return self[key]

    def items(self) -> Any:
        self._read_all()
        return super().items()

    def values(self) -> Any:
        self._read_all()
        return super().values()

    def __eq__(self, other: object) -> bool:
        for value in self.values():
            _read_whole(value)
        return super().__eq__(other)

    __hash__ = None

    def _read_all(self) -> None:
        read[self.command] |= set(self.paths.values())


def track(command: str, document: Any) -> Any:
    """Return a JSON document that remembers what is read of it."""
    return _tracked(command, "", document)


def forget() -> None:
    """Forget what was told and read so far."""
    told.clear()
    read.clear()


def unread(command: str) -> set[str]:
    """Return the keys that were not read, without those inside an unread one."""
    left = told[command] - read[command]
    return {
        path
        for path in left
        if not any(path.startswith((f"{other}.", f"{other}[]")) for other in left)
    }


def _path(path: str, key: str) -> str:
    name = path.rpartition(".")[2]
    key = "*" if name in MAPS else key
    return f"{path}.{key}" if path else key


def _tracked(command: str, path: str, value: Any) -> Any:
    if isinstance(value, dict):
        return ReadObject(command, path, value)
    if isinstance(value, list):
        return [_tracked(command, f"{path}[]", one) for one in value]
    return value


def _read_whole(value: Any) -> None:
    if isinstance(value, ReadObject):
        for one in value.values():
            _read_whole(one)
    elif isinstance(value, list):
        for one in value:
            _read_whole(one)
