"""Staff defined by two people: one who manages staff proposes, another confirms.

The house's own stream is all that changes: confirmed and done are one commit.
"""

from __future__ import annotations

from croupier.house.people import proposals
from croupier.house.people.authority import Caller, HouseAct
from croupier.house.people.log_on import check_are_two
from croupier.house.people.second_factor import IdentityCheck, Proof
from croupier.house.people.staff import check_definition, check_not_own
from croupier.house.reasons import HouseReason
from croupier.house.records.house_record import HouseRecord, NotThere
from croupier.journal.events import house as ev
from croupier.journal.events.plan import SensitiveAct, StaffPlan
from croupier.journal.events.two_person_acts import StaffDefinition
from croupier.journal.store import HOUSE_STREAM
from croupier.table.answers import Answer, stored_answer


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
        position, acting = _position(by)
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
            position, acting = _position(by)
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


def _position(by: Caller) -> tuple[str, bool]:
    """Return their highest position and whether they act in it, or else a duty."""
    if by.positions:
        highest = by.positions[-1]
        return highest.role.value, highest.acting
    return min(duty.value for duty in by.duties), False
