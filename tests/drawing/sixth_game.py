"""A sixth game, which no code in `src` knows: 0, 00 and a top line of five."""

from __future__ import annotations

from croupier.games.operators import DEALER, MBS
from croupier.rules.clause import Rule
from croupier.rules.game import FixedPieces, Game, row
from croupier.rules.layout import Rect, WagerType, table_layout
from croupier.rules.wheel import NUMERALS, Number, numbers

_HEAD = {Number("0"): Rect(-1, 0, 0, 1.5), Number("00"): Rect(-1, 1.5, 0, 3)}
_TYPES = tuple(
    kind
    for kind in WagerType
    if "bonus" not in kind.value and kind is not WagerType.GREEN
)

DOUBLE_ZERO = Game(
    name="test-double-zero",
    title="Double Zero",
    document="Double Zero (tests)",
    effective="2024-01-01",
    operator=MBS,
    layout=table_layout(_HEAD),
    ring=numbers(
        "0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1"
        " 00 27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2"
    ),
    clauses=(
        row("1.1", Rule.NUMBERS, numbers=numbers("0 00") + NUMERALS),
        row("1.2", Rule.LAYOUT),
        row("2.1", Rule.BETTING_AREA, areas=_TYPES),
        row("3.1", Rule.PAY_TABLE, by=DEALER, pays={WagerType.COLUMN: 2}),
        row("4.1", Rule.RACETRACK),
        row(
            "4.2",
            Rule.MULTIPLE_PIECE,
            multiple=FixedPieces("both_zeros", ("straight_up:0", "straight_up:00")),
        ),
        row(
            "4.3",
            Rule.MULTIPLE_PIECE,
            multiple=FixedPieces("first_street", ("street:1/2/3",)),
        ),
    ),
)
