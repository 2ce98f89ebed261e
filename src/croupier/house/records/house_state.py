"""The house as its own stream tells it: pure, folded from events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, unique
from types import MappingProxyType
from typing import Any

from croupier.journal.events import house as ev
from croupier.journal.events.plan import HouseSettings, StaffPlan, TablePlan

_NOTHING: Mapping[Any, Any] = MappingProxyType({})
FAILURES_ALLOWED = 5
"""Log-ons with a wrong password, one after another, before the account is locked."""


@unique
class DeviceKind(Enum):
    TERMINAL = "terminal"
    CONSOLE = "console"
    BOARD = "board"
    SENSOR = "sensor"
    LAYOUT = "layout"
    STATION = "station"
    """A desk of the pit, the cashier or the inspector."""


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who can log on: the digest of their kept password, and failures."""

    password: str | None = None
    failures: int = 0
    locked: bool = False


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
    favourites: Mapping[str, ev.FavouriteKept] = field(default_factory=lambda: _NOTHING)


@dataclass(frozen=True, slots=True)
class SeatSession:
    """A named Player sits at a terminal."""

    table: str
    terminal: str
    player: str
    began_ms: int


@dataclass(frozen=True, slots=True)
class HouseState:
    defined: HouseSettings | None = None
    tables: Mapping[str, TablePlan] = field(default_factory=lambda: _NOTHING)
    rules: Mapping[str, ev.RulesAttached] = field(default_factory=lambda: _NOTHING)
    """By table, the approved rules file attached to it."""
    staff: Mapping[str, StaffPlan] = field(default_factory=lambda: _NOTHING)
    acting: Mapping[str, tuple[ev.ActingAssigned, ...]] = field(
        default_factory=lambda: _NOTHING
    )
    """By the name of staff, the positions they act in for a time."""
    accounts: Mapping[str, Account] = field(default_factory=lambda: _NOTHING)
    """By the name of staff, or of a Player."""
    devices: Mapping[str, Device] = field(default_factory=lambda: _NOTHING)
    tokens: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """Enrolled devices by the digest of their token."""
    players: Mapping[str, Player] = field(default_factory=lambda: _NOTHING)
    sitting: Mapping[str, SeatSession] = field(default_factory=lambda: _NOTHING)
    """By Player."""
    seated: Mapping[tuple[str, str], str] = field(default_factory=lambda: _NOTHING)
    """By table and terminal, the named Player there."""
    dealers: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """By table, the Dealer who is logged on there."""
    proposals: Mapping[int, ev.Proposed] = field(default_factory=lambda: _NOTHING)
    """Those that still wait."""
    last_proposal: int = 0

    def account(self, name: str) -> Account:
        return self.accounts.get(name, Account())

    def deals(self, name: str, table: str) -> bool:
        """Whether they are the Dealer of a table just now."""
        return self.dealers.get(table) == name


Apply = Callable[[HouseState, Any, int], HouseState]
_CHANGES: dict[type[ev.HouseEvent], Apply] = {}


def apply(state: HouseState, event: ev.HouseEvent, at_ms: int) -> HouseState:
    """The house after an event; many events change nothing and are only recorded."""
    change = _CHANGES.get(type(event))
    return state if change is None else change(state, event, at_ms)


def _changes(*kinds: type[ev.HouseEvent]) -> Callable[[Apply], Apply]:
    def register(change: Apply) -> Apply:
        for kind in kinds:
            _CHANGES[kind] = change
        return change

    return register


def _with(mapping: Mapping[Any, Any], key: Any, value: Any) -> Mapping[Any, Any]:
    return MappingProxyType({**mapping, key: value})


def _without(mapping: Mapping[Any, Any], key: Any) -> Mapping[Any, Any]:
    return MappingProxyType({k: v for k, v in mapping.items() if k != key})


@_changes(ev.HouseDefined)
def _defined(state: HouseState, event: ev.HouseDefined, _: int) -> HouseState:
    return replace(state, defined=event.house)


@_changes(ev.TableDefined)
def _table(state: HouseState, event: ev.TableDefined, _: int) -> HouseState:
    return replace(state, tables=_with(state.tables, event.table.name, event.table))


@_changes(ev.RulesAttached)
def _attached(state: HouseState, event: ev.RulesAttached, _: int) -> HouseState:
    return replace(state, rules=_with(state.rules, event.table, event))


@_changes(ev.TableRetired)
def _retired(state: HouseState, event: ev.TableRetired, _: int) -> HouseState:
    return replace(state, tables=_without(state.tables, event.table))


@_changes(ev.StaffDefined)
def _staff(state: HouseState, event: ev.StaffDefined, _: int) -> HouseState:
    member = event.member
    return replace(state, staff=_with(state.staff, member.name, member))


@_changes(ev.StaffRemoved)
def _staff_removed(state: HouseState, event: ev.StaffRemoved, _: int) -> HouseState:
    return replace(
        state,
        staff=_without(state.staff, event.name),
        acting=_without(state.acting, event.name),
        accounts=_without(state.accounts, event.name),
        dealers=MappingProxyType(
            {t: name for t, name in state.dealers.items() if name != event.name}
        ),
    )


@_changes(ev.PasswordSet)
def _password(state: HouseState, event: ev.PasswordSet, _: int) -> HouseState:
    account = Account(password=event.digest)
    return replace(state, accounts=_with(state.accounts, event.name, account))


@_changes(ev.LogOnFailed)
def _failed(state: HouseState, event: ev.LogOnFailed, _: int) -> HouseState:
    if event.name not in state.accounts:
        return state
    account = replace(state.account(event.name), failures=event.failures)
    return replace(state, accounts=_with(state.accounts, event.name, account))


@_changes(ev.LoggedOn, ev.Unlocked)
def _unlocked(
    state: HouseState, event: ev.LoggedOn | ev.Unlocked, _: int
) -> HouseState:
    account = replace(state.account(event.name), failures=0, locked=False)
    return replace(state, accounts=_with(state.accounts, event.name, account))


@_changes(ev.LockedOut)
def _locked(state: HouseState, event: ev.LockedOut, _: int) -> HouseState:
    account = replace(state.account(event.name), locked=True)
    return replace(state, accounts=_with(state.accounts, event.name, account))


@_changes(ev.ActingAssigned)
def _assigned(state: HouseState, event: ev.ActingAssigned, _: int) -> HouseState:
    acting = (*_acting_besides(state, event), event)
    return replace(state, acting=_with(state.acting, event.name, acting))


@_changes(ev.ActingEnded)
def _ended(state: HouseState, event: ev.ActingEnded, _: int) -> HouseState:
    acting = _acting_besides(state, event)
    return replace(state, acting=_with(state.acting, event.name, acting))


def _acting_besides(
    state: HouseState, event: ev.ActingAssigned | ev.ActingEnded
) -> tuple[ev.ActingAssigned, ...]:
    """Return somebody's assignments to other positions than the event's."""
    assigned = state.acting.get(event.name, ())
    return tuple(each for each in assigned if each.position is not event.position)


@_changes(ev.DealerCame)
def _came(state: HouseState, event: ev.DealerCame, _: int) -> HouseState:
    return replace(state, dealers=_with(state.dealers, event.table, event.name))


@_changes(ev.DealerWent)
def _went(state: HouseState, event: ev.DealerWent, _: int) -> HouseState:
    return replace(state, dealers=_without(state.dealers, event.table))


@_changes(ev.DeviceInvited)
def _invited(state: HouseState, event: ev.DeviceInvited, _: int) -> HouseState:
    device = Device(
        event.device,
        DeviceKind(event.kind),
        event.table,
        event.digest,
        event.until_ms,
    )
    return replace(state, devices=_with(state.devices, event.device, device))


@_changes(ev.DeviceEnrolled)
def _enrolled(state: HouseState, event: ev.DeviceEnrolled, _: int) -> HouseState:
    device = replace(state.devices[event.device], code=None, token=event.digest)
    return replace(
        state,
        devices=_with(state.devices, event.device, device),
        tokens=_with(state.tokens, event.digest, event.device),
    )


@_changes(ev.DeviceRevoked)
def _revoked(state: HouseState, event: ev.DeviceRevoked, _: int) -> HouseState:
    return replace(
        state,
        devices=_without(state.devices, event.device),
        tokens=_without(state.tokens, state.devices[event.device].token),
    )


@_changes(ev.PlayerDefined)
def _player(state: HouseState, event: ev.PlayerDefined, _: int) -> HouseState:
    players = _with(state.players, event.name, Player(event.name))
    return replace(state, players=players)


@_changes(ev.PlayerLimited)
def _limited(state: HouseState, event: ev.PlayerLimited, _: int) -> HouseState:
    player = replace(
        state.players[event.name],
        stake_cents=event.stake_cents,
        loss_cents=event.loss_cents,
    )
    return replace(state, players=_with(state.players, event.name, player))


@_changes(ev.PlayerExcluded)
def _excluded(state: HouseState, event: ev.PlayerExcluded, _: int) -> HouseState:
    player = replace(state.players[event.name], excluded_until_ms=event.until_ms)
    return replace(state, players=_with(state.players, event.name, player))


@_changes(ev.FavouriteKept)
def _favourite(state: HouseState, event: ev.FavouriteKept, _: int) -> HouseState:
    player = state.players[event.player]
    kept = (
        _with(player.favourites, event.name, event)
        if event.wagers
        else _without(player.favourites, event.name)
    )
    changed = replace(player, favourites=kept)
    return replace(state, players=_with(state.players, event.player, changed))


@_changes(ev.SeatTaken)
def _taken(state: HouseState, event: ev.SeatTaken, at_ms: int) -> HouseState:
    session = SeatSession(event.table, event.terminal, event.player, at_ms)
    return replace(
        state,
        sitting=_with(state.sitting, event.player, session),
        seated=_with(state.seated, (event.table, event.terminal), event.player),
    )


@_changes(ev.SeatLeft)
def _left(state: HouseState, event: ev.SeatLeft, _: int) -> HouseState:
    return replace(
        state,
        sitting=_without(state.sitting, event.player),
        seated=_without(state.seated, (event.table, event.terminal)),
    )


@_changes(ev.Proposed)
def _proposed(state: HouseState, event: ev.Proposed, _: int) -> HouseState:
    proposals = _with(state.proposals, event.number, event)
    return replace(state, proposals=proposals, last_proposal=event.number)


@_changes(ev.ProposalConfirmed, ev.ProposalEnded)
def _resolved(
    state: HouseState, event: ev.ProposalConfirmed | ev.ProposalEnded, _: int
) -> HouseState:
    return replace(state, proposals=_without(state.proposals, event.number))
