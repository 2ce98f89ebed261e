"""The boxes beside the numbers: dozens, columns, even chances, bonus wagers."""

from __future__ import annotations

from dataclasses import replace

from croupier.drawing.geometry import Box
from croupier.drawing.heaps import RADIUS
from croupier.drawing.picture import Picture
from croupier.drawing.svg import Label, figure, rectangle, tag
from croupier.rules.layout import BettingArea, Point, WagerType
from croupier.rules.wheel import in_layout_order

_ORDINALS = {"1": "1st", "2": "2nd", "3": "3rd"}
_HALVES = frozenset({WagerType.LOW, WagerType.HIGH})
_DIAMONDS = frozenset({WagerType.RED, WagerType.BLACK})
_SIGNS = frozenset(
    {WagerType.BONUS_WIN, WagerType.SUPER_BONUS_WIN, WagerType.SCATTER_BONUS}
)
"""Boxes that show their pay and stand apart from the cells."""


def box_of(picture: Picture, area: BettingArea) -> Box:
    box = picture.plane.box(picture.game.layout.boxes[area.name])
    return box.inset(3, 4) if area.wager_type in _SIGNS else box


def chip_place(picture: Picture, area: BettingArea) -> Point:
    """Return the place of a chip in the box: beside its words, or below them."""
    box = box_of(picture, area)
    x, y = box.centre
    if area.wager_type in _SIGNS:
        return box.right - 34, y
    if not box.is_wide:
        return x, y + min(11, 0.2 * box.height)
    # The chip fits between the points where a street and a six line touch a dozen.
    aside = min(0.72 * picture.plane.unit[0], box.width / 2 - RADIUS - 4)
    return x + aside, y + _down(area)


def _down(area: BettingArea) -> float:
    """Return the shift of a dozen's chip, away from chips on the outside line."""
    return 3 if area.wager_type is WagerType.DOZEN else 0


def box_labels(picture: Picture, area: BettingArea) -> list[Label]:
    """Return the words in the box, moved aside if a chip would hide them."""
    box = box_of(picture, area)
    if area.wager_type in _SIGNS:
        return _sign(picture, area, box)
    label = _centred(picture, area, box)
    if area.name not in picture.heaps:
        return [label]
    if not box.is_wide:
        return [replace(label, y=label.y - min(23, 0.28 * box.height))]
    return [_left_of(chip_place(picture, area)[0] - RADIUS - 3, label, box)]


def _sign(picture: Picture, area: BettingArea, box: Box) -> list[Label]:
    x, y = box.x + 14, box.centre[1]
    title = area.wager_type.title.upper()
    labels = [Label(title, x, y - 7, 15, "start", 700, spacing=0.4)]
    pays = picture.game.pay_table.get(area.wager_type)
    if isinstance(pays, int):
        labels.append(Label(f"pays {pays} to 1", x, y + 9, 12.5, "start", 400))
    return labels


def _centred(picture: Picture, area: BettingArea, box: Box) -> Label:
    x, y = box.centre
    if area.wager_type in _DIAMONDS:
        return Label(_words(picture, area), x, box.bottom - 13, 12.5, spacing=0.6)
    size = 17 if box.is_wide else 16
    return Label(_words(picture, area), x, y + _down(area), size)


def _words(picture: Picture, area: BettingArea) -> str:
    _, _, index = area.name.partition(":")
    pays = picture.game.pay_table.get(area.wager_type)
    if area.wager_type is WagerType.DOZEN:
        return f"{_ORDINALS.get(index, index)} {len(area.numbers)}"
    if area.wager_type in _HALVES and area.numbers:
        ends = in_layout_order(area.numbers)
        return f"{ends[0]}–{ends[-1]}"
    if area.wager_type is WagerType.COLUMN and isinstance(pays, int):
        return f"{pays} to 1"
    return area.wager_type.title.upper()


def _left_of(limit: float, label: Label, box: Box) -> Label:
    """Move the label left of the limit, and shrink it if necessary."""
    room = limit - box.x - 4
    if label.box.width > room:
        label = replace(label, size=max(12, label.size * room / label.box.width))
    over = label.box.right - limit
    return replace(label, x=label.x - over) if over > 0 else label


def draw_boxes(picture: Picture) -> str:
    return "".join(_draw_box(picture, area) for area in picture.box_areas)


def _draw_box(picture: Picture, area: BettingArea) -> str:
    palette, sign = picture.palette, area.wager_type in _SIGNS
    wins = picture.winning_number is not None and picture.winning_number in area.numbers
    frame = rectangle(
        box_of(picture, area),
        class_="cell",
        fill=palette.felt_hot if sign or wins else "none",
        stroke=palette.felt_line,
        stroke_width=1.25,
        rx=6 if sign else None,
    )
    diamond = diamond_box(picture, area)
    shape = _diamond(picture, area, diamond) if diamond else ""
    written = [label.draw(palette.felt_ink) for label in box_labels(picture, area)]
    return tag("g", frame, shape, *written, class_="box", data_area=area.name)


def diamond_box(picture: Picture, area: BettingArea) -> Box | None:
    """Return the space of the diamond in the boxes of the two colours."""
    if area.wager_type not in _DIAMONDS:
        return None
    box = box_of(picture, area)
    return Box(box.centre[0] - 26, box.y + 0.37 * box.height - 13, 52, 26)


def _diamond(picture: Picture, area: BettingArea, box: Box) -> str:
    palette, (x, y) = picture.palette, box.centre
    points = [(0, -13), (26, 0), (0, 13), (-26, 0)]
    return tag(
        "polygon",
        points=" ".join(f"{figure(x + dx)},{figure(y + dy)}" for dx, dy in points),
        fill=palette.red if area.wager_type is WagerType.RED else palette.black,
        stroke=palette.felt_ink,
        stroke_width=1.4,
        stroke_linejoin="round",
    )


def draw_outside_line(picture: Picture) -> str:
    """Draw the second of the double lines on which streets and six lines lie."""
    on_line = {WagerType.STREET, WagerType.SIX_LINE}
    if not any(
        area.wager_type in on_line and area.at[1] == 0 for area in picture.game.areas
    ):
        return ""
    ends = [rect.u1 for rect in picture.game.layout.cells.values()]
    (x1, y), (x2, _) = (picture.plane.point((u, 0)) for u in (0, max(ends)))
    return tag(
        "line",
        x1=x1,
        x2=x2,
        y1=y + 3.2,
        y2=y + 3.2,
        stroke=picture.palette.felt_line,
        stroke_width=1.25,
    )
