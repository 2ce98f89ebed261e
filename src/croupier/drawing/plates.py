"""The plate under a number: round is red, square is black, six-sided is green."""

from __future__ import annotations

from croupier.drawing.geometry import Box
from croupier.drawing.svg import Label, Value, figure, rectangle, tag
from croupier.drawing.theme import Palette
from croupier.rules.layout import Point
from croupier.rules.wheel import Colour, Number, colour_of


def draw_plate(palette: Palette, number: Number, box: Box, *, lit: float = 0) -> str:
    """Draw the number's plate in the box; `lit` is the width of its bright rim."""
    colour = colour_of(number)
    paint: dict[str, Value] = {
        "fill": palette.of(colour),
        "stroke": palette.lamp if lit else palette.plate_rim,
        "stroke_width": lit or 1.0,
        "stroke_opacity": None if lit else palette.plate_rim_opacity,
    }
    small = min(box.width, box.height)
    if colour is Colour.RED:
        return rectangle(box, rx=small / 2, **paint)
    if colour is Colour.BLACK:
        return rectangle(box, rx=min(4, small / 8), **paint)
    points = " ".join(f"{figure(x)},{figure(y)}" for x, y in _six_sides(box))
    return tag("polygon", points=points, stroke_linejoin="round", **paint)


def draw_numbered_plate(
    palette: Palette, number: Number, box: Box, size: float, size_of_three: float
) -> str:
    """Draw a plate with its number; three digits are smaller."""
    numeral = Label(number, *box.centre, size_of_three if len(number) > 2 else size)
    return draw_plate(palette, number, box) + numeral.draw(palette.numeral)


def _six_sides(box: Box) -> list[Point]:
    """Return a hexagon with its points along the longer way of the box."""
    x, y = box.centre
    if box.height > 1.15 * box.width:
        cut = min(0.26 * box.width, 18)
        return [
            (x, box.y),
            (box.right, box.y + cut),
            (box.right, box.bottom - cut),
            (x, box.bottom),
            (box.x, box.bottom - cut),
            (box.x, box.y + cut),
        ]
    cut = min(0.28 * min(box.width, box.height), 16)
    return [
        (box.x + cut, box.y),
        (box.right - cut, box.y),
        (box.right, y),
        (box.right - cut, box.bottom),
        (box.x + cut, box.bottom),
        (box.x, y),
    ]
