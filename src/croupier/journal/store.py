"""The store of a journal: the part that SQLite and PostgreSQL share.

`append` returns only when everything is on disk.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Self

from croupier.journal.commit_key import mac_of
from croupier.journal.errors import (
    AcknowledgedMissing,
    DiskFull,
    JournalError,
    JournalFailed,
    JournalFrozen,
    JournalReplaced,
    MissingPart,
    NoSuchJournal,
    NotAJournal,
    ServerAway,
    ServerReplaced,
    StreamMoved,
    WriterConflict,
)
from croupier.journal.reading import StoredJournal, as_voucher
from croupier.journal.tables import (
    BALANCES,
    GENESIS,
    VOUCHERS,
    Row,
    StoredTable,
    StreamBatch,
    VoucherRow,
)
from croupier.journal.writable_rows import (
    PreparedBatch,
    Problem,
    RowsRefused,
    batch_refused,
    unwritable,
)
from croupier.journal.writable_values import is_writable
from croupier.rules.reasons import Reason

__all__ = [
    "HOUSE_STREAM",
    "AcknowledgedMissing",
    "Append",
    "DiskFull",
    "JournalError",
    "JournalFailed",
    "JournalFrozen",
    "JournalReplaced",
    "MissingPart",
    "NoSuchJournal",
    "NotAJournal",
    "Problems",
    "ServerAway",
    "ServerReplaced",
    "Store",
    "StreamMoved",
    "WriterConflict",
]

HOUSE_STREAM = "house"
Problems = list[Problem]
"""For each batch of a commit: None, or the reason why it was left out."""
Append = Callable[[Sequence[StreamBatch]], Problems]
_LONGEST_SECRET = 1_000
_EPOCH = (
    "INSERT INTO streams (stream, epoch, sequence, hash) VALUES (?, 1, 0, ?)"
    " ON CONFLICT (stream) DO UPDATE"
    " SET epoch = streams.epoch + ? RETURNING epoch"
)
_SEAL = (
    "UPDATE streams SET mac = ? WHERE stream = ? AND sequence = ? AND hash = ?"
    " RETURNING stream"
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
# Not OR IGNORE: a row that a CHECK refuses must not look stored.
_KEEP = "INSERT INTO secrets VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING digest"
_DROP = "DELETE FROM secrets WHERE digest = ? RETURNING digest"
_COSIGNED = (
    "INSERT INTO cosignatures VALUES (?, ?, ?) ON CONFLICT DO NOTHING RETURNING number"
)
NUMBERED = (
    "UPDATE log_entries SET leaf = ?, entry = ?"
    " WHERE stream = ? AND sequence = ? AND leaf < 0"
)
UPSERTS = {
    BALANCES.name: " ON CONFLICT (stream, account) DO UPDATE"
    " SET cents = excluded.cents",
    VOUCHERS.name: " ON CONFLICT (code) DO UPDATE"
    " SET state = excluded.state, holder = excluded.holder",
}
"""The clause for a row that exists already; in other tables that is an error."""


class Store(StoredJournal):
    """A journal to read and to write; a commit is on disk or not there."""

    _SHARE_LOCK = ""
    """Keeps a writer's epoch from changing during a statement."""

    commit_key: bytes | None = None
    """The key that each commit is sealed with, if the house has one."""

    frozen: Reason | None = None
    """The reason why nothing is written any more, or None."""

    @property
    def timeline(self) -> int:
        """The PostgreSQL server's timeline, which each promotion raises; else 0."""
        return 0

    @property
    def rival(self) -> str | None:
        """A sentence that names the servers that can be written, if several can."""
        return None

    def freeze(self, reason: Reason) -> None:
        """Write nothing from now on: each write raises `JournalFrozen`.

        Claiming a stream then returns its present epoch; claims of vouchers stay.
        """
        self.frozen = reason

    def _expect_writable(self) -> None:
        if self.frozen is not None:
            raise JournalFrozen(self.frozen)

    @abstractmethod
    def _write(self, sql: str, bindings: Sequence[Any]) -> list[Any]:
        """Commit one statement, and return its rows; raises `RowsRefused`."""

    @abstractmethod
    def _commit(self) -> AbstractContextManager[None]:
        """Commit all that is written inside, or nothing."""

    @abstractmethod
    def _savepoint(self) -> AbstractContextManager[None]:
        """Undo the writes inside, within a commit, on `RowsRefused`."""

    @abstractmethod
    def _append_group(self, group: Sequence[PreparedBatch]) -> list[Problem]:
        """Write batches whose text is sound; raises `RowsRefused`."""

    def _append_together(self, group: Sequence[PreparedBatch]) -> list[Problem]:
        with self._commit():
            return self._append_group(group)

    def claim_stream(self, stream: str) -> int:
        """Return a new epoch of the stream; writers with an older one are refused."""
        return self._write_epoch(stream, 1)

    def join_stream(self, stream: str) -> int:
        """Return the present epoch of the stream, for a further writer."""
        return self._write_epoch(stream, 0)

    def _write_epoch(self, stream: str, step: int) -> int:
        if self.frozen is not None:
            return self.epochs().get(stream, 0)
        if not is_writable(stream):
            raise batch_refused(stream, "its name has a NUL or half a character")
        try:
            [(epoch,)] = self._write(_EPOCH, (stream, GENESIS, step))
        except RowsRefused as error:
            raise batch_refused(stream, error) from error
        assert isinstance(epoch, int)
        return epoch

    def append(self, batches: Sequence[StreamBatch]) -> list[Problem]:
        """Write all in one commit; for each batch return None, or why it was left out.

        Raises `JournalFailed` if the commit itself failed.
        """
        self._expect_writable()
        prepared = [PreparedBatch(batch, batch.rows()) for batch in batches]
        problems = [unwritable(each) for each in prepared]
        sound = [
            each
            for each, problem in zip(prepared, problems, strict=True)
            if problem is None
        ]
        try:
            written = iter(self._append_together(sound) if sound else ())
        except RowsRefused:
            written = iter(self._append_apart(sound))
        return [next(written) if each is None else each for each in problems]

    def _append_apart(self, group: Sequence[PreparedBatch]) -> list[Problem]:
        """Write in one commit; a refused batch harms no other."""
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
        """Claim a voucher for a stream, durably; return None if it can't be claimed.

        With an epoch, the writer must still have the stream.
        """
        self._expect_writable()
        if not is_writable(code, holder):
            return None
        sql = _CLAIM_VOUCHER.format(lock=self._SHARE_LOCK)
        rows = self._write(sql, (holder, epoch, holder, code, epoch))
        return as_voucher(VoucherRow._make(rows[0])) if rows else None

    def release_vouchers(self, holder: str) -> int:
        """Make unused claims of the stream outstanding again; return how many."""
        if self.frozen is not None or not is_writable(holder):
            return 0
        return len(self._write(_RELEASE, (holder,)))

    def keep_secret(self, value: str) -> str:
        """Keep a secret outside the chain and every export; return its digest."""
        self._expect_writable()
        # Neither sentence repeats the value.
        if not is_writable(value):
            raise batch_refused("secrets", "its text has a NUL or half a character")
        if len(value) > _LONGEST_SECRET:
            raise batch_refused(
                "secrets", f"it is longer than {_LONGEST_SECRET} characters"
            )
        key = sha256(value.encode()).hexdigest()
        self._write(_KEEP, (key, value))
        return key

    def drop_secret(self, digest: str) -> None:
        self._expect_writable()
        if is_writable(digest):
            self._write(_DROP, (digest,))

    def mac_of(self, stream: str, sequence: int, hash_there: str) -> str:
        """Return the seal of a stream's end; empty without a commit key."""
        key = self.commit_key
        return "" if key is None else mac_of(key, stream, sequence, hash_there)

    def seal_ends(self) -> int:
        """Seal the end of every stream as it is; return how many were sealed.

        Without a commit key it seals none.
        """
        self._expect_writable()
        ends = [] if self.commit_key is None else self.heads()
        for end in ends:
            self._write(_SEAL, (self.mac_of(*end), *end))
        return len(ends)

    @abstractmethod
    def check_identity(self) -> None:
        """Raise `JournalReplaced` unless the address leads to the opened journal."""

    @abstractmethod
    def lacks_standby(self) -> bool:
        """Return whether the database is a server without a synchronous standby."""

    @abstractmethod
    def all_or_nothing(self) -> AbstractContextManager[None]:
        """Commit all that is written inside; an exception undoes it."""

    @abstractmethod
    def number_entries(self, rows: Sequence[tuple[int, str, str, int]]) -> int:
        """Give pending entries of the log their place and text; return the number.

        A row is the place, the text, and the stream and sequence of the event. Only
        inside `all_or_nothing`.
        """

    def add_cosignature(self, number: int, witness: str, line: str) -> None:
        self._expect_writable()
        self._write(_COSIGNED, (number, witness, line))

    @abstractmethod
    def load(self, table: StoredTable, rows: Iterable[Row]) -> None:
        """Insert rows of the `written` columns; only inside `all_or_nothing`."""

    @abstractmethod
    def close(self) -> None: ...

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@cache
def migration_scripts(dialect: str) -> tuple[str, ...]:
    """Return the scripts that bring a database up to date, in order.

    A database's version is the number of scripts that have run.
    """
    folder = files("croupier.journal") / "migrations" / dialect
    names = sorted(each.name for each in folder.iterdir() if each.name.endswith(".sql"))
    return tuple((folder / name).read_text("utf-8") for name in names)
