"""A rule document's own text, cut into clauses and sentences.

The text comes from the operator's file: plain text, Markdown, or the text of a PDF.
Only the numbers and names of a game's rows are known beforehand; other clauses are
found by their numbers.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from hashlib import sha256

from croupier.errors import CroupierError

_CLAUSE = re.compile(r"(\d+(?:\.\d+)+)\.?(?:\s+(.*))?$")
_SECTION = re.compile(r"\d+\.\s+([A-Z][\w ]{2,40})(?:\t\d+)?$")
_DRAWING = re.compile(r"(Appendix|Diagram)\s+\W*([A-Z])\W*(\(.*\)\W*)?$")
_TAG = re.compile(r"</?(sup|sub|b|i|u|p|br|div|span)\b[^>]*>")
_PAGE_NUMBER = re.compile(r"(Page )?\d+( of \d+)?")
_END = re.compile(r"(?<=[.!?])(?<!Pte\.)(?<!Ltd\.)\s+(?=[A-Z“\"])")
_CELL = "\t"
_CELLS = re.compile(r" {3,}")
_FINGERPRINT = 8


class UnreadableDocument(CroupierError):
    """The file holds no text of a rule document."""


@dataclass(frozen=True, slots=True)
class RuleDocument:
    """The sentences of a document, by clause; a table or a drawing counts as one."""

    clauses: dict[str, tuple[str, ...]]
    """The clauses in the order of the document; a heading is a sentence too."""
    outside: tuple[str, ...] = ()
    """Sentences before, between and after the clauses."""


def fingerprint(sentence: str) -> str:
    """Return eight hexadecimal digits that depend only on letters and digits.

    Space, case and punctuation differ between two copies of one document.
    """
    text = unicodedata.normalize("NFKC", sentence).casefold()
    letters = "".join(each for each in text if each.isalnum())
    return sha256(letters.encode()).hexdigest()[:_FINGERPRINT]


def read_document(text: str, known: Collection[str]) -> RuleDocument:
    """Cut a document into clauses, the `known` ones and others."""
    if text.startswith("%PDF"):
        raise UnreadableDocument(
            "this is a PDF: write its text to a file first, with pdftotext -layout"
        )
    reader = _Reader(known)
    for line in text.splitlines():
        reader.read(line)
    if not reader.parts:
        raise UnreadableDocument("no clause has a number in this text")
    clauses = {
        number: tuple(_sentences(lines, is_drawing=number.startswith(DRAWN)))
        for number, lines in reader.parts.items()
    }
    outside = [each for each in _sentences(reader.outside) if _is_sentence(each)]
    return RuleDocument(clauses, tuple(outside))


DRAWN = ("Appendix", "Diagram")
"""First words of the names of drawings."""


def _is_sentence(text: str) -> bool:
    return text.endswith((".", ":")) and " " in text


def _clean(line: str) -> str:
    """Return the line without layout marks, with a tab between its cells."""
    line = _CELLS.sub(_CELL, line.strip())
    line = _TAG.sub(lambda tag: "" if tag[1] in {"sup", "sub"} else " ", line)
    line = re.sub(r"^[\s>#*\-–•_]+|\*\*|__", "", line)
    cells = [" ".join(cell.split()) for cell in line.rstrip("*#_ ").split(_CELL)]
    return _CELL.join(cells).strip()


@dataclass(slots=True)
class _Reader:
    """Sorts the lines of a document into clauses."""

    known: Collection[str]
    parts: dict[str, list[str]] = field(default_factory=dict)
    outside: list[str] = field(default_factory=list)
    _current: str = ""
    _after_gap: bool = True

    def read(self, line: str) -> None:
        line = _clean(line)
        if not line:
            self._after_gap = True
            return
        if not self._begins(line):
            self._continue(line)
        self._after_gap = False

    def _begins(self, line: str) -> bool:
        """Begin a clause, drawing or appendix row; return whether the line has one."""
        if found := _CLAUSE.match(line):
            self._open(found[1], found[2] or "")
        elif found := _DRAWING.match(line):
            self._open(f"{found[1]} {found[2]}", "")
        elif _SECTION.match(line):
            self._current = ""
        elif row := self._row_of_appendix(line):
            self._open(row, line.partition(_CELL)[2])
        else:
            return False
        return True

    def _open(self, number: str, text: str) -> None:
        self._current = number
        lines = self.parts.setdefault(number, [])
        if text:
            lines.append(text)

    def _row_of_appendix(self, line: str) -> str | None:
        """Return the known row, such as `Appendix A: Split`, of a table's line."""
        first, cell, _ = line.partition(_CELL)
        appendix = self._current.partition(":")[0]
        if not cell or not appendix.startswith(DRAWN):
            return None
        title = first.removesuffix(" Bet").casefold()
        rows = [each for each in self.known if each.startswith(f"{appendix}: ")]
        named = {each.partition(": ")[2].casefold(): each for each in rows}
        fits = [each for name, each in named.items() if title.endswith(name)]
        return max(fits, key=len, default=None)

    def _continue(self, line: str) -> None:
        if not self._current:
            self.outside.append(line)
            return
        drawing = self._current.partition(":")[0]
        if drawing != self._current and line in self.parts.get(drawing, ()):
            return  # a table's headings again, on its next page
        if not drawing.startswith(DRAWN) and _PAGE_NUMBER.fullmatch(line):
            return
        lines = self.parts[self._current]
        parent = self._current.rpartition(".")[0]
        closes_list = self._after_gap and lines and lines[-1].endswith(",")
        if closes_list and line[0].islower() and parent in self.parts:
            self.parts[parent].append(line)
        else:
            lines.append(line)


def _sentences(lines: list[str], *, is_drawing: bool = False) -> Iterator[str]:
    """Yield the sentences of text; a table or a whole drawing counts as one."""
    if is_drawing:
        if lines:
            yield from _split(" ".join(lines)) if _is_prose(lines) else [_table(lines)]
        return
    running: list[str] = []
    table: list[str] = []
    for line in [*lines, ""]:
        if _CELL in line:
            yield from _split(" ".join(running))
            running = []
            table.append(line)
            continue
        if table:
            yield _table(table)
            table = []
        running.append(line)
    yield from _split(" ".join(running))


def _is_prose(lines: list[str]) -> bool:
    return not any(_CELL in line for line in lines) and lines[-1].endswith(".")


def _table(lines: list[str]) -> str:
    return "\n".join(lines)


def _split(text: str) -> Iterator[str]:
    for sentence in _END.split(text.strip()):
        if sentence:
            yield sentence
