"""The events of the house: tables, staff, devices, Players, proposals.

They stand in the house's own stream, each with the name of who did it. No secret is
among them: of a password or a token only the digest of what is kept elsewhere.
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
    """Each setting that became different, from what to what."""


class TableDefined(HouseEvent, frozen=True):
    """A table joined the floor, or its plan changed."""

    by: str
    table: TablePlan
    changes: tuple[str, ...] = ()
    """Each fact that became different, from what to what; none for a new table."""


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
    """Somebody joined the staff, or holds other positions and duties from now on."""

    by: str
    member: StaffPlan


class StaffRemoved(HouseEvent, frozen=True):
    by: str
    name: str


class PasswordSet(HouseEvent, frozen=True):
    """Of staff or of a named Player; the digest is of the kept hash."""

    by: str
    name: str
    digest: str


@unique
class AccountSetting(Enum):
    """Something that others do to an account, after which it is limited."""

    OPENED = "opened"
    PASSWORD = "password"  # noqa: S105 - the name of a setting
    SECOND_FACTOR = "second_factor"


class AccountSet(HouseEvent, frozen=True):
    """Others opened an account, set its password or reset its second factor."""

    by: str
    name: str
    what: AccountSetting
    second: str | None
    """The second person; None at the machine."""


class AccountVouched(HouseEvent, frozen=True):
    """Its owner chose a password beside this manager, who vouched for them."""

    by: str
    name: str


class SecondFactorBegun(HouseEvent, frozen=True):
    """Somebody was shown a new secret; the digest is of the kept one, sealed."""

    name: str
    digest: str
    until_ms: int


class SecondFactorSet(HouseEvent, frozen=True):
    """Somebody enrolled a second factor; the digest is of the kept secret, sealed."""

    name: str
    digest: str
    step: int
    """Of the code that was given."""


class SecondFactorReset(HouseEvent, frozen=True):
    by: str
    name: str


class SecondFactorUsed(HouseEvent, frozen=True):
    """A right code was given for an act; neither it nor an earlier one serves again."""

    name: str
    act: str
    step: int


class SecondFactorFailed(HouseEvent, frozen=True):
    """A wrong code, or one that was used."""

    name: str
    act: str
    failures: int


class ActingAssigned(HouseEvent, frozen=True):
    """Somebody acts in a position from one moment until another."""

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
    """Of the session's token."""


class LoggedOff(HouseEvent, frozen=True):
    name: str
    reason: Reason
    digest: str
    """Of the token of the session that ended."""


class LogOnFailed(HouseEvent, frozen=True):
    """A wrong password, or a name that nobody has."""

    name: str
    device: str | None
    failures: int
    of_player: bool
    """Whether it was a PIN, at a terminal."""


class LockedOut(HouseEvent, frozen=True):
    """Too many were wrong: the account opens with none until then."""

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
    """The supervisor who relieved them; None: they went by themselves."""


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
    """The round in play needed it, or had wagers of its seat: that is an alarm."""


class DeviceBack(HouseEvent, frozen=True):
    device: str
    table: str


class TableTaken(HouseEvent, frozen=True):
    """A node of the house serves a table from now on that another had before."""

    table: str
    node: str
    from_node: str
    """The node that was gone; empty where it had let the table go in order."""


class TableMoveAsked(HouseEvent, frozen=True):
    """Somebody asked that a table be served by another node, after its round."""

    by: str
    table: str
    node: str
    from_node: str
    """The node that had it then; empty where it was on its way."""


class NodeDrained(HouseEvent, frozen=True):
    """Somebody asked that a node give its tables away, and take none."""

    by: str
    node: str


class NodeGivenBack(HouseEvent, frozen=True):
    """Somebody asked that a node that drained take tables again."""

    by: str
    node: str


class PlayerDefined(HouseEvent, frozen=True):
    by: str
    name: str


class PlayerLimited(HouseEvent, frozen=True):
    """Limits on what a Player stakes in a round and loses in a gaming day."""

    by: str
    name: str
    stake_cents: int | None
    loss_cents: int | None


class PlayerExcluded(HouseEvent, frozen=True):
    """The Player may not play until then."""

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
    """A layout of chips that a Player keeps under a name; no wagers: dropped."""

    player: str
    name: str
    game: str
    wagers: tuple[str, ...]
    """As `WAGER@STAKE`."""


class Proposed(HouseEvent, frozen=True):
    """A two-person act awaits its second person."""

    number: int
    by: str
    position: str
    acting: bool
    table: str
    """Where it is done: a table, or `house` itself."""
    act: ProposedAct
    effect: tuple[Entry, ...]
    """Its effect on each account, as shown to both."""
    until_ms: int


class ConfirmationGiven(HouseEvent, frozen=True):
    """A second person confirmed an act, and its table is told to do it.

    What became of it stands in the table's own stream; `ProposalConfirmed` or
    `ProposalEnded` follows it, at the next start of the house at the latest.
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
    """Withdrawn, refused by the second person, expired, or refused by the table."""

    number: int
    by: str
    reason: Reason


@unique
class AskedBy(Enum):
    """The way by which somebody asked for what is not theirs to do."""

    OPERATION = "operation"
    """Of the HTTP API."""
    MESSAGE = "message"
    """To a table."""
    SESSION = "session"
    """Used away from the device where it was opened."""


class AuthorityRefused(HouseEvent, frozen=True):
    """Somebody asked for what is not theirs to do."""

    name: str
    asked_by: AskedBy
    act: str
    """The id of the operation, or the type of the message; of a session nothing."""
    reason: Reason
    times: int = 1
    """How often; those that follow a first one are recorded together."""


class ClockChanged(HouseEvent, frozen=True):
    """The server's clock jumped against its own steady count."""

    by_ms: int


class ServerStarted(HouseEvent, frozen=True):
    version: str
    code: str
    """The digest of the program's own code."""
    node: str
    """Its name, where several serve the house; one that serves it alone has none."""


class ServerStopped(HouseEvent, frozen=True):
    reason: Reason
    node: str


class GamingDayEnding(HouseEvent, frozen=True):
    """Every table begins the next day, at whichever node; then this one is closed."""

    by: str
    gaming_day: str


class JournalDoubted(HouseEvent, frozen=True):
    """A verification has found that the journal was changed behind its back."""

    findings: int
    first: str
    """The first of them, in a sentence."""


class JournalTrusted(HouseEvent, frozen=True):
    """A journal that was doubted has been verified as a whole, and is clean."""

    first: str
    """The finding that it was doubted for, in a sentence."""


class SigningKeySet(HouseEvent, frozen=True):
    """The house signs its heads with this key from now on."""

    by: str
    key: str
    """Its id."""
    public_key: str
    replaces: str | None
    """The id of the key before it."""


class SigningKeyRevoked(HouseEvent, frozen=True):
    """Heads that this key signs from now on prove nothing."""

    by: str
    key: str
    why: str


class HouseRestored(HouseEvent, frozen=True):
    """This journal is the house from now on, and no other copy of it is."""

    by: str
    incarnation: str
    """Part of every head from now on."""
    former: tuple[str, ...]
    """The incarnations that it replaces."""
    missing: int
    """How many events the heads of those had covered that this journal lacks."""
    why: str


class EventsMissing(HouseEvent, frozen=True):
    """A server was promoted that lacks events that the house had acknowledged."""

    stream: str
    first: int
    """The sequence number of the first of them."""
    missing: int
    file: str
    """The name of the file in which the house has kept them."""


class HouseRetired(HouseEvent, frozen=True):
    """Another copy of this journal is the house from now on."""

    by: str
    incarnation: str
    """Of the other copy."""


class AlarmAcknowledged(HouseEvent, frozen=True):
    """Somebody has seen a significant event."""

    by: str
    stream: str
    sequence: int


HOUSE_EVENTS = frozenset(HouseEvent.__subclasses__())
