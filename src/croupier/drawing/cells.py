"""The cells of the numbers, and the places in each.

A chip never hides its number: the numeral moves aside for a chip or the dolly, and
shrinks to 72 %.

The plate under a number shows its colour by its shape, too: round is red, square is
black, six-sided is green.
"""

from __future__ import annotations

from dataclasses import dataclass

from croupier.drawing.geometry import Box, union
from croupier.drawing.picture import Picture, pays_when_lit
from croupier.drawing.svg import Label, Value, figure, rectangle, tag
from croupier.drawing.theme import Palette
from croupier.rules.layout import Point
from croupier.rules.wheel import Colour, Number, colour_of

_ASIDE = 0.72
"""The size of a numeral that has moved aside, as a share of its usual size."""


@dataclass(frozen=True, slots=True)
class _CellPlaces:
    """The places of numeral, chip and dolly, from the centre of the cell."""

    numeral: Point
    chip: Point
    dolly: Point
    dolly_scale: float


def cell_places(picture: Picture, number: Number) -> _CellPlaces:
    box = picture.box_of(number)
    chip = number in picture.straight_ups
    dolly = number == picture.winning_number
    if box.is_wide:
        return _side_by_side(box, lit=number in picture.lit, chip=chip, dolly=dolly)
    return _one_above_another(box, chip=chip, dolly=dolly)


def _one_above_another(box: Box, *, chip: bool, dolly: bool) -> _CellPlaces:
    # Clear of the chips that may lie on the four edges of the cell.
    up = -min(0.21 * box.height, 18.0)
    if chip and dolly:
        return _CellPlaces((-8, up), (0, 13), (14, up - 2), 0.6)
    numeral = (0.0, up) if chip or dolly else (0.0, 0.0)
    return _CellPlaces(numeral, (0, 11), (0, 13), 0.95)


def _side_by_side(box: Box, *, lit: bool, chip: bool, dolly: bool) -> _CellPlaces:
    held = chip or dolly
    aside = -0.17 if lit and held else -0.13 if lit else -0.22 if held else 0.0
    numeral = (aside * box.width, 0.0)
    right = box.width / 2 - 27
    return _CellPlaces(
        numeral, (right, 0), (right - 31 if chip else right - 10, -2), 0.72
    )


def numeral(picture: Picture, number: Number) -> Label:
    box = picture.box_of(number)
    (x, y), (dx, dy) = box.centre, cell_places(picture, number).numeral
    size = min(25.0, 0.53 * box.height, 0.34 * box.width)
    if len(number) > 2:
        size *= 0.8
    held = number in picture.straight_ups or number == picture.winning_number
    return Label(number, x + dx, y + dy, size * (_ASIDE if held else 1))


def draw_cells(picture: Picture) -> str:
    return "".join(_draw_cell(picture, number) for number in picture.numbers)


def _draw_cell(picture: Picture, number: Number) -> str:
    palette, box = picture.palette, picture.box_of(number)
    wins = number == picture.winning_number
    cell = rectangle(
        box, class_="cell", fill="none", stroke=palette.felt_line, stroke_width=1.25
    )
    glow = rectangle(
        box.inset(1), fill=palette.lamp, stroke=palette.brass, stroke_width=2
    )
    rim = 0.0 if number not in picture.lit else 4.0 if number in picture.supers else 2.6
    return tag(
        "g",
        cell,
        glow if wins else "",
        _draw_plate(palette, number, box.inset(4.5 if box.is_wide else 5), lit=rim),
        numeral(picture, number).draw(palette.numeral),
        _lamp(picture, number, box) if rim else "",
        class_="number",
        data_number=number,
    )


def _lamp(picture: Picture, number: Number, box: Box) -> str:
    """Draw a four-pointed star as the sign of light, and the pay of a lit number."""
    x, y = box.x + min(21, 0.2 * box.width), box.centre[1]
    if not box.is_wide:
        y = box.y + min(21, 0.2 * box.height)
    long, short = 7.0, 2.2
    points = [
        (0, -long),
        (short, -short),
        (long, 0),
        (short, short),
        (0, long),
        (-short, short),
        (-long, 0),
        (-short, -short),
    ]
    star = tag(
        "polygon",
        class_="lamp",
        points=" ".join(f"{figure(x + dx)},{figure(y + dy)}" for dx, dy in points),
        fill=picture.palette.lamp,
    )
    return star + _pays(picture, number, box)


def _pays(picture: Picture, number: Number, box: Box) -> str:
    pays = pays_when_lit(picture, number)
    held = number in picture.straight_ups or number == picture.winning_number
    if pays is None or held or not box.is_wide:
        return ""
    label = Label(f"{pays} to 1", box.right - 14, box.centre[1], 12.5, "end", 700)
    return label.draw(picture.palette.lamp_ink)


LINKS_WIDTH = 170.0
"""The width of the links beside the layout."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


def draw_links(picture: Picture) -> str:
    if not picture.has_links:
        return ""
    known = set(picture.numbers)
    return "".join(
        _draw_link(picture, letter, link)
        for letter, link in zip(_LETTERS, picture.game.layout.links, strict=False)
        if known.issuperset(link)
    )


def _draw_link(picture: Picture, letter: str, link: tuple[Number, ...]) -> str:
    palette = picture.palette
    row = union(picture.box_of(number) for number in link)
    x, y = row.right + 18, row.centre[1]
    lights = [
        tag(
            "circle",
            class_="light",
            data_number=number,
            data_lit="yes" if number in picture.lit else "no",
            cx=x + 28 + 15 * place,
            cy=y,
            r=5,
            fill=palette.brass if number in picture.lit else "none",
            stroke=palette.brass if number in picture.lit else palette.felt_line,
            stroke_width=1.5,
        )
        for place, number in enumerate(link)
    ]
    name = Label(letter, x, y, 17, "start").draw(palette.felt_ink)
    return tag("g", name, *lights, class_="link", data_link=letter)


def draw_super_frames(picture: Picture) -> str:
    """Draw the frame around each fully lit link, over the cells."""
    if not picture.has_links:
        return ""
    whole = [link for link in picture.game.layout.links if link[0] in picture.supers]
    return "".join(_frame(picture, link) for link in whole)


def _frame(picture: Picture, link: tuple[Number, ...]) -> str:
    palette = picture.palette
    row = union(picture.box_of(number) for number in link)
    frame = rectangle(
        row.inset(-4, -2), rx=8, fill="none", stroke=palette.brass, stroke_width=3
    )
    x = row.right + 18 + 28 + 15 * len(link)
    word = Label("SUPER", x, row.centre[1], 13, "start", 700, spacing=0.4)
    return tag("g", frame, word.draw(palette.brass), class_="super-bonus")


def _draw_plate(palette: Palette, number: Number, box: Box, *, lit: float = 0) -> str:
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
    numeral = Label(number, *box.centre, size_of_three if len(number) > 2 else size)
    return _draw_plate(palette, number, box) + numeral.draw(palette.numeral)


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
