"""Chips as they are drawn: denominations, heaps on the layout, and their tags."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import dist, inf, tau

from croupier.drawing.chips import FACE_LENGTH, Heap, on_face, paid_text
from croupier.drawing.geometry import Box
from croupier.drawing.svg import (
    SHADE,
    Label,
    Value,
    figure,
    moved,
    rectangle,
    tag,
    text_width,
    words,
)
from croupier.drawing.theme import Palette
from croupier.rules.layout import Point


@dataclass(frozen=True, slots=True)
class _Denomination:
    """A chip's value, its colour, and the marks around its edge."""

    cents: int
    colour: str
    marks: int
    dashes: tuple[float, ...]
    """Lengths of marks and gaps in turn; they add up to 1 and repeat `marks` times."""
    dots: bool = False


_DENOMINATIONS = (
    _Denomination(100_000, "#a8690f", 16, (0.36, 0.64)),
    _Denomination(50_000, "#5f46a8", 3, (0.62, 0.38)),
    _Denomination(10_000, "#22262c", 4, (0.11, 0.17, 0.11, 0.61)),
    _Denomination(2_500, "#1f7a50", 6, (0.3, 0.7)),
    _Denomination(500, "#b83a35", 4, (0.38, 0.62)),
    _Denomination(100, "#8d8a80", 4, (0, 1), dots=True),
)
_COLOURS = {
    "red": "#b83a35",
    "orange": "#c2571a",
    "amber": "#a8690f",
    "yellow": "#c79a16",
    "lime": "#6f9a1f",
    "green": "#1f7a50",
    "teal": "#157a80",
    "cyan": "#1583a5",
    "blue": "#2a5fb0",
    "navy": "#24386f",
    "violet": "#5f46a8",
    "purple": "#7a3fa0",
    "lavender": "#8f7cc0",
    "pink": "#c2508a",
    "brown": "#74492a",
    "black": "#22262c",
    "grey": "#75726a",
    "gray": "#75726a",
    "white": "#b9b3a2",
}
_HEX = re.compile(r"#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})")


def _largest_denomination(cents: int) -> _Denomination:
    """Return the largest chip within the amount, or the smallest chip."""
    for each in _DENOMINATIONS:
        if cents >= each.cents:
            return each
    return _DENOMINATIONS[-1]


def _chip_colour(named: str) -> str:
    """Return a known colour or hex digits: no other text may enter an attribute."""
    if _HEX.fullmatch(named):
        return named.lower()
    return _COLOURS.get(named.strip().lower(), _COLOURS["grey"])


RADIUS = 17.0
FACE, FACE_INK = "#fbf6e8", "#15181b"
_RING_REACH = 5.5
"""Distance from the rim of a winning chip to the edge of its ring."""


@dataclass(frozen=True, slots=True)
class PlacedHeap:
    """A heap and its place; it is smaller if another is close by."""

    heap: Heap
    at: Point
    scale: float = 1.0
    home: Box | None = None
    """Its cell or box; None on a line."""


_SMALLEST_SCALE = 0.62


def place_heaps(heaps_at: Sequence[tuple[Heap, Point, Box | None]]) -> list[PlacedHeap]:
    """Place the heaps, each small enough not to hide the next."""
    placed = []
    for heap, at, home in heaps_at:
        others = (there for other, there, _ in heaps_at if other is not heap)
        nearest = min((dist(at, there) for there in others), default=inf)
        scale = min(1.0, max(_SMALLEST_SCALE, nearest / (2 * RADIUS + 2)))
        placed.append(PlacedHeap(heap, at, scale, home))
    return placed


def draw_heap(palette: Palette, placed: PlacedHeap, says: str) -> str:
    """Draw the heap as its largest chip with the total on its face."""
    heap = placed.heap
    kind = _largest_denomination(heap.cents)
    colour = _chip_colour(heap.colour) if heap.colour else kind.colour
    state = {True: "won", False: "lost", None: "registered"}[heap.won]
    scale = "" if placed.scale == 1 else f" scale({figure(placed.scale)})"
    return tag(
        "g",
        words("title", says),
        _pile(heap.cents // kind.cents, colour),
        _edge(kind, colour),
        _face(heap.cents, colour),
        _ring(palette) if heap.won else "",
        class_=f"chip {state}",
        data_area=heap.area,
        transform=moved(*placed.at) + scale,
        opacity=0.45 if heap.won is False else None,
    )


def _pile(count: int, colour: str) -> str:
    """Draw the shadow and, below the top chip, the edges of up to three others."""
    below = min(count, 4) - 1
    shadow = tag(
        "circle", cy=2.4 + 1.6 * max(below, 0), r=RADIUS, fill=SHADE, opacity=0.35
    )
    edges = [
        tag("circle", cy=1.6 * step, r=RADIUS, fill=colour, **_RIM)
        for step in range(below, 0, -1)
    ]
    return shadow + "".join(edges)


_RIM: dict[str, str | float] = {
    "stroke": SHADE,
    "stroke_opacity": 0.45,
    "stroke_width": 1,
}


def _edge(kind: _Denomination, colour: str) -> str:
    radius = 0.84 * RADIUS
    share = tau * radius / kind.marks
    marks = tag(
        "circle",
        r=radius,
        fill="none",
        stroke=FACE,
        stroke_width=(0.22 if kind.dots else 0.3) * RADIUS,
        stroke_linecap="round" if kind.dots else None,
        stroke_dasharray=" ".join(figure(part * share) for part in kind.dashes),
        transform=f"rotate({figure(_turn(kind))})",
    )
    return tag("circle", r=RADIUS, fill=colour, **_RIM) + marks


def _turn(kind: _Denomination) -> float:
    """Return the turn, in degrees, that puts the first mark upright and dots aslant."""
    length = sum(kind.dashes[:-1])
    return -90 - 180 * length / kind.marks + (45 if kind.dots else 0)


_FACE_SIZES = {1: 14.5, 2: 14.5, 3: 12.0, 4: 10.0}
_SMALLEST = 8.8


def _face(cents: int, colour: str) -> str:
    text = on_face(cents)
    size = _FACE_SIZES.get(len(text), _SMALLEST)
    label = Label(text, 0, 0, size, weight=700)
    reach = 0.72 * RADIUS
    face = tag("circle", r=reach, fill=FACE, stroke=colour, stroke_width=1)
    if len(text) > FACE_LENGTH:
        wide = text_width(text, size) + 6
        strip = Box(-wide / 2, -7.5, wide, 15)
        face += rectangle(strip, rx=7.5, fill=FACE, stroke=colour, stroke_width=1.2)
    return face + label.draw(FACE_INK)


def _ring(palette: Palette) -> str:
    return tag(
        "circle",
        class_="ring",
        r=RADIUS + 4,
        fill="none",
        stroke=palette.brass,
        stroke_width=3,
    )


_SIZE = 12.5
_HEIGHT = 18.0
_LONGEST_NAME = 12


@dataclass(frozen=True, slots=True)
class _Tag:
    text: str
    kind: str
    fill: str
    ink: str


def draw_tags(
    palette: Palette, placed: Sequence[PlacedHeap], taken: Sequence[Box], within: Box
) -> str:
    """Draw the tags of all heaps; they should not hide the boxes in `taken`."""
    taken, drawn = list(taken), []
    for one in placed:
        for each in _tags(palette, one.heap):
            box = _best(each.text, one, taken, within)
            taken.append(box)
            drawn.append(_draw(each, box, one.heap.area))
    return "".join(drawn)


def _tags(palette: Palette, heap: Heap) -> Iterator[_Tag]:
    paid = paid_text(heap)
    if paid:
        yield _Tag(paid, "paid", palette.brass, palette.brass_ink)
    if heap.owner:
        name = heap.owner
        if len(name) > _LONGEST_NAME:
            name = name[: _LONGEST_NAME - 1] + "…"
        yield _Tag(name, "owner", palette.tag, palette.tag_ink)


def _best(text: str, placed: PlacedHeap, taken: Sequence[Box], within: Box) -> Box:
    """Return the place that hides least and stays best in its cell and the picture."""
    home = placed.home or within

    def cost(box: Box) -> float:
        hidden = sum(box.shared(other) for other in taken)
        away = box.area - box.shared(home)
        return hidden + 0.3 * away + 10 * (box.area - box.shared(within))

    return min(_around(placed, text_width(text, _SIZE) + 11), key=cost)


def _around(placed: PlacedHeap, width: float) -> Iterator[Box]:
    """Yield places: below the chip first, as at a table, then above and beside it."""
    (x, y), near = placed.at, placed.scale * RADIUS - 4
    far = placed.scale * RADIUS + _RING_REACH + 1
    for left in (-width / 2, -RADIUS, RADIUS - width):
        yield Box(x + left, y + near, width, _HEIGHT)
        yield Box(x + left, y - near - _HEIGHT, width, _HEIGHT)
    for top in (-_HEIGHT / 2, 1, -1 - _HEIGHT):
        yield Box(x + far, y + top, width, _HEIGHT)
        yield Box(x - far - width, y + top, width, _HEIGHT)


def _draw(each: _Tag, box: Box, area: str) -> str:
    rim: dict[str, Value] = {"stroke": SHADE, "stroke_opacity": 0.55}
    label = Label(each.text, *box.centre, _SIZE, weight=700)
    return tag(
        "g",
        rectangle(box, rx=_HEIGHT / 2, fill=each.fill, **rim),
        label.draw(each.ink),
        class_=each.kind,
        data_area=area,
    )
