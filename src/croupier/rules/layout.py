"""The layout: cells on a grid, and the betting areas that follow from them.

`u` runs along the table and `v` across it; the row 1 2 3 lies at u 0 to 1, the zeros
lie below u 0, and the outside line is v 0. Cells that share an edge make a split. Cells
that share a point make a street or a corner, and rows that share a point of the outside
line make a six line. A game states its cells, and its boxes with their numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, unique
from functools import cache
from itertools import combinations

from croupier.rules.wheel import (
    NUMERALS,
    RED,
    Number,
    in_layout_order,
    layout_rank,
)


@unique
class WagerType(Enum):
    """The types of wager, in the order of lists."""

    __hash__ = object.__hash__  # members are unique: hashing is three times as quick

    STRAIGHT_UP = "straight_up"
    SPLIT = "split"
    STREET = "street"
    CORNER = "corner"
    SIX_LINE = "six_line"
    TOP_LINE = "top_line"
    GREEN = "green"
    COLUMN = "column"
    DOZEN = "dozen"
    LOW = "low"
    HIGH = "high"
    EVEN = "even"
    ODD = "odd"
    RED = "red"
    BLACK = "black"
    BONUS_WIN = "bonus_win"
    SUPER_BONUS_WIN = "super_bonus_win"
    SCATTER_BONUS = "scatter_bonus"

    @property
    def title(self) -> str:
        """The type in a table or picture: “Six Line”."""
        return self.value.replace("_", " ").title()


INSIDE = frozenset(
    {
        WagerType.STRAIGHT_UP,
        WagerType.SPLIT,
        WagerType.STREET,
        WagerType.CORNER,
        WagerType.SIX_LINE,
    }
)
"""The types that a complete wager is made of (Complete Bet 3.6.1)."""
_TYPE_ORDER = {wager_type: rank for rank, wager_type in enumerate(WagerType)}

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Rect:
    u0: float
    v0: float
    u1: float
    v1: float

    @property
    def centre(self) -> Point:
        return (self.u0 + self.u1) / 2, (self.v0 + self.v1) / 2

    @property
    def vertices(self) -> tuple[Point, ...]:
        return tuple((u, v) for u in (self.u0, self.u1) for v in (self.v0, self.v1))

    def touches(self, point: Point) -> bool:
        u, v = point
        return self.u0 <= u <= self.u1 and self.v0 <= v <= self.v1

    def shared_edge(self, other: Rect) -> Point | None:
        """Return the middle of the shared edge, or None if they share no edge."""
        u0, u1 = max(self.u0, other.u0), min(self.u1, other.u1)
        v0, v1 = max(self.v0, other.v0), min(self.v1, other.v1)
        along, across = u1 - u0, v1 - v0
        if min(along, across) != 0 or max(along, across) <= 0:
            return None
        return (u0 + u1) / 2, (v0 + v1) / 2


@dataclass(frozen=True, slots=True)
class BettingArea:
    """One place on the layout where chips may lie."""

    name: str
    """Its notation: `split:17/20`, `dozen:2`, `red`."""
    wager_type: WagerType
    numbers: frozenset[Number]
    at: Point
    """The place of a chip on it."""

    def covers(self, number: Number) -> bool:
        return number in self.numbers

    @property
    def order(self) -> tuple[int, tuple[int, ...]]:
        """The sort key: by type, then in layout order."""
        ranks = sorted(layout_rank(number) for number in self.numbers)
        return _TYPE_ORDER[self.wager_type], tuple(ranks)


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """The cells of the numbers and the boxes beside them, as the felt shows them."""

    cells: Mapping[Number, Rect]
    boxes: Mapping[str, Rect]
    """Box areas by name: `dozen:1`, `red`, `scatter_bonus`."""
    box_numbers: Mapping[str, Sequence[Number]] = field(default_factory=dict)
    """The numbers of each box; a box that wins by the draw has none."""
    cell_size: tuple[float, float] = (75, 86)
    """One unit of u and of v in a picture, in pixels."""
    links: tuple[tuple[Number, ...], ...] = ()
    """Fast Action, Appendix C: drawn beside their rows."""


def area_name(wager_type: WagerType, some: Iterable[Number]) -> str:
    return f"{wager_type.value}:{'/'.join(in_layout_order(some))}"


@cache
def derive_areas(
    layout: Layout, published: frozenset[WagerType]
) -> tuple[BettingArea, ...]:
    """Return the areas of the published types, in the order of lists."""
    areas = [*_straight_ups(layout.cells), *_boxes(layout)]
    if not published.isdisjoint(_ON_LINES):
        areas += _on_lines(layout.cells)
    chosen = [area for area in areas if area.wager_type in published]
    return tuple(sorted(chosen, key=lambda area: area.order))


_ON_LINES = (INSIDE - {WagerType.STRAIGHT_UP}) | {WagerType.TOP_LINE}


def _straight_ups(cells: Mapping[Number, Rect]) -> Iterator[BettingArea]:
    for number, cell in cells.items():
        yield _numbered(WagerType.STRAIGHT_UP, {number}, cell.centre)


def _on_lines(cells: Mapping[Number, Rect]) -> Iterator[BettingArea]:
    """Yield the areas on edges and points that cells share."""
    for (one, cell), (other, beside) in combinations(cells.items(), 2):
        middle = cell.shared_edge(beside)
        if middle is not None:
            yield _numbered(WagerType.SPLIT, {one, other}, middle)
    for point in sorted({p for cell in cells.values() for p in cell.vertices}):
        meeting = {number for number, cell in cells.items() if cell.touches(point)}
        if len(meeting) in _MEETING:
            yield _numbered(_MEETING[len(meeting)], meeting, point)
    yield from _outside_line(cells)


_MEETING = {3: WagerType.STREET, 4: WagerType.CORNER}


def _outside_line(cells: Mapping[Number, Rect]) -> Iterator[BettingArea]:
    """Yield the streets at the rows' ends, six lines and the first line between."""
    head = {number for number, cell in cells.items() if cell.u1 <= 0}
    rows: dict[float, set[Number]] = {}
    for number, cell in cells.items():
        if cell.u0 >= 0:
            rows.setdefault(cell.u0, set()).add(number)
    for u, row in rows.items():
        if len(row) == len(rows[0]) == 3:
            yield _numbered(WagerType.STREET, row, (u + 0.5, 0))
            if u - 1 in rows:
                yield _numbered(WagerType.SIX_LINE, rows[u - 1] | row, (u, 0))
            elif head:
                yield _first_line(head | row)


def _first_line(meeting: set[Number]) -> BettingArea:
    """Return the area of the zeros with 1 2 3: a corner if four, else the top line."""
    if len(meeting) in _MEETING:
        return _numbered(_MEETING[len(meeting)], meeting, (0, 0))
    return _numbered(WagerType.TOP_LINE, meeting, (0, 0))


def _numbered(wager_type: WagerType, some: set[Number], at: Point) -> BettingArea:
    named = wager_type in INSIDE
    name = area_name(wager_type, some) if named else wager_type.value
    return BettingArea(name, wager_type, frozenset(some), at)


def _boxes(layout: Layout) -> Iterator[BettingArea]:
    for name, box in layout.boxes.items():
        wager_type = WagerType(name.partition(":")[0])
        covered = frozenset(layout.box_numbers.get(name, ()))
        yield BettingArea(name, wager_type, covered, box.centre)


def table_layout(head: Mapping[Number, Rect], *, green: bool = False) -> Layout:
    """Lay out twelve rows of three below a head of zeros, with the outside boxes."""
    grid = {
        n: Rect(row, column, row + 1, column + 1)
        for n, (row, column) in zip(
            NUMERALS, ((i // 3, i % 3) for i in range(36)), strict=True
        )
    }
    boxes, box_numbers = _outside_boxes(), _outside_numbers()
    if green:
        left = min(cell.u0 for cell in head.values())
        name = WagerType.GREEN.value
        boxes[name] = Rect(left, _DOZENS_V[0], 0, _DOZENS_V[1])
        box_numbers[name] = tuple(head)
    return Layout({**head, **grid}, boxes, box_numbers)


_DOZENS_V = (-0.63, 0.0)
_CHANCES_V = (-1.35, -0.63)
_CHANCES: Sequence[WagerType] = (
    WagerType.LOW,
    WagerType.EVEN,
    WagerType.RED,
    WagerType.BLACK,
    WagerType.ODD,
    WagerType.HIGH,
)


def _outside_boxes() -> dict[str, Rect]:
    boxes = {f"column:{k}": Rect(12, k - 1, 13, k) for k in (1, 2, 3)}
    for k in (1, 2, 3):
        boxes[f"dozen:{k}"] = Rect(4 * k - 4, _DOZENS_V[0], 4 * k, _DOZENS_V[1])
    for place, chance in enumerate(_CHANCES):
        boxes[chance.value] = Rect(
            2 * place, _CHANCES_V[0], 2 * place + 2, _CHANCES_V[1]
        )
    return boxes


def _outside_numbers() -> dict[str, tuple[Number, ...]]:
    """Return the numbers of the outside boxes: no zero is among them (readings A2)."""
    covered = {
        WagerType.LOW: NUMERALS[:18],
        WagerType.HIGH: NUMERALS[18:],
        WagerType.EVEN: NUMERALS[1::2],
        WagerType.ODD: NUMERALS[::2],
        WagerType.RED: tuple(n for n in NUMERALS if n in RED),
        WagerType.BLACK: tuple(n for n in NUMERALS if n not in RED),
    }
    return {
        **{f"column:{k}": NUMERALS[k - 1 :: 3] for k in (1, 2, 3)},
        **{f"dozen:{k}": NUMERALS[12 * k - 12 : 12 * k] for k in (1, 2, 3)},
        **{kind.value: some for kind, some in covered.items()},
    }
