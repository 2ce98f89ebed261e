"""Staff: their positions, duties, accounts and acting positions."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from croupier.house.people import proposals
from croupier.house.people.authority import (
    POSITIONS,
    Caller,
    HouseAct,
    authority_of,
    caller,
    never_both,
)
from croupier.house.people.limited_accounts import (
    check_are_two,
    check_voucher,
    is_limited,
    setting,
)
from croupier.house.people.log_on import (
    Sessions,
    check_new_password,
    keep_password,
    replace_password,
)
from croupier.house.people.names import check_new_name
from croupier.house.people.passwords import check_password
from croupier.house.people.second_factor import IdentityCheck, Proof
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import Denied, HouseRecord, NotDone, NotThere
from croupier.house.records.house_state import HouseState
from croupier.journal.events.house import (
    AccountSetting,
    AccountVouched,
    ActingAssigned,
    ActingEnded,
    HouseEvent,
    PasswordSet,
    Proposed,
    StaffDefined,
    StaffRemoved,
    TrainingRecorded,
    Unlocked,
)
from croupier.journal.events.plan import Duty, SensitiveAct, StaffPlan
from croupier.journal.events.two_person_acts import (
    PasswordSetting,
    StaffAct,
)
from croupier.learn import AssessedResult
from croupier.rules.notation import shown
from croupier.rules.operator import Role

_LONGEST_ACTING_MS = 31 * 24 * 60 * 60 * 1000


def plan_of(name: str, positions: Iterable[Role], duties: Iterable[Duty]) -> StaffPlan:
    """Return the plan with each position and duty once, in declaration order."""
    return StaffPlan(
        name,
        tuple(each for each in Role if each in {*positions}),
        tuple(each for each in Duty if each in {*duties}),
    )


def check_definition(state: HouseState, member: StaffPlan) -> None:
    """Raise `NotDone` for an invalid plan of a member of staff."""
    if not member.positions and not member.duties:
        raise NotDone(HouseReason.NEEDS_POSITION_OR_DUTY(name=member.name))
    if set(member.positions) - set(POSITIONS):
        raise NotDone(HouseReason.NO_SUCH_POSITION())
    _check_together(state, (*member.positions, *member.duties))
    if member.name not in state.staff:
        check_new_name(state, member.name)


def lower(record: HouseRecord, by: Caller, member: StaffPlan) -> None:
    """Take positions and duties away; this takes no second person."""
    by.must(HouseAct.MANAGE_STAFF)
    _check_not_own(by.name, member.name)
    with record.lock:
        check_definition(record.state, member)
        before = record.state.staff.get(member.name)
        held = () if before is None else (*before.positions, *before.duties)
        if before is None or {*member.positions, *member.duties} - {*held}:
            raise NotDone(HouseReason.STAFF_TAKES_TWO(name=member.name))
        record.write(StaffDefined(by.name, member))


def _check_together(state: HouseState, held: Iterable[Role | Duty]) -> None:
    pair = never_both(authority_of(state), held)
    if pair is not None:
        raise NotDone(HouseReason.NEVER_TOGETHER(one=pair[0], other=pair[1]))


def _check_not_own(by: str, name: str) -> None:
    if name == by:
        raise Denied(HouseReason.NOBODY_CHANGES_THEMSELVES())


def define_unasked(record: HouseRecord, by: str, member: StaffPlan) -> None:
    """Define a member of staff at the machine itself, without a second person."""
    with record.lock:
        check_definition(record.state, member)
        record.write(*defined(record.state, by, member))


def defined(
    state: HouseState, by: str, member: StaffPlan, second: str | None = None
) -> tuple[HouseEvent, ...]:
    """Return the events that define a member of staff; a new account is limited."""
    event = StaffDefined(by, member)
    if member.name in state.staff:
        return (event,)
    return event, *setting(state, by, member.name, AccountSetting.OPENED, second)


def remove(record: HouseRecord, by: Caller, name: str) -> None:
    """Remove another member of staff, never the caller, so that a manager remains."""
    by.must(HouseAct.MANAGE_STAFF)
    if name == by.name:
        raise NotDone(HouseReason.NOBODY_REMOVES_THEMSELVES())
    remove_unasked(record, by.name, name)


def remove_unasked(record: HouseRecord, by: str, name: str) -> None:
    with record.lock:
        _member(record, name)
        record.write(StaffRemoved(by, name))


def file_training(
    record: HouseRecord, by: Caller, name: str, result: AssessedResult
) -> None:
    """Record the result of an assessed round for another member of staff."""
    with record.lock:
        _member(record, name)
        if name == by.name:
            raise NotDone(HouseReason.NOBODY_FILES_THEIR_OWN())
        marks = result.total
        record.write(
            TrainingRecorded(
                by=by.name,
                name=name,
                game=result.game,
                spins=result.spins,
                right=marks.right,
                late=marks.late,
                wrong=marks.wrong,
                digest=result.digest,
            )
        )


def set_password_unasked(
    record: HouseRecord, by: str, name: str, password: str
) -> None:
    """Set a password at the machine itself, which limits the account.

    If the owner sets it and no other person could vouch, for example after a restore,
    the account is not limited.
    """
    check_password(password, name, record.settings.name)
    kept = keep_password(record, by, name, password)
    with record.lock:
        events = setting(record.state, by, name, AccountSetting.PASSWORD)
        if by == name and not _has_voucher(record, name):
            events = (*events, AccountVouched(by, name))
        replace_password(record, kept, *events)


def _has_voucher(record: HouseRecord, name: str) -> bool:
    """Return whether another person could log on and vouch for them."""
    state, now = record.state, record.clock()
    others = set(state.staff) - {name, *state.account(name).no_vouchers}
    return any(
        caller(state, each, now).may(HouseAct.VOUCH)
        and not is_limited(state, each)
        and record.store.secret(state.account(each).password or "") is not None
        for each in others
    )


def take_over(
    record: HouseRecord,
    sessions: Sessions,
    identity: IdentityCheck,
    *,
    name: str,
    temporary: str,
    chosen: str,
    voucher: str,
    proof: Proof,
    device: str | None,
) -> None:
    """Let the owner of a limited account choose a password; `voucher` vouches."""
    record.follow()  # another node may just have set the password
    tried = record.state.account(name).password
    sessions.check_password(name, temporary, device)
    identity.check(voucher, proof, SensitiveAct.CONFIRM)
    _check_voucher(record, voucher, name)
    check_new_password(record, name, chosen)
    kept = keep_password(record, name, name, chosen)  # slow: outside the lock
    with record.lock:
        _check_voucher(record, voucher, name)
        if record.state.account(name).password != tried:  # set again meanwhile
            raise Denied(HouseReason.WRONG_PASSWORD())
        replace_password(record, kept, AccountVouched(voucher, name))


def _check_voucher(record: HouseRecord, voucher: str, name: str) -> None:
    by = caller(record.state, voucher, record.clock())
    check_voucher(record.state, by, name)


def unlock(record: HouseRecord, by: Caller, name: str) -> None:
    by.must(HouseAct.MANAGE_STAFF)
    unlock_unasked(record, by.name, name)


def unlock_unasked(record: HouseRecord, by: str, name: str) -> None:
    """Unlock an account at the machine itself, even if every account is locked."""
    with record.lock:
        if not record.state.account(name).locked:
            raise NotDone(HouseReason.NOT_LOCKED(name=shown(name)))
        record.write(Unlocked(by, name))


def assign_acting(
    record: HouseRecord,
    by: Caller,
    name: str,
    position: Role,
    *,
    from_ms: int,
    until_ms: int,
) -> None:
    """Let a member of staff act in a position for a time (v3 6.3, Triple Zero 1.5)."""
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
        record.write(ActingAssigned(by.name, name, position, from_ms, until_ms))


def end_acting(record: HouseRecord, by: Caller, name: str, position: Role) -> None:
    by.must(HouseAct.ASSIGN_ACTING)
    with record.lock:
        _member(record, name)
        assigned = record.state.acting.get(name, ())
        if all(each.position is not position for each in assigned):
            raise NotDone(
                HouseReason.DOES_NOT_ACT_IN(name=name, position=position.value)
            )
        record.write(ActingEnded(by.name, name, position))


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
    act: StaffAct,
    temporary: str | None = None,
) -> Proposed:
    """Propose an act on the staff, with a temporary password for the account."""
    by.must(HouseAct.MANAGE_STAFF)
    if temporary is not None:
        check_password(temporary, act.name, record.settings.name)
        kept = keep_password(record, by.name, act.name, temporary)
        act = msgspec.structs.replace(act, digest=kept.digest)
    try:
        identity.check(by.name, proof, SensitiveAct.PROPOSE)
        with record.lock:
            _check_act(record.state, by.name, act)
            return proposals.propose_in_house(record, by, act)
    except NotDone:
        if act.digest is not None:
            record.store.drop_secret(act.digest)
        raise


def _check_act(state: HouseState, by: str, act: StaffAct) -> None:
    """Raise `NotDone` if this person may not take part, or the act can't be done."""
    if isinstance(act, PasswordSetting):
        if by == act.name:
            raise Denied(HouseReason.OWN_PASSWORD_WITH_OLD())
        if act.name not in state.staff:
            raise NotThere(HouseReason.NOT_ON_STAFF(person=shown(act.name)))
        return
    _check_not_own(by, act.name)
    if act.digest is not None and act.name in state.staff:
        raise NotDone(HouseReason.NAME_TAKEN(name=shown(act.name)))
    check_definition(state, StaffPlan(act.name, act.positions, act.duties))


def events_by_two(
    state: HouseState, proposed: Proposed, second: str
) -> tuple[HouseEvent, ...]:
    """Return the events of a confirmed act on the staff; raise `NotDone`."""
    act, by = proposed.act, proposed.by
    assert isinstance(act, StaffAct)
    check_are_two(state, by, second)
    for each in (by, second):
        _check_act(state, each, act)
    kept = () if act.digest is None else (PasswordSet(by, act.name, act.digest),)
    if isinstance(act, PasswordSetting):
        what = AccountSetting.PASSWORD
        return *kept, *setting(state, by, act.name, what, second)
    member = StaffPlan(act.name, act.positions, act.duties)
    return *defined(state, by, member, second), *kept
