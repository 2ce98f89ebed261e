"""A sixth game, only for the tests: double zero, as an American table has it.

Its operator, clauses, racetrack word and irregularities are its own; nothing in `src`
knows of it.
"""

from __future__ import annotations

from croupier.rules.clause import Rule
from croupier.rules.game import FixedPieces, Game, Irregularity, row
from croupier.rules.layout import Rect, WagerType, table_layout
from croupier.rules.operator import Operator, Role
from croupier.rules.wheel import NUMERALS, Number, numbers

PALMS = Operator(
    name="PALMS",
    full_name="The Palms of Nowhere",
    ladder=(Role.DEALER, Role.PIT_SUPERVISOR, Role.GAMING_SHIFT_MANAGER),
)
ZERO, DOUBLE_ZERO = Number("0"), Number("00")
RING = numbers(
    "0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1"
    " 00 27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2"
)
BOTH_ZEROS = FixedPieces(
    "both_zeros",
    ("straight_up:0", "straight_up:00", "split:0/00", "top_line", "top_line"),
)

SIXTH_GAME = Game(
    name="palms-double-zero",
    title="Palms Double Zero",
    document="House Rules of the Palms",
    effective="1999-12-31",
    operator=PALMS,
    layout=table_layout({ZERO: Rect(-1, 0, 0, 1.5), DOUBLE_ZERO: Rect(-1, 1.5, 0, 3)}),
    ring=RING,
    clauses=(
        row("§1", Rule.LAYOUT, Rule.NUMBERS, numbers=(ZERO, DOUBLE_ZERO, *NUMERALS)),
        row("§2", Rule.OPENING, Rule.CLOSING, by=(Role.DEALER,)),
        row("§2a", Rule.LATE_WAGER, Rule.LATE_WITHDRAWAL),
        row("§3", Rule.WAGERS, Rule.CHIPS_ON_LAYOUT, Rule.WAGER_LIST),
        row(
            "§3a",
            Rule.BETTING_AREA,
            says="The inside areas and the top line.",
            areas=(
                WagerType.STRAIGHT_UP,
                WagerType.SPLIT,
                WagerType.STREET,
                WagerType.CORNER,
                WagerType.SIX_LINE,
                WagerType.TOP_LINE,
            ),
        ),
        row(
            "§3b",
            Rule.BETTING_AREA,
            says="Columns, red and black; nothing else outside.",
            areas=(WagerType.COLUMN, WagerType.RED, WagerType.BLACK),
        ),
        row("§4", Rule.RACETRACK, Rule.RACETRACK_LIST),
        row(
            "§4a",
            Rule.MULTIPLE_PIECE,
            says="Both Zeros: five pieces, two of them on the top line.",
            multiple=BOTH_ZEROS,
        ),
        row("§5", Rule.SPIN, Rule.REVOLUTIONS, by=(Role.DEALER,), amount=3),
        row("§6", Rule.OUTCOME, Rule.DOLLY, by=(Role.DEALER,)),
        row("§7", Rule.LIMITS),
        row(
            "§8",
            Rule.SETTLING,
            Rule.PAY_TABLE,
            Rule.WINS_BY_NUMBER,
            Rule.ROUND_ENDS_SETTLED,
            by=(Role.DEALER,),
            pays={
                WagerType.STRAIGHT_UP: 35,
                WagerType.SPLIT: 17,
                WagerType.STREET: 11,
                WagerType.CORNER: 8,
                WagerType.TOP_LINE: 6,
                WagerType.SIX_LINE: 5,
                WagerType.COLUMN: 2,
                WagerType.RED: 1,
                WagerType.BLACK: 1,
            },
        ),
        row("§9", voids=Irregularity.BALL_OUT_OF_WHEEL),
        row("§9a", voids=Irregularity.FEWER_THAN_FOUR_REVOLUTIONS),
        row("§10", Rule.VOID_RETURNS, Rule.VOID_WITHOUT_RESULT),
        row(
            "§11",
            Rule.REFERRAL,
            Rule.UNPROVIDED,
            by=(Role.GAMING_SHIFT_MANAGER,),
        ),
    ),
)
