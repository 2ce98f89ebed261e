"""The reasons for which a table refuses what is asked of it beyond the rules."""

from __future__ import annotations

from enum import unique

from croupier.rules.reasons import ReasonCode


@unique
class TableReason(ReasonCode):
    """Why a table refuses a command."""

    # Any command.
    TEXT_UNSOUND = "a text is too long, or can't be printed"
    VALUE_UNSOUND = "a value is not of the kind that the command takes"
    NOTHING_ASKED = "nothing was asked for"
    TABLE_CLOSED = "the table is closed"
    TABLE_OPEN = "the table is open"
    CLOSED_BETWEEN_ROUNDS = "a table is closed between rounds, once"
    MAY_NOT_RUN_TABLE = "{person} may not run the table"

    # Lights, the virtual wheel, and the ball after an interruption.
    MAY_NOT_CONFIRM_LIGHTS = "{person} may not confirm the lights"
    LIGHTS_CONFIRMED_AFTER_DRAW = (
        "lights are confirmed between the draw and the outcome"
    )
    NO_DRAW_IN_GAME = "this game draws nothing"
    VIRTUAL_WHEEL_SPEAKS = "the virtual wheel speaks for itself"
    VIRTUAL_WHEEL_NOT_AT_REST = "the virtual wheel has not come to rest"
    VIRTUAL_WHEEL_AFTER_CLOSE = "the virtual wheel comes to rest after “No more bets”"
    REAL_WHEEL = "this table has a real wheel"
    INTERRUPTED_TABLE = "the table is interrupted: what did the ball do?"
    NOT_INTERRUPTED = "the table is not interrupted"
    BALL_RECORDED_AT_REST = "the ball is recorded at rest in {number}"
    BALL_NOT_STATED = "the Dealer has not said what the ball did"
    SUPERVISOR_CONFIRMS = "a Pit Supervisor or above confirms, not the one who stated"

    # Money besides wagers.
    ASK_AN_ATTENDANT = "{person} may not do that: ask an attendant"
    MAY_NOT_DO_FOR = "{person} may not do that for {seat}"
    AMOUNT_NOT_POSITIVE = "an amount is whole cents above zero"
    CREDIT_TOO_SMALL = "{seat} has {credit_cents} of credit"
    OWES_LESS = "{player} owes less than that"
    VOUCHER_NOT_REDEEMABLE = "voucher {code} can't be redeemed"
    VOUCHER_REDEEMED = "the voucher has been redeemed elsewhere"
    ADJUSTMENT_NEEDS_TWO = "an adjustment needs two different people"
    ONLY_STAFF_ADJUST = "only staff adjust a credit"
    ADJUSTMENT_ZERO = "an adjustment is whole cents, not zero"
    ADJUSTMENT_NEEDS_REASON = "an adjustment needs a reason"
    NOT_THE_PLAYERS_COLOUR = "{colour} is not {player}'s colour"
    TOO_MUCH_FOR_TABLE = "that is more than a table takes"
    FEWER_CHIPS_OUT = "fewer {colour} chips are out than that"
