"""Pictures of a game: its layout, racetrack, chips and dolly as SVG.

A picture is one self-contained document without script, style sheet or outside font.
No code here asks for the name of the game, only for its cells, boxes, links and ring.
"""

from croupier.drawing.chips import DrawnChips
from croupier.drawing.picture import NotOnLayout
from croupier.drawing.table import draw, draw_round, draw_table
from croupier.drawing.theme import Theme

__all__ = [
    "DrawnChips",
    "NotOnLayout",
    "Theme",
    "draw",
    "draw_round",
    "draw_table",
]
