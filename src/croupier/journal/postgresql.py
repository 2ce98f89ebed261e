"""The store for many nodes: PostgreSQL by psycopg, durable or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

import psycopg

from croupier.journal.chain import digest
from croupier.journal.migrating import scripts
from croupier.journal.postgresql_session import (
    Connection,
    Session,
    in_a_sentence,
    query,
)
from croupier.journal.postgresql_writing import append
from croupier.journal.reading import Reading, voucher_of
from croupier.journal.rows import GENESIS, StreamBatch, VoucherRow
from croupier.journal.store import JournalError, JournalFailed, NotAJournal
from croupier.journal.tables import TABLE_NAMES
from croupier.journal.whole_postgresql import WholePostgres
from croupier.journal.writable import (
    check_secret,
    is_writable,
    refused,
    unwritable,
)

_MIGRATING = 0x43525550  # "CRUP": the advisory lock of those who migrate.
_RETURNED = ", ".join(VoucherRow._fields)
_CLAIM_STREAM = (
    "INSERT INTO streams VALUES (?, 1, 0, ?) ON CONFLICT (stream) DO UPDATE"
    " SET epoch = streams.epoch + 1 RETURNING epoch"
)
_CLAIM_VOUCHER = (
    "WITH writer AS MATERIALIZED ("  # noqa: S608
    "SELECT 1 FROM streams WHERE stream = ? AND epoch = ? FOR SHARE)"
    " UPDATE vouchers SET state = 'claimed', holder = ? WHERE code = ?"
    " AND state = 'outstanding' AND (?::bigint IS NULL OR EXISTS (TABLE writer))"
    f" RETURNING {_RETURNED}"
)
_DROP = "DELETE FROM secrets WHERE digest = ? RETURNING digest"
_KEEP = "INSERT INTO secrets VALUES (?, ?) ON CONFLICT DO NOTHING RETURNING digest"
_PUBLISH = "INSERT INTO published_heads (signed) VALUES (?) RETURNING number"
_RELEASE = (
    "UPDATE vouchers SET state = 'outstanding', holder = ''"
    " WHERE holder = ? AND state = 'claimed' RETURNING code"
)


class PostgresStore(WholePostgres, Reading):
    """A journal in one schema of a database."""

    def __init__(self, dsn: str) -> None:
        """Connect, and make the journal where the schema is empty."""
        self._writer = Session(dsn)
        try:
            with self._writer.using("opened") as connection:
                _migrate(connection)
            self._reader = Session(dsn)
        except BaseException:
            self._writer.close()
            raise

    def _query(self, sql: str, bindings: Sequence[Any]) -> list[Any]:
        """Where only the connection was lost, a statement alone is read once more."""
        try:
            with self._reading() as connection:
                return query(connection, sql, bindings)
        except JournalFailed:
            if self._moment or self._one_commit or not self._reader.is_lost:
                raise
        with self._reader.using("read") as connection:
            return query(connection, sql, bindings)

    def _write(self, sql: str, bindings: Sequence[Any]) -> list[Any]:
        """One statement, committed."""
        with self._writer.using("written") as connection:
            return query(connection, sql, bindings)

    def claim_stream(self, stream: str) -> int:
        if not is_writable(stream):
            raise refused(stream, "its name is no text")
        with self._writer.using("written") as connection:
            try:
                [(epoch,)] = query(connection, _CLAIM_STREAM, (stream, GENESIS))
            except psycopg.IntegrityError as error:
                raise refused(stream, in_a_sentence(error)) from error
        assert isinstance(epoch, int)
        return epoch

    def append(self, batches: Sequence[StreamBatch]) -> list[JournalError | None]:
        outcomes = [unwritable(batch) for batch in batches]
        sound = [b for b, out in zip(batches, outcomes, strict=True) if out is None]
        with self._writer.using("written") as connection:
            written = iter(append(connection, sound))
        return [next(written) if out is None else out for out in outcomes]

    def claim_voucher(
        self, code: str, holder: str, epoch: int | None = None
    ) -> VoucherRow | None:
        if not is_writable(code, holder):
            return None
        rows = self._write(_CLAIM_VOUCHER, (holder, epoch, holder, code, epoch))
        return voucher_of(rows[0]) if rows else None

    def release_vouchers(self, holder: str) -> int:
        return len(self._write(_RELEASE, (holder,))) if is_writable(holder) else 0

    def publish_head(self, signed: str) -> None:
        if not is_writable(signed):
            raise refused("published_heads", "its text is none")
        self._write(_PUBLISH, (signed,))

    def keep_secret(self, value: str) -> str:
        check_secret(value)
        key = digest(value)
        self._write(_KEEP, (key, value))
        return key

    def drop_secret(self, digest: str) -> None:
        if is_writable(digest):
            self._write(_DROP, (digest,))

    def close(self) -> None:
        self._writer.close()
        self._reader.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _migrate(connection: Connection) -> None:
    """The schema brought up to date, by one at a time; a foreign one is refused."""
    wanted = scripts("postgresql")
    if _version(connection) < len(wanted):
        with connection.transaction():
            query(connection, "SELECT pg_advisory_xact_lock(?)", (_MIGRATING,))
            for script in wanted[_version(connection) :]:
                connection.execute(script)
            connection.execute(
                "UPDATE croupier_journal SET version = %s", [len(wanted)]
            )
    missing = TABLE_NAMES - _durable_tables(connection)
    if missing:
        raise NotAJournal(f"the database is damaged: it has no durable {min(missing)}")


def _version(connection: Connection) -> int:
    """How many scripts the schema has had; raises `NotAJournal` where it is foreign."""
    [(ours, others)] = query(
        connection,
        "SELECT count(*) FILTER (WHERE relname = 'croupier_journal'), count(*)"
        " FROM pg_class WHERE relnamespace = current_schema()::regnamespace",
    )
    if not ours and not others:
        return 0
    foreign = NotAJournal("the PostgreSQL database is not a journal of croupier")
    if not ours:
        raise foreign
    try:
        [(version,)] = query(connection, "SELECT version FROM croupier_journal")
    except (psycopg.ProgrammingError, ValueError) as error:
        raise foreign from error
    if not isinstance(version, int) or version < 1:
        raise foreign
    if version > len(scripts("postgresql")):
        raise JournalError("the PostgreSQL database was written by a newer croupier")
    return version


def _durable_tables(connection: Connection) -> set[str]:
    rows = query(
        connection,
        "SELECT relname FROM pg_class WHERE relkind = 'r' AND relpersistence = 'p'"
        " AND relnamespace = current_schema()::regnamespace",
    )
    return {name for (name,) in rows}
