"""Frames of a WebSocket with a text in one piece (RFC 6455, 5.2 and 5.3)."""

from __future__ import annotations

TEXT = 0x81
WHOLE = frozenset({TEXT, 0x82, 0x88, 0x89, 0x8A})
"""The first bytes of whole messages: text, bytes, close, ping and pong."""
MASKED = 0x80
IN_TWO, IN_EIGHT = 126, 127
"""Lengths that say that the length follows, in so many bytes."""


def unmasked(masked: bytes, mask: bytes) -> bytes:
    """Return a frame's content: the mask takes itself away, four bytes at a time."""
    size = len(masked)
    over = (mask * (size // 4 + 1))[:size]
    taken = int.from_bytes(masked, "little") ^ int.from_bytes(over, "little")
    return taken.to_bytes(size, "little")


def head_of(text: bytes) -> bytes:
    """Return what stands before a whole text in a frame of the server."""
    size = len(text)
    if size < IN_TWO:
        return bytes((TEXT, size))
    if size < 1 << 16:
        return bytes((TEXT, IN_TWO, size >> 8, size & 0xFF))
    return bytes((TEXT, IN_EIGHT)) + size.to_bytes(8, "big")
