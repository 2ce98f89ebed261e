"""Reads a drawing back: which parts it has, and where they are."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Frame:
    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2

    def holds(self, point: tuple[float, float]) -> bool:
        x, y = point
        along = self.x < x < self.x + self.width
        return along and self.y < y < self.y + self.height


class Read:
    """A drawing, parsed."""

    def __init__(self, svg: str) -> None:
        self.root = ElementTree.fromstring(svg)

    def every(self, kind: str) -> Iterator[ElementTree.Element]:
        """The elements of a class, in the order in which they are drawn."""
        for element in self.root.iter():
            if kind in element.get("class", "").split():
                yield element

    def one(self, kind: str, **data: str) -> ElementTree.Element:
        wanted = {f"data-{key}": value for key, value in data.items()}
        [found] = [
            element
            for element in self.every(kind)
            if all(element.get(key) == value for key, value in wanted.items())
        ]
        return found

    def cell(self, number: str) -> Frame:
        return frame(self.one("number", number=number))

    def box(self, area: str) -> Frame:
        return frame(self.one("box", area=area))

    def chip(self, area: str) -> tuple[float, float]:
        return position(self.one("chip", area=area))

    def words(self, name: str) -> str:
        return self.root.findtext(f"{SVG}{name}") or ""


def frame(element: ElementTree.Element) -> Frame:
    """The frame of a cell or box: its first rectangle."""
    rect = next(element.iter(f"{SVG}rect"))
    x, y, width, height = (
        float(rect.get(key, "nan")) for key in ("x", "y", "width", "height")
    )
    return Frame(x, y, width, height)


def position(element: ElementTree.Element) -> tuple[float, float]:
    found = re.match(r"translate\((\S+) (\S+)\)", element.get("transform", ""))
    assert found is not None
    return float(found[1]), float(found[2])


def texts(element: ElementTree.Element) -> list[str]:
    return [text.text or "" for text in element.iter(f"{SVG}text")]
