"""What a verification found wrong, what it looked at, and what it can't prove."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from croupier.journal.store import JournalError
from croupier.journal.tables import Row, StoredTable

_MOST_KEPT = 1_000


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong, and where."""

    table: str
    stream: str
    """Of a voucher its code; empty where no stream is concerned."""
    sequence: int | None
    problem: str

    def __str__(self) -> str:
        number = "" if self.sequence is None else str(self.sequence)
        where = " ".join(part for part in (self.table, self.stream, number) if part)
        return f"{where}: {self.problem}"


@dataclass(frozen=True, slots=True)
class VerificationReport:
    """The result of a verification."""

    findings: tuple[Finding, ...]
    more_findings: int
    """How many there are beyond those that are listed."""
    checked: Mapping[str, int]
    """How many rows of each table were looked at."""
    house_head: str
    unproven: tuple[str, ...]
    """What can't be proven from what was given, in sentences."""

    @property
    def is_clean(self) -> bool:
        return not self.findings


class Findings:
    """Gathers what is wrong; a thousand are kept, the rest are counted."""

    def __init__(self) -> None:
        self.kept: list[Finding] = []
        self.more = 0

    def add(
        self, table: StoredTable, stream: str, sequence: int | None, problem: str
    ) -> None:
        if len(self.kept) < _MOST_KEPT:
            self.kept.append(Finding(table.name, stream, sequence, problem))
        else:
            self.more += 1


class RowCursor:
    """Rows in order, with the next one in sight."""

    def __init__(
        self, table: StoredTable, rows: Iterator[Row], findings: Findings
    ) -> None:
        self.table = table
        self.count = 0
        self._rows = rows
        self._findings = findings
        self.next = self._read()

    def take(self) -> Row:
        row = self.next
        assert row is not None
        self.count += 1
        self.next = self._read()
        return row

    def rest(self) -> Iterator[Row]:
        while self.next is not None:
            yield self.take()

    def of(self, stream: str) -> Iterator[Row]:
        """The rows of a stream, which must be the next ones."""
        while self.next is not None and self.next[0] == stream:
            yield self.take()

    def until(self, stream: str, number: int) -> Iterator[Row]:
        """The rows of a stream whose second column is at most `number`."""
        while (
            self.next is not None and self.next[0] == stream and self.next[1] <= number
        ):
            yield self.take()

    def _read(self) -> Row | None:
        """What can't be read is a finding, and the end of the table."""
        try:
            return next(self._rows, None)
        except JournalError as error:
            self._findings.add(self.table, "", None, str(error))
            return None
