"""What the nodes of a house count together on PostgreSQL, in rows of no journal.

They are written without waiting for the disk: a crash may forget a try or two.
"""

from __future__ import annotations

from collections.abc import Mapping

from croupier.journal.stores.postgresql_connection import (
    Connection,
    PostgresConnection,
    query,
)

_SEEN_KEPT = "1 day"
_BUCKETS_KEPT = "1 hour"
_CLEAR_EVERY = 1_000
_TAKE = """
WITH given AS (
    SELECT ?::text AS key, ?::float8 AS a_second, ?::float8 AS at_once
), stood AS (
    INSERT INTO shared_buckets AS bucket (key, tokens, is_taken, at)
    SELECT key, at_once - 1, true, clock_timestamp() FROM given
    ON CONFLICT (key) DO UPDATE SET (tokens, is_taken, at) = (
        SELECT CASE WHEN had.tokens >= 1 THEN had.tokens - 1 ELSE had.tokens END,
            had.tokens >= 1, clock_timestamp()
        FROM (SELECT least(given.at_once, bucket.tokens + given.a_second
            * greatest(0, extract(epoch FROM clock_timestamp() - bucket.at))) AS tokens
            FROM given) AS had
    )
    RETURNING tokens, is_taken
)
SELECT CASE WHEN is_taken THEN 0 ELSE (1 - tokens) / a_second END FROM stood, given
"""
_NOTE = """
INSERT INTO sessions_seen (digest, seen_ms)
SELECT * FROM unnest(?::text[], ?::bigint[]) AS row (digest, seen_ms)
ON CONFLICT (digest) DO UPDATE SET at = now(),
    seen_ms = greatest(sessions_seen.seen_ms, excluded.seen_ms)
RETURNING digest
"""


class PostgresCounters:
    """The rows of one schema, over a session of their own."""

    def __init__(self, dsn: str) -> None:
        self._connection = PostgresConnection(dsn)
        self._relaxed: Connection | None = None
        self._taken = 0

    def note_seen(self, seen: Mapping[str, int]) -> dict[str, int]:
        with self._connection.using("written") as connection:
            self._relax(connection)
            if seen:
                ordered = sorted(seen.items())  # two nodes never wait for each other
                digests, times = zip(*ordered, strict=True)
                query(connection, _NOTE, (list(digests), list(times)))
            self._clear(connection, "sessions_seen", _SEEN_KEPT)
            rows = query(connection, "SELECT digest, seen_ms FROM sessions_seen")
        return dict(rows)

    def take_token(self, key: str, a_second: float, at_once: int) -> float:
        with self._connection.using("written") as connection:
            self._relax(connection)
            [(seconds,)] = query(connection, _TAKE, (key, a_second, at_once))
            self._taken += 1
            if self._taken % _CLEAR_EVERY == 0:
                self._clear(connection, "shared_buckets", _BUCKETS_KEPT)
        return float(seconds)

    @staticmethod
    def _clear(connection: Connection, table: str, kept: str) -> None:
        """Forget rows that nobody has touched for long: all is well with them again."""
        connection.execute(
            f"DELETE FROM {table} WHERE at < now() - interval '{kept}'".encode()  # noqa: S608
        )

    def _relax(self, connection: Connection) -> None:
        if self._relaxed is not connection:
            connection.execute("SET synchronous_commit = off")
            self._relaxed = connection

    def close(self) -> None:
        self._connection.close()
