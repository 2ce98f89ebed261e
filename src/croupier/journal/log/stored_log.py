"""The tree of the log that a journal stores: its size, roots, proofs and tiles.

A tile has the hashes of 256 nodes of one level; its root is one node of the next. The
roots of full tiles are stored, because they never change; every other hash follows from
them and from the log's entries.
"""

from __future__ import annotations

from croupier.journal.log.notes import Checkpoint
from croupier.journal.log.tree import (
    consistency_path,
    inclusion_path,
    leaf_hash,
    range_hash,
    tree_root,
)
from croupier.journal.store import Store
from croupier.journal.tables import LOG_TILES

TILE_WIDTH = 256
_TILE_BITS = 8


class StoredLog:
    """Reads the log of a journal."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def size(self) -> int:
        return self._store.log_size()

    def begins_with(self, checkpoint: Checkpoint) -> bool:
        """Return whether a checkpoint is over the first entries of this log."""
        size = checkpoint.size
        return size <= self.size and self.root(size) == checkpoint.root

    def root(self, size: int) -> bytes:
        return range_hash(0, size, self.subtree)

    def inclusion(self, index: int, size: int) -> list[bytes]:
        return inclusion_path(index, size, self.subtree)

    def consistency(self, old: int, size: int) -> list[bytes]:
        return consistency_path(old, size, self.subtree)

    def subtree(self, level: int, index: int) -> bytes:
        """Return the hash of the complete subtree of 2**level leaves."""
        high, low = divmod(level, _TILE_BITS)
        return tree_root(self.hashes(high, index << low, 1 << low))

    def hashes(self, level: int, first: int, count: int) -> list[bytes]:
        """Return hashes of a level of tiles; each covers 256**level leaves."""
        if level == 0:
            rows = self._store.log_entries(first, count)
            return [leaf_hash(row.entry.encode()) for row in rows]
        stored = self._store.tile_roots(level - 1, first, count)
        if len(stored) < count:  # not stored yet: an import has none
            return [
                tree_root(self.hashes(level - 1, each * TILE_WIDTH, TILE_WIDTH))
                for each in range(first, first + count)
            ]
        return [bytes.fromhex(root) for root in stored]

    def store_full_tiles(self, size: int) -> None:
        """Store the roots of full tiles at that size; only inside `all_or_nothing`."""
        level, count = 0, size >> _TILE_BITS
        while count:
            new = range(self._store.tile_count(level), count)
            tiles = (self.hashes(level, n * TILE_WIDTH, TILE_WIDTH) for n in new)
            roots = (tree_root(hashes).hex() for hashes in tiles)
            rows = [(level, n, root) for n, root in zip(new, roots, strict=True)]
            if rows:
                self._store.load(LOG_TILES, rows)
            level, count = level + 1, count >> _TILE_BITS
