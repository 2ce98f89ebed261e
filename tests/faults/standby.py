"""A PostgreSQL server with a standby that follows it, which can be promoted."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import quote

import psycopg

from tests.faults.databases import RestartingServer
from tests.journal.server import Server
from tests.waiting import wait_for

_FOLLOWING = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'"


class Standby(RestartingServer):
    """Follows a server from a copy of its data."""

    def __init__(self, primary: Server) -> None:
        self._primary = primary
        super().__init__()

    def _initialise(self) -> None:
        done = subprocess.run(
            [
                *(self.binaries / "pg_basebackup", "-D", self.folder / "data"),
                *("-R", "-X", "stream", "-c", "fast", "--no-sync"),
                *("-d", f"host={self._primary.folder} user=postgres"),
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            **self._as_user,
        )
        if done.returncode:
            raise RuntimeError(f"no copy: {done.stderr}")


class ServerPair:
    """Two servers, the second a synchronous standby of the first."""

    def __init__(self) -> None:
        self.first = RestartingServer()
        try:
            self.second = Standby(self.first)
        except BaseException:
            self.first.stop()
            raise
        self.first.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        self.first.execute("SELECT pg_reload_conf()")
        wait_for(lambda: self.first.execute(_FOLLOWING) == [(1,)], 20)

    def address(self, name: str) -> str:
        """The address of a database, on the server that can be written."""
        hosts = quote(f"{self.first.folder},{self.second.folder}", "")
        return f"postgresql:///{name}?user=postgres&host={hosts}"

    def new_address(self) -> str:
        return self.address(self.first.new_database())

    def leave_second_behind(self) -> None:
        """Let it follow without being waited for, then have it follow no more."""
        self.first.execute("ALTER SYSTEM RESET synchronous_standby_names")
        self.first.execute("SELECT pg_reload_conf()")
        self._ask_second("ALTER SYSTEM SET primary_conninfo = ''")
        self._ask_second("SELECT pg_reload_conf()")
        ask = "SELECT count(*) FROM pg_stat_replication"
        wait_for(lambda: self.first.execute(ask) == [(0,)], 20)

    def lose_first(self) -> None:
        """Stop it as a lost machine stops: nothing more is written or sent."""
        self.first.halt(signal.SIGQUIT)

    def promote(self) -> None:
        self._ask_second("SELECT pg_promote()")

    @contextmanager
    def standby_away(self) -> Iterator[None]:
        """Stop what takes from the first server, for a while."""
        [[receiver]] = self._ask_second("SELECT pid FROM pg_stat_wal_receiver")
        os.kill(receiver, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(receiver, signal.SIGCONT)

    def call_off(self, how: str) -> None:
        """Call off the commit that waits for the standby: cancel or end its session."""
        ask = f"SELECT {how}(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        wait_for(lambda: self.first.execute(ask) == [(True,)], 20)

    def lose_second(self) -> None:
        self.second.halt(signal.SIGQUIT)

    def end_sessions_of_second(self) -> None:
        self._ask_second(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )

    def _ask_second(self, statement: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.second.url(), autocommit=True) as connection:
            asked = connection.execute(statement.encode())
            return asked.fetchall() if asked.description else []

    def stop(self) -> None:
        self.second.stop()
        self.first.stop()
