"""Our reading of each sentence: carried out, a person's duty, or information."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, unique
from functools import cache

from croupier.rulebook.document import fingerprint
from croupier.rulebook.tables import read_table
from croupier.rules.game import Game


@unique
class Mark(Enum):
    """Our treatment of a sentence; the value is shown to a reader."""

    SOFTWARE = "carried out by the software"
    PERSON = "duty of a person"
    READING = "read by us"
    INFORMATION = "information"
    NOT_COVERED = "not covered"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of the document, its mark, and its text if a file is given."""

    mark: Mark
    words: str
    """The sentence's demand, in our own words."""
    reading: str = ""
    """The reading that settles an open point of it."""
    fingerprint: str = ""
    """The fingerprint of the sentence; empty if only a drawing shows it."""
    quote: str = ""

    @property
    def said(self) -> str:
        return f"read as {self.reading}" if self.reading else self.mark.value

    @property
    def differs(self) -> bool:
        """Return whether the quoted sentence is not the one that we read."""
        is_known = bool(self.quote and self.fingerprint)
        return is_known and fingerprint(self.quote) != self.fingerprint


@dataclass(frozen=True, slots=True)
class ClauseRead:
    """The sentences of a clause, and the readings for its silent points."""

    sentences: tuple[Sentence, ...]
    silent: tuple[str, ...] = ()


_SAME = "="
_SILENT = "silent"


@cache
def clauses_read(game: Game) -> Mapping[str, ClauseRead]:
    """Return our reading of each clause: from the game's file, else from its rows."""
    read = {
        row.number: ClauseRead(
            (
                Sentence(
                    Mark.SOFTWARE if row.asks_of_software else Mark.INFORMATION,
                    row.says,
                ),
            )
        )
        for row in game.clauses
    }
    return {**read, **_of_file(game)}


def read_without_row(game: Game) -> list[str]:
    """Return the clauses of the game's file that the game has no row for."""
    rows = {row.number for row in game.clauses}
    read = dict.fromkeys(number for number, *_ in read_table(f"marks/{game.name}"))
    return [number for number in read if number not in rows]


def _of_file(game: Game) -> dict[str, ClauseRead]:
    """Read the game's file of lines `clause  mark  fingerprint  words`."""
    says = {row.number: row.says for row in game.clauses}
    sentences: dict[str, list[Sentence]] = {}
    silent: dict[str, list[str]] = {}
    for number, mark, *rest in read_table(f"marks/{game.name}"):
        if number not in says:  # the game was made by `without`
            continue
        if mark == _SILENT:
            silent.setdefault(number, []).append(*rest)
            continue
        digits, words = rest
        kind, _, reading = mark.partition(" ")
        sentence = Sentence(
            Mark[kind.upper()],
            says[number] if words == _SAME else words,
            reading,
            digits.strip("-"),
        )
        sentences.setdefault(number, []).append(sentence)
    return {
        number: ClauseRead(tuple(each), tuple(silent.get(number, ())))
        for number, each in sentences.items()
    }
