"""Roulette Triple Zero (Electronic Table Game) (RWS), from 6 April 2023, 0800 hours."""

from croupier.games.mbs_complete_bet_v2 import ORPHELINS, TIERS
from croupier.games.operators import (
    RWS,
    TABLE_GAMES_SHIFT_MANAGER,
)
from croupier.games.single_zero import AFTER_ZERO, INSIDE_AND_OUTSIDE_PAYS
from croupier.rules.clause import Rule
from croupier.rules.game import (
    Finales,
    FixedPieces,
    Game,
    Irregularity,
    Neighbours,
    row,
)
from croupier.rules.layout import Rect, WagerType, table_layout
from croupier.rules.operator import Role
from croupier.rules.wheel import NUMERALS, ZEROS, numbers

_ZERO, _DOUBLE_ZERO, _TRIPLE_ZERO = ZEROS
_HEAD = {
    _ZERO: Rect(-1, 0, 0, 1.5),
    _DOUBLE_ZERO: Rect(-1, 1.5, 0, 3),
    _TRIPLE_ZERO: Rect(-2, 0, -1, 3),
}
_CONSOLE = (Role.DEALER, Role.SYSTEM)

_GRAND_SERIES = FixedPieces(
    "grand_series",
    (
        "split:0/000",
        "split:4/7",
        "split:12/15",
        "split:18/21",
        "split:19/22",
        "split:32/35",
        "street:00/2/3",
        "street:00/2/3",
        "corner:25/26/28/29",
        "corner:25/26/28/29",
    ),
)
ZERO_SPIEL = FixedPieces(
    "zero_spiel",
    ("straight_up:26", "split:0/000", "split:00/3", "split:12/15", "split:32/35"),
)

RWS_TRIPLE_ZERO = Game(
    name="rws-triple-zero",
    title="Roulette Triple Zero",
    document="Roulette Triple Zero (RWS)",
    effective="2023-04-06",
    operator=RWS,
    layout=table_layout(_HEAD, green=True),
    ring=(*numbers("0 000 00"), *AFTER_ZERO),  # W1
    settings=("area_maximum", "finale_zero", "ring", "close_on_drop"),
    clauses=(
        row("1.1", says="Bet and wager mean the same."),
        row("1.2", says="The Dealer deals the game."),
        row("1.3", Rule.RESULT_TO_TERMINALS),
        row("1.4", says="The House is the casino operator."),
        row("1.5", Rule.ACTING, by=RWS.ladder),  # 5.10: also acting staff
        row("1.6", Rule.ELECTRONIC_PLACING),
        row("1.7", says="A Player is a person who places a wager in the round."),
        row("1.8", Rule.REVOLUTIONS),
        row("1.9", Rule.ROUND_ENDS_SETTLED),
        row("1.10", says="A spin is the Dealer's act of rolling the ball."),
        row("1.11", Rule.VOID_WITHOUT_RESULT),
        row("2.1", says="The display."),
        row("2.1.1", Rule.LAYOUT, Rule.NUMBERS, numbers=ZEROS + NUMERALS),
        row("3.1", Rule.WINS_BY_NUMBER),
        row("3.2", Rule.OPENING, by=_CONSOLE),
        row("3.3", Rule.LIMITS),
        row("3.4", Rule.WAGERS, Rule.WAGER_LIST),
        row("3.5", Rule.CLOSING, Rule.LATE_WAGER, by=_CONSOLE),
        row("3.6", Rule.SPIN, Rule.SPIN_AGAINST_WHEEL, by=(Role.DEALER,), amount=4),
        row("3.7", Rule.OUTCOME, by=(Role.DEALER,)),
        row("3.8", Rule.ZERO),
        row("3.9", Rule.SETTLING, by=_CONSOLE),
        row(
            "4.1",
            Rule.PAY_TABLE,
            pays={
                **INSIDE_AND_OUTSIDE_PAYS,
                WagerType.GREEN: 11,
                WagerType.TOP_LINE: 5,
            },
        ),
        row("5.1", says="An interruption of the round: the two cases below."),
        row("5.1.1", Rule.INTERRUPTION_CONCLUDED),
        row("5.1.2", Rule.INTERRUPTION_VOIDS),
        row("5.2", Rule.TERMINALS_INTERRUPTED),
        row("5.2.1", Rule.REGISTERED_SETTLED),
        row("5.2.2", Rule.UNREGISTERED_RETURNED),
        row("5.3", Rule.PREVIOUS_ROUNDS_STAND),
        row("5.3.1", voids=Irregularity.BALL_DROPPED_WITHOUT_SPIN),
        row("5.3.2", voids=Irregularity.FEWER_THAN_FOUR_REVOLUTIONS),
        row("5.3.3", voids=Irregularity.BALL_NOT_IN_COMPARTMENT),
        row("5.3.4", voids=Irregularity.BALL_OUT_OF_WHEEL),
        row("5.3.5", voids=Irregularity.WHEEL_NOT_ROTATING),
        row("5.3.6", voids=Irregularity.BALL_SAME_DIRECTION),
        row("5.3.7", voids=Irregularity.FOREIGN_OBJECT),
        row("5.3.8", voids=Irregularity.PERSON_INTERFERED),
        row("5.3.9", voids=Irregularity.WHEEL_STOPPED),
        row(
            "5.4",
            Rule.VOID_ROUNDS,
            voids=Irregularity.BALL_BROKE,
            says="If the ball breaks, every affected round is void, settled or not.",
            by=TABLE_GAMES_SHIFT_MANAGER,  # A21
            or_above=True,
        ),
        row("5.5", Rule.CORRECTION, by=(Role.DEALER,)),
        row("5.6", Rule.LATER_ROUNDS_STAND),
        row("5.7", Rule.SNAPSHOT, Rule.LATE_WITHDRAWAL, Rule.RULINGS_EXCLUDED),
        row("5.8", Rule.DISPLAY),
        row("5.9", Rule.VOID_RETURNS),
        row(
            "5.10",
            Rule.REFERRAL,
            Rule.INTERPRETATION,
            by=TABLE_GAMES_SHIFT_MANAGER,
            or_above=True,
        ),
        *(
            row(
                f"Appendix A: {title}",
                Rule.BETTING_AREA,
                says=f"{title}: {place}.",
                areas=areas,
            )
            for title, place, areas in (
                ("Straight Up", "on any number", (WagerType.STRAIGHT_UP,)),
                ("Split", "on two numbers that touch", (WagerType.SPLIT,)),
                ("Street", "on three numbers that touch", (WagerType.STREET,)),
                ("Corner", "on four numbers that touch", (WagerType.CORNER,)),
                ("Top Line", "on the zeros and 1, 2, 3", (WagerType.TOP_LINE,)),
                ("Six Line", "on two rows of three", (WagerType.SIX_LINE,)),
                ("Column", "on a column of twelve", (WagerType.COLUMN,)),
                ("Dozen", "on 1–12, 13–24 or 25–36", (WagerType.DOZEN,)),
                ("Colour", "on red or black", (WagerType.RED, WagerType.BLACK)),
                ("Green", "on the three zeros", (WagerType.GREEN,)),
                ("Odd or Even", "without the zeros", (WagerType.ODD, WagerType.EVEN)),
                ("High or Low", "on 19–36 or 1–18", (WagerType.HIGH, WagerType.LOW)),
            )
        ),
        row("Appendix B", Rule.RACETRACK),
        *(
            row(
                f"Appendix B: {title}",
                Rule.MULTIPLE_PIECE,
                says=f"{title}: {pieces}.",
                multiple=multiple,
            )
            for title, pieces, multiple in (
                ("Neighbours", "1, 2 or 3 on either side", Neighbours((1, 2, 3))),
                ("Tiers", "six splits", TIERS),
                ("Orphelins", "1 and four splits", ORPHELINS),
                ("0-Spiel", "26 and four splits", ZERO_SPIEL),
                ("Finales", "the numbers that end in one digit", Finales()),
                ("Grand Series", "ten pieces, two areas twice", _GRAND_SERIES),
            )
        ),
        row("A8", Rule.AREA_MAXIMUM),
        row("A12", Rule.UNPROVIDED, by=TABLE_GAMES_SHIFT_MANAGER),
        row("A29", Rule.TWO_PEOPLE, by=(Role.PIT_SUPERVISOR,), or_above=True),
        row("A45", Rule.SENSOR_ANSWER),
        row("A46", Rule.SENSOR_CORRECTION),
        row("A42", Rule.CONFLICT_OF_INTEREST),
    ),
)
