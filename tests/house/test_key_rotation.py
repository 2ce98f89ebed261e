"""Keys that sign a log: taken, rotated and revoked on record, and followed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.house.records.house_record import HouseRecord, NotDone
from croupier.house.records.key_rotation import (
    check_signing_key,
    revoke_key,
    rotate_key,
    take_first_key,
)
from croupier.house.records.start_check import check_start
from croupier.journal.events.house import ClockChanged
from croupier.journal.findings import table_line
from croupier.journal.log.check import BadCheckpoint, KeyState
from croupier.journal.log.notes import Checkpoint, Note, sign_note
from croupier.journal.log.publishing import publish
from croupier.journal.mirror import Mirror, MirrorBroken, read_part
from croupier.journal.signing_keys import fingerprint, key_id
from croupier.journal.store import Store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import CHECKPOINTS
from croupier.journal.verification import verify

FIRST, SECOND, THIRD, STRANGE = (
    Ed25519PrivateKey.from_private_bytes(bytes([n] * 32)) for n in range(1, 5)
)


def _id(key: Ed25519PrivateKey) -> str:
    return key_id(fingerprint(key.public_key()))


@pytest.fixture
def record(tmp_path: Path) -> Iterator[HouseRecord]:
    """A house that signs with its first key."""
    times = count(1_700_000_000_000)
    with SqliteStore(tmp_path / "house.db") as store:
        record = HouseRecord(store, lambda: next(times))
        take_first_key(record, "house", FIRST)
        yield record


def _sign(record: HouseRecord, key: Ed25519PrivateKey) -> str:
    record.write(ClockChanged(1))
    return publish(record.store, key, record.clock(), "")


def _found(store: Store, *keys: Ed25519PrivateKey) -> list[str]:
    report = verify(store, public_keys=[key.public_key() for key in keys])
    return [table_line(each) for each in report.findings]


def test_who_has_the_first_key_follows_every_rotation(record: HouseRecord) -> None:
    _sign(record, FIRST)
    rotate_key(record, "Mira", SECOND, FIRST)
    _sign(record, SECOND)
    rotate_key(record, "Mira", THIRD, SECOND)
    last = _sign(record, THIRD)

    public = [FIRST.public_key()]
    report = verify(record.store, outside=last, public_keys=public)

    assert report.is_clean
    assert report.proven is not None
    assert report.proven.key == _id(THIRD)
    assert [(use.id, use.state, use.checkpoints) for use in report.keys] == [
        (_id(FIRST), KeyState.REPLACED, 2),
        (_id(SECOND), KeyState.REPLACED, 3),
        (_id(THIRD), KeyState.IN_USE, 2),
    ]


@pytest.mark.parametrize("vouched", [True, False])
def test_a_mirror_follows_a_rotation_that_the_key_before_vouches_for(
    record: HouseRecord, tmp_path: Path, vouched: bool
) -> None:
    _sign(record, FIRST)
    rotate_key(record, "Mira", SECOND, FIRST if vouched else None)
    _sign(record, SECOND)
    with SqliteStore(tmp_path / "copy.db") as copy:
        mirror = Mirror(copy, FIRST.public_key())
        part = read_part(record.store, mirror.place())
        if vouched:
            mirror.take(part)
        else:
            with pytest.raises(MirrorBroken, match="not signed by a key of the house"):
                mirror.take(part)

        assert bool(copy.heads()) == vouched


def test_who_has_a_later_key_alone_does_not_trust_those_before(
    record: HouseRecord,
) -> None:
    _sign(record, FIRST)
    rotate_key(record, "Mira", SECOND, FIRST)

    assert _found(record.store, SECOND) == [
        f"checkpoints {n}: it was signed with another key, {_id(FIRST)}, that no"
        " checkpoint vouches for"
        for n in (1, 2)
    ]


def test_a_rotation_that_no_key_before_vouches_for_is_not_followed(
    record: HouseRecord,
) -> None:
    _sign(record, FIRST)
    rotate_key(record, "Mira", SECOND, None)
    last = _sign(record, SECOND)

    with pytest.raises(BadCheckpoint, match="another key"):
        verify(record.store, outside=last, public_keys=[FIRST.public_key()])
    assert _found(record.store, FIRST, SECOND) == []


def test_a_checkpoint_after_the_revocation_of_its_key_is_no_proof(
    record: HouseRecord,
) -> None:
    before = _sign(record, FIRST)
    rotate_key(record, "Mira", SECOND, FIRST)
    revoke_key(record, "Mira", _id(FIRST), "a copy was lost", SECOND)
    assert _found(record.store, FIRST) == []
    forged = _sign(record, FIRST)

    public = [FIRST.public_key()]
    report = verify(record.store, outside=forged, public_keys=public)
    proven = verify(record.store, outside=before, public_keys=public).proven

    assert [table_line(each) for each in report.findings] == [
        f"checkpoints 5: it was signed with {_id(FIRST)}, a key revoked before: it"
        " is no proof"
    ]
    assert report.proven is None
    assert {use.id: use.state for use in report.keys} == {
        _id(FIRST): KeyState.REVOKED,
        _id(SECOND): KeyState.IN_USE,
    }
    assert proven is not None
    assert proven.size == Checkpoint.read(Note.read(before).text).size


def test_a_revoked_key_can_not_pretend_to_have_signed_before(
    record: HouseRecord,
) -> None:
    """Its checkpoint is of the tree before the revocation, but stands behind it."""
    earlier = Note.read(_sign(record, FIRST)).text
    rotate_key(record, "Mira", SECOND, FIRST)
    revoke_key(record, "Mira", _id(FIRST), "stolen", SECOND)
    store = record.store
    origin = Checkpoint.read(earlier).origin
    forged = Note(earlier, (sign_note(earlier, origin, FIRST),)).whole
    with store.all_or_nothing():
        store.load(CHECKPOINTS, [(forged,)])

    assert any(line.endswith(" it is no proof") for line in _found(store))


def test_the_house_signs_with_the_key_on_record_only(record: HouseRecord) -> None:
    check_signing_key(record.state, FIRST)
    with pytest.raises(NotDone, match="does not sign with the key"):
        check_signing_key(record.state, STRANGE)

    rotate_key(record, "Mira", SECOND, FIRST)
    with pytest.raises(NotDone, match="does not sign with the key"):
        check_signing_key(record.state, FIRST)
    with pytest.raises(NotDone, match="before: make a new one"):
        rotate_key(record, "Mira", FIRST, SECOND)
    with pytest.raises(NotDone, match="its own revocation"):
        revoke_key(record, "Mira", _id(SECOND), "lost", SECOND)
    with pytest.raises(NotDone, match="has no key"):
        revoke_key(record, "Mira", _id(STRANGE), "lost", None)

    revoke_key(record, "Mira", _id(SECOND), "lost", None)
    with pytest.raises(NotDone, match="is revoked"):
        check_signing_key(record.state, SECOND)
    assert record.state.signing_key is None


def test_a_house_does_not_open_on_a_last_checkpoint_of_a_strange_key(
    record: HouseRecord,
) -> None:
    _sign(record, FIRST)
    assert check_start(record.store) == ()

    _sign(record, STRANGE)

    assert [table_line(each) for each in check_start(record.store)] == [
        "checkpoints 2: no key that is known has signed it"
    ]
