"""Clauses, the rules they provide, and the refusals that cite them.

A document is read as rows: each clause provides one or more rules, and a rule that
no row of a game provides is absent from that game (readings A12).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, unique

from croupier.errors import CroupierError
from croupier.rules.reasons import Reason


@dataclass(frozen=True, slots=True)
class Clause:
    """The place of a rule: a document and the number in it, or a reading's id."""

    document: str
    number: str

    def __str__(self) -> str:
        return self.number


@unique
class Rule(Enum):
    """A rule that a clause can provide, in our own words."""

    __hash__ = object.__hash__  # members are unique: hashing is three times as quick

    # The course of a round of play.
    OPENING = "The round opens when “Place your bets” is announced, and not before."
    CLOSING = "“No more bets” closes the betting."
    CLOSE_DURING_SPIN = "“No more bets” is announced while the ball still rotates."
    EARLY_CLOSE = "The Pit Manager may allow “No more bets” before the spin."
    SPIN = "The ball is spun against the wheel, for at least four revolutions."
    SPIN_AGAINST_WHEEL = "The direction of the spin is recorded: against the wheel."
    REVOLUTIONS = "A revolution is one full lap of the ball track; laps are recorded."
    OUTCOME = "The compartment where the ball rests is announced as the outcome."
    DOLLY = "The dolly is placed on the winning number."
    RESULT_TO_TERMINALS = "The Game Console sends each result to every terminal."
    SETTLING = "Losing wagers are collected and winning wagers paid."
    ROUND_ENDS_SETTLED = "The round lasts until the last wager has been settled."
    SNAPSHOT = "Wagers are settled as they lay when the betting closed."
    LATE_WAGER = "A wager placed or increased after the close is refused."
    LATE_WITHDRAWAL = "A wager that is withdrawn after the close still wins or loses."

    # Wagers.
    NUMBERS = "These are the numbers of the game, each a compartment of the wheel."
    LAYOUT = "The layout has just these betting areas."
    WAGERS = "A Player places one or more wagers of the listed types."
    CHIPS_ON_LAYOUT = "Wagers are laid with cash chips, colour chips or both."
    ELECTRONIC_PLACING = "Wagers may be placed electronically, within the limits."
    WAGER_LIST = "A wager that is not on the list is refused."
    BETTING_AREA = "This wager has its own place on the layout."
    RACETRACK = "Multiple-piece wagers may be placed on the racetrack."
    RACETRACK_LIST = "A racetrack wager that is not on the list is refused."
    COMPLETE = "Complete and complete maximum wagers may be placed."
    MULTIPLE_PIECE = "This wager is laid as several pieces."
    COMPLETE_MARKER = "A marker button records a complete wager's unit and place."
    MAXIMUM_MARKER = "A marker button records a complete maximum wager's place."
    MARKER_AND_CHIPS = "A complete wager needs its marker button and exact chips."
    STAFF_PLACING = "Staff may place a wager for a Player who asks, before the close."
    COLOUR_CHIPS = "Colour chips belong to one Player and have one value."
    COLOUR_MARKER = "Colour chips worth more than the minimum need a value marker."
    LIMITS = "A Player's total on an area must be within the displayed limits."
    AREA_MAXIMUM = "A table may limit the total of all Players on an area (setting)."
    UNDER_MINIMUM = "A wager under the minimum stands once; later ones are returned."
    OVER_MAXIMUM = "A wager over the maximum is paid or collected up to the maximum."
    PAST_LIMITS_STAND = "Wagers outside the limits in earlier rounds stay as they are."
    UNREGISTERED_RETURNED = "A wager that was not registered is returned."
    REGISTERED_SETTLED = "Registered wagers of a failed terminal are settled."

    # Settlement.
    PAY_TABLE = "The pay table."
    WINS_BY_NUMBER = "A wager wins if its area covers the winning number."
    ZERO = "On a zero only the wagers that cover it win; all others lose."
    VOID_RETURNS = "In a void round every wager is returned in full."
    VOID_WITHOUT_RESULT = "A void round has no result."
    BONUS_DRAW = "Ten different Bonus Numbers are drawn in each round and lit."
    BONUS_WIN = "Bonus Win wins on a Bonus Number or a Super Bonus Number."
    SCATTER = "A Scatter Bonus is a Bonus Number in each of the ten links."
    SCATTER_WIN = "The Scatter Bonus wager wins on a Scatter Bonus."
    SUPER_BONUS = "Four Bonus Numbers of one link are Super Bonus Numbers."
    SUPER_BONUS_WIN = "Super Bonus Win wins on a Super Bonus Number."
    LINKS = "The ten links of four numbers."

    # Irregularities, interruptions and who decides.
    IRREGULARITY = "This irregularity voids the round."
    BONUS_UNLIT = "The round is void if a Bonus Number fails to light."
    NO_SPIN = "“No spin” voids the round, wherever the ball comes to rest."
    NO_SPIN_AFTER_POWER_FAILURE = (
        "“No spin” after a power failure voids the round if the ball has not dropped."
    )
    POWER_FAILURE_CONTINUES = (
        "After a power failure before the drop, play continues unless “no spin” is "
        "announced."
    )
    POWER_FAILURE_AFTER_DROP = "A power failure after the drop changes nothing."
    INTERRUPTION_CONCLUDED = "A round interrupted after its outcome is concluded."
    INTERRUPTION_VOIDS = "A round interrupted before its outcome is void."
    TERMINALS_INTERRUPTED = "The round goes on if some or all terminals fail."
    UNPROVIDED = "An act without a clause is refused, or it holds the round."
    REFERRAL = "A case that the rules do not cover is referred for a decision."
    INTERPRETATION = "Questions of interpretation are decided, and decisions recorded."
    RULING = "Unclear or moved wagers are ruled on after the ball has come to rest."
    RULINGS_EXCLUDED = "A mistake at a terminal is the Player's: no wager is ruled on."
    HIGHER_POSITIONS = "A higher position may do the acts of a lower one."
    ACTING = "A person acting in a position may do its acts."
    DISPLAY = "Displays are information only; the compartment decides."
    CORRECTION = "A wrongly recorded outcome is corrected to the ball's compartment."
    RULING_RANK = (
        "A lower position can't change a ruling; only a higher one changes a return."
    )
    CONFLICT_OF_INTEREST = (
        "A person who has or had a wager in the round does no staff act in it, and a "
        "person who acted as staff in it places no wager."
    )
    TWO_PEOPLE = "A correction takes the Dealer and a Pit Supervisor or above."
    SENSOR_ANSWER = "Two people answer a sensor's report; one person may uphold it."
    SENSOR_CORRECTION = (
        "A correction that contradicts a sensor, or two people who confirmed the ball, "
        "takes a Shift Manager."
    )
    VOID_ROUNDS = "If the ball breaks, every affected round is void."
    PREVIOUS_ROUNDS_STAND = "A void round does not change the rounds before it."
    LATER_ROUNDS_STAND = "An error that is noticed late does not change later rounds."


@dataclass(frozen=True, slots=True)
class Refusal:
    """The refusal of an act; a refused act changes nothing."""

    clause: Clause
    reason: Reason


class RuleViolation(CroupierError):
    """The game rules forbid the request; `clause` is the one that does."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(f"{refusal.reason} [{refusal.clause}]")
        self.clause = refusal.clause
        self.reason = refusal.reason


class WagerRefused(RuleViolation):
    """The wager never reached the layout; its chips stay with the Player."""
