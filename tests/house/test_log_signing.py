"""The log of a house while it is open: signed, kept in files, shown to witnesses."""

from __future__ import annotations

from pathlib import Path
from stat import S_IMODE

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.house.records.log_signing import (
    WitnessPlace,
    WitnessRefused,
    append_checkpoint,
    ask_witness,
    read_latest_checkpoints,
)
from croupier.journal.log.check import BadCheckpoint
from croupier.journal.log.notes import Note, log_key, witness_key
from croupier.journal.log.publishing import origin_of, publish
from croupier.journal.log.witness import Witness
from tests.journal.scene import KEY, Clock, Driver
from tests.robustness.stores import MemoryStore

WITNESS = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
NAME = "regulator.example/w1"


def _published(count: int) -> list[str]:
    store = MemoryStore()
    return [publish(store, KEY, turn, "") for turn in range(count)]


def test_checkpoints_in_a_file_are_read_in_order(tmp_path: Path) -> None:
    file, signed = tmp_path / "house.checkpoints", _published(3)
    assert read_latest_checkpoints(file) == []
    for whole in signed:
        append_checkpoint(file, whole)

    assert [each.whole for each in read_latest_checkpoints(file)] == signed
    assert S_IMODE(file.stat().st_mode) == 0o600


def test_a_checkpoint_that_was_written_by_hand_is_read(tmp_path: Path) -> None:
    """`croupier journal checkpoint --output` puts no empty line after it."""
    file, [first, second] = tmp_path / "today.checkpoint", _published(2)
    file.write_text(first)

    assert [each.whole for each in read_latest_checkpoints(file)] == [first]
    append_checkpoint(file, second)
    assert [each.whole for each in read_latest_checkpoints(file)] == [first, second]


def test_a_checkpoint_that_was_left_unfinished_is_none_and_goes(tmp_path: Path) -> None:
    file, (first, second) = tmp_path / "house.checkpoints", _published(2)
    append_checkpoint(file, first)
    for length in range(1, len(second) + 1, 7):
        with file.open("a") as unfinished:
            unfinished.write(second[:length])

        assert [e.whole for e in read_latest_checkpoints(file)] == [first]
        append_checkpoint(file, second)
        assert [e.whole for e in read_latest_checkpoints(file)] == [first, second]
        file.write_text(f"{first}\n")


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "house.checkpoints"
    file.write_text("no checkpoint\n\n— at all\n\n")

    with pytest.raises(BadCheckpoint, match=r"house\.checkpoints"):
        read_latest_checkpoints(file)


def test_a_witness_that_knows_more_or_other_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two copies of one house ask the same witness: the second one is refused."""
    house, copy = MemoryStore(), MemoryStore()
    for store in (house, copy):
        Driver(store, "t1", Clock()).round("17")
    key = log_key(origin_of(house, ""), KEY.public_key())
    witness = Witness(tmp_path / "state", NAME, WITNESS, [key], lambda: 1)

    def post(_: str, text: str) -> tuple[int, str]:
        answer = witness.add_checkpoint(text)
        return answer.status, answer.text

    monkeypatch.setattr("croupier.house.records.log_signing._post", post)
    place = WitnessPlace(witness_key(NAME, WITNESS.public_key()), "http://witness")
    first = Note.read(publish(house, KEY, 1, ""))
    line, size = ask_witness(house, place, first, 0)
    assert place.key.has_signed(first.with_signatures([line]))
    assert size == 2

    other = Note.read(publish(copy, KEY, 2, ""))
    with pytest.raises(WitnessRefused, match="another log of 2 entries"):
        ask_witness(copy, place, other, 0)
    second = Note.read(publish(house, KEY, 3, ""))
    assert ask_witness(house, place, second, 0)[1] == 3
    with pytest.raises(WitnessRefused, match="another copy of the house signs too"):
        ask_witness(copy, place, other, 0)
    witness.close()
