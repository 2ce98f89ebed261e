"""Checks for the author of a game: faults of its rows, and open questions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, unique
from itertools import combinations

from croupier.games.validation import game_faults
from croupier.rulebook.agreement import disagreements
from croupier.rulebook.document import RuleDocument
from croupier.rulebook.sentences import clauses_read, read_without_row
from croupier.rulebook.tables import read_table
from croupier.rules.clause import Rule
from croupier.rules.game import (
    ClauseRow,
    Complete,
    Finales,
    Game,
    Irregularity,
    Neighbours,
)
from croupier.rules.layout import INSIDE, WagerType

_READ = "read"
"""The answer to a question about a clause that was read sentence by sentence."""


@unique
class Kind(Enum):
    """A fault must be corrected; an open question needs a reading."""

    FAULT = "fault"
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class RuleFinding:
    """A fault or question, with its clause."""

    clause: str
    kind: Kind
    says: str
    reading: str = ""
    """The reading that answers this question in the five games."""
    is_answered: bool = False
    """True if this game states that reading."""

    @property
    def answer(self) -> str:
        """Return `fault`, the id of the answering reading, or `open`."""
        if self.kind is Kind.FAULT:
            return str(self.kind.value)
        return self.reading if self.is_answered else str(self.kind.value)

    def __str__(self) -> str:
        return f"{self.clause}: {self.says}"


def lint(game: Game, document: RuleDocument | None = None) -> list[RuleFinding]:
    """Return the faults of a game, then the questions that its document leaves open."""
    rows = list(game.document_rows)
    faults = [
        *(("rows", str(fault)) for fault in game_faults(game)),
        *_acts_without_position(rows),
        *_claimed_twice(rows),
        *_unreached(game, rows),
        *((each, "it was read, but has no row") for each in read_without_row(game)),
    ]
    if document is not None:
        faults += [(each.clause, each.says) for each in disagreements(game, document)]
        faults += _dead_references(document)
    asked = [
        *_questions(rows),
        *_layout_questions(game, rows),
        *_piece_questions(game, rows),
    ]
    if document is not None:
        asked += _text_questions(game, document)
    answered = _answered(game)
    return [
        *(RuleFinding(clause, Kind.FAULT, says) for clause, says in faults),
        *(
            RuleFinding(clause, Kind.OPEN, says, reading, reading in answered)
            for clause, says, reading in asked
        ),
    ]


def _answered(game: Game) -> set[str]:
    read = clauses_read(game)
    stated = {row.number for row in game.clauses}
    stated |= {each for clause in read.values() for each in clause.silent}
    stated |= {e.reading for clause in read.values() for e in clause.sentences}
    return stated | {_READ}


_NEEDS: tuple[tuple[Rule, tuple[Rule, ...]], ...] = (
    (Rule.BONUS_UNLIT, (Rule.BONUS_DRAW,)),
    (Rule.BONUS_WIN, (Rule.BONUS_DRAW,)),
    (Rule.CLOSE_DURING_SPIN, (Rule.CLOSING, Rule.SPIN)),
    (Rule.COMPLETE_MARKER, (Rule.COMPLETE,)),
    (Rule.CORRECTION, (Rule.OUTCOME,)),
    (Rule.DOLLY, (Rule.OUTCOME,)),
    (Rule.EARLY_CLOSE, (Rule.CLOSING,)),
    (Rule.LATE_WAGER, (Rule.CLOSING,)),
    (Rule.LATE_WITHDRAWAL, (Rule.CLOSING,)),
    (Rule.MARKER_AND_CHIPS, (Rule.COMPLETE,)),
    (Rule.MULTIPLE_PIECE, (Rule.WAGERS,)),
    (Rule.NO_SPIN_AFTER_POWER_FAILURE, (Rule.NO_SPIN,)),
    (Rule.OUTCOME, (Rule.SPIN, Rule.CLOSING)),
    (Rule.OVER_MAXIMUM, (Rule.LIMITS,)),
    (Rule.PAST_LIMITS_STAND, (Rule.UNDER_MINIMUM,)),
    (Rule.RACETRACK, (Rule.MULTIPLE_PIECE,)),
    (Rule.SCATTER_WIN, (Rule.SCATTER,)),
    (Rule.SETTLING, (Rule.OUTCOME, Rule.PAY_TABLE)),
    (Rule.SUPER_BONUS, (Rule.BONUS_DRAW, Rule.LINKS)),
    (Rule.SUPER_BONUS_WIN, (Rule.SUPER_BONUS,)),
    (Rule.UNDER_MINIMUM, (Rule.LIMITS,)),
    (Rule.UNREGISTERED_RETURNED, (Rule.TERMINALS_INTERRUPTED,)),
    (Rule.WAGERS, (Rule.OPENING, Rule.LAYOUT)),
)
"""A rule, and the rules that it needs."""

_ACTS = (
    Rule.OPENING,
    Rule.CLOSING,
    Rule.SPIN,
    Rule.OUTCOME,
    Rule.SETTLING,
    Rule.EARLY_CLOSE,
    Rule.STAFF_PLACING,
    Rule.COLOUR_CHIPS,
    Rule.BONUS_DRAW,
    Rule.BONUS_UNLIT,
    Rule.RULING,
    Rule.NO_SPIN,
    Rule.REFERRAL,
    Rule.CORRECTION,
    Rule.VOID_ROUNDS,
)
"""Rules of acts; their rows name the positions that may act."""

_Fault = tuple[str, str]
_Asked = tuple[str, str, str]


def _acts_without_position(rows: list[ClauseRow]) -> Iterator[_Fault]:
    """Yield acts that no position may do."""
    for row in rows:
        acts = [rule for rule in row.rules if rule in _ACTS]
        by_others = {
            rule for other in rows if other.by for rule in other.rules if other != row
        }
        if acts and not row.by and not set(acts) & by_others:
            yield row.number, f"no position may do this: {acts[0].value}"


_SHARED = {
    Rule.BETTING_AREA,
    Rule.IRREGULARITY,
    Rule.MULTIPLE_PIECE,
    Rule.NUMBERS,
    Rule.PAY_TABLE,
    Rule.LINKS,
}
"""Rules that several clauses provide together."""


def _claimed_twice(rows: list[ClauseRow]) -> Iterator[_Fault]:
    """Yield each irregularity, wager or rule that two clauses claim."""
    claims: dict[object, list[str]] = {}
    for row in rows:
        if row.draws:
            continue
        own: set[object] = set(row.rules) - _SHARED | set(row.areas)
        if row.voids is not None:
            own.add(row.voids)
        if row.multiple is not None:
            own.add(row.multiple.word)
        for each in own:
            claims.setdefault(each, []).append(row.number)
    for claimed, numbers in claims.items():
        if len(numbers) > 1:
            yield numbers[1], f"{numbers[0]} claims this too: {_named(claimed)}"


def _named(claimed: object) -> str:
    if isinstance(claimed, WagerType):
        return claimed.title
    if isinstance(claimed, Irregularity):
        return str(claimed.reason)
    return str(claimed.value) if isinstance(claimed, Rule) else str(claimed)


def _unreached(game: Game, rows: list[ClauseRow]) -> Iterator[_Fault]:
    """Yield clauses that no act reaches because another rule is missing."""
    for rule, needed in _NEEDS:
        for row in rows:
            for lacking in needed:
                if rule in row.rules and not game.provides(lacking):
                    yield row.number, f"no act reaches it without: {lacking.value}"
    for row in rows:
        if row.voids is Irregularity.FEWER_THAN_FOUR_REVOLUTIONS:
            spins = [each for each in rows if Rule.SPIN in each.rules and each.amount]
            if not spins:
                yield row.number, "no clause says how many revolutions a spin needs"


_REFERENCE = re.compile(
    r"\b(?:[Rr]ules?|[Pp]aragraphs?|[Cc]lauses?)\s+"
    r"((?:\d+(?:\.\d+)*(?:,\s*|\s+and\s+|\s+or\s+|\s+to\s+)?)+)"
)


def _dead_references(document: RuleDocument) -> Iterator[_Fault]:
    """Yield references to missing clauses."""
    sections = {number.partition(".")[0] for number in document.clauses}
    for clause, sentences in document.clauses.items():
        for found in _REFERENCE.finditer(" ".join(sentences)):
            for number in re.findall(r"\d+(?:\.\d+)*", found[1]):
                if number not in document.clauses and number not in sections:
                    yield clause, f"it refers to {number}, which is not there"


def _questions(rows: list[ClauseRow]) -> Iterator[_Asked]:
    first: dict[Rule, str] = {}
    for row in rows:
        for rule in row.rules:
            first.setdefault(rule, row.number)
    for reading, named, asks in read_table("questions"):
        given = [Rule[name] for name in named.split() if name[0] != "-"]
        unless = [Rule[name[1:]] for name in named.split() if name[0] == "-"]
        if all(rule in first for rule in given) and first.keys().isdisjoint(unless):
            yield first[given[0]], asks, reading
    for row in rows:
        if {Rule.DISPLAY, Rule.CORRECTION} <= set(row.rules):
            asks = "A display is wrong: who puts the record right, and how?"
            yield row.number, asks, "A25"


def _layout_questions(game: Game, rows: list[ClauseRow]) -> Iterator[_Asked]:
    """Yield the questions that the layout raises."""
    clause = {kind: row.number for row in rows for kind in row.areas}
    zeros = [number for number in game.numbers if set(number) == {"0"}]
    if WagerType.RED in clause:
        yield clause[WagerType.RED], "Which numbers are red, which black?", "A3"
    evens = [row for row in rows if WagerType.EVEN in row.areas]
    if zeros and evens and not game.provides(Rule.ZERO):
        yield clause[WagerType.EVEN], "Is a zero an even number?", "A2"
    if len(zeros) > 1 and game.provides(Rule.ZERO):
        asks = "If one zero comes up, do wagers on the other zeros win, too?"
        yield game.clause(Rule.ZERO).number, asks, "A17"
    joined = [
        area
        for area in game.areas
        if area.wager_type in INSIDE
        and set(zeros) & area.numbers != area.numbers
        and set(zeros) & area.numbers
    ]
    if joined:
        raised_by = game.clause(Rule.LAYOUT).number
        if game.provides(Rule.ZERO) and len(zeros) == 1:
            raised_by = game.clause(Rule.ZERO).number
        is_listed = len(zeros) > 1
        asks = "Which areas join a zero with other numbers?"
        yield raised_by, asks, "A16" if is_listed else "A1"
    pairs = combinations([a for a in game.areas if a.numbers], 2)
    for one, other in pairs:
        if one.numbers == other.numbers:
            asks = f"{one.name} and {other.name} cover the same: are they two areas?"
            yield clause[other.wager_type], asks, "A18"


def _piece_questions(game: Game, rows: list[ClauseRow]) -> Iterator[_Asked]:
    """Yield the questions that multiple-piece wagers and the ring raise."""
    for row in rows:
        match row.multiple:
            case Neighbours():
                asks = "How many neighbours does it take, on which ring?"
                yield row.number, asks, "A23"
                if len([n for n in game.numbers if set(n) == {"0"}]) > 1:
                    asks = "In which order do the zeros lie on the wheel?"
                    yield row.number, asks, "W1"
            case Finales():
                yield row.number, "Which zeros does Finale 0 take?", "A19"
            case Complete(at_maximum=False):
                asks = "Does a dozen take areas that touch it, or lie inside it?"
                yield row.number, asks, "A7"
    if any(isinstance(row.multiple, Neighbours) for row in rows) and not any(
        set(n) == {"0"} and n != "0" for n in game.numbers
    ):
        asks = "Is the order of the wheel written out, not only drawn?"
        yield game.clause(Rule.RACETRACK).number, asks, "A5"
    if game.illustrative_ring:
        asks = "In which order do the numbers lie on the wheel?"
        yield game.clause(Rule.LAYOUT).number, asks, "W2"
    words = [number for number in game.numbers if not number.isdecimal()]
    if any(len(word) > 1 for word in words):
        named = game.clause(Rule.NUMBERS).number
        yield named, f"How are the symbols {', '.join(words)} written?", "S1"


_PIECE = re.compile(r"(?<![\d/])\d{1,3}(?:/\d{1,3})+(?![\d/])")
_POSITION = re.compile(r"\b((?:[A-Z][a-z]+ )+(?:Manager|Supervisor|Officer))\b")
_DEFINED = re.compile(r"^\W*([A-Z][\w ]*?)\W+(?:means?|refers|is|shall have)\b")


def _defined(document: RuleDocument) -> set[str]:
    return {
        found[1]
        for sentences in document.clauses.values()
        for sentence in sentences
        if (found := _DEFINED.match(sentence))
    }


def _position_questions(game: Game, document: RuleDocument) -> Iterator[_Asked]:
    """Yield the positions in the text that are not defined, or not the operator's."""
    defined = _defined(document)
    known = [role.value for role in game.operator.ladder]
    used: dict[str, str] = {}
    for clause, sentences in document.clauses.items():
        text = " ".join(sentences)
        named = [each for each in known if re.search(rf"\b{each}\b", text)]
        written = [each.removeprefix("The ") for each in _POSITION.findall(text)]
        for position in (*named, *written):
            used.setdefault(position, clause)
    others = [each for each in used if not each.endswith(tuple(known))]
    for position in others:
        yield used[position], f"{position} is no position of the operator.", ""
    undefined = [e for e in used if e not in defined and e not in others and e in known]
    if undefined:
        says = f"Used but not defined: {', '.join(undefined)}. Who holds them?"
        yield used[undefined[0]], says, "A49"


_TERM = re.compile(r"\b[a-z]+,? \(?((?:[A-Z][a-z]+ ){1,2}[A-Z][a-z]+)\b(?! [A-Z])")
_END_OF_TERM = re.compile(r" (?:bet|wager)s?$|s$")


def _term_questions(game: Game, document: RuleDocument) -> Iterator[_Asked]:
    """Yield the capitalised terms of two or three words that are not defined."""
    names = [area.wager_type.title for area in game.areas]
    names += [word.replace("_", " ") for word in game.multiples]
    known = {_plain_term(each) for each in (*_defined(document), game.title, *names)}
    read = clauses_read(game)
    for clause, sentences in document.clauses.items():
        for term in dict.fromkeys(_TERM.findall(" ".join(sentences))):
            if _POSITION.fullmatch(term) or _plain_term(term) in known:
                continue
            known.add(_plain_term(term))
            own = read[clause].sentences if clause in read else ()
            answer = _READ if any(each.fingerprint for each in own) else ""
            yield clause, f"{term} is used but not defined. What does it mean?", answer


def _plain_term(term: str) -> str:
    return _END_OF_TERM.sub("", term.lower())


def _text_questions(game: Game, document: RuleDocument) -> Iterator[_Asked]:
    """Yield the questions that pieces and terms in the text raise."""
    covered = {frozenset(map(str, each)) for each in game.area_by_numbers}
    for clause, sentences in document.clauses.items():
        for piece in dict.fromkeys(_PIECE.findall(" ".join(sentences))):
            if frozenset(piece.split("/")) not in covered:
                yield clause, f"There is no area {piece}.", "A4"
    yield from _position_questions(game, document)
    yield from _term_questions(game, document)
