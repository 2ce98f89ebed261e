"""Random outcomes by place: every round of every session has its own, from the seed.

The generator is Philox4x32-10, which turns a counter into four random words. A session
takes block after block of them, and the counter says which: the block, the session, and
the attempt. So an outcome depends on the seed, the session and the round alone: not on
who draws it, in which order, or how many at once.

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
"""Of the generator: how often it stirs."""
MULTIPLIERS = (0xD2511F53, 0xCD9E8D57)
WEYL = (0x9E3779B9, 0xBB67AE85)
"""What is added to the two halves of the key after each of its rounds."""
MASK = 0xFFFFFFFF
_REJECTED_BITS = 10
"""At most one word in so many powers of two is rejected, where digits share one."""
_MOST_PER_WORD = 8
_GREATEST = 2**62


@dataclass(frozen=True)
class Dice:
    """How outcomes of so many equal chances are cut from random words."""

    sides: int

    def __post_init__(self) -> None:
        if not 2 <= self.sides <= _GREATEST:
            raise SessionError(
                f"outcomes of {self.sides} equal chances can't be drawn: there may be"
                f" 2 to {_GREATEST}"
            )

    @cached_property
    def bits(self) -> int:
        """Of a word: 32, or 64 where two of the generator's are taken together."""
        return 32 if self.sides <= 2 ** (32 - _REJECTED_BITS) else 64

    @cached_property
    def words(self) -> int:
        """How many words a block has."""
        return 128 // self.bits

    @cached_property
    def per_word(self) -> int:
        """How many outcomes are cut from one word."""
        count = 1
        while (
            self.bits == 32
            and count < _MOST_PER_WORD
            and self.sides ** (count + 1) <= 2 ** (32 - _REJECTED_BITS)
        ):
            count += 1
        return count

    @property
    def per_block(self) -> int:
        """How many rounds a block is enough for."""
        return self.words * self.per_word

    @cached_property
    def rejected_below(self) -> int:
        """A word is rejected if the fraction it leaves is below this."""
        return int(2**self.bits % self.sides**self.per_word)

    def outcome(self, seed: int, session: int, round_: int) -> int:
        """Return the outcome of one round, counted from 0, in plain Python."""
        block, place = divmod(round_, self.per_block)
        word, digit = divmod(place, self.per_word)
        attempt = 0
        while True:
            drawn = self._block(seed, session, block, attempt)
            found = self._digits(self._word(drawn, word))
            if found is not None:
                return found[digit]
            attempt += 1

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
