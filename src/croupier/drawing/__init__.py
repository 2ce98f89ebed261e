"""Pictures of a game: its layout, racetrack, chips, dolly and wheel as SVG.

A picture is one self-contained document without script, style sheet or outside font.
Nothing here asks which game it has: the cells, boxes, links, ring and wagers say all.
"""

from croupier.drawing.chips import DrawnChips
from croupier.drawing.picture import NotOnLayout
from croupier.drawing.table import draw, draw_round, draw_table
from croupier.drawing.theme import Theme
from croupier.drawing.wheel import draw_wheel

__all__ = [
    "DrawnChips",
    "NotOnLayout",
    "Theme",
    "draw",
    "draw_round",
    "draw_table",
    "draw_wheel",
]
