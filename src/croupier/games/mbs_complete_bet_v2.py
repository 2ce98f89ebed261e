"""Roulette Complete Bet (MBS), Version 2, in effect from 19 December 2012."""

from croupier.games.mbs_roulette_v2 import MBS_V2_READINGS
from croupier.games.operators import DEALER, MBS
from croupier.games.single_zero import (
    EXAMPLES,
    INSIDE_AND_OUTSIDE_PAYS,
    SINGLE_ZERO_LAYOUT,
    SINGLE_ZERO_NUMBERS,
    SINGLE_ZERO_RING,
    examples_drawn,
    ten_voids,
    wager_places,
)
from croupier.rules.clause import Rule
from croupier.rules.game import Complete, FixedPieces, Game, Neighbours, row

TIERS = FixedPieces(
    "tiers",
    (
        "split:5/8",
        "split:10/11",
        "split:13/16",
        "split:23/24",
        "split:27/30",
        "split:33/36",
    ),
)
ORPHELINS = FixedPieces(
    "orphelins",
    ("straight_up:1", "split:6/9", "split:14/17", "split:17/20", "split:31/34"),
)
_VOISINS_DU_ZERO = FixedPieces(
    "voisins_du_zero",
    (
        "split:4/7",
        "split:12/15",
        "split:18/21",
        "split:19/22",
        "split:32/35",
        "street:0/2/3",
        "street:0/2/3",
        "corner:25/26/28/29",  # A4
        "corner:25/26/28/29",
    ),
)
ZERO_SPIEL = FixedPieces(
    "zero_spiel",
    ("straight_up:26", "split:0/3", "split:12/15", "split:32/35"),
)

MBS_COMPLETE_BET_V2 = Game(
    name="mbs-complete-bet-v2",
    title="Roulette Complete Bet",
    document="Roulette Complete Bet (MBS) v2",
    effective="2012-12-19",
    operator=MBS,
    layout=SINGLE_ZERO_LAYOUT,
    ring=SINGLE_ZERO_RING,
    settings=("area_maximum", "complete_dozen", "close_on_drop"),
    clauses=(
        row("1.1", says="The words used in the document."),
        row("1.1.1", Rule.COLOUR_CHIPS, by=DEALER),
        row("1.1.2", Rule.DOLLY),
        row("1.1.3", Rule.COMPLETE_MARKER),
        row("1.1.4", Rule.MAXIMUM_MARKER),
        row("1.1.5", Rule.REVOLUTIONS),
        row("1.1.6", Rule.ROUND_ENDS_SETTLED),
        row("1.1.7", Rule.SPIN_AGAINST_WHEEL),
        row("2.1", Rule.NUMBERS, numbers=SINGLE_ZERO_NUMBERS),
        row("3.1", Rule.OPENING, by=DEALER),
        row("3.2", Rule.CLOSING, by=DEALER),
        row("3.3", Rule.WAGERS, Rule.CHIPS_ON_LAYOUT),
        row("3.4", Rule.WAGER_LIST),
        *wager_places(),
        row("3.5", Rule.RACETRACK_LIST),
        row(
            "3.5.1",
            Rule.MULTIPLE_PIECE,
            says="Tiers: six splits of one third of the ring.",
            multiple=TIERS,
        ),
        row(
            "3.5.2",
            Rule.MULTIPLE_PIECE,
            says="Orphelins: 1 and four splits; 17 lies under two of them.",
            multiple=ORPHELINS,
        ),
        row(
            "3.5.3",
            Rule.MULTIPLE_PIECE,
            says="Voisins du Zero: nine pieces, two each on a street and a corner.",
            multiple=_VOISINS_DU_ZERO,
        ),
        row(
            "3.5.4",
            Rule.MULTIPLE_PIECE,
            says="0-Spiel: 26 and three splits next to zero on the ring.",
            multiple=ZERO_SPIEL,
        ),
        row(
            "3.5.5",
            Rule.MULTIPLE_PIECE,
            says="Neighbours: a number and two on either side of it.",
            multiple=Neighbours(radii=(2,)),
        ),
        row("3.6", Rule.COMPLETE),
        row(
            "3.6.1",
            Rule.MULTIPLE_PIECE,
            says="Complete: one unit on each inside area of a number or a dozen.",
            multiple=Complete(),
        ),
        row(
            "3.6.2",
            Rule.MULTIPLE_PIECE,
            says="Complete maximum: each of those areas at its own maximum.",
            multiple=Complete("complete_maximum", at_maximum=True),
        ),
        row("3.6.3", Rule.MARKER_AND_CHIPS),
        row("3.7", Rule.SPIN, by=DEALER, amount=4),
        row("3.8", Rule.CLOSE_DURING_SPIN),
        row("3.9", Rule.OUTCOME, by=DEALER),
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
        row("Diagram B", Rule.RACETRACK),
        examples_drawn("Diagram C"),
        *(
            row(f"Diagram {letter}", says=EXAMPLES, draws=(clause,))
            for letter, clause in (
                ("D", "3.5.1"),
                ("E", "3.5.2"),
                ("F", "3.5.3"),
                ("G", "3.5.4"),
                ("H", "3.5.5"),
                ("I", "3.6.1"),
                ("J", "3.6.1"),
            )
        ),
        *MBS_V2_READINGS,
    ),
)
