"""Signed notes and checkpoints, in the public format."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.journal.log.notes import (
    BadNote,
    Checkpoint,
    Note,
    VerifierKey,
    cosign,
    log_key,
    read_notes,
    sign_note,
    witness_key,
)

_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
_WITNESS = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
_ORIGIN = "casino.example/house-1"
_CHECKPOINT = Checkpoint(_ORIGIN, 20_852_163, sha256(b"root").digest())


def _note() -> Note:
    text = _CHECKPOINT.text
    return Note(text, (sign_note(text, _ORIGIN, _KEY),))


def test_a_note_known_from_its_specification_verifies() -> None:
    """The example is from the documentation of Go's golang.org/x/mod/sumdb/note."""
    key = VerifierKey.read(
        "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
    )
    note = Note.read(
        "If you think cryptography is the answer to your problem,\n"
        "then you don't know what your problem is.\n"
        "\n"
        "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZ"
        "SNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
    )

    assert key.has_signed(note)


def test_a_checkpoint_is_three_lines_and_its_signatures() -> None:
    note = _note()
    key_id = sha256(
        _ORIGIN.encode() + b"\n\x01" + _KEY.public_key().public_bytes_raw()
    ).digest()[:4]
    signature = b64encode(key_id + _KEY.sign(_CHECKPOINT.text.encode())).decode()

    assert note.whole == (
        f"{_ORIGIN}\n20852163\n{b64encode(sha256(b'root').digest()).decode()}\n"
        f"\n— {_ORIGIN} {signature}\n"
    )
    assert Note.read(note.whole) == note
    assert Checkpoint.read(note.text) == _CHECKPOINT


def test_only_the_key_that_signed_has_signed() -> None:
    note = _note()

    assert log_key(_ORIGIN, _KEY.public_key()).has_signed(note)
    assert not log_key(_ORIGIN, _WITNESS.public_key()).has_signed(note)
    assert not log_key("casino.example/house-2", _KEY.public_key()).has_signed(note)
    assert not witness_key(_ORIGIN, _KEY.public_key()).has_signed(note)


def test_a_changed_text_is_not_signed() -> None:
    note = _note()
    other = Note(note.text.replace("20852163", "20852164"), note.signatures)

    assert not log_key(_ORIGIN, _KEY.public_key()).has_signed(other)


def test_a_witness_signs_beside_the_log_and_says_when() -> None:
    line = cosign(_CHECKPOINT.text, "witness.example/w1", _WITNESS, 1_700_000_000)
    note = _note().with_signatures([line])
    key = witness_key("witness.example/w1", _WITNESS.public_key())
    message = f"cosignature/v1\ntime 1700000000\n{_CHECKPOINT.text}".encode()

    assert key.signed_at(Note.read(note.whole)) == 1_700_000_000
    assert line.signature == (1_700_000_000).to_bytes(8, "big") + _WITNESS.sign(message)


def test_a_key_in_one_line_reads_back() -> None:
    for key in (
        log_key(_ORIGIN, _KEY.public_key()),
        witness_key("witness.example/w1", _WITNESS.public_key()),
    ):
        assert VerifierKey.read(key.text) == key


def test_notes_in_a_row_are_read_apart() -> None:
    first = _note()
    text = Checkpoint(_ORIGIN, 20_852_164, sha256(b"next").digest()).text
    second = Note(text, (sign_note(text, _ORIGIN, _KEY),))

    assert read_notes(first.whole + second.whole) == [first, second]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "casino.example\n",
        "casino.example\n5\n",
        f"casino.example\n05\n{b64encode(bytes(32)).decode()}\n",
        f"casino.example\n-5\n{b64encode(bytes(32)).decode()}\n",
        f"casino.example\n5\n{b64encode(bytes(31)).decode()}\n",
        f"\n5\n{b64encode(bytes(32)).decode()}\n",
        f"casino.example\n5\n{b64encode(bytes(32)).decode()}\nmore\n",
        "casino.example\n5\nnot base64 at all\n",
    ],
)
def test_malformed_checkpoints_are_refused(text: str) -> None:
    with pytest.raises(BadNote):
        Checkpoint.read(text)


@pytest.mark.parametrize(
    "text",
    ["", "text", "text\n\n", "text\n\n- name AAAAAAAA\n", "text\n\n— name AAAA=\n"],
)
def test_malformed_notes_are_refused(text: str) -> None:
    with pytest.raises(BadNote):
        Note.read(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "name",
        "name+00000000+AQ==",
        "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
    ],
)
def test_malformed_keys_are_refused(text: str) -> None:
    with pytest.raises(BadNote):
        VerifierKey.read(text)
