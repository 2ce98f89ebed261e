"""Flat play until it ends: the exits of a walk of equal steps from an interval.

An interval is described by its passages: for a walk that enters it from below or from
above, the chance of leaving at each point beyond the ends, and the expected rounds.
Two neighbouring intervals can be joined into one, so doubling reaches any length.

The arithmetic is decimal, with as many digits as needed and exponents that don't
underflow. Nothing is subtracted: the chance not to return is calculated as the sum of
the ways to go on. By the tree theorem for Markov chains a passage is a quotient of sums
of products, with a chance for each point in between. If the chances have a relative
error of ε, the passage through m points is off by a factor of at most
((1 + ε)/(1 - ε))ᵐ; roundings in a passage count as errors of the chances.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from math import ceil, log10

from croupier.lab.sessions.chain import Chain
from croupier.lab.sessions.result import Arithmetic, Solution

_ERROR_DIGITS = 30
"""The relative error of a figure is below 10 to the power of minus this."""
_SMALLEST_DIGITS = 4_000
"""Below 10 to the power of minus this, only a bound on a probability is printed."""
_MAXIMUM_ENTRIES = 64
"""The work grows with the cube of the entries; other solvers take more of them."""

_ZERO = Decimal(0)

Row = list[Decimal]
"""The chance of each exit: first those below the interval, then those above it, both
counted away from it; and last the expected rounds."""
_Passages = list[Row]
"""A row for each entry: the lowest points, as many as a win can reach from below; then
the highest points from the top down, as many as a loss can reach from above."""


def can_pass(chain: Chain) -> bool:
    return chain.is_flat and _walk(chain).entries <= _MAXIMUM_ENTRIES


def solve_passage(chain: Chain) -> Solution:
    """Solve a flat session until its end."""
    walk, row, start = _walk(chain), chain.rows[0], chain.start[1]
    context = Context(
        prec=_digits(row.length, walk), Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[]
    )
    # The start is the entry of the upper interval from below; if nothing ever wins, it
    # is that of the lower interval from above.
    cut = start if walk.up else start + 1
    with localcontext(context):
        lower, upper = walk.interval(cut - row.low), walk.interval(row.high - cut)
        *exits, rounds = walk.between(lower, upper)[0]
    below = [row.low - 1 - place for place in range(walk.down)]
    above = [row.high + place for place in range(walk.up)]
    smallest = Decimal(10) ** -_SMALLEST_DIGITS
    chances = dict(zip([*below, *above], exits, strict=True))
    likely = {at: Fraction(each) for at, each in chances.items() if each >= smallest}
    faint = sum(0 < each < smallest for each in exits)
    taken = Fraction(rounds)
    return Solution(
        Arithmetic.DECIMAL,
        chain.flat_ends(likely),
        {},
        taken,
        taken * chain.moves[0].units,
        relative_error=Fraction(1, 10**_ERROR_DIGITS),
        lost_mass=faint * Fraction(smallest),
    )


def _walk(chain: Chain) -> FlatWalk:
    return FlatWalk(chain.flat_steps)


def _digits(length: int, walk: FlatWalk) -> int:
    """Return the digits that keep the error within `_ERROR_DIGITS`.

    Each joining of intervals, with m entries between them, turns an error of ε into
    3·(m + 1)·(ε + (m + 4)²·u) at most: a row is a passage through m + 1 points, in each
    of at most m + 3 stages a row is a sum of m products, and 3 instead of 2 covers the
    higher powers of small terms.
    """
    joins = 2 * length.bit_length() + 2
    each = log10(3 * (walk.entries + 1))
    first = 2 * log10(walk.entries + 4) + 2
    return ceil(_ERROR_DIGITS + 2 + first + joins * each)


@dataclass(frozen=True, slots=True)
class FlatWalk:
    """A walk of equal steps, given as pairs of a shift and a weight."""

    steps: Sequence[tuple[int, int]]

    @property
    def up(self) -> int:
        return max(0, *(shift for shift, _ in self.steps))

    @property
    def down(self) -> int:
        return max(0, *(-shift for shift, _ in self.steps))

    @property
    def entries(self) -> int:
        return self.up + self.down

    def interval(self, length: int) -> _Passages:
        """Return the passages of an interval of this length."""
        power, found = self._point(), None
        while True:
            if length & 1:
                found = power if found is None else self._joined(found, power)
            length >>= 1
            if not length:
                return self._nothing() if found is None else found
            power = self._joined(power, power)

    def _point(self) -> _Passages:
        """Return the passages of one point; a jump over it leaves at once."""
        moving = sum(weight for shift, weight in self.steps if shift)
        row = [_ZERO] * self.entries
        for shift, weight in self.steps:
            if shift:
                row[self._exit(shift)] = Decimal(weight) / moving
        row.append(Decimal(sum(weight for _, weight in self.steps)) / moving)
        places = [*range(self.up), *range(0, -self.down, -1)]
        return [self._certain(self._exit(at)) if at else row for at in places]

    def _nothing(self) -> _Passages:
        up, down = self.up, self.down
        return [self._certain(x) for x in [*range(down, down + up), *range(down)]]

    def _exit(self, shift: int) -> int:
        """Return the exit index of a step from the only point."""
        return -shift - 1 if shift < 0 else self.down + shift - 1

    def _certain(self, exit_: int) -> Row:
        return [Decimal(int(place == exit_)) for place in range(self.entries + 1)]

    def _joined(self, lower: _Passages, upper: _Passages) -> _Passages:
        """Return the passages of two neighbouring intervals as one."""
        up, down = self.up, self.down
        inner = self.between(lower, upper)
        from_below = [
            _through(_only_below(row, down), row[down:-1], inner[:up])
            for row in lower[:up]
        ]
        from_above = [
            _through(_only_above(row, down), row[:down], inner[up:])
            for row in upper[up:]
        ]
        return [*from_below, *from_above]

    def between(self, lower: _Passages, upper: _Passages) -> _Passages:
        """Return the passages of walks that step from one interval into the other.

        First those that enter the upper one from below, then those that enter the lower
        one from above; a walk may cross several times until it leaves both.
        """
        up, down = self.up, self.down
        straight = [_only_above(row, down) for row in upper[:up]]
        back = [row[:down] for row in upper[:up]]
        onward = [row[down:-1] for row in lower[up:]]
        rows = [
            _through(_only_below(row, down), chances, straight)
            for row, chances in zip(lower[up:], onward, strict=True)
        ]
        returns = [_through([_ZERO] * down, chances, back) for chances in onward]
        _leave(returns, rows)
        crossed = [
            _through(row, chances, rows)
            for row, chances in zip(straight, back, strict=True)
        ]
        return [*crossed, *rows]


def _only_below(row: Row, down: int) -> Row:
    return [*row[:down], *[_ZERO] * (len(row) - down - 1), row[-1]]


def _only_above(row: Row, down: int) -> Row:
    return [*[_ZERO] * down, *row[down:]]


def _through(row: Row, chances: Row, others: Sequence[Row]) -> Row:
    """Return the row plus the other rows, weighted by these chances."""
    for chance, other in zip(chances, others, strict=True):
        if chance:
            row = [a + chance * b for a, b in zip(row, other, strict=True)]
    return row


def _leave(returns: list[Row], rows: list[Row]) -> None:
    """Eliminate the returns, so that the rows have exits only.

    Each place in turn is eliminated from all rows, including those of places that are
    already eliminated.
    """
    for k in range(len(rows)):
        stay, returns[k][k] = returns[k][k], _ZERO
        if stay:
            leaving = sum(returns[k], sum(rows[k][:-1], _ZERO))
            rows[k] = [chance / leaving for chance in rows[k]]
            returns[k] = [chance / leaving for chance in returns[k]]
        for i, other in enumerate(returns):
            if i != k and (chance := other[k]):
                other[k] = _ZERO
                rows[i] = _through(rows[i], [chance], [rows[k]])
                returns[i] = _through(other, [chance], [returns[k]])
