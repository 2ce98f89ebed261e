"""The role that a server runs as on PostgreSQL: it adds events, and changes none."""

from __future__ import annotations

from importlib.resources import files

from psycopg import sql

from croupier.journal.store import JournalError
from croupier.journal.stores.postgresql import PostgresStore
from croupier.journal.stores.postgresql_connection import (
    Connection,
    PostgresConnection,
    query,
)

_MAY_ACT_AS_OWNER = (
    "SELECT pg_has_role(role.oid, events.relowner, 'MEMBER')"
    " FROM pg_roles role, pg_class events"
    " WHERE rolname = {} AND events.oid = to_regclass('events')"
)


def grant_server(dsn: str, role: str) -> None:
    """Let a role serve the journal, and no more than that; raises `JournalError`.

    The journal must be there, up to date, and this session's own.
    """
    PostgresStore(dsn, create=False).close()  # brings it up to date
    session = PostgresConnection(dsn)
    try:
        with session.using("granted") as connection, connection.transaction():
            _expect_roles(connection, role)
            [(schema,)] = query(connection, "SELECT current_schema()")
            connection.execute(
                sql.SQL(_script()).format(
                    role=sql.Identifier(role), schema=sql.Identifier(schema)
                )
            )
    finally:
        session.close()


def _expect_roles(connection: Connection, role: str) -> None:
    """Refuse whoever does not own the journal, and a role that does."""
    [(is_owner,)] = query(connection, _MAY_ACT_AS_OWNER.format("current_user"))
    if not is_owner:
        raise JournalError("only the owner of the journal may grant it to a role")
    standing = query(connection, _MAY_ACT_AS_OWNER.format("?"), (role,))
    if not standing:
        raise JournalError(f"there is no role {role}: CREATE ROLE … LOGIN makes one")
    if standing[0][0]:
        raise JournalError(
            f"{role} owns the journal, or may act as its owner: serve it as another"
        )


def _script() -> str:
    script = files("croupier.journal") / "grants" / "server.sql"
    return script.read_text("utf-8")
