"""Sources of bytes for the tests: scripted, stuck, repeating, biased."""

from __future__ import annotations

import os
from collections.abc import Callable


class Scripted:
    """The bytes it was given, each once; it fails the test that asks for more."""

    def __init__(self, script: bytes) -> None:
        self.rest = script

    def read(self, count: int) -> bytes:
        assert count <= len(self.rest), "the script is at its end"
        given, self.rest = self.rest[:count], self.rest[count:]
        return given


class Computed:
    """Bytes from a function of their number."""

    def __init__(self, function: Callable[[int], bytes]) -> None:
        self.read = function


class Cycling:
    """The same bytes over and over."""

    def __init__(self, cycle: bytes) -> None:
        self._cycle = cycle
        self._at = 0

    def read(self, count: int) -> bytes:
        start, self._at = self._at, (self._at + count) % len(self._cycle)
        return (self._cycle * (2 + count // len(self._cycle)))[start : start + count]


def stuck(value: int) -> Computed:
    return Computed(lambda count: bytes([value]) * count)


def doubled(count: int) -> bytes:
    """Each random byte twice: every value equally likely, no two independent."""
    once = os.urandom(count // 2 + 1)
    return bytes(byte for byte in once for _ in range(2))[:count]


def one_bit_loaded(count: int) -> bytes:
    """The highest bit is set in three bytes of four."""
    pairs = zip(os.urandom(count), os.urandom(count), strict=True)
    return bytes(first | (second & 0x80) for first, second in pairs)


def one_value_loaded(count: int) -> bytes:
    """The value 7 comes about nine times as often as any other."""
    pairs = zip(os.urandom(count), os.urandom(count), strict=True)
    return bytes(7 if second < 8 else first for first, second in pairs)


def always_even(count: int) -> bytes:
    """The lowest bit is never set; the wheel's places are equally likely even so."""
    return bytes(byte & 0xFE for byte in os.urandom(count))
