"""A real house server: a process of its own on a journal that was prepared for it.

- The house has a table for each game and for each source of outcomes.
- Devices are enrolled before the start, so that no test waits for a rate limit.
- A test that starts a server stops it; then the journal must verify, and the log must
  hold no error.
"""

from __future__ import annotations

import json
import os
import signal
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from http.client import HTTPConnection, HTTPSConnection
from itertools import count
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import psycopg

from croupier.house.configuration.house_file import read_house
from croupier.house.configuration.setup import prepare
from croupier.house.people.log_on import digest_of
from croupier.house.records.house_record import HouseRecord, now_ms
from croupier.house.records.house_state import DeviceKind
from croupier.journal.events.house import DeviceEnrolled, DeviceInvited, HouseEvent
from croupier.journal.stores import open_store
from croupier.journal.tables import EventRow
from croupier.journal.verification import verify
from croupier.table.answers import event_of
from tests.house_files import STAFF, house_lines, staff_lines, table_lines
from tests.journal.server import running_server
from tests.reasons import reasoned
from tests.server_process import ServerProcess
from tests.spawner import Spawned

T = TypeVar("T")
CREDIT = 100_000
GAMES = {
    "v2": "mbs-roulette-v2",
    "v3": "mbs-roulette-v3",
    "complete": "mbs-complete-bet-v2",
    "fast": "mbs-fast-action-v2",
    "triple": "rws-triple-zero",
}
"""The tables at which the Dealer keys the outcome and closes by hand."""
SEATS = ("Anna", "Ben", "Cara")
LIMITS = ("* 5.00 1000.00", "straight_up 1.00 500.00")
TABLES = (
    *((name, game, "console", 0, "") for name, game in GAMES.items()),
    ("counted", GAMES["triple"], "console", 1, ""),
    ("sensed", GAMES["v3"], "sensor", 0, ""),
    ("watched", GAMES["triple"], "sensor", 0, ""),
    ("unhurried", GAMES["triple"], "sensor", 0, '\nsettings.close_on_drop = "off"'),
    ("lit", GAMES["fast"], "console", 0, '\nlights = "device"'),
    ("virtual", GAMES["triple"], "virtual", 1, "\nautomatic_dealer = true"),
)
PASSWORD = "demonstration"


def house_text() -> str:
    """The house file of every test, unless it edits it."""
    tables = (
        table_lines(name, game, f"countdown_seconds = {seconds}{further}", wheel=wheel)
        for name, game, wheel, seconds, further in TABLES
    )
    return "".join((house_lines("The tested house"), *tables, staff_lines(*STAFF)))


@dataclass(frozen=True)
class Reply:
    """An answer over HTTP."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class House(ServerProcess):
    """A house with its devices, served or not."""

    devices: dict[str, str] = field(default_factory=dict)
    """Tokens of the enrolled devices, by name."""
    rounds: dict[str, int] = field(default_factory=dict)
    """The latest round that a reader heard of, by table."""
    tls: ssl.SSLContext | None = None
    """The context of clients that ask it over TLS."""
    _sessions: dict[str, str] = field(default_factory=dict)
    logged_on: dict[str, Any] = field(default_factory=dict)
    """Sessions of browsers by name: tests may end them by logging off."""
    _ids: Iterator[int] = field(default_factory=lambda: count(1))

    @property
    def file(self) -> Path:
        return self.folder / "house.toml"

    @property
    def log(self) -> Path:
        return self.folder / "log"

    @property
    def said(self) -> list[str]:
        """The lines printed since the last start."""
        return (self.folder / "out").read_text().splitlines()

    # The process

    def start(self, *options: str, open_files: int | None = None) -> None:
        self.launch(*options, open_files=open_files)
        self.wait_until_open()

    def launch(self, *options: str, open_files: int | None = None) -> Spawned:
        """Start the server without waiting until it is open."""
        self._sessions.clear()
        words = ("--port", "0", "--house", str(self.file), *options)
        return self.spawn(*words, open_files=open_files)

    def end(self, with_signal: signal.Signals = signal.SIGTERM) -> int:
        """Stop the server; return its exit status."""
        return self.terminate(with_signal)

    def stop(self) -> None:
        """Stop in order, and check log and journal."""
        assert self.end() == 0, self.log.read_text()[-4000:]
        self.check()

    def check(self) -> None:
        """Check that the log has no error and the journal verifies."""
        for line in self.log.read_text().splitlines():
            assert line.startswith("{"), self.log.read_text()[-4000:]
            told = json.loads(line)
            assert told["level"] not in {"error", "critical"}, told
        with open_store(self.url) as store:
            assert verify(store).findings == ()

    # The journal, read beside the server

    def events(self, stream: str, kind: str | None = None) -> list[Any]:
        """Return the events of a kind, or all."""
        rows = self.rows(stream)
        return [event_of(row) for row in rows if kind is None or row.kind == kind]

    def rows(self, stream: str) -> list[EventRow]:
        with open_store(self.url) as store:
            return list(store.events(stream))

    def head(self, stream: str) -> int:
        with open_store(self.url) as store:
            found = store.head(stream)
        return found.sequence if found else 0

    # HTTP

    def http(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        token: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> Reply:
        named = dict(headers or {})
        content = None
        if token is not None:
            named["Authorization"] = f"Bearer {token}"
        if body is not None:
            content = body if isinstance(body, bytes) else json.dumps(body).encode()
            named.setdefault("Content-Type", "application/json")
        host = urlsplit(self.address).netloc
        connection = (
            HTTPConnection(host, timeout=20)
            if self.tls is None
            else HTTPSConnection(host, timeout=20, context=self.tls)
        )
        try:
            connection.request(method, quote(path, safe="/?=&:"), content, named)
            answer = connection.getresponse()
            return Reply(answer.status, dict(answer.getheaders()), answer.read())
        finally:
            connection.close()

    def ask(self, method: str, path: str, body: object = None, *, by: str = "") -> Any:
        """Return the JSON of a successful answer; `by` is a member of the staff.

        A test is faster than the rate limit: it waits and asks again.
        """
        token = self.session(by) if by else None
        reply = self.http(method, path, body, token=token)
        while reply.status == HTTPStatus.TOO_MANY_REQUESTS:
            time.sleep(int(reply.headers["retry-after"]))
            reply = self.http(method, path, body, token=token)
        assert reply.status in {200, 201, 204}, (method, path, reply)
        return reply.json if reply.body else None

    def session(self, name: str) -> str:
        """Return a session's token; the first call logs on."""
        if name not in self._sessions:
            given = self.ask("POST", "/api/demonstration/staff", {"name": name})
            self._sessions[name] = given["token"]
        return self._sessions[name]

    def buy_in(self, table: str, *seats: str, cents: int = CREDIT) -> None:
        for seat in seats:
            path = f"/api/tables/{table}/seats/{seat}/buy-in"
            self.ask("POST", path, {"id": self.new_id(), "cents": cents}, by="Carl")

    def deal(self, table: str, by: str = "Dana") -> None:
        """Make a person the table's Dealer; Mira relieves the one before."""
        path = f"/api/tables/{table}/dealer"
        if (
            self.http("POST", path, token=self.session(by)).status
            == HTTPStatus.CONFLICT
        ):
            self.ask("DELETE", path, by="Mira")
        self.ask("POST", path, by=by)

    def round_of(self, table: str) -> int:
        """Return the latest round that a test has heard of."""
        return self.rounds.get(table, 0)

    def new_id(self) -> str:
        return f"id-{os.getpid()}-{next(self._ids)}"

    def propose(
        self, table: str, act: str, *, by: tuple[str, str], confirm: bool = True
    ) -> Reply:
        """Propose a two-person act as the first of `by`; confirm it as the second."""
        body = {"act": _two_person_act(act), "password": PASSWORD}
        path = f"/api/tables/{table}/proposals"
        reply = self.http("POST", path, body, token=self.session(by[0]))
        if reply.status != 201 or not confirm:
            return reply
        return self.http(
            "POST",
            f"{path}/{reply.json['number']}/confirm",
            {"password": PASSWORD},
            token=self.session(by[1]),
        )


def _two_person_act(text: str) -> dict[str, object]:
    """Return the API's body for an act in a transcript's words."""
    text, _, because = reasoned(text).partition(" because ")
    why = {"because": because}
    match text.split():
        case ("uphold" | "reject") as verb, irregularity:
            upheld = verb == "uphold"
            answer = {"irregularity": irregularity, "upheld": upheld}
            return {"kind": "answer_report", **answer, **why}
        case "correct", "round", number, "to", outcome:
            corrected = {"round_number": int(number), "number": outcome}
            return {"kind": "correct", **corrected, **why}
        case "void", "rounds", *numbers, word:
            rounds = [int(each) for each in numbers]
            return {"kind": "void", "round_numbers": rounds, "reason": word, **why}
    raise AssertionError(text)


def prepare_house(url: str, folder: Path, text: str | None = None) -> House:
    """Return a house with its devices, not served yet."""
    folder.mkdir(exist_ok=True)
    house = House(url, folder)
    house.file.write_text(text or house_text())
    with open_store(url) as store:
        prepare(store, now_ms, read_house(house.file.read_text(), "house.toml"))
        record = HouseRecord(store, now_ms)
        record.write(*_enrolling(house.devices))
    return house


def _devices() -> Iterator[tuple[str, DeviceKind, str | None]]:
    for table, *_ in TABLES:
        for seat in SEATS:
            yield f"{seat}-{table}", DeviceKind.TERMINAL, table
    yield "board-v3", DeviceKind.BOARD, "v3"
    yield "console-v3", DeviceKind.CONSOLE, "v3"
    for table in ("sensed", "watched", "unhurried"):
        yield f"sensor-{table}", DeviceKind.SENSOR, table
    yield "layout-lit", DeviceKind.LAYOUT, "lit"


def _enrolling(tokens: dict[str, str]) -> Iterator[HouseEvent]:
    """Enrol all devices at once; `test_devices` tests enrolment by code."""
    for name, kind, table in _devices():
        tokens[name] = token_urlsafe(32)
        yield DeviceInvited("the test", name, kind.value, table, 0, digest_of(name))
        yield DeviceEnrolled(name, digest_of(tokens[name]))


_schemas = count(1)


def new_database(kind: str, folder: Path) -> str:
    """Return the address of an empty journal."""
    if kind == "sqlite":
        return f"sqlite:///{folder / 'house.db'}"
    server, schema = running_server(), f"house_{next(_schemas)}"
    with psycopg.connect(server.url(), autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}".encode())
    return server.url(f"-c search_path={schema}")


@contextmanager
def open_house(
    kind: str, folder: Path, *options: str, text: str | None = None
) -> Iterator[House]:
    """Serve a house; stop it at the end, and check that it is sound."""
    house = prepare_house(new_database(kind, folder), folder, text)
    house.start(*options)
    try:
        yield house
    except BaseException:
        if house.process is not None:
            house.end(signal.SIGKILL)
        raise
    if house.process is not None:
        house.stop()
