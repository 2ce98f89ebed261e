"""Laws of people: who may take back, decide, restate, and act at all."""

from __future__ import annotations

from collections.abc import Iterator

from croupier.rules import commands as do
from croupier.rules.operator import Role
from tests.rules.exploration.record import MACHINES, SHIFT_MANAGERS
from tests.rules.exploration.step import LADDER, Law, Step


def no_winner_is_taken_back_by_one_person(step: Step) -> Iterator[str]:
    """A29, A32, A33: two people correct, only a Shift Manager decides."""
    roles = [person.role for person in step.act.people]
    people = {person.name for person in step.act.people}
    for was, now in step.rounds():
        changed = now.winner != was.winner or (now.void and not was.void)
        if was.winner is None or not changed:
            continue
        decides = SHIFT_MANAGERS & {*roles}
        two = len(people) > 1 and Role.DEALER in roles
        two = two and any(role in LADDER[1:] for role in roles)
        if not decides and (was.decided or not two):
            yield f"{was.winner} became {now.winner}, void {now.void}, by {people}"


def a_decision_binds(step: Step) -> Iterator[str]:
    """A33: a lower position never holds, voids or changes a decision."""
    if SHIFT_MANAGERS & {person.role for person in step.act.people}:
        return
    for was, now in step.rounds():
        stands = was.decided and was.void is None and not was.held
        ending = (now.winner, now.void, now.held)
        if stands and not _happens(step) and ending != (was.winner, None, False):
            yield f"{step.act.people} undid a decision"
        for each in was.treatments:
            if each.decided and now.treatment(each.wager_id) != each:
                yield f"{step.act.people} ruled on {each.wager_id}, decided"


def _happens(step: Step) -> bool:
    """Whether the act only reports an event, and asks for nothing."""
    return isinstance(step.command, do.ReportPowerFailure | do.ReportRoundInterrupted)


def the_record_is_restated_by_two(step: Step) -> Iterator[str]:
    """A29, A34, A35; in v2 and Complete Bet by the Shift Manager alone (A12)."""
    alone = len({person.name for person in step.act.people}) == 1
    roles = {person.role for person in step.act.people}
    decides = step.game in BY_SHIFT_MANAGER and SHIFT_MANAGERS & roles
    for was, now in step.rounds():
        restated = was.rest is not None and now.rest != was.rest
        redrawn = was.drawn is not None and now.drawn != was.drawn
        if (restated or redrawn) and alone and not decides:
            yield f"{step.act.people} restated {was.rest}, {was.drawn}"
        if restated and was.winner is None and was.settlements:
            yield "a ball was restated after the end"


BY_SHIFT_MANAGER = {"mbs-roulette-v2", "mbs-complete-bet-v2"}


def no_one_is_on_both_sides(step: Step) -> Iterator[str]:
    """A42."""
    for was, now in step.rounds():
        if was == now:
            continue
        for person in step.act.people:
            staff = person.role not in {Role.PLAYER, *MACHINES}
            if staff and person.name in was.players:
                yield f"{person.name} acted with a wager in the round"
        both = (now.players - was.players) & was.staff
        if both:
            yield f"{both} placed a wager after acting as staff"


PEOPLE_LAWS: tuple[Law, ...] = (
    no_winner_is_taken_back_by_one_person,
    a_decision_binds,
    the_record_is_restated_by_two,
    no_one_is_on_both_sides,
)
