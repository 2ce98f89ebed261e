"""A real HAProxy in front of nodes, with the shipped configuration."""

from __future__ import annotations

import re
import shutil
import signal
import socket
import subprocess
from collections.abc import Mapping
from pathlib import Path

from tests.waiting import wait_for

SAMPLE = Path("samples/deploy/haproxy.cfg")
_TLS = re.compile(r".*(bind :443|redirect scheme).*\n")


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def configuration(nodes: Mapping[str, int], port: int) -> str:
    """Return the sample for these nodes: without TLS, at a port of this machine."""
    text = SAMPLE.read_text("utf-8")
    text, count = _TLS.subn("", text)
    assert count == 2
    text = text.replace("bind :80", f"bind 127.0.0.1:{port}")
    text = text.replace("X-Forwarded-Proto https", "X-Forwarded-Proto http")
    servers = "".join(
        f"    server {name} 127.0.0.1:{at}\n" for name, at in nodes.items()
    )
    text, count = re.subn(r"(    server \w+ .*\n)+", servers, text)
    assert count == 2
    return text


class HaProxy:
    """One HAProxy of this machine."""

    def __init__(self, folder: Path, nodes: Mapping[str, int]) -> None:
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self._file = folder / f"haproxy-{self.port}.cfg"
        self._file.write_text(configuration(nodes, self.port), "utf-8")
        program = shutil.which("haproxy") or "/usr/sbin/haproxy"
        self._process = subprocess.Popen(
            [program, "-db", "-f", str(self._file)],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        wait_for(self._listens, 10)

    @property
    def pid(self) -> int:
        return self._process.pid

    def _listens(self) -> bool:
        assert self._process.poll() is None, self._file
        with socket.socket() as sock:
            return sock.connect_ex(("127.0.0.1", self.port)) == 0

    def stop(self) -> None:
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()
