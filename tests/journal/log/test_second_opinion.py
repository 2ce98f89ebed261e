"""A log's tree, compared with another implementation of RFC 6962."""

from __future__ import annotations

from pymerkle import InmemoryTree

from croupier.journal.log.tree import (
    Frontier,
    inclusion_path,
    leaf_hash,
    node_hash,
    range_hash,
)

_ENTRIES = [f"entry {number}".encode() for number in range(70)]
_LEAVES = [leaf_hash(each) for each in _ENTRIES]


def _referee() -> InmemoryTree:
    tree = InmemoryTree(algorithm="sha256")
    for entry in _ENTRIES:
        tree.append_entry(entry)
    return tree


def _subtree(level: int, index: int) -> bytes:
    if level == 0:
        return _LEAVES[index]
    left, right = _subtree(level - 1, 2 * index), _subtree(level - 1, 2 * index + 1)
    return node_hash(left, right)


def test_roots_are_those_of_another_implementation() -> None:
    referee, frontier = _referee(), Frontier()
    for size, leaf in enumerate(_LEAVES, start=1):
        frontier.append(leaf)

        assert frontier.root == referee.get_root(size)
        assert range_hash(0, size, _subtree) == frontier.root


def test_another_implementation_makes_the_same_paths() -> None:
    referee = _referee()
    for size in (1, 2, 3, 7, 8, 33, 64, 70):
        for index in range(size):
            theirs = referee.prove_inclusion(index + 1, size).path
            ours = inclusion_path(index, size, _subtree)

            assert set(ours) == set(theirs) - {_LEAVES[index]}
