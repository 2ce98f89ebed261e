"""A mirror follows a house in play, and reports another house in its place."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from croupier.journal.stores import open_store
from croupier.journal.verification import verify
from tests.cli.running import run_here
from tests.house_server.conftest import DATABASES
from tests.house_server.server import House, new_database, prepare_house
from tests.waiting import wait_for

BEHIND_S = 2.0


@pytest.fixture(params=DATABASES)
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    """A house with a signing key, and a mirror that may be paired."""
    run_here("journal", "key", tmp_path / "house.key")
    house = prepare_house(new_database(request.param, tmp_path), tmp_path)
    yield house
    if house.process is not None:
        assert house.end() == 0


def _start(house: House, folder: Path) -> str:
    """Serve the house; return the pairing code of its mirror."""
    told = run_here(
        "house", "mirror", "regulator", "--by", "Mira", "--database", house.url
    )
    house.start("--signing-key", str(folder / "house.key"))
    return told.stdout.split()[-1]


@contextmanager
def _mirror(
    house: House,
    folder: Path,
    *options: str,
    copy: str = "copy.db",
    key: str = "house.key.pub",
) -> Iterator[subprocess.Popen[str]]:
    with (folder / "said").open("a") as said:
        process = subprocess.Popen(
            [
                *(sys.executable, "-m", "croupier", "mirror", house.address),
                *(folder / copy, "--public-key", folder / key),
                *("--device-token-file", folder / "token", "--every", "0.2"),
                *("--audit-every", "0.05", *options),
            ],
            stdout=said,
            stderr=subprocess.STDOUT,
            text=True,
            env={"PYTHONUNBUFFERED": "1", "PYTHONPATH": ":".join(sys.path)},
        )
        try:
            yield process
        finally:
            process.terminate()
            process.wait()


def _ends(url: str) -> dict[str, int]:
    with open_store(url) as store:
        return {head.stream: head.sequence for head in store.heads()}


def _has(copy: str, ends: dict[str, int]) -> bool:
    """Return whether the copy has all events up to these ends."""
    there = _ends(copy)
    return all(there.get(stream, 0) >= end for stream, end in ends.items())


def test_it_is_at_most_two_seconds_behind_in_play_and_its_audits_are_clean(
    house: House, tmp_path: Path
) -> None:
    code, said = _start(house, tmp_path), tmp_path / "said"
    copy = f"sqlite:{tmp_path / 'copy.db'}"

    with _mirror(house, tmp_path, "--pair", code):
        wait_for(lambda: said.exists() and "the copy has" in said.read_text(), 60)
        for _ in range(10):
            house.buy_in("v3", "Anna-v3")
            ends, begun = _ends(house.url), time.monotonic()
            wait_for(lambda: _has(copy, ends))  # noqa: B023
            assert time.monotonic() - begun <= BEHIND_S
        wait_for(lambda: said.read_text().count("audited: clean") > 1, 60)

    with open_store(copy) as store:
        report = verify(store)
    assert report.findings == ()
    assert report.checked["checkpoints"] > 0
    assert not re.search("croupier:", said.read_text())


def test_it_goes_on_where_it_stopped_and_takes_nothing_that_another_signed(
    house: House, tmp_path: Path
) -> None:
    code, said = _start(house, tmp_path), tmp_path / "said"
    copy = f"sqlite:{tmp_path / 'copy.db'}"
    with _mirror(house, tmp_path, "--pair", code):
        wait_for(lambda: said.exists() and "the copy has" in said.read_text(), 60)
    house.buy_in("v3", "Anna-v3")
    ends = _ends(house.url)
    with _mirror(house, tmp_path):
        wait_for(lambda: _has(copy, ends), 60)

    run_here("journal", "key", tmp_path / "other.key")
    with _mirror(house, tmp_path, copy="new.db", key="other.key.pub") as process:
        assert process.wait(60) == 1

    assert "was not signed by a key of the house" in said.read_text()


def test_a_device_of_another_kind_and_a_revoked_mirror_read_nothing(
    house: House, tmp_path: Path
) -> None:
    code = _start(house, tmp_path)
    place = {"streams": {}, "log_size": 0, "checkpoints": 0}
    mirror = house.ask("POST", "/api/pair", {"code": code})["token"]

    def status(token: str) -> int:
        return house.http("POST", "/api/journal/part", place, token=token).status

    allowed = status(mirror)
    terminal = status(house.devices["Anna-v3"])
    for wrong in ({"log_size": -1}, {"checkpoints": 10**30}, {"streams": {"v3": -1}}):
        answer = house.http("POST", "/api/journal/part", place | wrong, token=mirror)
        assert answer.status == 400, wrong
    asked = {"name": "another", "kind": "mirror", "table": None}
    invited = house.http("POST", "/api/devices", asked, token=house.session("Mira"))
    house.ask("DELETE", "/api/devices/regulator", by="Mira")

    assert (allowed, terminal, invited.status) == (200, 403, 409)
    assert invited.json["error"] == (
        "a mirror is paired at the machine: croupier house mirror"
    )
    assert status(mirror) == 401
