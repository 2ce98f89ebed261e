"""What the documents say of areas and outcomes, from the layouts typed for figures.

Nothing here asks the core: a person typed numbers, pays and rings from the documents,
and arithmetic on numerals gives the rest.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tests.figures.oracle.games import LAYOUT_ORDER, PAYS, TABLES

ORDER = [*LAYOUT_ORDER]
FIVE_GAMES = tuple(TABLES)
_FAST_ACTION = "mbs-fast-action-v2"
TABLE_GAMES = tuple(name for name in FIVE_GAMES if name != _FAST_ACTION)
SINGLE_ZERO_GAMES = tuple(name for name in TABLE_GAMES if name != "rws-triple-zero")
NUMBERS = {name: [*table.numbers] for name, table in TABLES.items()}
SINGLE_ZERO = NUMBERS["mbs-roulette-v3"]
TRIPLE_ZERO = NUMBERS["rws-triple-zero"]
FAST_ACTION = NUMBERS[_FAST_ACTION]
SINGLE_ZERO_RING = [*TABLES["mbs-roulette-v3"].ring]
TRIPLE_ZERO_RING = [*TABLES["rws-triple-zero"].ring]
LINKS = [[*link] for link in TABLES[_FAST_ACTION].links]


@dataclass(frozen=True)
class Area:
    """A betting area of a document: what it covers and what it pays to one."""

    numbers: frozenset[str]
    pays: int


def areas_of(game_name: str) -> dict[str, Area]:
    """Return every area of a table with rows and columns, by its name."""
    assert game_name in TABLE_GAMES
    return {
        name: Area(frozenset(place.numbers), PAYS[place.type])
        for name, place in TABLES[game_name].places.items()
    }


def fast_action_areas(number: str, drawn: Iterable[str]) -> dict[str, int | None]:
    """Return what each of the 43 areas pays to one at an outcome; None if it loses."""
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
    """Return what each area pays to one at an outcome; None if it loses."""
    if game_name == _FAST_ACTION:
        return fast_action_areas(number, drawn)
    return {
        name: area.pays if number in area.numbers else None
        for name, area in areas_of(game_name).items()
    }
