"""A house of which there are two copies: one of them is the house, and says so."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.journal.log.check import read_checkpoints
from croupier.journal.log.publishing import publish
from croupier.journal.stores import open_store
from croupier.journal.tables import EVENTS, EventRow
from tests.cli.running import run_here
from tests.faults.conftest import DATABASES, Houses, copy_database
from tests.faults.floor import in_round
from tests.faults.house_process import HouseProcess
from tests.journal import tampering as tamper


@dataclass
class _Signed:
    """A house that signs its log, and the file that its checkpoints go to."""

    house: HouseProcess
    key: Path
    checkpoints: Path

    def options(self, checkpoints: Path | None = None) -> list[str]:
        words = ["--signing-key", str(self.key), "--checkpoints-every", "0.01"]
        return [*words, "--checkpoints-to", str(checkpoints or self.checkpoints)]

    def play(
        self, house: HouseProcess | None = None, checkpoints: Path | None = None
    ) -> None:
        """Serve a copy for a round."""
        served = house or self.house
        served.start(*self.options(checkpoints))
        floor = in_round(served)
        floor.finish("17")
        assert served.terminate() == 0


@pytest.fixture(params=DATABASES)
def signed(request: pytest.FixtureRequest, houses: Houses, tmp_path: Path) -> _Signed:
    house = houses.new(request.param, tmp_path / "first")
    assert run_here("journal", "key", tmp_path / "house.key").code == 0
    return _Signed(house, tmp_path / "house.key", tmp_path / "house.checkpoints")


def _restored(
    signed: _Signed, houses: Houses, folder: Path, backup: Path
) -> HouseProcess:
    """A new database, filled from a backup."""
    kind = "sqlite" if signed.house.url.startswith("sqlite") else "postgresql"
    copy = houses.new(kind, folder, is_seeded=False)
    source = copy.url.removeprefix("sqlite:///")
    assert run_here("journal", "restore", backup, source).code == 0
    return copy


def _backup(signed: _Signed, file: Path) -> Path:
    source = signed.house.url.removeprefix("sqlite:///")
    assert run_here("journal", "backup", source, file).code == 0
    return file


def _make_house(copy: HouseProcess, *options: str | Path) -> str:
    """Make a copy the house; its incarnation."""
    words = ("--by", "Mira", "--why", "the disk was lost", "--database", copy.url)
    ran = run_here("house", "restore", *words, *options)
    assert ran.code == 0, ran.stderr
    return ran.stdout


def test_a_restored_copy_takes_the_place_of_the_house(
    signed: _Signed, houses: Houses, tmp_path: Path
) -> None:
    signed.play()
    backup = _backup(signed, tmp_path / "backup.db")
    signed.play()
    copy = _restored(signed, houses, tmp_path / "second", backup)

    said = copy.refused(*signed.options())
    assert "croupier house restore makes it the house" in said
    told = _make_house(
        copy, "--retires", signed.house.url, "--checkpoints-from", signed.checkpoints
    )

    assert "and its log lacks " in told
    signed.play(copy)
    said = signed.house.refused()
    assert said.startswith("another copy of this journal is the house now, as ")
    [restored] = [e for e in copy.export() if e.get("kind") == "HouseRestored"]
    body = json.loads(restored["body"])
    assert (body["by"], body["why"]) == ("Mira", "the disk was lost")
    assert body["missing"] > 0
    last = read_checkpoints(signed.checkpoints.read_text())[-1]
    assert last.checkpoint.incarnation == body["incarnation"] != ""
    source = copy.url.removeprefix("sqlite:///")
    ran = run_here("journal", "verify", source, "--checkpoint", signed.checkpoints)
    assert ran.code == 0, ran.stdout
    assert "from before the house was restored" in ran.stdout


def test_a_house_that_was_not_reached_does_not_start_beside_the_copy(
    signed: _Signed, houses: Houses, tmp_path: Path
) -> None:
    signed.play()
    backup = _backup(signed, tmp_path / "backup.db")
    copy = _restored(signed, houses, tmp_path / "second", backup)
    _make_house(copy)
    signed.play(copy)

    said = signed.house.refused(*signed.options())
    assert "another copy of this journal was restored" in said

    # Its checkpoints go elsewhere, and a copy of the others is named.
    elsewhere = str(tmp_path / "elsewhere.checkpoints")
    said = signed.house.refused(
        *("--signing-key", str(signed.key), "--checkpoints-to", elsewhere),
        *("--checkpoints-from", str(signed.checkpoints)),
    )
    assert "another copy of this journal was restored" in said


def test_a_former_copy_that_goes_on_signing_is_noticed(
    signed: _Signed, houses: Houses, tmp_path: Path
) -> None:
    signed.play()
    backup = _backup(signed, tmp_path / "backup.db")
    copy = _restored(signed, houses, tmp_path / "second", backup)
    _make_house(copy)
    signed.play(copy)
    before = signed.checkpoints.read_text()

    signed.play(checkpoints=tmp_path / "elsewhere.checkpoints")  # it was never told
    last = f"{read_checkpoints(before)[-1].whole}\n"
    others = (tmp_path / "elsewhere.checkpoints").read_text()
    signed.checkpoints.write_text(before + others + last)  # as if both ran side by side

    said = copy.refused(*signed.options())
    assert "a former copy of this house has signed checkpoints since" in said
    _make_house(copy, "--checkpoints-from", signed.checkpoints)
    signed.play(copy)


def test_an_older_copy_of_the_file_does_not_start(
    houses: Houses, tmp_path: Path
) -> None:
    house = houses.new("sqlite", tmp_path / "first")
    assert run_here("journal", "key", tmp_path / "house.key").code == 0
    signed = _Signed(house, tmp_path / "house.key", tmp_path / "house.checkpoints")
    signed.play()
    copy = houses.new("sqlite", tmp_path / "second", is_seeded=False)
    copy_database(house.folder / "house.db", copy.folder / "house.db")
    signed.play()

    said = copy.refused(*signed.options())

    assert said.startswith("this journal is older than the house: ")
    assert "croupier house restore" in said
    with signed.checkpoints.open("a") as file:
        file.write("house-1\n12\n")  # power was lost in its middle
    signed.play()
    assert read_checkpoints(signed.checkpoints.read_text())


def test_an_edited_outcome_is_found_by_the_checkpoints_that_left_the_house(
    signed: _Signed,
) -> None:
    signed.play()
    with open_store(signed.house.url) as store, store.all_or_nothing():
        for row in tamper.rows(store, EVENTS):
            event = EventRow(*row)
            if event.kind == "OutcomeAnnounced":
                tamper.change(store, EVENTS, row, body=event.body.replace("17", "18"))
        tamper.write_anew(store, "triple")
        tamper.forget_log(store)
    stranger = Ed25519PrivateKey.generate()
    with open_store(signed.house.url) as store:
        last = read_checkpoints(signed.checkpoints.read_text())[-1].checkpoint
        while store.log_size() < last.size:
            publish(store, stranger, 1, "")

    said = signed.house.refused(*signed.options())

    assert "this journal is not what the house has signed: " in said
    assert "it was edited, or another copy was served" in said


def test_a_new_house_does_not_take_the_checkpoints_of_another(
    signed: _Signed, houses: Houses, tmp_path: Path
) -> None:
    signed.play()
    other = houses.new("sqlite", tmp_path / "second", is_seeded=False)

    said = other.refused("--create", *signed.options())

    assert "has the checkpoints of another house" in said


def test_only_a_copy_of_the_same_house_is_retired(
    signed: _Signed, houses: Houses, tmp_path: Path
) -> None:
    other = houses.new("sqlite", tmp_path / "second", is_seeded=False)
    other.start("--create")
    assert other.terminate() == 0

    words = ("--by", "Mira", "--why", "x", "--database", signed.house.url)
    ran = run_here("house", "restore", *words, "--retires", other.url)

    assert (ran.code, ran.stderr.count("\n")) == (2, 1)
    assert "holds another house" in ran.stderr
    other.start()
