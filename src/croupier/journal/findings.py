"""Findings of a verification and of an audit: their kinds, places and problems."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum, unique

from croupier.rules.reasons import Reason, ReasonCode

MOST_KEPT = 1_000
"""Findings of one kind that are listed; the rest are counted."""
_OF_TABLE = "JOURNAL_"


@unique
class FindingKind(Enum):
    """The kinds of findings; the value says what is wrong.

    A verification finds those that begin with JOURNAL, one for each stored table; an
    audit finds all of them.
    """

    EXPORT = "the export is damaged"
    JOURNAL_STREAMS = "the end of a stream is not what its events say"
    JOURNAL_EVENTS = "the chain of events is broken"
    JOURNAL_ENTRIES = "stored entries do not hold together"
    JOURNAL_ANSWERS = "an answer points to wrong events"
    JOURNAL_BALANCES = "a stored balance is not the sum of its entries"
    JOURNAL_SNAPSHOTS = "a snapshot is not the one that the chain holds"
    JOURNAL_VOUCHERS = "a stored voucher is not what its events say"
    JOURNAL_LOG_ENTRIES = "an entry of the log is not what its events say"
    JOURNAL_CHECKPOINTS = "a checkpoint of the log does not hold"
    UNREADABLE = "an event can't be read"
    UNKNOWN_DOCUMENT = "no installed game carries out the document"
    OTHER_RULES = "a round was judged by other rows or readings than those installed"
    TERMS = "limits or settings are not those in force"
    ROUND_NUMBER = "a round number is out of sequence"
    UNKNOWN_ROUND = "an event names a round that does not exist"
    ROUND_LEFT_OPEN = "a round was followed by another before it was settled"
    OUT_OF_ORDER = "an act came when the round did not allow it"
    POSITION = "a person did an act that their position does not allow"
    WAGER_BEFORE_OPENING = "a wager was taken before the round was opened"
    CONFLICT = "a person acted as staff and had a wager in the same round"
    LATE_WAGER = "a wager was taken after “No more bets”, or with the ball at rest"
    LATE_WITHDRAWAL = "a wager was given back after the close, the drop or the rest"
    STALE_WAGER = "a wager was registered in another round than it was sent for"
    WAGER_ID = "a wager's id was used twice, or names no wager"
    NO_SUCH_AREA = "a wager lies on an area that the game lacks"
    WRONG_PIECES = "a multiple-piece wager does not have its pieces"
    WAY_OF_PLACING = "a wager was placed in a way that the game does not provide"
    LIMIT_BREACHED = "a wager outside the limits was taken, not refused"
    AREA_MAXIMUM = "more lies on an area than the table allows over all Players"
    COLOUR_CHIPS = "colour chips were used or valued wrongly"
    LAYOUT_FROZEN = "the layout was frozen with other figures than lay there"
    VOID_OR_HELD = "a report voided, held or left a round against the rules"
    DEVICES = "a round went on against the word of a device"
    RECOVERY = "a round was recovered otherwise than the rules ask"
    DECISION = "a decision was overridden, or was not possible"
    CITATION = "a clause is cited that is not the one that applies"
    RULING = "a ruling does not fit the wager"
    UNCLEAR = "a round was settled before an unclear wager was ruled on"
    BONUS_DRAW = "the draw is not what the game asks"
    NO_COMPARTMENT = "a number was recorded that the game lacks"
    OUTCOME_BEFORE_CLOSE = "the outcome came before “No more bets”"
    OUTCOME_NOT_AT_REST = "the outcome is not where the ball came to rest"
    OUTCOME_TWICE = "a second outcome was recorded without a correction"
    WINNING_NUMBER = "a settlement names another number than the outcome"
    SETTLED_WITHOUT_OUTCOME = "a round was settled without an outcome"
    SETTLED_TWICE = "a round was settled twice without a correction or a void"
    SETTLED_UNPLACED = "a settlement names a wager that does not lie there"
    NOT_SETTLED = "a wager on the layout is missing from the settlement"
    SETTLED_REPEATEDLY = "a settlement names a wager more than once"
    SETTLED_OTHERWISE = "a settlement gives a wager other pieces than it had"
    SETTLEMENT = "the amounts paid, collected or returned differ from the rules"
    VOID_KEPT = "a void round did not return every wager in full"
    UNDER_MINIMUM = "under-minimum wagers stood otherwise than once"
    CORRECTION = "a correction was not made as the rules ask"
    LOST_REVERSAL = "a settled round was changed without a new settlement"
    ENTRIES = "the entries are not those that the event makes"
    ENTRIES_NOT_ZERO = "entries do not sum to zero"
    CREDIT_BELOW_ZERO = "a seat's credit fell below zero"
    BALANCE = "a balance is not that of the rebuilt ledger"
    MONEY = "an amount of money is not what the books say"
    STAY = "an anonymous Player's stay is not as the books have it"
    VOUCHER_UNKNOWN = "a voucher was used that was never issued"
    VOUCHER_TWICE = "a voucher was issued or used more than once"
    VOUCHER_AMOUNT = "a voucher was used for another amount"
    VOUCHER_EXPIRED = "a voucher was used after its last day"
    SNAPSHOT = "a snapshot's content is not what the events say"
    METERS = "the meters of a snapshot are not what the events say"
    ROW_REJECTED = "a row is no lawful wager of the game"
    ROW_DIFFERS = "the operator's figures differ from the rules"

    @property
    def code(self) -> str:
        return self.name.lower()

    @property
    def table(self) -> str:
        """The stored table that a verification found it in; else empty."""
        is_of_table = self.name.startswith(_OF_TABLE)
        return self.name.removeprefix(_OF_TABLE).lower() if is_of_table else ""

    @classmethod
    def of_table(cls, table: str) -> FindingKind:
        return cls[_OF_TABLE + table.upper()]


@unique
class VerificationProblem(ReasonCode):
    """Problems that a verification finds, as data."""

    ROW_UNREADABLE = "{text}"
    """The message of the database, the codec or the reader of notes."""
    DATABASE_DAMAGED = "the database is damaged: {text}"
    SEQUENCE_BROKEN = "{before} stands before it, not {expected}"
    HASH_BROKEN = "its hash does not follow from what is stored"
    ENTRY_WITHOUT_EVENT = "there is no event for this entry"
    ENTRY_LINE = "line {line} stands where {expected} should"
    ENTRY_ACCOUNT_LINES = "its account is more than one line"
    ENTRIES_SUM = "the entries sum to {total}"
    SEAT_BELOW_ZERO = "{account} is below zero after it"
    ANSWER_MISSING = "the answer to {command} is missing"
    ANSWER_OTHER_EVENTS = "the events {first} to {last} are not those of {command}"
    SNAPSHOT_OTHER_COMMAND = "a snapshot belongs to the command before it"
    SNAPSHOT_ELSEWHERE = "it names a snapshot at {sequence}"
    SNAPSHOT_UNKNOWN = "no event knows this snapshot"
    SNAPSHOT_CHANGED = "it is not the snapshot that the chain holds"
    SNAPSHOT_MISSING = "it is missing"
    SNAPSHOT_OTHERWISE = "it is not what the events before it come to"
    EVENT_NOT_FOLDED = "the house can't start with it: {text}"
    BALANCE_UNKNOWN = "no entry knows {account}"
    BALANCE_DIFFERS = "{account} is {found}, its entries sum to {expected}"
    BALANCES_OTHERWISE = "the balances then were not those that the chain holds"
    BALANCE_MISSING = "{account} is missing"
    STREAM_END = "the stream's end is not its last event, {sequence}"
    STREAM_MISSING = "the stream is missing"
    STREAM_UNSEALED = (
        "its end was not sealed with the commit key: it was written by hand, or by a"
        " command without the key"
    )
    LOG_ENTRY_MISSING = "the log has no entry for it"
    LOG_ENTRY_WITHOUT_EVENT = "there is no event for this entry of the log"
    LOG_ENTRY_OTHERWISE = "the log's entry is not what the events say"
    LOG_PLACE = "its place in the log is {leaf}, not {expected}"
    LOG_ENDS_UNREADABLE = "this entry of the log names no ends of streams"
    LOG_ENDS_UNSIGNED = "no checkpoint is over this entry of the log"
    LOG_EVENT_MISSING = "entry {leaf} of the log names this event, and it is not there"
    LOG_OTHER_HASH = "entry {leaf} of the log knows it with another hash"
    CHECKPOINT_OUT_OF_ORDER = "it names no more entries than the checkpoint before it"
    CHECKPOINT_OTHER_ROOT = "{source} has another root than the log's {size} entries"
    CHECKPOINT_BEYOND = "{source} names {size} entries, and the log has {count}"
    CHECKPOINT_UNKNOWN_KEY = "no key that is known has signed it"
    CHECKPOINT_OTHER_KEY = (
        "it was signed with another key, {key}, that no checkpoint vouches for"
    )
    CHECKPOINT_KEY_REVOKED = (
        "it was signed with {key}, a key revoked before: it is no proof"
    )
    CHECKPOINT_NOT_STORED = "{source} is not among the stored ones"
    VOUCHER_WITHOUT_EVENT = "no event knows this voucher"
    VOUCHER_MISSING = "the voucher is missing"
    VOUCHER_ISSUED = "it was issued {count} times"
    VOUCHER_ENDED = "it came to more than one end: {ends}"
    VOUCHER_AMOUNTS = "its events name different amounts"
    VOUCHER_DIFFERS = "{column} is {found}, the events say {expected}"
    EXPORT_GOES_ON = "the export goes on after its end"
    EXPORT_WITHOUT_END = "the export is incomplete: its end is missing"
    EXPORT_VERSION = "the export is of version {found}, not {expected}"
    EXPORT_OTHER_RECORDS = "the export's end speaks of {count} other records"


@unique
class CheckpointSource(ReasonCode):
    """The source of a checkpoint, in a problem that names it."""

    FROM_OUTSIDE = "the checkpoint from outside"
    STORED = "it"


_OF_ROWS = frozenset({FindingKind.ROW_REJECTED, FindingKind.ROW_DIFFERS})


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is wrong: its place, and how it should be."""

    kind: FindingKind
    stream: str
    sequence: int | None
    """The event's number in its stream; for a table of wagers, the row's number."""
    reason: Reason
    round_number: int | None = None
    wager: str | None = None
    expected_cents: int | None = None
    found_cents: int | None = None

    @property
    def problem(self) -> str:
        return str(self.reason)

    @property
    def table(self) -> str:
        return self.kind.table

    def __str__(self) -> str:
        unit = "row" if self.kind in _OF_ROWS else "event"
        where = " ".join(
            part
            for part in (
                self.stream,
                "" if self.sequence is None else f"{unit} {self.sequence}",
                "" if self.round_number is None else f"round {self.round_number}",
                "" if self.wager is None else f"wager {self.wager}",
            )
            if part
        )
        return f"{where}: {self.problem}" if where else self.problem


@dataclass(slots=True)
class Findings:
    """Gathers findings: up to a number of each kind are kept, all are counted."""

    most_kept: int | None = MOST_KEPT
    """None: all."""
    kept: list[Finding] = field(default_factory=list)
    counts: Counter[FindingKind] = field(default_factory=Counter)

    def add(self, finding: Finding) -> None:
        if self.most_kept is None or self.counts[finding.kind] < self.most_kept:
            self.kept.append(finding)
        self.counts[finding.kind] += 1

    def merge(self, other: Findings) -> None:
        """Add the findings of another part of the audit, after these."""
        kept: Counter[FindingKind] = Counter(finding.kind for finding in self.kept)
        for finding in other.kept:
            if self.most_kept is None or kept[finding.kind] < self.most_kept:
                self.kept.append(finding)
                kept[finding.kind] += 1
        self.counts.update(other.counts)

    @property
    def total(self) -> int:
        return self.counts.total()


def table_line(finding: Finding) -> str:
    """Return a verification's finding as a line that begins with its table."""
    number = "" if finding.sequence is None else str(finding.sequence)
    parts = (finding.kind.table, finding.stream, number)
    return f"{' '.join(part for part in parts if part)}: {finding.problem}"


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Sort by kind, in the order of `FindingKind`; keep the order within a kind."""
    place = {kind: number for number, kind in enumerate(FindingKind)}
    return sorted(findings, key=lambda finding: place[finding.kind])
