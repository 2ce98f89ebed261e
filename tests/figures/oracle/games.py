"""The five games once more, written down from their documents and the readings.

Nothing here comes from the product: numbers, places on the layout, what they pay, the
ring, and the pieces of the wagers that have several.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product

RED = frozenset(
    str(n) for n in (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36)
)
_RING = """0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1
20 14 31 9 22 18 29 7 28 12 35 3 26"""
SINGLE_ZERO_RING = tuple(_RING.split())
LAYOUT_ORDER = ("0", "00", "000", *(str(n) for n in range(1, 37)), "S", "MBS")
INSIDE = ("straight_up", "split", "street", "corner", "six_line")

PAYS = {
    "straight_up": 35,
    "split": 17,
    "street": 11,
    "green": 11,
    "corner": 8,
    "six_line": 5,
    "top_line": 5,
    "column": 2,
    "dozen": 2,
    "low": 1,
    "high": 1,
    "even": 1,
    "odd": 1,
    "red": 1,
    "black": 1,
    "bonus_win": 2,
    "super_bonus_win": 350,
    "scatter_bonus": 700,
}
"""What a type pays to one; a straight-up of Fast Action on no Bonus Number."""


@dataclass(frozen=True)
class Place:
    """One place on the layout: its type, and the numbers that it covers."""

    type: str
    numbers: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A game as the document has it."""

    name: str
    numbers: tuple[str, ...]
    places: Mapping[str, Place]
    pieces: Mapping[str, tuple[str, ...]]
    """The places of each multiple-piece wager, doubled ones twice."""

    ring: tuple[str, ...] = ()
    links: tuple[tuple[str, ...], ...] = ()
    bonus_numbers: int = 0
    lies_outside_limits: bool = False
    """Whether chips may be laid outside the limits (v3 5.15, Fast Action 5.16)."""

    is_electronic: bool = False
    bonus_pays: Mapping[str, int] = field(default_factory=dict)

    def pays(self, kind: str, status: str = "") -> int:
        if kind == "straight_up" and status:
            return self.bonus_pays[status]
        return PAYS[kind]

    def places_of(self, wager: str) -> tuple[str, ...]:
        """Return the places that a wager lies on, one for each piece."""
        return (wager,) if wager in self.places else self.pieces[wager]


def _name(kind: str, numbers: Iterable[str]) -> tuple[str, tuple[str, ...]]:
    in_order = tuple(sorted(numbers, key=LAYOUT_ORDER.index))
    return f"{kind}:{'/'.join(in_order)}", in_order


def _grid() -> dict[str, Place]:
    """Return the places among 1 to 36: three columns, twelve rows."""
    sets: list[tuple[str, list[int]]] = []
    for n in range(1, 37):
        right, below = n % 3 != 0, n <= 33
        if right:
            sets.append(("split", [n, n + 1]))
        if below:
            sets.append(("split", [n, n + 3]))
        if right and below:
            sets.append(("corner", [n, n + 1, n + 3, n + 4]))
        if n % 3 == 1:
            sets.append(("street", [n, n + 1, n + 2]))
            if below:
                sets.append(("six_line", list(range(n, n + 6))))
    return {
        name: Place(kind, numbers)
        for kind, whole in sets
        for name, numbers in [_name(kind, map(str, whole))]
    }


def _outside() -> dict[str, Place]:
    whole = range(1, 37)
    sets = {
        **{f"column:{c}": range(c, 37, 3) for c in (1, 2, 3)},
        **{f"dozen:{d}": range(12 * d - 11, 12 * d + 1) for d in (1, 2, 3)},
        "low": range(1, 19),
        "high": range(19, 37),
        "even": range(2, 37, 2),
        "odd": range(1, 37, 2),
        "red": [n for n in whole if str(n) in RED],
        "black": [n for n in whole if str(n) not in RED],
    }
    return {
        name: Place(name.partition(":")[0], tuple(map(str, numbers)))
        for name, numbers in sets.items()
    }


def _straight_ups(numbers: Iterable[str]) -> dict[str, Place]:
    return {f"straight_up:{n}": Place("straight_up", (n,)) for n in numbers}


def _beside(text: str) -> dict[str, Place]:
    """Return the places of a list such as `split 0/1 0/2`."""
    kind, *rest = text.split()
    named = (_name(kind, numbers.split("/")) for numbers in rest)
    return {name: Place(kind, numbers) for name, numbers in named}


def _single_zero_places() -> dict[str, Place]:
    return {
        **_straight_ups(str(n) for n in range(37)),
        **_grid(),
        **_beside("split 0/1 0/2 0/3"),
        **_beside("street 0/1/2 0/2/3"),
        **_beside("corner 0/1/2/3"),
        **_outside(),
    }


def _triple_zero_places() -> dict[str, Place]:
    zeros = ("0", "00", "000")
    return {
        **_straight_ups((*zeros, *(str(n) for n in range(1, 37)))),
        **_grid(),
        **_beside("split 0/00 0/1 0/2 00/2 00/3 0/000 00/000"),
        **_beside("street 0/1/2 0/00/2 00/2/3 0/00/000"),
        "top_line": Place("top_line", (*zeros, "1", "2", "3")),
        "green": Place("green", zeros),
        **_outside(),
    }


def neighbours(ring: tuple[str, ...], number: str, radius: int) -> tuple[str, ...]:
    at = ring.index(number)
    around = (ring[(at + step) % len(ring)] for step in range(-radius, radius + 1))
    return tuple(f"straight_up:{n}" for n in around)


def complete(
    places: Mapping[str, Place], numbers: Iterable[str], *, inside: bool = False
) -> tuple[str, ...]:
    """Return the inside places that touch the numbers, or lie wholly within them."""
    wanted = set(numbers)
    return tuple(
        name
        for name, place in places.items()
        if place.type in INSIDE
        and (set(place.numbers) <= wanted if inside else wanted & set(place.numbers))
    )


def _listed(text: str) -> tuple[str, ...]:
    """Return the places of a list of numbers, such as `0/2/3 1 25/26/28/29`."""
    kinds = {1: "straight_up", 2: "split", 3: "street", 4: "corner"}
    return tuple(
        _name(kinds[part.count("/") + 1], part.split("/"))[0] for part in text.split()
    )


_TIERS = _listed("5/8 10/11 13/16 23/24 27/30 33/36")
_ORPHELINS = _listed("1 6/9 14/17 17/20 31/34")


def _complete_bet_pieces(
    places: Mapping[str, Place], *, inside: bool = False
) -> dict[str, tuple[str, ...]]:
    return {
        "tiers": _TIERS,
        "orphelins": _ORPHELINS,
        "voisins_du_zero": _listed(
            "0/2/3 0/2/3 4/7 12/15 18/21 19/22 25/26/28/29 25/26/28/29 32/35"
        ),
        "zero_spiel": _listed("0/3 12/15 26 32/35"),
        **{
            f"neighbours:{n}": neighbours(SINGLE_ZERO_RING, n, 2)
            for n in SINGLE_ZERO_RING
        },
        **{f"complete:{n}": complete(places, [n]) for n in SINGLE_ZERO_RING},
        **{
            f"complete:dozen:{d}": complete(
                places, places[f"dozen:{d}"].numbers, inside=inside
            )
            for d in (1, 2, 3)
        },
    }


def _triple_zero_pieces(
    numbers: tuple[str, ...], ring: tuple[str, ...], *, single: bool = False
) -> dict[str, tuple[str, ...]]:
    finales = {
        f"finales:{digit}": tuple(
            f"straight_up:{n}"
            for n in numbers
            if n[-1] == str(digit) and not (single and n in {"00", "000"})
        )
        for digit in range(10)
    }
    return {
        "tiers": _TIERS,
        "orphelins": _ORPHELINS,
        "zero_spiel": _listed("26 0/000 00/3 12/15 32/35"),
        "grand_series": _listed(
            "0/000 4/7 12/15 18/21 19/22 32/35 00/2/3 00/2/3 25/26/28/29 25/26/28/29"
        ),
        **finales,
        **{
            f"neighbours:{n}:{radius}": neighbours(ring, n, radius)
            for n, radius in product(numbers, (1, 2, 3))
        },
    }


_SINGLE = _single_zero_places()
_SINGLE_NUMBERS = tuple(str(n) for n in range(37))
_TRIPLE_NUMBERS = LAYOUT_ORDER[:39]
_TRIPLE_RING = ("0", "000", "00", *SINGLE_ZERO_RING[1:])
_FAST_NUMBERS = ("0", "00", *(str(n) for n in range(1, 37)), "S", "MBS")


def complete_bet(*, inside: bool = False) -> Table:
    """Return Complete Bet, with either reading of a complete wager on a dozen (A7)."""
    return Table(
        "mbs-complete-bet-v2",
        _SINGLE_NUMBERS,
        _SINGLE,
        _complete_bet_pieces(_SINGLE, inside=inside),
        SINGLE_ZERO_RING,
    )


def triple_zero(*, single: bool = False, ring: tuple[str, ...] = _TRIPLE_RING) -> Table:
    """Return Triple Zero, with either Finale 0 (A19), and any ring (W1)."""
    return Table(
        "rws-triple-zero",
        _TRIPLE_NUMBERS,
        _triple_zero_places(),
        _triple_zero_pieces(_TRIPLE_NUMBERS, ring, single=single),
        ring,
        is_electronic=True,
    )


TABLES: Mapping[str, Table] = {
    table.name: table
    for table in (
        Table("mbs-roulette-v2", _SINGLE_NUMBERS, _SINGLE, {}, SINGLE_ZERO_RING),
        Table(
            "mbs-roulette-v3",
            _SINGLE_NUMBERS,
            _SINGLE,
            {},
            SINGLE_ZERO_RING,
            lies_outside_limits=True,
        ),
        complete_bet(),
        Table(
            "mbs-fast-action-v2",
            _FAST_NUMBERS,
            {
                **_straight_ups(_FAST_NUMBERS),
                **{
                    name: Place(name)
                    for name in ("bonus_win", "super_bonus_win", "scatter_bonus")
                },
            },
            {},
            links=(
                ("0", "00", "S", "MBS"),
                *(tuple(str(n) for n in range(a, a + 4)) for a in range(1, 37, 4)),
            ),
            bonus_numbers=10,
            lies_outside_limits=True,
            bonus_pays={"bonus": 40, "super_bonus": 80},
        ),
        triple_zero(),
    )
}
