"""The events of the house: tables, staff, devices, Players, proposals.

They are in the house's own stream, each with the person who acted. They hold no
secret: for a password or a token, only a digest.
"""

from __future__ import annotations

from enum import Enum, unique

import msgspec

from croupier.journal.events.plan import HouseSettings, StaffPlan, TablePlan
from croupier.journal.events.two_person_acts import ProposedAct
from croupier.ledger.accounts import Entry
from croupier.rules.operator import Role
from croupier.rules.reasons import Reason


class HouseEvent(msgspec.Struct, frozen=True):
    """An event of the house's own stream."""


class HouseDefined(HouseEvent, frozen=True):
    """The house began, or its settings changed."""

    by: str
    house: HouseSettings
    changes: tuple[str, ...] = ()
    """Each changed setting, with its old and new value."""


class TableDefined(HouseEvent, frozen=True):
    """A table joined the floor, or its plan changed."""

    by: str
    table: TablePlan
    changes: tuple[str, ...] = ()
    """Each changed fact, with its old and new value; none for a new table."""
    changes_terms: bool = False
    """True if its limits or settings changed: the table puts them in force."""


class RulesAttached(HouseEvent, frozen=True):
    """The operator's approved rules file of a table, as it was found."""

    by: str
    table: str
    file: str
    digest: str
    dated_ms: int


class TableRetired(HouseEvent, frozen=True):
    by: str
    table: str


class StaffDefined(HouseEvent, frozen=True):
    """A person joined the staff, or holds other positions and duties from now on."""

    by: str
    member: StaffPlan


class StaffRemoved(HouseEvent, frozen=True):
    by: str
    name: str


class TrainingRecorded(HouseEvent, frozen=True):
    """The result of an assessed round, put on file for a member of staff."""

    by: str
    name: str
    game: str
    spins: int
    right: int
    late: int
    wrong: int
    digest: str
    """SHA-256 of the answers, as the trainee's file has it."""


class PasswordSet(HouseEvent, frozen=True):
    """Staff or a named Player got a password; the digest is that of its stored hash."""

    by: str
    name: str
    digest: str


@unique
class AccountSetting(Enum):
    """An act of another person on an account; it limits the account."""

    OPENED = "opened"
    PASSWORD = "password"  # noqa: S105 - the name of a setting
    SECOND_FACTOR = "second_factor"


class AccountSet(HouseEvent, frozen=True):
    """Another person opened an account, or reset its password or second factor."""

    by: str
    name: str
    what: AccountSetting
    second: str | None
    """The second person; None if the act was done at the journal's machine."""


class AccountVouched(HouseEvent, frozen=True):
    """An account's owner chose a password beside this manager, who vouched for them."""

    by: str
    name: str


class SecondFactorBegun(HouseEvent, frozen=True):
    """A new secret was shown; the digest is that of the sealed secret."""

    name: str
    digest: str
    until_ms: int


class SecondFactorSet(HouseEvent, frozen=True):
    """A second factor was enrolled; the digest is that of the sealed secret."""

    name: str
    digest: str
    step: int
    """The time step of the code that was given."""


class SecondFactorReset(HouseEvent, frozen=True):
    by: str
    name: str


class SecondFactorUsed(HouseEvent, frozen=True):
    """A right code was given for an act; no code up to it is accepted again."""

    name: str
    act: str
    step: int


class SecondFactorFailed(HouseEvent, frozen=True):
    """The code was wrong, or was used before."""

    name: str
    act: str
    failures: int


class ActingAssigned(HouseEvent, frozen=True):
    """A person acts in a position from one moment until another."""

    by: str
    name: str
    position: Role
    from_ms: int
    until_ms: int

    def holds(self, at_ms: int) -> bool:
        return self.from_ms <= at_ms < self.until_ms


class ActingEnded(HouseEvent, frozen=True):
    by: str
    name: str
    position: Role


class LoggedOn(HouseEvent, frozen=True):
    name: str
    device: str | None
    digest: str
    """The digest of the session's token."""


class LoggedOff(HouseEvent, frozen=True):
    name: str
    reason: Reason
    digest: str
    """The digest of the token of the session that ended."""


class LogOnFailed(HouseEvent, frozen=True):
    """The password was wrong, or the name unknown."""

    name: str
    device: str | None
    failures: int
    of_player: bool
    """True if a PIN was typed at a terminal."""


class LockedOut(HouseEvent, frozen=True):
    """Too many passwords were wrong: the account is locked until `until_ms`."""

    name: str
    until_ms: int


class Unlocked(HouseEvent, frozen=True):
    by: str
    name: str


class DealerCame(HouseEvent, frozen=True):
    """A Dealer took over a table."""

    name: str
    table: str


class DealerWent(HouseEvent, frozen=True):
    name: str
    table: str
    by: str | None = None
    """The supervisor who relieved them; None if they left by themselves."""


class DeviceInvited(HouseEvent, frozen=True):
    """A pairing code was given out; the digest is of the code."""

    by: str
    device: str
    kind: str
    table: str | None
    until_ms: int
    digest: str


class DeviceEnrolled(HouseEvent, frozen=True):
    """The code was used; the digest is of the device's token."""

    device: str
    digest: str


class DeviceRevoked(HouseEvent, frozen=True):
    by: str
    device: str
    kind: str


class DeviceLost(HouseEvent, frozen=True):
    """A device went silent, or was closed."""

    device: str
    table: str
    needed: bool
    """True if the round needed it, or had wagers from its seat: that is an alarm."""


class DeviceBack(HouseEvent, frozen=True):
    device: str
    table: str


class TableTaken(HouseEvent, frozen=True):
    """A node took over a table from another node."""

    table: str
    node: str
    from_node: str
    """The node that was gone; empty if it had handed the table over."""


class PlayerDefined(HouseEvent, frozen=True):
    by: str
    name: str


class PlayerLimited(HouseEvent, frozen=True):
    """Limits on a Player's stake in a round, and loss and deposits in a gaming day."""

    by: str
    name: str
    stake_cents: int | None
    loss_cents: int | None
    deposit_cents: int | None = None


class PlayerExcluded(HouseEvent, frozen=True):
    """The Player may not play until `until_ms`."""

    by: str
    name: str
    until_ms: int


class SeatTaken(HouseEvent, frozen=True):
    """A named Player sat down at a terminal: their session began."""

    table: str
    terminal: str
    player: str


class SeatLeft(HouseEvent, frozen=True):
    table: str
    terminal: str
    player: str


class FavouriteKept(HouseEvent, frozen=True):
    """A layout of chips that a Player keeps under a name; an empty one deletes it."""

    player: str
    name: str
    game: str
    wagers: tuple[str, ...]
    """Each is written `WAGER@STAKE`."""


class Proposed(HouseEvent, frozen=True):
    """A two-person act waits for its second person."""

    number: int
    by: str
    position: str
    acting: bool
    table: str
    """The table that it concerns, or `house`."""
    act: ProposedAct
    effect: tuple[Entry, ...]
    """Its effect on each account, as shown to both."""
    until_ms: int


class ConfirmationGiven(HouseEvent, frozen=True):
    """A second person confirmed an act, which its table now carries out.

    The result stands in the table's own stream; `ProposalConfirmed` or `ProposalEnded`
    follows it, at the next start of the house at the latest.
    """

    number: int
    by: str
    position: str
    acting: bool


class ProposalConfirmed(HouseEvent, frozen=True):
    number: int
    by: str
    position: str


class ProposalEnded(HouseEvent, frozen=True):
    """A proposal expired, was withdrawn, or was refused by a person or the table."""

    number: int
    by: str
    reason: Reason


@unique
class AskedBy(Enum):
    """The kind of request that lacked authority."""

    OPERATION = "operation"
    """An operation of the HTTP API."""
    MESSAGE = "message"
    """A message to a table."""
    SESSION = "session"
    """A session, used away from the device that opened it."""


class AuthorityRefused(HouseEvent, frozen=True):
    """An act was asked for without authority."""

    name: str
    asked_by: AskedBy
    act: str
    """The id of the operation or the type of the message; empty for a session."""
    reason: Reason
    times: int = 1
    """The number of attempts; repeated ones share one event a minute."""


class ClockChanged(HouseEvent, frozen=True):
    """The server's clock jumped relative to its monotonic clock."""

    by_ms: int


class WheelDoubted(HouseEvent, frozen=True):
    """A number has come up too often for a fair wheel; the watch begins again."""

    table: str
    number: str
    times: int
    spins: int
    """The spins since the last such alarm, or since the table's memory begins."""
    round: int


class ServerStarted(HouseEvent, frozen=True):
    version: str
    code: str
    """The digest of the program's own code."""
    node: str
    """The node's name, if several nodes serve the house; else empty."""
    approved_by: str | None = None
    """The signer of the note that approves this code, if one was asked for."""
    installed_by: str | None = None
    """The signer of the record of its installation."""


class ServerStopped(HouseEvent, frozen=True):
    reason: Reason
    node: str


class GamingDayEnding(HouseEvent, frozen=True):
    """Each table, at any node, begins the next day; then this day is closed."""

    by: str
    gaming_day: str


class JournalDoubted(HouseEvent, frozen=True):
    """A verification has found that the journal was edited."""

    findings: int
    first: str
    """The first finding, in a sentence."""


class JournalTrusted(HouseEvent, frozen=True):
    """A journal that was doubted has been verified as a whole, and is clean."""

    first: str
    """The finding that it was doubted for, in a sentence."""


class SigningKeySet(HouseEvent, frozen=True):
    """The house signs its checkpoints with this key from now on."""

    by: str
    key: str
    """The id of the key."""
    public_key: str
    replaces: str | None
    """The id of the key before it."""


class SigningKeyRevoked(HouseEvent, frozen=True):
    """Checkpoints that this key signs from now on prove nothing."""

    by: str
    key: str
    why: str


class HouseRestored(HouseEvent, frozen=True):
    """From now on this journal is the house, and no other copy of the journal is."""

    by: str
    incarnation: str
    """Part of the log's name from now on."""
    former: tuple[str, ...]
    """The incarnations that it replaces."""
    missing: int
    """The number of log entries that checkpoints cover and this journal lacks."""
    why: str


class EventsMissing(HouseEvent, frozen=True):
    """A promoted server lacks events that the house had acknowledged."""

    stream: str
    first: int
    """The sequence number of the first missing event."""
    missing: int
    file: str
    """The name of the file in which the house has kept the missing events."""


class HouseRetired(HouseEvent, frozen=True):
    """Another copy of this journal is the house from now on."""

    by: str
    incarnation: str
    """The incarnation of the other copy."""


class AlarmAcknowledged(HouseEvent, frozen=True):
    """A significant event was seen."""

    by: str
    stream: str
    sequence: int


HOUSE_EVENTS = frozenset(HouseEvent.__subclasses__())
