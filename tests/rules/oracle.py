"""What the documents say, by arithmetic on numerals: nothing here asks the core."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

ORDER = ["0", "00", "000", *(str(n) for n in range(1, 37)), "S", "MBS"]
RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}  # A3
NUMERALS = range(1, 37)

SINGLE_ZERO = ["0", *(str(n) for n in NUMERALS)]
TRIPLE_ZERO = ["0", "00", "000", *(str(n) for n in NUMERALS)]
FAST_ACTION = ["0", "00", *(str(n) for n in NUMERALS), "S", "MBS"]

SINGLE_ZERO_GAMES = ("mbs-roulette-v2", "mbs-roulette-v3", "mbs-complete-bet-v2")
TABLE_GAMES = (*SINGLE_ZERO_GAMES, "rws-triple-zero")
FIVE_GAMES = (*SINGLE_ZERO_GAMES, "mbs-fast-action-v2", "rws-triple-zero")
NUMBERS = {
    **dict.fromkeys(SINGLE_ZERO_GAMES, SINGLE_ZERO),
    "mbs-fast-action-v2": FAST_ACTION,
    "rws-triple-zero": TRIPLE_ZERO,
}

# v2, v3 and Complete Bet, 4.1.
MBS_PAYS = {
    "straight_up": 35,
    "split": 17,
    "street": 11,
    "corner": 8,
    "six_line": 5,
    "column": 2,
    "dozen": 2,
    "low": 1,
    "high": 1,
    "even": 1,
    "odd": 1,
    "red": 1,
    "black": 1,
}
# Triple Zero 4.1.
TRIPLE_ZERO_PAYS = {
    "straight_up": 35,
    "split": 17,
    "street": 11,
    "green": 11,
    "corner": 8,
    "six_line": 5,
    "top_line": 5,
    "column": 2,
    "dozen": 2,
    "high": 1,
    "low": 1,
    "black": 1,
    "red": 1,
    "odd": 1,
    "even": 1,
}
# A1, and Appendix A of Triple Zero (A16).
SINGLE_ZERO_AREAS = [
    "straight_up:0",
    "split:0/1",
    "split:0/2",
    "split:0/3",
    "street:0/1/2",
    "street:0/2/3",
    "corner:0/1/2/3",
]
TRIPLE_ZERO_AREAS = [
    "straight_up:0",
    "straight_up:00",
    "straight_up:000",
    "split:0/00",
    "split:0/1",
    "split:0/2",
    "split:00/2",
    "split:00/3",
    "split:0/000",
    "split:00/000",
    "street:0/1/2",
    "street:0/00/2",
    "street:00/2/3",
    "street:0/00/000",
]
# Fast Action, Appendix C.
LINKS = [
    ["0", "00", "S", "MBS"],
    *([str(first + step) for step in range(4)] for first in range(1, 37, 4)),
]
# A5 and W1.
SINGLE_ZERO_RING = [
    "0",
    "32",
    "15",
    "19",
    "4",
    "21",
    "2",
    "25",
    "17",
    "34",
    "6",
    "27",
    "13",
    "36",
    "11",
    "30",
    "8",
    "23",
    "10",
    "5",
    "24",
    "16",
    "33",
    "1",
    "20",
    "14",
    "31",
    "9",
    "22",
    "18",
    "29",
    "7",
    "28",
    "12",
    "35",
    "3",
    "26",
]
TRIPLE_ZERO_RING = ["0", "000", "00", *SINGLE_ZERO_RING[1:]]


@dataclass(frozen=True)
class Area:
    """A betting area of a document: what it covers and what it pays to one."""

    numbers: frozenset[str]
    pays: int


def row_of(n: int) -> int:
    return (n - 1) // 3


def column_of(n: int) -> int:
    return (n - 1) % 3


def name_of(kind: str, numbers: Iterable[str]) -> str:
    return f"{kind}:{'/'.join(sorted(numbers, key=ORDER.index))}"


def areas_of(game_name: str) -> dict[str, Area]:
    """Every area of a table with rows and columns, by its name."""
    if game_name == "rws-triple-zero":
        zeros, pays = TRIPLE_ZERO_AREAS, TRIPLE_ZERO_PAYS
        further = {
            "green": frozenset({"0", "00", "000"}),
            "top_line": frozenset({"0", "00", "000", "1", "2", "3"}),
        }
    else:
        assert game_name in SINGLE_ZERO_GAMES
        zeros, pays, further = SINGLE_ZERO_AREAS, MBS_PAYS, {}
    covered = {name: frozenset(name.partition(":")[2].split("/")) for name in zeros}
    covered |= {**dict(_inside()), **dict(_outside()), **further}
    return {
        name: Area(numbers, pays[name.partition(":")[0]])
        for name, numbers in covered.items()
    }


def _inside() -> Iterator[tuple[str, frozenset[str]]]:
    for kind, groups in (
        ("straight_up", ([n] for n in NUMERALS)),
        ("split", _splits()),
        ("street", ([n for n in NUMERALS if row_of(n) == row] for row in range(12))),
        ("corner", _corners()),
        (
            "six_line",
            ([n for n in NUMERALS if row_of(n) in {r, r + 1}] for r in range(11)),
        ),
    ):
        for group in groups:
            numbers = frozenset(str(n) for n in group)
            yield name_of(kind, numbers), numbers


def _splits() -> Iterator[list[int]]:
    for one, other in combinations(NUMERALS, 2):
        rows, columns = row_of(other) - row_of(one), column_of(other) - column_of(one)
        if abs(rows) + abs(columns) == 1:
            yield [one, other]


def _corners() -> Iterator[list[int]]:
    for n in NUMERALS:
        if row_of(n) < 11 and column_of(n) < 2:
            yield [n, n + 1, n + 3, n + 4]


def _outside() -> Iterator[tuple[str, frozenset[str]]]:
    for k in (1, 2, 3):
        yield f"column:{k}", _numerals(n for n in NUMERALS if column_of(n) == k - 1)
        yield f"dozen:{k}", _numerals(range(12 * k - 11, 12 * k + 1))
    yield "low", _numerals(range(1, 19))
    yield "high", _numerals(range(19, 37))
    yield "even", _numerals(range(2, 37, 2))
    yield "odd", _numerals(range(1, 36, 2))
    yield "red", _numerals(RED)
    yield "black", _numerals(set(NUMERALS) - RED)


def _numerals(some: Iterable[int]) -> frozenset[str]:
    return frozenset(str(n) for n in some)


def fast_action_areas(number: str, drawn: Iterable[str]) -> dict[str, int | None]:
    """What each of the 43 areas pays to one at an outcome; None where it loses."""
    lit = set(drawn)
    link = next(link for link in LINKS if number in link)
    is_bonus = number in lit
    is_super = lit.issuperset(link)
    is_scatter = all(lit.intersection(each) for each in LINKS)
    straight = 80 if is_super else 40 if is_bonus else 35
    return {
        **{f"straight_up:{n}": straight if n == number else None for n in FAST_ACTION},
        "bonus_win": 2 if is_bonus else None,
        "super_bonus_win": 350 if is_super else None,
        "scatter_bonus": 700 if is_scatter else None,
    }


def pays_at(
    game_name: str, number: str, drawn: Iterable[str] = ()
) -> dict[str, int | None]:
    """What each area of a game pays to one at an outcome; None where it loses."""
    if game_name == "mbs-fast-action-v2":
        return fast_action_areas(number, drawn)
    return {
        name: area.pays if number in area.numbers else None
        for name, area in areas_of(game_name).items()
    }
