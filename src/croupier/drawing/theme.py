"""The two themes, with the colour of every part of a picture."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from croupier.rules.wheel import Colour


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of one theme; the contrasts between them are tested."""

    felt: str
    felt_line: str
    felt_ink: str
    felt_hot: str
    brass: str
    brass_ink: str
    tag: str
    tag_ink: str
    plate_rim: str
    plate_rim_opacity: float
    red: str = "#b3202d"
    black: str = "#131619"
    green: str = "#12704a"
    numeral: str = "#fffaf0"
    lamp: str = "#ffd77f"
    lamp_ink: str = "#ffe3a6"

    def of(self, colour: Colour) -> str:
        return {
            Colour.RED: self.red,
            Colour.BLACK: self.black,
            Colour.GREEN: self.green,
        }[colour]


_DARK = Palette(
    felt="#0e4034",
    felt_line="#8fa797",
    felt_ink="#f5f0e2",
    felt_hot="#1b5c4b",
    brass="#ecc36f",
    brass_ink="#1d1504",
    tag="#121a17",
    tag_ink="#f5f0e2",
    plate_rim="#ffffff",
    plate_rim_opacity=0.5,
)
_LIGHT = Palette(
    felt="#d3e3d9",
    felt_line="#5d7a6c",
    felt_ink="#12241d",
    felt_hot="#b4d3c2",
    brass="#6b4800",
    brass_ink="#ffffff",
    tag="#fbf9f3",
    tag_ink="#14201b",
    plate_rim="#000000",
    plate_rim_opacity=0.13,
    black="#1b1f23",
)


@unique
class Theme(Enum):
    """Dark felt, or light."""

    DARK = "dark"
    LIGHT = "light"

    @property
    def palette(self) -> Palette:
        return _LIGHT if self is Theme.LIGHT else _DARK
