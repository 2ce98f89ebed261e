"""The state of the house, folded from the events of its own stream; pure.

Whatever was committed can be folded, in any order and number: an event about somebody
or something that is not there changes nothing. A house that can't be read never opens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, unique
from types import MappingProxyType
from typing import Any

from croupier.journal.events import house as ev
from croupier.journal.events.plan import HouseSettings, StaffPlan, TablePlan
from croupier.journal.events.table import GamingDayClosed

_ANSWERED_KEPT = 100


def _nothing() -> Any:
    """Return the default of a mapping: MappingProxyType can't be one itself."""
    return field(default_factory=lambda: MappingProxyType({}))


@unique
class DeviceKind(Enum):
    TERMINAL = "terminal"
    CONSOLE = "console"
    BOARD = "board"
    SENSOR = "sensor"
    LAYOUT = "layout"
    STATION = "station"
    """A desk of the pit, the cashier or the inspector."""


_DEVICE_KINDS = frozenset(kind.value for kind in DeviceKind)


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who can log on: the digest of their kept password, and failures."""

    password: str | None = None
    failures: int = 0
    locked: bool = False
    """Since the last right password, whether or not the time of it is over."""
    until_ms: int = 0
    """When a lock ends by itself."""
    no_vouchers: tuple[str, ...] = ()
    """Of an account that others have set: those who can't vouch for its owner.

    Empty: nobody has set it since its owner chose the password.
    """
    factor: str | None = None
    """The digest of the kept secret of a second factor."""
    enrolment: str | None = None
    """The digest of the kept secret of one that is being enrolled."""
    enrolment_until_ms: int = 0
    factor_step: int = 0
    """Of the last code that was used."""
    code_failures: int = 0
    """Wrong ones since the last right one; no log-on takes them back."""

    def is_locked(self, at_ms: int) -> bool:
        return at_ms < self.until_ms


@dataclass(frozen=True, slots=True)
class Device:
    name: str
    kind: DeviceKind
    table: str | None
    code: str | None
    """The digest of a pairing code that has not been used."""
    until_ms: int
    token: str | None = None
    """The digest of its token, once it is enrolled."""


@dataclass(frozen=True, slots=True)
class Player:
    name: str
    stake_cents: int | None = None
    loss_cents: int | None = None
    excluded_until_ms: int = 0
    favourites: Mapping[str, ev.FavouriteKept] = _nothing()


@dataclass(frozen=True, slots=True)
class SeatSession:
    """A named Player sits at a terminal."""

    table: str
    terminal: str
    player: str
    began_ms: int


@dataclass(frozen=True, slots=True)
class StaffSession:
    """Somebody of the staff is logged on, at a device or at none."""

    name: str
    device: str | None
    began_ms: int


@dataclass(frozen=True, slots=True)
class DoneProposal:
    """A proposal that was done, and the person who confirmed it."""

    proposed: ev.Proposed
    confirmed_by: str


@dataclass(frozen=True, slots=True)
class HouseState:
    house: HouseSettings | None = None
    tables: Mapping[str, TablePlan] = _nothing()
    rules: Mapping[str, ev.RulesAttached] = _nothing()
    """By table, the approved rules file attached to it."""
    staff: Mapping[str, StaffPlan] = _nothing()
    acting: Mapping[str, tuple[ev.ActingAssigned, ...]] = _nothing()
    """By the name of staff, the positions they act in for a time."""
    accounts: Mapping[str, Account] = _nothing()
    """By the name of staff, or of a Player."""
    sessions: Mapping[str, StaffSession] = _nothing()
    """By the digest of their token."""
    devices: Mapping[str, Device] = _nothing()
    tokens: Mapping[str, str] = _nothing()
    """Enrolled devices by the digest of their token."""
    players: Mapping[str, Player] = _nothing()
    sitting: Mapping[str, SeatSession] = _nothing()
    """By Player."""
    seated: Mapping[tuple[str, str], str] = _nothing()
    """By table and terminal, the named Player there."""
    dealers: Mapping[str, str] = _nothing()
    """By table, the Dealer who is logged on there."""
    proposals: Mapping[int, ev.Proposed] = _nothing()
    """Those that still wait."""
    confirmations: Mapping[int, ev.ConfirmationGiven] = _nothing()
    """Of proposals that wait for their table's answer."""
    answered: Mapping[int, DoneProposal] = _nothing()
    """The latest that were done, for the person who confirmed and asks again."""
    last_proposal: int = 0
    closed_day: str | None = None
    """The gaming day that was closed last."""
    ending_day: str = ""
    """The latest gaming day after which every table of all nodes begins the next."""
    signing_keys: Mapping[str, ev.SigningKeySet] = _nothing()
    """By their ids, the latest last."""
    revoked_keys: Mapping[str, ev.SigningKeyRevoked] = _nothing()
    """By their ids."""
    doubt: str | None = None
    """The fault that a verification has found in the journal, if any."""
    incarnation: str = ""
    """Part of every head that is signed: each restore begins another."""
    former: tuple[str, ...] = ()
    """The incarnations before it."""
    retired: str | None = None
    """The incarnation of the copy that took this one's place, if one did."""

    @property
    def signing_key(self) -> str | None:
        """The id of the key that signs now, if one does."""
        last = next(reversed(tuple(self.signing_keys)), None)
        return None if last in self.revoked_keys else last

    def account(self, name: str) -> Account:
        return self.accounts.get(name, Account())

    def deals(self, name: str, table: str) -> bool:
        """Return whether they are the Dealer of a table just now."""
        return self.dealers.get(table) == name


Apply = Callable[[HouseState, Any, int], HouseState]


def apply(
    state: HouseState, event: ev.HouseEvent | GamingDayClosed, at_ms: int
) -> HouseState:
    """Return the house after an event; many are only recorded and change nothing."""
    change = _CHANGES.get(type(event))
    return state if change is None else change(state, event, at_ms)


def _put(state: HouseState, **entries: tuple[Any, Any]) -> HouseState:
    """Return the state with an entry of each named mapping set to a value."""
    changed = {
        name: MappingProxyType({**getattr(state, name), key: value})
        for name, (key, value) in entries.items()
    }
    return replace(state, **changed)  # type: ignore[arg-type]


def _drop(state: HouseState, **keys: Any) -> HouseState:
    """Return the state without an entry of each named mapping."""
    changed = {
        name: MappingProxyType(
            {k: v for k, v in getattr(state, name).items() if k != key}
        )
        for name, key in keys.items()
    }
    return replace(state, **changed)  # type: ignore[arg-type]


def _account(state: HouseState, name: str, **changes: Any) -> HouseState:
    return _put(state, accounts=(name, replace(state.account(name), **changes)))


def _player(state: HouseState, name: str, **changes: Any) -> HouseState:
    if name not in state.players:
        return state
    return _put(state, players=(name, replace(state.players[name], **changes)))


def _staff_removed(state: HouseState, event: ev.StaffRemoved, _: int) -> HouseState:
    name = event.name
    dealt = [table for table, dealer in state.dealers.items() if dealer == name]
    for table in dealt:
        state = _drop(state, dealers=table)
    return _drop(state, staff=name, acting=name, accounts=name)


_OPEN: Mapping[str, Any] = {"failures": 0, "locked": False, "until_ms": 0}
"""Of an account that no wrong password keeps locked."""


def _account_set(state: HouseState, event: ev.AccountSet, _: int) -> HouseState:
    """Limit the account; those that are limited together never vouch for each other."""
    limited = {name for name, each in state.accounts.items() if each.no_vouchers}
    for name in limited - {event.name}:
        state = _add_no_vouchers(state, name, {event.name})
    parts = {event.by, event.second or event.by, *limited}
    return _add_no_vouchers(state, event.name, parts)


def _add_no_vouchers(state: HouseState, name: str, more: set[str]) -> HouseState:
    known = state.account(name).no_vouchers
    return _account(state, name, no_vouchers=tuple(sorted({*known, *more})))


def _factor_begun(state: HouseState, event: ev.SecondFactorBegun, _: int) -> HouseState:
    until = {"enrolment_until_ms": event.until_ms}
    return _factor(state, event.name, enrolment=event.digest, **until)


def _log_on_failed(state: HouseState, event: ev.LogOnFailed, _: int) -> HouseState:
    """Count it for whom it was tried: a PIN is a Player's, a password the staff's."""
    name = event.name
    if name not in state.accounts or event.of_player is not (name in state.players):
        return state
    return _account(state, name, failures=event.failures)


def _locked_out(state: HouseState, event: ev.LockedOut, _: int) -> HouseState:
    return _account(state, event.name, locked=True, until_ms=event.until_ms)


def _factor_set(state: HouseState, event: ev.SecondFactorSet, _: int) -> HouseState:
    changes = {"factor": event.digest, "factor_step": event.step}
    return _factor(state, event.name, enrolment=None, **changes)


def _factor(state: HouseState, name: str, **changes: Any) -> HouseState:
    if name not in state.accounts:
        return state
    return _account(state, name, **changes)


def _logged_on(state: HouseState, event: ev.LoggedOn, at_ms: int) -> HouseState:
    state = _account(state, event.name, **_OPEN)
    session = StaffSession(event.name, event.device, at_ms)
    return _put(state, sessions=(event.digest, session))


def _server_started(state: HouseState, event: ev.ServerStarted, _: int) -> HouseState:
    """End the sessions, unless it is one of several nodes: the others go on."""
    return state if event.node else replace(state, sessions=MappingProxyType({}))


def _unlocked(state: HouseState, event: ev.Unlocked, _: int) -> HouseState:
    return _account(state, event.name, code_failures=0, **_OPEN)


def _acting(
    state: HouseState, event: ev.ActingAssigned | ev.ActingEnded, _: int
) -> HouseState:
    """Assign somebody to a position, or end it; the one before it ends in either."""
    assigned = state.acting.get(event.name, ())
    others = tuple(each for each in assigned if each.position is not event.position)
    new = (event,) if isinstance(event, ev.ActingAssigned) else ()
    return _put(state, acting=(event.name, (*others, *new)))


def _invited(state: HouseState, event: ev.DeviceInvited, _: int) -> HouseState:
    if event.kind not in _DEVICE_KINDS:
        return state
    name, kind = event.device, DeviceKind(event.kind)
    device = Device(name, kind, event.table, event.digest, event.until_ms)
    return _put(state, devices=(name, device))


def _enrolled(state: HouseState, event: ev.DeviceEnrolled, _: int) -> HouseState:
    name, token = event.device, event.digest
    if name not in state.devices:
        return state
    device = replace(state.devices[name], code=None, token=token)
    return _put(state, devices=(name, device), tokens=(token, name))


def _revoked(state: HouseState, event: ev.DeviceRevoked, _: int) -> HouseState:
    device = state.devices.get(event.device)
    if device is None:
        return state
    return _drop(state, devices=device.name, tokens=device.token)


def _favourite(state: HouseState, event: ev.FavouriteKept, _: int) -> HouseState:
    player = state.players.get(event.player)
    if player is None:
        return state
    kept = {**player.favourites, event.name: event}
    if not event.wagers:
        del kept[event.name]
    return _player(state, event.player, favourites=MappingProxyType(kept))


def _seat_taken(state: HouseState, event: ev.SeatTaken, at_ms: int) -> HouseState:
    player, seat = event.player, (event.table, event.terminal)
    session = SeatSession(*seat, player, at_ms)
    if player in state.accounts:
        state = _account(state, player, **_OPEN)
    return _put(state, sitting=(player, session), seated=(seat, player))


def _proposed(state: HouseState, event: ev.Proposed, _: int) -> HouseState:
    state = _put(state, proposals=(event.number, event))
    return replace(state, last_proposal=event.number)


def _confirmation_given(
    state: HouseState, event: ev.ConfirmationGiven, _: int
) -> HouseState:
    if event.number not in state.proposals:
        return state
    return _put(state, confirmations=(event.number, event))


def _proposal_ended(
    state: HouseState, event: ev.ProposalConfirmed | ev.ProposalEnded, _: int
) -> HouseState:
    number = event.number
    if number in state.confirmations:
        given = state.confirmations[number]
        kept = {
            **state.answered,
            number: DoneProposal(state.proposals[number], given.by),
        }
        latest = list(kept.items())[-_ANSWERED_KEPT:]
        state = replace(state, answered=MappingProxyType(dict(latest)))
    return _drop(state, proposals=number, confirmations=number)


def _signing_key_set(state: HouseState, event: ev.SigningKeySet, _: int) -> HouseState:
    return _put(_drop(state, signing_keys=event.key), signing_keys=(event.key, event))


_CHANGES: Mapping[type[ev.HouseEvent | GamingDayClosed], Apply] = {
    GamingDayClosed: lambda s, event, _: replace(s, closed_day=event.gaming_day),
    ev.GamingDayEnding: lambda s, event, _: replace(
        s, ending_day=max(s.ending_day, event.gaming_day)
    ),
    ev.HouseDefined: lambda s, event, _: replace(s, house=event.house),
    ev.TableDefined: lambda s, event, _: _put(
        s, tables=(event.table.name, event.table)
    ),
    ev.TableRetired: lambda s, event, _: _drop(s, tables=event.table),
    ev.RulesAttached: lambda s, event, _: _put(s, rules=(event.table, event)),
    ev.StaffDefined: lambda s, event, _: _put(
        s, staff=(event.member.name, event.member)
    ),
    ev.StaffRemoved: _staff_removed,
    ev.PasswordSet: lambda s, event, _: _account(
        s, event.name, password=event.digest, **_OPEN
    ),
    ev.AccountSet: _account_set,
    ev.AccountVouched: lambda s, event, _: _factor(s, event.name, no_vouchers=()),
    ev.SecondFactorBegun: _factor_begun,
    ev.SecondFactorSet: _factor_set,
    ev.SecondFactorReset: lambda s, event, _: _factor(
        s, event.name, factor=None, factor_step=0, enrolment=None
    ),
    ev.SecondFactorUsed: lambda s, event, _: _factor(
        s, event.name, factor_step=event.step, code_failures=0
    ),
    ev.SecondFactorFailed: lambda s, event, _: _factor(
        s, event.name, code_failures=event.failures
    ),
    ev.LogOnFailed: _log_on_failed,
    ev.LoggedOn: _logged_on,
    ev.LoggedOff: lambda s, event, _: _drop(s, sessions=event.digest),
    ev.ServerStarted: _server_started,
    ev.Unlocked: _unlocked,
    ev.LockedOut: _locked_out,
    ev.ActingAssigned: _acting,
    ev.ActingEnded: _acting,
    ev.DealerCame: lambda s, event, _: _put(s, dealers=(event.table, event.name)),
    ev.DealerWent: lambda s, event, _: _drop(s, dealers=event.table),
    ev.DeviceInvited: _invited,
    ev.DeviceEnrolled: _enrolled,
    ev.DeviceRevoked: _revoked,
    ev.PlayerDefined: lambda s, event, _: _put(
        s, players=(event.name, Player(event.name))
    ),
    ev.PlayerLimited: lambda s, event, _: _player(
        s, event.name, stake_cents=event.stake_cents, loss_cents=event.loss_cents
    ),
    ev.PlayerExcluded: lambda s, event, _: _player(
        s, event.name, excluded_until_ms=event.until_ms
    ),
    ev.FavouriteKept: _favourite,
    ev.SeatTaken: _seat_taken,
    ev.SeatLeft: lambda s, event, _: _drop(
        s, sitting=event.player, seated=(event.table, event.terminal)
    ),
    ev.Proposed: _proposed,
    ev.ConfirmationGiven: _confirmation_given,
    ev.ProposalConfirmed: _proposal_ended,
    ev.ProposalEnded: _proposal_ended,
    ev.SigningKeySet: _signing_key_set,
    ev.SigningKeyRevoked: lambda s, event, _: _put(s, revoked_keys=(event.key, event)),
    ev.JournalDoubted: lambda s, event, _: replace(s, doubt=event.first),
    ev.JournalTrusted: lambda s, _event, _: replace(s, doubt=None),
    ev.HouseRestored: lambda s, event, _: replace(
        s, incarnation=event.incarnation, former=event.former, retired=None
    ),
    ev.HouseRetired: lambda s, event, _: replace(s, retired=event.incarnation),
}
"""How each kind of event changes the house."""
