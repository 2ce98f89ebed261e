"""How a heap of chips looks: its largest chip, with the total on its face."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import dist, inf, tau

from croupier.drawing.chips import Heap
from croupier.drawing.denominations import (
    Denomination,
    chip_colour,
    largest_denomination,
)
from croupier.drawing.money import FACE_LENGTH, on_face
from croupier.drawing.plane import Box
from croupier.drawing.svg import (
    SHADE,
    Label,
    figure,
    moved,
    rectangle,
    tag,
    text_width,
    words,
)
from croupier.drawing.theme import Palette
from croupier.rules.layout import Point

RADIUS = 17.0
FACE, FACE_INK = "#fbf6e8", "#15181b"
RING_REACH = 5.5
"""How far the ring of a winning chip stands out."""


@dataclass(frozen=True, slots=True)
class Lying:
    """A heap and where it lies; it shrinks where another lies close by."""

    heap: Heap
    at: Point
    scale: float = 1.0
    home: Box | None = None
    """The cell or box that it lies in; None on a line."""


_SMALLEST_SCALE = 0.62


def lay(heaps_at: Sequence[tuple[Heap, Point, Box | None]]) -> list[Lying]:
    """The heaps, each small enough not to hide the next."""
    return [
        Lying(
            heap,
            at,
            _scale(at, [other for k, (_, other, _) in enumerate(heaps_at) if k != own]),
            home,
        )
        for own, (heap, at, home) in enumerate(heaps_at)
    ]


def _scale(at: Point, others: Iterable[Point]) -> float:
    nearest = min((dist(at, other) for other in others), default=inf)
    return min(1.0, max(_SMALLEST_SCALE, nearest / (2 * RADIUS + 2)))


def draw_heap(palette: Palette, lying: Lying, says: str) -> str:
    """The heap as its largest chip with the total on its face."""
    heap = lying.heap
    kind = largest_denomination(heap.cents)
    colour = chip_colour(heap.colour) if heap.colour else kind.colour
    state = {True: "won", False: "lost", None: "registered"}[heap.won]
    return tag(
        "g",
        words("title", says),
        _pile(heap.cents // kind.cents, colour),
        _edge(kind, colour),
        _face(heap.cents, colour),
        _ring(palette) if heap.won else "",
        class_=f"chip {state}",
        data_area=heap.area,
        transform=_transform(lying),
        opacity=0.45 if heap.won is False else None,
    )


def _transform(lying: Lying) -> str:
    move = moved(*lying.at)
    return move if lying.scale == 1 else f"{move} scale({figure(lying.scale)})"


def _pile(count: int, colour: str) -> str:
    """The shadow and, below the top chip, the edges of up to three others."""
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


def _edge(kind: Denomination, colour: str) -> str:
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


def _turn(kind: Denomination) -> float:
    """Turns the marks so that the first stands upright, dots aslant."""
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
