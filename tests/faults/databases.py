"""The databases of these tests: a file, or a server that can be stopped and started."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg

from tests.journal.server import Server
from tests.waiting import wait_for

_names = count(1)


@contextmanager
def locked_file(file: Path) -> Iterator[None]:
    """Keep everybody from writing to an SQLite file, for a while."""
    with closing(sqlite3.connect(file, check_same_thread=False)) as holder:
        holder.execute("BEGIN IMMEDIATE")
        yield
        holder.rollback()


class RestartingServer(Server):
    """A PostgreSQL server that goes away and comes back with its data."""

    def __init__(self) -> None:
        self._former: list[subprocess.Popen[bytes]] = []
        super().__init__()

    @property
    def socket(self) -> Path:
        return self.folder / ".s.PGSQL.5432"

    @property
    def _status(self) -> Path:
        return self.folder / "data" / "postmaster.pid"

    def halt(self, with_signal: signal.Signals = signal.SIGINT) -> None:
        """Stop it, in order or at once, and keep what it holds."""
        os.kill(int(self._status.read_text().split()[0]), with_signal)
        wait_for(lambda: not self._status.exists() or self._is_gone(), 20)

    def _is_gone(self) -> bool:
        """After SIGQUIT the file that names the process may stay."""
        return not self.socket.exists()

    def resume(self) -> None:
        self._status.unlink(missing_ok=True)
        self._former.append(self._keeper)
        self._keeper = self._start()
        self._wait_until_ready()

    def stop(self) -> None:
        super().stop()
        for keeper in self._former:
            assert keeper.stdin is not None
            keeper.stdin.close()
            keeper.wait()

    def address(self, name: str) -> str:
        """The address of one of its databases."""
        host = quote(str(self.folder), "")
        return f"postgresql:///{name}?user=postgres&host={host}"

    def new_database(self, like: str = "template0") -> str:
        """The name of a new database: an empty one, or a copy."""
        name = f"house_{next(_names)}"
        self.execute(f"CREATE DATABASE {name} TEMPLATE {like} STRATEGY FILE_COPY")
        return name

    def drop_database(self, name: str) -> None:
        """Drop it, in spite of its connections."""
        self.execute(f"DROP DATABASE {name} WITH (FORCE)")

    def rename_database(self, name: str, becomes: str) -> None:
        self.execute(f"ALTER DATABASE {name} RENAME TO {becomes}")

    def execute(self, statement: str, name: str = "postgres") -> list[tuple[Any, ...]]:
        with psycopg.connect(self.address(name), autocommit=True) as connection:
            asked = connection.execute(statement.encode())
            return asked.fetchall() if asked.description else []

    @contextmanager
    def locked(self, name: str) -> Iterator[None]:
        """Keep everybody from writing to a journal's streams, for a while."""
        with psycopg.connect(self.address(name)) as holder:
            holder.execute("LOCK TABLE streams IN EXCLUSIVE MODE")
            yield

    def end_backends(self, name: str) -> int:
        """End every connection to a database; how many they were."""
        [[ended]] = self.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            f" WHERE datname = '{name}'"
        )
        return int(ended)
