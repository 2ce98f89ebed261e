"""Chips, limits and settlement, as the documents and the readings have them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tests.figures.oracle.chance import Case
from tests.figures.oracle.games import Table


@dataclass(frozen=True)
class Chips:
    """A wager with its stake for each piece, in cents; None: each at its maximum."""

    wager: str
    piece_cents: int | None

    def __str__(self) -> str:
        if self.piece_cents is None:
            return self.wager
        return f"{self.wager}@{write(self.piece_cents)}"


def write(cents: int) -> str:
    """Write an amount as the command line takes it."""
    return f"{cents // 100}.{cents % 100:02}" if cents % 100 else str(cents // 100)


@dataclass(frozen=True)
class Limits:
    """Least and greatest total of a Player on a place, by type; `*` for the rest."""

    by_type: Mapping[str, tuple[int, int]] = field(default_factory=dict)

    def of(self, kind: str) -> tuple[int, int | None]:
        found = self.by_type.get(kind, self.by_type.get("*"))
        return found or (0, None)

    def options(self) -> list[str]:
        out = []
        for kind, (least, greatest) in self.by_type.items():
            out += ["--limits", f"{kind} {write(least)} {write(greatest)}"]
        return out


class Refused(Exception):
    """The chips may not lie so."""


@dataclass(frozen=True)
class Piece:
    """One piece on the layout, and what of it can be won or lost."""

    place: str
    stake: int
    at_risk: int


@dataclass(frozen=True)
class Settled:
    place: str
    stake: int
    paid: int
    collected: int

    @property
    def returned(self) -> int:
        return self.stake - self.collected


Pays = Callable[[str, str], int]


def lay(
    table: Table,
    chips: Sequence[Chips],
    limits: Limits,
    *,
    placed: bool = False,
    warned: bool = False,
) -> list[list[Piece]]:
    """Return each wager's pieces with what is at risk, or raise Refused.

    A Player's total on a place is held against the limits (A8). Where the document has
    a rule for chips outside them, a total below the minimum stands unless the Player
    was warned (A9), and above the maximum it is at risk in the order of placing (A10).
    """
    wagers = [_pieces(table, one, limits) for one in chips]
    totals: Counter[str] = Counter()
    for piece in (piece for wager in wagers for piece in wager):
        totals[piece.place] += piece.stake
    may_lie = table.lies_outside_limits and not placed
    for place, total in totals.items():
        least, greatest = limits.of(table.places[place].type)
        outside = total < least or (greatest is not None and total > greatest)
        if outside and not may_lie:
            raise Refused(f"{total} on {place}")
    used: Counter[str] = Counter()
    return [
        [_at_risk(table, limits, piece, totals, used, warned=warned) for piece in wager]
        for wager in wagers
    ]


def _pieces(table: Table, chips: Chips, limits: Limits) -> list[Piece]:
    if chips.piece_cents is not None:
        places = table.places_of(chips.wager)
        return [Piece(place, chips.piece_cents, 0) for place in places]
    out = []
    for place in table.pieces[chips.wager.replace("complete_maximum", "complete")]:
        _, greatest = limits.of(table.places[place].type)
        if greatest is None:
            raise Refused(f"no maximum for {place}")
        out.append(Piece(place, greatest, 0))
    return out


def _at_risk(
    table: Table,
    limits: Limits,
    piece: Piece,
    totals: Mapping[str, int],
    used: Counter[str],
    *,
    warned: bool,
) -> Piece:
    least, greatest = limits.of(table.places[piece.place].type)
    if totals[piece.place] < least and warned:
        return piece
    room = piece.stake if greatest is None else greatest - used[piece.place]
    risk = min(piece.stake, max(room, 0))
    used[piece.place] += risk
    return replace(piece, at_risk=risk)


def is_under_minimum(
    table: Table, wagers: Sequence[Sequence[Piece]], limits: Limits
) -> bool:
    """Say whether a total on some place is below its minimum."""
    totals: Counter[str] = Counter()
    for piece in (piece for wager in wagers for piece in wager):
        totals[piece.place] += piece.stake
    return any(
        total < limits.of(table.places[place].type)[0]
        for place, total in totals.items()
    )


def wins(table: Table, place: str, case: Case) -> bool:
    kind = table.places[place].type
    if kind == "bonus_win":
        return case.status != ""
    if kind == "super_bonus_win":
        return case.status == "super_bonus"
    if kind == "scatter_bonus":
        return case.scatter
    return case.number in table.places[place].numbers


def settle(
    table: Table, wager: Sequence[Piece], case: Case, pays: Pays | None = None
) -> list[Settled]:
    """Pay or collect what is at risk of each piece."""
    rate = pays or table.pays
    out = []
    for piece in wager:
        if wins(table, piece.place, case):
            kind = table.places[piece.place].type
            paid = piece.at_risk * rate(kind, case.status)
            out.append(Settled(piece.place, piece.stake, paid, 0))
        else:
            out.append(Settled(piece.place, piece.stake, 0, piece.at_risk))
    return out


def net(
    table: Table,
    wagers: Sequence[Sequence[Piece]],
    case: Case,
    pays: Pays | None = None,
) -> int:
    """Return what the Player wins, less what is lost."""
    rows = [row for wager in wagers for row in settle(table, wager, case, pays)]
    return sum(row.paid - row.collected for row in rows)
