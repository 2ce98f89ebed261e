"""One line of a transcript: its words, where they stand, and what is wrong with it."""

from __future__ import annotations

import re
from dataclasses import dataclass

MAXIMUM_LINE = 4_000
"""Characters; a longer line is refused unread."""
_WORD = re.compile(r"\S+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


class TranscriptError(Exception):
    """A line that is not an act: where it stands and what would be right."""

    def __init__(self, message: str, line: int, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column

    def at(self, source: str) -> str:
        """`file:line:column: message`."""
        return f"{source}:{self.line}:{self.column}: {self.message}"


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    column: int


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a line that are still to be read."""

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

    def error(self, message: str, place: int = 0) -> TranscriptError:
        """An error at the word of that place, or behind the last one."""
        inside = place < len(self.words)
        column = self.words[place].column if inside else self.end
        return TranscriptError(message, self.line, column)

    def expect(self, count: int, form: str) -> tuple[str, ...]:
        """Exactly so many words, or an error that shows the form."""
        if len(self.words) != count:
            raise self.error(f"write: {form}", min(count, len(self.words)))
        return self.texts()


def split_line(text: str, line: int, start: int = 1) -> Words:
    """The words of a line, without its comment."""
    if len(text) > MAXIMUM_LINE:
        raise TranscriptError(
            f"the line is longer than {MAXIMUM_LINE} characters", line
        )
    control = _CONTROL.search(text)
    if control is not None:
        raise TranscriptError(
            f"the character {control.group()!r} does not belong in a transcript",
            line,
            start + control.start(),
        )
    body = text.partition("#")[0]
    found = tuple(
        Word(match.group(), start + match.start()) for match in _WORD.finditer(body)
    )
    return Words(line, found, start + len(body.rstrip()))
