"""Random outcomes by place: a seed, a session and a round give one outcome.

The generator is Philox4x32-10, which turns a counter into four random words. The
counter is the block, the session and the attempt. So an outcome depends only on the
seed, the session and the round, and engines may draw in any order.

Outcomes of n equal chances are cut from a word as the digits of a fraction in base n,
several from one word. A word that would favour some digits is rejected, and the same
place is drawn again at the next attempt: no outcome is likelier than another.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import count

from croupier.lab.sessions import SessionError

ROUNDS = 10
"""Rounds of the generator."""
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
"""Added to the two halves of the key after each round of the generator."""
MASK = 0xFFFFFFFF
_REJECTED_BITS = 10
"""If digits share a word, at most one word in 2 to this power is rejected."""
_MOST_PER_WORD = 8
_GREATEST = 2**62


@dataclass(frozen=True)
class Dice:
    """Cuts outcomes of `sides` equal chances from random words."""

    sides: int

    def __post_init__(self) -> None:
        if not 2 <= self.sides <= _GREATEST:
            raise SessionError(
                f"outcomes of {self.sides} equal chances can't be drawn: there may be"
                f" 2 to {_GREATEST}"
            )

    @cached_property
    def bits(self) -> int:
        """The bits of a word: 32, or 64 if two of the generator's words are joined."""
        return 32 if self.sides <= 2 ** (32 - _REJECTED_BITS) else 64

    @cached_property
    def words(self) -> int:
        return 128 // self.bits

    @cached_property
    def per_word(self) -> int:
        """The number of outcomes cut from one word."""
        fitting = range(1, _MOST_PER_WORD + 1 if self.bits == 32 else 2)
        most = 2 ** (32 - _REJECTED_BITS)
        return max(
            count for count in fitting if count == 1 or self.sides**count <= most
        )

    @property
    def per_block(self) -> int:
        return self.words * self.per_word

    @cached_property
    def rejected_below(self) -> int:
        """A word is rejected if the fraction left after the digits is below this."""
        return int(2**self.bits % self.sides**self.per_word)

    def outcomes(self, seed: int, session: int) -> Iterator[int]:
        """Yield the outcomes of a session, round by round and without end."""
        for block in count():
            drawn = self._block(seed, session, block, 0)
            for word in range(self.words):
                digits, attempt = self._digits(self._word(drawn, word)), 0
                while digits is None:
                    attempt += 1
                    again = self._block(seed, session, block, attempt)
                    digits = self._digits(self._word(again, word))
                yield from digits

    def _block(
        self, seed: int, session: int, block: int, attempt: int
    ) -> tuple[int, ...]:
        return philox((block, session & MASK, session >> 32, attempt), seed)

    def _word(self, drawn: tuple[int, ...], word: int) -> int:
        if self.bits == 32:
            return drawn[word]
        return drawn[2 * word] | drawn[2 * word + 1] << 32

    def _digits(self, word: int) -> list[int] | None:
        digits, one = [], 1 << self.bits
        for _ in range(self.per_word):
            digit, word = divmod(word * self.sides, one)
            digits.append(digit)
        return None if word < self.rejected_below else digits


def philox(counter: tuple[int, int, int, int], seed: int) -> tuple[int, ...]:
    """Return four random words for a counter, by a seed of 64 bits."""
    zero, one, two, three = counter
    low, high = seed & MASK, seed >> 32
    for _ in range(ROUNDS):
        first, second = zero * MULTIPLIERS[0], two * MULTIPLIERS[1]
        zero, one = second >> 32 ^ one ^ low, second & MASK
        two, three = first >> 32 ^ three ^ high, first & MASK
        low, high = low + WEYL[0] & MASK, high + WEYL[1] & MASK
    return zero, one, two, three
