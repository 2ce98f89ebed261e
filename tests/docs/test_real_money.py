"""The page leads from nothing to a round of real money on PostgreSQL, and back."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.journal.server import PasswordServer
from tools.docs.pages import DOCS, files_of

PAGE = DOCS / "real-money.md"
PASSWORD = "seventeen black"
_CODE = re.compile(r"pairing code of station 1, .*: ([0-9A-Z]{10})$", re.MULTILINE)


def _lines(heading: str, language: str) -> list[str]:
    """The lines of that language below a heading."""
    part = PAGE.read_text("utf-8").partition(f"## {heading}\n")[2].partition("\n## ")[0]
    blocks = re.findall(rf"^```{language}\n(.*?)^```$", part, re.DOTALL | re.MULTILINE)
    return [line for block in blocks for line in block.splitlines()]


class _Machine:
    """A place to follow the page: a folder, a database server, one house at a time."""

    def __init__(self, folder: Path, server: PasswordServer) -> None:
        self.folder, self._server = folder, server
        self.host = ""
        self._before = "; ".join(_lines("The database", "sh"))
        self._environment = {**os.environ, "PGPORT": str(server.port)}

    def sql(self, statement: str) -> None:
        with psycopg.connect(self._server.url(), autocommit=True) as connection:
            connection.execute(statement.encode())

    def _words(self, line: str) -> list[str]:
        here = line.replace("127.0.0.1:8000", self.host)
        return ["sh", "-ec", f"{self._before}; exec {sys.executable} -m {here}"]

    def run(self, line: str) -> str:
        done = subprocess.run(
            self._words(line),
            input=f"{PASSWORD}\n" * 3,
            capture_output=True,
            check=False,
            cwd=self.folder,
            env=self._environment,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, (line, done)
        return done.stdout

    @contextmanager
    def serving(self, line: str) -> Iterator[None]:
        with (
            (self.folder / "log").open("w") as log,
            subprocess.Popen(
                self._words(f"{line} --port 0"),
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                cwd=self.folder,
                env=self._environment,
            ) as process,
        ):
            assert process.stdout is not None
            self.host = process.stdout.readline().strip().rpartition("//")[2]
            try:
                yield
            finally:
                process.terminate()
                assert process.wait(60) == 0

    def ask(self, request: str, *tokens: str) -> Any:
        """Ask as the page says; the tokens are a session's and its device's."""
        method, path, body = [*request.split(" ", 2), ""][:3]
        names = ("authorization", "x-device-token")
        headers = dict(zip(names, tokens, strict=False))
        if tokens:
            headers["authorization"] = f"Bearer {tokens[0]}"
        if body:
            headers["content-type"] = "application/json"
        connection = HTTPConnection(self.host, timeout=60)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        content = answer.read().decode()
        connection.close()
        assert answer.status < 300, (request, answer.status, content)
        return json.loads(content) if content.startswith("{") else content


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[_Machine]:
    for name, text in files_of(PAGE).items():
        (tmp_path / name).write_text(text, "utf-8")
    server = PasswordServer()
    yield _Machine(tmp_path, server)
    server.stop()


def test_every_line_leads_to_a_round_and_back(machine: _Machine) -> None:
    for statement in _lines("The database", "sql"):
        machine.sql(statement)
    *before, serve = _lines("The house", "sh")
    [code] = _CODE.findall("".join(machine.run(line) for line in before))

    with machine.serving(serve):
        seat_token = _enrol_and_buy_in(machine, code)
        played = [machine.run(line) for line in _lines("The round", "sh")]
        assert "won 350.00" in played[2]
        assert "450.00" in played[3]
        health, ready, metrics = _lines("Health, metrics, alerts", "http")
        assert machine.ask(health)
        assert machine.ask(ready)
        assert 'croupier_wagers_total{answer="registered"' in machine.ask(metrics)
        backup, verify, *move = _lines("Backup and restore", "sh")
        machine.run(backup)
    lines = (machine.folder / "log").read_text().splitlines()
    assert lines
    assert all(json.loads(line)["level"] in {"info", "warning"} for line in lines)
    assert seat_token not in "".join(lines)
    assert "clean" in machine.run(verify)
    _move(machine, move)


def _enrol_and_buy_in(machine: _Machine, code: str) -> str:
    """Follow the page from the first station to a seat with credit."""
    pair, log_on, give, *enrol = _lines("The first station", "http")
    station = machine.ask(pair.replace("CODE", code))["token"]
    mira = machine.ask(log_on.replace("TOKEN", station))["token"]
    machine.ask(give, mira, station)
    codes = [machine.ask(line, mira, station)["code"] for line in enrol]
    second_logs_on, confirm, choose = _lines("The second person", "http")
    noor = machine.ask(second_logs_on.replace("TOKEN", station))["token"]
    machine.ask(confirm, noor, station)
    machine.ask(choose.replace("TOKEN", station))
    *pairs, buy_in = _lines("The table", "http")
    console, seat = (
        machine.ask(line.replace("CODE", code))["token"]
        for line, code in zip(pairs, codes, strict=True)
    )
    (machine.folder / "console.token").write_text(console)
    (machine.folder / "seat.token").write_text(seat)
    chosen = json.loads(choose.split(" ", 2)[2])["new_password"]
    (machine.folder / "dana.password").write_text(chosen)
    machine.ask(buy_in, mira, station)
    return str(seat)


def _move(machine: _Machine, lines: list[str]) -> None:
    """Follow the page from the last copy to the house that is open again."""
    backup, restore, proven, takes_over, password, serve = lines
    machine.run(backup)
    for statement in _lines("Backup and restore", "sql"):
        machine.sql(statement)
    machine.run(restore)
    said = machine.run(proven)
    assert "clean" in said
    assert "is the house now" in machine.run(takes_over)
    assert machine.run(password) == "the password of Mira is set\n"
    with machine.serving(serve):
        assert machine.ask("GET /ready")
