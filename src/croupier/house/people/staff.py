"""Staff: who is on it, in which positions, acting for whom and until when."""

from __future__ import annotations

from croupier.house.people.authority import Caller, HouseAct
from croupier.house.people.log_on import set_password
from croupier.house.people.names import check_new_name
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import HouseRecord, NotDone, NotThere
from croupier.journal.events import house as ev
from croupier.journal.events.plan import Duty, StaffPlan
from croupier.rules.notation import shown
from croupier.rules.operator import Role

POSITIONS = (
    Role.DEALER,
    Role.PIT_SUPERVISOR,
    Role.PIT_MANAGER,
    Role.GAMING_SHIFT_MANAGER,
    Role.TABLE_GAMES_SHIFT_MANAGER,
)
_LONGEST_ACTING_MS = 31 * 24 * 60 * 60 * 1000


def define(
    record: HouseRecord,
    by: Caller,
    name: str,
    positions: tuple[Role, ...],
    duties: tuple[Duty, ...],
) -> None:
    """Somebody joins, or their positions and duties are these from now on."""
    by.must(HouseAct.MANAGE_STAFF)
    if not positions and not duties:
        raise NotDone(HouseReason.NEEDS_POSITION_OR_DUTY(name=name))
    if set(positions) - set(POSITIONS):
        raise NotDone(HouseReason.NO_SUCH_POSITION())
    if name == by.name:
        raise NotDone(HouseReason.NOBODY_CHANGES_THEMSELVES())
    with record.lock:
        if name not in record.state.staff:
            check_new_name(record.state, name)
        held = tuple(each for each in Duty if each in duties)
        record.write(ev.StaffDefined(by.name, StaffPlan(name, positions, held)))


def remove(record: HouseRecord, by: Caller, name: str) -> None:
    """Somebody leaves the staff; at least one who can manage it stays."""
    by.must(HouseAct.MANAGE_STAFF)
    with record.lock:
        _member(record, name)
        if name == by.name:
            raise NotDone(HouseReason.NOBODY_REMOVES_THEMSELVES())
        record.write(ev.StaffRemoved(by.name, name))


def give_password(record: HouseRecord, by: Caller, name: str, password: str) -> None:
    """Those who manage staff give another a password, which is then changed."""
    by.must(HouseAct.MANAGE_STAFF)
    _member(record, name)
    if name == by.name:
        raise NotDone(HouseReason.OWN_PASSWORD_WITH_OLD())
    set_password(record, by.name, name, password)


def unlock(record: HouseRecord, by: Caller, name: str) -> None:
    """After too many wrong passwords; nobody unlocks themselves."""
    by.must(HouseAct.MANAGE_STAFF)
    unlock_unasked(record, by.name, name)


def unlock_unasked(record: HouseRecord, by: str, name: str) -> None:
    """Unlock an account at the machine itself, where everybody may be locked."""
    with record.lock:
        if not record.state.account(name).locked:
            raise NotDone(HouseReason.NOT_LOCKED(name=shown(name)))
        record.write(ev.Unlocked(by, name))


def assign_acting(
    record: HouseRecord,
    by: Caller,
    name: str,
    position: Role,
    *,
    from_ms: int,
    until_ms: int,
) -> None:
    """Somebody acts in a position for a time (v3 6.3, Triple Zero 1.5)."""
    by.must(HouseAct.ASSIGN_ACTING)
    with record.lock:
        member = _member(record, name)
        if name == by.name:
            raise NotDone(HouseReason.NOBODY_ASSIGNS_THEMSELVES())
        if position not in POSITIONS or position in member.positions:
            raise NotDone(HouseReason.CANNOT_ACT_IN(name=name, position=position.value))
        if not from_ms < until_ms <= from_ms + _LONGEST_ACTING_MS:
            raise NotDone(HouseReason.ASSIGNMENT_TOO_LONG())
        record.write(ev.ActingAssigned(by.name, name, position, from_ms, until_ms))


def end_acting(record: HouseRecord, by: Caller, name: str, position: Role) -> None:
    by.must(HouseAct.ASSIGN_ACTING)
    with record.lock:
        _member(record, name)
        assigned = record.state.acting.get(name, ())
        if all(each.position is not position for each in assigned):
            raise NotDone(
                HouseReason.DOES_NOT_ACT_IN(name=name, position=position.value)
            )
        record.write(ev.ActingEnded(by.name, name, position))


def _member(record: HouseRecord, name: str) -> StaffPlan:
    member = record.state.staff.get(name)
    if member is None:
        raise NotThere(HouseReason.NOT_ON_STAFF(person=shown(name)))
    return member
