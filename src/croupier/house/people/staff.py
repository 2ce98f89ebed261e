"""Staff: who is on it, in which positions, acting for whom and until when."""

from __future__ import annotations

from collections.abc import Iterable

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
from croupier.journal.events import house as ev
from croupier.journal.events.plan import Duty, SensitiveAct, StaffPlan
from croupier.journal.events.two_person_acts import (
    PasswordSetting,
    StaffAct,
    StaffDefinition,
)
from croupier.journal.store import HOUSE_STREAM
from croupier.rules.notation import shown
from croupier.rules.operator import Role
from croupier.table.answers import Answer

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
    check_not_own(by.name, member.name)
    with record.lock:
        check_definition(record.state, member)
        check_alone(by, record.state.staff.get(member.name), member)
        record.write(ev.StaffDefined(by.name, member))


def _check_together(state: HouseState, held: Iterable[Role | Duty]) -> None:
    pair = never_both(authority_of(state), held)
    if pair is not None:
        raise NotDone(HouseReason.NEVER_TOGETHER(one=pair[0], other=pair[1]))


def check_not_own(by: str, name: str) -> None:
    """Raise `Denied` where somebody would change their own rights."""
    if name == by:
        raise Denied(HouseReason.NOBODY_CHANGES_THEMSELVES())


def check_alone(by: Caller, before: StaffPlan | None, after: StaffPlan) -> None:
    """Raise `NotDone` where one person may not make that of somebody."""
    check_not_own(by.name, after.name)
    if before is None or _gains(before, after):
        raise NotDone(HouseReason.STAFF_TAKES_TWO(name=after.name))


def _gains(before: StaffPlan, after: StaffPlan) -> bool:
    held = {*before.positions, *before.duties}
    return not held.issuperset((*after.positions, *after.duties))


def define_unasked(record: HouseRecord, by: str, member: StaffPlan) -> None:
    """Define somebody at the machine itself, where nobody can be the second person."""
    with record.lock:
        check_definition(record.state, member)
        record.write(*defined(record.state, by, member))


def defined(
    state: HouseState, by: str, member: StaffPlan, second: str | None = None
) -> tuple[ev.HouseEvent, ...]:
    """Return the events that define somebody; a new account is limited."""
    event = ev.StaffDefined(by, member)
    if member.name in state.staff:
        return (event,)
    return event, *setting(state, by, member.name, ev.AccountSetting.OPENED, second)


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


def set_password_unasked(
    record: HouseRecord, by: str, name: str, password: str
) -> None:
    """Set somebody's password at the machine itself: the account is limited.

    It is its owner's own if the owner sets it and there is nobody who could vouch, as
    in a house that was restored from a backup.
    """
    check_password(password, name, record.settings.name)
    kept = keep_password(record, by, name, password)
    with record.lock:
        events = setting(record.state, by, name, ev.AccountSetting.PASSWORD)
        if by == name and not _has_voucher(record, name):
            events = (*events, ev.AccountVouched(by, name))
        replace_password(record, kept, *events)


def _has_voucher(record: HouseRecord, name: str) -> bool:
    """Return whether anybody else could log on, and vouch for them."""
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
    """Let the owner of a limited account choose a password beside the voucher."""
    record.follow()  # another node may just have set it
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
        replace_password(record, kept, ev.AccountVouched(voucher, name))


def _check_voucher(record: HouseRecord, voucher: str, name: str) -> None:
    by = caller(record.state, voucher, record.clock())
    check_voucher(record.state, by, name)


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
    temporary: str | None = None,
) -> ev.Proposed:
    """Propose somebody for the staff, or other positions and duties of theirs.

    A new account can have a temporary password from the start.
    """
    digest = None if temporary is None else _kept(record, by, member.name, temporary)
    act = StaffDefinition(member.name, member.positions, member.duties, digest)
    return _propose(record, identity, by=by, proof=proof, act=act)


def propose_password(
    record: HouseRecord,
    identity: IdentityCheck,
    *,
    by: Caller,
    proof: Proof,
    name: str,
    temporary: str,
) -> ev.Proposed:
    """Propose a temporary password for another of the staff."""
    act = PasswordSetting(name, _kept(record, by, name, temporary))
    return _propose(record, identity, by=by, proof=proof, act=act)


def _kept(record: HouseRecord, by: Caller, name: str, password: str) -> str:
    """Keep the hash of a temporary password, and return its digest."""
    by.must(HouseAct.MANAGE_STAFF)
    check_password(password, name, record.settings.name)
    return keep_password(record, by.name, name, password).digest


def _propose(
    record: HouseRecord,
    identity: IdentityCheck,
    *,
    by: Caller,
    proof: Proof,
    act: StaffAct,
) -> ev.Proposed:
    """Wait for a second person who manages staff; nothing is done yet."""
    try:
        by.must(HouseAct.MANAGE_STAFF)
        identity.check(by.name, proof, SensitiveAct.PROPOSE)
        with record.lock:
            _check_act(record.state, by.name, act)
            position, acting = by.standing
            return proposals.record_proposed(
                record,
                by=by.name,
                position=position,
                acting=acting,
                table=HOUSE_STREAM,
                act=act,
            )
    except NotDone:
        if act.digest is not None:
            record.store.drop_secret(act.digest)
        raise


def _check_act(state: HouseState, by: str, act: StaffAct) -> None:
    """Raise `NotDone` if this person can have no part in it, or nobody can do it."""
    if isinstance(act, PasswordSetting):
        if by == act.name:
            raise Denied(HouseReason.OWN_PASSWORD_WITH_OLD())
        if act.name not in state.staff:
            raise NotThere(HouseReason.NOT_ON_STAFF(person=shown(act.name)))
        return
    check_not_own(by, act.name)
    if act.digest is not None and act.name in state.staff:
        raise NotDone(HouseReason.NAME_TAKEN(name=shown(act.name)))
    check_definition(state, StaffPlan(act.name, act.positions, act.duties))


def events_by_two(
    state: HouseState, proposed: ev.Proposed, second: str
) -> tuple[ev.HouseEvent, ...]:
    """Return the events of an act of two people who manage staff; raise `NotDone`."""
    act, by = proposed.act, proposed.by
    assert isinstance(act, StaffAct)
    check_are_two(state, by, second)
    for each in (by, second):
        _check_act(state, each, act)
    kept = () if act.digest is None else (ev.PasswordSet(by, act.name, act.digest),)
    if isinstance(act, PasswordSetting):
        what = ev.AccountSetting.PASSWORD
        return *kept, *setting(state, by, act.name, what, second)
    member = StaffPlan(act.name, act.positions, act.duties)
    return *defined(state, by, member, second), *kept


def confirm(
    record: HouseRecord,
    identity: IdentityCheck,
    *,
    by: Caller,
    proof: Proof,
    number: int,
) -> Answer:
    """Do it now, and return the answer of the house's own stream.

    The person who confirmed it gets the same answer again, and nobody else.
    """
    by.must(HouseAct.MANAGE_STAFF)
    identity.check(by.name, proof, SensitiveAct.CONFIRM)
    with record.lock:
        proposed = proposals.find_confirmable(record, by, number)
        if number not in record.state.answered:
            _do(record, proposed, by)
        return proposals.answer_of_house(record, proposed)


def _do(record: HouseRecord, proposed: ev.Proposed, by: Caller) -> None:
    state, number = record.state, proposed.number
    position, acting = by.standing
    events = events_by_two(state, proposed, by.name)
    ended = [each.number for each in events if isinstance(each, ev.ProposalEnded)]
    assert isinstance(proposed.act, StaffAct)
    before = state.account(proposed.act.name).password
    record.write(
        ev.ConfirmationGiven(number, by.name, position, acting),
        *events,
        ev.ProposalConfirmed(number, by.name, position),
        command_id=proposals.command_id_of(number),
    )
    proposals.drop_kept(record, *(state.proposals[each] for each in ended))
    if before is not None and proposed.act.digest is not None:
        record.store.drop_secret(before)
