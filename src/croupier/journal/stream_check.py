"""One stream, held against itself: its chain, entries, balances, answers, snapshots.

Every table is read once, in order, next to the events; only the balances of the stream
are held in memory. A hash is computed from the stored hash before it, so that one edit
is one finding and not a million.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from croupier.journal.chain import digest, event_hash
from croupier.journal.events.codec import JournalEvent, UnreadableEvent, decode
from croupier.journal.events.table import SnapshotTaken
from croupier.journal.findings import Findings, RowCursor
from croupier.journal.known_heads import compare_ends
from croupier.journal.tables import (
    ANSWERS,
    BALANCES,
    ENTRIES,
    EVENTS,
    GENESIS,
    SNAPSHOTS,
    STREAMS,
    EventRow,
    Row,
)
from croupier.journal.vouchers import VoucherFold
from croupier.ledger.accounts import Account, Entry, is_seat

_LAST = 2**63


@dataclass(slots=True)
class _Command:
    """The events of one command, as far as they have been read."""

    command_id: str
    first: int
    last: int


class StreamCheck:
    """Reads a stream's rows from every table, once."""

    def __init__(
        self,
        stream: str,
        rows: Mapping[str, RowCursor],
        ends: RowCursor,
        vouchers: VoucherFold,
        findings: Findings,
    ) -> None:
        self._stream = stream
        self._rows = rows
        self._entries = rows[ENTRIES.name]
        self._ends = ends
        self._vouchers = vouchers
        self._findings = findings
        self._sequence = 0
        self._hash = GENESIS
        self._balances: dict[Account, int] = {}
        self._command: _Command | None = None

    def run(self) -> tuple[int, str]:
        """The sequence and hash that the events end with."""
        for row in self._rows[EVENTS.name].of(self._stream):
            self._check_event(EventRow._make(row))
        self._end_command()
        self._check_leftovers()
        self._check_balances()
        self._check_head()
        compare_ends(
            self._ends.until(self._stream, _LAST), self._sequence, None, self._findings
        )
        return self._sequence, self._hash

    def _check_event(self, row: EventRow) -> None:
        stream, sequence = self._stream, row.sequence
        if sequence != self._sequence + 1:
            problem = f"{self._sequence} stands before it, not {sequence - 1}"
            self._findings.add(EVENTS, stream, sequence, problem)
        entries = self._entries_of(sequence)
        if event_hash(self._hash, row, entries) != row.hash:
            problem = "its hash does not follow from what is stored"
            self._findings.add(EVENTS, stream, sequence, problem)
        self._post(sequence, entries)
        self._check_meaning(row)
        compare_ends(
            self._ends.until(stream, sequence), sequence, row.hash, self._findings
        )
        self._sequence, self._hash = sequence, row.hash

    def _entries_of(self, sequence: int) -> list[Entry]:
        entries: list[Entry] = []
        for _, number, line, account, cents in self._entries.until(
            self._stream, sequence
        ):
            if number != sequence:
                problem = "there is no event for this entry"
                self._findings.add(ENTRIES, self._stream, number, problem)
                continue
            if line != len(entries):
                problem = f"line {line} stands where {len(entries)} should"
                self._findings.add(ENTRIES, self._stream, number, problem)
            if "\n" in account:  # the hash is over lines: it would join two entries
                problem = "its account is more than one line"
                self._findings.add(ENTRIES, self._stream, number, problem)
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
            problem = f"the entries sum to {total}"
            self._findings.add(ENTRIES, self._stream, sequence, problem)
        for account, _ in entries:
            if balances[account] < 0 and is_seat(account):
                problem = f"{account} is below zero after it"
                self._findings.add(ENTRIES, self._stream, sequence, problem)

    def _check_meaning(self, row: EventRow) -> None:
        try:
            event = decode(row.schema, row.kind, row.body)
        except UnreadableEvent as error:
            self._findings.add(EVENTS, self._stream, row.sequence, str(error))
            self._follow_command(row)
            return
        if isinstance(event, SnapshotTaken):
            self._check_snapshot(row, event)
        else:
            self._follow_command(row)
            self._note_voucher(row, event)

    def _note_voucher(self, row: EventRow, event: JournalEvent) -> None:
        if row.kind.startswith("Voucher"):
            self._vouchers.note(self._stream, row.sequence, event)

    def _follow_command(self, row: EventRow) -> None:
        command = self._command
        if command is not None and command.command_id == row.command_id:
            command.last = row.sequence
            return
        self._end_command()
        self._command = _Command(row.command_id, row.sequence, row.sequence)

    def _end_command(self) -> None:
        """The stored answer of the command whose events have all been read."""
        command, answers = self._command, self._rows[ANSWERS.name]
        if command is None:
            return
        expected = (self._stream, command.command_id, command.first, command.last)
        while answers.next is not None and answers.next[0] == self._stream:
            if answers.next == expected:
                answers.take()
                return
            if answers.next[2] > command.first:
                break
            self._found_answer(answers.take())
        problem = f"the answer to {command.command_id} is missing"
        self._findings.add(ANSWERS, self._stream, command.first, problem)

    def _found_answer(self, row: Row) -> None:
        stream, command_id, first, last = row
        problem = f"the events {first} to {last} are not those of {command_id}"
        self._findings.add(ANSWERS, stream, first, problem)

    def _check_snapshot(self, row: EventRow, taken: SnapshotTaken) -> None:
        """The snapshot whose digest the chain holds."""
        stream, sequence = self._stream, taken.at_sequence
        command = self._command
        if command is None or command.command_id != row.command_id:
            problem = "a snapshot belongs to the command before it"
            self._findings.add(EVENTS, stream, row.sequence, problem)
        if sequence != row.sequence - 1:
            problem = f"it names a snapshot at {sequence}"
            self._findings.add(EVENTS, stream, row.sequence, problem)
        is_there = False
        for _, number, body, stored in self._rows[SNAPSHOTS.name].until(
            stream, sequence
        ):
            if number != sequence:
                problem = "no event knows this snapshot"
                self._findings.add(SNAPSHOTS, stream, number, problem)
                continue
            is_there = True
            if not digest(body) == stored == taken.digest:
                problem = "it is not the snapshot that the chain holds"
                self._findings.add(SNAPSHOTS, stream, number, problem)
        if not is_there:
            self._findings.add(SNAPSHOTS, stream, sequence, "it is missing")

    def _check_leftovers(self) -> None:
        """Rows that belong to no event."""
        stream = self._stream
        for row in self._entries.of(stream):
            problem = "there is no event for this entry"
            self._findings.add(ENTRIES, stream, row[1], problem)
        for row in self._rows[ANSWERS.name].of(stream):
            self._found_answer(row)
        for row in self._rows[SNAPSHOTS.name].of(stream):
            problem = "no event knows this snapshot"
            self._findings.add(SNAPSHOTS, stream, row[1], problem)

    def _check_balances(self) -> None:
        expected = dict(self._balances)
        for _, account, cents in self._rows[BALANCES.name].of(self._stream):
            there = expected.pop(account, None)
            if there is None:
                problem = f"no entry knows {account}"
                self._findings.add(BALANCES, self._stream, None, problem)
            elif there != cents:
                problem = f"{account} is {cents}, its entries sum to {there}"
                self._findings.add(BALANCES, self._stream, None, problem)
        for account in expected:
            problem = f"{account} is missing"
            self._findings.add(BALANCES, self._stream, None, problem)

    def _check_head(self) -> None:
        """The row that says where the stream ends."""
        is_there = False
        for _, _, sequence, end in self._rows[STREAMS.name].of(self._stream):
            is_there = True
            if (sequence, end) != (self._sequence, self._hash):
                problem = f"the stream's end is not its last event, {self._sequence}"
                self._findings.add(STREAMS, self._stream, sequence, problem)
        if not is_there:
            self._findings.add(STREAMS, self._stream, None, "the stream is missing")
