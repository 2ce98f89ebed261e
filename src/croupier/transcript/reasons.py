"""The reasons why a line of a transcript can't be read."""

from __future__ import annotations

from enum import unique

from croupier.rules.reasons import ReasonCode


@unique
class TranscriptReason(ReasonCode):
    """A reason why a line can't be read."""

    WRITE = "write: {form}"
    NO_GAME_LINE = "a transcript begins with: game NAME"
    NO_ROUND_LINE = "a round begins with a line: round"
    HEAD_LINE_LATE = "{word} belongs once, before the rounds"
    LINE_TOO_LONG = "the line is longer than {count} characters"
    CONTROL_CHARACTER = "the character {text} does not belong in a transcript"
    NO_ACT = "an act belongs here, such as: place your bets"
    NOT_AN_ACT = "{text} is not an act"
    NOT_AN_ACT_LINE = "{text} is not an act; write: Dealer: place your bets"
    NOT_A_POSITION = "{text} is not a position"
    NOT_A_PLAYERS_NAME = "{text} is not a Player's name"
    NOT_A_NAME = "{text} is not a name: up to 40 letters, digits and spaces"
    WORD_MISSING = "something is missing here"
    NOT_A_COUNT = "a whole number belongs here"
    NOT_A_WAGER_ID = "a wager's id belongs here: letters, digits, - and _"
    WAGER_ID_MISSING = "the wager needs an id: {form}"
    WAGER_ID_TWICE = "{wager_id} has been used in this round; ids are unique"
    STAKE_WORD_MISSING = "the stake is missing: {form}"
    STAKE_WITH_MAXIMUM = "a complete maximum wager has no stake"
    CHIPS_NOT_COUNTED = "colour chips are counted: a whole number"
    SAID_TWICE = "{text} is said twice"
    WORD_MISPLACED = "{text} does not belong here: {form}"
    RULING_ON_ONE_AREA = "{act} takes one area"
    NOT_AN_IRREGULARITY = "{text} is not an irregularity"
    IRREGULARITIES_ARE = "{text} is not an irregularity; they are {names}"
    TERMINALS_MISSING = "name the terminals: interruption terminals T1 T2"
    NO_REASON_TAKEN = "{act} takes no reason"
    ROUNDS_FROM_ONE = "rounds are counted from 1"
    COMPLETE_ONLY = "{text} belongs to a complete wager"
    CHIPS_NOT_UNITS = "{chips_cents} in chips are no whole units of {unit_cents}"
    NOT_A_COLOUR = "a colour is a word of at most 20 letters"
    NOT_A_MARKER_PLACE = "a marker lies on the bank or on a stand"
