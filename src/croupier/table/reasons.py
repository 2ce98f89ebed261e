"""The reasons why a table refuses or can't do a command."""

from __future__ import annotations

from enum import unique

from croupier.journal.store import JournalError
from croupier.rules.reasons import Reason, ReasonCode


class StreamError(JournalError):
    """The stream of a table or of the house can't do that."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


@unique
class TableReason(ReasonCode):
    # Any command.
    TEXT_UNSOUND = "a text is too long, or can't be printed"
    VALUE_UNSOUND = "a value is not of the kind that the command takes"
    NOTHING_ASKED = "nothing was asked for"
    TABLE_CLOSED = "the table is closed"
    TABLE_OPEN = "the table is open"
    CLOSED_BETWEEN_ROUNDS = "only an open table can be closed, between rounds"
    LIMITS_MISSING = "there are no limits for {types}: give each type its own, or *"

    # Lights, the virtual wheel, and the ball after an interruption.
    LIGHTS_CONFIRMED_AFTER_DRAW = (
        "lights are confirmed between the draw and the outcome"
    )
    NO_DRAW_IN_GAME = "this game draws nothing"
    VIRTUAL_WHEEL_SPEAKS = "the virtual wheel speaks for itself"
    VIRTUAL_WHEEL_NOT_AT_REST = "the virtual wheel has not come to rest"
    VIRTUAL_WHEEL_AFTER_CLOSE = "the virtual wheel comes to rest after “No more bets”"
    REAL_WHEEL = "this table has a real wheel"
    INTERRUPTED_TABLE = "the table is interrupted: what did the ball do?"
    BALL_RECORDED_AT_REST = "the ball is recorded at rest in {number}"
    STATED_AGAINST_SENSOR = "the sensor saw {seen}, and something else was stated"
    NO_BALL_TO_STATE = "no statement of the ball is needed now"
    LIGHTS_ALL_SEEN = (
        "all Bonus Numbers were lit; one that goes dark later changes nothing"
    )
    WAGER_OF_ANOTHER_ROUND = "this was for round {named}, which takes no wagers now"
    NOT_REGISTERED_IN_TIME = "the terminal was cut off, and this came after the close"
    NO_INTERPRETATIONS = "this document has no clause for questions of interpretation"
    INTERPRETATION_INCOMPLETE = "give a question, an answer and rounds that were played"
    BALL_NOT_STATED = "the Dealer has not said what the ball did"
    SUPERVISOR_CONFIRMS = (
        "a Pit Supervisor or above must confirm, not the person who stated it"
    )

    # Money besides wagers.
    ASK_AN_ATTENDANT = "{person} may not do that: ask an attendant"
    AMOUNT_NOT_POSITIVE = "an amount is whole cents above zero"
    CREDIT_TOO_SMALL = "{seat} has {credit_cents} of credit"
    KEPT_LESS = "less than that is kept for {player}"
    NOBODY_STAYS = "there is no stay at {seat} to end"
    OWES_LESS = "{player} owes less than that"
    VOUCHER_NOT_REDEEMABLE = "voucher {code} can't be redeemed"
    VOUCHER_REDEEMED = "the voucher has been redeemed elsewhere"
    ADJUSTMENT_NEEDS_TWO = "an adjustment needs two different people"
    ONLY_STAFF_ADJUST = "only staff adjust a credit"
    ADJUSTMENT_NEEDS_SUPERVISOR = "an adjustment needs a Pit Supervisor or above"
    ADJUSTMENT_ZERO = "an adjustment is whole cents, not zero"
    ADJUSTMENT_NEEDS_REASON = "an adjustment needs a reason"
    SECOND_PERSON_NEEDED = (
        "a second person must confirm it: {person} alone moves at most {limit_cents}"
        " in 24 hours for one seat, Player, voucher or float; this makes {sum_cents}"
    )
    PERSON_SUM_REACHED = (
        "a second person must confirm it: {person} alone moves at most {limit_cents}"
        " in 24 hours at all tables; this makes {sum_cents}"
    )
    VOUCHER_BY_TWO = (
        "a voucher above {limit_cents} is issued by two of the staff: ask an attendant"
    )
    NOT_THE_PLAYERS_COLOUR = "{colour} is not {player}'s colour"
    TOO_MUCH_FOR_TABLE = "that is more than a table takes"
    FEWER_CHIPS_OUT = "fewer {colour} chips are out than that"

    # Ids, streams, vouchers and gaming days.
    NOT_A_COMMAND_ID = "{text} is not a command's id"
    TABLES_OWN_IDS = "ids that begin with {text} are the table's own"
    NOBODY_NAMED = "a command needs the name of a person, in printable text"
    NO_TABLE_HERE = "there is no table {text} here"
    NO_EVENTS = "{stream} has no events"
    NO_ROUND = "{stream} has no round {round}"
    OPENING_MISSING = "{stream} does not begin with the table's opening"
    VOUCHER_NOT_OUTSTANDING = "voucher {code} is not outstanding"
    DAY_BEGUN = "the gaming day {day} has begun already"
    DAY_NOT_BEGUN = "the gaming day {day} has not begun"
    DAY_CLOSED = "the gaming day {day} is closed already"
    RECORDED_ALREADY = "this has been recorded already"
