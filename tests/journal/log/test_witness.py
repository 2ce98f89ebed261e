"""One witness keeps a house to one history."""

from __future__ import annotations

from base64 import b64encode
from http import HTTPStatus
from itertools import pairwise
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from croupier.journal.log.notes import (
    Checkpoint,
    Note,
    NoteSignature,
    log_key,
    sign_note,
    witness_key,
)
from croupier.journal.log.tree import (
    consistency_path,
    leaf_hash,
    node_hash,
    tree_root,
)
from croupier.journal.log.witness import (
    BadWitnessState,
    CosignatureRequest,
    Witness,
    WitnessAnswer,
)

_ORIGIN, _NAME = "casino.example/house-1", "regulator.example/w1"
_LOG = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(1, 33)))
_AT = 1_700_000_000


class _House:
    """A house's growing log."""

    def __init__(self, *entries: str) -> None:
        self.leaves = [leaf_hash(each.encode()) for each in entries]

    def _subtree(self, level: int, index: int) -> bytes:
        if level == 0:
            return self.leaves[index]
        left = self._subtree(level - 1, 2 * index)
        return node_hash(left, self._subtree(level - 1, 2 * index + 1))

    def note(self, size: int, key: Ed25519PrivateKey = _LOG) -> Note:
        text = Checkpoint(_ORIGIN, size, tree_root(self.leaves[:size])).text
        return Note(text, (sign_note(text, _ORIGIN, key),))

    def request(self, old: int, size: int) -> CosignatureRequest:
        path = consistency_path(old, size, self._subtree)
        return CosignatureRequest(old, tuple(path), self.note(size))


_HOUSE = _House(*(f"round {number}" for number in range(40)))
_FORK = _House(*(f"round {number}" for number in range(20)), "another", "history")


def _witness(folder: Path) -> Witness:
    key = log_key(_ORIGIN, _LOG.public_key())
    return Witness(folder / "witness.json", _NAME, _KEY, [key], lambda: _AT)


def _asked(witness: Witness, request: CosignatureRequest) -> WitnessAnswer:
    return witness.add_checkpoint(request.text)


def test_a_growing_log_is_signed_checkpoint_by_checkpoint(tmp_path: Path) -> None:
    witness = _witness(tmp_path)
    key = witness_key(_NAME, _KEY.public_key())

    for old, size in pairwise((0, 1, 8, 13, 13, 40)):
        answer = _asked(witness, _HOUSE.request(old, size))
        signature = NoteSignature.read(answer.text.removesuffix("\n"))

        assert answer.status is HTTPStatus.OK
        assert key.signed_at(_HOUSE.note(size).with_signatures([signature])) == _AT


def test_a_fork_is_found_by_one_witness(tmp_path: Path) -> None:
    witness = _witness(tmp_path)
    assert _asked(witness, _HOUSE.request(0, 21)).status is HTTPStatus.OK

    same_size = _asked(witness, _FORK.request(21, 21))
    larger = _asked(witness, _FORK.request(21, 22))

    assert (same_size.status, same_size.text) == (HTTPStatus.CONFLICT, "21\n")
    assert larger.status is HTTPStatus.UNPROCESSABLE_ENTITY


def test_it_answers_with_the_size_that_a_proof_must_begin_at(tmp_path: Path) -> None:
    witness = _witness(tmp_path)
    assert _asked(witness, _HOUSE.request(0, 21)).status is HTTPStatus.OK

    answer = _asked(witness, _HOUSE.request(0, 40))

    assert (answer.status, answer.text) == (HTTPStatus.CONFLICT, "21\n")
    assert answer.type == "text/x.tlog.size"


def test_it_remembers_over_a_restart(tmp_path: Path) -> None:
    first = _witness(tmp_path)
    assert _asked(first, _HOUSE.request(0, 21)).status is HTTPStatus.OK
    first.close()

    answer = _asked(_witness(tmp_path), _FORK.request(0, 22))

    assert (answer.status, answer.text) == (HTTPStatus.CONFLICT, "21\n")


def test_a_log_that_is_not_known_is_not_signed(tmp_path: Path) -> None:
    text = Checkpoint("other.example", 1, tree_root(_HOUSE.leaves[:1])).text
    note = Note(text, (sign_note(text, "other.example", _LOG),))

    answer = _asked(_witness(tmp_path), CosignatureRequest(0, (), note))

    assert answer.status is HTTPStatus.NOT_FOUND


def test_a_checkpoint_of_another_key_is_not_signed(tmp_path: Path) -> None:
    request = CosignatureRequest(0, (), _HOUSE.note(3, key=_KEY))

    assert _asked(_witness(tmp_path), request).status is HTTPStatus.FORBIDDEN


def test_a_proof_that_does_not_hold_is_refused(tmp_path: Path) -> None:
    witness = _witness(tmp_path)
    assert _asked(witness, _HOUSE.request(0, 21)).status is HTTPStatus.OK
    request = CosignatureRequest(21, (bytes(32),) * 3, _HOUSE.note(40))

    assert _asked(witness, request).status is HTTPStatus.UNPROCESSABLE_ENTITY


@pytest.mark.parametrize(
    "body",
    [
        "",
        "old 0\n",
        "old x\n\ntext\n\n",
        "old 00\n\n" + _HOUSE.note(3).whole,
        f"old {'9' * 5_000}\n\n" + _HOUSE.note(3).whole,
        "old 5\n\n" + _HOUSE.note(3).whole,
        "old 0\nno base64\n\n" + _HOUSE.note(3).whole,
        "old 0\n" + f"{b64encode(bytes(32)).decode()}\n" * 64 + _HOUSE.note(3).whole,
    ],
)
def test_malformed_requests_are_refused(tmp_path: Path, body: str) -> None:
    assert _witness(tmp_path).add_checkpoint(body).status is HTTPStatus.BAD_REQUEST


def test_two_witnesses_do_not_share_a_file(tmp_path: Path) -> None:
    _first = _witness(tmp_path)

    with pytest.raises(BadWitnessState, match="another witness"):
        _witness(tmp_path)


def test_a_foreign_state_file_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "witness.json").write_text("[]", "utf-8")

    with pytest.raises(BadWitnessState, match="no state"):
        _witness(tmp_path)
