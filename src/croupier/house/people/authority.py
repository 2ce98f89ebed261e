"""The positions and duties of staff at this moment, and the acts they may do.

Tables judge acts of play by the documents. This module decides on the house's own acts:
its staff, devices, limits, money and reports. The house file can change its table.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum, unique
from functools import lru_cache

from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied
from croupier.house.records.house_state import HouseState
from croupier.journal.events.plan import Authority, Duty
from croupier.rules.game import Game
from croupier.rules.operator import Person, Role

_LADDER = (
    frozenset({Role.DEALER}),
    frozenset({Role.PIT_SUPERVISOR}),
    frozenset({Role.PIT_MANAGER}),
    frozenset({Role.GAMING_SHIFT_MANAGER, Role.TABLE_GAMES_SHIFT_MANAGER}),
)


def _at_least(position: Role) -> frozenset[Role]:
    [height] = [h for h, roles in enumerate(_LADDER) if position in roles]
    return frozenset[Role]().union(*_LADDER[height:])


POSITIONS = tuple(role for role in Role if any(role in each for each in _LADDER))
"""The positions of the documents, lowest first."""
HOLDINGS = (*(role.value for role in POSITIONS), *(duty.value for duty in Duty))
"""Names of positions, then of duties, that staff can hold."""


@unique
class HouseAct(Enum):
    """Acts of the staff beyond the acts of play."""

    RUN_TABLE = "open or close a table"
    CHANGE_TERMS = "change limits and settings"
    MANAGE_STAFF = "change staff and their passwords"
    VOUCH = "vouch for a person who chooses a password"
    ASSIGN_ACTING = "assign a person to act in a position"
    MANAGE_DEVICES = "enrol or revoke devices"
    MANAGE_PLAYERS = "register Players and set their limits"
    HANDLE_MONEY = "take or pay money"
    PAY_FROM_CAGE = "pay from the drawer of the cage"
    PROPOSE = "propose a two-person act"
    CLOSE_DAY = "close the gaming day"
    INSPECT = "read the journal, recall rounds and see reports"
    WATCH = "see the pit"


MONEY_DUTIES = frozenset({Duty.CASHIER, Duty.ATTENDANT})
"""The duties with which a person takes and pays money at every table."""
_SUPERVISORS = _at_least(Role.PIT_SUPERVISOR)
_MANAGERS = _at_least(Role.PIT_MANAGER)
AuthorityTable = Mapping[HouseAct, tuple[frozenset[Role], frozenset[Duty]]]
USUAL_AUTHORITY: AuthorityTable = {
    HouseAct.RUN_TABLE: (_SUPERVISORS, frozenset()),
    HouseAct.CHANGE_TERMS: (_MANAGERS, frozenset()),
    HouseAct.MANAGE_STAFF: (
        _at_least(Role.GAMING_SHIFT_MANAGER),
        frozenset({Duty.ADMINISTRATOR}),
    ),
    HouseAct.VOUCH: (_MANAGERS, frozenset({Duty.ADMINISTRATOR})),
    HouseAct.ASSIGN_ACTING: (_MANAGERS, frozenset({Duty.ADMINISTRATOR})),
    HouseAct.MANAGE_DEVICES: (_SUPERVISORS, frozenset({Duty.ADMINISTRATOR})),
    HouseAct.MANAGE_PLAYERS: (
        _SUPERVISORS,
        MONEY_DUTIES,
    ),
    HouseAct.HANDLE_MONEY: (
        _at_least(Role.DEALER),
        MONEY_DUTIES,
    ),
    HouseAct.PAY_FROM_CAGE: (_SUPERVISORS, MONEY_DUTIES),
    HouseAct.PROPOSE: (_at_least(Role.DEALER), frozenset({Duty.CASHIER})),
    HouseAct.CLOSE_DAY: (_MANAGERS, frozenset({Duty.CASHIER, Duty.ADMINISTRATOR})),
    HouseAct.INSPECT: (
        _SUPERVISORS,
        frozenset({Duty.INSPECTOR, Duty.ADMINISTRATOR, Duty.CASHIER}),
    ),
    HouseAct.WATCH: (_SUPERVISORS, frozenset({Duty.INSPECTOR, Duty.ADMINISTRATOR})),
}


_INSPECTOR, _ADMINISTRATOR = Duty.INSPECTOR.value, Duty.ADMINISTRATOR.value
USUAL_NEVER_TOGETHER = (
    # An inspector takes no part in play, money or staff.
    *((other, _INSPECTOR) for other in HOLDINGS if other != _INSPECTOR),
    # An administrator opens accounts, so does not handle money.
    (Role.DEALER.value, _ADMINISTRATOR),
    (Duty.CASHIER.value, _ADMINISTRATOR),
    (Duty.ATTENDANT.value, _ADMINISTRATOR),
)


@lru_cache(maxsize=100)
def table_of(authority: Authority) -> AuthorityTable:
    """Return the holders of each act; unknown acts of another version are left out."""
    own = {
        each.act: (frozenset(each.positions), frozenset(each.duties))
        for each in authority.acts
    }
    return {act: own.get(act.name.lower(), USUAL_AUTHORITY[act]) for act in HouseAct}


def separations_of(authority: Authority) -> tuple[tuple[str, str], ...]:
    pairs = authority.never_together
    return USUAL_NEVER_TOGETHER if pairs is None else pairs


def never_both(
    authority: Authority, held: Iterable[Role | Duty]
) -> tuple[str, str] | None:
    words = {each.value for each in held}
    return next((pair for pair in separations_of(authority) if words >= {*pair}), None)


def authority_of(state: HouseState) -> Authority:
    return Authority() if state.house is None else state.house.authority


@dataclass(frozen=True, slots=True)
class Caller:
    """A member of staff, with their positions and duties at this moment."""

    name: str
    positions: tuple[Person, ...]
    """This person in each of their positions."""
    duties: frozenset[Duty]
    table: AuthorityTable = field(repr=False, compare=False)
    """The house's table at that moment."""

    def may(self, act: HouseAct) -> bool:
        roles, duties = self.table[act]
        held = {position.role for position in self.positions}
        return bool(held & roles or self.duties & duties)

    def may_by_duty(self, act: HouseAct) -> bool:
        return bool(self.duties & self.table[act][1])

    def must(self, act: HouseAct) -> None:
        if not self.may(act):
            raise Denied(HouseReason.MAY_NOT(person=self.name, act=act.value))

    @property
    def standing(self) -> tuple[str, bool]:
        """The highest position and whether it is acting, or a duty if there is none."""
        if self.positions:
            highest = self.positions[-1]
            return highest.role.value, highest.acting
        return min(duty.value for duty in self.duties), False

    def stands_at(self, position: Role) -> bool:
        """Return whether they hold that position or one above it, in any casino."""
        if position not in POSITIONS:
            return True
        return any(each.role in _at_least(position) for each in self.positions)

    def people(self, game: Game, *, deals: bool) -> tuple[Person, ...]:
        """Return the person in each position that this game's staff has, lowest first.

        Without `deals` the position of Dealer is left out.
        """
        ladder = game.operator.ladder
        staff = [
            each
            for each in self.positions
            if game.is_staff(each) and (deals or each.role is not Role.DEALER)
        ]
        return tuple(sorted(staff, key=lambda each: ladder.index(each.role)))

    def person(self, game: Game, position: str | None, *, deals: bool) -> Person:
        """Return the person in the position in which they act at a table of this game.

        Without `position`, it is Dealer if they deal there, otherwise their highest
        position in that casino, otherwise cashier if they handle money. Raises `Denied`
        if they have none.
        """
        if position is not None:
            return self._in(position)
        if deals:
            return self._in(Role.DEALER.value)
        people = self.people(game, deals=True)
        if people:
            return people[-1]
        if self.may(HouseAct.HANDLE_MONEY):
            return Person(self.name, Role.CASHIER)
        if self.positions:
            return self.positions[0]
        raise Denied(HouseReason.NO_POSITION_HERE(person=self.name))

    def _in(self, position: str) -> Person:
        for each in self.positions:
            if each.role.value == position:
                return each
        raise Denied(
            HouseReason.IS_NOT_IN_POSITION(person=self.name, position=position[:40])
        )


def person_of(by: Caller) -> Person:
    """Return the caller in their highest position, for an act in the house itself."""
    if by.positions:
        highest = by.positions[-1]
        return Person(by.name, highest.role, highest.acting)
    return Person(by.name, Role.CASHIER)


def caller(state: HouseState, name: str, at_ms: int) -> Caller:
    """Return the member of staff of that name as a caller, or raise `Denied`."""
    member = state.staff.get(name)
    if member is None:
        raise Denied(HouseReason.NOT_ON_STAFF(person=name))
    held = [Person(name, role) for role in member.positions]
    held += [
        Person(name, acting.position, acting=True)
        for acting in state.acting.get(name, ())
        if acting.holds(at_ms) and acting.position not in member.positions
    ]
    table = table_of(authority_of(state))
    return Caller(name, tuple(held), frozenset(member.duties), table)


def who_may(state: HouseState, at_ms: int) -> dict[HouseAct, tuple[str, ...]]:
    staff = [caller(state, name, at_ms) for name in state.staff]
    return {act: tuple(p.name for p in staff if p.may(act)) for act in HouseAct}
