"""Signed heads leave a real house, and prove its journal up to themselves."""

from __future__ import annotations

import json
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from stat import S_IMODE
from threading import Thread
from typing import Any

import apsw
import pytest

from croupier.journal.heads import read_heads
from tests.house_server.server import House, new_database, prepare_house
from tests.waiting import wait_for


class _Takes(BaseHTTPRequestHandler):
    """Keeps what is posted, once it has been asked in vain."""

    taken: list[str]
    is_down = True

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        kind = type(self)
        if kind.is_down:
            kind.is_down = False
            self.send_error(503)
            return
        kind.taken += body.splitlines()
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Write nothing to standard error."""


def _croupier(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "croupier", *words],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> tuple[House, Path]:
    """A house that hands its heads to a file and to an address; and that file."""
    folder = tmp_path_factory.mktemp("heads")
    assert _croupier("journal", "key", str(folder / "house.key")).returncode == 0
    house = prepare_house(new_database("sqlite", folder), folder)
    _Takes.taken = []
    server = HTTPServer(("127.0.0.1", 0), _Takes)
    Thread(target=server.serve_forever, daemon=True).start()
    heads = folder / "outside.heads"
    house.start(
        *("--signing-key", str(folder / "house.key"), "--heads-every", "0.01"),
        *("--heads-to", str(heads)),
        *("--heads-to", f"http://127.0.0.1:{server.server_port}/heads"),
    )
    house.buy_in("v3", "Anna-v3")
    wait_for(lambda: heads.exists() and len(heads.read_text().splitlines()) > 1)
    before = len(heads.read_text().splitlines())
    house.ask("POST", "/api/gaming-day/close?early=true", {}, by="Mira")
    wait_for(lambda: len(heads.read_text().splitlines()) > before)
    assert house.end() == 0
    server.shutdown()
    server.server_close()
    return house, heads


def test_heads_are_handed_out_and_their_file_is_its_owners(
    served: tuple[House, Path],
) -> None:
    house, file = served
    heads = read_heads(file.read_text())
    sequences = [
        {e.stream: e.sequence for e in head.streams}["house"] for head in heads
    ]

    assert len(heads) > 2
    assert sequences == sorted(sequences)
    assert sequences[-1] == house.head("house")  # the last one, at the stop
    assert S_IMODE(file.stat().st_mode) == 0o600


def test_an_address_that_was_down_gets_them_all_later(
    served: tuple[House, Path],
) -> None:
    _, file = served

    assert not _Takes.is_down
    assert _Takes.taken == file.read_text().splitlines()


def test_they_say_up_to_where_the_journal_is_proven(served: tuple[House, Path]) -> None:
    house, file = served
    key = str(house.folder / "house.key.pub")
    words = ("journal", "verify", house.url, "--head", str(file), "--public-key", key)

    told = _croupier(*words)
    shown = json.loads(_croupier(*words, "--json").stdout)

    assert told.returncode == 0, told.stdout
    assert "proven by a head from outside, of 20" in told.stdout
    assert shown["proven"]["streams"]["house"] == house.head("house")


def test_a_journal_that_was_cut_short_is_found_by_any_of_them(
    served: tuple[House, Path], tmp_path: Path
) -> None:
    house, file = served
    copy = tmp_path / "copy.db"
    assert _croupier("journal", "backup", house.url, str(copy)).returncode == 0
    with apsw.Connection(str(copy)) as database:
        database.execute("DELETE FROM published_heads WHERE number > 1")
    words = ("journal", "verify", str(copy))

    assert _croupier(*words).returncode == 0
    assert _croupier(*words, "--head", str(file)).returncode == 1


def test_a_line_that_is_no_head_is_named(
    served: tuple[House, Path], tmp_path: Path
) -> None:
    house, file = served
    bad = tmp_path / "bad.heads"
    bad.write_text(file.read_text() + "{}\n")

    told = _croupier("journal", "verify", house.url, "--head", str(bad))

    assert told.returncode == 2
    assert f"line {len(file.read_text().splitlines()) + 1}: " in told.stderr


def test_heads_need_a_key() -> None:
    told = _croupier("serve", "--demonstration", "--heads-to", "-")

    assert told.returncode == 2
    assert "--heads-to needs a --signing-key" in told.stderr
