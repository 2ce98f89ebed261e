"""A mirror's copy equals the journal, and another history can't change it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.journal import mirror as mirrored
from croupier.journal.log.publishing import publish
from croupier.journal.mirror import JournalPart, Mirror, MirrorBroken, read_part
from croupier.journal.store import Store
from croupier.journal.stores.sqlite import SqliteStore
from croupier.journal.tables import EVENTS, VOUCHERS
from croupier.journal.verification import verify
from tests.journal import tampering as tamper
from tests.journal.scene import KEY, Clock, Driver, play

PUBLIC = KEY.public_key()


@pytest.fixture
def copy(tmp_path: Path) -> Iterator[SqliteStore]:
    with SqliteStore(tmp_path / "copy.db") as opened:
        yield opened


def _sent(store: Store, mirror: Mirror) -> JournalPart:
    """Return the next part as it comes over the wire."""
    part = read_part(store, mirror.place())
    return msgspec.json.decode(msgspec.json.encode(part), type=JournalPart)


def _follow(store: Store, mirror: Mirror) -> int:
    """Take all parts; return their number."""
    taken = 0
    while True:
        part = _sent(store, mirror)
        mirror.take(part)
        taken += 1
        if not part.has_more:
            return taken


@pytest.mark.parametrize("most", [1, 7, 2_000])
def test_the_copy_is_the_journal_for_any_size_of_parts(
    store: Store, copy: SqliteStore, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mirrored, "_MOST_EVENTS", most)
    play(store)
    mirror = Mirror(copy, PUBLIC)

    taken = _follow(store, mirror)

    assert (taken > 1) == (most < 2_000)
    assert verify(copy, public_keys=[KEY.public_key()]).findings == ()
    with_claim = tamper.content(store)
    for name, rows in tamper.content(copy).items():
        if name == VOUCHERS.name:  # a claim is no event: no mirror has it
            assert len(rows) == len(with_claim[name])
        else:
            assert rows == with_claim[name], name


def test_new_events_follow_and_another_mirror_goes_on_with_the_copy(
    store: Store, copy: SqliteStore
) -> None:
    play(store)
    _follow(store, Mirror(copy, PUBLIC))
    driver = Driver(store, "t3", Clock())
    driver.round("17", ("17", 1_000))
    publish(store, KEY, Clock()(), "")

    _follow(store, Mirror(copy, PUBLIC))

    assert verify(copy).findings == ()
    assert copy.heads() == store.heads()
    assert copy.checkpoints(0) == store.checkpoints(0)


def test_an_outcome_edited_with_all_hashes_made_again_is_noticed(
    store: Store, copy: SqliteStore
) -> None:
    play(store)
    _follow(store, Mirror(copy, PUBLIC))
    before = tamper.content(copy)
    edited = next(r for r in tamper.rows(store, EVENTS) if r[8] == "OutcomeAnnounced")

    with store.all_or_nothing():
        tamper.change(store, EVENTS, edited, body=edited[9].replace('"17"', '"18"'))
        tamper.write_anew(store, edited[0])
        tamper.forget_log(store)
    with pytest.raises(MirrorBroken, match="no checkpoint any more"):
        _follow(store, Mirror(copy, PUBLIC))
    publish(store, KEY, Clock()(), "")
    with pytest.raises(MirrorBroken, match="another history"):
        _follow(store, Mirror(copy, PUBLIC))

    assert tamper.content(copy) == before


def test_a_checkpoint_of_another_key_or_history_is_not_taken(
    store: Store, copy: SqliteStore
) -> None:
    play(store)
    other = Ed25519PrivateKey.generate().public_key()
    part = read_part(store, Mirror(copy, PUBLIC).place())
    forked = msgspec.structs.replace(part, log=[*reversed(part.log)])
    shorter = msgspec.structs.replace(part, log=part.log[:-1])

    for key, sent, said in (
        (other, part, "not signed by a key of the house"),
        (PUBLIC, forked, "the log goes on at"),
        (PUBLIC, shorter, "another history"),
    ):
        with pytest.raises(MirrorBroken, match=said):
            Mirror(copy, key).take(sent)

    assert copy.heads() == []


def test_an_event_that_was_appended_by_hand_is_not_taken(
    store: Store, copy: SqliteStore
) -> None:
    play(store)
    part = read_part(store, Mirror(copy, PUBLIC).place())
    [stream] = [each for each in part.streams if each.events[0].stream == "t1"]
    forged = stream.events[-1]._replace(
        sequence=stream.events[-1].sequence + 1, body=stream.events[3].body
    )
    stream.events.append(forged)

    with pytest.raises(MirrorBroken, match="its hash does not follow"):
        Mirror(copy, PUBLIC).take(part)

    assert copy.heads() == []
