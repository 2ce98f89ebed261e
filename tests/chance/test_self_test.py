"""The self-test lets a sound generator pass, and finds each kind of broken one."""

from __future__ import annotations

import os
from math import comb

import pytest

from croupier.chance import ChanceFailed, Entropy, SystemEntropy, self_test
from croupier.chance import draws as drawing
from croupier.chance import self_tests as tests
from croupier.chance.entropy import BLOCK_BYTES
from tests.chance.entropies import (
    Computed,
    Cycling,
    Scripted,
    always_even,
    one_bit_loaded,
    one_value_loaded,
    stuck,
)
from tests.chance.statistics import chi_square_tail


def test_the_real_generator_passes() -> None:
    self_test(SystemEntropy())


@pytest.mark.parametrize(
    ("entropy", "found"),
    [
        (stuck(0), "repetition count"),
        (Cycling(b"\x00\xff"), "adaptive proportion"),
        (Cycling(bytes(range(256))), "repeated chunks"),
        (Cycling(os.urandom(1000)), "repeated chunks"),
        (Cycling(os.urandom(4096)), "repeated chunks"),
        (Cycling(os.urandom(32_768)), "repeated chunks"),
        (Computed(one_value_loaded), "chi-square of 37 places|adaptive proportion"),
        (Computed(one_bit_loaded), "chi-square of 37 places|adaptive proportion"),
        (Computed(always_even), "chi-square of 256 places|adaptive proportion"),
        (Computed(lambda count: os.urandom(count - 1)), "sample size"),
        (Scripted(os.urandom(65_000) + bytes(8) + os.urandom(528)), "repetition count"),
    ],
)
def test_a_broken_generator_is_found(entropy: Entropy, found: str) -> None:
    with pytest.raises(ChanceFailed, match=f"the self-test failed: .*({found})"):
        self_test(entropy)


@pytest.mark.parametrize("rejected", [256, 255, 128])
def test_a_broken_sampler_is_found(
    rejected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(raw: bytes, size: int) -> bytes:
        return bytes(byte % size for byte in raw if byte < rejected)

    monkeypatch.setattr(tests, "accepted", broken)

    with pytest.raises(ChanceFailed, match="known answers, one number"):
        self_test(SystemEntropy())


def test_a_broken_draw_of_different_numbers_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        drawing, "_taken", lambda some, at: tuple(some[place] for place in at)
    )

    with pytest.raises(ChanceFailed, match="known answers, different numbers"):
        self_test(SystemEntropy())


def test_a_sound_generator_fails_less_than_once_in_a_billion_starts() -> None:
    per_window = sum(
        comb(511, k) * 255 ** (511 - k) for k in range(tests.PROPORTION_CUTOFF - 1, 512)
    )
    windows = tests.SAMPLE_BYTES // tests.WINDOW_BYTES
    chunks = tests.SAMPLE_BYTES // tests.CHUNK_BYTES
    false_alarms = {
        "repetition": tests.SAMPLE_BYTES * 256.0 ** (1 - tests.REPETITION_CUTOFF),
        "proportion": windows * (per_window / 256**511),
        "chunks": comb(chunks, 2) * 256.0**-tests.CHUNK_BYTES,
        **{
            f"chi-square of {size}": chi_square_tail(cutoff, size - 1)
            for size, cutoff in tests.CHI_SQUARE_CUTOFFS.items()
        },
    }

    assert false_alarms["repetition"] == 2.0**-40
    assert false_alarms["proportion"] < 1e-10
    assert false_alarms["chunks"] < 2.0**-105
    assert false_alarms["chi-square of 37"] < 2e-12
    assert false_alarms["chi-square of 256"] < 1e-12
    assert sum(false_alarms.values()) < 1e-10


def test_the_statistics_are_those_of_the_standard() -> None:
    assert tests.longest_run(b"\x00\x01\x01\x01\x02\x02") == 3
    assert tests.highest_proportion(bytes([7] * 5 + [1] * 507 + [2, 7] * 256)) == 256
    assert tests.chi_square(bytes([0, 1, 2] * 100), 3) == 0
    assert tests.chi_square(bytes([0] * 30 + [1] * 10), 2) == 10


class _Source:
    """Blocks as they were scripted."""

    def __init__(self, *blocks: bytes | Exception) -> None:
        self._blocks = list(blocks)
        self.asked: list[int] = []

    def __call__(self, count: int) -> bytes:
        self.asked.append(count)
        block = self._blocks.pop(0)
        if isinstance(block, Exception):
            raise block
        return block


A, B, C = (bytes([letter]) * BLOCK_BYTES for letter in b"abc")


def test_nothing_of_a_block_is_kept_for_later() -> None:
    source = _Source(A, B, C, A, B)
    entropy = SystemEntropy(source)

    reads = [entropy.read(count) for count in (0, 1, 3, BLOCK_BYTES + 1, BLOCK_BYTES)]

    assert reads == [b"", b"a", b"bbb", C + b"a", B]
    assert source.asked == [BLOCK_BYTES] * 5


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (A, "stuck: it gave one block twice"),
        (A[1:], "gave 511 bytes of a block"),
        (b"", "gave 0 bytes of a block"),
        (OSError("no such device"), "can't be read: no such device"),
        (NotImplementedError("none"), "can't be read: none"),
    ],
)
def test_a_generator_that_failed_once_stays_failed(
    fault: bytes | Exception, says: str
) -> None:
    entropy = SystemEntropy(_Source(A, fault, B, C))
    entropy.read(1)

    for _ in range(3):
        with pytest.raises(ChanceFailed, match=says):
            entropy.read(1)


def test_a_stuck_source_is_found_within_one_read() -> None:
    with pytest.raises(ChanceFailed, match="stuck"):
        SystemEntropy(bytes).read(2 * BLOCK_BYTES)
