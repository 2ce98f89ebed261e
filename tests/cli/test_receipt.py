"""`croupier receipt`: written, checked, and refused where it is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from croupier.journal.log.notes import log_key
from croupier.journal.log.publishing import origin_of, publish
from croupier.journal.signing_keys import public_pem
from croupier.journal.stores.sqlite import SqliteStore
from tests.cli.running import Ran, run_here
from tests.journal.scene import KEY, play


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a signed house and its public key, in a file and in a line."""
    folder = tmp_path_factory.mktemp("receipts")
    with SqliteStore(folder / "house.db") as store:
        play(store)
        publish(store, KEY, 1, "")
        line = log_key(origin_of(store, ""), KEY.public_key()).text
    (folder / "house.key.pub").write_text(public_pem(KEY.public_key()))
    (folder / "line").write_text(line)
    return folder


def _receipt(*words: str | Path) -> Ran:
    return run_here("receipt", *words)


def _written(house: Path, number: int = 1) -> Path:
    file = house / f"{number}.receipt"
    where = ("--table", "t1", "--round", str(number), "--seat", "Anna")
    ran = _receipt("write", house / "house.db", *where, "-o", file)
    assert (ran.code, ran.stderr) == (0, f"wrote {file}\n")
    return file


def test_a_receipt_is_written_and_checked(house: Path) -> None:
    file = _written(house)

    for key in (house / "house.key.pub", (house / "line").read_text()):
        ran = _receipt("verify", file, "--key", key)

        assert ran.code == 0, ran
        assert [line.split()[0] for line in ran.stdout.splitlines()] == [
            *("ok", "ok", "none", "ok", "ok")
        ]


def test_what_does_not_hold_is_named_and_the_exit_status_is_1(house: Path) -> None:
    file = _written(house, 2)
    receipt = json.loads(file.read_text())
    receipt["salt"] = "00" * 32
    file.write_text(json.dumps(receipt))

    ran = _receipt("verify", file, "--key", house / "house.key.pub")
    told = _receipt("verify", file, "--key", house / "house.key.pub", "--json")

    assert ran.code == told.code == 1
    assert "failed  the round stands by this seat's wagers: " in ran.stdout
    checks = json.loads(told.stdout)
    assert {name for name, problem in checks.items() if problem} == {"seat"}


def test_a_round_without_a_wager_of_the_seat_has_no_receipt(house: Path) -> None:
    words = ("--table", "t1", "--round", "1", "--seat", "Nemo")
    ran = _receipt("write", house / "house.db", *words)

    assert (ran.code, ran.stdout) == (2, "")
    assert "had no wager in round 1" in ran.stderr


def test_the_page_has_the_keys_that_are_named(house: Path) -> None:
    line, file = (house / "line").read_text(), house / "verify.html"

    ran = _receipt("page", "-o", file, "--key", line)

    assert (ran.code, ran.stderr) == (0, f"wrote {file}\n")
    assert f'const KEYS = ["{line}"];' in file.read_text()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--key", "nonsense"), "this is no key of a note"),
        ((), "is checked with the --key of its house"),
    ],
)
def test_a_key_is_wanted(house: Path, words: tuple[str, ...], said: str) -> None:
    ran = _receipt("verify", _written(house), *words)

    assert (ran.code, ran.stdout) == (2, "")
    assert said in ran.stderr


def test_a_file_that_is_no_receipt_is_refused(house: Path) -> None:
    ran = _receipt("verify", house / "house.key.pub", "--key", house / "house.key.pub")

    assert ran.code == 2
    assert "this is no receipt" in ran.stderr
