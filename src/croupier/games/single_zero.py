"""Clauses and data that the three single-zero documents share."""

from __future__ import annotations

from croupier.games.operators import PIT_STAFF
from croupier.rules.clause import Rule
from croupier.rules.game import ClauseRow, Irregularity, row
from croupier.rules.layout import Rect, WagerType, table_layout
from croupier.rules.wheel import NUMERALS, Number, numbers

ZERO = Number("0")
SINGLE_ZERO_NUMBERS = (ZERO, *NUMERALS)
SINGLE_ZERO_LAYOUT = table_layout({ZERO: Rect(-1, 0, 0, 3)})

AFTER_ZERO = numbers(
    "32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10"
    " 5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 35 3 26"
)
"""The ring from the first number after the zeros to the last before them (A5)."""
SINGLE_ZERO_RING = (ZERO, *AFTER_ZERO)

INSIDE_AND_OUTSIDE_PAYS = {
    WagerType.STRAIGHT_UP: 35,
    WagerType.SPLIT: 17,
    WagerType.STREET: 11,
    WagerType.CORNER: 8,
    WagerType.SIX_LINE: 5,
    WagerType.COLUMN: 2,
    WagerType.DOZEN: 2,
    WagerType.LOW: 1,
    WagerType.HIGH: 1,
    WagerType.EVEN: 1,
    WagerType.ODD: 1,
    WagerType.RED: 1,
    WagerType.BLACK: 1,
}

_PLACES = {
    WagerType.STRAIGHT_UP: "Straight Up: centrally on one number.",
    WagerType.SPLIT: "Split: on the line between two numbers.",
    WagerType.CORNER: "Corner: on the point where four numbers meet.",
    WagerType.STREET: "Street: on the outside line, at a row of three.",
    WagerType.SIX_LINE: "Six Line: on the outside line, between two rows.",
    WagerType.COLUMN: "Column: in the box at the end of twelve numbers.",
    WagerType.DOZEN: "Dozen: in the box of 1 to 12, 13 to 24 or 25 to 36.",
    WagerType.LOW: "Low: in the box of 1 to 18.",
    WagerType.HIGH: "High: in the box of 19 to 36.",
    WagerType.BLACK: "Black: in the box of the black numbers.",
    WagerType.RED: "Red: in the box of the red numbers.",
    WagerType.ODD: "Odd: in the box of 1, 3, 5 … 35.",
    WagerType.EVEN: "Even: in the box of 2, 4, 6 … 36; 0 is not among them (A2).",
}


def wager_places() -> tuple[ClauseRow, ...]:
    """Return 3.4.1 to 3.4.13, which v2, v3 and Complete Bet share."""
    return tuple(
        row(f"3.4.{place}", Rule.BETTING_AREA, says=says, areas=(wager_type,))
        for place, (wager_type, says) in enumerate(_PLACES.items(), start=1)
    )


EXAMPLES = "Examples of how wagers are placed."


def examples_drawn(number: str) -> ClauseRow:
    drawn = tuple(each.number for each in wager_places())
    return row(number, says=EXAMPLES, draws=drawn)


_TEN_VOIDS = (
    Irregularity.BALL_SAME_DIRECTION,
    Irregularity.BALL_DROPPED_WITHOUT_SPIN,
    Irregularity.FEWER_THAN_FOUR_REVOLUTIONS,
    Irregularity.FOREIGN_OBJECT,
    Irregularity.BALL_NOT_IN_COMPARTMENT,
    Irregularity.BALL_OUT_OF_WHEEL,
    Irregularity.BALL_BROKE,
    Irregularity.WHEEL_STOPPED,
    Irregularity.WHEEL_NOT_ROTATING,
    Irregularity.PERSON_INTERFERED,
)


def ten_voids() -> tuple[ClauseRow, ...]:
    """Return 5.1 to 5.10, which all four MBS documents share."""
    return tuple(
        row(f"5.{place}", voids=irregularity)
        for place, irregularity in enumerate(_TEN_VOIDS, start=1)
    )


MBS_READINGS = (
    row("A8", Rule.AREA_MAXIMUM),
    row("A11", Rule.ELECTRONIC_PLACING),
    row("A14", Rule.VOID_RETURNS, Rule.VOID_WITHOUT_RESULT),
    row("A29", Rule.TWO_PEOPLE, by=PIT_STAFF[1:2], or_above=True),
    row("A31", Rule.RULING_RANK),
    row("A45", Rule.SENSOR_ANSWER),
    row("A46", Rule.SENSOR_CORRECTION),
    row("A42", Rule.CONFLICT_OF_INTEREST),
)
"""Readings that stand in for clauses in every MBS document."""
