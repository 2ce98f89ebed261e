"""Flat play until it ends: where a walk of equal steps leaves an interval of points.

An interval is known by its passages: for whoever enters it, from below or from above,
how likely he leaves it at each point beyond its ends, and after how many rounds. Two
neighbouring intervals are joined into one, so that doubling reaches any length.

The arithmetic is decimal, of as many digits as it takes, with exponents that don't
underflow. Nothing is subtracted: where someone may come back, the chance not to is the
sum of the ways to go on. By the tree theorem for Markov chains a passage is a quotient
of sums of products, of a chance for each point in between. If chances are off by ε of
themselves, the passage through m points is off by a factor of ((1 + ε)/(1 - ε))ᵐ at
most; and roundings in a passage are chances that are off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal, localcontext
from fractions import Fraction
from math import ceil, log10

from croupier.lab.sessions.chain import Chain, ChainEnd
from croupier.lab.sessions.result import Arithmetic, Solution

_ERROR_DIGITS = 30
"""A figure is off by less than this power of a tenth of itself."""
_SMALLEST_DIGITS = 4_000
"""A smaller probability is not told, only that it is below this power of a tenth."""
_MAXIMUM_ENTRIES = 64
"""Steps further apart are left to other solvers: the work grows with the cube."""

_ZERO = Decimal(0)

Row = list[Decimal]
"""The chance of each exit: those below the interval first, then those above it, both
counted away from it; and last the rounds until then, on average."""
_Passages = list[Row]
"""A row for each entry: from below at the lowest points, as many as a win can reach,
then from above at the highest points, down from the top, as many as a loss can."""


def is_flat(chain: Chain) -> bool:
    """Return whether the same is staked at every point, whatever has happened."""
    return len(chain.rows) == 1 + len(ChainEnd) and len(chain.runs) == 1


def can_pass(chain: Chain) -> bool:
    """Return whether `solve_passage` takes the chain."""
    return is_flat(chain) and _walk(chain).entries <= _MAXIMUM_ENTRIES


def solve_passage(chain: Chain) -> Solution:
    """Return the ends of a flat session that is played until it ends."""
    walk, row, start = _walk(chain), chain.rows[0], chain.start[1]
    context = Context(
        prec=_digits(row.length, walk), Emax=MAX_EMAX, Emin=MIN_EMIN, traps=[]
    )
    # The start is where the upper interval is entered from below; or the lower one from
    # above, if nothing ever wins.
    cut = start if walk.up else start + 1
    with localcontext(context):
        lower, upper = walk.interval(cut - row.low), walk.interval(row.high - cut)
        *exits, rounds = walk.between(lower, upper)[0]
    below = [row.low - 1 - place for place in range(walk.down)]
    above = [row.high + place for place in range(walk.up)]
    ended: dict[ChainEnd, dict[int, Fraction]] = {end: {} for end in ChainEnd}
    lost = Fraction(0)
    smallest = Decimal(10) ** -_SMALLEST_DIGITS
    for point, chance in sorted(zip([*below, *above], exits, strict=True)):
        if chance >= smallest:
            ended[end_at(chain, point)][point] = Fraction(chance)
        elif chance:
            lost += Fraction(smallest)
    taken = Fraction(rounds)
    return Solution(
        Arithmetic.DECIMAL,
        ended,
        {},
        taken,
        taken * chain.runs[0].units,
        relative_error=Fraction(1, 10**_ERROR_DIGITS),
        lost_mass=lost,
    )


def _walk(chain: Chain) -> FlatWalk:
    shifts = {move.outcome: move.shift for move in chain.moves}
    return FlatWalk([(at, chain.numerators[which]) for which, at in shifts.items()])


def end_at(chain: Chain, point: int) -> ChainEnd:
    """Return the end whose row has the point."""
    [found] = (
        end for end in ChainEnd if chain.rows[end].low <= point < chain.rows[end].high
    )
    return found


def _digits(length: int, walk: FlatWalk) -> int:
    """Return how many digits keep the error as small as is promised.

    Each joining of intervals, with m entries between them, turns an error of ε into
    3·(m + 1)·(ε + (m + 4)²·u) at most: a row is a passage through m + 1 points, in each
    of at most m + 3 stages a row is a sum of m products, and 3 instead of 2 covers the
    higher powers of what is small.
    """
    joins = 2 * length.bit_length() + 2
    each = log10(3 * (walk.entries + 1))
    first = 2 * log10(walk.entries + 4) + 2
    return ceil(_ERROR_DIGITS + 2 + first + joins * each)


@dataclass(frozen=True, slots=True)
class FlatWalk:
    """Equal steps: pairs of a shift and a weight."""

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
        """Return the passages of so many points in a row."""
        power, found = self._point(), None
        while True:
            if length & 1:
                found = power if found is None else self._joined(found, power)
            length >>= 1
            if not length:
                return self._nothing() if found is None else found
            power = self._joined(power, power)

    def _point(self) -> _Passages:
        """Return the passages of one point; whoever jumps over it has left at once."""
        moving = sum(weight for shift, weight in self.steps if shift)
        row = [_ZERO] * self.entries
        for shift, weight in self.steps:
            if shift:
                row[self._exit(shift)] = Decimal(weight) / moving
        row.append(Decimal(sum(weight for _, weight in self.steps)) / moving)
        places = [*range(self.up), *range(0, -self.down, -1)]
        return [self._certain(self._exit(at)) if at else row for at in places]

    def _nothing(self) -> _Passages:
        """Return the passages of no point at all."""
        up, down = self.up, self.down
        return [self._certain(x) for x in [*range(down, down + up), *range(down)]]

    def _exit(self, shift: int) -> int:
        """Return the exit that a step from the only point leads to."""
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
        """Return what becomes of whoever steps from one interval into the other.

        First of those who enter the upper one from below, then of those who enter the
        lower one from above; they go to and fro until they leave both.
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
    """Return the row without its exits above."""
    return [*row[:down], *[_ZERO] * (len(row) - down - 1), row[-1]]


def _only_above(row: Row, down: int) -> Row:
    """Return the row without its exits below."""
    return [*[_ZERO] * down, *row[down:]]


def _through(row: Row, chances: Row, others: Sequence[Row]) -> Row:
    """Return the row, and where these chances lead by way of the others."""
    for chance, other in zip(chances, others, strict=True):
        if chance:
            row = [a + chance * b for a, b in zip(row, other, strict=True)]
    return row


def _leave(returns: list[Row], rows: list[Row]) -> None:
    """Let those who return go on until they leave.

    One place after the other is taken out of all rows, also of those whose own place is
    gone, so that each row ends with nothing but exits.
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
