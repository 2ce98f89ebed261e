"""Staff: who is on it, in which positions, acting for whom and until when."""

from __future__ import annotations

from collections.abc import Iterable

from croupier.house.people import proposals
from croupier.house.people.authority import (
    POSITIONS,
    Caller,
    HouseAct,
    authority_of,
    never_both,
)
from croupier.house.people.log_on import check_are_two, set_password
from croupier.house.people.names import check_new_name
from croupier.house.people.second_factor import IdentityCheck, Proof
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, HouseRecord, NotDone, NotThere
from croupier.house.records.house_state import HouseState
from croupier.journal.events import house as ev
from croupier.journal.events.plan import Duty, SensitiveAct, StaffPlan
from croupier.journal.events.two_person_acts import StaffDefinition
from croupier.journal.store import HOUSE_STREAM
from croupier.rules.notation import shown
from croupier.rules.operator import Role
from croupier.table.answers import Answer, stored_answer

_LONGEST_ACTING_MS = 31 * 24 * 60 * 60 * 1000


def plan_of(name: str, positions: Iterable[Role], duties: Iterable[Duty]) -> StaffPlan:
    """Return somebody with each position and duty once, in the order of files."""
    return StaffPlan(
        name,
        tuple(each for each in Role if each in {*positions}),
        tuple(each for each in Duty if each in {*duties}),
    )


def check_definition(state: HouseState, member: StaffPlan) -> None:
    """Raise `NotDone` where nobody can be that."""
    if not member.positions and not member.duties:
        raise NotDone(HouseReason.NEEDS_POSITION_OR_DUTY(name=member.name))
    if set(member.positions) - set(POSITIONS):
        raise NotDone(HouseReason.NO_SUCH_POSITION())
    _check_together(state, (*member.positions, *member.duties))
    if member.name not in state.staff:
        check_new_name(state, member.name)


def lower(record: HouseRecord, by: Caller, member: StaffPlan) -> None:
    """Take positions and duties from somebody, which one person does alone."""
    by.must(HouseAct.MANAGE_STAFF)
    check_not_own(by, member.name)
    with record.lock:
        check_definition(record.state, member)
        check_alone(by, record.state.staff.get(member.name), member)
        record.write(ev.StaffDefined(by.name, member))


def _check_together(state: HouseState, held: Iterable[Role | Duty]) -> None:
    pair = never_both(authority_of(state), held)
    if pair is not None:
        raise NotDone(HouseReason.NEVER_TOGETHER(one=pair[0], other=pair[1]))


def check_not_own(by: Caller, name: str) -> None:
    """Raise `Denied` where somebody would change their own rights."""
    if name == by.name:
        raise Denied(HouseReason.NOBODY_CHANGES_THEMSELVES())


def check_alone(by: Caller, before: StaffPlan | None, after: StaffPlan) -> None:
    """Raise `NotDone` where one person may not make that of somebody."""
    check_not_own(by, after.name)
    if before is None or _gains(before, after):
        raise NotDone(HouseReason.STAFF_TAKES_TWO(name=after.name))


def _gains(before: StaffPlan, after: StaffPlan) -> bool:
    held = {*before.positions, *before.duties}
    return not held.issuperset((*after.positions, *after.duties))


def define_unasked(record: HouseRecord, by: str, member: StaffPlan) -> None:
    """Define somebody at the machine itself, where nobody can be the second person."""
    with record.lock:
        check_definition(record.state, member)
        record.write(ev.StaffDefined(by, member))


def remove(record: HouseRecord, by: Caller, name: str) -> None:
    """Somebody leaves the staff; at least one who can manage it stays."""
    by.must(HouseAct.MANAGE_STAFF)
    if name == by.name:
        raise NotDone(HouseReason.NOBODY_REMOVES_THEMSELVES())
    remove_unasked(record, by.name, name)


def remove_unasked(record: HouseRecord, by: str, name: str) -> None:
    """Remove somebody at the machine itself."""
    with record.lock:
        _member(record, name)
        record.write(ev.StaffRemoved(by, name))


def give_password(record: HouseRecord, by: Caller, name: str, password: str) -> None:
    """Have who manages staff give another a password, which is then changed."""
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
        by_duty = by.may_by_duty(HouseAct.ASSIGN_ACTING)
        if not by_duty and not by.stands_at(position):
            raise Denied(HouseReason.ASSIGNS_ABOVE_OWN(person=by.name))
        if position not in POSITIONS or position in member.positions:
            raise NotDone(HouseReason.CANNOT_ACT_IN(name=name, position=position.value))
        acting = (each.position for each in record.state.acting.get(name, ()))
        held: list[Role | Duty] = [*member.positions, *member.duties, *acting, position]
        _check_together(record.state, held)
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


def propose(
    record: HouseRecord,
    identity: IdentityCheck,
    *,
    by: Caller,
    proof: Proof,
    member: StaffPlan,
) -> ev.Proposed:
    """Wait for a second person who manages staff; nothing is done yet."""
    by.must(HouseAct.MANAGE_STAFF)
    identity.check(by.name, proof, SensitiveAct.PROPOSE)
    with record.lock:
        check_not_own(by, member.name)
        check_definition(record.state, member)
        position, acting = by.standing
        act = StaffDefinition(member.name, member.positions, member.duties)
        return proposals.record_proposed(
            record,
            by=by.name,
            position=position,
            acting=acting,
            table=HOUSE_STREAM,
            act=act,
        )


def confirm(
    record: HouseRecord,
    identity: IdentityCheck,
    *,
    by: Caller,
    proof: Proof,
    number: int,
) -> Answer:
    """Define them now, and return the answer of the house's own stream.

    Whoever confirms what has been confirmed gets the same answer.
    """
    by.must(HouseAct.MANAGE_STAFF)
    identity.check(by.name, proof, SensitiveAct.CONFIRM)
    with record.lock:
        proposed = proposals.find_confirmable(record, number)
        act = proposed.act
        assert isinstance(act, StaffDefinition)
        check_are_two(record, proposed.by, by.name)
        check_not_own(by, act.name)
        command_id = proposals.command_id_of(number)
        if number not in record.state.answered:
            member = StaffPlan(act.name, act.positions, act.duties)
            check_definition(record.state, member)
            position, acting = by.standing
            record.write(
                ev.ConfirmationGiven(number, by.name, position, acting),
                ev.StaffDefined(proposed.by, member),
                ev.ProposalConfirmed(number, by.name, position),
                command_id=command_id,
            )
        answer = stored_answer(record.store, HOUSE_STREAM, command_id)
        if answer is None:
            raise NotThere(HouseReason.NO_SUCH_PROPOSAL(number=number))
        return answer
