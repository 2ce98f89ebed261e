"""JSON and bytes that are almost right."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

ODD: tuple[Any, ...] = (
    None,
    True,
    False,
    0,
    -1,
    1,
    2**53,
    2**63,
    -(2**63),
    10**30,
    0.5,
    1e308,
    "",
    " ",
    "\0",
    "a\0b",
    "\n",
    "a" * 41,
    "a" * 5_000,
    "\u202e",
    "\ud800",
    "\uffff",
    "🎰" * 50,
    "../../etc/passwd",
    "' OR 1=1 --",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "=cmd|' /C calc'!A0",
    "%s%n",
    "house",
    "system",
    "seat:Anna-v3",
    [],
    {},
    [[]],
    {"": ""},
)
"""What is put in the place of a value."""


class Mutation:
    """A small change of a value, chosen by chance."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def of(self, value: object) -> object:
        """Change one thing in it, at any depth."""
        if isinstance(value, dict) and value and self.random.random() < 0.9:
            return self._of_object(value)
        if isinstance(value, list) and value and self.random.random() < 0.7:
            return self._of_list(value)
        return self.random.choice((*ODD, self._deep()))

    def _of_object(self, value: dict[str, object]) -> dict[str, object]:
        name = self.random.choice(list(value))
        changes: tuple[Callable[[], dict[str, object]], ...] = (
            lambda: {key: each for key, each in value.items() if key != name},
            lambda: {**value, name: self.of(value[name])},
            lambda: {**value, name: self.of(value[name])},
            lambda: {**value, self._name(): self.random.choice(ODD)},
            lambda: {**value, name: [value[name]] * self.random.choice((1, 2, 300))},
        )
        return self.random.choice(changes)()

    def _of_list(self, value: list[object]) -> list[object]:
        place = self.random.randrange(len(value))
        return [*value[:place], self.of(value[place]), *value[place + 1 :]]

    def _name(self) -> str:
        return self.random.choice(("by", "role", "__class__", "type", "x" * 300, "\0"))

    def _deep(self) -> object:
        value: object = []
        for _ in range(self.random.choice((10, 100, 900))):
            value = [value]
        return value

    def of_bytes(self, content: bytes, times: int = 1) -> bytes:
        """Leave most as they are; flip, cut, double or put bytes in the others."""
        for _ in range(times):
            if self.random.random() < 0.8 or not content:
                continue
            place = self.random.randrange(len(content))
            noise = self.random.randbytes(self.random.choice((1, 4, 100)))
            content = self.random.choice(
                (
                    content[:place],
                    content[:place] + noise + content[place + 1 :],
                    content[:place] + content,
                    content[:place] + b"\r\n" + content[place:],
                )
            )
        return content
