"""A proxy before PostgreSQL that knows a commit when it sees one, and strikes there.

The house talks to it over TCP; it talks to the server's own socket. It follows the
messages of the protocol (version 3) and the statements that are prepared, so it can
tell which request will commit a change: one that says COMMIT, or one that changes
something outside a transaction.
"""

from __future__ import annotations

import re
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from types import TracebackType
from typing import Self

_LENGTH = struct.Struct("!i")
_CHUNK = 65_536
_PLAIN_STARTUP = 196_608
"""The code of a startup message proper; the others ask for encryption."""
_CHANGES = re.compile(rb"\b(INSERT|UPDATE|DELETE|COPY)\b")
_BEGINS = re.compile(rb"^\s*(BEGIN|START TRANSACTION)\b")
_COMMITS = re.compile(rb"\b(COMMIT|END)\s*;?\s*$")
_ENDS = re.compile(rb"\b(COMMIT|END|ROLLBACK|ABORT)\s*;?\s*$")


class Where(Enum):
    """The place of a fault, seen from a commit."""

    BEFORE = "before the commit"
    """The server never hears of it."""
    DURING = "during the commit"
    """Sent on, and the line is cut at once: the outcome is unknown."""
    AFTER = "after the commit"
    """Done, and the house never hears of it."""
    FULL = "no room for the commit"
    """The server says that its disk is full; the line stays."""


@dataclass(slots=True)
class Fault:
    """Strike once, at a commit that holds these bytes."""

    where: Where
    holding: bytes = b""
    skip: int = 0
    """How many such commits pass before it."""
    also: Callable[[], object] | None = None
    """What else happens then, before the line is cut."""
    struck: threading.Event = field(default_factory=threading.Event)

    def strikes(self, told: bytes) -> bool:
        if self.struck.is_set() or self.holding not in told:
            return False
        self.skip -= 1
        return self.skip < 0


class PostgresProxy:
    """Listens until it is closed; each connection has two threads."""

    def __init__(self, server: Path) -> None:
        self._server = server
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self.commits = 0
        """Commits that were asked for."""
        self.flowing = threading.Event()
        """While it is clear, nothing passes, and no line is cut."""
        self.flowing.set()
        self.full = threading.Event()
        """While it is set, the server has no room for any commit."""
        self._fault: Fault | None = None
        self._lines: set[_Line] = set()
        self._lock = threading.Lock()
        threading.Thread(target=self._listen, daemon=True).start()

    def address(self, name: str) -> str:
        """The address of a database, through this proxy."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{name}"

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # ends an accept that waits
        self._listener.close()
        self.flowing.set()
        self.cut()

    def arm(self, fault: Fault) -> Fault:
        self._fault = fault
        return fault

    def disarm(self) -> None:
        self._fault = None

    def cut(self) -> int:
        """End every line that is open; how many they were."""
        with self._lock:
            lines, self._lines = self._lines, set()
        for line in lines:
            line.cut()
        return len(lines)

    def fault_at(self, told: bytes) -> Fault | None:
        """Count a commit; the fault, if it strikes at this one."""
        with self._lock:
            self.commits += 1
            if self.full.is_set():
                return Fault(Where.FULL)
            fault = self._fault
            if fault is None or not fault.strikes(told):
                return None
            self._fault = None
            return fault

    def _listen(self) -> None:
        while True:
            try:
                house, _ = self._listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(str(self._server))
            except OSError:  # as if nothing listened there
                house.close()
                server.close()
                continue
            line = _Line(self, house, server)
            with self._lock:
                self._lines.add(line)
            line.start()


class _Line:
    """One connection of the house, and the server's end of it."""

    def __init__(
        self, proxy: PostgresProxy, house: socket.socket, server: socket.socket
    ) -> None:
        self._proxy, self._house, self._server = proxy, house, server
        self._requests = _Requests()
        self._silent: Fault | None = None
        """The fault after which nothing more is told to the house."""

    def start(self) -> None:
        for pump in (self._forward, self._back):
            threading.Thread(target=pump, daemon=True).start()

    def cut(self) -> None:
        for end in (self._house, self._server):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def _forward(self) -> None:
        try:
            while data := self._house.recv(_CHUNK):
                self._proxy.flowing.wait()
                for request in self._requests.read(data):
                    self._pass(request)
        except OSError:
            pass
        self.cut()

    def _pass(self, request: _Request) -> None:
        fault = self._proxy.fault_at(request.told) if request.commits else None
        if fault is None:
            self._server.sendall(request.data)
            return
        if fault.where is Where.AFTER:
            self._silent = fault
            self._server.sendall(request.data)
            return
        if fault.where is Where.DURING:
            self._server.sendall(request.data)
        if fault.also is not None:
            fault.also()
        if fault.where is Where.FULL:
            self._house.sendall(_disk_full(in_transaction=request.in_transaction))
        else:
            self.cut()
        fault.struck.set()

    def _back(self) -> None:
        replies = _Replies()
        try:
            while data := self._server.recv(_CHUNK):
                self._proxy.flowing.wait()
                fault = self._silent
                if fault is None:
                    self._house.sendall(data)
                is_answered = replies.ready(data)
                if fault is not None and is_answered:
                    if fault.also is not None:
                        fault.also()
                    fault.struck.set()
                    break
        except OSError:
            pass
        self.cut()


@dataclass(frozen=True, slots=True)
class _Request:
    """Read what the house sends until it waits for an answer."""

    data: bytes
    commits: bool
    in_transaction: bool
    told: bytes
    """Everything said in this transaction so far."""


class _Requests:
    """Bytes of the house, cut into requests."""

    def __init__(self) -> None:
        self._buffer = b""
        self._is_started = False
        self._prepared: dict[bytes, bytes] = {}
        self._in_transaction = False
        self._told = b""
        self._request = b""
        self._statements: list[bytes] = []

    def read(self, data: bytes) -> Iterator[_Request]:
        self._buffer += data
        while (length := self._message_length()) and len(self._buffer) >= length:
            message, self._buffer = self._buffer[:length], self._buffer[length:]
            if not self._is_started:
                (code,) = _LENGTH.unpack_from(message, 4)
                self._is_started = code == _PLAIN_STARTUP
                yield _Request(
                    message, commits=False, in_transaction=False, told=message
                )
                continue
            self._request += message
            self._note(message[:1], message[5:])
            if message[:1] in b"QSXHpFdcf":  # the rest waits for a Sync or Flush
                yield self._ended()

    def _message_length(self) -> int:
        at = 1 if self._is_started else 0
        if len(self._buffer) < at + 4:
            return 0
        return at + int(_LENGTH.unpack_from(self._buffer, at)[0])

    def _note(self, kind: bytes, body: bytes) -> None:
        if kind == b"Q":
            self._statements.append(body.rstrip(b"\0"))
        elif kind == b"P":
            name, statement, _ = body.split(b"\0", 2)
            self._prepared[name] = statement
        elif kind == b"B":
            _, name, _ = body.split(b"\0", 2)
            self._statements.append(self._prepared.get(name, b""))

    def _ended(self) -> _Request:
        statements, self._statements = self._statements, []
        data, self._request = self._request, b""
        was_in_transaction = self._in_transaction
        self._told += data
        told, commits = self._told, False
        for statement in statements:
            commits |= bool(_COMMITS.search(statement)) and self._in_transaction
            changes = _CHANGES.search(statement.upper())
            commits |= bool(changes) and not self._in_transaction
            self._in_transaction |= bool(_BEGINS.search(statement))
            self._in_transaction &= not _ENDS.search(statement)
        if not self._in_transaction and statements:
            self._told = b""
        return _Request(data, commits, was_in_transaction, told)


class _Replies:
    """Bytes of the server, read for the message that says: ready for the next."""

    def __init__(self) -> None:
        self._buffer = b""

    def ready(self, data: bytes) -> bool:
        self._buffer += data
        found = False
        while len(self._buffer) >= 5:
            if self._buffer[:1] in b"NS" and self._buffer[1] != 0:
                self._buffer = self._buffer[1:]  # the answer on encryption
                continue
            length = 1 + int(_LENGTH.unpack_from(self._buffer, 1)[0])
            if len(self._buffer) < length:
                break
            found |= self._buffer[:1] == b"Z"
            self._buffer = self._buffer[length:]
        return found


def _disk_full(*, in_transaction: bool) -> bytes:
    fields = (b"SERROR", b"VERROR", b"C53100", b"Mcould not extend file: No space left")
    body = b"".join(each + b"\0" for each in fields) + b"\0"
    error = b"E" + _LENGTH.pack(4 + len(body)) + body
    return error + b"Z" + _LENGTH.pack(5) + (b"E" if in_transaction else b"I")
