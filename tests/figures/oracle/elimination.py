"""Sessions that are played until they end: a linear system, solved in fractions.

The expected number of visits to each position is that from the positions before it.
Positions are taken out of the system one by one, those with few neighbours first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from fractions import Fraction

from tests.figures.oracle.sessions import (
    Plan,
    Position,
    Session,
    first_position,
    next_round,
    steps,
)

Rows = Mapping[Position, tuple[int, Mapping[Position, int]]]
"""Of each position that is played on from: its units, and the weight of each step."""


def play_until_it_ends(plan: Plan, most: int = 4000) -> Session | None:
    """Solve a session that is played until it ends; None with too many positions."""
    first = first_position(plan)
    rows: dict[Position, tuple[int, Mapping[Position, int]]] = {}
    ends: dict[Position, str] = {}
    open_positions = [first]
    while open_positions:
        position = open_positions.pop()
        if position in rows or position in ends:
            continue
        found = next_round(plan, position)
        if isinstance(found, str):
            ends[position] = found
            continue
        here, units = found
        leads: Counter[Position] = Counter()
        for there, weight in steps(plan, here, units):
            leads[there] += weight
        rows[position] = (units, dict(leads))
        open_positions.extend(leads)
        if len(rows) > most:
            return None
    visited = visits(plan.whole, first, rows, ends)
    ended: defaultdict[str, Fraction] = defaultdict(Fraction)
    bankrolls: defaultdict[int, Fraction] = defaultdict(Fraction)
    for position, end in ends.items():
        ended[end] += visited[position]
        bankrolls[position.cents] += visited[position]
    return Session(
        dict(ended),
        dict(sorted(bankrolls.items())),
        sum((visited[position] for position in rows), Fraction(0)),
        sum(
            (visited[p] * units * plan.unit_cents for p, (units, _) in rows.items()),
            Fraction(0),
        ),
    )


def visits(
    whole: int, first: Position, rows: Rows, ends: Iterable[Position]
) -> dict[Position, Fraction]:
    """Return the expected visits to each position, beginning at the first one."""
    return _System(whole, first, rows, ends).solve()


class _System:
    """The visits to each position, as shares of the visits to others."""

    def __init__(
        self, whole: int, first: Position, rows: Rows, ends: Iterable[Position]
    ) -> None:
        self.ends = tuple(ends)
        everywhere = (*rows, *self.ends)
        self.into: dict[Position, dict[Position, Fraction]] = {
            position: {} for position in everywhere
        }
        self.out_of: dict[Position, set[Position]] = {p: set() for p in everywhere}
        self.given = {position: Fraction(position == first) for position in everywhere}
        self.left = dict.fromkeys(rows)
        for position, (_, leads) in rows.items():
            for there, weight in leads.items():
                self.into[there][position] = Fraction(weight, whole)
                self.out_of[position].add(there)

    def solve(self) -> dict[Position, Fraction]:
        taken_out = []
        while self.left:
            position = min(self.left, key=self._neighbours)
            del self.left[position]
            taken_out.append(position)
            self._take_out(position)
        visits = {position: self.given[position] for position in self.ends}
        for position in reversed(taken_out):
            shares = self.into[position].items()
            visits[position] = self.given[position] + sum(
                (share * visits[source] for source, share in shares), Fraction(0)
            )
        return visits

    def _neighbours(self, position: Position) -> int:
        return len(self.into[position]) * len(self.out_of[position])

    def _take_out(self, position: Position) -> None:
        """Put what leads to the position in its place wherever it leads to."""
        again = 1 / (1 - self.into[position].pop(position, Fraction(0)))
        self.out_of[position].discard(position)
        self.given[position] *= again
        sources = {s: share * again for s, share in self.into[position].items()}
        self.into[position] = sources
        for there in self.out_of[position]:
            share = self.into[there].pop(position)
            self.given[there] += share * self.given[position]
            for source, part in sources.items():
                known = self.into[there].get(source, Fraction(0))
                self.into[there][source] = known + share * part
                self.out_of[source].add(there)
        for source in sources:
            self.out_of[source].discard(position)
