"""Problems that an audit finds, as data: each has its kind and its sentence."""

from __future__ import annotations

from collections.abc import Mapping
from enum import unique

from croupier.journal.findings import Finding
from croupier.journal.findings import FindingKind as K
from croupier.rules.cents import write_cents
from croupier.rules.reasons import ReasonCode


@unique
class AuditProblem(ReasonCode):
    """The problems of findings, by kind; amounts are whole cents."""

    def __init__(self, kind: K, template: str) -> None:
        super().__init__(template)
        self.kind = kind

    # The source.
    EVENT_UNREADABLE = K.UNREADABLE, "{text}"
    # The stream, its terms and its rounds.
    PAST_ROUND = K.OUT_OF_ORDER, "it was for a past round: round {round} is in play"
    ROUND_UNKNOWN = K.UNKNOWN_ROUND, "there is no round {round}"
    NO_GAME = K.UNKNOWN_ROUND, "no game is played in this stream"
    DOCUMENT_UNKNOWN = K.UNKNOWN_DOCUMENT, "{text}"
    RULES_OTHER = K.OTHER_RULES, "its rules have the digest {found}, not {installed}"
    DOCUMENT_BESIDE = K.TERMS, "it names the document {document}"
    DOCUMENT_OF_TABLE = K.TERMS, "it is not the document that the table carries out"
    TERMS_UNREADABLE = K.TERMS, "the limits or settings can't be read"
    LIMITS_ABSENT = K.TERMS, "there are no limits for {types}"
    TERMS_NOT_IN_FORCE = K.TERMS, "the round was not judged by the terms in force"
    DIGEST_OF_ROUND = K.TERMS, "its digest is not of the round's terms"
    DIGEST_IN_FORCE = K.TERMS, "its digest is not of the terms in force"
    ROUND_STILL_OPEN = K.ROUND_LEFT_OPEN, "round {round} was neither settled nor void"
    ROUND_MISNUMBERED = K.ROUND_NUMBER, "it is called {number} after {before}"
    WARNED_OTHERS = (
        K.UNDER_MINIMUM,
        "under-minimum wagers of {expected} have stood before, not of {found}",
    )
    # The course of a round.
    ROUND_WAS_OPENED = K.OUT_OF_ORDER, "the round had been opened already"
    ROUND_UNOPENED = K.OUT_OF_ORDER, "the round had not been opened"
    ROUND_WAS_OVER = K.OUT_OF_ORDER, "the round was over"
    ROUND_WAS_HELD = K.OUT_OF_ORDER, "the round was held for a decision"
    ROUND_WAS_NOT_HELD = K.OUT_OF_ORDER, "the round was not held for a decision"
    ROUND_WAS_VOID = K.OUT_OF_ORDER, "the round was void already"
    ROUND_NOT_REOPENED = K.OUT_OF_ORDER, "settled rounds are not reopened so"
    VOID_NOT_HELD = K.VOID_OR_HELD, "the record speaks against it: held by {clause}"
    HELD_NOT_VOID = K.VOID_OR_HELD, "the round was void by {clause}, not held"
    CONSEQUENCE_MISSING = K.VOID_OR_HELD, "the round went on: {clause} stops it"
    NOT_HELD_OVER = K.VOID_OR_HELD, "the round was not held (A45): {reason}"
    VOIDED_BY_NOTHING = K.VOID_OR_HELD, "nothing was reported that voids it"
    CITED_CLAUSE = K.CITATION, "it cites {found}, not {expected}"
    PIECE_CITES = K.CITATION, "{area} cites {found}, not {expected}"
    STAFF_WITH_WAGER = K.CONFLICT, "{person} has or had a wager in the round"
    PLACED_BY_STAFF = K.CONFLICT, "{player} had acted as staff in the round"
    GIVEN_TO_STAFF = (
        K.CONFLICT,
        "the wager was given to {player}, who acts as staff in the round",
    )
    DECISION_OVERRIDDEN = K.DECISION, "{person} had decided it, and that binds"
    DECIDED_WITHOUT_SPIN = K.DECISION, "no spin of this round is on record"
    BALL_WAS_SPUN = K.OUT_OF_ORDER, "the ball had been spun already"
    BALL_NOT_ROLLING = K.OUT_OF_ORDER, "the ball was not rolling"
    BALL_RESTED_ELSEWHERE = K.OUTCOME_NOT_AT_REST, "the ball came to rest in {number}"
    LATENESS_OF_CLOSE = K.OUT_OF_ORDER, "it says wrongly whether the ball had dropped"
    CLOSED_BEFORE_SPIN = K.OUT_OF_ORDER, "“No more bets” came before the spin"
    BETTING_WAS_CLOSED = K.OUT_OF_ORDER, "the betting had been closed already"
    BETTING_WAS_OPEN = K.OUTCOME_BEFORE_CLOSE, "the betting had not been closed"
    FROZEN_OTHERWISE = (
        K.LAYOUT_FROZEN,
        "{expected} wagers lay there, {found} were frozen",
    )
    NOT_FROZEN = K.LAYOUT_FROZEN, "the layout was not frozen at the close"
    GAME_DRAWS_NONE = K.BONUS_DRAW, "the game draws no Bonus Numbers"
    DRAW_SIZE = K.BONUS_DRAW, "a draw is {count} different numbers"
    DRAW_UNKNOWN_NUMBER = (
        K.BONUS_DRAW,
        "a number was drawn that the game lacks: its numbers are {numbers}",
    )
    DRAWN_TWICE = K.BONUS_DRAW, "the Bonus Numbers were drawn a second time"
    DRAW_UNTIMELY = K.BONUS_DRAW, "the draw was not between the close and the outcome"
    DRAW_MISSING = K.BONUS_DRAW, "no Bonus Numbers had been drawn"
    UNLIT_NOT_DRAWN = K.BONUS_DRAW, "{number} was not drawn"
    REDRAWN_FROM = K.CORRECTION, "it does not name the draw on record"
    OUTCOME_WAS_ANNOUNCED = K.OUTCOME_TWICE, "{number} had been announced"
    OUTCOME_IMPOSSIBLE = K.OUT_OF_ORDER, "the round could have no outcome then"
    RESULT_SHOWN = K.WINNING_NUMBER, "{number} was shown as the result, not {expected}"
    COMPARTMENT_MISSING = (
        K.NO_COMPARTMENT,
        "the game has no compartment {number}: its numbers are {numbers}",
    )
    CORRECTED_FROM = K.CORRECTION, "the outcome was {expected}, not {number}"
    RESTATED_FROM = K.CORRECTION, "the ball was seen in {expected}, not {number}"
    RESTATED_LATE = (K.CORRECTION, "the outcome was announced, or the round over")
    CORRECTED_TO_SAME = K.CORRECTION, "the correction changes nothing"
    NOTHING_TO_CORRECT = K.CORRECTION, "the round had no outcome to correct"
    CORRECTED_UNQUALIFIED = K.CORRECTION, "none of them may correct an outcome"
    CORRECTED_BY_ONE = K.CORRECTION, "it was not made by two people who may"
    CORRECTED_AGAINST_SENSOR = (
        K.CORRECTION,
        "the sensor saw the ball in {number}: a Shift Manager must take part (A46)",
    )
    CORRECTED_AGAINST_PEOPLE = (
        K.CORRECTION,
        "two people confirmed the ball in {number}: a Shift Manager must take part"
        " (A46)",
    )
    CONTRADICTION_UNNAMED = (
        K.CORRECTION,
        "it does not name the compartments that it contradicts (A46)",
    )
    PERSON_NOT_STAFF = K.POSITION, "{person} is not staff"
    PERSON_MAY_NOT = K.POSITION, "{person} may not: {rule}"
    # Devices and recovery.
    SENSOR_AGAINST = (
        K.DEVICES,
        "the sensor saw the ball in {number}, and no two people denied it (A45)",
    )
    SENSOR_STRAY = (
        K.DEVICES,
        "the sensor reported a rest in {number} before the spin, without an answer"
        " (A45)",
    )
    DEVICE_UNANSWERED = K.DEVICES, "a report was pending (A45): {reason}"
    ANSWERED_NOTHING = K.DEVICES, "no such report was pending (A45): {reason}"
    ANSWERED_WITHOUT_REASON = K.DEVICES, "the answer gives no reason (A45): {reason}"
    ANSWERED_BY_ONE = K.DEVICES, "two people must answer this report (A45): {reason}"
    ANSWERED_WITHOUT_DECISION = (
        K.DEVICES,
        "the Dealer may uphold this report, a decision answers it (A52): {reason}",
    )
    DISPUTED_OTHERWISE = (
        K.DEVICES,
        "the sensor had not said what the dispute is over (A45)",
    )
    UNLIT_AFTER_LIT = K.BONUS_DRAW, "every Bonus Number had been seen lit"
    CONTINUED_UNANSWERED = (
        K.DEVICES,
        "the round was held, and not all of its reports were answered (A45)",
    )
    CONFIRMED_NOTHING = K.RECOVERY, "no one had said what the ball did"
    CONFIRMED_BY_ONE = K.RECOVERY, "{person} may not confirm it"
    SPIN_INVENTED = K.RECOVERY, "{person} stated no spin of this round"
    REST_INVENTED = K.RECOVERY, "no one stated a rest in {number}"
    STALE_WAGER = K.STALE_WAGER, "it was sent for round {round}"
    PLACED_INTERRUPTED = K.LATE_WAGER, "the table had been interrupted in this round"
    # Wagers.
    WAGER_ID_REUSED = K.WAGER_ID, "its id has been used in this round"
    WAGER_NOT_THERE = K.WAGER_ID, "no wager of this id lies there"
    WAGER_NOT_REGISTERED = K.WAGER_ID, "no registered wager of this id lies there"
    AREA_MISSING = K.NO_SUCH_AREA, "the game has no area {area}"
    PIECES_OF_ANOTHER = K.WRONG_PIECES, "these are not the pieces of {wager}"
    PIECE_WITHOUT_AMOUNT = K.WRONG_PIECES, "a piece has no amount"
    PIECE_AMOUNT = K.WRONG_PIECES, "{area} has {found} cents, not {expected}"
    PLACED_FOR_PLAYER = K.POSITION, "{person} may not place for {player}"
    PLACED_ELECTRONICALLY = K.WAY_OF_PLACING, "nothing is placed electronically here"
    PLACED_WITH_CHIPS = K.WAY_OF_PLACING, "nothing is placed with chips here"
    UNREGISTERED_UNKNOWN = K.WAY_OF_PLACING, "the game knows no unregistered wagers"
    CHIPS_OF_ANOTHER = K.COLOUR_CHIPS, "{colour} chips are not {player}'s"
    CHIPS_WORTH = K.COLOUR_CHIPS, "{colour} chips are worth {value} cents each"
    ROUND_NOT_OPEN = K.WAGER_BEFORE_OPENING, "the round was not open"
    PLACED_LATE = K.LATE_WAGER, "the betting was closed"
    PLACED_AFTER_REST = K.LATE_WAGER, "the ball was at rest in {number}"
    PLACED_AFTER_DROP = K.LATE_WAGER, "the sensor had seen the ball drop (A52)"
    PLACED_IN_VOID = K.OUT_OF_ORDER, "the round was void"
    AREA_OVERFULL = K.AREA_MAXIMUM, "all Players together exceed the maximum on {area}"
    LIMIT_PASSED = (
        K.LIMIT_BREACHED,
        "{player} has {found} cents on {area}, the limit is {expected}",
    )
    INCREASE_AMOUNT = K.WRONG_PIECES, "an increase is an amount above zero"
    WITHDRAWN_LATE = K.LATE_WITHDRAWAL, "the betting was closed: it stands"
    WITHDRAWN_AFTER_REST = K.LATE_WITHDRAWAL, "the ball was at rest in {number}"
    WITHDRAWN_AFTER_DROP = (
        K.LATE_WITHDRAWAL,
        "the sensor had seen the ball drop (A52)",
    )
    WITHDRAWN_FOR_PLAYER = K.POSITION, "{person} may not withdraw for {player}"
    LATENESS_OF_WITHDRAWAL = (
        K.LATE_WITHDRAWAL,
        "it says wrongly whether the ball had dropped",
    )
    WITHDRAWN_UNTIMELY = K.OUT_OF_ORDER, "nothing could be withdrawn then"
    ROUND_NOT_IN_PLAY = K.OUT_OF_ORDER, "the round was not in play"
    PERSON_MAY_NOT_RULE = K.POSITION, "{person} may not rule on a wager"
    RULED_NOT_THERE = K.RULING, "no wager of this id lies there"
    RULED_UNTIMELY = K.RULING, "it came before the rest, or after settlement"
    RULED_ABOVE = K.RULING, "{person} had ruled on it, and that stands"
    RULED_TO_PLAYER = K.RULING, "only a decision gives a wager to {player}"
    RULED_ELSEWHERE = K.RULING, "it can't be moved to {area}"
    RULED_AMOUNT = K.RULING, "its amount is not one that was laid"
    # Settlements.
    SETTLED_BEFORE = (
        K.SETTLED_TWICE,
        "it had been settled, and nothing was changed since",
    )
    SETTLED_UNDECIDED = K.SETTLED_WITHOUT_OUTCOME, "it had no outcome and was not void"
    UNCLEAR_UNRULED = K.UNCLEAR, "it had no ruling"
    SETTLED_NUMBER = K.WINNING_NUMBER, "it names {found}, the outcome is {expected}"
    SETTLED_NOT_THERE = K.SETTLED_UNPLACED, "no such wager lies there"
    SETTLED_MORE_THAN_ONCE = K.SETTLED_REPEATEDLY, "it is there more than once"
    SETTLED_AS_ANOTHER = (
        K.SETTLED_OTHERWISE,
        "{expected} of {expected_player} was settled as {found} of {found_player}",
    )
    SETTLED_FIGURES = K.SETTLEMENT, "{area}: {figures}"
    VOID_FIGURES = K.VOID_KEPT, "{area}: {figures}"
    SETTLED_NOT_AT_ALL = (K.NOT_SETTLED, "{area}: it was neither settled nor returned")
    NOT_SETTLED_AGAIN = (
        K.LOST_REVERSAL,
        "it was changed after settlement, and not settled again",
    )
    STAKE_UNSETTLABLE = (
        K.SETTLEMENT,
        "its stake is no amount: it can't be settled again",
    )
    ROUND_UNSETTLABLE = K.SETTLEMENT, "it can't be settled again: {text}"
    STOOD_OTHERS = (
        K.UNDER_MINIMUM,
        "under-minimum wagers of {expected} stood, recorded is {found}",
    )
    # Money.
    ACCOUNT_BELOW_ZERO = K.CREDIT_BELOW_ZERO, "{account} is at {found} cents after it"
    ENTRIES_TOTAL = K.ENTRIES_NOT_ZERO, "they sum to {total}"
    ENTRIES_OF_ACCOUNT = K.ENTRIES, "{account} gets {found} cents, not {expected}"
    ENTRIES_BY_LINE = K.ENTRIES, "they come to the same, but not line by line"
    LEDGER_BALANCE = (
        K.BALANCE,
        "{account} is {found} cents, the rebuilt ledger has {expected}",
    )
    FLOAT_BOOKED = K.MONEY, "{expected} cents are in the float by the book, not {found}"
    CLAIM_OWED = K.MONEY, "{expected} cents stand against {player}, not {found}"
    SET_OFF_FOR_ANOTHER = K.STAY, "{seat} paid what {player} owes"
    STAY_NOT_BEGUN = K.STAY, "no stay was begun at {seat}"
    CLAIM_NOT_SET_OFF = K.MONEY, "{account} has {found} cents to be set off first"
    STAY_NOT_THERE = K.STAY, "stay {stay} is not the one at {seat}"
    STAY_NUMBER = K.STAY, "it is called {stay} after {last}"
    STAY_LEFT = K.STAY, "{expected} cents were left there, not {found}"
    STAY_OF_ANOTHER = K.STAY, "{player} was not in stay {stay} then"
    ADJUSTED_UNSUPERVISED = K.POSITION, "it takes a Pit Supervisor or above"
    ADJUSTED_BY_ONE = K.POSITION, "an adjustment takes two different people"
    AMOUNT_OF_NOTHING = K.MONEY, "an amount is above zero"
    COLOUR_WRONG_PLAYER = K.COLOUR_CHIPS, "{colour} is not {player}'s colour"
    COLOUR_CHIPS_WORTH = (
        K.COLOUR_CHIPS,
        "{chips} {colour} chips are worth something else",
    )
    COLOUR_CHIPS_OUT = K.MONEY, "fewer {colour} chips were out"
    COLOUR_ISSUED_TWICE = K.COLOUR_CHIPS, "{colour} was issued to another"
    COLOUR_RETURNED_BY = K.COLOUR_CHIPS, "{colour} was not {player}'s"
    VOUCHER_ISSUED_AGAIN = K.VOUCHER_TWICE, "it had been issued before"
    VOUCHER_USED_AGAIN = K.VOUCHER_TWICE, "it had been {state} before"
    VOUCHER_NEVER_ISSUED = K.VOUCHER_UNKNOWN, "it was never issued"
    VOUCHER_ISSUED_FOR = K.VOUCHER_AMOUNT, "it was issued for {expected} cents"
    VOUCHER_WAS_LOST = K.VOUCHER_TWICE, "it had been reported lost"
    VOUCHER_LAST_DAY = K.VOUCHER_EXPIRED, "its last day was {day}"
    # Snapshots.
    SNAPSHOT_UNREADABLE = K.SNAPSHOT, "it can't be read"
    SNAPSHOT_FIELD = K.SNAPSHOT, "its {field} are not what the events give"
    SNAPSHOT_METER = K.METERS, "the meter {meter} is {found}, not {expected}"
    # Rows of an operator's file.
    ROW_REFUSED = K.ROW_REJECTED, "{text}"
    ROW_FIGURES = K.ROW_DIFFERS, "{figures}"


@unique
class ProblemPlace(ReasonCode):
    """The place of a problem outside events, rounds and wagers."""

    OF_VOUCHER = "voucher {voucher}: {reason}"
    OF_PLAYER = "{player}: {reason}"


@unique
class BeyondAudit(ReasonCode):
    """Claims that no audit can prove."""

    BALL_ON_THE_WHEEL = (
        "What was never recorded: that the ball came to rest where the Dealer said."
    )
    DAY_OF_MONEY = (
        "On which gaming day money was counted: the meters are compared over all days,"
        " and a voucher counts as late two days after its last one."
    )
    EVERY_WAGER = "That the table holds every wager, and the outcomes that came up."
    MONEY_BETWEEN_ROUNDS = (
        "How money was kept between rounds: a table of wagers has no accounts."
    )


def finding_of(
    place: tuple[str, int | None, int | None],
    problem: AuditProblem,
    wager: str | None = None,
    sums: tuple[int | None, int | None] | None = None,
    /,
    **values: object,
) -> Finding:
    """Return a finding in a stream, at an event, in a round.

    Whole numbers `expected` and `found` are its sums, unless there are others.
    """
    if sums is None:
        sums = _whole(values.get("expected")), _whole(values.get("found"))
    stream, sequence, number = place
    said = problem(**values)  # type: ignore[arg-type]
    return Finding(problem.kind, stream, sequence, said, number, wager, *sums)


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) else None


def difference_text(due: Mapping[str, int], found: Mapping[str, int | None]) -> str:
    """Return `paid 9999.99, not 5.00; …` for the figures that differ, in cents."""
    return "; ".join(
        f"{name.removesuffix('_cents').replace('_', ' ')} {_money(cents)},"
        f" not {_money(due[name])}"
        for name, cents in found.items()
        if cents not in {None, due[name]}
    )


def _money(cents: int | None) -> str:
    return "no amount" if cents is None or cents < 0 else write_cents(cents)
