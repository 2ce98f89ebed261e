"""Random bytes from the operating system's generator, read in blocks.

Laws of this file:
- a byte is returned once or thrown away;
- nothing is kept for a later read, so a fork or a copy of the process or of its machine
  shares no byte with the original.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Protocol

from croupier.errors import CroupierError

BLOCK_BYTES = 512
"""Two equal blocks in a row mean a fault: by chance they come once in 2⁴⁰⁹⁶."""


class ChanceFailed(CroupierError):
    """The generator can't be trusted, so nothing is drawn; the message says why."""


class Entropy(Protocol):
    """Random bytes, independent and each of the 256 values equally likely."""

    def read(self, count: int) -> bytes:
        """Return exactly `count` bytes, or raise `ChanceFailed`."""
        ...


class SystemEntropy:
    """The operating system's generator; once it has failed it stays failed."""

    def __init__(self, source: Callable[[int], bytes] = os.urandom) -> None:
        self._source = source
        self._last_block = b""
        self._fault = ""

    def read(self, count: int) -> bytes:
        """Read fresh blocks, return `count` bytes and throw the rest away."""
        blocks = [self._block() for _ in range(0, count, BLOCK_BYTES)]
        return b"".join(blocks)[:count]

    def _block(self) -> bytes:
        try:
            block = self._source(BLOCK_BYTES)
        except (OSError, NotImplementedError) as error:
            self._fault = f"the system's generator can't be read: {error}"
            raise ChanceFailed(self._fault) from error
        if len(block) != BLOCK_BYTES:
            self._fault = f"the system's generator gave {len(block)} bytes of a block"
        elif block == self._last_block:
            self._fault = "the system's generator is stuck: it gave one block twice"
        if self._fault:
            raise ChanceFailed(self._fault)
        self._last_block = block
        return block
