"""All queries of a journal, the same statements on both databases.

Lists are read a page at a time, each page by its own statement: a long journal is never
held whole, and a slow reader keeps no writer waiting.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cache
from hashlib import sha256
from heapq import merge
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar

import msgspec

from croupier.journal.errors import NotAJournal
from croupier.journal.tables import (
    AnswerRow,
    EventRow,
    HeadRow,
    LogRow,
    Moment,
    Moved,
    Row,
    SnapshotRow,
    StoredTable,
    VoucherRow,
    VoucherState,
    columns_of,
)
from croupier.journal.writable_values import is_writable
from croupier.ledger.accounts import Account, Entry

R = TypeVar("R", bound=NamedTuple)
_PAGE = 1_000
_FEW = 10
"""Rows of a page if each may be long."""
_LAST = 2**63 - 1
_LAST_LINE = 2**31 - 1
"""Above every line of an event: entries after this line belong to later events."""
# Word for word as in the partial index.
_NO_WAGER = "kind <> 'WagerPlaced'"
_KINDS_AT_ONCE = 40
"""SQLite's driver keeps no prepared statement of more than 16 KiB."""
_STAFF_REFUSED = (
    "kind = 'ActRefused'"
    " AND substr(body, {position}(body, '\"role\":\"') + 8, 7) <> 'Player\"'"
)
_OPEN_VOUCHERS = "state IN ('outstanding', 'claimed')"
_OF_VOUCHERS = (
    "kind IN ('VoucherIssued', 'VoucherRedeemed', 'VoucherPaid', 'VoucherExpired',"
    " 'VoucherReportedLost')"
)
_CODE = 'substr(body, {position}(body, \'"code":"\') + 8, 16)'
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
# The subquery uses the index on rounds; without it SQLite would read all events.
_OF_ROUND = (
    "stream = ? AND sequence IN (SELECT sequence FROM events"
    " WHERE stream = ? AND round_number = ? AND sequence > ?)"
)
# A binary search: the time on record never goes back within a stream.
_SEQUENCE_BEFORE = """
    WITH RECURSIVE halves (low, high) AS (
        SELECT CAST(0 AS bigint), sequence FROM streams WHERE stream = ?
        UNION ALL
        SELECT CASE WHEN at_ms < moment THEN sequence ELSE low END,
            CASE WHEN at_ms < moment THEN high ELSE sequence - 1 END
        FROM (SELECT CAST(? AS bigint) AS moment) AS wanted, halves
        JOIN events ON stream = ? AND sequence = (low + high + 1) / 2
        WHERE low < high
    )
    SELECT low FROM halves WHERE low = high
"""
_OF_ACCOUNT = """
    SELECT {columns}, moved, moved_since FROM events JOIN (
        SELECT sequence AS place, CAST(sum(cents) AS bigint) AS moved,
            CAST(sum(sum(cents)) OVER (ORDER BY sequence DESC) AS bigint) AS moved_since
        FROM entries
        WHERE stream = ? AND account = ? AND sequence > ? AND sequence <= ?
        GROUP BY sequence
    ) AS changes ON sequence = place
    WHERE stream = ? AND kind <> 'WagerPlaced' AND moved <> 0 ORDER BY sequence
"""
_LAST_CHECKPOINT = "SELECT number, signed FROM checkpoints ORDER BY number DESC LIMIT 1"
_LOG_IN_ORDER = (
    "SELECT stream, sequence, salt, leaf, entry FROM log_entries WHERE leaf >= 0"
    " ORDER BY leaf"
)
_MANY = 2**40
_TILE_ROOTS = (
    "SELECT root FROM log_tiles WHERE level = ? AND tile >= ? AND tile < ?"
    " ORDER BY tile"
)


class StoredJournal(ABC):
    """A journal to read, as it is now or as of one moment."""

    _BY_INDEX = ""
    """SQL that forces an index, for a database that would not use it otherwise."""
    _POSITION = "instr"
    """The SQL function that finds one text in another."""
    _BY_CODE_POINTS = "{}"
    """Orders a column of text by code points in every language."""

    @abstractmethod
    def _query(self, sql: str, bindings: Sequence[Any]) -> list[Any]:
        """Return all rows of one statement; `?` stands for a binding."""

    @abstractmethod
    def _rows(self, sql: str, bindings: Sequence[Any]) -> Iterator[Row]:
        """Yield the rows of one statement in constant memory, as of one moment."""

    def _by(self, index: str) -> str:
        """Return the words that name an index, if the database needs them."""
        return self._BY_INDEX.format(index)

    def _fetch(self, sql: str, bindings: Sequence[Any] = ()) -> list[Any]:
        """Run a query; a value that can't have been written finds no rows."""
        return self._query(sql, bindings) if is_writable(*bindings) else []

    def _pages(
        self,
        kind: type[R],
        source: str,
        bindings: Sequence[Any],
        *,
        key: Sequence[str],
        after: Sequence[Any] = (),
        size: int = _PAGE,
    ) -> Iterator[R]:
        """Yield rows in the order of a unique key, after the key `after` if given.

        `source` is a table and a condition. A page has only one bound: given two,
        SQLite would search by the first and read earlier rows again.
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
            after = [page[-1][place] for place in places]

    def _all(self, kind: type[R], source: str, bindings: Sequence[Any] = ()) -> list[R]:
        sql = f"SELECT {', '.join(kind._fields)} FROM {source}"  # noqa: S608
        return list(_made(kind, self._fetch(sql, bindings)))

    def _first(self, kind: type[R], source: str, bindings: Sequence[Any]) -> R | None:
        return next(iter(self._all(kind, source, bindings)), None)

    def head(self, stream: str) -> HeadRow | None:
        return self._first(HeadRow, "streams WHERE stream = ?", (stream,))

    def heads(self) -> list[HeadRow]:
        # One statement: the house head is over the ends of one moment.
        return self._all(HeadRow, "streams ORDER BY stream")

    def events(
        self,
        stream: str,
        *,
        after: int = 0,
        until: int = _LAST,
        round_number: int | None = None,
        kinds: Sequence[str] = (),
    ) -> Iterator[EventRow]:
        """Yield events in order: all, or those of one round, or of these kinds.

        `kinds` without a round finds no wagers: the index leaves them out.
        """
        if kinds and round_number is None:
            each = (self._of_kind(stream, kind, after, until) for kind in kinds)
            return merge(*each, key=attrgetter("sequence"))
        source, place = "events WHERE stream = ?", [after]
        bindings: tuple[Any, ...] = (stream,)
        if round_number is not None:
            source, place = f"events WHERE {_OF_ROUND}", []
            bindings = (stream, stream, round_number, after)
        if kinds:
            source += f" AND kind IN ({_marks(kinds)})"
            bindings += tuple(kinds)
        if until != _LAST:
            source, bindings = f"{source} AND sequence <= ?", (*bindings, until)
        return self._pages(
            EventRow, source, bindings, key=["sequence"], after=tuple(place)
        )

    def _of_kind(
        self, stream: str, kind: str, after: int, until: int
    ) -> Iterator[EventRow]:
        return self._pages(
            EventRow,
            f"{self._of_kinds()} AND kind = ? AND sequence <= ?",
            (stream, kind, until),
            key=["sequence"],
            after=(after,),
            size=_FEW if kind == "RoundSettled" else _PAGE,
        )

    def _of_kinds(self) -> str:
        return f"events{self._by('events_by_kind')} WHERE stream = ? AND {_NO_WAGER}"

    def latest_events(self, stream: str, kind: str, count: int) -> list[EventRow]:
        source = f"{self._of_kinds()} AND kind = ? ORDER BY sequence DESC LIMIT ?"
        return self._all(EventRow, source, (stream, kind, count))[::-1]

    def events_by_time(
        self,
        kinds: Sequence[str],
        start: Moment,
        *,
        count: int,
        stream: str | None = None,
        newest: bool = False,
        of_players: bool = False,
    ) -> list[EventRow]:
        """Return events after a moment, of one stream or all, in order of time.

        With `newest`, those before the moment, the latest first. Only `of_players`
        includes refused acts of Players.
        """
        names = ", ".join(Moment._fields)
        order = names.replace(",", " DESC,") + " DESC" if newest else names
        parts: list[str] = []
        for kind in kinds:
            source, where = "events", f"kind = '{kind}' AND {_NO_WAGER}"
            if kind == "ActRefused" and not of_players:
                source += self._by("staff_refused")
                where = _STAFF_REFUSED.format(position=self._POSITION)
            if stream is not None:
                where += " AND stream = ?"
            parts.append(
                f"SELECT * FROM (SELECT {names} FROM {source} WHERE {where}"  # noqa: S608
                f" AND ({names}) {'<' if newest else '>'} (?, ?, ?)"
                f" ORDER BY {order} LIMIT {count}) AS found"
            )
        bindings = (*start,) if stream is None else (stream, *start)
        found: list[EventRow] = []
        for first in range(0, len(parts), _KINDS_AT_ONCE):
            some = parts[first : first + _KINDS_AT_ONCE]
            source = (
                "events WHERE (stream, sequence) IN (SELECT stream, sequence FROM"  # noqa: S608
                f" ({' UNION ALL '.join(some)}) AS places"
                f" ORDER BY {order} LIMIT {count}) ORDER BY {order}"
            )
            found += self._all(EventRow, source, bindings * len(some))
        found.sort(key=lambda e: (e.at_ms, e.stream, e.sequence), reverse=newest)
        return found[:count]

    def sequence_before(self, stream: str, at_ms: int) -> int:
        """Return the last sequence number of a stream before a time."""
        rows = self._fetch(_SEQUENCE_BEFORE, (stream, at_ms, stream))
        if rows:
            [(found,)] = _checked(rows, (int,))
            return int(found)
        if self.head(stream) is None:
            return 0
        raise NotAJournal(f"{stream} is damaged: an event is missing")

    def rounds_with(
        self,
        stream: str,
        kinds: Sequence[str],
        *,
        after: int = 0,
        until: int = _LAST,
        containing: str = "",
        sealed: str = "",
    ) -> list[int]:
        """Return the rounds with events of these kinds, in order.

        Only events count whose body has `containing` and whose hash begins with
        `sealed`.
        """
        sql = (
            f"SELECT DISTINCT round_number FROM {self._of_kinds()}"  # noqa: S608
            f" AND kind IN ({_marks(kinds)}) AND sequence > ? AND sequence <= ?"
            f" AND {self._POSITION}(body, ?) > 0 AND {self._POSITION}(hash, ?) = 1"
            " ORDER BY round_number"
        )
        rows = self._fetch(sql, (stream, *kinds, after, until, containing, sealed))
        return [number for (number,) in _checked(rows, (int,))]

    def rounds_with_several(self, stream: str, kind: str) -> list[int]:
        """Return the rounds with more than one event of a kind."""
        sql = (
            f"SELECT round_number FROM {self._of_kinds()} AND kind = ?"  # noqa: S608
            " GROUP BY round_number HAVING count(*) > 1"
        )
        rows = self._fetch(sql, (stream, kind))
        return [number for (number,) in _checked(rows, (int,))]

    def few_events(self, stream: str, first: int, last: int) -> list[EventRow]:
        """Return the events from one sequence number to another, in order."""
        source = (
            "events WHERE stream = ? AND sequence BETWEEN ? AND ? ORDER BY sequence"
        )
        return self._all(EventRow, source, (stream, first, last))

    def hashes_at(self, ends: Sequence[HeadRow]) -> dict[tuple[str, int], str]:
        """Return the hashes of the events at the ends, by stream and sequence."""
        if not ends:
            return {}
        sql = (
            "SELECT stream, sequence, hash FROM events WHERE (stream, sequence) IN"  # noqa: S608
            f" (VALUES {', '.join(['(?, ?)'] * len(ends))})"
        )
        places = chain.from_iterable(end[:2] for end in ends)
        rows = _checked(self._fetch(sql, tuple(places)), (str, int, str))
        return {(stream, sequence): found for stream, sequence, found in rows}

    def entries(
        self, stream: str, *, after: int = 0, until: int = _LAST
    ) -> Iterator[tuple[int, int, Entry]]:
        for row in self._pages(
            _EntryRow,
            "entries WHERE stream = ? AND sequence <= ?",
            (stream, until),
            key=["sequence", "line"],
            after=(after, _LAST_LINE),
        ):
            yield row.sequence, row.line, Entry(Account(row.account), row.cents)

    def balances(self, stream: str) -> dict[Account, int]:
        sql = "SELECT account, cents FROM balances WHERE stream = ? ORDER BY account"
        rows = _checked(self._fetch(sql, (stream,)), (str, int))
        return {Account(account): cents for account, cents in rows}

    def streams_of_account(self, account: Account) -> list[HeadRow]:
        """Return the ends of all streams in which an account has ever moved."""
        source = (
            "streams WHERE stream IN"
            " (SELECT stream FROM balances WHERE account = ?) ORDER BY stream"
        )
        return self._all(HeadRow, source, (account,))

    def entry_sums(
        self, stream: str, *, after: int, until: int = _LAST
    ) -> dict[Account, Moved]:
        """Return the sums of the entries after an event, by account."""
        sql = (
            "SELECT account,"
            " CAST(sum(CASE WHEN cents > 0 THEN cents ELSE 0 END) AS bigint),"
            " CAST(sum(CASE WHEN cents < 0 THEN cents ELSE 0 END) AS bigint)"
            " FROM entries WHERE stream = ? AND sequence > ? AND sequence <= ?"
            " GROUP BY account"
        )
        rows = _checked(self._fetch(sql, (stream, after, until)), (str, int, int))
        return {Account(account): Moved(*sums) for account, *sums in rows}

    def sums_of_players(
        self, stream: str, *, after: int = 0, until: int = _LAST, player: str = ""
    ) -> list[tuple[Account, str, int]]:
        """Return the sums of Players' accounts by the kind of event, after an event.

        The accounts are credit and money kept, of one Player or of all.
        """
        sql = (
            "SELECT account, kind, CAST(sum(cents) AS bigint)"
            " FROM entries JOIN events USING (stream, sequence)"
            " WHERE stream = ? AND sequence > ? AND sequence <= ?"
            " AND substr(account, 1, 5) IN ('seat:', 'owed:')"
            " AND (? = '' OR substr(account, 6) = ?)"
            " GROUP BY account, kind ORDER BY account, kind"
        )
        rows = self._fetch(sql, (stream, after, until, player, player))
        checked = _checked(rows, (str, str, int))
        return [(Account(account), kind, cents) for account, kind, cents in checked]

    def events_of_account(
        self, stream: str, account: Account, *, after: int, until: int
    ) -> list[tuple[EventRow, int, int]]:
        """Return the events that moved an account, without the wagers placed.

        With each: the cents that it moved, and the cents that it and all later events
        moved.
        """
        sql = _OF_ACCOUNT.format(columns=", ".join(EventRow._fields))
        rows = self._fetch(sql, (stream, account, after, until, stream))
        checked = _checked(rows, (*_kinds(EventRow), int, int))
        return [(EventRow._make(row), cents, since) for *row, cents, since in checked]

    def answer(self, stream: str, command_id: str) -> AnswerRow | None:
        source = "answers WHERE stream = ? AND command_id = ?"
        return self._first(AnswerRow, source, (stream, command_id))

    def answered(self, stream: str, command_ids: Sequence[str]) -> set[str]:
        """Return the commands that have been answered before."""
        known: set[str] = set()
        possible = [each for each in command_ids if is_writable(each)]
        for start in range(0, len(possible), _PAGE):
            some = possible[start : start + _PAGE]
            sql = (
                "SELECT command_id FROM answers"  # noqa: S608
                f" WHERE stream = ? AND command_id IN ({_marks(some)})"
            )
            known.update(name for (name,) in self._fetch(sql, (stream, *some)))
        return known

    def snapshot(self, stream: str) -> SnapshotRow | None:
        """Return the latest snapshot of a stream."""
        source = "snapshots WHERE stream = ? ORDER BY sequence DESC LIMIT 1"
        return self._first(SnapshotRow, source, (stream,))

    def voucher(self, code: str) -> VoucherRow | None:
        row = self._first(VoucherRow, "vouchers WHERE code = ?", (code,))
        return row and as_voucher(row)

    def vouchers(self) -> Iterator[VoucherRow]:
        rows = self._pages(VoucherRow, "vouchers WHERE TRUE", (), key=["code"])
        return map(as_voucher, rows)

    def open_vouchers(self, most: int) -> list[VoucherRow]:
        """Return the first vouchers that are outstanding or claimed, by code."""
        source = f"vouchers{self._by('vouchers_open')} WHERE {_OPEN_VOUCHERS}"
        rows = self._all(VoucherRow, f"{source} ORDER BY code LIMIT ?", (most,))
        return list(map(as_voucher, rows))

    def voucher_events(self, code: str) -> list[EventRow]:
        """Return the events of all streams that concern a voucher of 16 characters."""
        where = f"{_OF_VOUCHERS} AND {_CODE.format(position=self._POSITION)} = ?"
        source = f"events{self._by('events_by_voucher')} WHERE {where}"
        return self._all(EventRow, f"{source} ORDER BY stream, sequence", (code,))

    def events_of_vouchers(self) -> Iterator[EventRow]:
        """Yield the events of all vouchers, by code; as `rows_of`, inside a moment."""
        code = _CODE.format(position=self._POSITION)
        order = ", ".join(map(self._BY_CODE_POINTS.format, (code, "stream")))
        sql = (
            f"SELECT {', '.join(EventRow._fields)}"  # noqa: S608
            f" FROM events{self._by('events_by_voucher')} WHERE {_OF_VOUCHERS}"
            f" ORDER BY {order}, sequence"
        )
        return _made(EventRow, self._rows(sql, ()))

    def handled_by(self, name: str, since_ms: int) -> list[EventRow]:
        """Return the payments of a person at all tables since then, in order.

        May include payments of a person with a longer name that begins like theirs.
        """
        person = f"substr(body, 1, {self._POSITION}(body, '\",'))"
        source = (
            f"events{self._by('events_by_handler')} WHERE {_HANDLED}"
            f" AND {person} IN (?, ?) AND at_ms > ? ORDER BY stream, sequence"
        )
        return self._all(EventRow, source, (*_first_words(name), since_ms))

    def rows_of(
        self, table: StoredTable, stream: str | None = None, *, after: int = 0
    ) -> Iterator[Row]:
        """Yield rows as they are stored, in key order, in constant memory.

        If a stream is given, yield only its rows; of tables with events, those after
        event `after`. Call it inside `at_one_moment` or `all_or_nothing`. Raises
        `NotAJournal` if a row can't be read.
        """
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

    def last_checkpoint(self) -> tuple[int, str] | None:
        rows = _checked(self._fetch(_LAST_CHECKPOINT), (int, str))
        return next(((number, text) for number, text in rows), None)

    def checkpoints(self, first: int, most: int = _MANY) -> list[str]:
        """Return checkpoints in order; skip the first `first`."""
        sql = "SELECT signed FROM checkpoints ORDER BY number LIMIT ? OFFSET ?"
        rows = _checked(self._fetch(sql, (most, first)), (str,))
        return [text for (text,) in rows]

    def cosignatures(self, number: int) -> list[str]:
        sql = "SELECT line FROM cosignatures WHERE number = ? ORDER BY witness"
        return [line for (line,) in _checked(self._fetch(sql, (number,)), (str,))]

    def log_size(self) -> int:
        [(last,)] = self._fetch("SELECT max(leaf) FROM log_entries WHERE leaf >= 0")
        return 0 if last is None else int(last) + 1

    def log_in_order(self) -> Iterator[LogRow]:
        """Yield the log's numbered entries in order; as `rows_of`, inside a moment."""
        return _made(LogRow, self._rows(_LOG_IN_ORDER, ()))

    def log_entries(self, first: int, count: int) -> list[LogRow]:
        where = "log_entries WHERE leaf >= 0 AND leaf >= ? AND leaf < ? ORDER BY leaf"
        return self._all(LogRow, where, (first, first + count))

    def log_entry_of(self, stream: str, sequence: int) -> LogRow | None:
        where = "log_entries WHERE stream = ? AND sequence = ?"
        return self._first(LogRow, where, (stream, sequence))

    def pending_entries(self, most: int) -> list[LogRow]:
        """Return entries of the log that have no number yet."""
        source = f"log_entries{self._by('log_pending')} WHERE leaf < 0"
        order = "ORDER BY stream, sequence LIMIT ?"
        return self._all(LogRow, f"{source} {order}", (most,))

    def last_ends_entry(self) -> LogRow | None:
        """Return the log's last entry that stands for no event."""
        where = "log_entries WHERE stream = '' ORDER BY sequence DESC LIMIT 1"
        return self._first(LogRow, where, ())

    def tile_roots(self, level: int, first: int, count: int) -> list[str]:
        """Return the roots of full tiles of a level, as far as they are stored."""
        rows = self._fetch(_TILE_ROOTS, (level, first, first + count))
        return [root for (root,) in _checked(rows, (str,))]

    def tile_count(self, level: int) -> int:
        sql = "SELECT max(tile) FROM log_tiles WHERE level = ?"
        [(last,)] = self._fetch(sql, (level,))
        return 0 if last is None else int(last) + 1

    def streams_of(self, table: StoredTable) -> Iterator[str]:
        """Yield every stream that a table has rows of; inside a moment."""
        rows = self._rows(_STREAMS_OF.format(table.name), ())
        return (stream for (stream,) in _checked(rows, (str,)))

    def secret(self, digest: str) -> str | None:
        """Return the secret with that digest, or None if it is missing or changed."""
        rows = self._fetch("SELECT value FROM secrets WHERE digest = ?", (digest,))
        for (kept,) in _checked(rows, (str,)):
            return kept if sha256(kept.encode()).hexdigest() == digest else None
        return None

    def macs(self) -> dict[str, str]:
        """Return the seal of each stream's end; empty if it has none."""
        rows = self._fetch("SELECT stream, mac FROM streams")
        return dict(_checked(rows, (str, str)))

    def epochs(self) -> dict[str, int]:
        rows = self._fetch("SELECT stream, epoch FROM streams")
        return dict(_checked(rows, (str, int)))

    @abstractmethod
    def at_one_moment(self) -> AbstractContextManager[None]:
        """Read as of one moment inside, while others go on writing."""

    @abstractmethod
    def damage(self) -> Iterator[str]:
        """Yield the damage that the database itself finds in its pages and indexes."""


class _EntryRow(NamedTuple):
    sequence: int
    line: int
    account: str
    cents: int


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" * len(values))


def _first_words(name: str) -> tuple[str, str]:
    """Return the beginnings of an event's body that names this person first."""
    by, initiator = (
        f'{{"{field}":{{"name":{msgspec.json.encode(name).decode()},'
        for field in ("by", "initiator")
    )
    return by[: by.index('",') + 1], initiator[: initiator.index('",') + 1]


def as_voucher(row: VoucherRow) -> VoucherRow:
    """Return the row with its state, which a database gives as text."""
    try:
        return row._replace(state=VoucherState(row.state))
    except ValueError as error:
        raise NotAJournal(f"a voucher can't be read: {error}") from error


def _checked(rows: Iterable[Row], kinds: tuple[type, ...]) -> Iterator[Row]:
    """Yield rows whose columns have these types; raise `NotAJournal` for another one.

    SQLite returns the type that a damaged file names.
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
