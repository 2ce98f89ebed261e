"""A house of which there are two copies: one of them is the house, and says so."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from croupier.journal.heads import read_heads
from croupier.journal.stores import open_store
from croupier.journal.tables import EVENTS, PUBLISHED_HEADS, EventRow
from tests.cli.running import run_here
from tests.faults.conftest import DATABASES, Houses, copy_database
from tests.faults.floor import Floor
from tests.faults.house_process import HouseProcess
from tests.faults.record import OutsideRecord
from tests.journal import tampering as tamper


@dataclass
class _Signed:
    """A house that signs its heads, and the file that they leave it for."""

    house: HouseProcess
    key: Path
    heads: Path

    def options(self, heads: Path | None = None) -> list[str]:
        words = ["--signing-key", str(self.key), "--heads-every", "0.01"]
        return [*words, "--heads-to", str(heads or self.heads)]

    def play(
        self, house: HouseProcess | None = None, heads: Path | None = None
    ) -> None:
        """Serve a copy for a round."""
        served = house or self.house
        served.start(*self.options(heads))
        floor = Floor(served, "triple", OutsideRecord(), seats=1)
        floor.open_round()
        floor.all_answered(floor.lay("straight_up:17"))
        floor.finish("17")
        assert served.stop() == 0


@pytest.fixture(params=DATABASES)
def signed(request: pytest.FixtureRequest, houses: Houses, tmp_path: Path) -> _Signed:
    house = houses.new(request.param, tmp_path / "first")
    assert run_here("journal", "key", tmp_path / "house.key").code == 0
    return _Signed(house, tmp_path / "house.key", tmp_path / "house.heads")


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
        copy, "--retires", signed.house.url, "--heads-from", signed.heads
    )

    assert "and lacks " in told
    signed.play(copy)
    said = signed.house.refused()
    assert said.startswith("another copy of this journal is the house now, as ")
    [restored] = [e for e in copy.export() if e.get("kind") == "HouseRestored"]
    body = json.loads(restored["body"])
    assert (body["by"], body["why"]) == ("Mira", "the disk was lost")
    assert body["missing"] > 0
    last = read_heads(signed.heads.read_text())[-1]
    assert last.incarnation == body["incarnation"] != ""
    source = copy.url.removeprefix("sqlite:///")
    ran = run_here("journal", "verify", source, "--head", signed.heads)
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

    # Its heads go elsewhere, and a copy of the others is named.
    elsewhere = str(tmp_path / "elsewhere.heads")
    said = signed.house.refused(
        *("--signing-key", str(signed.key), "--heads-to", elsewhere),
        *("--heads-from", str(signed.heads)),
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
    before = signed.heads.read_text()

    signed.play(heads=tmp_path / "elsewhere.heads")  # it was never told
    last = before.splitlines(keepends=True)[-1]
    others = (tmp_path / "elsewhere.heads").read_text()
    signed.heads.write_text(before + others + last)  # as if both ran side by side

    said = copy.refused(*signed.options())
    assert "a former copy of this house has signed heads since" in said
    _make_house(copy, "--heads-from", signed.heads)
    signed.play(copy)


def test_an_older_copy_of_the_file_does_not_start(
    houses: Houses, tmp_path: Path
) -> None:
    house = houses.new("sqlite", tmp_path / "first")
    assert run_here("journal", "key", tmp_path / "house.key").code == 0
    signed = _Signed(house, tmp_path / "house.key", tmp_path / "house.heads")
    signed.play()
    copy = houses.new("sqlite", tmp_path / "second", is_seeded=False)
    copy_database(house.folder / "house.db", copy.folder / "house.db")
    signed.play()

    said = copy.refused(*signed.options())

    assert said.startswith("this journal is older than the house: ")
    assert "croupier house restore" in said
    with signed.heads.open("a") as file:
        file.write('{"croupier_head":1,"at_ms":')  # power was lost in its middle
    signed.play()
    assert read_heads(signed.heads.read_text())


def test_an_edited_outcome_is_found_by_the_heads_that_left_the_house(
    signed: _Signed,
) -> None:
    signed.play()
    with open_store(signed.house.url) as store, store.all_or_nothing():
        for row in tamper.rows(store, EVENTS):
            event = EventRow(*row)
            if event.kind == "OutcomeAnnounced":
                tamper.change(store, EVENTS, row, body=event.body.replace("17", "18"))
        tamper.write_anew(store, "triple")
        for row in tamper.rows(store, PUBLISHED_HEADS):
            tamper.delete(store, PUBLISHED_HEADS, row)

    said = signed.house.refused(*signed.options())

    assert "this journal is not what the house has signed: " in said
    assert " of triple; it was edited" in said


def test_a_new_house_does_not_take_the_heads_of_another(
    signed: _Signed, houses: Houses, tmp_path: Path
) -> None:
    signed.play()
    other = houses.new("sqlite", tmp_path / "second", is_seeded=False)

    said = other.refused("--create", *signed.options())

    assert "has the heads of another house" in said


def test_only_a_copy_of_the_same_house_is_retired(
    signed: _Signed, houses: Houses, tmp_path: Path
) -> None:
    other = houses.new("sqlite", tmp_path / "second", is_seeded=False)
    other.start("--create")
    assert other.stop() == 0

    words = ("--by", "Mira", "--why", "x", "--database", signed.house.url)
    ran = run_here("house", "restore", *words, "--retires", other.url)

    assert (ran.code, ran.stderr.count("\n")) == (2, 1)
    assert "holds another house" in ran.stderr
    other.start()
