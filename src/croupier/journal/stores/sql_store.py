"""The part that both databases share: reading, claims and group commit.

Lists are read a page at a time, each page a statement of its own: a long journal is
never held whole, and a reader that pauses keeps nobody from writing.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple, Self, TypeVar

import msgspec

from croupier.journal.heads import digest as digest_of
from croupier.journal.store import JournalFrozen, NotAJournal
from croupier.journal.stores.writable_rows import (
    PreparedBatch,
    Problem,
    RowsRefused,
    batch_refused,
    is_writable,
    unwritable,
)
from croupier.journal.tables import (
    BALANCES,
    GENESIS,
    STREAMS,
    VOUCHERS,
    AnswerRow,
    EventRow,
    HeadRow,
    Row,
    SnapshotRow,
    StoredTable,
    StreamBatch,
    VoucherRow,
    VoucherState,
    columns_of,
)
from croupier.ledger.accounts import Account, Entry
from croupier.rules.reasons import Reason

R = TypeVar("R", bound=NamedTuple)
_LONGEST_SECRET = 1_000
_PAGE = 1_000
_FEW = 10
"""Rows of a page where each may be long."""
_LAST_LINE = 2**31 - 1
"""Entries after an event begin behind every line that it could have."""
# Word for word as in the index that knows them.
_SETTLED = "stream = ? AND kind = 'RoundSettled'"
_OPEN_VOUCHERS = "state IN ('outstanding', 'claimed')"
_OF_VOUCHER = (
    "kind IN ('VoucherIssued', 'VoucherRedeemed', 'VoucherPaid', 'VoucherExpired',"
    " 'VoucherReportedLost')"
    ' AND substr(body, {position}(body, \'"code":"\') + 8, 16) = ?'
)
_HANDLED = (
    "kind IN ('BoughtIn', 'ColourChipsBought', 'ClaimPaid', 'CashedOut',"
    " 'ColourChipsBoughtBack', 'VoucherPaid', 'VoucherIssued', 'Filled',"
    " 'CreditTaken', 'Adjusted', 'OwedPaid', 'FloatCounted', 'SumConfirmed')"
)
# A seek for each stream: DISTINCT would read every row.
_STREAMS_OF = """
    WITH RECURSIVE named (stream) AS (
        SELECT min(stream) FROM {0}
        UNION ALL
        SELECT (SELECT min(stream) FROM {0} WHERE stream > named.stream)
        FROM named WHERE named.stream IS NOT NULL
    )
    SELECT stream FROM named WHERE stream IS NOT NULL
"""
# Found by the index on rounds; asked plainly, SQLite would read all events.
_OF_ROUND = (
    "stream = ? AND sequence IN (SELECT sequence FROM events"
    " WHERE stream = ? AND round_number = ? AND sequence > ?)"
)
_CLAIM_STREAM = (
    "INSERT INTO streams VALUES (?, 1, 0, ?) ON CONFLICT (stream) DO UPDATE"
    " SET epoch = streams.epoch + 1 RETURNING epoch"
)
_JOIN_STREAM = (
    "INSERT INTO streams VALUES (?, 1, 0, ?) ON CONFLICT (stream) DO UPDATE"
    " SET epoch = streams.epoch RETURNING epoch"
)
_CLAIM_VOUCHER = (
    "WITH writer AS MATERIALIZED"
    " (SELECT 1 FROM streams WHERE stream = ? AND epoch = ?{lock})"
    " UPDATE vouchers SET state = 'claimed', holder = ? WHERE code = ?"
    " AND state = 'outstanding'"
    " AND (CAST(? AS bigint) IS NULL OR EXISTS (SELECT * FROM writer))"
    " RETURNING code, cents, state, expires, issuer, holder"
)
_RELEASE = (
    "UPDATE vouchers SET state = 'outstanding', holder = ''"
    " WHERE holder = ? AND state = 'claimed' RETURNING code"
)
# Not OR IGNORE: what a CHECK refuses must not pass for kept.
_HEADS_AFTER = (
    "SELECT number, signed FROM published_heads WHERE number > ? ORDER BY number"
)
_LAST_HEAD = "SELECT number, signed FROM published_heads ORDER BY number DESC LIMIT 1"
_KEEP = "INSERT INTO secrets VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING digest"
_DROP = "DELETE FROM secrets WHERE digest = ? RETURNING digest"
UPSERTS = {
    STREAMS.name: " ON CONFLICT (stream) DO UPDATE"
    " SET sequence = excluded.sequence, hash = excluded.hash",
    BALANCES.name: " ON CONFLICT (stream, account) DO UPDATE"
    " SET cents = excluded.cents",
    VOUCHERS.name: " ON CONFLICT (code) DO UPDATE"
    " SET state = excluded.state, holder = excluded.holder",
}
"""What becomes of a row that is there already, by table; elsewhere it is an error."""


class SqlStore(ABC):
    """A `Store` on a database, but for what each database does in its own way."""

    _BY_INDEX = ""
    """What makes a database read by an index that it is told, if it must be."""
    _POSITION = "instr"
    """The function that finds a text in another."""
    _BY_CODE_POINTS = "{}"
    """What orders a column of text by code points, whatever the database's language."""
    _SHARE_LOCK = ""
    """What keeps a writer's epoch from changing during a statement."""

    frozen: Reason | None = None

    @property
    def timeline(self) -> int:
        return 0

    @property
    def rival(self) -> str | None:
        return None

    def freeze(self, reason: Reason) -> None:
        self.frozen = reason

    def _expect_writable(self) -> None:
        if self.frozen is not None:
            raise JournalFrozen(self.frozen)

    @abstractmethod
    def _query(self, sql: str, bindings: Sequence[Any]) -> list[Any]:
        """Return all rows of one statement; `?` stands for a binding."""

    @abstractmethod
    def _rows(self, sql: str, bindings: Sequence[Any]) -> Iterator[Row]:
        """Yield the rows of one statement in constant memory, as of one moment."""

    @abstractmethod
    def _write(self, sql: str, bindings: Sequence[Any]) -> list[Any]:
        """Commit one statement, and return its rows; raises `RowsRefused`."""

    @abstractmethod
    def _commit(self) -> AbstractContextManager[None]:
        """Make whatever is written inside one commit, or none of it."""

    @abstractmethod
    def _savepoint(self) -> AbstractContextManager[None]:
        """Undo what is written inside, within a commit, on `RowsRefused`."""

    @abstractmethod
    def _append_group(self, group: Sequence[PreparedBatch]) -> list[Problem]:
        """Write batches whose text is sound; raises `RowsRefused`."""

    def _append_together(self, group: Sequence[PreparedBatch]) -> list[Problem]:
        with self._commit():
            return self._append_group(group)

    # Reading

    def _by(self, index: str) -> str:
        """Return the words that name an index, where the database wants them."""
        return self._BY_INDEX.format(index)

    def _fetch(self, sql: str, bindings: Sequence[Any] = ()) -> list[Any]:
        """Return no rows for what can't have been written."""
        return self._query(sql, bindings) if is_writable(*bindings) else []

    def _pages(
        self,
        kind: type[R],
        source: str,
        bindings: Sequence[Any],
        *,
        key: Sequence[str],
        after: tuple[Any, ...] = (),
        size: int = _PAGE,
    ) -> Iterator[R]:
        """Yield rows in the order of a unique key, after one if it is given.

        `source` is a table and a condition. A page has one bound alone: of two, SQLite
        would look the rows up by the first and read those before it again.
        """
        columns, order = ", ".join(kind._fields), ", ".join(key)
        select = f"SELECT {columns} FROM {source}"  # noqa: S608
        bound = f" AND ({order}) > ({', '.join('?' * len(key))})"
        places = [kind._fields.index(name) for name in key]
        while True:
            sql = f"{select}{bound if after else ''} ORDER BY {order} LIMIT {size}"
            page = self._fetch(sql, (*bindings, *after))
            yield from _made(kind, page)
            if len(page) < size:
                return
            after = tuple(page[-1][place] for place in places)

    def _first(self, kind: type[R], source: str, bindings: Sequence[Any]) -> R | None:
        sql = f"SELECT {', '.join(kind._fields)} FROM {source}"  # noqa: S608
        rows = self._fetch(sql, bindings)
        return next(_made(kind, rows), None)

    def head(self, stream: str) -> HeadRow | None:
        return self._first(HeadRow, "streams WHERE stream = ?", (stream,))

    def heads(self) -> list[HeadRow]:
        # One statement: the house head is over the ends of one moment.
        sql = "SELECT stream, sequence, hash FROM streams ORDER BY stream"
        return list(_made(HeadRow, self._fetch(sql)))

    def events(
        self, stream: str, *, after: int = 0, round_number: int | None = None
    ) -> Iterator[EventRow]:
        if round_number is None:
            return self._pages(
                EventRow,
                "events WHERE stream = ?",
                (stream,),
                key=["sequence"],
                after=(after,),
            )
        bindings = (stream, stream, round_number, after)
        return self._pages(
            EventRow, f"events WHERE {_OF_ROUND}", bindings, key=["sequence"]
        )

    def few_events(self, stream: str, first: int, last: int) -> list[EventRow]:
        columns = ", ".join(EventRow._fields)
        sql = (
            f"SELECT {columns} FROM events"  # noqa: S608
            " WHERE stream = ? AND sequence BETWEEN ? AND ? ORDER BY sequence"
        )
        return list(_made(EventRow, self._fetch(sql, (stream, first, last))))

    def settlements(self, stream: str, *, after: int = 0) -> Iterator[EventRow]:
        return self._pages(
            EventRow,
            f"events{self._by('events_settled')} WHERE {_SETTLED}",
            (stream,),
            key=["sequence"],
            after=(after,),
            size=_FEW,
        )

    def latest_settlements(self, stream: str, count: int) -> list[EventRow]:
        columns = ", ".join(EventRow._fields)
        source = f"events{self._by('events_settled')} WHERE {_SETTLED}"
        sql = f"SELECT {columns} FROM {source} ORDER BY sequence DESC LIMIT ?"  # noqa: S608
        return list(_made(EventRow, self._fetch(sql, (stream, count))))[::-1]

    def entries(
        self, stream: str, *, after: int = 0
    ) -> Iterator[tuple[int, int, Entry]]:
        for row in self._pages(
            _EntryRow,
            "entries WHERE stream = ?",
            (stream,),
            key=["sequence", "line"],
            after=(after, _LAST_LINE),
        ):
            yield row.sequence, row.line, Entry(Account(row.account), row.cents)

    def balances(self, stream: str) -> dict[Account, int]:
        sql = "SELECT account, cents FROM balances WHERE stream = ? ORDER BY account"
        rows = _checked(self._fetch(sql, (stream,)), (str, int))
        return {Account(account): cents for account, cents in rows}

    def streams_of_account(self, account: Account) -> list[HeadRow]:
        sql = (
            "SELECT stream, sequence, hash FROM streams WHERE stream IN"
            " (SELECT stream FROM balances WHERE account = ?) ORDER BY stream"
        )
        return list(_made(HeadRow, self._fetch(sql, (account,))))

    def entry_sums(self, stream: str, *, after: int) -> dict[Account, int]:
        sql = (
            "SELECT account, CAST(sum(cents) AS bigint) FROM entries"
            " WHERE stream = ? AND sequence > ? GROUP BY account"
        )
        rows = _checked(self._fetch(sql, (stream, after)), (str, int))
        return {Account(account): cents for account, cents in rows}

    def answer(self, stream: str, command_id: str) -> AnswerRow | None:
        source = "answers WHERE stream = ? AND command_id = ?"
        return self._first(AnswerRow, source, (stream, command_id))

    def answered(self, stream: str, command_ids: Sequence[str]) -> set[str]:
        known: set[str] = set()
        possible = [each for each in command_ids if is_writable(each)]
        for start in range(0, len(possible), _PAGE):
            some = possible[start : start + _PAGE]
            marks = ",".join("?" * len(some))
            sql = (
                "SELECT command_id FROM answers"  # noqa: S608
                f" WHERE stream = ? AND command_id IN ({marks})"
            )
            known.update(name for (name,) in self._fetch(sql, (stream, *some)))
        return known

    def snapshot(self, stream: str) -> SnapshotRow | None:
        source = "snapshots WHERE stream = ? ORDER BY sequence DESC LIMIT 1"
        return self._first(SnapshotRow, source, (stream,))

    def voucher(self, code: str) -> VoucherRow | None:
        row = self._first(VoucherRow, "vouchers WHERE code = ?", (code,))
        return row and _voucher(row)

    def vouchers(self) -> Iterator[VoucherRow]:
        rows = self._pages(VoucherRow, "vouchers WHERE TRUE", (), key=["code"])
        return map(_voucher, rows)

    def open_vouchers(self, most: int) -> list[VoucherRow]:
        source = f"vouchers{self._by('vouchers_open')} WHERE {_OPEN_VOUCHERS}"
        columns = ", ".join(VoucherRow._fields)
        sql = f"SELECT {columns} FROM {source} ORDER BY code LIMIT ?"  # noqa: S608
        return list(map(_voucher, _made(VoucherRow, self._fetch(sql, (most,)))))

    def voucher_events(self, code: str) -> list[EventRow]:
        columns = ", ".join(EventRow._fields)
        source = f"events{self._by('events_by_voucher')}"
        where = _OF_VOUCHER.format(position=self._POSITION)
        sql = f"SELECT {columns} FROM {source} WHERE {where} ORDER BY stream, sequence"  # noqa: S608
        return list(_made(EventRow, self._fetch(sql, (code,))))

    def handled_by(self, name: str, since_ms: int) -> list[EventRow]:
        columns = ", ".join(EventRow._fields)
        source = f"events{self._by('events_by_handler')}"
        person = f"substr(body, 1, {self._POSITION}(body, '\",'))"
        sql = (
            f"SELECT {columns} FROM {source} WHERE {_HANDLED}"  # noqa: S608
            f" AND {person} IN (?, ?) AND at_ms > ? ORDER BY stream, sequence"
        )
        rows = self._fetch(sql, (*_first_words(name), since_ms))
        return [EventRow._make(row) for row in rows]

    def rows_of(
        self, table: StoredTable, stream: str | None = None, *, after: int = 0
    ) -> Iterator[Row]:
        order = ", ".join(
            self._BY_CODE_POINTS.format(name) if table.columns[name] is str else name
            for name in table.order
        )
        where = "" if stream is None else " WHERE stream = ?"
        sql = f"SELECT {', '.join(table.columns)} FROM {table.name}{where}"  # noqa: S608
        bindings: tuple[Any, ...] = () if stream is None else (stream,)
        if after and table.place is not None:
            assert stream is not None
            sql, bindings = f"{sql} AND {table.place} > ?", (stream, after)
        rows = self._rows(f"{sql} ORDER BY {order}", bindings)
        return _checked(rows, tuple(table.columns.values()))

    def heads_after(self, number: int) -> Iterator[tuple[int, str]]:
        rows = _checked(self._rows(_HEADS_AFTER, (number,)), (int, str))
        return ((number, text) for number, text in rows)

    def last_head(self) -> tuple[int, str] | None:
        rows = _checked(self._rows(_LAST_HEAD, ()), (int, str))
        return next(((number, text) for number, text in rows), None)

    def streams_of(self, table: StoredTable) -> Iterator[str]:
        rows = self._rows(_STREAMS_OF.format(table.name), ())
        return (stream for (stream,) in _checked(rows, (str,)))

    def secret(self, digest: str) -> str | None:
        rows = self._fetch("SELECT value FROM secrets WHERE digest = ?", (digest,))
        for (kept,) in _checked(rows, (str,)):
            return kept if digest_of(kept) == digest else None
        return None

    # Writing

    def claim_stream(self, stream: str) -> int:
        return self._write_epoch(stream, _CLAIM_STREAM)

    def join_stream(self, stream: str) -> int:
        return self._write_epoch(stream, _JOIN_STREAM)

    def _write_epoch(self, stream: str, sql: str) -> int:
        if self.frozen is not None:
            return self.epochs().get(stream, 0)
        if not is_writable(stream):
            raise batch_refused(stream, "its name is no text")
        try:
            [(epoch,)] = self._write(sql, (stream, GENESIS))
        except RowsRefused as error:
            raise batch_refused(stream, error) from error
        assert isinstance(epoch, int)
        return epoch

    def epochs(self) -> dict[str, int]:
        rows = self._fetch("SELECT stream, epoch FROM streams")
        return dict(_checked(rows, (str, int)))

    def append(self, batches: Sequence[StreamBatch]) -> list[Problem]:
        self._expect_writable()
        prepared = [PreparedBatch(batch, batch.rows()) for batch in batches]
        problems = [unwritable(each) for each in prepared]
        sound = [
            each
            for each, problem in zip(prepared, problems, strict=True)
            if problem is None
        ]
        written = iter(self._append_sound(sound) if sound else ())
        return [next(written) if each is None else each for each in problems]

    def _append_sound(self, group: Sequence[PreparedBatch]) -> list[Problem]:
        try:
            return self._append_together(group)
        except RowsRefused:
            return self._append_apart(group)

    def _append_apart(self, group: Sequence[PreparedBatch]) -> list[Problem]:
        """Write in one commit, but what is refused of one batch harms no other."""
        outcomes: list[Problem] = []
        with self._commit():
            for each in group:
                try:
                    with self._savepoint():
                        outcomes += self._append_group([each])
                except RowsRefused as error:
                    outcomes.append(batch_refused(each.batch.stream, error))
        return outcomes

    def claim_voucher(
        self, code: str, holder: str, epoch: int | None = None
    ) -> VoucherRow | None:
        self._expect_writable()
        if not is_writable(code, holder):
            return None
        sql = _CLAIM_VOUCHER.format(lock=self._SHARE_LOCK)
        rows = self._write(sql, (holder, epoch, holder, code, epoch))
        return _voucher(VoucherRow._make(rows[0])) if rows else None

    def release_vouchers(self, holder: str) -> int:
        if self.frozen is not None or not is_writable(holder):
            return 0
        return len(self._write(_RELEASE, (holder,)))

    def keep_secret(self, value: str) -> str:
        self._expect_writable()
        # Neither sentence repeats the value.
        if not is_writable(value):
            raise batch_refused("secrets", "its text is none")
        if len(value) > _LONGEST_SECRET:
            raise batch_refused(
                "secrets", f"it is longer than {_LONGEST_SECRET} characters"
            )
        key = digest_of(value)
        self._write(_KEEP, (key, value))
        return key

    def drop_secret(self, digest: str) -> None:
        self._expect_writable()
        if is_writable(digest):
            self._write(_DROP, (digest,))

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _EntryRow(NamedTuple):
    sequence: int
    line: int
    account: str
    cents: int


def _first_words(name: str) -> tuple[str, str]:
    """Return how the bodies of events begin that name this person first."""
    by, initiator = (
        f'{{"{field}":{{"name":{msgspec.json.encode(name).decode()},'
        for field in ("by", "initiator")
    )
    return by[: by.index('",') + 1], initiator[: initiator.index('",') + 1]


def _voucher(row: VoucherRow) -> VoucherRow:
    """Return the row with its state, which a database gives as text."""
    try:
        return row._replace(state=VoucherState(row.state))
    except ValueError as error:
        raise NotAJournal(f"a voucher can't be read: {error}") from error


def _checked(rows: Iterable[Row], kinds: tuple[type, ...]) -> Iterator[Row]:
    """Yield rows whose columns have these types; raise `NotAJournal` for another one.

    SQLite gives whatever type a damaged file names.
    """
    for row in rows:
        if tuple(map(type, row)) != kinds:
            raise NotAJournal("it can't be read: a row has a column of another type")
        yield row


def _made(kind: type[R], rows: Iterable[Row]) -> Iterator[R]:
    return map(kind._make, _checked(rows, _kinds(kind)))


@cache
def _kinds(kind: type[NamedTuple]) -> tuple[type, ...]:
    return tuple(columns_of(kind).values())


@cache
def migration_scripts(dialect: str) -> tuple[str, ...]:
    """Return the scripts that bring a database up to date, in order.

    A database's version is the number of those it has had.
    """
    folder = files("croupier.journal") / "migrations" / dialect
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".sql"))
    return tuple((folder / name).read_text("utf-8") for name in names)
