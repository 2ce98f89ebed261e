"""The state of the house, folded from the events of its own stream; pure.

Every committed event can be folded, in any order and number: an event about an unknown
person or thing changes nothing. A house whose events can't be folded would never open.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, unique
from typing import Any

from croupier.journal.events import house as events
from croupier.journal.events.plan import HouseSettings, StaffPlan, TablePlan
from croupier.journal.events.table import GamingDayClosed

_ANSWERED_KEPT = 100


@unique
class DeviceKind(Enum):
    TERMINAL = "terminal"
    CONSOLE = "console"
    BOARD = "board"
    SENSOR = "sensor"
    LAYOUT = "layout"
    STATION = "station"
    """A desk of the pit, the cashier or the inspector."""
    MIRROR = "mirror"
    """A program elsewhere that keeps a copy of the journal."""


_DEVICE_KINDS = frozenset(kind.value for kind in DeviceKind)


@dataclass(frozen=True, slots=True)
class LogOnAccount:
    """The log-on of a person: the digest of the kept password, and failures."""

    password: str | None = None
    failures: int = 0
    locked: bool = False
    """True if it was locked since the last right password; the lock may have ended."""
    until_ms: int = 0
    """The end of the lock."""
    no_vouchers: tuple[str, ...] = ()
    """People who can't vouch for the owner, because they took part in setting it.

    Empty if the owner chose the password.
    """
    factor: str | None = None
    """The digest of the second factor's kept secret."""
    enrolment: str | None = None
    """The digest of a secret that is being enrolled."""
    enrolment_until_ms: int = 0
    factor_step: int = 0
    """The step of the last code used."""
    code_failures: int = 0
    """Wrong codes since the last right one; a log-on does not reset them."""

    def is_locked(self, at_ms: int) -> bool:
        return at_ms < self.until_ms


@dataclass(frozen=True, slots=True)
class Device:
    name: str
    kind: DeviceKind
    table: str | None
    code: str | None
    """The digest of its unused pairing code."""
    until_ms: int
    token: str | None = None
    """The digest of its token; None before it is enrolled."""


@dataclass(frozen=True, slots=True)
class Player:
    name: str
    stake_cents: int | None = None
    loss_cents: int | None = None
    deposit_cents: int | None = None
    excluded_until_ms: int = 0
    favourites: Mapping[str, events.FavouriteKept] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SeatSession:
    """A named Player sits at a terminal."""

    table: str
    terminal: str
    player: str
    began_ms: int


@dataclass(frozen=True, slots=True)
class StaffSession:
    """A person of the staff is logged on, at a device or at none."""

    name: str
    device: str | None
    began_ms: int


@dataclass(frozen=True, slots=True)
class DoneProposal:
    """A proposal that was done, and the person who confirmed it."""

    proposed: events.Proposed
    confirmed_by: str


@dataclass(frozen=True, slots=True)
class TermsChange:
    """The last change of a table's terms by a house file: its number and author."""

    number: int
    by: str


@dataclass(frozen=True, slots=True)
class HouseState:
    house: HouseSettings | None = None
    tables: Mapping[str, TablePlan] = field(default_factory=dict)
    terms: Mapping[str, TermsChange] = field(default_factory=dict)
    """By table; the table itself puts them in force."""
    rules: Mapping[str, events.RulesAttached] = field(default_factory=dict)
    """By table, its approved rules file."""
    staff: Mapping[str, StaffPlan] = field(default_factory=dict)
    acting: Mapping[str, tuple[events.ActingAssigned, ...]] = field(
        default_factory=dict
    )
    """By member of staff, the positions they act in for a time."""
    accounts: Mapping[str, LogOnAccount] = field(default_factory=dict)
    """By member of staff or Player."""
    sessions: Mapping[str, StaffSession] = field(default_factory=dict)
    """By the digest of the token."""
    devices: Mapping[str, Device] = field(default_factory=dict)
    tokens: Mapping[str, str] = field(default_factory=dict)
    """Enrolled devices by the digest of their token."""
    players: Mapping[str, Player] = field(default_factory=dict)
    sitting: Mapping[str, SeatSession] = field(default_factory=dict)
    """By Player."""
    seated: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """By table and terminal, the named Player there."""
    dealers: Mapping[str, str] = field(default_factory=dict)
    """By table, its Dealer."""
    proposals: Mapping[int, events.Proposed] = field(default_factory=dict)
    """The open proposals."""
    confirmations: Mapping[int, events.ConfirmationGiven] = field(default_factory=dict)
    """Of confirmed proposals that their table has not answered."""
    answered: Mapping[int, DoneProposal] = field(default_factory=dict)
    """The latest done proposals, for a repeated confirmation."""
    last_proposal: int = 0
    closed_day: str | None = None
    """The gaming day that was closed last."""
    ending_day: str = ""
    """The latest gaming day that ends: the tables of all nodes begin the next."""
    signing_keys: Mapping[str, events.SigningKeySet] = field(default_factory=dict)
    """By id, the latest last."""
    revoked_keys: Mapping[str, events.SigningKeyRevoked] = field(default_factory=dict)
    """By id."""
    doubt: str | None = None
    """A fault that a verification has found in the journal."""
    incarnation: str = ""
    """Part of every signed head; each restore begins a new one."""
    former: tuple[str, ...] = ()
    """The earlier incarnations."""
    retired: str | None = None
    """The incarnation of the copy that replaced this one."""

    @property
    def signing_key(self) -> str | None:
        last = next(reversed(tuple(self.signing_keys)), None)
        return None if last in self.revoked_keys else last

    def account(self, name: str) -> LogOnAccount:
        return self.accounts.get(name, LogOnAccount())

    def deals(self, name: str, table: str) -> bool:
        return self.dealers.get(table) == name


Apply = Callable[[HouseState, Any, int], HouseState]


def apply(
    state: HouseState, event: events.HouseEvent | GamingDayClosed, at_ms: int
) -> HouseState:
    """Return the state after an event; many events change nothing."""
    change = _CHANGES.get(type(event))
    return state if change is None else change(state, event, at_ms)


def _put(state: HouseState, **entries: tuple[Any, Any]) -> HouseState:
    """Return the state with an entry of each named mapping set to a value."""
    changed: dict[str, Any] = {
        name: {**getattr(state, name), key: value}
        for name, (key, value) in entries.items()
    }
    return replace(state, **changed)


def _drop(state: HouseState, **keys: Any) -> HouseState:
    """Return the state without an entry of each named mapping."""
    changed: dict[str, Any] = {
        name: {k: v for k, v in getattr(state, name).items() if k != key}
        for name, key in keys.items()
    }
    return replace(state, **changed)


def _account(state: HouseState, name: str, **changes: Any) -> HouseState:
    return _put(state, accounts=(name, replace(state.account(name), **changes)))


def _player(state: HouseState, name: str, **changes: Any) -> HouseState:
    if name not in state.players:
        return state
    return _put(state, players=(name, replace(state.players[name], **changes)))


def _staff_removed(state: HouseState, event: events.StaffRemoved, _: int) -> HouseState:
    name = event.name
    dealers = {t: dealer for t, dealer in state.dealers.items() if dealer != name}
    state = replace(state, dealers=dealers)
    return _drop(state, staff=name, acting=name, accounts=name)


_OPEN: Mapping[str, Any] = {"failures": 0, "locked": False, "until_ms": 0}
"""The fields of an unlocked account."""


def _account_set(state: HouseState, event: events.AccountSet, _: int) -> HouseState:
    """Limit the account; those limited at the same time can't vouch for each other."""
    limited = {name for name, each in state.accounts.items() if each.no_vouchers}
    for name in limited - {event.name}:
        state = _add_no_vouchers(state, name, {event.name})
    parts = {event.by, event.second or event.by, *limited}
    return _add_no_vouchers(state, event.name, parts)


def _add_no_vouchers(state: HouseState, name: str, more: set[str]) -> HouseState:
    known = state.account(name).no_vouchers
    return _account(state, name, no_vouchers=tuple(sorted({*known, *more})))


def _log_on_failed(state: HouseState, event: events.LogOnFailed, _: int) -> HouseState:
    """Count it for the Player if it was a PIN, otherwise for the member of staff."""
    name = event.name
    if name not in state.accounts or event.of_player is not (name in state.players):
        return state
    return _account(state, name, failures=event.failures)


def _known_account(state: HouseState, name: str, **changes: Any) -> HouseState:
    if name not in state.accounts:
        return state
    return _account(state, name, **changes)


def _logged_on(state: HouseState, event: events.LoggedOn, at_ms: int) -> HouseState:
    state = _account(state, event.name, **_OPEN)
    session = StaffSession(event.name, event.device, at_ms)
    return _put(state, sessions=(event.digest, session))


def _acting(
    state: HouseState,
    event: events.ActingAssigned | events.ActingEnded,
    _: int,
) -> HouseState:
    """Assign a person to a position, or end that; a new assignment replaces the old."""
    assigned = state.acting.get(event.name, ())
    others = tuple(each for each in assigned if each.position is not event.position)
    new = (event,) if isinstance(event, events.ActingAssigned) else ()
    return _put(state, acting=(event.name, (*others, *new)))


def _invited(state: HouseState, event: events.DeviceInvited, _: int) -> HouseState:
    if event.kind not in _DEVICE_KINDS:
        return state
    name, kind = event.device, DeviceKind(event.kind)
    device = Device(name, kind, event.table, event.digest, event.until_ms)
    return _put(state, devices=(name, device))


def _enrolled(state: HouseState, event: events.DeviceEnrolled, _: int) -> HouseState:
    name, token = event.device, event.digest
    if name not in state.devices:
        return state
    device = replace(state.devices[name], code=None, token=token)
    return _put(state, devices=(name, device), tokens=(token, name))


def _revoked(state: HouseState, event: events.DeviceRevoked, _: int) -> HouseState:
    device = state.devices.get(event.device)
    if device is None:
        return state
    return _drop(state, devices=device.name, tokens=device.token)


def _favourite(state: HouseState, event: events.FavouriteKept, _: int) -> HouseState:
    player = state.players.get(event.player)
    if player is None:
        return state
    kept = {**player.favourites, event.name: event}
    if not event.wagers:
        del kept[event.name]
    return _player(state, event.player, favourites=kept)


def _table_defined(state: HouseState, event: events.TableDefined, _: int) -> HouseState:
    name = event.table.name
    if event.changes_terms:
        before = state.terms.get(name)
        change = TermsChange(before.number + 1 if before else 1, event.by)
        state = _put(state, terms=(name, change))
    return _put(state, tables=(name, event.table))


def _seat_taken(state: HouseState, event: events.SeatTaken, at_ms: int) -> HouseState:
    player, seat = event.player, (event.table, event.terminal)
    session = SeatSession(*seat, player, at_ms)
    if player in state.accounts:
        state = _account(state, player, **_OPEN)
    return _put(state, sitting=(player, session), seated=(seat, player))


def _proposal_ended(
    state: HouseState,
    event: events.ProposalConfirmed | events.ProposalEnded,
    _: int,
) -> HouseState:
    number, given = event.number, state.confirmations.get(event.number)
    if given is not None:
        done = DoneProposal(state.proposals[number], given.by)
        kept = [*state.answered.items(), (number, done)]
        state = replace(state, answered=dict(kept[-_ANSWERED_KEPT:]))
    return _drop(state, proposals=number, confirmations=number)


_CHANGES: Mapping[type[events.HouseEvent | GamingDayClosed], Apply] = {
    GamingDayClosed: lambda s, e, _: replace(s, closed_day=e.gaming_day),
    events.GamingDayEnding: lambda s, e, _: replace(
        s, ending_day=max(s.ending_day, e.gaming_day)
    ),
    events.HouseDefined: lambda s, e, _: replace(s, house=e.house),
    events.TableDefined: _table_defined,
    events.TableRetired: lambda s, e, _: _drop(s, tables=e.table),
    events.RulesAttached: lambda s, e, _: _put(s, rules=(e.table, e)),
    events.StaffDefined: lambda s, e, _: _put(s, staff=(e.member.name, e.member)),
    events.StaffRemoved: _staff_removed,
    events.PasswordSet: lambda s, e, _: _account(s, e.name, password=e.digest, **_OPEN),
    events.AccountSet: _account_set,
    events.AccountVouched: lambda s, e, _: _known_account(s, e.name, no_vouchers=()),
    events.SecondFactorBegun: lambda s, e, _: _known_account(
        s, e.name, enrolment=e.digest, enrolment_until_ms=e.until_ms
    ),
    events.SecondFactorSet: lambda s, e, _: _known_account(
        s, e.name, factor=e.digest, factor_step=e.step, enrolment=None
    ),
    events.SecondFactorReset: lambda s, e, _: _known_account(
        s, e.name, factor=None, factor_step=0, enrolment=None
    ),
    events.SecondFactorUsed: lambda s, e, _: _known_account(
        s, e.name, factor_step=e.step, code_failures=0
    ),
    events.SecondFactorFailed: lambda s, e, _: _known_account(
        s, e.name, code_failures=e.failures
    ),
    events.LogOnFailed: _log_on_failed,
    events.LoggedOn: _logged_on,
    events.LoggedOff: lambda s, e, _: _drop(s, sessions=e.digest),
    # The start of one node ends no session, since the other nodes go on.
    events.ServerStarted: lambda s, e, _: s if e.node else replace(s, sessions={}),
    events.Unlocked: lambda s, e, _: _account(s, e.name, code_failures=0, **_OPEN),
    events.LockedOut: lambda s, e, _: _account(
        s, e.name, locked=True, until_ms=e.until_ms
    ),
    events.ActingAssigned: _acting,
    events.ActingEnded: _acting,
    events.DealerCame: lambda s, e, _: _put(s, dealers=(e.table, e.name)),
    events.DealerWent: lambda s, e, _: _drop(s, dealers=e.table),
    events.DeviceInvited: _invited,
    events.DeviceEnrolled: _enrolled,
    events.DeviceRevoked: _revoked,
    events.PlayerDefined: lambda s, e, _: _put(s, players=(e.name, Player(e.name))),
    events.PlayerLimited: lambda s, e, _: _player(
        s,
        e.name,
        stake_cents=e.stake_cents,
        loss_cents=e.loss_cents,
        deposit_cents=e.deposit_cents,
    ),
    events.PlayerExcluded: lambda s, e, _: _player(
        s, e.name, excluded_until_ms=e.until_ms
    ),
    events.FavouriteKept: _favourite,
    events.SeatTaken: _seat_taken,
    events.SeatLeft: lambda s, e, _: _drop(
        s, sitting=e.player, seated=(e.table, e.terminal)
    ),
    events.Proposed: lambda s, e, _: replace(
        _put(s, proposals=(e.number, e)), last_proposal=e.number
    ),
    events.ConfirmationGiven: lambda s, e, _: (
        _put(s, confirmations=(e.number, e)) if e.number in s.proposals else s
    ),
    events.ProposalConfirmed: _proposal_ended,
    events.ProposalEnded: _proposal_ended,
    events.SigningKeySet: lambda s, e, _: _put(
        _drop(s, signing_keys=e.key), signing_keys=(e.key, e)
    ),
    events.SigningKeyRevoked: lambda s, e, _: _put(s, revoked_keys=(e.key, e)),
    events.JournalDoubted: lambda s, e, _: replace(s, doubt=e.first),
    events.JournalTrusted: lambda s, _event, _: replace(s, doubt=None),
    events.HouseRestored: lambda s, e, _: replace(
        s, incarnation=e.incarnation, former=e.former, retired=None
    ),
    events.HouseRetired: lambda s, e, _: replace(s, retired=e.incarnation),
}
"""The change of the state by each kind of event."""
