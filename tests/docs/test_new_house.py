"""The page walks from nothing to the first log-on of a house of real money."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

from tests.cli.running import run_here
from tools.docs.pages import DOCS, files_of

PAGE = DOCS / "house.md"
_HEADING = "## A house of real money, from nothing\n"
_CODE = re.compile(r"the pairing code of station 1, .*: ([0-9A-Z]{10})$", re.MULTILINE)
_CURL = re.compile(r"curl -X (POST) http://127.0.0.1:8000(\S+) -H .* -d '(.*)'")
FIRST, SECOND, CHOSEN = "seventeen black", "thirty-two red", "zero is green"


def _blocks(language: str) -> list[list[str]]:
    """The lines of each block of that language in the walk."""
    walk = PAGE.read_text("utf-8").partition(_HEADING)[2].partition("\n## ")[0]
    found = re.findall(rf"^```{language}\n(.*?)^```$", walk, re.DOTALL | re.MULTILINE)
    return [each.splitlines() for each in found]


def _ran(folder: Path, command: str, password: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *shlex.split(command)],
        input=f"{password}\n",
        capture_output=True,
        check=False,
        text=True,
        cwd=folder,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, ""), (command, done)
    return done.stdout


@contextmanager
def _served(folder: Path, command: str) -> Iterator[str]:
    """The host and port of the server that a command starts."""
    words = [sys.executable, "-m", *shlex.split(command)]
    with (
        (folder / "log").open("w") as log,
        subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=log, text=True, cwd=folder
        ) as process,
    ):
        assert process.stdout is not None
        told = process.stdout.readline()
        try:
            yield told.strip().rpartition("//")[2]
        finally:
            process.terminate()
            assert process.wait(30) == 0


def _asked(
    host: str, request: str, headers: Mapping[str, str] | None = None
) -> tuple[int, Any]:
    method, path, body = request.split(" ", 2)
    connection = HTTPConnection(host, timeout=30)
    content_type = {"content-type": "application/json"}
    connection.request(method, path, body, {**content_type, **(headers or {})})
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, json.loads(content) if content else None


def test_the_walk_ends_at_the_first_log_on(tmp_path: Path) -> None:
    (tmp_path / "house.toml").write_text(files_of(PAGE)["house.toml"], "utf-8")
    [[create, serve], [station, password, temporary]] = _blocks("sh")
    [[pair, log_on], [choose]] = _blocks("http")

    told = [_ran(tmp_path, create, FIRST), _ran(tmp_path, station, "")]
    [old], [new] = map(_CODE.findall, told)
    assert _ran(tmp_path, password, SECOND) == "the password of Mira is set\n"
    limited = "the password of Dana is set: they choose their own beside a manager\n"
    assert _ran(tmp_path, temporary, FIRST) == limited

    with _served(tmp_path, serve) as host:
        assert _asked(host, pair.replace("CODE", old))[0] == 401
        status, paired = _asked(host, pair.replace("CODE", new))
        assert (status, paired["device"]) == (200, "station 1")
        log_on = log_on.replace("TOKEN", paired["token"])
        assert _asked(host, log_on.replace("PASSWORD", FIRST))[0] == 401
        status, session = _asked(host, log_on.replace("PASSWORD", SECOND))
        assert (status, session["name"]) == (200, "Mira")
        [[curl]] = _blocks("bash")
        invite = _CURL.sub(r"\1 \2 \3", curl)
        mira = {"authorization": f"Bearer {session['token']}"}
        assert _asked(host, invite, mira)[0] == 401
        there = {**mira, "x-device-token": paired["token"]}
        assert _asked(host, invite, there)[0] == 201
        dana = log_on.replace("Mira", "Dana")
        assert _asked(host, dana.replace("PASSWORD", FIRST))[0] == 401
        for word, text in (
            ("TEMPORARY", FIRST),
            ("CHOSEN", CHOSEN),
            ("PASSWORD", SECOND),
            ("TOKEN", paired["token"]),
        ):
            choose = choose.replace(word, text)
        assert _asked(host, choose) == (204, None)
        assert _asked(host, dana.replace("PASSWORD", CHOSEN))[0] == 200


def test_what_could_not_go_on_is_refused_before_there_is_a_journal(
    tmp_path: Path,
) -> None:
    file, journal = tmp_path / "house.toml", tmp_path / "house.db"
    file.write_text(files_of(PAGE)["house.toml"], "utf-8")
    words = ("house", "create", file, "--database", f"sqlite:///{journal}", "--first")

    refused = {
        sentence: run_here(*words, *further, stdin=f"{password}\n".encode())
        for sentence, further, password in (
            ("Dana may not change staff", ("Dana",), FIRST),
            ("Nobody is not on the staff", ("Nobody",), FIRST),
            ("a password has from 10", ("Mira",), "short"),
            ("'mira' looks like 'Mira'", ("Mira", "--station", "mira"), FIRST),
        )
    }

    for sentence, ran in refused.items():
        assert (ran.code, sentence in ran.stderr) == (2, True), ran
    assert not journal.exists()
    assert run_here(*words, "Mira", stdin=FIRST.encode()).code == 0
    again = run_here(*words, "Mira", stdin=FIRST.encode())
    assert (again.code, "a house in this journal already" in again.stderr) == (2, True)
