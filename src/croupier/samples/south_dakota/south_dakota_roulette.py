"""Double-zero roulette by the public rules of South Dakota, ARSD 20:18:34."""

from __future__ import annotations

from croupier.rules.clause import Rule
from croupier.rules.game import Game, Irregularity, row
from croupier.rules.layout import Rect, WagerType, table_layout
from croupier.rules.operator import Operator, Role
from croupier.rules.wheel import NUMERALS, numbers

DEADWOOD = Operator(
    name="Deadwood",
    full_name="A licensee in Deadwood",
    ladder=(Role.DEALER, Role.PIT_SUPERVISOR),
)
DEALER = (Role.DEALER,)
PIT_SUPERVISOR = (Role.PIT_SUPERVISOR,)
ZERO, DOUBLE_ZERO = numbers("0 00")
PAYS = {
    WagerType.STRAIGHT_UP: 35,
    WagerType.SPLIT: 17,
    WagerType.STREET: 11,
    WagerType.CORNER: 8,
    WagerType.TOP_LINE: 6,
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
AS_THERE = "As in the five games."
AS_IN_THE_FIVE_GAMES = (
    *("A2", "A3", "A16", "A24", "A28", "A32", "A33", "A34", "A36", "A41", "A43"),
    *("A44", "A51", "A52", "A53", "N1"),
)
"""Readings without a rule that answer questions of croupier games --check."""

SOUTH_DAKOTA_ROULETTE = Game(
    name="south-dakota-roulette",
    title="South Dakota Roulette",
    document="ARSD 20:18:34",
    effective="2015-07-01",
    operator=DEADWOOD,
    layout=table_layout({ZERO: Rect(-1, 0, 0, 1.5), DOUBLE_ZERO: Rect(-1, 1.5, 0, 3)}),
    ring=numbers(
        "0 28 9 26 30 11 7 20 32 17 5 22 34 15 3 24 36 13 1"
        " 00 27 10 25 29 12 8 19 31 18 6 21 33 16 4 23 35 14 2"
    ),
    clauses=(
        row("34:01(1)", Rule.NUMBERS, numbers=(ZERO, DOUBLE_ZERO, *NUMERALS)),
        row("34:03", Rule.WAGERS, Rule.CHIPS_ON_LAYOUT, Rule.WAGER_LIST),
        row("34:03(1)", Rule.COLOUR_CHIPS, by=DEALER),
        row("34:03(2)", Rule.ELECTRONIC_PLACING),
        row(
            "34:03(3)",
            Rule.BETTING_AREA,
            says="The wagers: one to six numbers, columns, dozens, even chances.",
            areas=tuple(PAYS),
        ),
        row("34:04", Rule.PAY_TABLE, Rule.WINS_BY_NUMBER, pays=PAYS),
        row(
            "34:05(1)",
            Rule.SPIN,
            Rule.SPIN_AGAINST_WHEEL,
            Rule.REVOLUTIONS,
            by=DEALER,
            amount=4,
        ),
        row("34:05(2)", Rule.CLOSING, by=DEALER),
        row("34:05(3)", Rule.OUTCOME, Rule.DOLLY, by=DEALER),
        row("34:05(4)", Rule.SETTLING, by=DEALER),
        row("34:06", Rule.NO_SPIN, by=DEALER),
        row("34:06(1)", voids=Irregularity.BALL_SAME_DIRECTION),
        row("34:06(2)", voids=Irregularity.FEWER_THAN_FOUR_REVOLUTIONS),
        row("34:06(3)", voids=Irregularity.FOREIGN_OBJECT),
        row("34:06(4)", voids=Irregularity.BALL_OUT_OF_WHEEL),
        row("34:07", Rule.LIMITS),
        row("34:10", Rule.LAYOUT),
        # Readings of this package's own: README.md.
        row("S101", Rule.OPENING, by=DEALER),
        row("S102", Rule.LATE_WAGER, Rule.LATE_WITHDRAWAL),
        row("S103", Rule.ROUND_ENDS_SETTLED),
        # Readings that it shares with the five games: croupier readings.
        row("A8", Rule.AREA_MAXIMUM),
        row("A12", Rule.UNPROVIDED, by=PIT_SUPERVISOR),
        row("A14", Rule.VOID_RETURNS, Rule.VOID_WITHOUT_RESULT),
        row("A29", Rule.TWO_PEOPLE, by=PIT_SUPERVISOR),
        row("A31", Rule.RULING_RANK),
        row("A42", Rule.CONFLICT_OF_INTEREST),
        row("A45", Rule.SENSOR_ANSWER),
        row("A46", Rule.SENSOR_CORRECTION),
        *(row(reading, says=AS_THERE) for reading in AS_IN_THE_FIVE_GAMES),
    ),
)
