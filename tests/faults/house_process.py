"""A house as its operator and its devices know it: a command, addresses, sentences.

What the journal holds is read from its export.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass, field
from http.client import HTTPConnection
from itertools import count
from typing import Any, TypeVar
from urllib.parse import quote, urlsplit

import pytest

from tests.cli.running import run_here
from tests.faults import hooks
from tests.house_files import STAFF as STAFF_HOLD
from tests.house_files import house_lines, staff_lines, table_lines
from tests.robustness.recorder import OutsideRecord
from tests.server_process import NotOpened, ServerProcess
from tests.spawner import Spawned
from tests.waiting import wait_for

T = TypeVar("T")
TABLES = ("triple", "v3")
STAFF = ("Dana", "Dora", "Sam", "Mira", "Max", "Carl")
_ADMINISTERS = {"Mira": STAFF_HOLD["Mira"] + '\nduties = ["administrator"]'}
_HAND_DEALT = ("countdown_seconds = 0", "seats = 500")
_STEADY = ("idle_minutes = 1440", "proposal_minutes = 1440")
"""A clock that steps by hours ends no session and no proposal."""
HOUSE_FILE = house_lines("The tested house", *_STEADY) + "".join(
    (
        table_lines("triple", "rws-triple-zero", *_HAND_DEALT),
        table_lines("v3", "mbs-roulette-v3", *_HAND_DEALT),
        staff_lines(*STAFF, held=STAFF_HOLD | _ADMINISTERS),
    )
)
PASSWORD = "demonstration"
_ids = count(1)


def new_id() -> str:
    """An id that no other command of these tests has."""
    return f"f{os.getpid()}-{next(_ids)}"


def check_one_sentence(said: str) -> None:
    """Why something was refused: one line, and in a log of JSON a critical one."""
    [line] = filter(None, said.splitlines())
    if line.startswith("{"):
        assert json.loads(line)["level"] == "critical", said
    else:
        assert line.startswith("croupier: "), said


@dataclass(frozen=True, slots=True)
class Reply:
    status: int
    body: Any

    @property
    def done(self) -> bool:
        return self.status in {200, 201, 204}


@dataclass
class HouseProcess(ServerProcess):
    """A house in which devices speak and commands run beside it."""

    is_hooked: bool = False
    """Whether its clock and its disk are the test's."""
    file: str = HOUSE_FILE
    record: OutsideRecord = field(default_factory=OutsideRecord)
    """All that devices said to it and heard."""
    sessions: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        (self.folder / "house.toml").write_text(self.file)
        if self.is_hooked:
            hooks.step_clock(self.folder, 0)

    @property
    def log(self) -> str:
        return (self.folder / "log").read_text()

    @property
    def said(self) -> str:
        """Everything since the last start, on both outputs."""
        return (self.folder / "out").read_text() + self.log

    @property
    def database(self) -> str:
        """The name of its database on PostgreSQL."""
        return self.url.rpartition("/")[2].partition("?")[0]

    # The process

    def launch(self, *options: str, port: int = 0) -> Spawned:
        """Start it, and don't wait until it is open."""
        self.sessions.clear()
        (self.folder / "log").write_bytes(b"")
        words = ["--port", str(port), *options]
        if "--create" in options:
            words += ["--house", str(self.folder / "house.toml")]
        return self.spawn(*words, hooks=hooks.__name__ if self.is_hooked else None)

    def start(self, *options: str, port: int = 0) -> None:
        """Start it, and return when it is open."""
        self.launch(*options, port=port)
        self.wait_until_open()

    def refused(self, *options: str) -> str:
        """The sentence with which it does not start."""
        with pytest.raises(NotOpened) as caught:
            self.start(*options)
        assert caught.value.status == 2
        *_, last = caught.value.said.splitlines()
        check_one_sentence(last)
        return str(json.loads(last)["event"])

    def end(self) -> Counter[str]:
        """Hold the journal against what was told, verify it, and stop in order.

        The counts of the commands, each of which was answered.
        """
        counts = self.record.compare(self.export())
        assert counts["unanswered"] == 0, counts
        self.verify()
        assert self.terminate() == 0, self.said
        return counts

    def close(self) -> None:
        """Leave no process behind."""
        if self.process is not None:
            self.kill()

    # HTTP

    def http(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        by: str = "",
        seconds: float = 30,
    ) -> Reply:
        """Ask as a member of staff, or without a session."""
        headers = {"Content-Type": "application/json"}
        if by:
            headers["Authorization"] = f"Bearer {self.session(by)}"
        connection = HTTPConnection(urlsplit(self.address).netloc, timeout=seconds)
        try:
            content = None if body is None else json.dumps(body)
            connection.request(method, quote(path, safe="/?=&:"), content, headers)
            answer = connection.getresponse()
            text = answer.read()
        finally:
            connection.close()
        is_json = "json" in (answer.getheader("Content-Type") or "")
        return Reply(answer.status, json.loads(text) if is_json else text)

    def ask(self, method: str, path: str, body: object = None, *, by: str = "") -> Any:
        """Ask for what must be done; again once the house's rates and journal allow it.

        An act that is known to be done may have cut the journal's line just before.
        """

        def answered() -> Reply | None:
            reply = self.http(method, path, body, by=by)
            return None if reply.status in {429, 503} else reply

        reply = wait_for(answered, 30)
        assert reply.done, (method, path, reply)
        return reply.body

    def session(self, name: str) -> str:
        if name not in self.sessions:
            reply = wait_for(lambda: self._logged_on(name), 30)
            self.sessions[name] = reply.body["token"]
        return self.sessions[name]

    def _logged_on(self, name: str) -> Reply | None:
        """The house's word on it; None while it can't write."""
        reply = self.http("POST", "/api/demonstration/staff", {"name": name})
        assert reply.done or reply.status >= 500 or reply.status == 429, reply
        return reply if reply.done else None

    def is_ready(self) -> bool:
        return self.http("GET", "/ready").status == 200

    # The command line, beside it

    def verify(self) -> None:
        """The journal is clean, by verification and by audit."""
        for command in (("journal", "verify"), ("audit",)):
            ran = run_here(*command, self._source, "--json")
            assert ran.code == 0, (command, ran.stdout[-3000:], ran.stderr)

    def export(self) -> list[dict[str, Any]]:
        """Every record of the journal."""
        file = self.folder / f"{new_id()}.jsonl"
        ran = run_here("journal", "export", self._source, "-o", file)
        assert ran.code == 0, ran.stderr
        return [json.loads(line) for line in file.read_text().splitlines()]

    @property
    def _source(self) -> str:
        return self.url.removeprefix("sqlite:///")
