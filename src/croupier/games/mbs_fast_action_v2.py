"""Sands Fast Action Roulette (MBS), Version 2, in effect from 17 September 2020."""

from croupier.games.operators import (
    DEALER,
    GAMING_SHIFT_MANAGER,
    MBS,
    PIT_MANAGER,
    PIT_STAFF,
    PIT_SUPERVISOR,
)
from croupier.games.single_zero import AFTER_ZERO, EXAMPLES, MBS_READINGS, ten_voids
from croupier.rules.clause import Rule
from croupier.rules.game import Game, Status, row
from croupier.rules.layout import Layout, Rect, WagerType
from croupier.rules.operator import Role
from croupier.rules.wheel import NUMERALS, numbers

LINKS = tuple(
    numbers(link)
    for link in (
        "0 00 S MBS",  # a; S1
        "1 2 3 4",
        "5 6 7 8",
        "9 10 11 12",
        "13 14 15 16",
        "17 18 19 20",
        "21 22 23 24",
        "25 26 27 28",
        "29 30 31 32",
        "33 34 35 36",  # j
    )
)

# Four numbers to a row, read from the top: v falls from row to row, and the boxes of
# Appendix A lie below the fifth row and below the tenth.
_ROW_TOPS = (12, 11, 10, 9, 8, 6, 5, 4, 3, 2)
_CELLS = {
    number: Rect(place, top - 1, place + 1, top)
    for link, top in zip(LINKS, _ROW_TOPS, strict=True)
    for place, number in enumerate(link)
}
_BOXES = {
    "super_bonus_win": Rect(0, 6, 2, 7),
    "scatter_bonus": Rect(2, 6, 4, 7),
    "bonus_win": Rect(0, 0, 4, 1),
}

MBS_FAST_ACTION_V2 = Game(
    name="mbs-fast-action-v2",
    title="Sands Fast Action Roulette",
    document="Sands Fast Action Roulette (MBS) v2",
    effective="2020-09-17",
    operator=MBS,
    layout=Layout(_CELLS, _BOXES, cell_size=(124, 44), links=LINKS),
    ring=(*LINKS[0], *AFTER_ZERO),  # W2
    illustrative_ring=True,
    clauses=(
        row("1.1", says="The words used in the document."),
        row("1.1.1", Rule.BONUS_DRAW, by=(Role.RNG,), amount=10),
        row("1.1.2", Rule.BONUS_WIN),
        row("1.1.3", Rule.COLOUR_CHIPS, Rule.COLOUR_MARKER, by=DEALER),
        row("1.1.4", Rule.DOLLY),
        row("1.1.5", Rule.NUMBERS, numbers=numbers("0 00") + NUMERALS + LINKS[0][2:]),
        row("1.1.6", Rule.REVOLUTIONS),
        row("1.1.7", Rule.ROUND_ENDS_SETTLED),
        row("1.1.8", Rule.SCATTER),
        row("1.1.9", Rule.SCATTER_WIN),
        row("1.1.10", Rule.SPIN_AGAINST_WHEEL),
        row("1.1.11", Rule.SUPER_BONUS),
        row("1.1.12", Rule.SUPER_BONUS_WIN),
        row("2.1", says="The layout, its links and examples are in the appendices."),
        row("3.1", Rule.OPENING, by=DEALER),
        row("3.2", Rule.CLOSING, by=DEALER),
        row("3.3", Rule.WAGERS, Rule.CHIPS_ON_LAYOUT),
        row("3.3.1", Rule.LIMITS),
        row("3.4", Rule.WAGER_LIST),
        row(
            "3.4.1",
            Rule.BETTING_AREA,
            says="Straight Up: centrally on one number.",
            areas=(WagerType.STRAIGHT_UP,),
        ),
        row(
            "3.4.2",
            Rule.BETTING_AREA,
            says="Bonus: in the box Bonus Win.",
            areas=(WagerType.BONUS_WIN,),
        ),
        row(
            "3.4.3",
            Rule.BETTING_AREA,
            says="Super Bonus: in the box Super Bonus Win.",
            areas=(WagerType.SUPER_BONUS_WIN,),
        ),
        row(
            "3.4.4",
            Rule.BETTING_AREA,
            says="Scatter Bonus: in the box Scatter Bonus.",
            areas=(WagerType.SCATTER_BONUS,),
        ),
        row("3.5", Rule.STAFF_PLACING, by=PIT_STAFF),
        row("3.6", Rule.SPIN, by=DEALER, amount=4),
        row("3.7", Rule.CLOSE_DURING_SPIN),
        row("3.8", Rule.OUTCOME, by=DEALER),
        row("3.9", Rule.RULING, by=PIT_SUPERVISOR, or_above=True),
        row(
            "4.1",
            Rule.SETTLING,
            Rule.PAY_TABLE,
            Rule.WINS_BY_NUMBER,
            by=DEALER,
            pays={
                WagerType.STRAIGHT_UP: {
                    Status.NON_BONUS: 35,
                    Status.BONUS: 40,
                    Status.SUPER_BONUS: 80,
                }
            },
        ),
        row(
            "4.2",
            Rule.PAY_TABLE,
            says="The pay table of the three bonus wagers.",
            pays={
                WagerType.BONUS_WIN: 2,
                WagerType.SUPER_BONUS_WIN: 350,
                WagerType.SCATTER_BONUS: 700,
            },
        ),
        row("4.3", Rule.SNAPSHOT),
        *ten_voids(),
        row("5.11", Rule.BONUS_UNLIT, by=(Role.DEALER, Role.SYSTEM)),
        row("5.12", says="A power failure: the two cases below."),
        row("5.12.1", Rule.NO_SPIN_AFTER_POWER_FAILURE),
        row("5.12.2", Rule.POWER_FAILURE_CONTINUES),
        row("5.13", Rule.NO_SPIN, by=PIT_STAFF),
        row("5.14", Rule.LATE_WAGER),
        row("5.15", Rule.LATE_WITHDRAWAL),
        row("5.16", Rule.UNDER_MINIMUM),
        row("5.17", Rule.OVER_MAXIMUM),
        row("5.18", Rule.PAST_LIMITS_STAND),
        row("6.1", Rule.EARLY_CLOSE, by=PIT_MANAGER),
        row("6.2", Rule.REFERRAL, by=GAMING_SHIFT_MANAGER),
        row("6.3", Rule.HIGHER_POSITIONS, Rule.ACTING, by=MBS.ladder),
        row("6.4", Rule.DISPLAY, Rule.CORRECTION, by=DEALER),
        row("Appendix A", Rule.LAYOUT),
        row(
            "Appendix B",
            says=EXAMPLES,
            draws=("3.4.1", "3.4.2", "3.4.3", "3.4.4"),
        ),
        row("Appendix C", Rule.LINKS),
        *MBS_READINGS,
        row("A26", Rule.POWER_FAILURE_AFTER_DROP),
    ),
)
