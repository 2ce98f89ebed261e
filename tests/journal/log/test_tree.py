"""The tree against a second implementation, and proofs that were altered."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from itertools import product
from random import Random

import pytest

from croupier.journal.log.tree import (
    EMPTY_ROOT,
    BadProof,
    Subtrees,
    check_consistency,
    consistency_path,
    included_root,
    inclusion_path,
    leaf_hash,
    node_hash,
    tree_root,
)

_ENTRIES = [f"entry {number}".encode() for number in range(70)]
_LEAVES = [leaf_hash(each) for each in _ENTRIES]


def _subtree(level: int, index: int) -> bytes:
    if level == 0:
        return _LEAVES[index]
    left, right = _subtree(level - 1, 2 * index), _subtree(level - 1, 2 * index + 1)
    return node_hash(left, right)


_SUBTREES: Subtrees = _subtree


def test_the_empty_tree_has_the_root_of_the_standard() -> None:
    assert sha256().digest() == EMPTY_ROOT
    assert tree_root([]) == EMPTY_ROOT


def test_every_leaf_is_included_and_no_other_root_is_reached() -> None:
    for size in range(1, len(_LEAVES) + 1):
        root = tree_root(_LEAVES[:size])
        for index in range(size):
            path = inclusion_path(index, size, _SUBTREES)

            assert included_root(_LEAVES[index], index, size, path) == root


def test_every_tree_begins_with_each_smaller_one() -> None:
    roots = [tree_root(_LEAVES[:size]) for size in range(len(_LEAVES) + 1)]
    for old, size in product(range(len(roots)), repeat=2):
        if old <= size:
            path = consistency_path(old, size, _SUBTREES)

            check_consistency(old, roots[old], size, roots[size], path)


def test_altered_proofs_are_refused() -> None:
    random = Random(20)
    for _ in range(1_000):
        size = random.randrange(2, len(_LEAVES))
        index, old = random.randrange(size), random.randrange(1, size)
        root, old_root = tree_root(_LEAVES[:size]), tree_root(_LEAVES[:old])
        path = _altered(random, inclusion_path(index, size, _SUBTREES))
        proof = _altered(random, consistency_path(old, size, _SUBTREES))

        with suppress(BadProof):
            assert included_root(_LEAVES[index], index, size, path) != root
        with pytest.raises(BadProof):
            check_consistency(old, old_root, size, root, proof)


def test_a_tree_does_not_shrink() -> None:
    with pytest.raises(BadProof, match="smaller"):
        check_consistency(3, _LEAVES[0], 2, _LEAVES[0], [])


def _altered(random: Random, path: list[bytes]) -> list[bytes]:
    """Return the path with a hash changed, taken away or added."""
    place = random.randrange(len(path) + 1)
    changed = bytes([path[0][0] ^ 1]) + path[0][1:] if path else b"\1" * 32
    if place == len(path) or random.random() < 1 / 3:
        return [*path, changed]
    if random.random() < 1 / 2:
        return path[:place] + path[place + 1 :]
    kept = path[place]
    return [*path[:place], bytes([kept[0] ^ 1]) + kept[1:], *path[place + 1 :]]
