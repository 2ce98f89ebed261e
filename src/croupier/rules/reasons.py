"""Reasons as data, for refusals, void and held rounds, and errors in texts.

A reason is a code with typed values, so that a screen can say it in any language.
The English sentence is made from the template of its code. The name of a place
tells its kind: `…_cents` is money, `count` and `round` are whole numbers, `area`,
`wager` and `number` are words of the notation, `play` is the name of a command's type,
`reason` is another reason; the rest is text.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum, unique
from string import Formatter

from croupier.rules.cents import write_cents


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason: its code, and the values for the places of its template."""

    code: str
    values: dict[str, str | int | Reason] = field(default_factory=dict)

    def __hash__(self) -> int:
        return hash((self.code, frozenset(self.values.items())))

    def __str__(self) -> str:
        """Return the English sentence; for a code that is not loaded, the code."""
        template = _TEMPLATES.get(self.code)
        if template is None:
            return " ".join((self.code, *map(str, self.values.values())))
        said = {name: _say(name, value) for name, value in self.values.items()}
        return template.format_map(said)


def _say(place: str, value: str | int | Reason) -> str:
    if isinstance(value, int) and place.endswith("cents"):
        return write_cents(value)
    if place == "play":
        words = (f" {c.lower()}" if c.isupper() else c for c in str(value))
        return "".join(words).strip()
    return str(value)


_TEMPLATES: dict[str, str] = {}


class ReasonCode(Enum):
    """The reasons of a package: a member's value is its sentence with `{places}`."""

    def __init__(self, template: str) -> None:
        code = self._name_.lower()
        assert code not in _TEMPLATES, f"two reasons have the code {code}"
        _TEMPLATES[code] = template
        self.code = code
        """The name in lower case; no two packages have the same one."""
        self.places = frozenset(
            name for _, name, *_ in Formatter().parse(template) if name
        )

    def __call__(self, **values: str | int | Reason) -> Reason:
        assert values.keys() == self.places, (self.code, values)
        return Reason(self.code, {name: _plain(each) for name, each in values.items()})


_LARGEST = 2**63


def _plain(value: object) -> str | int | Reason:
    """Convert any value of a command to one that a journal can hold."""
    if isinstance(value, str | Reason):
        return value
    fits = type(value) is int and -_LARGEST <= value < _LARGEST
    return value if fits else str(value)  # type: ignore[return-value]


def all_reasons() -> dict[str, str]:
    return dict(sorted(_TEMPLATES.items()))


@unique
class PlainReason(ReasonCode):
    """Reasons that belong to no rule: parts of other reasons, and given words."""

    RECORDED = "{text}"
    """A sentence that a person or an error gave."""
    DID_YOU_MEAN = "{reason}; did you mean {suggestion}?"
    NUMBERS_ARE = "{reason}: its numbers are {numbers}"
    ACTING = "{name} acting {position}"


def did_you_mean(reason: Reason, suggestion: str | None) -> Reason:
    if suggestion is None:
        return reason
    return PlainReason.DID_YOU_MEAN(reason=reason, suggestion=suggestion)


@unique
class NotationReason(ReasonCode):
    """A reason why a text is not of the notation."""

    NOT_A_NUMBER = "{text} is not a number: they are {numbers}"
    NOT_AN_AMOUNT = (
        "{text} is not an amount: write units with at most two"
        " decimals, such as 10 or 2.50"
    )
    NOT_ONE_WORD = "{text} is not one word, such as red@5 or 17"
    FLOAT_AMOUNT = (
        "{text} is a float, which is no exact sum of money: give an int,"
        " a Decimal or text, such as 10 or '2.50'"
    )
    AMOUNT_OUT_OF_RANGE = (
        "{text} is out of range: an amount is at least {least_cents}"
        " and at most {most_cents}"
    )
    NOT_WAGER_AT_STAKE = "{text} is not WAGER@STAKE, such as red@5"
    STAKE_MISSING = "{text} needs a stake, as red@5 has"
    NOT_A_WAGER = "{text} is not a wager"
    NOT_A_WAGER_SEE_LAYOUT = "{text} is not a wager; see croupier layout GAME"
    NOT_A_WAGER_WRITE = "{text} is not a wager; write {form}"
    TOO_MANY_COLONS = "{text} has more than one colon"
    PLACE_MISSING = "{text} needs its place, such as {type}:2"
    WRITTEN_WITHOUT_NUMBERS = "{type} is written without numbers"
    NUMBERS_MISSING = "{text} needs its numbers, such as {type}:…"
    TOO_MANY_NUMBERS = "{text} has too many numbers"
    NUMBER_TWICE = "{text} names a number twice"
    NOT_A_WAGER_TYPE = "{text} is not a wager type"
    NO_SUCH_TYPE = "{game} has no wager {type}"
    WRITE_LIMITS = "write: limits straight_up 5 100"
    MINIMUM_ABOVE_MAXIMUM = "the minimum is above the maximum"
    LIMITS_GIVEN = "limits {type} has been given already"
    SETTING_MISSING = "name a setting: {names}"
    NO_SUCH_SETTING = "{game} has no setting {text}; it has {names}"
    SETTING_GIVEN = "setting {setting} has been given already"
    NOT_A_CHOICE = "{setting} is one of: {names}"
    WRITE_AREA_MAXIMUM = "write: setting area_maximum 500"
    RING_INCOMPLETE = "a ring names each number of {game} once"


@unique
class RuleReason(ReasonCode):
    """A reason why the rules refuse an act, or make a round void or held."""

    MAY_NOT_DO = "{person} may not do this: {play}"

    # The course of a round of play.
    OPENED_ALREADY = "the round has been opened already"
    NOT_OPENED = "the round has not been opened"
    NO_ROUND_BEGUN = "no round of play has begun"
    EARLY_CLOSE_ONCE = "an early close is allowed once, before the spin"
    SPUN_ALREADY = "the ball has been spun in this round"
    NOT_SPUN = "the ball has not been spun"
    NOT_SPUN_YET = "the ball has not been spun yet"
    CLOSED_ALREADY = "the betting has been closed already"
    NOT_CLOSED = "the betting has not been closed"
    CLOSE_NEEDS_PIT_MANAGER = (
        "the betting closes before the spin only if the Pit Manager allows it"
    )
    WAGER_AFTER_DROP = "a wager was placed after the ball dropped"
    REST_UNSEEN = "no compartment is on record"
    BALL_THE_SAME = "the ball is on record at rest in {number}"
    ANNOUNCED_ALREADY = "the outcome has been announced: correct the round"
    DRAWN_ONCE = "Bonus Numbers are drawn once, after the close and before the outcome"
    NOT_DRAWN = "no Bonus Numbers have been drawn"
    NOT_A_DRAW = "a draw is {count} different numbers of the game"
    TOO_MANY_LIT = "more than {count} Bonus Numbers are lit"
    LIGHTS_COUNT_AFTER_DRAW = "lights count from the draw until the outcome"
    DRAW_THE_SAME = "round {round} has these Bonus Numbers on record"
    NOT_A_BONUS_NUMBER = "{number} is not a Bonus Number"
    BONUS_NUMBER_DARK = "Bonus Number {number} stayed dark"
    DROPPED_ALREADY = "the ball has dropped already"
    AT_REST_ALREADY = "the ball has come to rest already"
    AT_REST_ELSEWHERE = "the ball is at rest in {number}"
    NO_COMPARTMENT = "{game} has no compartment {number}"
    OUTCOME_ALREADY = "the outcome has been announced already"
    NO_OUTCOME_YET = "the round has no outcome yet"
    SETTLED = "the round has been settled"
    SETTLED_ALREADY = "the round has been settled already"
    RULING_NEEDED = "a ruling is needed first on {wager_id}"
    RULINGS_NEEDED = "a ruling is needed first on {wager_id} and {count} more"
    RULING_OWED = "a ruling on a wager is missing"
    ROUND_VOID = "the round is void: {reason}"
    ROUND_HELD = "the round is held for a decision: {reason}"

    # Wagers.
    BETTING_CLOSED = "the betting is closed"
    WAGER_STANDS = "the betting is closed: the wager stands"
    NO_WAGERS = "the document provides for no wagers"
    NOT_A_PLAYER = "{person} does not wager at the table"
    PLAYERS_OWN_WAGERS = "Players place their own wagers"
    MAY_NOT_ACT_FOR = "{person} may not act for {player}"
    TERMINAL_ONLY = "wagers are placed at the terminal only"
    NO_TERMINALS = "the document provides for no terminals"
    NO_UNREGISTERED_WAGERS = "this game has no unregistered wagers"
    NO_BETTING_AREA = "{game} has no betting area {area}"
    NO_SUCH_WAGER = "{game} has no {wager}"
    WAGER_ID_USED = "{wager_id} is another wager's id"
    NOT_YOUR_CHIPS = "{colour} chips are not {player}'s"
    STAKE_NEEDED = "{wager} needs a stake"
    STAKE_AT_MAXIMUM = "{wager} has no stake of its own"
    NO_MAXIMUM = "the table states no maximum for {area}"
    CHIPS_THERE_ALREADY = "{player} has chips on {area} already"
    MARKER_NEEDED = "{wager} needs its marker button"
    CHIPS_NOT_EXACT = "{wager} takes {count} pieces, {sum_cents} in chips"
    OUTSIDE_LIMITS = (
        "{player} would have {sum_cents} on {area};"
        " the limits are {low_cents} to {high_cents}"
    )
    AREA_FULL = "all Players together have reached the maximum on {area}"
    INCREASE_NOT_AN_AMOUNT = "an increase is an amount above zero"
    NO_WAGER_OF_PLAYER = "{player} has no wager {wager_id} on the layout"
    COLOUR_IN_WHOLE_CHIPS = "{colour} chips are worth {value_cents} each"
    STAFF_ONLY_PLACE = (
        "staff may place a wager for a Player; only the Player takes it back"
    )
    LEAVES_UNDER_MINIMUM = (
        "{player} would have {sum_cents} left on {area}; the minimum is {low_cents}"
    )
    ACTED_AS_STAFF = "{player} acted as staff in this round"
    NO_WAGER_ON_LAYOUT = "there is no wager {wager_id} on the layout"

    # Irregularities, interruptions, rulings and decisions.
    BALL_SAME_DIRECTION = "the ball was spun in the wheel's direction"
    BALL_DROPPED_WITHOUT_SPIN = "the ball was dropped without a spin"
    FEWER_THAN_FOUR_REVOLUTIONS = "the ball made too few revolutions"
    FOREIGN_OBJECT = "a foreign object entered the wheel"
    BALL_NOT_IN_COMPARTMENT = "the ball fell into no compartment"
    BALL_OUT_OF_WHEEL = "the ball left the wheel"
    BALL_BROKE = "the ball broke"
    WHEEL_STOPPED = "the wheel stopped while the ball was spinning"
    WHEEL_NOT_ROTATING = "the wheel was not rotating at the spin"
    PERSON_INTERFERED = "a person interfered with ball or wheel"
    UNLISTED = "something happened that the rules do not cover"
    NOT_A_SENSOR = "{person} is no sensor of the wheel"
    NOT_A_SENSOR_FACT = "a sensor does not report {text}"
    SENSOR_SAW_OTHERWISE = "the sensor saw {seen}, the console says {number}"
    REST_OUTSIDE_SPIN = "the sensor reported a rest in {number} outside this spin"
    REPORT_UNANSWERED = "a sensor's report is unanswered: {reason}"
    NOT_REPORTED = "no pending report says that {reason}"
    ANSWER_NEEDS_TWO = (
        "the Dealer and a Pit Supervisor or above answer it, two people: "
        "one person can only uphold a report, and not after the outcome or the rest"
    )
    SHIFT_MANAGER_ANSWERS = "the Dealer may uphold it; else a Shift Manager decides"
    SHIFT_MANAGER_CORRECTS = (
        "the correction contradicts {number} on record: "
        "one of the two must be a Shift Manager"
    )
    NO_SPIN_ANNOUNCED = "“no spin” was announced"
    NO_SPIN_AFTER_OUTCOME = "“no spin” came after the outcome"
    POWER_FAILED = "the power failed"
    INTERRUPTED = "the round was interrupted"
    INTERRUPTED_BEFORE_OUTCOME = "the round was interrupted before an outcome"
    NO_PLAYER_TERMINALS = "this game has no Player Terminals"
    NO_RULINGS = "this game has no rulings on wagers"
    RULING_AFTER_REST = "a ruling is made after the ball's rest and before settlement"
    HIGHER_RULING = "{person} has ruled on {wager_id}, and ranks higher"
    RETURNED_BY_RULING = (
        "{person} has returned {wager_id}: only a higher position may change that"
    )
    HAS_WAGER_IN_ROUND = "{person} has or had a wager in the round"
    DECISION_BINDS = "a decision has been made, and binds"
    ROUND_NOT_OVER = "round {round} is still open"
    RULING_NOT_AN_AMOUNT = "a ruling's amount is above zero"
    RULING_ABOVE_STAKE = "{wager_id} has less than that on it"
    RULE_AN_AMOUNT = "{wager} has several pieces: rule an amount"
    NOT_HELD = "the round is not held for a decision"
    DECIDED_SO = "{person} decided so"

    # Acts on earlier rounds; colour chips.
    ONLY_STAFF_CORRECT = "only staff may correct an outcome"
    SHIFT_MANAGER_DECIDES = "a Shift Manager decides on a wrongly recorded outcome"
    CORRECTION_NEEDS_TWO = (
        "a correction needs the Dealer and a Pit Supervisor or above, two people"
    )
    RECORD_CHANGED = "the record has changed since"
    NO_OUTCOME_TO_CORRECT = "round {round} has no outcome to correct"
    OUTCOME_THE_SAME = "round {round} has outcome {number} already"
    PREVIOUS_ROUNDS_STAND = "previous rounds stand, even if this one is void"
    NO_SUCH_ROUND = "there is no round {round}"
    ROUND_NOT_OPENED = "round {round} has not been opened"
    NO_ROUND_NAMED = "no round has been named"
    NO_REOPENING = "rounds of play are not reopened in this game"
    COLOUR_OF_ANOTHER = "{colour} is {player}'s colour"
    COLOUR_HAS_VALUE = "{colour} has the value {value_cents} already"
    COLOUR_NEEDS_MARKER = "chips worth more than the minimum need a value marker"
    NO_CHIPS_OF_COLOUR = "{player} has no {colour} chips"
    COLOUR_ON_LAYOUT = "{colour} chips still lie on the layout"
