"""SVG as text: elements, numbers and labels, with all outside text escaped.

Only `tag` makes markup, and words enter it only through `escaped`. A picture has no
style sheet and few ids, because in a notebook several pictures share one page.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Literal

from croupier.drawing.geometry import Box

FONTS = (
    "'Segoe UI Variable','Segoe UI',-apple-system,BlinkMacSystemFont,Roboto,"
    "'Noto Sans','Helvetica Neue','Liberation Sans','DejaVu Sans Condensed',"
    "system-ui,sans-serif"
)
SHADE = "#000000"
"""Shadows and rims, always with an opacity."""

Value = str | float | None


def figure(value: float) -> str:
    """Write a coordinate with at most two decimals, never as a negative zero."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def printable(text: str) -> str:
    """Remove characters that XML forbids or that change the direction of text."""
    return "".join(c if c.isprintable() else "\ufffd" for c in text)


def escaped(text: str) -> str:
    return escape(printable(text))


def tag(name: str, *content: str, **attributes: Value) -> str:
    """Return an element; `stroke_width` becomes `stroke-width`, None is left out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text}"'
        for key, value in attributes.items()
        if value is not None
        for text in [escaped(value) if isinstance(value, str) else figure(value)]
    )
    inside = "".join(content)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def words(name: Literal["title", "desc"], text: str) -> str:
    return tag(name, escaped(text))


def moved(x: float, y: float) -> str:
    return f"translate({figure(x)} {figure(y)})"


def rectangle(box: Box, **attributes: Value) -> str:
    return tag(
        "rect", x=box.x, y=box.y, width=box.width, height=box.height, **attributes
    )


_NARROW = frozenset(" .,:;'|!ijlItf1()-·")
_WIDE = frozenset("MWmw")
_FULL_WIDTH_FROM = "\u1100"
"""First code point of the scripts with square characters."""


def text_width(text: str, size: float) -> float:
    """Estimate the width of bold text; too large rather than too small."""
    return size * sum(map(_width, text))


def _width(character: str) -> float:
    if character in _NARROW:
        return 0.36
    if character in _WIDE:
        return 0.9
    if character >= _FULL_WIDTH_FROM:
        return 1.0
    return 0.73 if character.isupper() else 0.59


@dataclass(frozen=True, slots=True)
class Label:
    """A line of text and its anchor, at half its height."""

    text: str
    x: float
    y: float
    size: float
    anchor: Literal["start", "middle", "end"] = "middle"
    weight: int = 600
    spacing: float | None = None

    @property
    def box(self) -> Box:
        """The estimated space of the text."""
        width = text_width(self.text, self.size) + (self.spacing or 0) * len(self.text)
        left = {"start": 0.0, "middle": width / 2, "end": width}[self.anchor]
        height = self.size * 0.8
        return Box(self.x - left, self.y - height / 2, width, height)

    def draw(self, fill: str, **attributes: Value) -> str:
        return tag(
            "text",
            escaped(self.text),
            x=self.x,
            y=self.y + self.size * 0.36,
            font_size=self.size,
            font_weight=str(self.weight),
            letter_spacing=self.spacing,
            text_anchor=self.anchor,
            fill=fill,
            **attributes,
        )
