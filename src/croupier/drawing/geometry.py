"""Boxes of a picture, and the conversion of the layout's u and v to pixels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from croupier.rules.layout import Layout, Point, Rect


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle of the picture; y runs down."""

    x: float
    y: float
    width: float
    height: float

    @property
    def right(self) -> float:
        return self.x + self.width

    @property
    def bottom(self) -> float:
        return self.y + self.height

    @property
    def centre(self) -> Point:
        return self.x + self.width / 2, self.y + self.height / 2

    @property
    def area(self) -> float:
        return self.width * self.height

    @property
    def is_wide(self) -> bool:
        """Return whether the contents should lie side by side."""
        return self.width > 1.25 * self.height

    def inset(self, along: float, across: float | None = None) -> Box:
        across = along if across is None else across
        return Box(
            self.x + along,
            self.y + across,
            self.width - 2 * along,
            self.height - 2 * across,
        )

    def shared(self, other: Box) -> float:
        """Return the area that both boxes cover, in square pixels."""
        along = min(self.right, other.right) - max(self.x, other.x)
        across = min(self.bottom, other.bottom) - max(self.y, other.y)
        return max(along, 0) * max(across, 0)


def box_around(point: Point, reach: float) -> Box:
    x, y = point
    return Box(x - reach, y - reach, 2 * reach, 2 * reach)


def union(boxes: Iterable[Box]) -> Box:
    """Return the smallest box around at least one box."""
    every = list(boxes)
    x, y = min(box.x for box in every), min(box.y for box in every)
    right, bottom = max(box.right for box in every), max(box.bottom for box in every)
    return Box(x, y, right - x, bottom - y)


@dataclass(frozen=True, slots=True)
class Plane:
    """The Player's view: zeros at the left, the outside line below."""

    left: float
    """The least u; the origin lies at the least u and the greatest v."""
    top: float
    unit: tuple[float, float]
    origin: Point

    @classmethod
    def of(cls, layout: Layout, origin: Point) -> Plane:
        around = _around(layout)
        return cls(around.u0, around.v1, layout.cell_size, origin)

    def point(self, at: Point) -> Point:
        (u, v), (along, across), (x, y) = at, self.unit, self.origin
        return x + (u - self.left) * along, y + (self.top - v) * across

    def box(self, rect: Rect) -> Box:
        x, y = self.point((rect.u0, rect.v1))
        right, bottom = self.point((rect.u1, rect.v0))
        return Box(x, y, right - x, bottom - y)


def _around(layout: Layout) -> Rect:
    """Return the smallest rectangle around all cells and boxes."""
    nothing = Rect(0, 0, 0, 0)
    rects = [*layout.cells.values(), *layout.boxes.values()] or [nothing]
    u0, v0 = min(rect.u0 for rect in rects), min(rect.v0 for rect in rects)
    return Rect(u0, v0, max(rect.u1 for rect in rects), max(rect.v1 for rect in rects))


def layout_size(layout: Layout) -> tuple[float, float]:
    """Return width and height of the layout in pixels."""
    around, (along, across) = _around(layout), layout.cell_size
    return (around.u1 - around.u0) * along, (around.v1 - around.v0) * across
