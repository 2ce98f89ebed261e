"""The rulebook of a game: each clause with its software and its evidence."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import zip_longest
from typing import Any

from croupier.games.digest import game_digest
from croupier.games.readings import READINGS
from croupier.rulebook.document import RuleDocument
from croupier.rulebook.evidence import (
    code_of,
    evidence_for,
    leading_function,
    transcripts_of_reading,
)
from croupier.rulebook.sentences import (
    ClauseRead,
    Mark,
    Sentence,
    clauses_read,
    read_without_row,
)
from croupier.rulebook.tables import meanings
from croupier.rules.clause import Rule
from croupier.rules.game import ClauseRow, Game, Pays, Status

_READINGS = {each.id: each for each in READINGS}


@dataclass(frozen=True, slots=True)
class ClauseEntry:
    """A clause, or a reading for a point on which the document is silent."""

    number: str
    sentences: tuple[Sentence, ...]
    does: str
    may: str
    pays: tuple[str, ...]
    concerns: tuple[str, ...]
    """The clause's subjects: some of `Player`, `Dealer`, `Pit` and `House`."""
    leading: str
    code: tuple[str, ...]
    tests: tuple[str, ...]
    sides: tuple[Mapping[str, str], ...]
    silent: tuple[ClauseEntry, ...] = ()
    question: str = ""
    """The document's open question, for a reading."""


@dataclass(frozen=True)
class Rulebook:
    """Every clause of a game, in the order of its document."""

    game: Game
    entries: tuple[ClauseEntry, ...]
    is_quoted: bool
    outside: int = 0
    """Sentences outside all clauses; they are information."""
    missing: tuple[str, ...] = ()
    """Clauses of the game that the document's text does not contain."""

    @cached_property
    def counts(self) -> Mapping[Mark, int]:
        marks = [each.mark for entry in self.entries for each in entry.sentences]
        marks += [Mark.INFORMATION] * self.outside
        return {mark: marks.count(mark) for mark in Mark}

    @property
    def silent(self) -> int:
        return sum(len(entry.silent) for entry in self.entries)

    def json(self) -> dict[str, Any]:
        return {
            "game": self.game.name,
            "document": self.game.document,
            "effective": self.game.effective,
            "digest": game_digest(self.game),
            "sentences": {mark.name.lower(): n for mark, n in self.counts.items()},
            "silent": self.silent,
            "missing": self.missing,
            "clauses": [entry_json(each) for each in self.entries],
        }


def entry_json(entry: ClauseEntry) -> dict[str, Any]:
    return {
        "clause": entry.number,
        "asks": entry.does,
        "sentences": [
            {
                "mark": each.mark.name.lower(),
                "words": each.words,
                "reading": each.reading or None,
                "quote": each.quote or None,
                "differs": each.differs,
            }
            for each in entry.sentences
        ],
        "question": entry.question or None,
        "may": entry.may or None,
        "pays": entry.pays,
        "concerns": entry.concerns,
        "leading": entry.leading or None,
        "code": entry.code,
        "tests": entry.tests,
        "pairs": entry.sides,
        "silent": [entry_json(each) for each in entry.silent],
    }


def rulebook_of(game: Game, document: RuleDocument | None = None) -> Rulebook:
    """Return the rulebook, quoting the document's text if it is given."""
    read = clauses_read(game)
    below = {each for clause in read.values() for each in clause.silent}
    rows = {row.number: row for row in game.clauses if row.number not in below}
    quoted = (
        document.clauses if document else dict.fromkeys(read_without_row(game), ("",))
    )
    headings = {number.partition(": ")[0] for number in rows}
    unread = [each for each in quoted if each not in rows and each not in headings]
    entries = [
        _entry(game, row, read[number], quoted.get(number))
        for number, row in rows.items()
    ]
    entries += [_unread(number, quoted[number]) for number in unread]
    order = {number: place for place, number in enumerate(quoted)}
    if document:
        entries.sort(key=lambda each: order.get(each.number, len(order)))
    in_headings = sum(
        len(text) for each, text in quoted.items() if each in headings - rows.keys()
    )
    return Rulebook(
        game,
        tuple(entries),
        is_quoted=document is not None,
        outside=len(document.outside) + in_headings if document else 0,
        missing=_missing(game, document),
    )


def _missing(game: Game, document: RuleDocument | None) -> tuple[str, ...]:
    if document is None:
        return ()
    return tuple(
        row.number for row in game.document_rows if row.number not in document.clauses
    )


def _unread(number: str, quotes: tuple[str, ...]) -> ClauseEntry:
    sentences = [Sentence(Mark.NOT_COVERED, "", quote=each) for each in quotes]
    return ClauseEntry(number, tuple(sentences), "", "", (), (), "", (), (), ())


def entry_of(game: Game, row: ClauseRow) -> ClauseEntry:
    return _entry(game, row, clauses_read(game)[row.number], None)


def _entry(
    game: Game, row: ClauseRow, read: ClauseRead, quotes: tuple[str, ...] | None
) -> ClauseEntry:
    below = {each.number: each for each in game.clauses}
    found = evidence_for(game, row)
    return ClauseEntry(
        number=row.number,
        sentences=tuple(_quoted(read.sentences, quotes)),
        does=row.says,
        may=who_may(game, row),
        pays=tuple(_pays(game, row)),
        concerns=tuple(_concerns(game, row)),
        leading=leading_function(game, row),
        code=tuple(code_of(game, row)),
        tests=tuple(found["tests"]),
        sides=tuple(found["pairs"]),
        silent=tuple(_silence(game, each, below.get(each)) for each in read.silent),
    )


def _quoted(
    read: tuple[Sentence, ...], quotes: tuple[str, ...] | None
) -> Iterator[Sentence]:
    """Add the quotation to each sentence; a surplus quotation is not covered."""
    for each, quote in zip_longest(read, quotes or (), fillvalue=None):
        if each is None:
            yield Sentence(Mark.NOT_COVERED, "", quote=quote or "")
        else:
            yield replace(each, quote=quote or "")


def _silence(game: Game, number: str, row: ClauseRow | None) -> ClauseEntry:
    """Return a reading as an entry, with the evidence of its row if it has one."""
    reading = _READINGS[number]
    found: dict[str, list[Any]]
    found = {"tests": transcripts_of_reading(game, number), "pairs": []}
    if row is not None:
        found = evidence_for(game, row)
    return ClauseEntry(
        number=number,
        sentences=(),
        does=row.says if row else reading.answer,
        may=who_may(game, row) if row else "",
        pays=(),
        concerns=tuple(_concerns(game, row)) if row else (),
        leading=leading_function(game, row) if row else "",
        code=tuple(code_of(game, row)) if row else (),
        tests=tuple(found["tests"]),
        sides=tuple(found["pairs"]),
        question=reading.question,
    )


_OF_PLAYER = {
    Rule.WAGERS,
    Rule.CHIPS_ON_LAYOUT,
    Rule.ELECTRONIC_PLACING,
    Rule.BETTING_AREA,
    Rule.MULTIPLE_PIECE,
    Rule.RACETRACK,
    Rule.COMPLETE,
}
_OF_ALL_STAFF = {
    Rule.IRREGULARITY,
    Rule.DISPLAY,
    Rule.POWER_FAILURE_CONTINUES,
    Rule.INTERRUPTION_CONCLUDED,
    Rule.INTERRUPTION_VOIDS,
    Rule.TERMINALS_INTERRUPTED,
}


def who_may(game: Game, row: ClauseRow) -> str:
    """Return the positions that may do the act, or an empty text without one."""
    if row.by:
        climbs = row.or_above or game.provides(Rule.HIGHER_POSITIONS)
        named = [role.value for role in row.by]
        top = game.operator.ladder[-1]
        return _listed(named) + (" or above" if climbs and top not in row.by else "")
    if not _OF_ALL_STAFF.isdisjoint(row.rules):
        return "any position of the house"
    return "" if _OF_PLAYER.isdisjoint(row.rules) else "Player"


def _listed(names: list[str]) -> str:
    return ", ".join(names[:-1]) + (" or " if names[1:] else "") + names[-1]


def _pays(game: Game, row: ClauseRow) -> Iterator[str]:
    """Yield the pay of each wager in the clause."""
    kinds = row.pays or {
        kind: game.pay_table[kind] for kind in row.areas if kind in game.pay_table
    }
    for kind, pays in kinds.items():
        yield f"{kind.title} {pays_text(pays)}"


def pays_text(pays: Pays) -> str:
    """Return `35 to 1`, or `35 / 40 / 80 to 1` if the number's status matters."""
    if isinstance(pays, int):
        return f"{pays} to 1"
    return " / ".join(str(pays[each]) for each in Status if each in pays) + " to 1"


def _concerns(game: Game, row: ClauseRow) -> Iterator[str]:
    dealer, *pit = game.operator.ladder
    about = {who for rule, who in meanings() if rule in row.rules}
    if "player" in about:
        yield "Player"
    if dealer in row.by or "dealer" in about:
        yield "Dealer"
    if any(role in pit for role in row.by):
        yield "Pit"
    if "house" in about:
        yield "House"
