"""Differences between a document's text and the rows of its game."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from croupier.rulebook.document import DRAWN, RuleDocument, fingerprint
from croupier.rulebook.sentences import clauses_read
from croupier.rules.game import Game, Pays, Status
from croupier.rules.layout import WagerType
from croupier.rules.wheel import Number

_TO_ONE = re.compile(r"(\d+) to 1$")
_WORDS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 10: "ten"}


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One difference between the text and the rows."""

    clause: str
    says: str

    def __str__(self) -> str:
        return f"{self.clause}: {self.says}"


def disagreements(game: Game, document: RuleDocument) -> list[Disagreement]:
    """Return every difference between the text and the game, by clause."""
    return [
        *_clauses(game, document),
        *_pays(game, document),
        *_amounts(game, document),
        *_links(game, document),
        *_sentences(game, document),
    ]


def _clauses(game: Game, document: RuleDocument) -> Iterator[Disagreement]:
    rows = {each.number for each in game.clauses}
    headings = {number.partition(": ")[0] for number in rows}
    for number in document.clauses:
        if number not in rows | headings:
            yield Disagreement(number, "the text has this clause, the game has no row")
    for row in game.document_rows:
        is_drawn = row.number.startswith(DRAWN)  # a picture may leave no text
        if not (is_drawn or row.number in document.clauses):
            yield Disagreement(row.number, "the game has this row, the text no clause")


def _pays(game: Game, document: RuleDocument) -> Iterator[Disagreement]:
    names = _names(game)
    for number, sentences in document.clauses.items():
        for line in "\n".join(sentences).splitlines():
            name = line.partition("\t")[0]
            found = _TO_ONE.search(line)
            if found is None or "\t" not in line:
                continue
            for kind in _kinds(name.casefold(), names):
                paid = _paid(game.pay_table.get(kind), name.casefold())
                if paid != int(found[1]):
                    text = f"the text pays {name} {found[0]}, the game {paid} to 1"
                    yield Disagreement(number, text)


def _names(game: Game) -> Mapping[str, tuple[WagerType, ...]]:
    """Return the wager types by the names of tables and of appendices."""
    names: dict[str, tuple[WagerType, ...]]
    names = {kind.title.casefold(): (kind,) for kind in game.pay_table}
    for row in game.clauses:
        _, title, name = row.number.partition(": ")
        if title and row.areas:
            names[name.casefold()] = row.areas
    return names


def _kinds(name: str, names: Mapping[str, tuple[WagerType, ...]]) -> set[WagerType]:
    """Return the types of the names in the text; of nested names, the longest."""
    found = [each for each in names if re.search(rf"\b{re.escape(each)}\b", name)]
    longest = [
        each
        for each in found
        if not any(each != more and each in more for more in found)
    ]
    return {kind for each in longest for kind in names[each]}


def _paid(pays: Pays | None, name: str) -> int | None:
    if pays is None or isinstance(pays, int):
        return pays
    if "non-bonus" in name:
        return pays[Status.NON_BONUS]
    return pays[Status.SUPER_BONUS if "super bonus" in name else Status.BONUS]


def _amounts(game: Game, document: RuleDocument) -> Iterator[Disagreement]:
    for row in game.clauses:
        text = " ".join(document.clauses.get(row.number, ())).casefold()
        words = {_WORDS.get(row.amount, ""), str(row.amount)}
        if row.amount and text and words.isdisjoint(re.findall(r"\w+", text)):
            yield Disagreement(row.number, f"the text does not say {row.amount}")


def _links(game: Game, document: RuleDocument) -> Iterator[Disagreement]:
    """Yield the lines of a link table, such as `1 2 3 4 b`, that the game lacks."""
    lines = (
        line.split("\t")
        for sentences in document.clauses.values()
        for line in "\n".join(sentences).splitlines()
    )
    for *cells, letter in lines:
        place = ord(letter) - ord("a") if re.fullmatch("[a-z]", letter) else -1
        if not 0 <= place < len(game.layout.links):
            continue
        link = tuple(map(Number, cells))
        known = set(link) <= set(game.numbers)
        if known and set(link) != set(game.layout.links[place]):
            own = " ".join(game.layout.links[place])
            text = f"the text has {' '.join(cells)} in link {letter}, the game {own}"
            yield Disagreement("links", text)


def _sentences(game: Game, document: RuleDocument) -> Iterator[Disagreement]:
    """Yield the clauses with a sentence that we have not read in this form."""
    for number, read in clauses_read(game).items():
        quotes = document.clauses.get(number)
        if quotes is None:
            continue
        pairs = zip(read.sentences, quotes, strict=False)
        if len(quotes) > len(read.sentences):
            yield Disagreement(number, "the text has a sentence that is not covered")
        elif any(e.fingerprint not in {"", fingerprint(q)} for e, q in pairs):
            yield Disagreement(number, "its words are not those that were read")
