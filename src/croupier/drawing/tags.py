"""The small tags at chips: what was paid, whose colour chips they are.

A tag is laid where it hides least of what is already there: numerals, words, chips
and the tags before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from croupier.drawing.chips import Heap, paid_text
from croupier.drawing.heaps import RADIUS, RING_REACH, Lying
from croupier.drawing.plane import Box
from croupier.drawing.svg import SHADE, Label, Value, rectangle, tag, text_width
from croupier.drawing.theme import Palette

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
    palette: Palette,
    lying: Sequence[Lying],
    taken: Sequence[Box],
    within: Box,
) -> str:
    """Every heap's tags; `taken` is what they should leave in sight."""
    taken, drawn = list(taken), []
    for one in lying:
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


def _best(text: str, lying: Lying, taken: Sequence[Box], within: Box) -> Box:
    """The place that hides least; leaving the cell or the picture costs too."""
    home = lying.home or within

    def cost(box: Box) -> float:
        hidden = sum(box.shared(other) for other in taken)
        away = box.area - box.shared(home)
        return hidden + 0.3 * away + 10 * (box.area - box.shared(within))

    return min(_around(lying, text_width(text, _SIZE) + 11), key=cost)


def _around(lying: Lying, width: float) -> Iterator[Box]:
    """Below the chip first, as at a table; then above it and to its sides."""
    (x, y), near = lying.at, lying.scale * RADIUS - 4
    far = lying.scale * RADIUS + RING_REACH + 1
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
