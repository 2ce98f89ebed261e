"""One stream checked against itself: chain, entries, balances, answers, snapshots.

Every row of every table is read once, in order, next to the events; only the balances
of the stream are held in memory. A hash is computed from the stored hash before it, so
that one edit is one finding and not a million. The caller gets the events, decoded.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from croupier.journal.chain import balances_digest, digest, event_hash
from croupier.journal.events.codec import JournalEvent, UnreadableEvent, decode
from croupier.journal.events.table import SnapshotTaken
from croupier.journal.findings import (
    Finding,
    FindingKind,
    Findings,
    VerificationProblem,
)
from croupier.journal.log.entries import LOGGED, entry_of, needs_salt
from croupier.journal.log.publishing import round_rows
from croupier.journal.store import JournalError, ServerAway, Store
from croupier.journal.tables import (
    ANSWERS,
    BALANCES,
    ENTRIES,
    EVENTS,
    GENESIS,
    LOG_ENTRIES,
    SNAPSHOTS,
    STREAMS,
    TABLES,
    EventRow,
    LogRow,
    Row,
    StoredTable,
    answered_id,
)
from croupier.ledger.accounts import Account, Entry, is_players
from croupier.rules.reasons import Reason

OF_STREAMS = tuple(table for table in TABLES.values() if "stream" in table.order)
"""The tables that have rows of streams."""
_SALT = re.compile("[0-9a-f]{64}")
_NO_ENTRIES: list[Entry] = []


class RowCursor:
    """Rows in order; `next` is the one that `take` will return."""

    def __init__(
        self,
        table: StoredTable,
        rows: Iterator[Row],
        findings: Findings,
        stream: str = "",
    ) -> None:
        self.count = 0
        self._kind = FindingKind.of_table(table.name)
        self._rows = rows
        self._findings = findings
        self._stream = stream
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

    def until(self, number: int) -> Iterator[Row]:
        """Yield the rows whose second column is at most `number`."""
        while self.next is not None and self.next[1] <= number:
            yield self.take()

    def _read(self) -> Row | None:
        """Return the next row; a row that can't be read is a finding, and the end."""
        try:
            return next(self._rows, None)
        except ServerAway:
            raise
        except JournalError as error:
            problem = VerificationProblem.ROW_UNREADABLE(text=str(error))
            self._findings.add(Finding(self._kind, self._stream, None, problem))
            return None


class CheckedEvent(NamedTuple):
    """An event that was checked, with its entries."""

    row: EventRow
    event: JournalEvent | UnreadableEvent
    entries: list[Entry]
    snapshot: str | None
    """The stored body, if the event is a `SnapshotTaken`."""


@dataclass(frozen=True, slots=True)
class CheckedBefore:
    """The event after which a check begins, with the balances after it."""

    sequence: int = 0
    hash: str = GENESIS
    balances: Mapping[Account, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Command:
    """The events of one command, as far as they have been read."""

    command_id: str
    first: int
    last: int


class StreamCheck:
    """Reads a stream's rows from every table, once, in one moment of the store."""

    def __init__(
        self,
        store: Store,
        stream: str,
        findings: Findings,
        before: CheckedBefore | None = None,
    ) -> None:
        """Check the whole stream, or the part after an event that ends a command."""
        before = before or CheckedBefore()
        self._store = store
        self._stream = stream
        self._findings = findings
        self._rows = {
            table.name: RowCursor(
                table,
                store.rows_of(table, stream, after=before.sequence),
                findings,
                stream,
            )
            for table in OF_STREAMS
        }
        self._entries = self._rows[ENTRIES.name]
        self._answers = self._rows[ANSWERS.name]
        self._snapshots = self._rows[SNAPSHOTS.name]
        self._log = self._rows[LOG_ENTRIES.name]
        self.sequence = before.sequence
        """The sequence and the hash of the last event so far."""
        self.hash = before.hash
        self._balances: dict[Account, int] = dict(before.balances)
        self._command: _Command | None = None

    @property
    def counts(self) -> Mapping[str, int]:
        return {name: rows.count for name, rows in self._rows.items()}

    def events(self) -> Iterator[CheckedEvent]:
        """Check the stream; yield its events."""
        for values in self._rows[EVENTS.name].rest():
            row = EventRow._make(values)
            entries = self._entries_of(row.sequence)
            self._check_chain(row, entries)
            self._post(row.sequence, entries)
            event, snapshot = self._check_meaning(row)
            if row.kind in LOGGED:
                self._check_log(row, event)
            self.sequence, self.hash = row.sequence, row.hash
            yield CheckedEvent(row, event, entries, snapshot)
        self._end_command()
        self._check_leftovers()
        self._check_balances()
        self._check_head()

    def _found(self, table: StoredTable, sequence: int | None, problem: Reason) -> None:
        kind = FindingKind.of_table(table.name)
        self._findings.add(Finding(kind, self._stream, sequence, problem))

    def _check_chain(self, row: EventRow, entries: list[Entry]) -> None:
        if row.sequence != self.sequence + 1:
            problem = VerificationProblem.SEQUENCE_BROKEN(
                before=self.sequence, expected=row.sequence - 1
            )
            self._found(EVENTS, row.sequence, problem)
        if event_hash(self.hash, row, entries) != row.hash:
            problem = VerificationProblem.HASH_BROKEN()
            self._found(EVENTS, row.sequence, problem)

    def _entries_of(self, sequence: int) -> list[Entry]:
        following = self._entries.next
        if following is None or following[1] > sequence:
            return _NO_ENTRIES
        entries: list[Entry] = []
        for _, number, line, account, cents in self._entries.until(sequence):
            if number != sequence:
                self._found(ENTRIES, number, VerificationProblem.ENTRY_WITHOUT_EVENT())
                continue
            if line != len(entries):
                problem = VerificationProblem.ENTRY_LINE(
                    line=line, expected=len(entries)
                )
                self._found(ENTRIES, number, problem)
            if "\n" in account:  # the hash joins entries by line breaks
                self._found(ENTRIES, number, VerificationProblem.ENTRY_ACCOUNT_LINES())
            entries.append(Entry(account, cents))
        return entries

    def _post(self, sequence: int, entries: list[Entry]) -> None:
        if not entries:
            return
        balances = self._balances
        total = 0
        for account, cents in entries:
            balances[account] = balances.get(account, 0) + cents
            total += cents
        if total:
            self._found(ENTRIES, sequence, VerificationProblem.ENTRIES_SUM(total=total))
        for account, _ in entries:
            if balances[account] < 0 and is_players(account):
                self._found(
                    ENTRIES,
                    sequence,
                    VerificationProblem.SEAT_BELOW_ZERO(account=account),
                )

    def _check_meaning(
        self, row: EventRow
    ) -> tuple[JournalEvent | UnreadableEvent, str | None]:
        """Return the event, and the snapshot that it names."""
        try:
            event = decode(row.schema, row.kind, row.body)
        except UnreadableEvent as error:
            problem = VerificationProblem.ROW_UNREADABLE(text=str(error))
            self._found(EVENTS, row.sequence, problem)
            self._follow_command(row)
            return error, None
        if isinstance(event, SnapshotTaken):
            return event, self._check_snapshot(row, event)
        self._follow_command(row)
        return event, None

    def _follow_command(self, row: EventRow) -> None:
        command = self._command
        if command is not None and command.command_id == row.command_id:
            command.last = row.sequence
            return
        self._end_command()
        self._command = _Command(row.command_id, row.sequence, row.sequence)

    def _end_command(self) -> None:
        """Check the stored answer of the command whose events have all been read."""
        command, answers = self._command, self._answers
        if command is None:
            return
        answered = answered_id(command.command_id)
        expected = (self._stream, answered, command.first, command.last)
        while answers.next is not None:
            if answers.next == expected:
                answers.take()
                return
            if answers.next[2] > command.first:
                break
            self._found_answer(answers.take())
        problem = VerificationProblem.ANSWER_MISSING(command=command.command_id)
        self._found(ANSWERS, command.first, problem)

    def _found_answer(self, row: Row) -> None:
        _, command_id, first, last = row
        problem = VerificationProblem.ANSWER_OTHER_EVENTS(
            first=first, last=last, command=command_id
        )
        self._found(ANSWERS, first, problem)

    def _check_snapshot(self, row: EventRow, taken: SnapshotTaken) -> str | None:
        """Check the snapshot whose digest the chain holds, and return its body."""
        sequence, command = taken.at_sequence, self._command
        if command is None or command.command_id != row.command_id:
            problem = VerificationProblem.SNAPSHOT_OTHER_COMMAND()
            self._found(EVENTS, row.sequence, problem)
        if sequence != row.sequence - 1:
            self._found(
                EVENTS,
                row.sequence,
                VerificationProblem.SNAPSHOT_ELSEWHERE(sequence=sequence),
            )
        if taken.balances != balances_digest(self._balances):
            problem = VerificationProblem.BALANCES_OTHERWISE()
            self._found(BALANCES, row.sequence, problem)
        found: str | None = None
        for _, number, body, stored in self._snapshots.until(sequence):
            if number != sequence:
                self._found(SNAPSHOTS, number, VerificationProblem.SNAPSHOT_UNKNOWN())
                continue
            found = body
            if not digest(body) == stored == taken.digest:
                problem = VerificationProblem.SNAPSHOT_CHANGED()
                self._found(SNAPSHOTS, number, problem)
        if found is None:
            self._found(SNAPSHOTS, sequence, VerificationProblem.SNAPSHOT_MISSING())
        return found

    def _check_log(self, row: EventRow, event: JournalEvent | UnreadableEvent) -> None:
        """Compare the log's entry of an event with one made again."""
        found: LogRow | None = None
        for values in self._log.until(row.sequence):
            each = LogRow._make(values)
            if each.sequence == row.sequence:
                found = each
            else:
                problem = VerificationProblem.LOG_ENTRY_WITHOUT_EVENT()
                self._found(LOG_ENTRIES, each.sequence, problem)
        if found is None:
            problem = VerificationProblem.LOG_ENTRY_MISSING()
            self._found(LOG_ENTRIES, row.sequence, problem)
        elif not (
            isinstance(event, UnreadableEvent) or self._is_as_logged(row, event, found)
        ):
            problem = VerificationProblem.LOG_ENTRY_OTHERWISE()
            self._found(LOG_ENTRIES, row.sequence, problem)

    def _is_as_logged(self, row: EventRow, event: JournalEvent, found: LogRow) -> bool:
        is_salt = not found.salt
        if needs_salt(event):
            is_salt = _SALT.fullmatch(found.salt) is not None
        if not is_salt or found.leaf < 0:
            return is_salt and (found.leaf, found.entry) == (-1, "")
        try:
            expected = entry_of(row, found.salt, round_rows(self._store, row))
        except UnreadableEvent:  # reported as a finding of its own
            return True
        return found.entry == expected

    def _check_leftovers(self) -> None:
        """Report rows that belong to no event."""
        for row in self._entries.rest():
            self._found(ENTRIES, row[1], VerificationProblem.ENTRY_WITHOUT_EVENT())
        for row in self._log.rest():
            problem = VerificationProblem.LOG_ENTRY_WITHOUT_EVENT()
            self._found(LOG_ENTRIES, row[1], problem)
        for row in self._answers.rest():
            self._found_answer(row)
        for row in self._snapshots.rest():
            self._found(SNAPSHOTS, row[1], VerificationProblem.SNAPSHOT_UNKNOWN())

    def _check_balances(self) -> None:
        expected = dict(self._balances)
        for _, account, cents in self._rows[BALANCES.name].rest():
            there = expected.pop(account, None)
            if there is None:
                self._found(
                    BALANCES, None, VerificationProblem.BALANCE_UNKNOWN(account=account)
                )
            elif there != cents:
                problem = VerificationProblem.BALANCE_DIFFERS(
                    account=account, found=cents, expected=there
                )
                self._found(BALANCES, None, problem)
        for account in expected:
            self._found(
                BALANCES, None, VerificationProblem.BALANCE_MISSING(account=account)
            )

    def _check_head(self) -> None:
        """Check the row of the stream's end."""
        is_there = False
        for _, _, sequence, end in self._rows[STREAMS.name].rest():
            is_there = True
            if (sequence, end) != (self.sequence, self.hash):
                problem = VerificationProblem.STREAM_END(sequence=self.sequence)
                self._found(STREAMS, sequence, problem)
        if not is_there:
            self._found(STREAMS, None, VerificationProblem.STREAM_MISSING())
