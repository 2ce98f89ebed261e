"""What a journal records of the house: tables, staff, devices, Players, proposals.

They stand in the house's own stream, each with the name of who did it. No secret is
among them: of a password or a token only the digest of what is kept elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from croupier.journal.events.plan import HouseSettings, StaffPlan, TablePlan
from croupier.rules.operator import Role
from croupier.rules.reasons import Reason


@dataclass(frozen=True, slots=True)
class HouseDefined:
    """The house began, or its settings changed."""

    by: str
    house: HouseSettings


@dataclass(frozen=True, slots=True)
class TableDefined:
    """A table joined the floor, or its plan changed."""

    by: str
    table: TablePlan


@dataclass(frozen=True, slots=True)
class RulesAttached:
    """The operator's approved rules file of a table, as it was found."""

    by: str
    table: str
    file: str
    digest: str
    dated_ms: int


@dataclass(frozen=True, slots=True)
class TableRetired:
    by: str
    table: str


@dataclass(frozen=True, slots=True)
class StaffDefined:
    """Somebody joined the staff, or holds other positions and duties from now on."""

    by: str
    member: StaffPlan


@dataclass(frozen=True, slots=True)
class StaffRemoved:
    by: str
    name: str


@dataclass(frozen=True, slots=True)
class PasswordSet:
    """Of staff or of a named Player; the digest is of the kept hash."""

    by: str
    name: str
    digest: str


@dataclass(frozen=True, slots=True)
class ActingAssigned:
    """Somebody acts in a position from one moment until another."""

    by: str
    name: str
    position: Role
    from_ms: int
    until_ms: int

    def holds(self, at_ms: int) -> bool:
        return self.from_ms <= at_ms < self.until_ms


@dataclass(frozen=True, slots=True)
class ActingEnded:
    by: str
    name: str
    position: Role


@dataclass(frozen=True, slots=True)
class LoggedOn:
    name: str
    device: str | None


@dataclass(frozen=True, slots=True)
class LoggedOff:
    name: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class LogOnFailed:
    """A wrong password, or a name that nobody has."""

    name: str
    device: str | None
    failures: int


@dataclass(frozen=True, slots=True)
class LockedOut:
    name: str


@dataclass(frozen=True, slots=True)
class Unlocked:
    by: str
    name: str


@dataclass(frozen=True, slots=True)
class DealerCame:
    """A Dealer took over a table."""

    name: str
    table: str


@dataclass(frozen=True, slots=True)
class DealerWent:
    name: str
    table: str


@dataclass(frozen=True, slots=True)
class DeviceInvited:
    """A pairing code was given out; the digest is of the code."""

    by: str
    device: str
    kind: str
    table: str | None
    until_ms: int
    digest: str


@dataclass(frozen=True, slots=True)
class DeviceEnrolled:
    """The code was used; the digest is of the device's token."""

    device: str
    digest: str


@dataclass(frozen=True, slots=True)
class DeviceRevoked:
    by: str
    device: str


@dataclass(frozen=True, slots=True)
class DeviceLost:
    """A device went silent while its table was in play."""

    device: str
    table: str


@dataclass(frozen=True, slots=True)
class DeviceBack:
    device: str
    table: str


@dataclass(frozen=True, slots=True)
class PlayerDefined:
    by: str
    name: str


@dataclass(frozen=True, slots=True)
class PlayerLimited:
    """Limits on what a Player stakes in a round and loses in a gaming day."""

    by: str
    name: str
    stake_cents: int | None
    loss_cents: int | None


@dataclass(frozen=True, slots=True)
class PlayerExcluded:
    """The Player may not play until then."""

    by: str
    name: str
    until_ms: int


@dataclass(frozen=True, slots=True)
class SeatTaken:
    """A named Player sat down at a terminal: their session began."""

    table: str
    terminal: str
    player: str


@dataclass(frozen=True, slots=True)
class SeatLeft:
    table: str
    terminal: str
    player: str


@dataclass(frozen=True, slots=True)
class FavouriteKept:
    """A layout of chips that a Player keeps under a name; no wagers: dropped."""

    player: str
    name: str
    game: str
    wagers: tuple[str, ...]
    """As `WAGER@STAKE`."""


@dataclass(frozen=True, slots=True)
class Proposed:
    """A two-person act awaits its second person."""

    number: int
    by: str
    position: str
    acting: bool
    table: str
    act: str
    """In the words of a transcript, or `adjust SEAT AMOUNT REASON`."""
    effect: tuple[str, ...]
    """What it would do to each account, as shown to both."""
    until_ms: int


@dataclass(frozen=True, slots=True)
class ProposalConfirmed:
    number: int
    by: str
    position: str


@dataclass(frozen=True, slots=True)
class ProposalEnded:
    """Withdrawn, refused by the second person, expired, or refused by the table."""

    number: int
    by: str
    reason: Reason


@dataclass(frozen=True, slots=True)
class AuthorityRefused:
    """Somebody asked for what is not theirs to do."""

    name: str
    act: str
    reason: str


@dataclass(frozen=True, slots=True)
class ClockChanged:
    """The server's clock jumped against its own steady count."""

    by_ms: int


@dataclass(frozen=True, slots=True)
class ServerStarted:
    version: str
    code: str
    """The digest of the program's own code."""


@dataclass(frozen=True, slots=True)
class ServerStopped:
    reason: str


@dataclass(frozen=True, slots=True)
class AlarmAcknowledged:
    """Somebody has seen a significant event."""

    by: str
    stream: str
    sequence: int


HouseEvent = (
    HouseDefined
    | TableDefined
    | RulesAttached
    | TableRetired
    | StaffDefined
    | StaffRemoved
    | PasswordSet
    | ActingAssigned
    | ActingEnded
    | LoggedOn
    | LoggedOff
    | LogOnFailed
    | LockedOut
    | Unlocked
    | DealerCame
    | DealerWent
    | DeviceInvited
    | DeviceEnrolled
    | DeviceRevoked
    | DeviceLost
    | DeviceBack
    | PlayerDefined
    | PlayerLimited
    | PlayerExcluded
    | SeatTaken
    | SeatLeft
    | FavouriteKept
    | Proposed
    | ProposalConfirmed
    | ProposalEnded
    | AuthorityRefused
    | ClockChanged
    | ServerStarted
    | ServerStopped
    | AlarmAcknowledged
)
HOUSE_EVENTS = frozenset(get_args(HouseEvent))
