"""Signed heads and the keys that sign them."""

from __future__ import annotations

import json
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest
from cryptography.hazmat.primitives import serialization as pem
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from croupier.journal.heads import (
    BadHead,
    digest,
    house_head,
    publish,
    read_head,
    sign,
)
from croupier.journal.signing_keys import (
    BadKey,
    fingerprint,
    key_id,
    make_key,
    public_pem,
    read_private_key,
    read_public_key,
)
from croupier.journal.store import JournalError, Store
from croupier.journal.stores import open_store
from croupier.journal.tables import GENESIS, HeadRow
from croupier.journal.verification import verify
from tests.journal.scene import KEY, Clock, Driver
from tests.journal.stored import published_heads

OTHER = Ed25519PrivateKey.from_private_bytes(bytes(reversed(range(32))))
HEADS = [HeadRow("t2", 7, "b" * 64), HeadRow("t1", 40, "a" * 64)]


def signed() -> str:
    return sign(KEY, HEADS, previous=GENESIS, at_ms=1_700_000_000_000)


def test_a_head_names_the_end_of_every_stream() -> None:
    head = read_head(signed())

    assert head.streams == tuple(sorted(HEADS))
    assert head.house_head == house_head(HEADS)
    assert (head.previous, head.at_ms) == (GENESIS, 1_700_000_000_000)
    assert head.public_key == fingerprint(KEY.public_key())
    assert head.key == key_id(head.public_key)


def test_a_head_is_one_line_of_json() -> None:
    text = signed()

    assert "\n" not in text
    assert json.loads(text)["streams"] == [["t1", 40, "a" * 64], ["t2", 7, "b" * 64]]


def test_a_head_read_from_a_file_may_end_with_a_line_break() -> None:
    assert read_head(f"{signed()}\n") == read_head(signed())


@pytest.mark.parametrize("place", range(0, len(signed()), 5))
def test_a_head_with_any_other_character_is_refused(place: int) -> None:
    text = signed()
    other = "1" if text[place] != "1" else "2"

    with pytest.raises(BadHead):
        read_head(text[:place] + other + text[place + 1 :])


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{}",
        "null",
        signed()[:-1],
        signed() + " ",
        signed() + signed(),
        signed().replace(",", ", "),
        signed().replace('"at_ms":1700000000000', '"at_ms":1.7e12'),
        signed().replace('{"cr', '{"more":1,"cr'),
    ],
)
def test_what_is_not_exactly_a_head_is_refused(text: str) -> None:
    with pytest.raises(BadHead):
        read_head(text)


def test_a_head_whose_key_was_exchanged_is_refused() -> None:
    ours, others = (fingerprint(key.public_key()) for key in (KEY, OTHER))
    text = signed().replace(ours, others)
    text = text.replace(key_id(ours), key_id(others))

    with pytest.raises(BadHead, match="signature"):
        read_head(text)


def test_a_head_of_a_newer_form_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as newer:
        newer.setattr("croupier.journal.heads._VERSION", 2)
        text = signed()

    with pytest.raises(BadHead, match="in the form that croupier writes"):
        read_head(text)


def test_a_head_has_one_spelling() -> None:
    head = read_head(signed())
    shouted = msgspec.structs.replace(head, signature=head.signature.upper())

    with pytest.raises(BadHead, match="lower case"):
        read_head(shouted.text)


def test_a_head_whose_streams_do_not_give_its_house_head_is_refused() -> None:
    wrong = msgspec.structs.replace(
        read_head(signed()), house_head="0" * 64, signature=""
    )
    signature = KEY.sign(wrong.text.encode()).hex()

    with pytest.raises(BadHead, match="house head"):
        read_head(msgspec.structs.replace(wrong, signature=signature).text)


def test_published_heads_follow_each_other(store: Store) -> None:
    driver = Driver(store, "t1", Clock())
    first = publish(store, KEY, 1, "")
    driver.round("17")
    second = publish(store, KEY, 2, "")

    assert published_heads(store) == [first, second]
    assert read_head(first).previous == GENESIS
    assert read_head(second).previous == digest(first)
    assert read_head(second).streams == (store.heads()[0],)
    assert verify(store, public_keys=[KEY.public_key()]).is_clean


def test_heads_that_are_published_at_the_same_time_follow_each_other(
    store_url: str,
) -> None:
    with open_store(store_url) as store:
        Driver(store, "t1", Clock())

    def publish_some(turn: int) -> None:
        with open_store(store_url) as own:
            for each in range(5):
                publish(own, KEY, 100 * turn + each, "")

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(publish_some, range(4)))

    with open_store(store_url) as store:
        assert len(published_heads(store)) == 20
        assert verify(store).is_clean


def test_a_head_of_an_empty_house_is_published(store: Store) -> None:
    head = read_head(publish(store, KEY, 1, ""))

    assert head.streams == ()
    assert verify(store, outside_head=head.text).is_clean


def test_a_stream_that_was_claimed_and_never_written_has_a_head(
    store: Store,
) -> None:
    store.claim_stream("t9")

    head = publish(store, KEY, 1, "")

    assert read_head(head).streams == (HeadRow("t9", 0, GENESIS),)
    assert verify(store, outside_head=head).is_clean


def test_a_new_key_signs_and_its_public_half_checks(tmp_path: Path) -> None:
    path = tmp_path / "house.key"
    public = make_key(path)
    (tmp_path / "house.pub").write_text(public_pem(public))

    text = sign(read_private_key(path), HEADS, previous=GENESIS, at_ms=1)

    read = read_public_key(tmp_path / "house.pub")
    assert read_head(text).public_key == fingerprint(read)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_two_new_keys_differ(tmp_path: Path) -> None:
    first, second = (make_key(tmp_path / name) for name in ("a", "b"))

    assert first.public_bytes_raw() != second.public_bytes_raw()


def test_a_key_is_never_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "house.key"
    make_key(path)
    before = path.read_bytes()

    with pytest.raises(BadKey, match="there already"):
        make_key(path)
    assert path.read_bytes() == before


def test_the_private_key_is_not_in_the_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    with open_store(str(path)) as store:
        Driver(store, "t1", Clock())
        publish(store, KEY, 1, "")

    private = KEY.private_bytes_raw()

    stored = path.read_bytes()
    assert private not in stored
    assert private.hex().encode() not in stored
    assert KEY.public_key().public_bytes_raw().hex().encode() in stored


def _other_kinds_of_key() -> dict[str, bytes]:
    plain, pkcs8 = pem.NoEncryption(), pem.PrivateFormat.PKCS8
    locked = pem.BestAvailableEncryption(b"secret")
    wrong = X25519PrivateKey.generate()
    public = pem.PublicFormat.SubjectPublicKeyInfo
    return {
        "empty": b"",
        "text": b"no key at all",
        "binary": bytes(range(256)),
        "locked": KEY.private_bytes(pem.Encoding.PEM, pkcs8, locked),
        "another kind": wrong.private_bytes(pem.Encoding.PEM, pkcs8, plain),
        "another public kind": wrong.public_key().public_bytes(
            pem.Encoding.PEM, public
        ),
    }


@pytest.mark.parametrize("name", _other_kinds_of_key())
def test_a_file_without_the_right_key_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "some.key"
    path.write_bytes(_other_kinds_of_key()[name])

    for read in (read_private_key, read_public_key):
        with pytest.raises(BadKey, match=r"some\.key"):
            read(path)


@pytest.mark.parametrize("read", [read_private_key, read_public_key])
def test_a_key_file_that_is_not_there_is_named(read: object, tmp_path: Path) -> None:
    assert callable(read)
    with pytest.raises(JournalError, match="nowhere"):
        read(tmp_path / "nowhere")
    with pytest.raises(JournalError, match=tmp_path.name):
        read(tmp_path)
