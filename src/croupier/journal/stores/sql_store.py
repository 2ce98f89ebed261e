"""What both databases can hold: text without NUL or half a character, 64-bit integers.

PostgreSQL refuses a NUL in a text and SQLite would take it: here both refuse it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

from croupier.journal.chain import digest as digest_of
from croupier.journal.store import JournalError
from croupier.journal.tables import (
    AnswerRow,
    EventRow,
    HeadRow,
    SnapshotRow,
    StreamBatch,
    VoucherRow,
    VoucherState,
)
from croupier.ledger.accounts import Account, Entry

_LARGEST = 2**63 - 1
# A seek for each stream: DISTINCT would read every row.
STREAMS_OF = """
    WITH RECURSIVE named (stream) AS (
        SELECT min(stream) FROM {0}
        UNION ALL
        SELECT (SELECT min(stream) FROM {0} WHERE stream > named.stream)
        FROM named WHERE named.stream IS NOT NULL
    )
    SELECT stream FROM named WHERE stream IS NOT NULL
"""
"""The streams that a table has rows of."""
_LONGEST_SECRET = 1_000


def is_writable(*values: str | int) -> bool:
    """Whether the values can stand in a journal unchanged."""
    return all(
        _is_text(value)
        if isinstance(value, str)
        else -_LARGEST - 1 <= value <= _LARGEST
        for value in values
    )


def unwritable(batch: StreamBatch) -> JournalError | None:
    """Why a batch can't be written to any store, or None."""
    assert batch.events, "a batch without events"
    texts = [batch.stream]
    for row in batch.events:
        texts += (row[0], row[3], *row[6:])
    texts += [entry.account for _, _, entry in batch.entries]
    texts += [balance.account for balance in batch.balances]
    texts += [answer.command_id for answer in batch.answers]
    for voucher in batch.vouchers:
        texts += (voucher.code, *voucher[3:])
    if batch.snapshot is not None:
        texts += (batch.snapshot.body, batch.snapshot.digest)
    return (
        None
        if _is_text("".join(texts))
        else batch_refused(batch.stream, "its text is none")
    )


def batch_refused(stream: str, reason: object) -> JournalError:
    """The batch was left out; the others of its commit were not."""
    return JournalError(f"{stream!a} has a batch that can't be written: {reason}")


def check_secret(value: str) -> None:
    """Raises `JournalError`, without the value, where no store can keep it."""
    if not _is_text(value):
        raise batch_refused("secrets", "its text is none")
    if len(value) > _LONGEST_SECRET:
        raise batch_refused(
            "secrets", f"it is longer than {_LONGEST_SECRET} characters"
        )


def _is_text(text: str) -> bool:
    if "\0" in text:
        return False
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


@cache
def migration_scripts(dialect: str) -> tuple[str, ...]:
    """In order; a database's version is the number of those it has had."""
    folder = files("croupier.journal") / "migrations" / dialect
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".sql"))
    return tuple((folder / name).read_text("utf-8") for name in names)


_PAGE = 1_000
_FEW = 10
"""Rows of a page where each may be long."""
_LAST_LINE = 2**31 - 1
"""Entries after an event begin behind every line that it could have."""
_EVENTS = f"SELECT {', '.join(EventRow._fields)} FROM events"  # noqa: S608
_ENTRIES = "SELECT sequence, line, account, cents FROM entries"
_ANSWERS = "SELECT command_id, first, last FROM answers"
_SNAPSHOTS = f"SELECT {', '.join(SnapshotRow._fields)} FROM snapshots"  # noqa: S608
_VOUCHERS = f"SELECT {', '.join(VoucherRow._fields)} FROM vouchers"  # noqa: S608
_SETTLED = "stream = ? AND kind = 'RoundSettled'"
"""Word for word as in the index that knows them."""
_HEADS = "SELECT stream, sequence, hash FROM streams"


class SqlStore(ABC):
    """The reading half of a `Store`."""

    _BY_SETTLED = ""
    """What makes a database read settlements by their index, if it must be told."""

    @abstractmethod
    def _query(self, sql: str, bindings: Sequence[Any]) -> list[Any]:
        """All rows of one statement; `?` stands for a binding."""

    def _fetch(self, sql: str, bindings: Sequence[Any] = ()) -> list[Any]:
        """What can't have been written is not there."""
        return self._query(sql, bindings) if is_writable(*bindings) else []

    def _pages(
        self,
        select: str,
        bindings: Sequence[Any],
        *,
        key: str,
        places: tuple[int, ...],
        after: tuple[Any, ...] = (),
        size: int = _PAGE,
    ) -> Iterator[Any]:
        """Rows in the order of a unique key, whose columns stand at `places`.

        They begin after a key, if one is given. A page has one bound alone: of two,
        SQLite would look the rows up by the first and read those before it again.
        """
        while True:
            beyond = f" AND ({key}) > ({', '.join('?' * len(places))})" if after else ""
            sql = f"{select}{beyond} ORDER BY {key} LIMIT {size}"
            page = self._fetch(sql, (*bindings, *after))
            yield from page
            if len(page) < size:
                return
            after = tuple(page[-1][place] for place in places)

    def head(self, stream: str) -> HeadRow | None:
        rows = self._fetch(f"{_HEADS} WHERE stream = ?", (stream,))
        return HeadRow(*rows[0]) if rows else None

    def heads(self) -> list[HeadRow]:
        return [HeadRow(*row) for row in self._fetch(f"{_HEADS} ORDER BY stream")]

    def events(
        self, stream: str, *, after: int = 0, round_number: int | None = None
    ) -> Iterator[EventRow]:
        if round_number is not None:
            yield from self._events_of_round(stream, round_number, after)
            return
        select = f"{_EVENTS} WHERE stream = ?"
        place = EventRow._fields.index("sequence")
        for row in self._pages(
            select, (stream,), key="sequence", places=(place,), after=(after,)
        ):
            yield EventRow(*row)

    def settlements(self, stream: str, *, after: int = 0) -> Iterator[EventRow]:
        select = f"{_EVENTS}{self._BY_SETTLED} WHERE {_SETTLED}"
        place = EventRow._fields.index("sequence")
        for row in self._pages(
            select,
            (stream,),
            key="sequence",
            places=(place,),
            after=(after,),
            size=_FEW,
        ):
            yield EventRow(*row)

    def latest_settlements(self, stream: str, count: int) -> list[EventRow]:
        select = f"{_EVENTS}{self._BY_SETTLED} WHERE {_SETTLED}"
        sql = f"{select} ORDER BY sequence DESC LIMIT ?"
        rows = [EventRow(*row) for row in self._fetch(sql, (stream, count))]
        return rows[::-1]

    def secret(self, digest: str) -> str | None:
        rows = self._fetch("SELECT value FROM secrets WHERE digest = ?", (digest,))
        kept = rows[0][0] if rows else None
        return kept if kept is not None and digest_of(kept) == digest else None

    def _events_of_round(
        self, stream: str, round_number: int, after: int
    ) -> Iterator[EventRow]:
        """Found by the index on rounds; asked plainly, SQLite would read all events."""
        of_round = (
            "SELECT sequence FROM events"
            " WHERE stream = ? AND round_number = ? AND sequence > ?"
        )
        sql = f"{_EVENTS} WHERE stream = ? AND sequence IN ({of_round})"
        bindings = (stream, stream, round_number, after)
        for row in self._fetch(f"{sql} ORDER BY sequence", bindings):
            yield EventRow(*row)

    def entries(
        self, stream: str, *, after: int = 0
    ) -> Iterator[tuple[int, int, Entry]]:
        select = f"{_ENTRIES} WHERE stream = ?"
        rows = self._pages(
            select,
            (stream,),
            key="sequence, line",
            places=(0, 1),
            after=(after, _LAST_LINE),
        )
        for sequence, line, account, cents in rows:
            yield sequence, line, Entry(account, cents)

    def balances(self, stream: str) -> dict[Account, int]:
        sql = "SELECT account, cents FROM balances WHERE stream = ? ORDER BY account"
        return {
            Account(account): cents for account, cents in self._fetch(sql, (stream,))
        }

    def answer(self, stream: str, command_id: str) -> AnswerRow | None:
        sql = f"{_ANSWERS} WHERE stream = ? AND command_id = ?"
        rows = self._fetch(sql, (stream, command_id))
        return AnswerRow(*rows[0]) if rows else None

    def answered(self, stream: str, command_ids: Sequence[str]) -> set[str]:
        """Which of the commands have been answered before."""
        known: set[str] = set()
        possible = [each for each in command_ids if is_writable(each)]
        for start in range(0, len(possible), _PAGE):
            some = possible[start : start + _PAGE]
            marks = ",".join("?" * len(some))
            sql = f"{_ANSWERS} WHERE stream = ? AND command_id IN ({marks})"
            known.update(row[0] for row in self._fetch(sql, (stream, *some)))
        return known

    def answers(self, stream: str) -> Iterator[AnswerRow]:
        """In the order in which they were given."""
        select = f"{_ANSWERS} WHERE stream = ?"
        key = "first, command_id"
        for row in self._pages(select, (stream,), key=key, places=(1, 0)):
            yield AnswerRow(*row)

    def snapshot(self, stream: str) -> SnapshotRow | None:
        sql = f"{_SNAPSHOTS} WHERE stream = ? ORDER BY sequence DESC LIMIT 1"
        rows = self._fetch(sql, (stream,))
        return SnapshotRow(*rows[0]) if rows else None

    def snapshots(self, stream: str) -> Iterator[SnapshotRow]:
        select = f"{_SNAPSHOTS} WHERE stream = ?"
        place = SnapshotRow._fields.index("sequence")
        for row in self._pages(
            select, (stream,), key="sequence", places=(place,), size=_FEW
        ):
            yield SnapshotRow(*row)

    def voucher(self, code: str) -> VoucherRow | None:
        rows = self._fetch(f"{_VOUCHERS} WHERE code = ?", (code,))
        return voucher_of(rows[0]) if rows else None

    def vouchers(self) -> Iterator[VoucherRow]:
        select = f"{_VOUCHERS} WHERE TRUE"
        for row in self._pages(select, (), key="code", places=(0,)):
            yield voucher_of(row)

    def published_heads(self) -> list[str]:
        sql = "SELECT signed FROM published_heads ORDER BY number"
        return [signed for (signed,) in self._fetch(sql)]


def voucher_of(row: Sequence[Any]) -> VoucherRow:
    code, cents, state, expires, issuer, holder = row
    return VoucherRow(code, cents, VoucherState(state), expires, issuer, holder)
