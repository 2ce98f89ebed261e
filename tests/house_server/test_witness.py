"""A served house asks a witness, and reports a missing quorum."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from croupier.journal.log.notes import Note, VerifierKey
from tests.cli.running import run_here
from tests.house_server.server import new_database, prepare_house
from tests.waiting import wait_for


@contextmanager
def _witness(folder: Path, port: int, *logs: str) -> Iterator[tuple[VerifierKey, str]]:
    words = [word for log in logs for word in ("--log", log)]
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "croupier", "witness", folder / "witness.json"),
            *("--key", folder / "witness.key", "--name", "regulator.example/w1"),
            *("--port", str(port), *words),
        ],
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONUNBUFFERED": "1", "PYTHONPATH": ":".join(sys.path)},
    )
    try:
        assert process.stdout is not None
        _, _, key, _, _, address = process.stdout.readline().split()
        yield VerifierKey.read(key), address
    finally:
        process.terminate()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()


def test_a_witness_signs_the_checkpoints_of_a_house(tmp_path: Path) -> None:
    for name in ("house.key", "witness.key"):
        assert run_here("journal", "key", tmp_path / name).code == 0
    house = prepare_house(new_database("sqlite", tmp_path), tmp_path)
    signing = ("--signing-key", str(tmp_path / "house.key"), "--public-log")
    house.start(*signing)
    assert house.end() == 0
    told = run_here("journal", "keys", tmp_path / "house.db", "--json").stdout
    log_key = json.loads(told)["keys"][0]["verifier_key"]

    with _witness(tmp_path, 0, log_key) as (key, address):
        house.start(*signing, "--witness", key.text, address)
        note = _signed_by(key, house.address)
        ready = house.ask("GET", "/ready")
    house.ask("POST", "/api/gaming-day/close?early=true", {}, by="Mira")
    wait_for(lambda: house.ask("GET", "/ready").get("witnesses_missing") == 1, 30)
    assert house.end() == 0

    assert VerifierKey.read(log_key).has_signed(note)
    assert ready["witnesses_missing"] == 0


def _signed_by(key: VerifierKey, address: str) -> Note:
    def signed() -> Note | None:
        with urlopen(f"{address}/log/checkpoint") as answer:
            note = Note.read(answer.read().decode())
        return note if key.has_signed(note) else None

    wait_for(signed, 30)
    note = signed()
    assert note is not None
    return note
