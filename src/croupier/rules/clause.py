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

    __hash__ = object.__hash__  # members are single: three times as quick in a table

    # The course of a round of play.
    OPENING = "The round opens when “Place your bets” is announced, and not before."
    CLOSING = "“No more bets” closes the betting."
    CLOSE_DURING_SPIN = "“No more bets” is announced while the ball still rotates."
    EARLY_CLOSE = "The Pit Manager may allow “No more bets” before the spin."
    SPIN = "The ball is spun against the wheel, for at least four revolutions."
    SPIN_AGAINST_WHEEL = "A spin is recorded with its direction, against the wheel."
    REVOLUTIONS = "A revolution is one full lap of the ball track; laps are recorded."
    OUTCOME = "The compartment where the ball rests is announced as the outcome."
    DOLLY = "The dolly is placed on the winning number."
    RESULT_TO_TERMINALS = "The Game Console sends each result to every terminal."
    SETTLING = "Losing wagers are collected and winning wagers paid."
    ROUND_ENDS_SETTLED = "The round lasts until the last wager has been settled."
    SNAPSHOT = "Wagers are settled as they lay when the betting closed."
    LATE_WAGER = "A wager placed or increased after the close is refused."
    LATE_WITHDRAWAL = "A wager withdrawn after the close is still won or lost."

    # Wagers.
    NUMBERS = "These are the numbers of the game, each a compartment of the wheel."
    LAYOUT = "The layout has just these betting areas."
    WAGERS = "A Player places one or more wagers of the listed types."
    CHIPS_ON_LAYOUT = "Wagers are laid with cash chips, colour chips or both."
    ELECTRONIC_PLACING = "Wagers may be placed electronically, checked at once."
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
    COLOUR_MARKER = "Colour chips above the minimum need a value marker on show."
    LIMITS = "A Player's total on an area is held to the displayed limits."
    AREA_MAXIMUM = "A table may cap an area over all Players (setting)."
    UNDER_MINIMUM = "An under-minimum wager stands once; later ones are returned."
    OVER_MAXIMUM = "An over-maximum wager is paid or collected to the maximum only."
    PAST_LIMITS_STAND = "Limit breaches of previous rounds are never reopened."
    UNREGISTERED_RETURNED = "A wager that was not registered is returned."
    REGISTERED_SETTLED = "Registered wagers of a failed terminal are settled."

    # Settlement.
    PAY_TABLE = "The pay table."
    WINS_BY_NUMBER = "A wager wins when its area covers the winning number."
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
    BONUS_UNLIT = "A Bonus Number that fails to light voids the round."
    NO_SPIN = "“No spin” voids the round, wherever the ball comes to rest."
    NO_SPIN_AFTER_POWER_FAILURE = (
        "“No spin” after a power failure, before the ball has dropped, voids the round."
    )
    POWER_FAILURE_CONTINUES = (
        "After a power failure before the drop play continues, unless “no spin” comes."
    )
    POWER_FAILURE_AFTER_DROP = "After the drop a power failure changes nothing."
    INTERRUPTION_CONCLUDED = "Interrupted after the outcome, the round is concluded."
    INTERRUPTION_VOIDS = "Interrupted before the outcome, the round is void."
    TERMINALS_INTERRUPTED = "The round goes on when terminals fail, some or all."
    UNPROVIDED = "What the document does not provide for is held, or refused."
    REFERRAL = "What the rules do not cover is referred for a decision."
    INTERPRETATION = "A question of interpretation is decided, and the decision kept."
    RULING = "Unclear or moved wagers are ruled on after the ball has come to rest."
    RULINGS_EXCLUDED = "A Player's slip is the Player's: no wager is ruled on."
    HIGHER_POSITIONS = "A higher position may do what a lower one may."
    ACTING = "A person acting in a position may do what it may."
    DISPLAY = "Displays are information only; the compartment decides."
    CORRECTION = "A wrongly recorded outcome is corrected to the compartment's."
    RULING_RANK = (
        "A ruling is not changed by a lower position, nor a return by its own."
    )
    CONFLICT_OF_INTEREST = (
        "Whoever has or had a wager in the round does no staff act in it, and whoever "
        "acted as staff in it places no wager."
    )
    TWO_PEOPLE = "A correction takes the Dealer and a Pit Supervisor or above."
    SENSOR_ANSWER = "Two people answer a sensor's report; one may only uphold it."
    SENSOR_CORRECTION = (
        "A correction against a sensor, or against two people who confirmed the ball, "
        "takes a Shift Manager."
    )
    VOID_ROUNDS = "When the ball breaks, every affected round is void."
    PREVIOUS_ROUNDS_STAND = "A void leaves the rounds before it as they are."
    LATER_ROUNDS_STAND = "An error noticed late leaves the rounds after it alone."


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
