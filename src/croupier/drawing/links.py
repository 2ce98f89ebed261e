"""The links beside the layout, each with a light for each of its numbers."""

from __future__ import annotations

from croupier.drawing.picture import Picture
from croupier.drawing.plane import union
from croupier.drawing.svg import Label, rectangle, tag
from croupier.rules.wheel import Number

WIDTH = 170.0
"""The room that they take beside the layout."""
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
    """The frame around a link that is lit whole, over the cells."""
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
