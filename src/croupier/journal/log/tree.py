"""The Merkle tree of a log, as RFC 6962 has it: roots, proofs and their checks.

Laws of this file:
- pure: the caller gives the hashes of complete subtrees; only a frontier is kept;
- a leaf and an inner node never hash alike: 0x00 stands before one, 0x01 before the
  other;
- a proof that does not lead to the root raises `BadProof`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256

from croupier.errors import CroupierError

Subtrees = Callable[[int, int], bytes]
"""The hash of the complete subtree of 2**level leaves with that index."""
EMPTY_ROOT = sha256().digest()
HASH_BYTES = 32


class BadProof(CroupierError):
    """The path does not lead to the root that it should prove."""


def leaf_hash(entry: bytes) -> bytes:
    return sha256(b"\0" + entry).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\1" + left + right).digest()


class Frontier:
    """The complete subtrees of a growing tree, largest first: enough for its root."""

    def __init__(self) -> None:
        self.size = 0
        self._hashes: list[bytes] = []

    def append(self, leaf: bytes) -> None:
        """Add the hash of the next leaf."""
        size, node = self.size, leaf
        while size & 1:
            node = node_hash(self._hashes.pop(), node)
            size >>= 1
        self._hashes.append(node)
        self.size += 1

    @property
    def root(self) -> bytes:
        if not self._hashes:
            return EMPTY_ROOT
        node = self._hashes[-1]
        for left in reversed(self._hashes[:-1]):
            node = node_hash(left, node)
        return node


def tree_root(leaves: Iterable[bytes]) -> bytes:
    """Return the root over the hashes of leaves."""
    frontier = Frontier()
    for leaf in leaves:
        frontier.append(leaf)
    return frontier.root


def range_hash(first: int, end: int, subtree: Subtrees) -> bytes:
    """Return the hash over the leaves from `first` to `end`, split as RFC 6962 says."""
    count = end - first
    if count == 0:
        return EMPTY_ROOT
    if count.bit_count() == 1:
        level = count.bit_length() - 1
        return subtree(level, first >> level)
    middle = first + _half(count)
    return node_hash(
        range_hash(first, middle, subtree), range_hash(middle, end, subtree)
    )


def inclusion_path(index: int, size: int, subtree: Subtrees) -> list[bytes]:
    """Return the path from a leaf to the root of the tree of that size."""
    assert 0 <= index < size
    first, end, path = 0, size, []
    while end - first > 1:
        middle = first + _half(end - first)
        if index < middle:
            path.append(range_hash(middle, end, subtree))
            end = middle
        else:
            path.append(range_hash(first, middle, subtree))
            first = middle
    return path[::-1]


def consistency_path(old: int, size: int, subtree: Subtrees) -> list[bytes]:
    """Return the proof that the tree of a size begins with that of the old size."""
    assert 0 <= old <= size
    if old in {0, size}:
        return []
    first, end, path, is_whole = 0, size, [], True
    while old != end:
        middle = first + _half(end - first)
        if old <= middle:
            path.append(range_hash(middle, end, subtree))
            end = middle
        else:
            path.append(range_hash(first, middle, subtree))
            first, is_whole = middle, False
    if not is_whole:
        path.append(range_hash(first, end, subtree))
    return path[::-1]


def included_root(leaf: bytes, index: int, size: int, path: Sequence[bytes]) -> bytes:
    """Return the root that a path leads to from a leaf; raises `BadProof`."""
    if not 0 <= index < size:
        raise BadProof("the tree has no leaf of that index")
    node, last, rest = leaf, size - 1, list(path)
    while last:
        if index & 1 or index == last:
            node = node_hash(_next_of(rest), node)
            while not index & 1:
                index, last = index >> 1, last >> 1
        else:
            node = node_hash(node, _next_of(rest))
        index, last = index >> 1, last >> 1
    if rest:
        raise BadProof("the path is longer than the tree is high")
    return node


def check_consistency(
    old: int, old_root: bytes, size: int, root: bytes, path: Sequence[bytes]
) -> None:
    """Raise `BadProof` unless the path proves that the old tree begins the new one."""
    if not 0 <= old <= size:
        raise BadProof("the tree is smaller than the one before it")
    if old in {0, size}:
        if path or (old == size and old_root != root):
            raise BadProof("two trees of one size have different roots")
        if old == 0 and old_root != EMPTY_ROOT:
            raise BadProof("an empty tree has another root")
        return
    rest = list(path)
    place, last = old - 1, size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    was = now = _next_of(rest) if place else old_root
    while last:
        if place & 1 or place == last:
            node = _next_of(rest)
            was, now = node_hash(node, was), node_hash(node, now)
            while place and not place & 1:
                place, last = place >> 1, last >> 1
        else:
            now = node_hash(now, _next_of(rest))
        place, last = place >> 1, last >> 1
    if rest or was != old_root or now != root:
        raise BadProof("the tree does not begin with the one before it")


def _half(count: int) -> int:
    """Return the largest power of two below a count."""
    return 1 << (count - 1).bit_length() - 1


def _next_of(path: list[bytes]) -> bytes:
    if not path:
        raise BadProof("the path is shorter than the tree is high")
    return path.pop(0)
