"""Roulette (MBS), Games Rules Version 2, in effect from 19 December 2012."""

from croupier.games.operators import DEALER, GAMING_SHIFT_MANAGER, MBS
from croupier.games.single_zero import (
    INSIDE_AND_OUTSIDE_PAYS,
    MBS_READINGS,
    SINGLE_ZERO_LAYOUT,
    SINGLE_ZERO_NUMBERS,
    SINGLE_ZERO_RING,
    examples_drawn,
    ten_voids,
    wager_places,
)
from croupier.rules.clause import Rule
from croupier.rules.game import Game, row

MBS_V2_READINGS = (
    row("A11", Rule.LIMITS, Rule.ELECTRONIC_PLACING),
    row(
        "A12",
        Rule.UNPROVIDED,
        Rule.REFERRAL,
        Rule.CORRECTION,
        by=GAMING_SHIFT_MANAGER,
    ),
    *(each for each in MBS_READINGS if each.number in {"A8", "A14", "A42"}),
)
"""The 2012 documents name only the Dealer; a Shift Manager decides the rest (A27)."""

MBS_ROULETTE_V2 = Game(
    name="mbs-roulette-v2",
    title="Roulette",
    document="Roulette (MBS) v2",
    effective="2012-12-19",
    operator=MBS,
    layout=SINGLE_ZERO_LAYOUT,
    ring=SINGLE_ZERO_RING,
    clauses=(
        row("1.1", says="The words used in the document."),
        row("1.1.1", Rule.COLOUR_CHIPS, by=DEALER),
        row("1.1.2", Rule.DOLLY),
        row("1.1.3", Rule.REVOLUTIONS),
        row("1.1.4", Rule.ROUND_ENDS_SETTLED),
        row("1.1.5", Rule.SPIN_AGAINST_WHEEL),
        row("2.1", Rule.NUMBERS, numbers=SINGLE_ZERO_NUMBERS),
        row("3.1", Rule.OPENING, by=DEALER),
        row("3.2", Rule.CLOSING, by=DEALER),
        row("3.3", Rule.WAGERS, Rule.CHIPS_ON_LAYOUT),
        row("3.4", Rule.WAGER_LIST),
        *wager_places(),
        row("3.5", Rule.SPIN, by=DEALER, amount=4),
        row("3.6", Rule.CLOSE_DURING_SPIN),
        row("3.7", Rule.OUTCOME, by=DEALER),
        row(
            "4.1",
            Rule.SETTLING,
            Rule.PAY_TABLE,
            Rule.WINS_BY_NUMBER,
            by=DEALER,
            pays=INSIDE_AND_OUTSIDE_PAYS,
        ),
        *ten_voids(),
        row("5.11", Rule.LATE_WAGER),
        row("5.12", Rule.LATE_WITHDRAWAL),
        row("Diagram A", Rule.LAYOUT),
        examples_drawn("Diagram B"),
        *MBS_V2_READINGS,
    ),
)
