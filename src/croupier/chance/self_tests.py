"""`self_test`: tests of the generator, run whenever a table starts.

A sound generator fails it less than once in 10⁹ starts: docs/chance.md has the sum, and
the tests compute it. Repetition count and adaptive proportion are those of NIST
SP 800-90B, 4.4, for 8 bits of entropy a byte.
"""

from __future__ import annotations

from itertools import groupby

from croupier.chance.draws import BYTE_VALUES, accepted, draw_distinct, places
from croupier.chance.entropy import ChanceFailed, Entropy
from croupier.rules.wheel import numbers

SAMPLE_BYTES = 65_536
REPETITION_CUTOFF = 8
"""A run of equal bytes that fails: by chance in under 2¹⁶ · 2⁻⁵⁶ = 2⁻⁴⁰ of samples."""
WINDOW_BYTES = 512
PROPORTION_CUTOFF = 20
"""Failing count of a window's first byte: by chance in under 10⁻¹⁰ of samples."""
CHUNK_BYTES = 16
"""A repeated chunk fails: by chance in under 2²³ · 2⁻¹²⁸ = 2⁻¹⁰⁵ of samples."""
CHI_SQUARE_CUTOFFS = {37: 130, BYTE_VALUES: 450}
"""By the number of places: each fails by chance in about 10⁻¹² of samples."""


def self_test(entropy: Entropy) -> None:
    """Test the generator; raise `ChanceFailed` with the name of a failed test."""
    _check("known answers, one number", _knows_every_byte())
    _check("known answers, different numbers", _knows_a_draw())
    sample = entropy.read(SAMPLE_BYTES)
    _check("sample size", len(sample) == SAMPLE_BYTES)
    _check("repetition count", longest_run(sample) < REPETITION_CUTOFF)
    _check("adaptive proportion", highest_proportion(sample) < PROPORTION_CUTOFF)
    chunks = {
        sample[at : at + CHUNK_BYTES] for at in range(0, len(sample), CHUNK_BYTES)
    }
    _check("repeated chunks", len(chunks) * CHUNK_BYTES == SAMPLE_BYTES)
    for size, cutoff in CHI_SQUARE_CUTOFFS.items():
        drawn = places(size, SAMPLE_BYTES, entropy)
        _check(f"chi-square of {size} places", chi_square(drawn, size) < cutoff)


def _check(name: str, passed: bool) -> None:
    if not passed:
        raise ChanceFailed(f"the self-test failed: {name}")


class _Script:
    """Known bytes in place of random ones."""

    def __init__(self, script: bytes) -> None:
        self._rest = script

    def read(self, count: int) -> bytes:
        given, self._rest = self._rest[:count], self._rest[count:]
        return given


def _knows_every_byte() -> bool:
    """Check for every size that the 256 bytes are shared out equally, in order."""
    every = bytes(range(BYTE_VALUES))
    return all(
        accepted(every, size) == bytes(range(size)) * (BYTE_VALUES // size)
        for size in range(1, BYTE_VALUES + 1)
    )


def _knows_a_draw() -> bool:
    """Check a draw of 0 to 6: 252 to 255 are rejected with 7 left, 255 with 5 left."""
    drawn = draw_distinct(
        numbers("0 1 2 3 4 5 6"), 4, _Script(b"\xfc\xff\x05\x05\xff\x07\x03")
    )
    return drawn == numbers("5 6 2 4")


def longest_run(sample: bytes) -> int:
    return max([len([*run]) for _, run in groupby(sample)])


def highest_proportion(sample: bytes) -> int:
    """Return the highest count of a window's first byte in its window."""
    starts = range(0, len(sample), WINDOW_BYTES)
    windows = [sample[start : start + WINDOW_BYTES] for start in starts]
    return max(window.count(window[0]) for window in windows)


def chi_square(drawn: bytes, size: int) -> float:
    """Return the chi-square of the places: about `size` - 1 if equally likely."""
    expected = len(drawn) / size
    return sum((drawn.count(place) - expected) ** 2 for place in range(size)) / expected
