"""Files of the keys that sign a log, and files that are refused."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization as pem
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from croupier.journal.log.publishing import publish
from croupier.journal.private_files import BadKey
from croupier.journal.signing_keys import (
    fingerprint,
    make_key,
    public_pem,
    read_private_key,
    read_public_key,
)
from croupier.journal.store import JournalError
from croupier.journal.stores import open_store
from tests.journal.scene import KEY, Clock, Driver


def test_a_new_key_signs_and_its_public_half_checks(tmp_path: Path) -> None:
    path = tmp_path / "house.key"
    public = make_key(path)
    (tmp_path / "house.pub").write_text(public_pem(public))

    signature = read_private_key(path).sign(b"text")

    read_public_key(tmp_path / "house.pub").verify(signature, b"text")
    assert fingerprint(read_public_key(tmp_path / "house.pub")) == fingerprint(public)
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
