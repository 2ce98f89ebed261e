"""The dolly, which marks the winning number."""

from __future__ import annotations

from croupier.drawing.svg import SHADE, figure, moved, tag
from croupier.rules.layout import Point
from croupier.rules.wheel import Number

REACH = 20.0
"""Half its height at scale 1."""


def draw_dolly(number: Number, at: Point, scale: float) -> str:
    shadow = tag("ellipse", cx=2, cy=15, rx=16, ry=5, fill=SHADE, opacity=0.4)
    body = tag(
        "path",
        d="M-14 13C-14 8-8 7-6 2-4-3-4-5-4.5-7.5A7.5 7.5 0 1 1 4.5-7.5"
        "C4-5 4-3 6 2 8 7 14 8 14 13 14 18.5-14 18.5-14 13Z",
        fill="#fffdf4",
        stroke="#3b2c0c",
        stroke_width=1.4,
    )
    gloss = tag(
        "path",
        d="M-3.4-16.4A4.6 4.6 0 0 0-4.6-11M-10 12.2Q-5 9-3.6 3.4",
        fill="none",
        stroke="#cdbb8a",
        stroke_width=1.5,
        stroke_linecap="round",
    )
    return tag(
        "g",
        shadow,
        body,
        gloss,
        class_="dolly",
        data_number=number,
        transform=f"{moved(*at)} scale({figure(scale)})",
    )
